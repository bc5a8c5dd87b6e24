// Convolutions on SwiftShader against plain loops in float64: every option, every way to compute one, shapes with 0, 1
// and primes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { open, type ConvOptions, type Gpu } from '../../../src/kernels/index.ts'
import { at, farOff, indices, numbers, openSoftware, volume } from '../language.ts'
import { swiftShaderGpu } from '../../support/dawn.ts'
import { someOf } from '../../support/long.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu.dispose())

const pair = (x: number | readonly [number, number]): readonly [number, number] => (typeof x === 'number' ? [x, x] : x)

type Four = readonly [number, number, number, number]

function convolved(
  x: ArrayLike<number>,
  xs: Four,
  w: ArrayLike<number>,
  ws: Four,
  { stride = 1, padding = 0, dilation = 1, groups = 1 }: ConvOptions,
): { readonly shape: Four; readonly values: number[] } {
  const [n, , h, width] = xs,
    [o, i, r, s] = ws
  const [sy, sx] = pair(stride),
    [dy, dx] = pair(dilation)
  const reach = [dy * (r - 1), dx * (s - 1)] as const
  const [top, left] =
    padding === 'same' ? (reach.map((v) => Math.floor(v / 2)) as unknown as [number, number]) : pair(padding)
  const both = padding === 'same' ? reach : [2 * top, 2 * left]
  const extent = (size: number, around: number, over: number, step: number): number =>
    Math.max(0, Math.floor((size + around - over - 1) / step) + 1)
  const shape: Four = [n, o, extent(h, both[0]!, reach[0], sy), extent(width, both[1]!, reach[1], sx)]
  const values = indices(shape).map(([b, k, p, q]) => {
    let sum = 0
    for (let c = 0; c < i; c++)
      for (let u = 0; u < r; u++)
        for (let v = 0; v < s; v++) {
          const y = p! * sy + u * dy - top,
            z = q! * sx + v * dx - left
          if (y >= 0 && y < h && z >= 0 && z < width)
            sum += at(w, ws, [k!, c, u, v]) * at(x, xs, [b!, Math.floor(k! / (o / groups)) * i + c, y, z])
        }
    return sum
  })
  return { shape, values }
}

async function check(xs: Four, ws: Four, options: ConvOptions = {}, device = gpu, seed = 1): Promise<void> {
  const x = numbers(xs, seed),
    w = numbers(ws, seed + 1)
  const want = convolved(x, xs, w, ws, options)
  using got = device.conv2d(device.tensor(x, xs), device.tensor(w, ws), options)
  const words = `[${xs}] with [${ws}] ${JSON.stringify(options)}`
  expect(got.shape, words).toEqual(want.shape)
  expect(await farOff(got, want.values, 1 + Math.sqrt(ws[1] * ws[2] * ws[3])), words).toBeLessThan(2e-6)
}

/** The same with channels together: everything is turned round, and must be what it was. */
async function checkLast(xs: Four, ws: Four, options: ConvOptions = {}, device = gpu, bias = false): Promise<void> {
  const x = numbers(xs, 3),
    w = numbers(ws, 4),
    b = numbers([ws[0]], 5)
  const want = convolved(x, xs, w, ws, options),
    turned = (s: Four): Four => [s[0], s[2], s[3], s[1]]
  using image = device.transpose(device.tensor(x, xs), [0, 2, 3, 1])
  using windows = device.transpose(device.tensor(w, ws), [2, 3, 1, 0])
  using got = device.conv2d(image, windows, {
    ...options,
    layout: 'nhwc',
    ...(bias && { bias: device.tensor(b), activation: 'relu' }),
  })
  const words = `[${xs}] with [${ws}] ${JSON.stringify(options)}`
  expect(got.shape, words).toEqual(turned(want.shape))
  const values = indices(got.shape).map(([n, p, q, o]) => {
    const v = at(want.values, want.shape, [n!, o!, p!, q!])
    return bias ? Math.max(0, v + b[o!]!) : v
  })
  expect(await farOff(got, values, 1 + Math.sqrt(ws[1] * ws[2] * ws[3])), words).toBeLessThan(2e-6)
}

