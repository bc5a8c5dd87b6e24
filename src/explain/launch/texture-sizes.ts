// Textures of a launch. In: a kernel's texture and what the user said. Out: its size in texels, its bytes, what is in
// it. The one idea: a texture is an array of texels; one that nobody sized has a texel per invocation along each axis,
// and is doubled while that keeps reads inside.
import { fail, type Random } from '../../base/index.ts'
import { bytesOf, type Dim3, f16Bits, hostArray, texelBytes, type TextureSpec } from '../../ir/index.ts'
import type { WgslBinding, WgslKernel, WgslTexture } from '../../frontend/wgsl/index.ts'
import type { BufferSpec, ExplainLaunch, TextureShape } from '../types.ts'

const limits = { side: 16384, volume: 2048, layers: 2048, levels: 15, guessedTexels: 2 ** 24 } as const

/** What `parseWgsl` needs of the textures that a launch names; positions count among the bindings of `wgsl`. */
export function textureSpecs(launch: ExplainLaunch, wgsl?: WgslKernel): Readonly<Record<string, TextureSpec>> {
  const named = Object.entries(launch.buffers ?? {}).flatMap(([key, spec]) => {
    const name = wgsl?.bindings.some((b) => b.name === key) ? key : (wgsl?.bindings[Number(key)]?.name ?? key)
    return spec.texture ? [[name, checkedSpec(name, spec.texture)] as const] : []
  })
  return Object.fromEntries(named)
}

const whole = (n: number, most: number): boolean => Number.isInteger(n) && n >= 1 && n <= most

function checkedSpec(name: string, { format, levels, samples }: TextureShape): TextureSpec {
  if (levels !== undefined && !whole(levels, limits.levels))
    fail('explain.texture', `texture '${name}' cannot have ${levels} levels: 1 to ${limits.levels} are possible`)
  if (samples !== undefined && samples !== 1 && samples !== 4)
    fail('explain.texture', `texture '${name}' cannot have ${samples} samples: 1 and 4 are possible`)
  return {
    ...(format !== undefined && { format }),
    ...(levels !== undefined && { levels }),
    ...(samples !== undefined && { samples }),
  }
}

/** Texels along each axis. Throws `explain.texture` for sizes that WebGPU has not. */
export function textureExtent(
  binding: WgslBinding,
  texture: WgslTexture,
  spec: BufferSpec,
  grid: Dim3,
  block: Dim3,
): Dim3 {
  if (spec.bytes !== undefined || spec.count !== undefined)
    fail(
      'explain.texture',
      `'${binding.name}' is a texture (${binding.type})`,
      binding.at,
      `size it like --buffer ${binding.name}=${texture.format.name}[256x256]`,
    )
  const given = spec.texture?.size
  return given ? checkedSize(binding, texture, given) : guess(texture, grid, block)
}

function checkedSize(
  { name, at, type }: WgslBinding,
  { type: { shape, arrayed }, levels }: WgslTexture,
  [x, y, z]: Dim3,
): Dim3 {
  const refuse = (why: string): never =>
    fail('explain.texture', `texture '${name}' cannot be ${x}×${y}×${z}: ${why}`, at)
  const side = shape === '3d' ? limits.volume : limits.side
  if (![x, y].every((n) => whole(n, side)) || !whole(z, limits.layers))
    refuse(`sides may have ${side} texels, depth and layers ${limits.layers}`)
  if (shape === '1d' && (y > 1 || z > 1)) refuse(`${type} has one side`)
  if (shape === '2d' && !arrayed && z > 1) refuse(`${type} has no layers`)
  if (shape === 'cube' && (x !== y || z % 6 !== 0 || (!arrayed && z !== 6)))
    refuse('a cube has square faces, six of them')
  if (levels > 1 + Math.floor(Math.log2(Math.max(x, y, shape === '3d' ? z : 1)))) refuse(`it has no ${levels} levels`)
  return [x, y, z]
}

function guess({ type: { shape, arrayed }, levels }: WgslTexture, grid: Dim3, block: Dim3): Dim3 {
  const least = 2 ** (levels - 1)
  const [x, y, z] = grid.map((n, i) =>
    Math.max(least, Math.min(n * block[i]!, shape === '3d' ? limits.volume : limits.side)),
  ) as [number, number, number] // of three
  const sides: [number, number, number] =
    shape === '1d'
      ? [x, 1, 1]
      : shape === 'cube'
        ? [Math.max(x, y), Math.max(x, y), 6]
        : shape === '3d'
          ? [x, y, z]
          : [x, y, arrayed ? Math.min(z, 256) : 1]
  while (sides[0] * sides[1] * sides[2] > limits.guessedTexels) halve(sides, shape === 'cube')
  return sides
}

function halve(sides: [number, number, number], square: boolean): void {
  const longest = sides.indexOf(Math.max(...sides))
  for (const axis of square ? [0, 1] : [longest]) sides[axis] = Math.ceil(sides[axis]! / 2)
}

/** Twice as many texels along each side, when limits allow it. */
export function doubled({ type: { shape } }: WgslTexture, [x, y, z]: Dim3): Dim3 | null {
  const next: Dim3 = [2 * x, shape === '1d' ? 1 : 2 * y, shape === '3d' ? 2 * z : z]
  return next[0] * next[1] * next[2] <= limits.guessedTexels &&
    Math.max(next[0], next[1]) <= (shape === '3d' ? limits.volume : limits.side)
    ? next
    : null
}

/** Bytes of all levels and samples. */
export function textureBytes({ type: { shape }, format, levels, samples }: WgslTexture, [x, y, z]: Dim3): number {
  const side = (n: number, level: number): number => Math.max(1, n >> level)
  const texels = Array.from(
    { length: levels },
    (_, l) => side(x, l) * (shape === '1d' ? 1 : side(y, l)) * (shape === '3d' ? side(z, l) : z),
  ).reduce((a, b) => a + b, 0)
  return Math.ceil((texels * texelBytes(format) * samples) / 4) * 4
}

/** Random texels: any bits for normalized formats, floats in [0, 1); integers only when asked for, else 0. */
export function scatterTexels(bytes: ArrayBuffer, { format }: WgslTexture, integers: boolean, r: Random): void {
  if (format.code === 'integer' && !integers) return
  const view = hostArray(format.memory, bytes, 0, Math.floor(bytes.byteLength / bytesOf[format.memory]))
  // The highest bit of each exponent of a packed float is left 0: values stay below 2.
  const mask = format.name === 'rg11b10ufloat' ? 0x7fdffbff : format.name === 'rgb9e5ufloat' ? 0x7fffffff : 0xffffffff
  for (let i = 0; i < view.length; i++)
    view[i] = format.code !== 'float' ? (r.bits() & mask) >>> 0 : format.memory === 'f16' ? f16Bits(r.unit()) : r.unit()
}

/** 0, 1, 2 … channel by channel; wraps round what a channel holds. */
export function countTexels(bytes: ArrayBuffer, { format }: WgslTexture): void {
  const view = hostArray(format.memory, bytes, 0, Math.floor(bytes.byteLength / bytesOf[format.memory]))
  for (let i = 0; i < view.length; i++) view[i] = format.memory === 'f16' ? f16Bits(i) : i
}
