// What the operations of `tesela/ops` mean, in float64 and as plainly as can be: for each a case at given extents.
import { byRows, epsilon, filled, floats, indices, mean, rowOf, sum, variance, type Case, type Data } from './data.ts'
import { elementReferences } from './references/elements.ts'
import { imageReferences } from './references/images.ts'
import { rowReferences } from './references/rows.ts'
import { solverReferences } from './references/solvers.ts'

function softmaxOf(row: readonly number[]): readonly number[] {
  const top = Math.max(...row),
    all = row.map((v) => Math.exp(v - top)),
    total = sum(all)
  return all.map((v) => v / total)
}

function compared(m: number, n: number, f: (a: number, b: number) => boolean): Case {
  const a = indices([m * n], 4, 1),
    b = indices([m * n], 4, 2)
  const float = (d: Data): Data => ({ ...d, type: 'f32' })
  return {
    args: { a: float(a), b: float(b) },
    want: { y: filled([m * n], (i) => +f(a.values[i]!, b.values[i]!), 'u32') },
  }
}

/** Planes [m, 2n, 2k] in windows of 2 × 2. */
function pooled(m: number, n: number, k: number, f: (window: readonly number[]) => number): Case {
  const x = floats([m, 2 * n, 2 * k], 1)
  const at = (p: number, i: number, j: number): number => x.values[(p * 2 * n + i) * 2 * k + j]!
  const window = (p: number, i: number, j: number): readonly number[] =>
    [0, 1].flatMap((u) => [0, 1].map((v) => at(p, 2 * i + u, 2 * j + v)))
  return {
    args: { x },
    want: { y: filled([m, n, k], (q) => f(window(Math.floor(q / (n * k)), Math.floor(q / k) % n, q % k))) },
    within: 1e-6,
  }
}

/** Windows of 3 × 3 around or from a place of planes [m, n, k]; outside is what `clamp` makes of it. */
function windows(
  [m, n, k]: readonly [number, number, number],
  [rows, columns, from]: readonly [number, number, number],
  f: (window: readonly number[]) => number,
): Case {
  const x = floats([m, n, k], 1)
  const clamp = (i: number, end: number): number => Math.max(0, Math.min(end - 1, i))
  const at = (p: number, i: number, j: number): number => x.values[(p * n + clamp(i, n)) * k + clamp(j, k)]!
  const window = (p: number, i: number, j: number): readonly number[] =>
    [0, 1, 2].flatMap((u) => [0, 1, 2].map((v) => at(p, i + from + u, j + from + v)))
  const place = (q: number): readonly number[] =>
    window(Math.floor(q / (rows * columns)), Math.floor(q / columns) % rows, q % columns)
  return { args: { x }, want: { y: filled([m, rows, columns], (q) => f(place(q))) }, within: 1e-6 }
}

const mixed = (given: number): number => {
  let x = given >>> 0
  x = (x ^ (x >>> 16)) >>> 0
  x = Math.imul(x, 0x21f0aaad) >>> 0
  x = (x ^ (x >>> 15)) >>> 0
  x = Math.imul(x, 0x735a2d97) >>> 0
  return (x ^ (x >>> 15)) >>> 0
}
const bits24 = (i: number, seed: number): number => mixed((mixed(i) ^ seed) >>> 0) >>> 8

