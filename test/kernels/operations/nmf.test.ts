// Factorisations on SwiftShader: against scikit-learn from the same start, against float64 loops with labels, and what
// cannot be.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gpu, Tensor } from '../../../src/kernels/index.ts'
import { distance, numbers, openSoftware } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

type Matrix = number[][]
const matrix = (m: number, n: number, f: (i: number, j: number) => number): Matrix =>
  Array.from({ length: m }, (_, i) => Array.from({ length: n }, (__, j) => f(i, j)))
const times = (a: Matrix, b: Matrix): Matrix =>
  matrix(a.length, b[0]!.length, (i, j) => a[i]!.reduce((s, x, k) => s + x * b[k]![j]!, 0))
const turned = (a: Matrix): Matrix => matrix(a[0]!.length, a.length, (i, j) => a[j]![i]!)
const from = (list: ArrayLike<number>, m: number, n: number): Matrix => matrix(m, n, (i, j) => list[i * n + j]!)
const positive = (shape: readonly number[], seed: number): Float32Array<ArrayBuffer> =>
  numbers(shape, seed).map(Math.abs)

const sklearn = JSON.parse(readFileSync(resolve(import.meta.dirname, 'reference/nmf.json'), 'utf8')) as {
  m: number
  n: number
  rank: number
  iterations: number
  v: number[]
  w: number[]
  h: number[]
  results: Record<'frobenius' | 'kullback-leibler', { w: number[]; h: number[] }>
}

describe('from the same start', () => {
  test.each(['frobenius', 'kullback-leibler'] as const)("scikit-learn's factors: %s", async (loss) => {
    const { m, n, rank, iterations } = sklearn
    using v = gpu.tensor(sklearn.v, [m, n])
    using w = gpu.tensor(sklearn.w, [m, rank])
    using h = gpu.tensor(sklearn.h, [rank, n])
    using f = gpu.nmf(v, { rank, iterations, loss, w, h })
    const want = sklearn.results[loss]
    expect(distance(await f.w.read(), want.w, Math.max(...want.w))).toBeLessThan(1e-4)
    expect(distance(await f.h.read(), want.h, Math.max(...want.h))).toBeLessThan(1e-4)
    expect([...(await w.read())]).toEqual([...Float32Array.from(sklearn.w)]) // the start is the caller's still
  })

  test('one step with labels, as the formulas say', async () => {
    const m = 11,
      n = 14,
      rank = 3,
      classes = 2,
      weight = 2.5
    const data = positive([m, n], 3),
      w0 = positive([m, rank], 4),
      h0 = positive([rank, n], 5)
    const y = Float32Array.from({ length: classes * n }, (_, i) =>
      i % n < 9 ? +(Math.floor(i / n) === (i % n) % 2) : 0,
    ) // some have none
    using v = gpu.tensor(data, [m, n])
    using labels = gpu.tensor(y, [classes, n])
    using w = gpu.tensor(w0, [m, rank])
    using h = gpu.tensor(h0, [rank, n])
    using before = gpu.nmf(v, { rank, iterations: 0, labels, w, h, seed: 9 })
    using after = gpu.nmf(v, { rank, iterations: 1, labels, weight, w, h, seed: 9 })
    const V = from(data, m, n),
      Y = from(y, classes, n),
      H = from(h0, rank, n)
    const updated = (x: Matrix, above: Matrix, below: Matrix): Matrix =>
      matrix(x.length, x[0]!.length, (i, j) => (x[i]![j]! * above[i]![j]!) / below[i]![j]!)
    const square = times(H, turned(H))
    const W1 = updated(from(w0, m, rank), times(V, turned(H)), times(from(w0, m, rank), square))
    const B0 = from(await before.classes!.read(), classes, rank)
    const B1 = updated(B0, times(Y, turned(H)), times(B0, square))
    const sum = (a: Matrix, b: Matrix): Matrix =>
      matrix(a.length, a[0]!.length, (i, j) => a[i]![j]! + weight * b[i]![j]!)
    const H1 = updated(
      H,
      sum(times(turned(W1), V), times(turned(B1), Y)),
      times(sum(times(turned(W1), W1), times(turned(B1), B1)), H),
    )
    expect(distance(await after.w.read(), W1.flat())).toBeLessThan(1e-5)
    expect(distance(await after.classes!.read(), B1.flat())).toBeLessThan(1e-5)
    expect(distance(await after.h.read(), H1.flat())).toBeLessThan(1e-5)
  })
})

