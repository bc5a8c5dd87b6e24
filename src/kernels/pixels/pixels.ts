// Images in and out. In: what a page has pixels in, or a texture. Out: a tensor of numbers from 0 to 1, and the way
// back. The one idea: WebGPU copies pixels between images, textures and buffers as bytes; a kernel makes numbers of the
// bytes of a buffer, or bytes of numbers, so that no image passes through the host (but `ImageData`, which is there).
import { checkOptions, checkWord, described } from '../checks.ts'
import type { Core } from '../device/core.ts'
import { bufferOf } from '../device/memory.ts'
import { refuse } from '../error.ts'
import type { Hook } from '../fusion/adapted-text.ts'
import { lanes } from '../fusion/hooks.ts'
import { computed } from '../map/map.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import { blank, checkTensors, floating, tensor, type Shape, type Tensor } from '../tensor.ts'

/** What pixels can be taken from. */
export type PixelSource = ImageData | ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | GPUTexture

export interface PixelOptions extends ResultOptions {
  /** 3 when absent: red, green, blue; 4 with alpha, as it is kept; 1: luma, 0.2126 r + 0.7152 g + 0.0722 b. */
  readonly channels?: 1 | 3 | 4
  /** As of `conv2d`: [1, channels, rows, columns] when absent, or (`nhwc`) [1, rows, columns, channels]. */
  readonly layout?: 'nchw' | 'nhwc'
}

/** Formats of four bytes, and whether blue is the first of them. */
const formats: Readonly<Record<string, boolean>> = {
  rgba8unorm: false,
  'rgba8unorm-srgb': false,
  bgra8unorm: true,
  'bgra8unorm-srgb': true,
}
/** What WebGPU calls what textures are used for. */
const usage = { copySource: 1, copyTarget: 2, textureBinding: 4, renderAttachment: 16 } as const

/** Words of a row in a buffer that textures are copied from and to. */
const pitchOf = (width: number): number => Math.ceil(width / 64) * 64

/** Pixels in a buffer, four bytes each. */
interface Pixels {
  readonly words: Tensor<'u32'>
  readonly width: number
  readonly height: number
  readonly pitch: number
  readonly isBlueFirst: boolean
}

/**
 * The pixels of an image as f32 from 0 to 1, as they are coded (sRGB stays sRGB, alpha is not multiplied in): of an
 * `ImageData`, `ImageBitmap`, canvas or image element, or of a `GPUTexture` of the formats rgba8unorm and bgra8unorm
 * with the usage COPY_SRC. Throws a `TeselaError` where there are none to be had.
 */
export function fromPixels(core: Core, source: PixelSource, options: PixelOptions = {}): Tensor<'f32'> {
  checkOptions('fromPixels', options, ['channels', 'layout', 'out'])
  const { channels = 3, layout = 'nchw', out } = options
  checkWord('fromPixels', 'layout', layout, ['nchw', 'nhwc'])
  if (![1, 3, 4].includes(channels))
    refuse('fromPixels.channels', `an image has 1, 3 or 4 channels, not ${described(channels)}`)
  const { width, height } = sizeOf(source)
  const shape: Shape = layout === 'nchw' ? [1, channels, height, width] : [1, height, width, channels]
  return resultOf(core, 'fromPixels', out, { shape, dtype: 'f32', inputs: {} }, (to) => {
    const pixels = wordsOf(core, source, width, height)
    using words = pixels.words
    const result = to ?? blank(core, shape, 'f32')
    computed(result, 'f32', [unpacking(pixels, channels, layout)], `${channels} ${layout} ${pixels.isBlueFirst}`, words)
    return result
  })
}

const isTexture = (x: object): x is GPUTexture => 'createView' in x
const isImageData = (x: object): x is ImageData => 'data' in x && 'width' in x

/** Columns and rows of what has pixels. Throws where it has none. */
function sizeOf(source: unknown): { readonly width: number; readonly height: number } {
  const wrong = (why: string, hint: string): never => refuse('fromPixels.source', why, hint)
  const kinds = 'an ImageData, ImageBitmap, canvas, image element or GPUTexture'
  if (typeof source !== 'object' || source === null) return wrong(`${described(source)} has no pixels`, kinds)
  const { naturalWidth, naturalHeight, width, height } = source as Readonly<Record<string, unknown>> // looked at below
  if ('displayWidth' in source || 'videoWidth' in source)
    wrong(`pixels of ${described(source)} are not copied as they are`, 'await createImageBitmap(…) of it')
  const size = { width: Number(naturalWidth ?? width), height: Number(naturalHeight ?? height) }
  if (Number.isNaN(size.width + size.height)) wrong(`${described(source)} has no pixels`, kinds)
  if (size.width < 1 || size.height < 1)
    wrong(`${described(source)} of ${size.width} × ${size.height} has no pixels`, 'it was closed, or is not loaded yet')
  return size
}

