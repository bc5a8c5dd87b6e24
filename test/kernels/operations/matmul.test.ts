// Matrix products on SwiftShader against float64: random shapes with 0, 1 and primes, layouts, batches, fused endings,
// and every plan that a device may choose.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu, MatmulOptions } from '../../../src/kernels/index.ts'
import { at, farOff, indices, numbers, openSoftware, volume } from '../language.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

type Case = readonly [
  a: readonly number[],
  b: readonly number[],
  options?: MatmulOptions | undefined,
  end?: ((x: number) => number) | undefined,
]

/** α·A·B through `end`, in float64. */
function reference(
  a: Float32Array,
  as: readonly number[],
  b: Float32Array,
  bs: readonly number[],
  { transposeA, transposeB, alpha = 1 }: MatmulOptions,
  end: (x: number) => number,
): { shape: number[]; values: number[] } {
  const [m, k, n] = [as.at(transposeA ? -1 : -2)!, as.at(transposeA ? -2 : -1)!, bs.at(transposeB ? -2 : -1)!]
  const rank = Math.max(as.length, bs.length) - 2
  const batch = Array.from({ length: rank }, (_, i) => {
    const d = [as, bs].flatMap((s) => s.slice(0, -2)[s.length - 2 - rank + i] ?? [])
    return d.find((x) => x !== 1) ?? 1
  })
  const shape = [...batch, m, n]
  const values = indices(shape).map((index) => {
    const [i, j] = [index.at(-2)!, index.at(-1)!],
      outer = index.slice(0, -2)
    let sum = 0
    for (let x = 0; x < k; x++)
      sum +=
        at(a, as, [...outer, ...(transposeA ? [x, i] : [i, x])]) *
        at(b, bs, [...outer, ...(transposeB ? [j, x] : [x, j])])
    return end(alpha * sum)
  })
  return { shape, values }
}

async function check(g: Gpu, [as, bs, options = {}, end = (x) => x]: Case): Promise<void> {
  const [a, b] = [numbers(as, 1), numbers(bs, 2)]
  using ta = g.tensor(a, as)
  using tb = g.tensor(b, bs)
  using c = g.matmul(ta, tb, options)
  const want = reference(a, as, b, bs, options, end)
  expect(c.shape).toEqual(want.shape)
  const k = as.at(options.transposeA ? -2 : -1)!
  expect(await farOff(c, want.values, 1 + Math.sqrt(k)), `${as} · ${bs} ${JSON.stringify(options)}`).toBeLessThan(1e-5)
}

const cases: readonly Case[] = [
  [
    [1, 1],
    [1, 1],
  ],
  [
    [2, 3],
    [3, 4],
  ],
  [
    [17, 31],
    [31, 13],
  ],
  [
    [64, 64],
    [64, 64],
  ],
  [
    [65, 129],
    [129, 67],
  ],
  [
    [0, 3],
    [3, 2],
  ],
  [
    [3, 0],
    [0, 2],
  ],
  [
    [1, 300],
    [300, 37],
  ],
  [
    [37, 300],
    [300, 1],
  ],
  [
    [1, 2048],
    [2048, 8],
  ],
  [
    [8, 2048],
    [2048, 1],
  ],
  [
    [1, 7],
    [7, 1],
  ],
  [
    [5, 7, 3],
    [5, 3, 2],
  ],
  [
    [2, 3, 4, 5],
    [2, 3, 5, 4],
  ],
  [
    [4, 6, 5],
    [5, 7],
  ],
  [
    [5, 7],
    [3, 7, 2],
  ],
  [
    [2, 1, 4, 3],
    [1, 3, 3, 5],
  ],
  [
    [3, 1, 9],
    [3, 9, 5],
  ],
  [[31, 17], [31, 13], { transposeA: true }],
  [[17, 31], [13, 31], { transposeB: true }],
  [[31, 17], [13, 31], { transposeA: true, transposeB: true }],
  [[40, 1], [40, 12], { transposeA: true }],
  [[1, 40], [12, 40], { transposeB: true }],
  [[40, 12], [40, 1], { transposeA: true }],
  [[3, 8, 6], [3, 7, 8], { transposeA: true, transposeB: true }],
  [[9, 8], [8, 12], { alpha: -2.5 }],
  [[9, 8], [8, 12], { activation: 'relu' }, (x) => Math.max(x, 0)],
  [[9, 8], [8, 12], { activation: 'x * x + 1', alpha: 2 }, (x) => x * x + 1],
  [[9, 8], [8, 12], { activation: 'gelu' }, (x) => 0.5 * x * (1 + Math.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))],
  [[3, 0], [0, 2], { activation: 'x + 1' }, (x) => x + 1],
]
for (const c of cases) test(JSON.stringify(c.slice(0, 3)), async () => check(gpu, c))

