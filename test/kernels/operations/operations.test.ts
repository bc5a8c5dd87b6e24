// Everything but products, on SwiftShader against float64: random shapes, axes and orders, with 0, 1 and primes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu, Tensor } from '../../../src/kernels/index.ts'
import { at, distance, farOff, indices, numbers, openSoftware, volume } from '../language.ts'
import { someOf } from '../../support/long.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware({ tuning: 'generic' })
}) // plans as large devices have them
afterAll(() => gpu.dispose())

const folds = {
  sum: [0, (a: number, b: number) => a + b],
  product: [1, (a: number, b: number) => a * b],
  min: [Infinity, Math.min],
  max: [-Infinity, Math.max],
} as const
type Fold = keyof typeof folds

function reduced(data: ArrayLike<number>, shape: readonly number[], axes: readonly number[], fold: Fold): number[] {
  const kept = shape.map((d, i) => (axes.includes(i) ? 1 : d))
  const [start, combine] = folds[fold]
  const out = new Array<number>(volume(kept)).fill(start)
  for (const index of indices(shape)) {
    const place = kept.reduce((p, d, i) => p * d + (d === 1 ? 0 : index[i]!), 0)
    out[place] = combine(out[place]!, at(data, shape, index))
  }
  return out
}

async function checkReduce(
  x: Tensor,
  data: ArrayLike<number>,
  fold: Fold,
  axes: readonly number[],
  keep: boolean,
): Promise<void> {
  const { shape } = x
  using got = gpu[fold](x, { axes, keep })
  expect(got.shape).toEqual(
    keep ? shape.map((d, i) => (axes.includes(i) ? 1 : d)) : shape.filter((_, i) => !axes.includes(i)),
  )
  const count = axes.reduce((n, a) => n * shape[a]!, 1)
  expect(
    await farOff(got, reduced(data, shape, axes, fold), fold === 'sum' ? 1 + Math.sqrt(count) : 1),
    `${fold} [${shape}] over [${axes}]`,
  ).toBeLessThan(2e-5)
}