describe('large ones as products of a stored factor', () => {
  let large: Gpu
  beforeAll(async () => {
    large = await openSoftware({ tuning: 'generic' })
  })
  afterAll(() => large.dispose())

  test.each([
    [[2, 32, 26, 26], [96, 32, 3, 3], { padding: 1 }],
    [[1, 19, 44, 42], [97, 19, 5, 3], { stride: [1, 1], dilation: [2, 1] }],
  ] as const)('%j with %j %j', async (xs, ws, options) => {
    await check(xs, ws, options, large)
    const x = large.tensor(numbers(xs, 1), xs),
      w = large.tensor(numbers(ws, 2), ws),
      bias = large.tensor(numbers([ws[0]], 3))
    const plain = [...(await large.conv2d(x, w, options).read())],
      shape = large.conv2d(x, w, options).shape
    const kernels = (await large.profile(() => large.conv2d(x, w, { ...options, bias, activation: 'relu' }))).map(
      (k) => k.kernel,
    )
    expect(kernels.some((k) => k.startsWith('matmul'))).toBe(true)
    const b = numbers([ws[0]], 3),
      channel = (i: number): number => Math.floor(i / (shape[2]! * shape[3]!)) % ws[0]
    expect(
      await farOff(
        large.conv2d(x, w, { ...options, bias, activation: 'relu' }),
        plain.map((v, i) => Math.max(0, v + b[channel(i)]!)),
        1,
      ),
    ).toBeLessThan(2e-6)
  })
})

describe('channels together', () => {
  test('vectors of channels and of outputs, and neither; strides, dilations, groups', async () => {
    await checkLast([2, 8, 7, 9], [12, 8, 3, 3], { padding: 1 })
    await checkLast([2, 5, 12, 13], [7, 5, 3, 3], { padding: 1 }, gpu, true)
    await checkLast([1, 8, 9, 9], [33, 8, 1, 1])
    await checkLast(
      [2, 6, 15, 17],
      [8, 3, 3, 2],
      { groups: 2, stride: [2, 3], dilation: [1, 2], padding: [2, 1] },
      gpu,
      true,
    )
    await checkLast([2, 16, 5, 6], [24, 8, 2, 3], { groups: 2, padding: 'same' }, gpu, true)
  }, 60_000)
  test('a window for each channel, several outputs for each, and none', async () => {
    await checkLast([2, 3, 12, 15], [3, 1, 3, 3], { groups: 3, padding: 'same' }, gpu, true)
    await checkLast([1, 4, 11, 10], [8, 1, 3, 3], { groups: 4, stride: 2, padding: 'same' })
    await checkLast([0, 2, 3, 3], [2, 2, 1, 1])
    await checkLast([2, 0, 3, 3], [2, 0, 1, 1], {}, gpu, true)
  }, 60_000)
  test('the tiles of a large device', async () => {
    using large = await openSoftware({ tuning: 'nvidia' })
    await checkLast([2, 16, 9, 8], [64, 16, 3, 3], { padding: 1 }, large, true)
    await checkLast([3, 3, 9, 7], [20, 3, 3, 3], {}, large)
  }, 60_000)
  test('random geometries', async () => {
    const stream = random(29),
      pick = (...list: readonly number[]): number => list[Math.floor(stream.unit() * list.length)]!
    for (let i = 0; i < 6; i++) {
      const groups = pick(1, 1, 2),
        c = groups * pick(1, 4, 5)
      await checkLast(
        [pick(1, 2), c, pick(5, 8), pick(5, 9)],
        [groups * pick(1, 4, 6), c / groups, pick(1, 2, 3), pick(1, 3)],
        { groups, stride: pick(1, 2), dilation: pick(1, 2), padding: pick(0, 1, 2) },
        gpu,
        i % 2 === 0,
      )
    }
  }, 60_000)
  test('signals', async () => {
    const x = numbers([2, 4, 20]),
      w = numbers([6, 4, 3])
    using want = gpu.transpose(
      gpu.conv1d(gpu.tensor(x, [2, 4, 20]), gpu.tensor(w, [6, 4, 3]), { stride: 2, padding: 1 }),
      [0, 2, 1],
    )
    using got = gpu.conv1d(
      gpu.transpose(gpu.tensor(x, [2, 4, 20]), [0, 2, 1]),
      gpu.transpose(gpu.tensor(w, [6, 4, 3]), [2, 1, 0]),
      { stride: 2, padding: 1, layout: 'nhwc' },
    )
    expect(got.shape).toEqual(want.shape)
    expect(await farOff(got, [...(await want.read())], 4)).toBeLessThan(2e-6)
    expect(() => gpu.conv1d(want, gpu.tensor(w, [72]), { layout: 'nhwc' })).toThrow(
      'conv1d takes a signal [n, length, channels] and windows [width, channels, outputs]',
    )
  })
  test('what does not fit is said in its own words', () => {
    const x = gpu.fill([1, 5, 5, 2], 1)
    expect(() => gpu.conv2d(x, gpu.fill([3, 3], 1), { layout: 'nhwc' })).toThrow(
      '[rows, columns, channels ÷ groups, outputs]',
    )
    expect(() => gpu.conv2d(x, gpu.fill([3, 3, 5, 4], 1), { layout: 'nhwc' })).toThrow(
      'do not fit an image of 2 channels',
    )
    expect(() => gpu.conv2d(x, gpu.fill([3, 3, 2, 4], 1), { layout: 'chwn' as never })).toThrow(
      "conv2d knows no layout 'chwn'",
    )
  })
})

