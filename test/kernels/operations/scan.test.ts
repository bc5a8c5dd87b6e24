// Scans on SwiftShader against float64: every operation and type, axes, from either end, shapes with 0, 1 and primes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { DType, Gpu, ScanOptions } from '../../../src/kernels/index.ts'
import { farOff, indices, numbers, openSoftware, volume } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

const folds = {
  sum: (a: number, b: number) => a + b,
  product: (a: number, b: number) => a * b,
  min: Math.min,
  max: Math.max,
} as const
type Fold = keyof typeof folds
type Word = Exclude<DType, 'f16'>
const starts: Readonly<Record<Word, Readonly<Record<Fold, number>>>> = {
  f32: { sum: 0, product: 1, min: Infinity, max: -Infinity },
  i32: { sum: 0, product: 1, min: 2147483647, max: -2147483648 },
  u32: { sum: 0, product: 1, min: 4294967295, max: 0 },
}
const wrap: Readonly<Record<Word, (x: number) => number>> = { f32: (x) => x, i32: (x) => x | 0, u32: (x) => x >>> 0 }

function scanned(
  data: ArrayLike<number>,
  shape: readonly number[],
  dtype: Word,
  { op = 'sum', axis = -1, exclusive = false, reverse = false }: ScanOptions,
): number[] {
  const at = axis < 0 ? axis + shape.length : axis
  const stride = shape.slice(at + 1).reduce((n, d) => n * d, 1),
    n = shape[at]!
  const out = new Array<number>(volume(shape))
  indices(shape.map((d, i) => (i === at ? 1 : d))).forEach((index) => {
    const first = index.reduce((p, x, i) => p * shape[i]! + x, 0)
    let running = starts[dtype][op]
    for (let k = 0; k < n; k++) {
      const place = first + (reverse ? n - 1 - k : k) * stride
      const next =
        op === 'product' && dtype !== 'f32' ? Math.imul(running, data[place]!) : folds[op](running, data[place]!)
      out[place] = exclusive ? running : wrap[dtype](next)
      running = wrap[dtype](next)
    }
  })
  return out
}

async function check(shape: readonly number[], dtype: Word, options: ScanOptions, seed = 1): Promise<void> {
  const { op = 'sum' } = options
  const real = numbers(shape, seed)
  const data =
    dtype === 'f32'
      ? op === 'product'
        ? real.map((x) => 1 + x / 64)
        : real
      : dtype === 'i32'
        ? Int32Array.from(real, (x) => x * 1000)
        : Uint32Array.from(real, (x) => Math.abs(x) * 1000)
  using x = gpu.tensor(data, shape, dtype)
  using got = gpu.scan(x, options)
  expect(got.shape).toEqual(shape)
  expect(got.dtype).toBe(dtype)
  const want = scanned(data, shape, dtype, options)
  const scale =
    op === 'sum' && dtype === 'f32'
      ? 1 + Math.sqrt(shape.at(options.axis ?? -1)!)
      : op === 'product' && dtype === 'f32'
        ? want.reduce((m, v) => Math.max(m, Math.abs(v)), 1) * Math.sqrt(shape.at(options.axis ?? -1)!)
        : 1
  expect(await farOff(got, want, scale), `${op} ${dtype} [${shape}] ${JSON.stringify(options)}`).toBeLessThan(
    dtype === 'f32' && op !== 'min' && op !== 'max' ? 2e-6 : 1e-30,
  )
}

const operations = ['sum', 'product', 'min', 'max'] as const

describe('every operation and type, from either end, with the element and without', () => {
  test.each(operations)('%s', async (op) => {
    for (const [dtype, exclusive] of [
      ['f32', false],
      ['f32', true],
      ['i32', op !== 'max'],
      ['u32', op === 'min'],
    ] as const) {
      await check([3, 31], dtype, { op, exclusive, reverse: true })
      await check([5, 37, 3], dtype, { op, exclusive, axis: 1 })
    }
    await check([7, 613], 'f32', { op })
  }, 60_000)
})

test('long ones are cut into runs', async () => {
  await check([70001], 'f32', {})
  await check([2, 65536], 'i32', { op: 'sum', exclusive: true })
}, 60_000)

test('the longest are cut for a large device', async () => {
  using large = await openSoftware({ tuning: 'nvidia' })
  const data = Int32Array.from({ length: 2 ** 22 }, (_, i) => ((i * 7919) % 101) - 50)
  const got = await large.scan(large.tensor(data)).read()
  let running = 0
  expect(
    data.findIndex((x, i) => {
      running += x
      return got[i] !== running
    }),
  ).toBe(-1)
}, 60_000)

test('few long columns are turned', async () => {
  await check([300, 5], 'f32', { axis: 0 })
  await check([2, 200, 3], 'f32', { axis: -2, op: 'max', reverse: true })
})

test('random shapes', async () => {
  const stream = random(17)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(stream.unit() * list.length)]!
  for (let round = 0; round < 16; round++) {
    const shape = Array.from({ length: pick([1, 2, 3]) }, () => pick([0, 1, 2, 3, 5, 13, 32, 101]))
    await check(
      shape,
      pick(['f32', 'u32'] as const),
      {
        op: pick(['sum', 'max'] as const),
        axis: pick(shape.map((_, i) => i)),
        exclusive: stream.unit() < 0.5,
        reverse: stream.unit() < 0.3,
      },
      round,
    )
  }
}, 60_000)

test('grids longer than the device allows are folded', async () => {
  using small = await openSoftware({ longestGrid: 100 })
  const data = numbers([901, 20])
  expect(await farOff(small.scan(small.tensor(data, [901, 20])), scanned(data, [901, 20], 'f32', {}), 5)).toBeLessThan(
    2e-6,
  )
})

test('what there is no scan of', () => {
  expect(() => gpu.scan(gpu.tensor([1, 2]), { axis: 1 })).toThrow('a tensor of shape [2] has no axis 1 [scan.axis]')
  expect(() => gpu.scan(gpu.tensor([1]).reshape([]))).toThrow('a tensor of shape [] has no axis -1')
  expect(() => gpu.scan(gpu.tensor([1, 2]), { op: 'mean' as 'sum' })).toThrow("scan knows no op 'mean' [scan.op]")
})

test('NaN and infinities', async () => {
  const x = gpu.tensor([1, NaN, 3, -Infinity])
  expect([...(await gpu.scan(x).read())]).toEqual([1, NaN, NaN, NaN])
  expect([...(await gpu.scan(x, { op: 'max' }).read())]).toEqual([1, NaN, NaN, NaN])
  expect([...(await gpu.scan(x, { op: 'min' }).read())]).toEqual([1, NaN, NaN, NaN])
})
