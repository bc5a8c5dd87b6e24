// f16: no device here runs it, so Dawn's null backend checks every text and call, and the simulator runs every launch:
// results against float64 of what f16 holds. SwiftShader, which has none, refuses it in a sentence.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { f16Bits, f16Value, roundF16 } from '../../../src/ir/round.ts'
import type { Tensor } from '../../../src/kernels/index.ts'
import { halved } from '../../../src/kernels/fusion/half-storage.ts'
import { openSimulated, type Simulated } from '../../support/simulated.ts'
import { nullDevice } from '../../support/dawn.ts'
import { at, indices, numbers, openSoftware, volume } from '../language.ts'
import { someOf } from '../../support/long.ts'

let device: Simulated
beforeAll(async () => {
  device = await openSimulated()
})
afterAll(() => device.gpu.dispose())

/** Numbers that f16 holds, and a tensor of them. */
function halves(shape: readonly number[], seed = 1): { readonly t: Tensor<'f16'>; readonly data: number[] } {
  const data = [...numbers(shape, seed)].map(roundF16)
  return { t: device.gpu.tensor(data, shape, 'f16'), data }
}

const read = (t: Tensor): number[] =>
  t.dtype === 'f16'
    ? Array.from(new Uint16Array(device.contents(t)), f16Value)
    : [...new Float32Array(device.contents(t))]

/** Everything is as far from float64 as one rounding to f16 (2⁻¹¹ of it) and `scale` sums of f32 allow. */
async function near(t: Tensor, shape: readonly number[], want: readonly number[], scale = 1): Promise<void> {
  expect([...t.shape]).toEqual(shape)
  const got = read(t),
    step = t.dtype === 'f16' ? 2 ** -11 : 0
  want.forEach((w, i) =>
    expect(Math.abs(got[i]! - w), `element ${i}: ${got[i]} for ${w}`).toBeLessThanOrEqual(
      Math.abs(w) * step + scale * 2e-6 + (step ? 2 ** -25 : 0),
    ),
  )
  await device.gpu.sync() // what Dawn refuses
  expect(device.hazards).toEqual([])
}

const product = (a: readonly number[], b: readonly number[], m: number, n: number, k: number): number[] =>
  indices([m, n]).map(([i, j]) =>
    Array.from({ length: k }, (_, x) => a[i! * k + x]! * b[x * n + j!]!).reduce((s, v) => s + v, 0),
  )

test('numbers go there and back', async () => {
  const { t, data } = halves([7, 3])
  expect(t.bytes).toBe(42)
  await near(t, [7, 3], data)
  await near(device.gpu.cast(t, 'f32'), [7, 3], data)
  await near(t.reshape([3, 7]), [3, 7], data)
  await near(device.gpu.tensor([1, 2.0001, 65504, 1e-7], [4], 'f16'), [4], [1, 2.0001, 65504, 1e-7])
})

test('results go where they are wanted', async () => {
  const { gpu } = device,
    { t, data } = halves([4, 5])
  const to = gpu.cast(gpu.fill([4, 5], 7), 'f16'),
    column = gpu.cast(gpu.fill([4], 7), 'f16')
  expect(gpu.map('2 * t', { t }, { out: to })).toBe(to)
  await near(
    to,
    [4, 5],
    data.map((x) => 2 * x),
  )
  await near(gpu.map('to - t', { to, t }, { out: to }), [4, 5], data)
  await near(gpu.cast(t, 'f16', { out: to }), [4, 5], data)
  const sums = [0, 1, 2, 3].map((i) => data.slice(5 * i, 5 * i + 5).reduce((s, v) => s + v, 0))
  await near(gpu.sum(t, { axes: 1, out: column }), [4], sums, 5)
  expect(() => gpu.sum(t, { axes: 1, out: gpu.fill([4], 0) })).toThrow('is of f16, and out is a tensor of f32 [out.dty')
  const buffer = gpu.core.device.createBuffer({ size: 256, usage: 4 | 128 })
  expect(gpu.map('-t', { t }, { out: { buffer, size: 40 } }).dtype).toBe('f16')
  expect(gpu.tensor({ buffer }, undefined, 'f16').shape).toEqual([128])
  await gpu.sync() // what Dawn refuses
})