/** Throws unless a texture is one of pixels that can be copied. */
function checkTexture(what: string, texture: GPUTexture, needed: number, name: string): boolean {
  const isBlueFirst = formats[texture.format]
  if (isBlueFirst === undefined || texture.dimension !== '2d' || texture.sampleCount > 1)
    refuse(
      `${what}.format`,
      `${what} takes a flat texture of ${Object.keys(formats).join(', ')}, not one of ${texture.format}` +
        `${texture.sampleCount > 1 ? ` with ${texture.sampleCount} samples` : ''}`,
    )
  if (!(texture.usage & needed)) refuse(`${what}.usage`, `the texture of ${what} needs the usage ${name}`)
  return isBlueFirst
}

/** The bytes of an image in a buffer. */
function wordsOf(core: Core, source: PixelSource, width: number, height: number): Pixels {
  if (isImageData(source)) {
    const { data } = source
    if (!(data instanceof Uint8ClampedArray)) refuse('fromPixels.source', `pixels are bytes, not ${described(data)}`)
    if (data.length !== 4 * width * height)
      refuse('fromPixels.source', `pixels of ${width} × ${height} are ${4 * width * height} bytes, not ${data.length}`)
    const words = tensor(core, new Uint32Array(Uint8Array.from(data).buffer))
    return { words, width, height, pitch: width, isBlueFirst: false }
  }
  const pitch = pitchOf(width),
    texture = isTexture(source) ? source : drawn(core, source, width, height)
  const isBlueFirst = checkTexture('fromPixels', texture, usage.copySource, 'COPY_SRC')
  const words = blank(core, [pitch * height], 'u32', texture !== source)
  core.encode([], [words.memory], 'a copy of an image', texture !== source, (encoder) =>
    encoder.copyTextureToBuffer({ texture }, { buffer: bufferOf(words.memory), bytesPerRow: 4 * pitch }, [
      width,
      height,
    ]),
  )
  if (texture !== source) texture.destroy()
  return { words, width, height, pitch, isBlueFirst }
}

/** A texture with the image, copied by the queue. */
function drawn(
  core: Core,
  source: Exclude<PixelSource, ImageData | GPUTexture>,
  width: number,
  height: number,
): GPUTexture {
  const most = core.device.limits.maxTextureDimension2D
  if (Math.max(width, height) > most)
    refuse('fromPixels.size', `an image of ${width} × ${height} is larger than a texture of this device, ${most}`)
  const { copySource, copyTarget, textureBinding, renderAttachment } = usage
  const texture = core.device.createTexture({
    size: [width, height],
    format: 'rgba8unorm',
    usage: copySource | copyTarget | textureBinding | renderAttachment,
  })
  try {
    core.device.queue.copyExternalImageToTexture({ source }, { texture }, [width, height])
  } catch (e) {
    texture.destroy()
    // what is closed, of another origin, or no image
    refuse('fromPixels.source', `the pixels of ${described(source)} cannot be copied: ${(e as Error).message}`)
  }
  return texture
}

const fieldsOf = (sizes: Readonly<Record<string, number>>): Hook['fields'] =>
  Object.entries(sizes).map(([name, value]) => ({ name, type: 'u32', value }))

/** Loads of element e of an image from words. */
function unpacking({ words, width, height, pitch, isBlueFirst }: Pixels, channels: number, layout: string): Hook {
  const [c, x, y] =
    layout === 'nchw'
      ? ['e / (params.ph * params.pw)', 'e % params.pw', 'e / params.pw % params.ph']
      : [`e % ${channels}u`, `e / ${channels}u % params.pw`, `e / (${channels}u * params.pw)`]
  const value = channels === 1 ? 'dot(v.xyz, vec3<f32>(0.2126, 0.7152, 0.0722))' : `v[${c}]`
  return {
    array: 'x',
    bindings: [{ name: 'pixels', buffer: words.memory, typeOf: () => 'u32' }],
    fields: fieldsOf({ pw: width, ph: height, pp: pitch }),
    functions:
      `fn pixel(e: u32) -> f32 {\n  let v = unpack4x8unorm(pixels[${y} * params.pp + ${x}])` +
      `${isBlueFirst ? '.zyxw' : ''};\n  return ${value};\n}\n`,
    body: (n) => `  return ${lanes(n, 'f32', (k) => `pixel(i * ${n}u + ${k}u)`)};`,
  }
}

/**
 * Draws a tensor of f32 (f16) into a texture: [rows, columns] of grey, [channels, rows, columns] of 1, 3 or 4 channels,
 * or (`layout: 'nhwc'`) [rows, columns, channels]; axes of extent 1 may come before. Numbers from 0 to 1 are rounded to
 * bytes, what is outside is cut off, NaN is 0; without a fourth channel all is opaque. The texture has the size of the
 * image, a format of rgba8unorm or bgra8unorm, and the usage COPY_DST. Throws a `TeselaError` where it does not fit.
 */
