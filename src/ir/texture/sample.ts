// Reading textures through samplers. In: a texture, a sampler, coordinates. Out: four channels. The one idea: a
// filter is the texels of a footprint and their weights; all texels of one call are one request of the texture unit, so
// the first load counts as executed and the others only move bytes. Weights are exact here; hardware rounds them to 8
// bits or so. Cube maps are filtered within a face. Everything but the loads is not counted.
import { constOf } from '../kernel/kernel-build.ts'
import type { Operand } from '../kernel/kernel.ts'
import { dimensions, extent, loadTexel } from './texels.ts'
import type { AddressMode, Compare, TexelArray, TexelBuilder, TexelSampler } from './texture.ts'

export interface SampleArgs {
  readonly coords: readonly Operand[]
  /** Of arrays; clamped. */
  readonly layer?: Operand
  /** f32; 0 when absent. */
  readonly level?: Operand
  /** Constants, in texels. */
  readonly offset?: readonly Operand[]
  /** What texels are compared with; the result is one channel. */
  readonly reference?: Operand
}

const f = (x: number): Operand => constOf('f32', x)
const i = (x: number): Operand => constOf('i32', x)
const whole = (k: TexelBuilder, o: Operand): Operand => k.apply('convert', [k.apply('floor', [o])], 'i32')
const signed = (k: TexelBuilder, o: Operand): Operand => k.apply('convert', [o], 'i32')

/** Where a call reads in one level: coordinates of the texture's own shape, cube faces turned into layers. */
interface Surface {
  readonly at: readonly Operand[]
  readonly layer?: Operand
}

function surface(k: TexelBuilder, t: TexelArray, a: SampleArgs): Surface {
  const layers = t.size(2)
  const clamped = (o: Operand, count: Operand): Operand =>
    k.apply('min', [k.apply('max', [signed(k, o), i(0)]), k.apply('sub', [signed(k, count), i(1)])])
  if (t.type.shape !== 'cube') return { at: a.coords, ...(a.layer && { layer: clamped(a.layer, layers) }) }
  const { face, s, t: v } = cubeFace(k, a.coords)
  const cubes = k.apply('div', [layers, constOf('u32', 6)])
  const first = a.layer ? k.apply('mul', [clamped(a.layer, cubes), i(6)]) : i(0)
  return { at: [s, v], layer: k.apply('add', [first, face]) }
}

/** The face (+x, −x, +y, −y, +z, −z) that a direction meets, and where, in 0…1. */
function cubeFace(k: TexelBuilder, [x, y, z]: readonly Operand[]): { face: Operand; s: Operand; t: Operand } {
  const abs = [x!, y!, z!].map((o) => k.apply('abs', [o]))
  const [ax, ay, az] = abs
  const isZ = k.apply('land', [k.apply('ge', [az!, ax!]), k.apply('ge', [az!, ay!])])
  const isY = k.apply('land', [k.apply('ge', [ay!, ax!]), k.apply('lnot', [isZ])])
  const pick = (a: Operand, b: Operand, c: Operand): Operand =>
    k.apply('select', [isZ, c, k.apply('select', [isY, b, a])])
  const major = pick(x!, y!, z!)
  const negative = k.apply('lt', [major, f(0)])
  const minus = (o: Operand): Operand => k.apply('neg', [o])
  const turned = (a: Operand, b: Operand): Operand => k.apply('select', [negative, b, a])
  const sc = pick(turned(minus(z!), z!), x!, turned(x!, minus(x!)))
  const tc = pick(minus(y!), turned(z!, minus(z!)), minus(y!))
  const twice = k.apply('mul', [k.apply('abs', [major]), f(2)])
  const unit = (o: Operand): Operand => k.apply('add', [k.apply('div', [o, twice]), f(0.5)])
  const face = k.apply('add', [pick(i(0), i(2), i(4)), k.apply('select', [negative, i(1), i(0)])])
  return { face, s: unit(sc), t: unit(tc) }
}