describe('reductions', () => {
  test.each<[Fold, number[], number[]]>([
    ['sum', [1], [0]],
    ['sum', [100003], [0]],
    ['max', [70000], [0]],
    ['sum', [3, 5], [1]],
    ['sum', [300, 40], [1]],
    ['sum', [5, 3000], [1]],
    ['min', [2, 65536], [1]],
    ['sum', [300, 257], [0]],
    ['sum', [1000, 3], [0]],
    ['sum', [2, 300, 8], [1]],
    ['max', [4, 5, 6, 7], [1, 3]],
    ['product', [3, 4], [0, 1]],
    ['sum', [1, 1, 1], [1]],
    ['sum', [66000, 3], [1]],
  ])('%s of %j over %j', async (fold, shape, axes) => {
    const data = numbers(shape)
    using x = gpu.tensor(data, shape)
    await checkReduce(x, data, fold, axes, false)
  })
  test('random shapes and axes', async () => {
    const stream = random(3)
    const pick = (list: readonly number[]): number => list[Math.floor(stream.unit() * list.length)]!
    for (let round = 0; round < 40; round++) {
      const shape = Array.from({ length: 1 + pick([0, 1, 2, 3]) }, () => pick([1, 2, 3, 5, 8, 13, 32]))
      const axes = shape.map((_, i) => i).filter(() => stream.unit() < 0.5)
      const data = numbers(shape, round)
      using x = gpu.tensor(data, shape)
      await checkReduce(x, data, pick([0, 1]) ? 'sum' : 'max', axes, stream.unit() < 0.5)
    }
  }, 60_000)
  test('integers keep their type', async () => {
    const data = Int32Array.from({ length: 60 }, (_, i) => ((i * 7919) % 101) - 50)
    using x = gpu.tensor(data, [5, 12])
    for (const fold of ['sum', 'min', 'max'] as const) {
      const got = await gpu[fold](x, { axes: 1 }).read()
      expect(got).toBeInstanceOf(Int32Array)
      expect(distance(got, reduced(data, [5, 12], [1], fold))).toBe(0)
    }
    expect([...(await gpu.max(gpu.tensor(new Uint32Array([1, 4_000_000_000, 7]))).read())]).toEqual([4_000_000_000])
  })
  test('means of many: what is fused into a kernel without parameters of its own', async () => {
    for (const shape of [[70001], [131072], [300, 260]]) {
      const data = numbers(shape),
        n = volume(shape)
      expect(
        await farOff(gpu.mean(gpu.tensor(data, shape)), [data.reduce((s, x) => s + x, 0) / n]),
        `${shape}`,
      ).toBeLessThan(1e-6)
    }
    const wide = numbers([4096, 3])
    expect(
      await farOff(
        gpu.mean(gpu.tensor(wide, [4096, 3]), { axes: 0 }),
        reduced(wide, [4096, 3], [0], 'sum').map((s) => s / 4096),
      ),
    ).toBeLessThan(1e-6)
  })
  test('the mean, over nothing too; sums of nothing are 0, the least of nothing is refused', async () => {
    using x = gpu.tensor(numbers([6, 50]), [6, 50])
    expect(
      await farOff(
        gpu.mean(x, { axes: -1 }),
        reduced(numbers([6, 50]), [6, 50], [1], 'sum').map((s) => s / 50),
      ),
    ).toBeLessThan(1e-6)
    expect([...(await gpu.sum(gpu.tensor([], [2, 0]), { axes: 1 }).read())]).toEqual([0, 0])
    expect([...(await gpu.mean(gpu.tensor([], [1, 0]), { axes: 1 }).read())]).toEqual([NaN])
    expect((await gpu.sum(gpu.tensor([], [0, 3]), { axes: 1 }).read()).length).toBe(0)
    expect(() => gpu.max(gpu.tensor([], [0]))).toThrow('the max of no elements does not exist [reduce.empty]')
    expect(() => gpu.sum(x, { axes: [0, 2] })).toThrow('a tensor of shape [6, 50] has no axis 2')
    expect(() => gpu.sum(x, { axes: [1, -1] })).toThrow('the axes [1, -1] name one twice')
  })
})

describe('transpose', () => {
  async function check(shape: readonly number[], order: readonly number[]): Promise<void> {
    const data = Int32Array.from({ length: volume(shape) }, (_, i) => i)
    using x = gpu.tensor(data, shape)
    using y = gpu.transpose(x, order)
    expect(y.shape).toEqual(order.map((d) => shape[d]))
    const want = indices(y.shape).map((index) => {
      const from: number[] = []
      order.forEach((d, i) => {
        from[d] = index[i]!
      })
      return at(data, shape, from)
    })
    expect(distance(await y.read(), want), `[${shape}] as [${order}]`).toBe(0)
  }
  const orders = (n: number): number[][] =>
    n === 0
      ? [[]]
      : orders(n - 1).flatMap((o) => Array.from({ length: n }, (_, i) => [...o.slice(0, i), n - 1, ...o.slice(i)]))
  test.each(someOf([[[64, 96]], [[31, 37]], [[1, 7]], [[0, 4]], [[200, 3]]]))('%j', async (shape) =>
    check(shape, [1, 0]))
  test('every order of three and four axes', async () => {
    for (const order of orders(3))
      for (const shape of [
        [4, 8, 12],
        [3, 5, 7],
        [33, 2, 40],
      ])
        await check(shape, order)
    for (const order of orders(4)) await check([2, 3, 5, 4], order)
    await check([2, 1, 3, 1, 4, 2], [5, 3, 2, 1, 4, 0])
  }, 60_000)
  test('no order of the axes', () => {
    expect(() => gpu.transpose(gpu.tensor([1, 2], [1, 2]), [0, 0])).toThrow(
      '[0, 0] is no order of the 2 axes of a tensor of shape [1, 2]',
    )
  })
})

