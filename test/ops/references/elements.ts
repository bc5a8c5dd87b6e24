// References of operations that take each element, or each pair of elements, by itself.
import { byRows, filled, floats, indices, rowOf, type Case, type Data } from '../data.ts'

type Reference = (m: number, n: number, k: number) => Case

/** The error function by its series, which converges fast for |x| ≤ 3. */
function erf(x: number): number {
  let sum = 0
  for (let i = 0, term = x; i < 60; i++, term *= (-x * x) / i) sum += term / (2 * i + 1)
  return (2 / Math.sqrt(Math.PI)) * sum
}

const softplusOf = (v: number): number => Math.log1p(Math.exp(v))

/** y = f(x), with numbers that all elements share. */
const elementwise =
  (f: (v: number) => number, within: number, scalars: Readonly<Record<string, number>> = {}): Reference =>
  (m, n) => {
    const x = floats([m * n], 1)
    return { args: { x, ...scalars }, want: { y: filled([m * n], (i) => f(x.values[i]!)) }, within }
  }

/** Floats of few values, so that many are equal. */
const coarse = (shape: readonly number[], seed: number): Data => ({ ...indices(shape, 4, seed), type: 'f32' })

const compared =
  (f: (a: number, b: number) => boolean): Reference =>
  (m, n) => {
    const [a, b] = [coarse([m * n], 1), coarse([m * n], 2)]
    return { args: { a, b }, want: { y: filled([m * n], (i) => +f(a.values[i]!, b.values[i]!), 'u32') } }
  }

export const elementReferences: Readonly<Record<string, Reference>> = {
  sigmoid: elementwise((v) => 1 / (1 + Math.exp(-v)), 1e-6),
  gelu: elementwise((v) => 0.5 * v * (1 + erf(v / Math.SQRT2)), 2e-6),
  geluTanh: elementwise((v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3))), 2e-5),
  silu: elementwise((v) => v / (1 + Math.exp(-v)), 1e-6),
  softplus: elementwise(softplusOf, 2e-6),
  mish: elementwise((v) => v * Math.tanh(softplusOf(v)), 3e-5),
  elu: elementwise((v) => (v > 0 ? v : 0.5 * Math.expm1(v)), 1e-6, { alpha: 0.5 }),
  leakyRelu: elementwise((v) => (v > 0 ? v : 0.25 * v), 1e-6, { slope: 0.25 }),
  hardSwish: elementwise((v) => (v * Math.min(6, Math.max(0, v + 3))) / 6, 1e-6),
  swiglu: (m, n) => {
    const [gate, x] = [floats([m * n], 1), floats([m * n], 2)]
    const y = filled([m * n], (i) => (gate.values[i]! / (1 + Math.exp(-gate.values[i]!))) * x.values[i]!)
    return { args: { gate, x }, want: { y }, within: 1e-6 }
  },
  clamp: elementwise((v) => Math.min(1, Math.max(-0.5, v)), 0, { least: -0.5, most: 1 }),
  greater: compared((a, b) => a > b),
  greaterEqual: compared((a, b) => a >= b),
  notEqual: compared((a, b) => a !== b),
  isNan: (m, n) => {
    const x = floats([m * n], 1),
      values = x.values.map((v, i) => (i % 3 === 1 ? Number.NaN : v))
    return { args: { x: { ...x, values } }, want: { y: filled([m * n], (i) => +Number.isNaN(values[i]!), 'u32') } }
  },
  adamStep: (m, n) => {
    const [gradient, weight, first] = [floats([m * n], 1), floats([m * n], 2), floats([m * n], 3)]
    const second = filled([m * n], (i) => ((i * 7) % 5) / 4)
    const at = (d: Data, i: number): number => d.values[i]!
    const mean1 = filled([m * n], (i) => 0.75 * at(first, i) + 0.25 * at(gradient, i))
    const mean2 = filled([m * n], (i) => 0.875 * at(second, i) + 0.125 * at(gradient, i) ** 2)
    const moved = filled(
      [m * n],
      (i) => at(weight, i) - (0.125 * (at(mean1, i) / 0.5)) / (Math.sqrt(at(mean2, i) / 0.25) + 0.5),
    )
    const numbers = { rate: 0.125, beta1: 0.75, beta2: 0.875, epsilon: 0.5, correction1: 0.5, correction2: 0.25 }
    return {
      args: { gradient, weight, first, second, ...numbers },
      want: { weight: moved, first: mean1, second: mean2 },
      within: 1e-5,
    }
  },
  conjugateDirection: (m, n) => {
    const [r, p] = [floats([m * n], 1), floats([m * n], 2)]
    return {
      args: { r, p, beta: 0.5 },
      want: { p: filled([m * n], (i) => r.values[i]! + 0.5 * p.values[i]!) },
      within: 1e-6,
    }
  },
  reverse: (m, n) => {
    const x = floats([m, n], 1)
    return { args: { x }, want: { y: byRows(x, n, (row) => [...row].reverse()) } }
  },
  roll: (m, n) => {
    const x = floats([m, n], 1),
      shift = Math.min(2, n - 1)
    return { args: { x, shift }, want: { y: byRows(x, n, (row) => row.map((_, j) => row[(j + n - shift) % n]!)) } }
  },
  repeat: (m, n, k) => {
    const x = floats([m, n], 1)
    const y = filled([m, k, n], (q) => x.values[Math.floor(q / (k * n)) * n + (q % n)]!)
    return { args: { x, times: k }, want: { y } }
  },
  lowerTriangle: (m) => {
    const x = floats([m, m], 1)
    return { args: { x }, want: { y: byRows(x, m, (row, i) => row.map((v, j) => (j <= i ? v : 0))) } }
  },
  outer: (m, n) => {
    const [a, b] = [floats([m], 1), floats([n], 2)]
    const y = filled([m, n], (q) => a.values[Math.floor(q / n)]! * b.values[q % n]!)
    return { args: { a, b }, want: { y }, within: 1e-6 }
  },
  scatter: (m, n, k) => {
    const count = Math.min(m, k),
      y = floats([m, n], 1),
      x = floats([count, n], 2),
      place = filled([count], (i) => m - 1 - i, 'i32')
    const want = byRows(y, n, (row, r) => (m - 1 - r < count ? rowOf(x, m - 1 - r, n) : row))
    return { args: { y, place, x }, want: { y: want } }
  },
}
