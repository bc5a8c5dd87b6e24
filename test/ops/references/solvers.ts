// References of what iterative and direct solvers are made of, and of packed weights.
import { filled, floats, indices, rowOf, sum, type Case, type Data } from '../data.ts'

type Reference = (m: number, n: number, k: number) => Case

const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((v, i) => v * b[i]!))

/** Words of random bits. */
const words = (shape: readonly number[], seed: number): Data => {
  const high = indices(shape, 2 ** 16, seed),
    low = indices(shape, 2 ** 16, seed + 1)
  return { shape, type: 'u32', values: high.values.map((v, i) => v * 2 ** 16 + low.values[i]!) }
}

/** The signed number of `bits` bits at place i of a word. */
const signed = (word: number, i: number, bits: number): number => ((word >>> (bits * i)) << (32 - bits)) >> (32 - bits)

export const solverReferences: Readonly<Record<string, Reference>> = {
  residual: (m, n) => {
    const [a, x, b] = [floats([m, n], 1), floats([n], 2), floats([m], 3)]
    return {
      args: { a, x, b },
      want: { r: filled([m], (i) => b.values[i]! - dot(rowOf(a, i, n), x.values)) },
      within: 1e-5,
    }
  },
  conjugateStep: (m, n) => {
    const [p, q, x, r] = [1, 2, 3, 4].map((seed) => floats([m * n], seed)) as [Data, Data, Data, Data]
    const left = filled([m * n], (i) => r.values[i]! - 0.5 * q.values[i]!)
    return {
      args: { alpha: 0.5, p, q, x, r },
      want: {
        x: filled([m * n], (i) => x.values[i]! + 0.5 * p.values[i]!),
        r: left,
        squares: filled([1], () => dot(left.values, left.values)),
      },
      within: 1e-5,
    }
  },
  dot: (m, n) => {
    const [a, b] = [floats([m * n], 1), floats([m * n], 2)]
    return { args: { a, b }, want: { y: filled([1], () => dot(a.values, b.values)) }, within: 1e-5 }
  },
  poisson: (m, n) => {
    const x = floats([m, n], 1)
    const at = (i: number, j: number): number => (i < 0 || j < 0 || i >= m || j >= n ? 0 : x.values[i * n + j]!)
    const y = filled([m, n], (q) => {
      const [i, j] = [Math.floor(q / n), q % n]
      return 4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1)
    })
    return { args: { x }, want: { y }, within: 1e-6 }
  },
  tridiagonalSolve: (m, n) => {
    const [below, above, x] = [1, 2, 3].map((seed) => floats([n, m], seed)) as [Data, Data, Data]
    const diagonal = filled([n, m], (q) => 6 + (q % 3))
    const at = (i: number, s: number): number => (i < 0 || i >= n ? 0 : x.values[i * m + s]!)
    const right = filled([n, m], (q) => {
      const [i, s] = [Math.floor(q / m), q % m]
      return Math.fround(
        below.values[q]! * at(i - 1, s) + diagonal.values[q]! * at(i, s) + above.values[q]! * at(i + 1, s),
      )
    })
    return { args: { below, diagonal, above, right }, want: { x }, within: 1e-5 }
  },
  quantizeInt8: (m, n) => {
    const x = floats([m, n, 4], 1)
    const top = (r: number): number => Math.max(...rowOf(x, r, 4 * n).map(Math.abs))
    const y = filled(
      [m, n],
      (q) => {
        const by = Math.fround(127 / top(Math.floor(q / n)))
        return x.values
          .slice(4 * q, 4 * q + 4)
          .reduce((word, v, i) => word + (Math.round(Math.fround(v * by)) & 255) * 256 ** i, 0)
      },
      'u32',
    )
    return { args: { x }, want: { y, scale: filled([m], (r) => top(r) / 127) }, within: 1e-6 }
  },
  dequantizeInt8: (m, n) => {
    const [x, scale] = [words([m, n], 1), floats([m], 3)]
    const y = filled([m, n, 4], (q) => scale.values[Math.floor(q / (4 * n))]! * signed(x.values[q >> 2]!, q % 4, 8))
    return { args: { x, scale }, want: { y }, within: 1e-6 }
  },
  matmulInt8: (m, n, k) => {
    const [x, w, scale] = [floats([m, 4 * k], 1), words([n, k], 2), floats([n], 3)]
    const weight = (o: number): readonly number[] =>
      Array.from({ length: 4 * k }, (_, i) => scale.values[o]! * signed(w.values[o * k + (i >> 2)]!, i % 4, 8))
    const y = filled([m, n], (q) => dot(rowOf(x, Math.floor(q / n), 4 * k), weight(q % n)))
    return { args: { x, w, scale }, want: { y }, within: 1e-4 }
  },
  dequantizeInt4: (m, n) => {
    const [x, scale] = [words([m, n, 4], 1), floats([m, n], 3)]
    const y = filled([m, n, 32], (q) => scale.values[q >> 5]! * signed(x.values[q >> 3]!, q % 8, 4))
    return { args: { x, scale }, want: { y }, within: 1e-6 }
  },
}
