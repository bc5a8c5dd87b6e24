// Places of the greatest and least, and norms, on SwiftShader: against plain loops, ties and NaN included.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu } from '../../../src/kernels/index.ts'
import { at, farOff, indices, numbers, openSoftware, volume } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

/** The first place along an axis (all when absent) that nothing is better than. */
function places(
  data: ArrayLike<number>,
  shape: readonly number[],
  axis: number | undefined,
  better: (a: number, b: number) => boolean,
  start: number,
): number[] {
  const n = axis === undefined ? volume(shape) : shape[axis]!
  const kept = axis === undefined ? [1] : shape.map((d, i) => (i === axis ? 1 : d))
  return indices(kept).map((index) => {
    let best = start,
      place = 0
    for (let k = 0; k < n; k++) {
      const v =
        axis === undefined
          ? data[k]!
          : at(
              data,
              shape,
              index.map((x, i) => (i === axis ? k : x)),
            )
      if (better(v, best)) {
        best = v
        place = k
      }
    }
    return place
  })
}

const types = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const

/** Few different values, so that many are equal. */
async function check(
  shape: readonly number[],
  axis: number | undefined,
  dtype: keyof typeof types,
  kinds: number,
  seed = 1,
): Promise<void> {
  const data = new types[dtype](
    numbers(shape, seed).map((x) => Math.floor((x + 1) * kinds) - (dtype === 'u32' ? 0 : kinds)),
  )
  using x = gpu.tensor(data, shape, dtype)
  const option = axis === undefined ? {} : { axis }
  const words = `${dtype} [${shape}] along ${axis}`
  expect([...(await gpu.argmax(x, option).read())], words).toEqual(
    places(data, shape, axis, (a, b) => a > b, dtype === 'u32' ? 0 : dtype === 'i32' ? -2147483648 : -Infinity),
  )
  expect([...(await gpu.argmin(x, option).read())], words).toEqual(
    places(data, shape, axis, (a, b) => a < b, dtype === 'u32' ? 4294967295 : dtype === 'i32' ? 2147483647 : Infinity),
  )
}

describe('argmax and argmin', () => {
  test('rows, columns, everything', async () => {
    await check([70001], 0, 'f32', 5)
    await check([2, 65536], 1, 'i32', 3)
    await check([3, 2051], 1, 'u32', 9)
    await check([13, 101], undefined, 'f32', 4)
    await check([300, 5], 0, 'f32', 6)
    await check([5, 37, 3], 1, 'i32', 6)
  }, 60_000)
  test('random shapes', async () => {
    const stream = random(5)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(stream.unit() * list.length)]!
    for (let round = 0; round < 20; round++) {
      const shape = Array.from({ length: pick([1, 2, 3]) }, () => pick([1, 2, 3, 5, 13, 32, 101]))
      await check(
        shape,
        pick([undefined, ...shape.map((_, i) => i)]),
        pick(['f32', 'u32'] as const),
        pick([1, 2, 100]),
        round,
      )
    }
  }, 60_000)
  test('the longest are cut for a large device', async () => {
    using large = await openSoftware({ tuning: 'nvidia' })
    const data = Int32Array.from({ length: 2 ** 22 }, (_, i) => Math.imul(i, 1566083941) >> 12)
    const most = data.reduce((a, b) => Math.max(a, b))
    expect((await large.argmax(large.tensor(data)).read())[0]).toBe(data.indexOf(most))
  }, 60_000)
  test('the first NaN is what is found, infinities count, shapes and refusals', async () => {
    const x = gpu.tensor([NaN, 1, NaN, 3, 3, -Infinity], [2, 3])
    expect([...(await gpu.argmax(x).read())]).toEqual([0])
    expect([...(await gpu.argmin(x, { axis: -1, keep: true }).read())]).toEqual([0, 2])
    expect([...(await gpu.argmax(x, { axes: 0 }).read())]).toEqual([0, 1, 0])
    expect([...(await gpu.argmin(gpu.tensor([0, -0, 1, -0])).read())]).toEqual([0])
    expect(gpu.argmin(x, { axis: -1, keep: true }).shape).toEqual([2, 1])
    expect(gpu.argmax(x, { axis: 0 }).shape).toEqual([3])
    expect(gpu.argmax(x).shape).toEqual([])
    expect([...(await gpu.argmax(gpu.tensor([-Infinity, -Infinity])).read())]).toEqual([0])
    expect([...(await gpu.argmax(gpu.tensor([NaN, NaN])).read())]).toEqual([0])
    expect(gpu.argmax(gpu.tensor([], [3, 0]), { axis: 0 }).shape).toEqual([0])
    expect(() => gpu.argmax(gpu.tensor([], [3, 0]), { axis: 1 })).toThrow('the argmax of no elements does not exist')
    expect(() => gpu.argmin(x, { axis: 2 })).toThrow('a tensor of shape [2, 3] has no axis 2 [argmin.axis]')
  })
})

test('norms over any axes', async () => {
  const square = (data: ArrayLike<number>): number => Math.sqrt(Array.from(data).reduce((s, x) => s + x * x, 0))
  for (const n of [1, 37, 4096, 70001]) {
    const data = numbers([n])
    expect(await farOff(gpu.norm(gpu.tensor(data)), [square(data)], 1 + square(data))).toBeLessThan(1e-6)
  }
  const shape = [5, 6, 7, 3],
    data = numbers(shape)
  using x = gpu.tensor(data, shape)
  const over = (axes: readonly number[]): number[] => {
    const kept = shape.map((d, i) => (axes.includes(i) ? 1 : d)),
      out = new Array<number>(volume(kept)).fill(0)
    for (const i of indices(shape)) {
      const p = kept.reduce((q, d, k) => q * d + (d === 1 ? 0 : i[k]!), 0)
      out[p]! += at(data, shape, i) ** 2
    }
    return out.map(Math.sqrt)
  }
  for (const axes of [[0], [1], [3], [0, 2], [1, 3], [0, 1, 2, 3], [0, 3]])
    expect(await farOff(gpu.norm(x, { axes }), over(axes), 4)).toBeLessThan(1e-6)
  expect([...(await gpu.norm(gpu.tensor([-3, 4], [2, 1]), { axes: 1 }).read())]).toEqual([3, 4])
  expect([...(await gpu.norm(gpu.tensor([], [2, 0]), { axes: 1 }).read())]).toEqual([0, 0])
  expect(() => gpu.norm(gpu.tensor(new Int32Array(2)) as never)).toThrow('norm computes in f32 and f16, and its')
})
