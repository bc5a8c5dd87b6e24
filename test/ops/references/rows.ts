// References of operations that make numbers of rows: scans, searches, losses, distances.
import { byRows, filled, floats, indices, mean, rowOf, sum, type Case, type Data } from '../data.ts'

type Reference = (m: number, n: number, k: number) => Case

const scanned =
  (f: (row: readonly number[], i: number) => number, within: number): Reference =>
  (m, n) => {
    const x = floats([m, n], 1)
    return { args: { x }, want: { y: byRows(x, n, (row) => row.map((_, i) => f(row, i))) }, within }
  }

/** The place of the extreme; rows of few values, so that the first of equals is asked for. */
const searched =
  (best: (...list: number[]) => number): Reference =>
  (m, n) => {
    const x: Data = { ...indices([m, n], 5, 3), type: 'f32' }
    const place = (r: number): number => rowOf(x, r, n).indexOf(best(...rowOf(x, r, n)))
    return { args: { x }, want: { y: filled([m], place, 'i32') } }
  }

/** A number of each row of x and of what was asked for. */
function lost(f: (x: readonly number[], target: readonly number[]) => number, target: Data, x: Data): Case {
  const [m = 0, n = 0] = x.shape
  const loss = filled([m], (r) => f(rowOf(x, r, n), rowOf(target, r, n)))
  return { args: { x, target }, want: { loss }, within: 5e-6 }
}

const chances = (shape: readonly number[], seed: number): Data => {
  const d = floats(shape, seed)
  return { ...d, values: d.values.map((v) => Math.fround((v + 2) / 4)) }
}

const huber = (far: number, delta: number): number => (far < delta ? far ** 2 / 2 : delta * (far - delta / 2))

/** Of each pair of rows of a and b. */
const pairs =
  (f: (a: readonly number[], b: readonly number[]) => number): Reference =>
  (m, n, k) => {
    const [a, b] = [floats([m, k], 1), floats([n, k], 2)]
    const y = filled([m, n], (q) => f(rowOf(a, Math.floor(q / n), k), rowOf(b, q % n, k)))
    return { args: { a, b }, want: { y }, within: 1e-5 }
  }

const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((v, i) => v * b[i]!))
const squares = (a: readonly number[]): number => dot(a, a)
const between = (a: readonly number[], b: readonly number[]): readonly number[] => a.map((v, i) => v - b[i]!)

export const rowReferences: Readonly<Record<string, Reference>> = {
  cumulativeSum: scanned((row, i) => sum(row.slice(0, i + 1)), 1e-5),
  cumulativeSumBefore: scanned((row, i) => sum(row.slice(0, i)), 1e-5),
  reverseCumulativeSum: scanned((row, i) => sum(row.slice(i)), 1e-5),
  cumulativeMax: scanned((row, i) => Math.max(...row.slice(0, i + 1)), 0),
  cumulativeMin: scanned((row, i) => Math.min(...row.slice(0, i + 1)), 0),
  argmax: searched(Math.max),
  argmin: searched(Math.min),
  crossEntropy: (m, n) => {
    const x = floats([m, n], 1),
      label = indices([m], n, 2)
    const loss = filled([m], (r) => Math.log(sum(rowOf(x, r, n).map(Math.exp))) - x.values[r * n + label.values[r]!]!)
    return { args: { x, label }, want: { loss }, within: 5e-6 }
  },
  squaredError: (m, n) => lost((x, t) => mean(between(x, t).map((v) => v * v)), floats([m, n], 2), floats([m, n], 1)),
  huberLoss: (m, n) => {
    const delta = 0.75
    const loss = lost(
      (x, t) => mean(between(x, t).map((v) => huber(Math.abs(v), delta))),
      floats([m, n], 2),
      floats([m, n], 1),
    )
    return { ...loss, args: { ...loss.args, delta } }
  },
  klDivergence: (m, n) =>
    lost(
      (x, t) => sum(t.map((v, i) => (v > 0 ? v * (Math.log(v) - x[i]!) : 0))),
      chances([m, n], 2),
      floats([m, n], 1),
    ),
  binaryCrossEntropy: (m, n) =>
    lost((x, t) => mean(x.map((v, i) => Math.log1p(Math.exp(v)) - v * t[i]!)), chances([m, n], 2), floats([m, n], 1)),
  distances: pairs((a, b) => Math.sqrt(squares(between(a, b)))),
  manhattanDistances: pairs((a, b) => sum(between(a, b).map(Math.abs))),
  cosineSimilarity: (m, n) => {
    const [a, b] = [floats([m, n], 1), floats([m, n], 2)]
    const y = filled([m], (r) => {
      const [u, v] = [rowOf(a, r, n), rowOf(b, r, n)]
      return dot(u, v) / Math.max(Math.sqrt(squares(u) * squares(v)), 2 ** -10)
    })
    return { args: { a, b, epsilon: 2 ** -10 }, want: { y }, within: 1e-5 }
  },
  l2Normalize: (m, n) => {
    const x = floats([m, n], 1)
    const y = byRows(x, n, (row) => row.map((v) => v / Math.max(Math.sqrt(squares(row)), 2 ** -10)))
    return { args: { x, epsilon: 2 ** -10 }, want: { y }, within: 1e-5 }
  },
  attention: (m, n, k) => {
    const scale = 0.5,
      [q, key, v] = [floats([m, n, k], 1), floats([m, n + 2, k], 2), floats([m, n + 2, k], 3)]
    const weights = (row: number): readonly number[] => {
      const h = Math.floor(row / n)
      const all = Array.from({ length: n + 2 }, (_, j) =>
        Math.exp(scale * dot(rowOf(q, row, k), rowOf(key, h * (n + 2) + j, k))),
      )
      return all.map((w) => w / sum(all))
    }
    const y = byRows(q, k, (_, row) => {
      const w = weights(row),
        first = Math.floor(row / n) * (n + 2)
      return Array.from({ length: k }, (__, c) => sum(w.map((x, j) => x * v.values[(first + j) * k + c]!)))
    })
    return { args: { q, k: key, v, scale }, want: { y }, within: 1e-5 }
  },
  rope: (m, n, k) => {
    const x = floats([m, n, 2, k], 1),
      [cosine, sine] = [floats([m, k], 2), floats([m, k], 3)]
    const y = filled([m, n, 2, k], (q) => {
      const [t, half, i] = [Math.floor(q / (2 * n * k)), Math.floor(q / k) % 2, q % k]
      const [c, s] = [cosine.values[t * k + i]!, sine.values[t * k + i]!]
      const other = x.values[half === 0 ? q + k : q - k]!
      return x.values[q]! * c + (half === 0 ? -other : other) * s
    })
    return { args: { x, cosine, sine }, want: { y }, within: 1e-6 }
  },
}
