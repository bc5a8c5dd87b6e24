// One texel: where it lies, its channels out of memory and into it. In: a texture and whole coordinates. Out: values.
// The one idea: texels lie level after level, layer after layer, row after row along x, samples of a texel side by
// side; how hardware tiles textures is unknown. Arithmetic on addresses and formats is the texture unit's: executed,
// not counted.
import { constOf } from '../kernel/kernel-build.ts'
import type { Operand } from '../kernel/kernel.ts'
import { texelBytes, type TexelFormat } from './formats.ts'
import { unpackHalf } from './half.ts'
import type { TexelArray, TexelBuilder } from './texture.ts'

/** Whole coordinates of any integer type; what a texture does not have is left out. */
export interface TexelPlace {
  /** One to three of them, by the texture's shape. */
  readonly at: readonly Operand[]
  readonly layer?: Operand
  readonly level?: Operand
  readonly sample?: Operand
}

const u = (x: number): Operand => constOf('u32', x)
const f = (x: number): Operand => constOf('f32', x)
const word = (k: TexelBuilder, o: Operand): Operand => k.apply('convert', [o], 'u32')

/** Texels along an axis of a level; layers do not shrink. */
export function extent(k: TexelBuilder, t: TexelArray, axis: 0 | 1 | 2, level: Operand | undefined): Operand {
  const full = t.size(axis)
  const shrinks = t.levels > 1 && (axis < 2 || t.type.shape === '3d') && !(axis === 1 && t.type.shape === '1d')
  return shrinks && level ? k.apply('max', [k.apply('shr', [full, word(k, level)]), u(1)]) : full
}

export const dimensions = (t: TexelArray): number => ({ '1d': 1, '2d': 2, cube: 2, '3d': 3 })[t.type.shape]

/** Texels before each level. */
function levelStarts(k: TexelBuilder, t: TexelArray): Operand[] {
  const starts: Operand[] = [u(0)]
  for (let level = 0; level + 1 < t.levels; level++) {
    const texels = ([0, 1, 2] as const)
      .map((axis) => extent(k, t, axis, u(level)))
      .reduce((a, b) => k.apply('mul', [a, b]))
    starts.push(k.apply('add', [starts[level]!, texels]))
  }
  return starts
}

/** The number of the texel, and whether the place lies in the texture. */
function locate(k: TexelBuilder, t: TexelArray, p: TexelPlace): { readonly index: Operand; readonly inside: Operand } {
  const [x, y = u(0), z = p.layer ?? u(0)] = p.at.map((o) => word(k, o))
  const [width, height, depth] = ([0, 1, 2] as const).map((axis) => extent(k, t, axis, p.level))
  const below = (o: Operand, size: Operand): Operand => k.apply('lt', [o, size])
  const layer = p.layer === undefined ? z : word(k, p.layer)
  const limits = [
    below(x!, width!),
    ...(p.at.length > 1 ? [below(y, height!)] : []),
    ...(p.at.length > 2 ? [below(z, depth!)] : []),
    ...(p.layer ? [below(layer, depth!)] : []),
  ]
  if (p.level) limits.push(below(word(k, p.level), u(t.levels)))
  if (p.sample) limits.push(below(word(k, p.sample), u(t.samples)))
  const row = k.apply('add', [k.apply('mul', [p.at.length > 2 ? z : layer, height!]), y])
  const texel = k.apply('add', [k.apply('mul', [row, width!]), x!])
  const first =
    p.level && t.levels > 1
      ? levelStarts(k, t).reduce(
          (rest, start, i) =>
            i === 0 ? start : k.apply('select', [k.apply('eq', [word(k, p.level!), u(i)]), start, rest]),
          u(0),
        )
      : u(0)
  const index = k.apply('add', [first, texel])
  const sampled = p.sample ? k.apply('add', [k.apply('mul', [index, u(t.samples)]), word(k, p.sample)]) : index
  return { index: sampled, inside: limits.reduce((a, b) => k.apply('land', [a, b])) }
}