export function toPixels(core: Core, x: Tensor, texture: GPUTexture, options: Pick<PixelOptions, 'layout'> = {}): void {
  const image = imageOf(core, 'toPixels', x, options),
    { width, height } = image
  if (typeof texture !== 'object' || texture === null || !isTexture(texture))
    refuse(
      'toPixels.target',
      `pixels go to a GPUTexture, not to ${described(texture)}`,
      'toImageData gives what a canvas draws; context.getCurrentTexture() is the texture of one',
    )
  const isBlueFirst = checkTexture('toPixels', texture, usage.copyTarget, 'COPY_DST')
  if (texture.width !== width || texture.height !== height)
    refuse(
      'toPixels.size',
      `an image of ${width} × ${height} does not fill a texture of ${texture.width} × ${texture.height}`,
    )
  const pitch = pitchOf(width)
  using words = packed(core, x, image, pitch, isBlueFirst)
  core.encode([words.memory], [], 'a copy to a texture', false, (encoder) =>
    encoder.copyBufferToTexture({ buffer: bufferOf(words.memory), bytesPerRow: 4 * pitch }, { texture }, [
      width,
      height,
    ]),
  )
}

/**
 * The pixels of a tensor, as `toPixels` draws them, for `putImageData`, `createImageBitmap`, or a file. Waits for the
 * device. Where there is no `ImageData` (Node), an object like one.
 */
export async function toImageData(
  core: Core,
  x: Tensor,
  options: Pick<PixelOptions, 'layout'> = {},
): Promise<ImageData> {
  const image = imageOf(core, 'toImageData', x, options),
    { width, height } = image
  using words = packed(core, x, image, width, false)
  const data = new Uint8ClampedArray((await words.read()).buffer)
  return typeof ImageData === 'undefined'
    ? ({ data, width, height, colorSpace: 'srgb' } as ImageData)
    : new ImageData(data, width, height)
}

/** The words of an image, rows `pitch` of them apart. */
function packed(core: Core, x: Tensor, image: Image, pitch: number, isBlueFirst: boolean): Tensor<'u32'> {
  const words = blank(core, [pitch * image.height], 'u32'),
    { channels, layout } = image
  computed(words, 'u32', [packing(x, image, pitch, isBlueFirst)], `pack ${channels} ${layout} ${isBlueFirst}`, x)
  return words
}

interface Image {
  readonly channels: number
  readonly height: number
  readonly width: number
  readonly layout: 'nchw' | 'nhwc'
}

/** The image that a tensor is. Throws where it is none. */
function imageOf(core: Core, what: string, x: Tensor, options: Pick<PixelOptions, 'layout'>): Image {
  checkTensors(core, what, { x })
  checkOptions(what, options, ['layout'])
  const { layout = 'nchw' } = options,
    { shape } = x
  checkWord(what, 'layout', layout, ['nchw', 'nhwc'])
  floating(what, { x })
  const extra = shape.slice(0, Math.max(0, shape.length - 3)),
    own = shape.slice(extra.length)
  const [a = 0, b = 0, c = 0] = own
  const of = (channels: number, height: number, width: number): Image => ({ channels, height, width, layout })
  const three = layout === 'nchw' ? of(a, b, c) : of(c, a, b),
    found = own.length === 2 ? of(1, a, b) : three
  const isImage = [1, 3, 4].includes(found.channels) && found.height * found.width > 0
  if (own.length < 2 || extra.some((d) => d !== 1) || !isImage)
    refuse(
      `${what}.shape`,
      `a tensor of shape [${shape.join(', ')}] is no image`,
      `[rows, columns], or ${layout === 'nchw' ? '[channels, rows, columns]' : '[rows, columns, channels]'}`,
    )
  return found
}

/** Words of pixels from the elements of a tensor; beside the image, zeros. */
function packing(x: Tensor, { channels, width, height, layout }: Image, pitch: number, isBlueFirst: boolean): Hook {
  const at = (c: number): string =>
    layout === 'nchw' ? `${c}u * params.ph * params.pw + at` : `at * ${channels}u + ${c}u`
  const value = (c: number): string => (c < channels ? `number(image[${at(c)}])` : '1.0'),
    all = channels === 1 ? [value(0), value(0), value(0), '1.0'] : [0, 1, 2, 3].map(value)
  return {
    array: 'x',
    bindings: [{ name: 'image', buffer: x.memory, typeOf: () => 'f32' }],
    fields: fieldsOf({ pw: width, ph: height, pp: pitch }),
    functions:
      'fn number(x: f32) -> f32 {\n  return select(x, 0.0, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);\n}\n' +
      'fn pixel(e: u32) -> u32 {\n  let column = e % params.pp;\n' +
      '  let at = e / params.pp * params.pw + min(column, params.pw - 1u);\n' +
      `  let v = vec4<f32>(${all.join(', ')})${isBlueFirst ? '.zyxw' : ''};\n` +
      '  return select(0u, pack4x8unorm(v), column < params.pw);\n}\n',
    body: (n) => `  return ${lanes(n, 'u32', (k) => `pixel(i * ${n}u + ${k}u)`)};`,
  }
}