describe('products', () => {
  test.each(
    someOf([
      [17, 31, 13],
      [64, 32, 40],
      [1, 50, 8],
      [9, 33, 1],
      [3, 0, 2],
    ]),
  )('%i × %i × %i, of f16, of one f16, with what follows', async (m, k, n) => {
    const a = halves([m, k], 1),
      b = halves([k, n], 2),
      bias = halves([n], 3),
      want = product(a.data, b.data, m, n, k)
    const c = device.gpu.matmul(a.t, b.t)
    expect(c.dtype).toBe('f16')
    await near(c, [m, n], want, 1 + Math.sqrt(k))
    const mixed = device.gpu.matmul(a.t, device.gpu.cast(b.t, 'f32'), { bias: bias.t, activation: 'relu' })
    expect(mixed.dtype).toBe('f32')
    await near(
      mixed,
      [m, n],
      want.map((v, i) => Math.max(0, v + bias.data[i % n]!)),
      1 + Math.sqrt(k),
    )
  })
  test('the tiles of large devices: whole, padded, in slices, transposed', async () => {
    const large = await openSimulated({ tuning: 'nvidia' }),
      small = device
    device = large
    for (const [m, n, k, transposeA, transposeB] of [
      [64, 128, 16, false, false],
      [60, 70, 37, true, false],
      [16, 20, 512, false, true],
      [64, 64, 256, true, true],
    ] as const) {
      const a = halves(transposeA ? [k, m] : [m, k], 1),
        b = halves(transposeB ? [n, k] : [k, n], 2)
      const turned = (x: readonly number[], rows: number, columns: number): number[] =>
        indices([rows, columns]).map(([i, j]) => x[j! * rows + i!]!)
      const want = product(
        transposeA ? turned(a.data, m, k) : a.data,
        transposeB ? turned(b.data, k, n) : b.data,
        m,
        n,
        k,
      )
      await near(large.gpu.matmul(a.t, b.t, { transposeA, transposeB }), [m, n], want, 1 + Math.sqrt(k))
    }
    large.gpu.dispose()
    device = small
  }, 60_000)
})

test('expressions: f16 where all tensors are; broadcasting by vectors, elements and strides', async () => {
  const x = halves([6, 20], 1),
    row = halves([20], 2),
    column = halves([6, 1], 3),
    one = halves([1], 4)
  const y = device.gpu.map('x * row + column - 2 * one', { x: x.t, row: row.t, column: column.t, one: one.t })
  expect(y.dtype).toBe('f16')
  await near(
    y,
    [6, 20],
    indices([6, 20]).map(([i, j]) => x.data[i! * 20 + j!]! * row.data[j!]! + column.data[i!]! - 2 * one.data[0]!),
  )
  const wide = device.gpu.map('x + y', { x: x.t, y: device.gpu.cast(x.t, 'f32') })
  expect(wide.dtype).toBe('f32')
  await near(
    wide,
    [6, 20],
    x.data.map((v) => 2 * v),
  )
})