test('random shapes, layouts and batches', async () => {
  const stream = random(7)
  const upTo = (n: number): number => Math.floor(stream.unit() * (n + 1))
  for (let round = 0; round < 40; round++) {
    const [m, n, k, batch] = [upTo(70), upTo(70), upTo(90), upTo(3)]
    const transposeA = stream.unit() < 0.5,
      transposeB = stream.unit() < 0.5
    const lead = stream.unit() < 0.5 ? [] : [batch]
    await check(gpu, [
      [...lead, ...(transposeA ? [k, m] : [m, k])],
      [...(stream.unit() < 0.5 ? lead : []), ...(transposeB ? [n, k] : [k, n])],
      { transposeA, transposeB },
    ])
  }
})

test('bias, a third matrix and an activation end in one kernel', async () => {
  const [a, b, bias, c] = [numbers([33, 20]), numbers([20, 28], 2), numbers([28], 3), numbers([33, 28], 4)]
  using out = gpu.matmul(gpu.tensor(a, [33, 20]), gpu.tensor(b, [20, 28]), {
    alpha: 0.5,
    beta: 2,
    c: gpu.tensor(c, [33, 28]),
    bias: gpu.tensor(bias),
    activation: 'relu',
  })
  const product = reference(a, [33, 20], b, [20, 28], { alpha: 0.5 }, (x) => x).values
  expect(
    await farOff(
      out,
      product.map((x, i) => Math.max(0, x + 2 * c[i]! + bias[i % 28]!)),
      5,
    ),
  ).toBeLessThan(1e-5)
})

describe('the plans of larger devices', () => {
  let large: Gpu
  beforeAll(async () => {
    large = await openSoftware({ tuning: 'nvidia' })
  })
  afterAll(() => large.dispose())
  /** Compiling a large tile takes a software device seconds: every layout once, every kind of plan once. */
  test.each([
    [false, false, [128, 256, 64]],
    [false, false, [60, 132, 40]],
    [true, false, [64, 128, 512]],
    [false, true, [67, 129, 61]],
    [true, true, [16, 20, 1024]],
  ] as const)('whole tiles, slices along k, odd sizes; transposed %s, %s, %j', async (transposeA, transposeB, [
    m,
    n,
    k,
  ]) => {
    await check(large, [
      transposeA ? [k, m] : [m, k],
      transposeB ? [n, k] : [k, n],
      { transposeA, transposeB, activation: '2 * x' },
      (x) => 2 * x,
    ])
  })
  test('batches', async () =>
    check(large, [
      [3, 20, 16],
      [3, 16, 24],
    ]))
  test.each([
    [
      [1, 1100],
      [1100, 9],
    ],
    [
      [1, 70],
      [70, 33],
    ],
    [
      [7, 1030],
      [1030, 1],
    ],
    [
      [21, 40],
      [40, 1],
    ],
  ] as const)('vectors %j', async (a, b) => check(large, [[...a], [...b]]))
})

test('what does not go together is said', () => {
  const [a, b] = [gpu.tensor(numbers([2, 3]), [2, 3]), gpu.tensor(numbers([4, 5]), [4, 5])]
  expect(() => gpu.matmul(a, b)).toThrow('matmul of [2, 3] and [4, 5]: the inner extents 3 and 4 differ [matmul.shape]')
  expect(() => gpu.matmul(a, gpu.tensor([1, 2, 3]))).toThrow(
    'the second factor of matmul has the shape [3]; it needs two axes',
  )
  expect(() => gpu.matmul(a, gpu.tensor(new Int32Array(6), [3, 2]))).toThrow(
    'matmul multiplies f32 and f16, and its second factor is i32',
  )
  expect(() => gpu.matmul(a, b, { transposeB: true, activation: 'sinx' })).toThrow('the inner extents 3 and 5 differ')
  expect(() => gpu.matmul(a, a, { transposeB: true, activation: 'sin x' })).toThrow(/column/)
  expect(volume([2, 3])).toBe(6)
})