describe('a window for each channel', () => {
  test.each(someOf([3, 5, 7, 11]))('windows %i wide, one channel and several', async (k) => {
    await check([1, 1, 37, 41], [1, 1, k, k], { padding: k === 5 ? 0 : 'same' })
    await check([2, 3, 12, 35], [3, 1, k, k - (k === 7 ? 1 : 0)], { groups: 3, padding: [k - 1, 1] })
  }, 60_000)
  test('17 × 17, in half tiles where workgroups have 16 KiB', async () => {
    await check([2, 1, 19, 30], [1, 1, 12, 13])
    const adapter = await (await swiftShaderGpu()).requestAdapter()
    using least = await open({ device: await adapter!.requestDevice() }) // SwiftShader has one
    await check([1, 1, 40, 40], [1, 1, 17, 17], { padding: 8 }, least)
    await check([1, 2, 5, 20], [2, 1, 13, 13], { groups: 2, padding: 6 })
  }, 60_000)
  test('one row', async () => {
    for (const s of [1, 5, 9, 17]) await check([2, 3, 5, 50], [3, 1, 1, s], { groups: 3, padding: [0, 3] })
  }, 60_000)
})

describe('sums over channels', () => {
  test('strides, dilations, groups, 1 × 1', async () => {
    await check([2, 5, 12, 13], [7, 5, 3, 3], { padding: 1 })
    await check([1, 8, 9, 9], [33, 8, 1, 1])
    await check([2, 6, 15, 17], [8, 3, 3, 2], { groups: 2, stride: [2, 3], dilation: [1, 2], padding: [2, 1] })
    await check([1, 4, 11, 10], [8, 1, 3, 3], { groups: 4, stride: 2, padding: 'same' })
    await check([3, 1, 10, 10], [4, 1, 5, 5], { dilation: 2, padding: 4 })
  }, 60_000)
  test('the tiles of a large device', async () => {
    using large = await openSoftware({ tuning: 'nvidia' })
    await check([2, 3, 9, 11], [20, 3, 3, 3], {}, large)
    await check([4, 16, 8, 8], [64, 16, 3, 3], { padding: 1 }, large)
    using some = await openSoftware({ tuning: 'generic' }) // fewer cores: larger tiles
    await check([1, 3, 24, 32], [192, 3, 3, 3], { padding: 1 }, some)
    await check([1, 8, 25, 31], [192, 8, 1, 1], {}, some)
    await check([1, 8, 24, 32], [192, 8, 1, 1], {}, some)
  }, 60_000)
  test('random geometries', async () => {
    const stream = random(23)
    const pick = (...list: readonly number[]): number => list[Math.floor(stream.unit() * list.length)]!
    for (let round = 0; round < 14; round++) {
      const groups = pick(1, 1, 2, 3),
        i = pick(1, 2, 4)
      const r = pick(1, 2, 3),
        s = pick(1, 2, 3, 5)
      const stride = [pick(1, 1, 2, 3), pick(1, 2)] as const,
        dilation = [pick(1, 1, 2), pick(1, 1, 3)] as const
      const padding = stream.unit() < 0.3 ? 'same' : ([pick(0, 1, 3), pick(0, 2)] as const)
      const options: ConvOptions = { groups, stride, dilation, padding }
      /** An extent that the window fits into. */
      const room = (extent: number, axis: 0 | 1): number =>
        padding === 'same' ? extent : Math.max(extent, dilation[axis] * ([r, s][axis]! - 1) + 1 - 2 * padding[axis])
      await check(
        [pick(1, 2), i * groups, room(pick(1, 5, 8, 13), 0), room(pick(1, 4, 7, 16), 1)],
        [groups * pick(1, 3, 4), i, r, s],
        options,
        gpu,
        round,
      )
    }
  }, 60_000)
})