describe('updates of two launches', () => {
  let large: Gpu
  beforeAll(async () => {
    large = await openSoftware({ tuning: 'nvidia' })
  })
  afterAll(() => large.dispose())

  // Ranks and extents that tiles divide, and that only vectors and steps do; a column of zeros; whole tiles in slices.
  test.each([
    [48, 80, 12],
    [64, 128, 64],
  ] as const)(
    '%i × %i, rank %i',
    async (m, n, rank) => {
      const data = positive([m, n], 6),
        w0 = positive([m, rank], 7),
        h0 = positive([rank, n], 8),
        iterations = 8
      for (let i = 0; i < m; i++) data[i * n + 5] = 0
      using v = large.tensor(data, [m, n])
      using w = large.tensor(w0, [m, rank])
      using h = large.tensor(h0, [rank, n])
      let made: ReturnType<typeof large.nmf> | undefined
      const kernels = (
        await large.profile(() => {
          made = large.nmf(v, { rank, iterations, w, h })
        })
      ).map((k) => k.kernel)
      using f = made!
      expect(kernels.filter((k) => /^nmf above/.test(k))).toHaveLength(2 * iterations)
      expect(kernels.filter((k) => /^matmul/.test(k))).toEqual([])
      const V = from(data, m, n)
      let W = from(w0, m, rank),
        H = from(h0, rank, n)
      const updated = (x: Matrix, above: Matrix, below: Matrix): Matrix =>
        matrix(x.length, x[0]!.length, (i, j) => (x[i]![j]! * above[i]![j]!) / (below[i]![j]! || 2 ** -23))
      for (let i = 0; i < iterations; i++) {
        W = updated(W, times(V, turned(H)), times(W, times(H, turned(H))))
        H = updated(H, times(turned(W), V), times(times(turned(W), W), H))
      }
      expect(distance(await f.w.read(), W.flat(), Math.max(...W.flat()))).toBeLessThan(1e-4)
      expect(distance(await f.h.read(), H.flat(), Math.max(...H.flat()))).toBeLessThan(1e-4)
      expect([...(await h.read())]).toEqual([...h0]) // the start is the caller's still
    },
    60_000,
  )

  test('memory does not grow, and few iterations make no copy of the data', async () => {
    using x = large.tensor(positive([16, 16], 1), [16, 16])
    large.nmf(x, { rank: 4, iterations: 10 }).dispose()
    await large.sync()
    const before = large.core.statistics['created']
    large.nmf(x, { rank: 4, iterations: 40 }).dispose()
    await large.sync()
    expect(large.core.statistics['created']).toBe(before)
    expect(
      (await large.profile(() => large.nmf(x, { rank: 4, iterations: 7 }).dispose())).filter((k) =>
        /^(nmf|transpose)/.test(k.kernel),
      ),
    ).toEqual([])
  }, 60_000)
})

/** Columns of `kinds` kinds, each a mixture of parts of its own. */
function mixture(
  m: number,
  n: number,
  kinds: number,
  seed: number,
): { readonly v: Float32Array<ArrayBuffer>; readonly kind: (j: number) => number } {
  const kind = (j: number): number => (j * 7) % kinds
  const noise = positive([m, n], seed)
  return {
    v: Float32Array.from({ length: m * n }, (_, e) =>
      Math.floor(e / n) % kinds === kind(e % n) ? 1 + noise[e]! : 0.2 * noise[e]!,
    ),
    kind,
  }
}

