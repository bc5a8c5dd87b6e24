// Images in and out on SwiftShader: bytes become numbers and come back, through `ImageData` and textures of both
// orders, at widths that rows of buffers are not made for; what has no pixels is refused. In a page:
// browser/pixels.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import type { Gpu, Tensor } from '../../../src/kernels/index.ts'
import { openSoftware } from '../language.ts'

let gpu: Gpu, device: GPUDevice
beforeAll(async () => {
  gpu = await openSoftware()
  device = gpu.core.device
})
afterAll(() => gpu.dispose())

const bytesOf = (width: number, height: number, seed = 1): Uint8ClampedArray<ArrayBuffer> => {
  const stream = random(seed)
  return Uint8ClampedArray.from({ length: 4 * width * height }, () => Math.floor(256 * stream.unit()))
}
const imageOf = (width: number, height: number): ImageData =>
  ({ data: bytesOf(width, height), width, height, colorSpace: 'srgb' }) as ImageData
const texture = (width: number, height: number, format: GPUTextureFormat, usage = 1 | 2): GPUTexture =>
  device.createTexture({ size: [width, height], format, usage }) // COPY_SRC, COPY_DST
const swapped = (bytes: ArrayLike<number>): number[] =>
  Array.from(bytes, (_, i) => bytes[i % 4 === 3 || i % 4 === 1 ? i : i % 4 === 0 ? i + 2 : i - 2]!)

/** The bytes of a texture, by WebGPU alone. */
async function bytesIn(t: GPUTexture): Promise<number[]> {
  const bytesPerRow = Math.ceil((4 * t.width) / 256) * 256
  const buffer = device.createBuffer({ size: bytesPerRow * t.height, usage: 1 | 8 }),
    encoder = device.createCommandEncoder()
  encoder.copyTextureToBuffer({ texture: t }, { buffer, bytesPerRow }, [t.width, t.height])
  device.queue.submit([encoder.finish()])
  await buffer.mapAsync(1)
  const all = new Uint8Array(buffer.getMappedRange())
  return Array.from({ length: t.height }, (_, y) => [
    ...all.subarray(y * bytesPerRow, y * bytesPerRow + 4 * t.width),
  ]).flat()
}

const luma = (r: number, g: number, b: number): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
/** What a tensor of such an image holds. */
function wanted(bytes: ArrayLike<number>, pixels: number, channels: number, layout: string): number[] {
  const of = (c: number, p: number): number => bytes[4 * p + c]! / 255
  const value = (c: number, p: number): number => (channels === 1 ? luma(of(0, p), of(1, p), of(2, p)) : of(c, p))
  return Array.from({ length: pixels * channels }, (_, e) =>
    layout === 'nchw' ? value(Math.floor(e / pixels), e % pixels) : value(e % channels, Math.floor(e / channels)),
  )
}
async function near(t: Tensor, want: readonly number[]): Promise<void> {
  const got = await t.read()
  expect(got.length).toBe(want.length)
  for (const [i, w] of want.entries()) expect(Math.abs(got[i]! - w), `element ${i}`).toBeLessThan(1e-6)
}

describe.each([
  [1, 1],
  [5, 3],
  [64, 2],
  [67, 9],
])('%i × %i', (width, height) => {
  const bytes = bytesOf(width, height),
    pixels = width * height
  test.each([
    [1, 'nchw'],
    [3, 'nchw'],
    [4, 'nchw'],
    [1, 'nhwc'],
    [3, 'nhwc'],
    [4, 'nhwc'],
  ] as const)('%i channels, %s, there and back', async (channels, layout) => {
    const want = wanted(bytes, pixels, channels, layout)
    const t = gpu.fromPixels(imageOf(width, height), { channels, layout })
    expect(t.shape).toEqual(layout === 'nchw' ? [1, channels, height, width] : [1, height, width, channels])
    await near(t, want)
    for (const format of ['rgba8unorm', 'bgra8unorm'] as const) {
      const to = texture(width, height, format)
      gpu.toPixels(t, to, { layout })
      const back = await bytesIn(to),
        rgba = format === 'rgba8unorm' ? back : swapped(back)
      for (let p = 0; p < pixels; p++)
        for (let c = 0; c < 4; c++) {
          const of =
            layout === 'nchw'
              ? (channel: number) => want[channel * pixels + p]!
              : (channel: number) => want[p * channels + channel]!
          const value = channels === 1 ? (c < 3 ? of(0) : 1) : c < channels ? of(c) : 1
          expect(Math.abs(rgba[4 * p + c]! - 255 * value)).toBeLessThanOrEqual(0.501)
        }
      await near(gpu.fromPixels(to, { channels: 4 }), wanted(rgba, pixels, 4, 'nchw'))
      to.destroy()
      expect([...(await gpu.toImageData(t, { layout })).data]).toEqual(rgba)
    }
  })
})

