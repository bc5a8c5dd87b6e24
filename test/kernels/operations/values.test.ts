// What expressions and conversions make of values, on SwiftShader: error functions, conditions as numbers, integers,
// types, and numbers that are none, in vectors of four and one by one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DType, Gpu, Numbers } from '../../../src/kernels/index.ts'
import { openSoftware } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

/** The error function by its series, and by its continued fraction beyond 3. */
function erf(x: number): number {
  if (Math.abs(x) > 3) {
    let rest = 0
    for (let k = 60; k > 0; k--) rest = k / 2 / (Math.abs(x) + rest)
    return Math.sign(x) * (1 - Math.exp(-x * x) / (Math.sqrt(Math.PI) * (Math.abs(x) + rest)))
  }
  let term = x,
    sum = x
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

const one = (text: string, data: readonly number[], dtype: DType = 'f32'): Promise<Numbers> =>
  gpu.map(text, { x: gpu.tensor(data, [data.length], dtype) }).read()

describe('expressions', () => {
  test('erf is within 3e-7', async () => {
    const xs = Array.from({ length: 1001 }, (_, i) => Math.fround((i - 500) / 80))
    const got = await one('erf(x)', xs)
    expect(Math.max(...xs.map((x, i) => Math.abs(got[i]! - erf(x))))).toBeLessThan(3e-7)
    expect([...(await gpu.map('erf(x)', { x: gpu.tensor([0, Infinity, -Infinity, NaN]) }).read())]).toEqual([
      0,
      1,
      -1,
      NaN,
    ])
  })
  test.each(
    (
      'max(x, 0)|max(0, x)|min(x, 1)|clamp(x, 0, 1)|tanh(x)|sign(x)|sigmoid(x)|exp(x)|sin(x)|floor(x)|sqrt(x)|erf(x)|' +
      'abs(x)|pow(x, 2)|x > 0 ? x : 0.01 * x'
    ).split('|'),
  )('NaN goes through %s', async (text) => {
    for (const data of [[NaN], [1, NaN, -NaN, 4]]) {
      const got = await one(text, data)
      expect(data.map((_, i) => Number.isNaN(got[i]))).toEqual(data.map(Number.isNaN))
    }
  })
  test('relu of a product with a NaN is NaN', async () => {
    const x = gpu.tensor([NaN, 1, -1, 1], [2, 2]),
      one = gpu.tensor([1, 0, 0, 1], [2, 2])
    expect([...(await gpu.matmul(x, one, { activation: 'relu' }).read())]).toEqual([NaN, NaN, 0, 1])
  })
  test('a condition is 1 or 0 where a number is needed', async () => {
    expect([...(await one('(x > 1) * 5 + (x == 3)', [1, 2, 3, NaN]))]).toEqual([0, 5, 6, 0])
    expect([...(await one('!(x > 1 && x < 3)', [1, 2, 3]))]).toEqual([1, 0, 1])
  })
  test('integers wrap, are cut off, and divide by 0 to 0', async () => {
    const x = [7, -7, 2 ** 31 - 1, -(2 ** 31), 0]
    expect([...(await one('x / 2', x, 'i32'))]).toEqual([3, -3, 2 ** 30 - 1, -(2 ** 30), 0])
    expect([...(await one('x % 4', x, 'i32'))]).toEqual([3, -3, 3, 0, 0])
    expect([...(await one('x + 1', x, 'i32'))]).toEqual([8, -6, -(2 ** 31), -(2 ** 31) + 1, 1])
    expect([...(await one('5 / x', x, 'i32'))]).toEqual([0, 0, 0, 0, 0])
    expect([...(await one('x > 3', [1, 4, 2 ** 32 - 1], 'u32'))]).toEqual([0, 1, 1])
    expect([...(await one('max(x, 3) - 4', [1, 4, 2 ** 32 - 1], 'u32'))]).toEqual([2 ** 32 - 1, 0, 2 ** 32 - 5])
  })
})

describe('cast', () => {
  const cases: readonly (readonly [DType, DType, readonly number[], readonly number[]])[] = [
    ['f32', 'i32', [1.9, -1.9, 3e9, -3e9, NaN, Infinity, -0], [1, -1, 2 ** 31 - 1, -(2 ** 31), 0, 2 ** 31 - 1, 0]],
    ['f32', 'u32', [1.9, -1.9, 3e9, 5e9, NaN, -Infinity], [1, 0, 3e9, 2 ** 32 - 1, 0, 0]],
    ['i32', 'f32', [1, -2, 2 ** 24 + 1], [1, -2, 2 ** 24]],
    ['u32', 'f32', [1, 2 ** 32 - 1], [1, 2 ** 32]],
    ['i32', 'u32', [1, -1], [1, 2 ** 32 - 1]],
    ['u32', 'i32', [1, 2 ** 32 - 1], [1, -1]],
    ['i32', 'i32', [3], [3]],
  ]
  test.each(cases)('%s to %s', async (from, to, data, want) => {
    const made = gpu.cast(gpu.tensor(data, [data.length], from), to)
    expect(made.dtype).toBe(to)
    expect([...(await made.read())].map((v) => v + 0)).toEqual(want)
  })
})

test('means of integers are numbers', async () => {
  expect([...(await gpu.mean(gpu.tensor(new Int32Array([1, 2, -4, 4])), { axes: 0 }).read())]).toEqual([0.75])
  expect(gpu.mean(gpu.tensor(new Uint32Array([1, 2]))).dtype).toBe('f32')
})