describe('expressions', () => {
  test.each<[string, (a: number, b: number) => number]>([
    ['a + b * 2', (a, b) => a + b * 2],
    ['-a / (b + 3)', (a, b) => -a / (b + 3)],
    ['a > b && !(b < 0) ? a : 0.5', (a, b) => (a > b && !(b < 0) ? a : 0.5)],
    ['max(abs(a), b) - min(a, b)', (a, b) => Math.max(Math.abs(a), b) - Math.min(a, b)],
    ['sqrt(a * a + b * b)', (a, b) => Math.hypot(a, b)],
    ['exp(a) + log(b + 2)', (a, b) => Math.exp(a) + Math.log(b + 2)],
    ['tanh(50 * a)', (a) => Math.tanh(50 * a)],
    ['1e2 * .5', () => 50],
    ['a % 0.3', (a) => a % 0.3],
    ['clamp(a, -0.5, b == b ? 0.25 : 0)', (a) => Math.min(0.25, Math.max(-0.5, a))],
    ['sigmoid(a * 3)', (a) => 1 / (1 + Math.exp(-3 * a))],
  ])('%s', async (text, f) => {
    for (const n of [1, 4, 37, 64]) {
      const [a, b] = [numbers([n], 1), numbers([n], 2)]
      expect(
        await farOff(
          gpu.map(text, { a: gpu.tensor(a), b: gpu.tensor(b) }),
          Array.from(a, (x, i) => f(x, b[i]!)),
        ),
      ).toBeLessThan(2e-5)
    }
  })
  test.each(
    someOf([
      [[3, 4], [4]],
      [
        [3, 1],
        [1, 5],
      ],
      [
        [2, 3, 4],
        [3, 1],
      ],
      [[5], [1]],
      [
        [2, 1, 6],
        [3, 6],
      ],
      [[0, 3], [3]],
      [
        [4, 1, 8],
        [2, 1],
      ],
    ]),
  )('%j and %j broadcast', async (as, bs) => {
    const [a, b] = [numbers(as, 1), numbers(bs, 2)]
    using c = gpu.map('a - 2 * b', { a: gpu.tensor(a, as), b: gpu.tensor(b, bs) })
    expect(
      await farOff(
        c,
        indices(c.shape).map((i) => at(a, as, i) - 2 * at(b, bs, i)),
      ),
    ).toBeLessThan(1e-6)
  })
  test('numbers are parameters: nothing new is compiled', async () => {
    const x = gpu.tensor([1, 2, 3])
    const first = await gpu.map('s * x', { s: 2, x }).read()
    const { pipelines } = gpu.core.statistics
    expect([...first, ...(await gpu.map('s * x', { s: 5, x }).read())]).toEqual([2, 4, 6, 5, 10, 15])
    expect(gpu.core.statistics['pipelines']).toBe(pipelines)
    expect([...(await gpu.fill([2, 2], 7).read())]).toEqual([7, 7, 7, 7])
  })
  test.each(
    someOf([
      ['a +', "expression 'a +', column 4: it ends where a value is needed"],
      ['a; b', "expression 'a; b', column 2: ';' means nothing here"],
      ['foo(a)', "there is no function 'foo'"],
      ['c', "nothing is called 'c'; there are a, b"],
      ['a < b < 1', "column 1: a condition is compared; join two of them by '&&'"],
      ['a ? 1 : 2', 'a number stands where a condition is needed'],
      ['max(a)', 'max takes 2 arguments, not 1'],
      ['(a', "')' is missing"],
      ['a b', "'b' is too much"],
      ['1e99', '1e99 is too large for f32'],
      ['constructor(a)', "there is no function 'constructor'"],
      ['('.repeat(5000), 'it is nested too deeply'],
      ['-'.repeat(5000), 'it is nested too deeply'],
    ]),
  )('%.30s is refused', (text, message) => {
    expect(() => gpu.map(text, { a: gpu.tensor([1]), b: 2 })).toThrow(message)
  })
  test('more operands than a device binds', () => {
    const names = Array.from({ length: 40 }, (_, i) => `a${i}`)
    expect(() => gpu.map(names.join(' + '), Object.fromEntries(names.map((n) => [n, gpu.tensor([1])])))).toThrow(
      /map would need 42 arrays and \d+ parameters at once, and this device allows \d+ and 64 \[device\.operands\]/,
    )
    const numbers = Array.from({ length: 70 }, (_, i) => `s${i}`)
    expect(() =>
      gpu.map(`x + ${numbers.join(' + ')}`, { x: gpu.tensor([1]), ...Object.fromEntries(numbers.map((n) => [n, 1])) }),
    ).toThrow('device.operands')
  })
  test('shapes and types that do not fit', () => {
    expect(() => gpu.map('a + b', { a: gpu.tensor([1, 2]), b: gpu.tensor([1, 2, 3]) })).toThrow(
      'shapes [2] and [3] do not go together [tensor.broadcast]',
    )
    const whole = gpu.tensor(new Int32Array(2))
    expect(() => gpu.map('a + b', { a: whole, b: gpu.tensor([1, 2]) })).toThrow(
      'the operands of map are of i32 and f32; they must be of one type [tensor.dtype]\n  hint: cast some of them',
    )
    expect(() => gpu.map('sqrt(a)', { a: whole })).toThrow('sqrt is computed in f32')
    expect(() => gpu.map('a * 1.5', { a: whole })).toThrow('1.5 is no number of i32')
    expect(() => gpu.map('a * s', { a: whole, s: 0.5 })).toThrow("'s' is 0.5, which is no number of i32")
    expect(() => gpu.map('-a', { a: gpu.tensor(new Uint32Array(2)) })).toThrow('u32 has no negative numbers')
    const half = { activation: 'x + i', operands: { i: whole } }
    expect(() => gpu.matmul(gpu.fill([2, 2], 1), gpu.fill([2, 2], 1), half)).toThrow(
      "'i' is a tensor of i32, and 'x + i' is computed in f32",
    )
    expect(() => gpu.map('a', { a: 1 })).toThrow('map needs a tensor among its operands')
  })
})