describe('by itself', () => {
  test('the loss falls, and factors stay nonnegative', async () => {
    const { v } = mixture(40, 60, 3, 1)
    using x = gpu.tensor(v, [40, 60])
    const loss = async (iterations: number): Promise<number> => {
      using f = gpu.nmf(x, { rank: 3, iterations })
      using product = gpu.matmul(f.w, f.h)
      const got = await product.read()
      expect(Math.min(...(await f.w.read()), ...(await f.h.read()))).toBeGreaterThanOrEqual(0)
      return got.reduce((s, g, i) => s + (g - v[i]!) ** 2, 0)
    }
    const [none, few, many] = [await loss(0), await loss(5), await loss(60)]
    expect(few).toBeLessThan(none)
    expect(many).toBeLessThan(0.5 * few)
  })

  test('columns of zeros, and rank 1', async () => {
    using x = gpu.tensor([0, 1, 2, 0, 2, 4], [2, 3])
    using f = gpu.nmf(x, { rank: 1, iterations: 50 })
    using product = gpu.matmul(f.w, f.h)
    expect(distance(await product.read(), [0, 1, 2, 0, 2, 4])).toBeLessThan(1e-4)
    using zeros = gpu.tensor([0, 0, 0, 0], [2, 2])
    using g = gpu.nmf(zeros, { rank: 2, iterations: 3, loss: 'kullback-leibler' })
    expect([...(await g.w.read())].every((value) => value === 0)).toBe(true)
  })

  test('labels of some columns tell the classes of others', async () => {
    const m = 24,
      n = 90,
      kinds = 3
    const { v, kind } = mixture(m, n, kinds, 2),
      fresh = mixture(m, 40, kinds, 8)
    using x = gpu.tensor(v, [m, n])
    using labels = gpu.tensor(
      Array.from({ length: kinds * n }, (_, e) => +(e % n < 45 && kind(e % n) === Math.floor(e / n))),
      [kinds, n],
    )
    using f = gpu.nmf(x, { rank: kinds, iterations: 100, labels })
    using others = gpu.tensor(fresh.v, [m, 40])
    using scores = f.scores(others)
    using best = gpu.argmax(scores, { axis: 0 })
    expect([...(await best.read())]).toEqual(Array.from({ length: 40 }, (_, j) => fresh.kind(j)))
  })

  test('columns that were not there, by the factors of others: as the formula says', async () => {
    const m = 13,
      n = 9,
      rank = 3,
      iterations = 4,
      data = positive([m, n], 11),
      h0 = positive([rank, n], 12)
    for (let i = 0; i < m; i++) data[i * n + 4] = 0
    using known = gpu.tensor(positive([m, 20], 10), [m, 20])
    using f = gpu.nmf(known, { rank, iterations: 5 })
    using v = gpu.tensor(data, [m, n])
    using h = gpu.tensor(h0, [rank, n])
    const W = from(await f.w.read(), m, rank),
      above = times(turned(W), from(data, m, n)),
      square = times(turned(W), W)
    let H = from(h0, rank, n)
    for (let i = 0; i < iterations; i++) {
      const below = times(square, H)
      H = matrix(rank, n, (a, j) => (H[a]![j]! * above[a]![j]!) / (below[a]![j]! || 2 ** -23))
    }
    using got = f.encode(v, { iterations, h })
    expect(distance(await got.read(), H.flat(), Math.max(...H.flat()))).toBeLessThan(1e-5)
    expect(
      (await gpu.profile(() => f.encode(v, { iterations: 50, h }).dispose())).length -
        (await gpu.profile(() => f.encode(v, { iterations: 20, h }).dispose())).length,
    ).toBe(30) // a launch each
    using none = f.encode(v, { iterations: 0, h })
    expect([...(await none.read())]).toEqual([...h0])
  })

  test('memory does not grow', async () => {
    using x = gpu.tensor(positive([16, 16], 1), [16, 16])
    gpu.nmf(x, { rank: 4, iterations: 20 }).dispose()
    await gpu.sync()
    const before = gpu.core.statistics['created']
    gpu.nmf(x, { rank: 4, iterations: 400 }).dispose()
    await gpu.sync()
    expect(gpu.core.statistics['created']).toBe(before)
  })
})

test('what cannot be is said', () => {
  const x: Tensor<'f32'> = gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3])
  const w = gpu.tensor([1, 1], [2, 1])
  expect(() => gpu.nmf(x, { rank: 0 })).toThrow('rank is 0; it must be an integer from 1')
  expect(() => gpu.nmf(x, { rank: 2, iterations: 1.5 })).toThrow('iterations is 1.5; it must be an integer from 0')
  expect(() => gpu.nmf(x, { rank: 2, w })).toThrow('w has the shape [2, 1]; with V [2, 3] and rank 2 it must be [2, 2]')
  expect(() => gpu.nmf(gpu.tensor([1, 2]), { rank: 1 })).toThrow('nmf factorises a matrix, and V has the shape [2]')
  expect(() => gpu.nmf(x, { rank: 1, labels: gpu.tensor([1, 0, 1], [1, 3]), loss: 'kullback-leibler' })).toThrow(
    'labels go with the loss frobenius',
  )
  expect(() => gpu.nmf(x, { rank: 1, iterations: 0 }).scores(x)).toThrow('these factors were made without labels')
})