/** An index that no texture has: the access does not happen. */
const nowhere = u(0xffffffff)

const addressed = (k: TexelBuilder, t: TexelArray, p: TexelPlace): Operand =>
  k.free(() => {
    const { index, inside } = locate(k, t, p)
    return k.apply('select', [inside, index, nowhere])
  })

/** The four channels at a place; zeros in memory where there is none. `follows`: part of the request before it. */
export function loadTexel(k: TexelBuilder, t: TexelArray, p: TexelPlace, follows = false): readonly Operand[] {
  const { format } = t
  const raw = k.loadVector(format.lanes, t.resource, addressed(k, t, p), {
    type: format.memory,
    stride: texelBytes(format),
    name: t.resource.name,
    ...(follows && { free: true }),
  })
  return k.free(() => decode(k, format, raw))
}

/** Stores four channels at a place, or nothing where there is none. */
export function storeTexel(k: TexelBuilder, t: TexelArray, p: TexelPlace, value: readonly Operand[]): void {
  const { format } = t
  const raw = k.free(() => encode(k, format, value))
  k.store(t.resource, addressed(k, t, p), raw, { type: format.memory, stride: texelBytes(format) })
}

const one = (format: TexelFormat): Operand => constOf(format.element, 1)
const none = (format: TexelFormat): Operand => constOf(format.element, 0)
const swap = (format: TexelFormat, [r, g, b, a]: readonly Operand[]): Operand[] =>
  format.swapped ? [b!, g!, r!, a!] : [r!, g!, b!, a!]

/** Channels that a format lacks are 0, alpha 1. */
function decode(k: TexelBuilder, format: TexelFormat, raw: readonly Operand[]): readonly Operand[] {
  const given = format.code === 'packed' ? unpack(k, format.name, raw[0]!) : raw.map((x) => channel(k, format, x))
  return swap(
    format,
    [0, 1, 2, 3].map((i) => given[i] ?? (i === 3 ? one(format) : none(format))),
  ).map((x, i) => (format.srgb && i < 3 ? fromSrgb(k, x) : x))
}

const most: Readonly<Record<string, number>> = { u8: 255, i8: 127, u16: 65535, i16: 32767 }

function channel(k: TexelBuilder, format: TexelFormat, x: Operand): Operand {
  const float = (): Operand => k.apply('convert', [x], 'f32')
  switch (format.code) {
    case 'unorm':
      return k.apply('div', [float(), f(most[format.memory]!)])
    case 'snorm':
      return k.apply('max', [k.apply('div', [float(), f(most[format.memory]!)]), f(-1)])
    case 'float':
      return float()
    case 'integer':
    case 'packed':
      return x
  }
}

/** IEC 61966-2-1. */
function fromSrgb(k: TexelBuilder, x: Operand): Operand {
  const curve = k.apply('pow', [k.apply('div', [k.apply('add', [x, f(0.055)]), f(1.055)]), f(2.4)])
  return k.apply('select', [k.apply('le', [x, f(0.04045)]), k.apply('div', [x, f(12.92)]), curve])
}

const field = (k: TexelBuilder, x: Operand, low: number, bits: number): Operand =>
  k.apply('and', [k.apply('shr', [x, u(low)]), u(2 ** bits - 1)])

function unpack(k: TexelBuilder, name: string, x: Operand): Operand[] {
  const tens = [field(k, x, 0, 10), field(k, x, 10, 10), field(k, x, 20, 10), field(k, x, 30, 2)]
  switch (name) {
    case 'rgb10a2uint':
      return tens
    case 'rgb10a2unorm':
      return tens.map((v, i) => k.apply('div', [k.apply('convert', [v], 'f32'), f(i === 3 ? 3 : 1023)]))
    // 5 bits of exponent and 6 or 5 of mantissa are the upper bits of a half without sign.
    case 'rg11b10ufloat':
      return [
        [0, 11, 4],
        [11, 11, 4],
        [22, 10, 5],
      ].map(([low, bits, up]) => unpackHalf(k, k.apply('shl', [field(k, x, low!, bits!), u(up!)])))
    default:
      return sharedExponent(k, x)
  }
}