/** A whole coordinate brought into 0 … size − 1. */
function wrap(k: TexelBuilder, x: Operand, size: Operand, mode: AddressMode): Operand {
  const last = k.apply('sub', [size, i(1)])
  if (mode === 'clamp') return k.apply('min', [k.apply('max', [x, i(0)]), last])
  const period = mode === 'repeat' ? size : k.apply('mul', [size, i(2)])
  const rest = k.apply('rem', [x, period])
  const inside = k.apply('select', [k.apply('lt', [rest, i(0)]), k.apply('add', [rest, period]), rest])
  if (mode === 'repeat') return inside
  return k.apply('select', [
    k.apply('lt', [inside, size]),
    inside,
    k.apply('sub', [k.apply('sub', [period, i(1)]), inside]),
  ])
}

interface Axis {
  /** One texel, or the two around. */ readonly at: readonly Operand[] /** Of the second. */
  readonly weight: Operand
}

function axis(
  k: TexelBuilder,
  t: TexelArray,
  s: TexelSampler,
  a: SampleArgs,
  coordinate: Operand,
  n: 0 | 1 | 2,
  level: Operand | undefined,
  linear: boolean,
): Axis {
  const size = signed(k, extent(k, t, n, level))
  const mode = t.type.shape === 'cube' ? 'clamp' : (s.spec.address?.[n] ?? 'clamp')
  const shift = (x: Operand): Operand => (a.offset ? k.apply('add', [x, a.offset[n]!]) : x)
  const place =
    s.spec.coordinates === 'texels' ? coordinate : k.apply('mul', [coordinate, k.apply('convert', [size], 'f32')])
  if (!linear) return { at: [wrap(k, shift(whole(k, place)), size, mode)], weight: f(0) }
  const low = k.apply('sub', [place, f(0.5)])
  const first = shift(whole(k, low))
  return {
    at: [first, k.apply('add', [first, i(1)])].map((x) => wrap(k, x, size, mode)),
    weight: k.apply('sub', [low, k.apply('floor', [low])]),
  }
}

/** Reads every texel of a footprint; `started`: a load of the same call went before. */
function corners(
  k: TexelBuilder,
  t: TexelArray,
  where: Surface,
  axes: readonly Axis[],
  level: Operand | undefined,
  started: boolean,
): (readonly Operand[])[] {
  const places = axes.reduce<Operand[][]>((list, ax) => ax.at.flatMap((x) => list.map((p) => [...p, x])), [[]])
  return places.map((at, n) =>
    loadTexel(k, t, { at, ...(where.layer && { layer: where.layer }), ...(level && { level }) }, started || n > 0),
  )
}

/** Of each corner, the product of its axes' weights is taken by mixing axis after axis. */
function mixAll(k: TexelBuilder, texels: readonly (readonly Operand[])[], axes: readonly Axis[]): readonly Operand[] {
  let list = texels
  for (const ax of axes) {
    if (ax.at.length === 1) continue
    list = Array.from({ length: list.length / 2 }, (_, n) => mix(k, list[2 * n]!, list[2 * n + 1]!, ax.weight))
  }
  return list[0]!
}

const mix = (k: TexelBuilder, a: readonly Operand[], b: readonly Operand[], t: Operand): readonly Operand[] =>
  a.map((x, n) => k.apply('add', [k.apply('mul', [x, k.apply('sub', [f(1), t])]), k.apply('mul', [b[n]!, t])]))

const operators = {
  less: 'lt',
  equal: 'eq',
  'less-equal': 'le',
  greater: 'gt',
  'not-equal': 'ne',
  'greater-equal': 'ge',
} as const

/** 1 where the reference passes against a texel, else 0. */
function compared(k: TexelBuilder, reference: Operand, texel: Operand, how: Compare): Operand {
  if (how === 'never' || how === 'always') return f(how === 'always' ? 1 : 0)
  return k.apply('select', [k.apply(operators[how], [reference, texel]), f(1), f(0)])
}