/** Each operation at extents m, n, k from 1. */
export const references: Readonly<Record<string, (m: number, n: number, k: number) => Case>> = {
  ...elementReferences,
  ...rowReferences,
  ...imageReferences,
  ...solverReferences,
  softmax: (m, n) => {
    const x = floats([m, n], 1)
    return { args: { x }, want: { y: byRows(x, n, softmaxOf) }, within: 1e-6 }
  },
  logSoftmax: (m, n) => {
    const x = floats([m, n], 1)
    return { args: { x }, want: { y: byRows(x, n, (row) => softmaxOf(row).map(Math.log)) }, within: 4e-6 }
  },
  layerNorm: (m, n) => {
    const x = floats([m, n], 1),
      gain = floats([n], 2),
      bias = floats([n], 3)
    const y = byRows(x, n, (row) => {
      const scale = 1 / Math.sqrt(variance(row) + epsilon)
      return row.map((v, i) => (v - mean(row)) * scale * gain.values[i]! + bias.values[i]!)
    })
    return { args: { x, gain, bias, epsilon }, want: { y }, within: 1e-4 }
  },
  rmsNorm: (m, n) => {
    const x = floats([m, n], 1),
      gain = floats([n], 2)
    const y = byRows(x, n, (row) => {
      const scale = 1 / Math.sqrt(mean(row.map((v) => v * v)) + epsilon)
      return row.map((v, i) => v * scale * gain.values[i]!)
    })
    return { args: { x, gain, epsilon }, want: { y }, within: 1e-5 }
  },
  groupNorm: (m, n, k) => {
    const groups = 2,
      x = floats([m, groups, k, n], 1),
      gain = floats([groups, k], 2),
      bias = floats([groups, k], 3)
    const y = byRows(x, k * n, (all, r) => {
      const scale = 1 / Math.sqrt(variance(all) + epsilon),
        first = (r % groups) * k
      return all.map((v, i) => {
        const c = first + Math.floor(i / n)
        return (v - mean(all)) * scale * gain.values[c]! + bias.values[c]!
      })
    })
    return { args: { x, gain, bias, epsilon }, want: { y }, within: 1e-4 }
  },
  batchNorm: (m, n, k) => {
    const x = floats([m, k, n], 1),
      [average, gain, bias] = [floats([k], 2), floats([k], 3), floats([k], 4)],
      spread = filled([k], (i) => 1 + i)
    const y = filled([m, k, n], (q) => {
      const c = Math.floor(q / n) % k
      return (
        ((x.values[q]! - average.values[c]!) / Math.sqrt(spread.values[c]! + epsilon)) * gain.values[c]! +
        bias.values[c]!
      )
    })
    return { args: { x, mean: average, variance: spread, gain, bias, epsilon }, want: { y }, within: 1e-5 }
  },
  gather: (m, n, k) => {
    const x = floats([m, n], 1),
      place = indices([k], m, 2)
    return {
      args: { x, place },
      want: { y: filled([k, n], (q) => x.values[place.values[Math.floor(q / n)]! * n + (q % n)]!) },
    }
  },
  gatherElements: (m, n, k) => {
    const x = floats([m, n], 1),
      place = indices([m, k], n, 2)
    return {
      args: { x, place },
      want: { y: filled([m, k], (q) => x.values[Math.floor(q / k) * n + place.values[q]!]!) },
    }
  },
  slice: (m, n, k) => {
    const [before, after] = [3, k],
      wide = before + n + after,
      x = floats([m, wide], 1)
    return {
      args: { x, before, after },
      want: { y: filled([m, n], (q) => x.values[Math.floor(q / n) * wide + before + (q % n)]!) },
    }
  },
  concat: (m, n, k) => {
    const a = floats([m, n], 1),
      b = floats([m, k], 2)
    const y = byRows(floats([m, n + k], 3), n + k, (_, r) => [...rowOf(a, r, n), ...rowOf(b, r, k)])
    return { args: { a, b }, want: { y } }
  },
  pad: (m, n, k) => {
    const x = floats([m, n], 1),
      [before, after] = [k, 2]
    const edge = (length: number): readonly number[] => Array.from({ length }, () => 7)
    const y = byRows(floats([m, before + n + after], 1), before + n + after, (_, r) => [
      ...edge(before),
      ...rowOf(x, r, n),
      ...edge(after),
    ])
    return { args: { x, before, after, value: 7 }, want: { y } }
  },
  where: (m, n) => {
    const [a, b] = [floats([m, n], 1), floats([m, n], 2)],
      condition: Data = { ...indices([m, n], 3, 3), type: 'u32' }
    return {
      args: { condition, a, b },
      want: { y: filled([m, n], (i) => (condition.values[i] ? a : b).values[i]!) },
    }
  },
  oneHot: (m, n) => {
    const label = indices([m], n, 1)
    return {
      args: { label, width: n },
      want: { y: filled([m, n], (q) => +(label.values[Math.floor(q / n)] === q % n)) },
    }
  },
  maxPool2: (m, n, k) => pooled(m, n, k, (w) => Math.max(...w)),
  averagePool2: (m, n, k) => pooled(m, n, k, mean),
  maxPool3: (m, n, k) => windows([m, n + 2, k + 2], [n, k, 0], (w) => Math.max(...w)),
  globalAveragePool: (m, n) => {
    const x = floats([m, n], 1)
    return { args: { x }, want: { y: filled([m], (r) => mean(rowOf(x, r, n))) }, within: 1e-6 }
  },
  less: (m, n) => compared(m, n, (a, b) => a < b),
  lessEqual: (m, n) => compared(m, n, (a, b) => a <= b),
  equal: (m, n) => compared(m, n, (a, b) => a === b),
  cumulativeProduct: (m, n) => {
    const x = filled([m, n], (i) => 1 + ((i * 7) % 5) / 64)
    const y = byRows(x, n, (row) => row.map((_, i) => row.slice(0, i + 1).reduce((p, v) => p * v, 1)))
    return { args: { x }, want: { y }, within: 2e-5 }
  },
  randomUniform: (m, n) => ({
    args: { n: m * n, seed: 12345 },
    want: { y: filled([m * n], (i) => bits24(i, 12345) / 2 ** 24) },
  }),
  randomNormal: (m, n) => {
    const normal = (i: number): number => {
      const radius = (bits24(2 * i, 99) + 1) / 2 ** 24,
        turn = bits24(2 * i + 1, 99) / 2 ** 24
      return Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * turn)
    }
    return { args: { n: m * n, seed: 99 }, want: { y: filled([m * n], normal) }, within: 2e-3 }
  },
  rgbToGray: (m, n) => {
    const rgb = floats([m * n, 3], 1)
    const gray = filled(
      [m * n],
      (i) => 0.299 * rgb.values[3 * i]! + 0.587 * rgb.values[3 * i + 1]! + 0.114 * rgb.values[3 * i + 2]!,
    )
    return { args: { rgb }, want: { gray }, within: 1e-6 }
  },
  boxBlur3: (m, n, k) => windows([m, n, k], [n, k, -1], mean),
  upsample2: (m, n, k) => {
    const x = floats([m, n, k], 1)
    const from = (q: number): number => {
      const [p, i, j] = [Math.floor(q / (4 * n * k)), Math.floor(q / (2 * k)) % (2 * n), q % (2 * k)]
      return x.values[(p * n + (i >> 1)) * k + (j >> 1)]!
    }
    return { args: { x }, want: { y: filled([m, 2 * n, 2 * k], from) } }
  },
  csrProduct: (m, n, k) => {
    const lengths = indices([m], k, 1).values.map((l, r) => (r === 0 ? l + 1 : l)),
      start = [0]
    for (const l of lengths) start.push(start[start.length - 1]! + l)
    const entries = start[m]!,
      column = indices([entries], n, 2),
      value = floats([entries], 3),
      x = floats([n], 4)
    const row = (r: number): number =>
      sum(
        lengths
          .slice(r, r + 1)
          .flatMap((l) => Array.from({ length: l }, (_, i) => start[r]! + i))
          .map((i) => value.values[i]! * x.values[column.values[i]!]!),
      )
    return {
      args: { start: { shape: [m + 1], type: 'i32', values: start }, column, value, x },
      want: { y: filled([m], row) },
      within: 1e-5,
    }
  },
  scatterAdd: (m, n, k) => {
    const [y, x] = [indices([m, n], 100, 1), indices([k, n], 100, 2)].map((d): Data => ({ ...d, type: 'u32' }))
    const place = indices([k], m, 3)
    const values = [...y!.values]
    x!.values.forEach((v, q) => {
      values[place.values[Math.floor(q / n)]! * n + (q % n)]! += v
    })
    return { args: { y: y!, x: x!, place }, want: { y: { ...y!, values } } }
  },
  embeddingSum: (m, n, k) => {
    const x = floats([m, n], 1),
      place = indices([k, 3], m, 2)
    const row = (q: number): readonly number[] => place.values.slice(3 * Math.floor(q / n), 3 * Math.floor(q / n) + 3)
    const y = filled([k, n], (q) => sum(row(q).map((r) => x.values[r * n + (q % n)]!)))
    return { args: { x, place }, want: { y }, within: 1e-6 }
  },
  resizeBilinear: (m, n, k) => {
    const [rows, columns] = [2 * n - 1, k + 3],
      x = floats([m, n, k], 1)
    const held = (i: number, end: number): number => Math.max(0, Math.min(end - 1, i))
    const at = (p: number, i: number, j: number): number => x.values[(p * n + held(i, n)) * k + held(j, k)]!
    const between = (p: number, u: number, v: number): number => {
      const [r, c] = [Math.floor(u), Math.floor(v)],
        [a, b] = [u - r, v - c]
      return (
        (1 - a) * ((1 - b) * at(p, r, c) + b * at(p, r, c + 1)) +
        a * ((1 - b) * at(p, r + 1, c) + b * at(p, r + 1, c + 1))
      )
    }
    const place = (i: number, from: number, to: number): number => ((i + 0.5) * from) / to - 0.5
    const y = filled([m, rows, columns], (q) => {
      const [p, i, j] = [Math.floor(q / (rows * columns)), Math.floor(q / columns) % rows, q % columns]
      return between(p, place(i, n, rows), place(j, k, columns))
    })
    return { args: { x, rows, columns }, want: { y }, within: 2e-4 }
  },
  gaussianBlur5: (m, n, k) => {
    const x = floats([m, n, k], 1),
      weights = [1, 4, 6, 4, 1],
      steps = [0, 1, 2, 3, 4]
    const held = (i: number, end: number): number => Math.max(0, Math.min(end - 1, i))
    const at = (p: number, i: number, j: number): number => x.values[(p * n + held(i, n)) * k + held(j, k)]!
    const blurred = (p: number, i: number, j: number): number =>
      sum(steps.flatMap((u) => steps.map((v) => (weights[u]! * weights[v]! * at(p, i + u - 2, j + v - 2)) / 256)))
    const y = filled([m, n, k], (q) => blurred(Math.floor(q / (n * k)), Math.floor(q / k) % n, q % k))
    return { args: { x }, want: { y }, within: 1e-6 }
  },
}