/** rgb9e5: mantissa × 2^(exponent − 15 − 9). */
function sharedExponent(k: TexelBuilder, x: Operand): Operand[] {
  const scale = k.apply('bitcast', [k.apply('shl', [k.apply('add', [field(k, x, 27, 5), u(127 - 24)]), u(23)])], 'f32')
  return [0, 9, 18].map((low) => k.apply('mul', [k.apply('convert', [field(k, x, low, 9)], 'f32'), scale]))
}

/** What goes to memory. Values are clamped to what the format holds. */
function encode(k: TexelBuilder, format: TexelFormat, value: readonly Operand[]): Operand[] {
  const ordered = swap(format, value)
  if (format.code === 'packed') return [pack(k, format.name, ordered)]
  return ordered.slice(0, format.lanes).map((x) => stored(k, format, x))
}

const clamp = (k: TexelBuilder, x: Operand, low: number, high: number): Operand =>
  k.apply('min', [k.apply('max', [x, constOf(x.type, low)]), constOf(x.type, high)])
const nearest = (k: TexelBuilder, x: Operand): Operand => k.apply('floor', [k.apply('add', [x, f(0.5)])])

function stored(k: TexelBuilder, format: TexelFormat, x: Operand): Operand {
  const { memory } = format
  const top = most[memory]
  switch (format.code) {
    case 'unorm':
      return k.apply('convert', [nearest(k, k.apply('mul', [clamp(k, x, 0, 1), f(top!)]))], 'u32')
    case 'snorm':
      return k.apply('convert', [nearest(k, k.apply('mul', [clamp(k, x, -1, 1), f(top!)]))], 'i32')
    case 'float':
      return memory === 'f16' ? k.apply('convert', [x], 'f16') : x
    case 'integer':
      return top === undefined ? x : clamp(k, x, format.element === 'i32' ? -top - 1 : 0, top)
    case 'packed':
      return x
  }
}

function pack(k: TexelBuilder, name: string, value: readonly Operand[]): Operand {
  const join = (parts: readonly (readonly [Operand, number])[]): Operand =>
    parts.map(([x, low]) => k.apply('shl', [x, u(low)])).reduce((a, b) => k.apply('or', [a, b]))
  const top = (i: number): number => (i === 3 ? 3 : 1023)
  switch (name) {
    case 'rgb10a2uint':
      return join(value.map((x, i) => [clamp(k, x, 0, top(i)), 10 * i] as const))
    case 'rgb10a2unorm':
      return join(
        value.map(
          (x, i) =>
            [k.apply('convert', [nearest(k, k.apply('mul', [clamp(k, x, 0, 1), f(top(i))]))], 'u32'), 10 * i] as const,
        ),
      )
    default:
      return join([
        [small(k, value[0]!, 6), 0],
        [small(k, value[1]!, 6), 11],
        [small(k, value[2]!, 5), 22],
      ])
  }
}

/** A float of 5 bits of exponent and `bits` of mantissa, toward zero; less than 0 gives 0. */
function small(k: TexelBuilder, x: Operand, bits: number): Operand {
  const largest = (2 - 2 ** -bits) * 2 ** 15
  const inside = clamp(k, x, 0, largest)
  const word = k.apply('bitcast', [inside], 'u32')
  const normal = k.apply('sub', [k.apply('shr', [word, u(23 - bits)]), u(112 << bits)])
  const subnormal = k.apply('convert', [k.apply('mul', [inside, f(2 ** (14 + bits))])], 'u32')
  return k.apply('select', [k.apply('lt', [word, u(113 << 23)]), subnormal, normal])
}