const compare = (k: TexelBuilder, s: TexelSampler, a: SampleArgs, texel: readonly Operand[]): readonly Operand[] =>
  a.reference ? [compared(k, a.reference, texel[0]!, s.spec.compare ?? 'less')] : texel

/** What a sampler without a filter does: linear where the format allows it. */
const isLinear = (t: TexelArray, s: TexelSampler): boolean =>
  (s.spec.filter ? s.spec.filter === 'linear' : t.format.filterable && t.format.element === 'f32' && !t.format.depth) ||
  (s.spec.filter === undefined && s.comparison)

function readLevel(
  k: TexelBuilder,
  t: TexelArray,
  s: TexelSampler,
  a: SampleArgs,
  where: Surface,
  level: Operand | undefined,
  started: boolean,
): readonly Operand[] {
  const linear = isLinear(t, s)
  // at most three
  const axes = where.at.slice(0, dimensions(t)).map((c, n) => axis(k, t, s, a, c, n as 0 | 1 | 2, level, linear))
  const texels = corners(k, t, where, axes, level, started)
  return mixAll(
    k,
    texels.map((x) => compare(k, s, a, x)),
    axes,
  )
}

/** `textureSampleLevel` and its like. */
export function sample(k: TexelBuilder, t: TexelArray, s: TexelSampler, a: SampleArgs): readonly Operand[] {
  return k.free(() => {
    const where = surface(k, t, a)
    if (t.levels === 1 || !a.level)
      return readLevel(k, t, s, a, where, t.levels === 1 ? undefined : constOf('u32', 0), false)
    const level = k.apply('min', [k.apply('max', [a.level, f(0)]), f(t.levels - 1)])
    if (s.spec.mip !== 'linear')
      return readLevel(
        k,
        t,
        s,
        a,
        where,
        k.apply('convert', [k.apply('floor', [k.apply('add', [level, f(0.5)])])], 'u32'),
        false,
      )
    const low = k.apply('floor', [level])
    const high = k.apply('min', [k.apply('add', [low, f(1)]), f(t.levels - 1)])
    const [a0, a1] = [low, high].map((l, n) => readLevel(k, t, s, a, where, k.apply('convert', [l], 'u32'), n > 0))
    return mix(k, a0!, a1!, k.apply('sub', [level, low]))
  })
}

/**
 * `textureGather`: one channel of the four texels that a linear filter would mix, from the lower left against the
 * clock.
 */
export function gatherTexels(
  k: TexelBuilder,
  t: TexelArray,
  s: TexelSampler,
  a: SampleArgs,
  channel: number,
): readonly Operand[] {
  return k.free(() => {
    const where = surface(k, t, a)
    const level = t.levels === 1 ? undefined : constOf('u32', 0)
    const axes = where.at.slice(0, 2).map((c, n) => axis(k, t, s, a, c, n as 0 | 1, level, true)) // two
    const [leftTop, rightTop, leftBottom, rightBottom] = corners(k, t, where, axes, level, false).map(
      (x) => compare(k, s, a, x)[a.reference ? 0 : channel]!,
    )
    return [leftBottom!, rightBottom!, rightTop!, leftTop!]
  })
}

/** The level that `textureSampleGrad` reads: log₂ of the longer side of the footprint, in texels. */
export function levelOf(k: TexelBuilder, t: TexelArray, ddx: readonly Operand[], ddy: readonly Operand[]): Operand {
  return k.free(() => {
    const squared = (d: readonly Operand[]): Operand =>
      d
        .map((x, n) => {
          // 0, 1 or 2
          const texels = k.apply('mul', [x, k.apply('convert', [t.size(Math.min(n, 2) as 0 | 1 | 2)], 'f32')])
          return k.apply('mul', [texels, texels])
        })
        .reduce((a, b) => k.apply('add', [a, b]))
    return k.apply('mul', [k.apply('log2', [k.apply('max', [squared(ddx), squared(ddy)])]), f(0.5)])
  })
}