test('numbers outside are cut off, NaN is 0, and grey has two axes', async () => {
  const to = texture(6, 1, 'rgba8unorm')
  gpu.toPixels(gpu.tensor([-1, 2, NaN, Infinity, -Infinity, 0.5], [1, 6]), to)
  const grey = (await bytesIn(to)).filter((_, i) => i % 4 === 0)
  expect(grey).toEqual([0, 255, 0, 255, 0, 128])
  to.destroy()
})

test('into memory of the caller, and through an encoder of the caller', async () => {
  const [from, to] = [texture(5, 3, 'rgba8unorm'), texture(5, 3, 'bgra8unorm')]
  gpu.toPixels(gpu.fromPixels(imageOf(5, 3), { channels: 4 }), from)
  const place = gpu.fill([1, 4, 3, 5], 7),
    encoder = device.createCommandEncoder()
  gpu.record(encoder, () => {
    expect(gpu.fromPixels(from, { channels: 4, out: place })).toBe(place)
    gpu.toPixels(gpu.map('1 - x', { x: place }), to)
  })
  device.queue.submit([encoder.finish()])
  gpu.submitted(encoder)
  const bytes = bytesOf(5, 3)
  await near(place, wanted(bytes, 15, 4, 'nchw'))
  expect(swapped(await bytesIn(to))).toEqual(Array.from(bytes, (b) => 255 - b))
  for (const t of [from, to]) t.destroy()
})

describe('refused by name', () => {
  const grey = (): Tensor => gpu.fill([2, 3], 0.5)
  const cases: Readonly<Record<string, () => unknown>> = {
    'null has no pixels [fromPixels.source]': () => gpu.fromPixels(null as never),
    'a Float32Array has no pixels [fromPixels.source]': () => gpu.fromPixels(new Float32Array(4) as never),
    'an object of 0 × 0 has no pixels [fromPixels.source]\n  hint: it was closed, or is not loaded yet': () =>
      gpu.fromPixels({ width: 0, height: 0 } as never),
    'pixels are bytes, not a Float32Array [fromPixels.source]': () =>
      gpu.fromPixels({ data: new Float32Array(4), width: 1, height: 1 } as never),
    'pixels of 2 × 2 are 16 bytes, not 4 [fromPixels.source]': () =>
      gpu.fromPixels({ data: new Uint8ClampedArray(4), width: 2, height: 2 } as never),
    'an image has 1, 3 or 4 channels, not 2 [fromPixels.channels]': () =>
      gpu.fromPixels(imageOf(1, 1), { channels: 2 as never }),
    "fromPixels has no option 'chanels' [fromPixels.options]\n  hint: did you mean 'channels'?": () =>
      gpu.fromPixels(imageOf(1, 1), { chanels: 1 } as never),
    'fromPixels takes a flat texture of rgba8unorm, rgba8unorm-srgb, bgra8unorm, bgra8unorm-srgb, not one of r8unorm':
      () => gpu.fromPixels(texture(2, 2, 'r8unorm')),
    'the texture of fromPixels needs the usage COPY_SRC [fromPixels.usage]': () =>
      gpu.fromPixels(texture(2, 2, 'rgba8unorm', 2)),
    'the texture of toPixels needs the usage COPY_DST [toPixels.usage]': () =>
      gpu.toPixels(grey(), texture(3, 2, 'rgba8unorm', 1)),
    'an image of 3 × 2 does not fill a texture of 2 × 3 [toPixels.size]': () =>
      gpu.toPixels(grey(), texture(2, 3, 'rgba8unorm')),
    'a tensor of shape [2, 2, 3] is no image [toPixels.shape]\n  hint: [rows, columns], or [channels, rows, colu': () =>
      gpu.toPixels(gpu.fill([2, 2, 3], 0), texture(3, 2, 'rgba8unorm')),
    'a tensor of shape [2, 3, 2, 3] is no image': () =>
      gpu.toPixels(gpu.fill([2, 3, 2, 3], 0), texture(3, 2, 'rgba8unorm')),
    'a tensor of shape [6] is no image': () => gpu.toPixels(gpu.fill([6], 0), texture(3, 2, 'rgba8unorm')),
    'toPixels computes in f32 and f16, and its x is i32 [tensor.dtype]': () =>
      gpu.toPixels(gpu.tensor(new Int32Array(6), [2, 3]), texture(3, 2, 'rgba8unorm')),
    'pixels of an object are not copied as they are [fromPixels.source]\n  hint: await createImageBitmap': () =>
      gpu.fromPixels({ displayWidth: 4, displayHeight: 4 } as never),
    'pixels go to a GPUTexture, not to an object [toPixels.target]': () => gpu.toPixels(grey(), {} as never),
  }
  test.each(Object.keys(cases))('%s', (message) => {
    expect(cases[message]!).toThrow(message)
  })
})