test('reductions add up in f32, also between steps; scans, the greatest, histograms', async () => {
  const shape = [5, 8, 33],
    x = halves(shape, 5),
    { gpu } = device
  const along = (axes: readonly number[], f: (list: number[]) => number): number[] => {
    const kept = shape.filter((_, i) => !axes.includes(i)),
      out = indices(kept).map((): number[] => [])
    indices(shape).forEach((index, n) => {
      const k = index.filter((_, i) => !axes.includes(i)).reduce((p, v, i) => p * kept[i]! + v, 0)
      out[k]!.push(x.data[n]!)
    })
    return out.map(f)
  }
  const total = (list: readonly number[]): number => list.reduce((s, v) => s + v, 0)
  await near(gpu.sum(x.t, { axes: 2 }), [5, 8], along([2], total), 6)
  await near(gpu.sum(x.t, { axes: [0, 2] }), [8], along([0, 2], total), 13)
  await near(gpu.mean(x.t), [], [total(x.data) / x.data.length])
  await near(
    gpu.norm(x.t, { axes: 1 }),
    [5, 33],
    along([1], (l) => Math.hypot(...l)),
    3,
  )
  await near(
    gpu.max(x.t, { axes: [0, 1], keep: true }),
    [1, 1, 33],
    along([0, 1], (l) => Math.max(...l)),
  )
  await near(gpu.sum(x.t.reshape([5, 1, 264]), { axes: 1 }), [5, 264], x.data)
  const large = gpu.tensor(
    Array.from({ length: 4000 }, () => 30),
    [20, 200],
    'f16',
  ) // 120,000 in all: too much for f16, but not its mean
  await near(gpu.mean(large), [], [30])
  expect(read(gpu.sum(large))).toEqual([Infinity])
  await near(gpu.scan(gpu.tensor([1, 2, 3, 4], [4], 'f16')), [4], [1, 3, 6, 10])
  expect([...new Int32Array(device.contents(gpu.argmax(x.t)))]).toEqual([x.data.indexOf(Math.max(...x.data))])
  expect([...new Uint32Array(device.contents(gpu.histogram(x.t, { bins: 2, range: [-1, 1] })))]).toEqual([
    x.data.filter((v) => v < 0).length,
    x.data.filter((v) => v >= 0).length,
  ])
}, 60_000)

test('transposes move every bit', async () => {
  for (const [shape, order] of [
    [
      [33, 20],
      [1, 0],
    ],
    [
      [4, 8, 12],
      [0, 2, 1],
    ],
    [
      [3, 5, 7],
      [2, 0, 1],
    ],
    [
      [3, 4, 5],
      [1, 0, 2],
    ],
  ] as const) {
    const x = halves(shape, 6),
      to = order.map((d) => shape[d]!)
    const want = indices(to).map((index) =>
      at(
        x.data,
        shape,
        order.map((_, d) => index[order.indexOf(d as never)]!),
      ),
    )
    await near(device.gpu.transpose(x.t, order), to, want, 0)
  }
})

test('convolutions: planes, rows, products, channels together', async () => {
  const { gpu } = device
  const convolved = (
    x: readonly number[],
    xs: readonly number[],
    w: readonly number[],
    ws: readonly number[],
    groups: number,
    pad: number,
  ): number[] => {
    const [n = 0, , h = 0, l = 0] = xs,
      [o = 0, i = 0, r = 0, s = 0] = ws
    return indices([n, o, h + 2 * pad - r + 1, l + 2 * pad - s + 1]).map(([b, k, p, q]) =>
      indices([i, r, s])
        .map(([c, u, v]) => {
          const y = p! + u! - pad,
            z = q! + v! - pad
          return y < 0 || y >= h || z < 0 || z >= l
            ? 0
            : at(w, ws, [k!, c!, u!, v!]) * at(x, xs, [b!, Math.floor(k! / (o / groups)) * i + c!, y, z])
        })
        .reduce((a, b) => a + b, 0),
    )
  }
  for (const [xs, ws, groups] of [
    [[1, 1, 9, 12], [1, 1, 3, 3], 1],
    [[2, 3, 6, 8], [3, 1, 3, 3], 3],
    [[1, 2, 1, 30], [2, 1, 1, 5], 2],
    [[2, 4, 5, 6], [8, 4, 3, 3], 1],
    [[1, 5, 4, 7], [3, 5, 2, 2], 1],
  ] as const) {
    const x = halves(xs, 7),
      w = halves(ws, 8),
      pad = ws[2] > 1 ? 1 : 0,
      want = convolved(x.data, xs, w.data, ws, groups, pad)
    const y = gpu.conv2d(x.t, w.t, { groups, padding: pad })
    expect(y.dtype).toBe('f16')
    await near(
      y,
      [xs[0], ws[0], xs[2] + 2 * pad - ws[2] + 1, xs[3] + 2 * pad - ws[3] + 1],
      want,
      1 + Math.sqrt(volume(ws) / ws[0]),
    )
    if (groups > 1) continue
    const last = gpu.conv2d(gpu.transpose(x.t, [0, 2, 3, 1]), gpu.transpose(w.t, [2, 3, 1, 0]), {
      padding: pad,
      layout: 'nhwc',
    })
    await near(gpu.transpose(last, [0, 3, 1, 2]), [...y.shape], want, 1 + Math.sqrt(volume(ws) / ws[0]))
  }
}, 60_000)

