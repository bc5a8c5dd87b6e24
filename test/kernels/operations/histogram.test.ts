// Histograms on SwiftShader: every element counted once, by plain loops; few bins, many, labels, edges, NaN.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu } from '../../../src/kernels/index.ts'
import { numbers, openSoftware } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

/** Counts with the bin's number in f32, as the kernel computes it. */
function counted(data: Float32Array, bins: number, [least, greatest]: readonly [number, number]): number[] {
  const out = new Array<number>(bins).fill(0),
    f = Math.fround
  for (const x of data)
    if (x >= f(least) && x <= f(greatest))
      out[Math.floor(Math.min(f(f(x - f(least)) * f(bins / (greatest - least))), f(bins - 0.5)))]!++
  return out
}

test.each([
  [1, 1],
  [4096, 256],
  [70001, 511],
  [5000, 513],
  [3000, 5000],
])('%i numbers in %i bins', async (n, bins) => {
  const data = numbers([n], bins)
  for (const range of [[-0.5, 0.25]] as const) {
    expect([...(await gpu.histogram(gpu.tensor(data), { bins, range }).read())]).toEqual(counted(data, bins, range))
  }
})

test('labels; those without a bin are passed over', async () => {
  const stream = random(9)
  for (const n of [0, 1021, 8192]) {
    const labels = Int32Array.from({ length: n }, () => Math.floor(stream.unit() * 40) - 5)
    const want = new Array<number>(30).fill(0)
    for (const l of labels) if (l >= 0 && l < 30) want[l]!++
    expect([...(await gpu.histogram(gpu.tensor(labels), { bins: 30 }).read())]).toEqual(want)
    expect([...(await gpu.histogram(gpu.tensor(new Uint32Array(labels)), { bins: 30 }).read())]).toEqual(want)
  }
})

test('a large array on a large device', async () => {
  using large = await openSoftware({ tuning: 'nvidia' })
  const labels = Uint32Array.from({ length: 2 ** 20 + 1 }, (_, i) => (i * i) % 97)
  const want = new Array<number>(97).fill(0)
  for (const l of labels) want[l]!++
  expect([...(await large.histogram(large.tensor(labels), { bins: 97 }).read())]).toEqual(want)
}, 60_000)

test('edges, NaN, infinities, all in one bin', async () => {
  const x = gpu.tensor([0, 1, 2, 3, 4, -0.001, 4.001, NaN, Infinity, -Infinity, 3.9999998])
  expect([...(await gpu.histogram(x, { bins: 4, range: [0, 4] }).read())]).toEqual([1, 1, 1, 3])
  expect([...(await gpu.histogram(gpu.fill([100, 100], 0.5), { bins: 3, range: [0, 1] }).read())]).toEqual([
    0, 10000, 0,
  ])
})

test('what is refused', () => {
  const x = gpu.tensor([1, 2])
  expect(() => gpu.histogram(x, { bins: 4 })).toThrow(
    'a histogram of f32 needs a range of two numbers, the first the smaller, and bins that f32 can tell apart ' +
      '[histogram.range]',
  )
  expect(() => gpu.histogram(x, { bins: 4, range: [1, 1] })).toThrow('histogram.range')
  expect(() => gpu.histogram(gpu.tensor(new Int32Array(2)), { bins: 4, range: [0, 1] })).toThrow(
    'a tensor of i32 holds the numbers of its bins: it takes no range',
  )
  expect(() => gpu.histogram(x, { bins: 0, range: [0, 1] })).toThrow('a histogram has 1 to 16777216 bins, not 0')
})