describe('grids longer than the device allows are folded', () => {
  test('transposes, reductions, products', async () => {
    using small = await openSoftware({ longestGrid: 12 })
    const data = numbers([7, 70, 40])
    using x = small.tensor(data, [7, 70, 40])
    const turned = await small.transpose(x, [0, 2, 1]).read()
    expect(
      distance(
        turned,
        indices([7, 40, 70]).map(([b, i, j]) => at(data, [7, 70, 40], [b!, j!, i!])),
      ),
    ).toBe(0)
    expect(await farOff(small.sum(x, { axes: 2 }), reduced(data, [7, 70, 40], [2], 'sum'))).toBeLessThan(1e-5)
    expect(await farOff(small.sum(small.matmul(x, x, { transposeB: true })), [await total(x)], 1000)).toBeLessThan(1e-5)
    expect(() => small.transpose(small.tensor(numbers([400, 400]), [400, 400]))).toThrow(
      'transpose needs 169 workgroups, and this device allows 12 × 12',
    )
  })
  const total = async (x: Tensor): Promise<number> =>
    (
      await gpu
        .sum(
          gpu.matmul(
            gpu.tensor((await x.read()) as Float32Array, x.shape),
            gpu.tensor((await x.read()) as Float32Array, x.shape),
            { transposeB: true },
          ),
        )
        .read()
    )[0]! // f32
})

test('many elements: blocks walk', async () => {
  const data = numbers([300_001])
  const got = await gpu.map('x + 1', { x: gpu.tensor(data) }).read()
  expect(
    distance(
      got,
      Array.from(data, (x) => Math.fround(x + 1)),
    ),
  ).toBe(0)
})