test('bias and activation are fused', async () => {
  for (const [n, ws] of [
    [2, [4, 3, 3, 3]],
    [1, [3, 1, 3, 3]],
    [3, [5, 3, 1, 2]],
  ] as const) {
    const xs: Four = [n, 3, 10, 12]
    const x = numbers(xs),
      w = numbers(ws, 2),
      bias = numbers([ws[0]], 3),
      groups = ws[1] === 1 ? 3 : 1
    const { shape, values } = convolved(x, xs, w, ws, { padding: 1, groups })
    const got = gpu.conv2d(gpu.tensor(x, xs), gpu.tensor(w, ws), {
      padding: 1,
      groups,
      bias: gpu.tensor(bias),
      activation: 'relu',
    })
    expect(
      await farOff(
        got,
        indices(shape).map((i, n) => Math.max(0, values[n]! + bias[i[1]!]!)),
        5,
      ),
    ).toBeLessThan(2e-6)
  }
})

test('signals', async () => {
  const x = numbers([2, 4, 100]),
    w = numbers([6, 4, 5], 2)
  const want = convolved(x, [2, 4, 1, 100], w, [6, 4, 1, 5], { stride: [1, 2], padding: [0, 3], dilation: [1, 2] })
  using got = gpu.conv1d(gpu.tensor(x, [2, 4, 100]), gpu.tensor(w, [6, 4, 5]), { stride: 2, padding: 3, dilation: 2 })
  expect(got.shape).toEqual([2, 6, want.shape[3]])
  expect(await farOff(got, want.values, 5)).toBeLessThan(2e-6)
})