test('a buffer that holds f16, and memory that is used again for f32', async () => {
  const { gpu } = device,
    buffer = gpu.core.device.createBuffer({ size: 8, usage: 4 | 8 | 128 })
  gpu.core.device.queue.writeBuffer(buffer, 0, Uint16Array.from([1, -2, 0.5, 100], f16Bits))
  await near(gpu.map('2 * x', { x: gpu.tensor(buffer, [4], 'f16') }), [4], [2, -4, 1, 200])
  for (let i = 0; i < 3; i++) {
    using half = gpu.tensor([1, 2, 3], [3], 'f16')
    await near(half, [3], [1, 2, 3])
    half.dispose()
    using full = gpu.tensor([1.00001, 2, 3])
    await near(gpu.map('x', { x: full }), [3], [...Float32Array.of(1.00001, 2, 3)])
  }
})

test('texts: loads, stores, lanes, places inside of places, and arrays that are only named alike', () => {
  const text = [
    '@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;',
    '@group(0) @binding(1) var<storage, read_write> y: array<f32>;',
    '@group(0) @binding(2) var<storage, read> z: array<u32>;',
    'a = x[(i + x_2[3]) >> 2u].y + v.x[1];',
    'y[i32(y[j])] = a * 2.0;',
    'b = z[z[k] + 1u];',
    '',
  ].join('\n')
  expect(halved(text, ['x', 'y', 'z']).split('\n')).toEqual([
    'enable f16;',
    '@group(0) @binding(0) var<storage, read> x: array<vec4<f16>>;',
    '@group(0) @binding(1) var<storage, read_write> y: array<f16>;',
    '@group(0) @binding(2) var<storage, read> z: array<f16>;',
    'a = vec4<f32>(x[(i + x_2[3]) >> 2u]).y + v.x[1];',
    'y[i32(f32(y[j]))] = f16(a * 2.0);',
    'b = bitcast<u32>(f32(z[bitcast<u32>(f32(z[k])) + 1u]));',
    '',
  ])
  expect(halved('var<storage> w: array<vec2<f32>>;\nw[i].x = 1.0;\nw[j][k % 2u] = f(w[j]);', ['w'])).toBe(
    'enable f16;\nvar<storage> w: array<vec2<f16>>;\nw[i].x = f16(1.0);\nw[j][k % 2u] = f16(f(vec2<f32>(w[j])));',
  )
})

test('who has none, and what cannot be, is said', async () => {
  using software = await openSoftware()
  expect(() => software.tensor([1], [1], 'f16')).toThrow(
    "this device has no f16 in shaders, or was opened without the feature 'shader-f16' [device.f16]",
  )
  expect(() => software.cast(software.fill([2], 1), 'f16')).toThrow('device.f16')
  expect(() => device.gpu.nmf(device.gpu.tensor([1], [1, 1], 'f16') as never, { rank: 1 })).toThrow(
    'nmf factorises f32, and V is f16',
  )
  expect(() => device.gpu.matmul(device.gpu.tensor([1], [1, 1], 'i32'), device.gpu.fill([1, 1], 1))).toThrow(
    'matmul multiplies f32 and f16, and its first factor is i32',
  )
  expect((await nullDevice()).features.has('shader-f16')).toBe(true)
})