describe('separable filters', () => {
  test.each(
    someOf([
      [[37, 45], 5, 5, 'same'],
      [[2, 3, 20, 33], 9, 3, 'same'],
      [[30, 31], 4, 7, 2],
      [[12, 70], 33, 17, [9, 5]],
      [[40, 20], 15, 30, 'same'],
      [[3, 0, 4], 3, 3, 'same'],
    ] as const),
  )(
    '%j, %i × %i taps, padding %j',
    async (shape, s, r, padding) => {
      const x = numbers(shape),
        rows = numbers([s], 2),
        columns = numbers([r], 3)
      const [h, w] = shape.slice(-2) as unknown as [number, number],
        planes = volume(shape.slice(0, -2))
      const window =
        columns.length && Float64Array.from({ length: r * s }, (_, i) => columns[Math.floor(i / s)]! * rows[i % s]!)
      const want = convolved(x, [planes, 1, h, w], window as Float64Array, [1, 1, r, s], { padding })
      using got = gpu.separableConv2d(gpu.tensor(x, shape), gpu.tensor(rows), gpu.tensor(columns), { padding })
      expect(got.shape).toEqual([...shape.slice(0, -2), ...want.shape.slice(2)])
      expect(await farOff(got, want.values, 1 + Math.sqrt(r * s))).toBeLessThan(2e-6)
    },
    60_000,
  )
})

test('nothing to add up, nothing to write', async () => {
  expect([
    ...(await gpu
      .conv2d(gpu.tensor([], [1, 0, 2, 2]), gpu.tensor([], [2, 0, 1, 1]), {
        bias: gpu.tensor([3, -4]),
        activation: 'relu',
      })
      .read()),
  ]).toEqual([3, 3, 3, 3, 0, 0, 0, 0])
  expect(gpu.conv2d(gpu.tensor([], [0, 1, 5, 5]), gpu.tensor(numbers([1, 1, 3, 3]), [1, 1, 3, 3])).shape).toEqual([
    0, 1, 3, 3,
  ])
})

test('windows that are larger than their image', () => {
  const x = gpu.fill([1, 1, 2, 5], 1),
    w = gpu.fill([1, 1, 3, 3], 1)
  expect(() => gpu.conv2d(x, w)).toThrow(
    'a window that reaches over 3 elements is larger than the image, which has 2 with its padding: [1, 1, 3, 3] on ' +
      '[1, 1, 2, 5] [conv2d.window]',
  )
  expect(() => gpu.conv2d(x, w, { padding: 1, dilation: [1, 4] })).toThrow('reaches over 9 elements')
  expect(() => gpu.conv1d(gpu.fill([1, 1, 4], 1), gpu.fill([1, 1, 5], 1))).toThrow('[conv1d.window]')
  expect(() => gpu.separableConv2d(x, gpu.fill([3], 1), gpu.fill([3], 1), { padding: 0 })).toThrow(
    'taps of 3 and 3 elements are more than the image [2, 5] has with its padding [separableConv2d.window]',
  )
  expect(gpu.conv2d(x, w, { padding: [1, 0] }).shape).toEqual([1, 1, 2, 3])
})

test('what is refused', () => {
  const x = gpu.tensor(numbers([1, 4, 5, 5]), [1, 4, 5, 5]),
    w = gpu.tensor(numbers([2, 3, 3, 3]), [2, 3, 3, 3])
  expect(() => gpu.conv2d(x, w)).toThrow(
    'windows [2, 3, 3, 3] in 1 group do not fit an image of 4 channels [conv2d.channels]',
  )
  expect(() => gpu.conv2d(x, gpu.tensor([1]))).toThrow('the window of conv2d has the shape [1]; it needs four axes')
  expect(() => gpu.conv2d(x, gpu.tensor(numbers([2, 4, 1, 1]), [2, 4, 1, 1]), { stride: 0 })).toThrow(
    "'stride' of conv2d is an integer from 1 or two of them, not 0",
  )
  expect(() => gpu.conv2d(x, gpu.tensor(numbers([2, 4, 1, 1]), [2, 4, 1, 1]), { bias: gpu.tensor([1, 2, 3]) })).toThrow(
    'a bias has the shape [2], not [3]',
  )
  expect(() => gpu.separableConv2d(x, gpu.fill([34], 1), gpu.fill([3], 1))).toThrow(
    'taps are a vector of 1 to 33, not [34]',
  )
})
