// In: what a kernel must have bound, what the user said about it. Out: the bytes of every buffer. The one idea: a
// buffer that nobody sized is grown while accesses leave it and then halved towards the smallest that holds them all,
// by running a few blocks; contents are random floats and zero integers unless said otherwise, then the named scalars.
import { fail, random, type Random, type Span } from '../../base/index.ts'
import { bytesOf, isFloat, type Dim3, type Hazard, type MemoryType } from '../../ir/index.ts'
import { writeMemory } from '../../frontend/ptx/index.ts'
import {
  scalarNamesOf,
  offsets,
  partCount,
  type WgslBinding,
  type WgslKernel,
  type WgslTexture,
  type WType,
} from '../../frontend/wgsl/index.ts'
import { countTexels, doubled, textureExtent, scatterTexels, textureBytes } from './texture-sizes.ts'
import type { BufferSpec, ExplainLaunch } from '../types.ts'

export interface Sized {
  readonly binding: WgslBinding
  readonly spec: BufferSpec
  bytes: number
  readonly how: 'given' | 'by its type' | 'by running' | 'by the grid'
  /** Texels along each axis of a texture. */
  extent?: Dim3
}

const words = (bytes: number): number => Math.ceil(bytes / 4) * 4

/** What sizes are planned for: the bindings, and parameters that are declared but that nothing reads or writes. */
type Planned = Pick<WgslKernel, 'bindings' | 'workgroupSize'> & { readonly unread?: readonly string[] }

/** Every binding with its first size. Throws `explain.buffer` for names that are no buffer and sizes that cannot be. */
export function plan(subject: Planned, launch: ExplainLaunch): Sized[] {
  const threads = threadsOf(launch.grid, subject.workgroupSize)
  const given = launch.buffers ?? {}
  for (const name of Object.keys(given))
    if (!subject.unread?.includes(name) && !subject.bindings.some((b, i) => b.name === name || String(i) === name))
      fail(
        'explain.buffer',
        `the kernel uses no buffer '${name}'`,
        undefined,
        `it uses ${subject.bindings.map((b) => b.name).join(', ') || 'none'}`,
      )
  return subject.bindings.map((binding, i): Sized => {
    const spec = given[binding.name] ?? given[String(i)] ?? {}
    if (binding.texture) return plannedTexture(binding, binding.texture, spec, launch.grid, subject.workgroupSize)
    if (spec.texture) fail('explain.buffer', `'${binding.name}' is no texture: it is ${binding.type}`, binding.at)
    const bytes = specBytes(spec)
    if (bytes !== undefined) return { binding, spec, bytes: checkGiven(binding, bytes, spec), how: 'given' }
    if (!binding.runtime) return { binding, spec, bytes: words(binding.minBytes), how: 'by its type' }
    const { stride, offset } = binding.runtime
    return {
      binding,
      spec,
      bytes: words(offset + Math.max(stride, Math.min(stride * threads, 2 ** 26))),
      how: 'by running',
    }
  })
}

function plannedTexture(binding: WgslBinding, texture: WgslTexture, spec: BufferSpec, grid: Dim3, block: Dim3): Sized {
  const extent = textureExtent(binding, texture, spec, grid, block)
  const bytes = textureBytes(texture, extent)
  if (spec.fill instanceof ArrayBuffer && spec.fill.byteLength !== bytes)
    fail(
      'explain.texture',
      `texture '${binding.name}' of ${extent.join('×')} texels takes ${bytes} bytes, but ` +
        `${spec.fill.byteLength} were given`,
      binding.at,
      'level after level, layer after layer, row after row, without gaps',
    )
  return { binding, spec, bytes, how: spec.texture?.size ? 'given' : 'by the grid', extent }
}

function specBytes(spec: BufferSpec): number | undefined {
  if (spec.bytes !== undefined) return spec.bytes
  if (spec.count !== undefined) return spec.count * bytesOf[spec.type ?? 'f32']
  return spec.fill instanceof ArrayBuffer ? spec.fill.byteLength : undefined
}

function checkGiven(binding: WgslBinding, bytes: number, { fill: contents }: BufferSpec): number {
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    fail('explain.buffer', `buffer '${binding.name}' cannot have ${bytes} bytes`)
  if (bytes < binding.minBytes)
    fail(
      'explain.buffer',
      `buffer '${binding.name}' has ${bytes} bytes, but ${binding.type} needs at least ${binding.minBytes}`,
      binding.at,
    )
  if (contents instanceof ArrayBuffer && contents.byteLength !== bytes)
    fail(
      'explain.buffer',
      `buffer '${binding.name}' was given ${bytes} bytes, but ${contents.byteLength} to fill it with`,
      binding.at,
      'give the count that the contents have',
    )
  return words(bytes)
}

/** Times that a buffer is doubled whose size the kernel asks for: its accesses may well grow with it. */
const measuredRounds = 4

/**
 * Runs a few blocks with buffers of zeros of their present sizes and says what was out of bounds, and how many
 * instructions warps executed; `cut`: the limit of steps, when that ended it before its end.
 */
export type Probe = () => {
  readonly hazards: readonly Hazard[]
  readonly instructions: number
  readonly cut: number | null
  /** The loop in which that was, where its place is known. */
  readonly cutAt?: Span
}

/** Instructions of one probe beyond which the smallest size is not sought for long. */
const dear = 3e5

/**
 * Grows buffers of unknown size while accesses leave them, then shrinks them; those whose size the kernel asks for
 * (`measured`) are not shrunk, and get their first size back when accesses leave them however large they are. Throws
 * `explain.memory` when all together would take more than `most` bytes.
 */
export function settleSizes(sized: readonly Sized[], probe: Probe, most: number, measured: ReadonlySet<string>): void {
  const open = sized.filter((s) => s.how === 'by running')
  if (open.length === 0) return
  const low = new Map(open.map((s) => [s, s.binding.minBytes]))
  const first = new Map(open.map((s) => [s, s.bytes]))
  let left = new Map<string, number>(),
    cost = 0
  for (let round = 0; round < 64; round++) {
    if (total(sized) > most) tooLarge(open, most)
    const seen = probe()
    left = leaving(seen.hazards)
    cost = seen.instructions
    const grow = open.filter(
      (s) => left.has(s.binding.resource) && !(round >= measuredRounds && measured.has(s.binding.resource)),
    )
    if (grow.length === 0 && seen.cut !== null)
      fail(
        'explain.steps',
        `the kernel takes more than ${seen.cut} steps, or never ends, so that the sizes of its buffers cannot ` +
          `be found by running`,
        seen.cutAt ?? open[0]?.binding.at,
        'give the sizes with --buffer NAME=TYPE[COUNT]; where blocks wait for earlier ones, --exact too',
      )
    if (grow.length === 0) break
    for (const s of grow) {
      low.set(s, s.bytes)
      s.bytes = elements(s.binding, Math.max(s.bytes * 2, left.get(s.binding.resource)! + 4))
    }
  }
  for (const s of open) if (measured.has(s.binding.resource) && left.has(s.binding.resource)) s.bytes = first.get(s)!
  shrink(
    open.filter((s) => !measured.has(s.binding.resource) && !left.has(s.binding.resource)),
    low,
    probe,
    cost > dear ? 2 : 7,
  )
}

/** Sizes buffers to the ends of the farthest accesses; one that none reaches gets its least size. */
export function settleByReach(open: readonly Sized[], reached: ReadonlyMap<string, number>): void {
  for (const s of open)
    s.bytes = elements(s.binding, Math.max(s.binding.minBytes, reached.get(s.binding.resource) ?? 0))
}

/**
 * Grows buffers of unknown size that accesses leave when buffers have contents: zeros may keep a kernel from touching
 * what data let it touch. One that is left however large it is keeps its size.
 */
export function settleWithContents(
  sized: readonly Sized[],
  probe: Probe,
  most: number,
  measured: ReadonlySet<string>,
): void {
  const open = sized.filter((s) => s.how === 'by running' && !measured.has(s.binding.resource)),
    before = new Map(open.map((s) => [s, s.bytes]))
  for (let round = 0; round < contentRounds; round++) {
    const left = leaving(probe().hazards),
      grow = open.filter((s) => left.has(s.binding.resource))
    if (grow.length === 0) return
    const isLast = round === contentRounds - 1 || total(sized) + grow.reduce((n, s) => n + s.bytes, 0) > most
    // they are keys of it
    for (const s of grow)
      s.bytes = isLast ? before.get(s)! : elements(s.binding, Math.max(s.bytes * 2, left.get(s.binding.resource)! + 4))
    if (isLast) return
  }
}

/** What `regrown` may do. */
export interface Growth {
  /** Bytes that a buffer may have when the others keep theirs. */
  readonly mostFor: (s: Sized) => number
  /** Resources whose size the kernel asks for. */
  readonly measured: ReadonlySet<string>
  /** Sizes that are given back to what is left however large it is. */
  readonly before: ReadonlyMap<Sized, number>
  readonly isFirst: boolean
  readonly isLast: boolean
}

/**
 * Grows buffers of unknown size that a run of more blocks than probes have found to be left, as scattered accesses are:
 * the first time to the farthest of them, then to twice as much; whether a size changed.
 */
export function regrown(
  sized: readonly Sized[],
  hazards: readonly Hazard[],
  { mostFor, measured, before, isFirst, isLast }: Growth,
): boolean {
  const left = leaving(hazards),
    grow = sized.filter(
      (s) => s.how === 'by running' && !measured.has(s.binding.resource) && left.has(s.binding.resource),
    )
  const present = grow.map((s) => s.bytes)
  for (const s of grow) {
    const needed = elements(s.binding, left.get(s.binding.resource)! + 4), // they are keys of it
      most = mostFor(s)
    if (isLast || needed > most) s.bytes = before.get(s)!
    else s.bytes = isFirst ? needed : Math.max(needed, Math.min(elements(s.binding, s.bytes * 2), most))
  }
  return grow.some((s, i) => s.bytes !== present[i])
}

/** Times that such a buffer is doubled at most. */
const contentRounds = 12

function tooLarge(open: readonly Sized[], most: number): never {
  const largest = open.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  return fail(
    'explain.memory',
    `the accesses to '${largest.binding.name}' need ${largest.bytes} bytes or more; buffers that are sized by ` +
      `running may take ${most} together`,
    largest.binding.at,
    `give its size with --buffer ${largest.binding.name}=f32[COUNT], or explain a smaller launch`,
  )
}

/** Doubles textures of guessed size, at most three times, where that keeps all reads inside; else leaves them. */
export function settleTextures(sized: readonly Sized[], probe: Probe): void {
  const guessed = sized.filter((s) => s.how === 'by the grid')
  if (guessed.length === 0) return
  const leaves = (): Set<string> =>
    new Set(probe().hazards.flatMap((h) => (h.kind === 'out-of-bounds' && h.resource && !h.bytes ? [h.resource] : [])))
  let left = leaves()
  for (const s of guessed) {
    const {
      binding: { resource, texture },
      extent,
      bytes,
    } = s
    for (let round = 0; round < 3 && left.has(resource); round++) {
      const next = texture && s.extent && doubled(texture, s.extent)
      if (!texture || !next) break
      s.extent = next
      s.bytes = textureBytes(texture, next)
      left = leaves()
    }
    if (left.has(resource)) Object.assign(s, { extent, bytes })
  }
}

/** Halves between the largest size that was too small and the smallest that held everything, `steps` times. */
function shrink(able: readonly Sized[], low: Map<Sized, number>, probe: Probe, steps: number): void {
  const high = new Map(able.map((s) => [s, s.bytes]))
  for (let step = 0; step < steps && able.length > 0; step++) {
    for (const s of able) s.bytes = between(s.binding, low.get(s)!, high.get(s)!)
    const { hazards, cut } = probe()
    const left = leaving(hazards)
    if (cut !== null && left.size === 0) break
    /** What a probe that was cut short did not see leave says nothing. */
    for (const s of able)
      if (left.has(s.binding.resource)) low.set(s, s.bytes)
      else if (cut === null) high.set(s, s.bytes)
  }
  for (const s of able) s.bytes = high.get(s)!
}

/** A size between two, whole elements: the mean, or the geometric mean while they are far apart. */
function between(binding: WgslBinding, low: number, high: number): number {
  const { stride, offset } = binding.runtime ?? { stride: 4, offset: 0 }
  const middle = high > 4 * low ? Math.sqrt(low * high) : (low + high) / 2
  return words(offset + stride * Math.max(1, Math.round((middle - offset) / stride)))
}

/** Bytes of as many whole elements as `bytes` need: WGSL sees no part of an element. */
function elements(binding: WgslBinding, bytes: number): number {
  const { stride, offset } = binding.runtime ?? { stride: 4, offset: 0 }
  return words(offset + stride * Math.ceil(Math.max(0, bytes - offset) / stride))
}

const total = (sized: readonly Sized[]): number => sized.reduce((n, s) => n + s.bytes, 0)

/** Whether a larger buffer of unknown size would hold an access that left it. */
export function asksForMore(hazards: readonly Hazard[], sized: readonly Sized[]): boolean {
  const left = leaving(hazards)
  return sized.some((s) => s.how === 'by running' && left.has(s.binding.resource))
}

/**
 * Resources that accesses left, each with the farthest byte outside; the simulator's example names them. What only an
 * index below 0 leaves is left however large it is.
 */
function leaving(hazards: readonly Hazard[]): Map<string, number> {
  const left = new Map<string, number>()
  for (const h of hazards) {
    const farthest = h.farthest ?? 0
    const name = farthest > 0 ? h.resource : undefined
    if (name !== undefined) left.set(name, Math.max(left.get(name) ?? 0, farthest))
  }
  return left
}

/** Bytes of random contents that are made; the rest repeats them, so that large buffers are filled quickly. */
const madeBytes = 1 << 18

/** The contents of a buffer. */
export function filledBuffer(s: Sized, seed: number): ArrayBuffer {
  const { fill: how } = s.spec
  const bytes = new ArrayBuffer(s.bytes)
  if (how instanceof ArrayBuffer) {
    new Uint8Array(bytes).set(new Uint8Array(how, 0, Math.min(how.byteLength, s.bytes)))
    return bytes
  }
  if (how === 'zero') return bytes
  const { texture } = s.binding
  if (texture) {
    if (how === 'iota') countTexels(bytes, texture)
    else scatterTexels(bytes, texture, how === 'random', random(seed))
    return bytes
  }
  const places = placesIn(s)
  if (how === 'iota') iota(bytes, places)
  else scatter(bytes, places, how === 'random', random(seed))
  return bytes
}

/** Scalars of one element, or of the part of a buffer before its array. */
const mostPlaces = 1 << 16

interface Places {
  /** Bytes before the part that repeats, and of one repetition; 0: nothing repeats. */ readonly head: readonly Place[]
  readonly start: number
  readonly stride: number
  readonly each: readonly Place[]
}
interface Place {
  readonly at: number
  readonly type: MemoryType
}

/** What a buffer holds: numbers of the type that a flag or the frontend gives, or what its layout says. */
const placesIn = ({ binding: { layout, scalar }, spec }: Sized): Places =>
  layout.kind === 'array' && layout.element.kind === 'scalar'
    ? scalars(spec.type ?? scalar ?? memory(layout.element.name))
    : placesOf(layout)

/** Whether any number of a buffer is an integer. */
export function holdsIntegers(s: Sized): boolean {
  const { head, each } = placesIn(s)
  return [...head, ...each].some(({ type }) => !type.startsWith('f'))
}

const placesOfType = (type: WType): Place[] => {
  if (partCount(type) > mostPlaces)
    fail('explain.buffer', `an element of a buffer has ${partCount(type)} scalars; the limit is ${mostPlaces}`)
  const names = scalarNamesOf(type)
  return offsets(type).map((at, i) => ({ at, type: memory(names[i]!) }))
}
const memory = (name: string): MemoryType => (name === 'f32' || name === 'f16' || name === 'i32' ? name : 'u32')

function placesOf(type: WType): Places {
  if (type.kind === 'array')
    return { head: [], start: 0, stride: elementStride(type), each: placesOfType(type.element) }
  const last = type.kind === 'struct' ? type.members[type.members.length - 1] : undefined
  if (type.kind === 'struct' && last?.type.kind === 'array') {
    const head = placesOfType({ ...type, members: type.members.slice(0, -1) })
    return { head, start: last.offset, stride: elementStride(last.type), each: placesOfType(last.type.element) }
  }
  return { head: placesOfType(type), start: 0, stride: 0, each: [] }
}

/** An array of numbers, which may have other types than WGSL's. */
const scalars = (type: MemoryType): Places => ({ head: [], start: 0, stride: bytesOf[type], each: [{ at: 0, type }] })

/** Bytes between elements, as the frontend lays them out. */
function elementStride(array: Extract<WType, { kind: 'array' }>): number {
  const two: WType = { ...array, count: 2 }
  const all = offsets(two)
  return all[all.length / 2]! - all[0]!
}

function put(view: ArrayBuffer, at: number, type: MemoryType, value: number): void {
  if (at + bytesOf[type] <= view.byteLength) writeMemory(view, at, type, value)
}

/** Random floats in [0, 1); integers too when asked for. One stretch is made and repeated. */
function scatter(bytes: ArrayBuffer, places: Places, integers: boolean, r: Random): void {
  const value = (type: MemoryType): number => (isFloat(type) ? r.unit() : integers ? r.bits() : 0)
  for (const p of places.head) put(bytes, p.at, p.type, value(p.type))
  if (places.stride === 0) return
  const wanted = places.each.filter((p) => integers || isFloat(p.type))
  if (wanted.length === 0) return
  const repeat = Math.max(1, Math.floor(madeBytes / places.stride)) * places.stride
  const end = Math.min(bytes.byteLength, places.start + repeat)
  for (let at = places.start; at < end; at += places.stride)
    for (const p of wanted) put(bytes, at + p.at, p.type, value(p.type))
  const view = new Uint8Array(bytes)
  for (let at = places.start + repeat; at < view.length; at += repeat)
    view.copyWithin(at, places.start, Math.min(places.start + repeat, places.start + view.length - at))
}

function iota(bytes: ArrayBuffer, places: Places): void {
  let n = 0
  for (const p of places.head) put(bytes, p.at, p.type, n++)
  if (places.stride > 0)
    for (let at = places.start; at < bytes.byteLength; at += places.stride)
      for (const p of places.each) put(bytes, at + p.at, p.type, n++)
}

/**
 * Throws `explain.arg` for a number that an integer of `type` does not hold. `isSigned`: where that is known (PTX has
 * bits alone, and either is taken).
 */
export function checkArgument(name: string, type: string, value: number, isSigned?: boolean): void {
  if (type.startsWith('f')) return
  if (!Number.isInteger(value)) fail('explain.arg', `'${name}' is ${type}, not ${value}`)
  const bits = Number(type.slice(1)),
    least = isSigned === false ? 0 : -(2 ** (bits - 1)),
    past = 2 ** (isSigned ? bits - 1 : bits)
  if (value < least || value >= past) fail('explain.arg', `'${name}' is ${type}, which cannot hold ${value}`)
}

/** Writes named scalars into the buffers. Throws `explain.arg` for unknown or ambiguous names. */
export function setArguments(
  sized: readonly Sized[],
  buffers: ReadonlyMap<string, ArrayBuffer>,
  args: Readonly<Record<string, number>>,
): void {
  for (const [name, value] of Object.entries(args)) {
    const found = sized.flatMap((s) => scalarPlacesOf(s.binding.layout, s.binding.name).map((x) => ({ ...x, s })))
    const hits = found.filter((x) => x.name === name)
    const short = hits.length > 0 ? hits : found.filter((x) => x.name.endsWith(`.${name}`))
    if (short.length === 0)
      fail(
        'explain.arg',
        `no scalar '${name}' is in the kernel's variables`,
        undefined,
        found.length > 0
          ? `there are ${found
              .slice(0, 12)
              .map((x) => x.name)
              .join(', ')}`
          : 'the kernel has no uniform variable',
      )
    if (short.length > 1)
      fail(
        'explain.arg',
        `'${name}' may be ${short.map((x) => x.name).join(' or ')}`,
        undefined,
        'write the whole name',
      )
    const { at, type, s } = short[0]!
    checkArgument(name, type, value, type === 'i32')
    put(buffers.get(s.binding.resource)!, at, type, value)
  }
}

/** Whether an argument names a scalar of the variable, whole or by its end. */
export const isScalarOf = ({ binding }: Pick<Sized, 'binding'>, argument: string): boolean =>
  scalarPlacesOf(binding.layout, binding.name).some(({ name }) => name === argument || name.endsWith(`.${argument}`))

/** The numbers of a variable that `args` may name, with the bytes that they take. */
export const scalarPlacesIn = ({
  binding,
}: Pick<Sized, 'binding'>): readonly {
  readonly name: string
  readonly at: number
  readonly to: number
  readonly type: MemoryType
}[] => scalarPlacesOf(binding.layout, binding.name).map((p) => ({ ...p, to: p.at + bytesOf[p.type] }))

/** Integers of uniform variables that `args` may name: the ones that a host gives. */
export const uniformIntegers = (sized: readonly Sized[]): readonly string[] =>
  sized
    .filter((s) => s.binding.space === 'constant' && s.spec.fill === undefined)
    .flatMap((s) => scalarPlacesOf(s.binding.layout, s.binding.name))
    .filter(({ type }) => !type.startsWith('f'))
    .map(({ name }) => name)

const components = 'xyzw'

/** The named scalars of a variable: `v`, `v.member`, `v.member.x`. Arrays have none. */
function scalarPlacesOf(
  type: WType,
  name: string,
  at = 0,
  depth = 0,
): { readonly name: string; readonly at: number; readonly type: MemoryType }[] {
  switch (type.kind) {
    case 'scalar':
      return [{ name, at, type: memory(type.name) }]
    case 'vector':
      return Array.from({ length: type.size }, (_, i) => ({
        name: `${name}.${components[i]}`,
        at: at + i * (type.element === 'f16' ? 2 : 4),
        type: memory(type.element),
      }))
    case 'struct':
      return depth > 8
        ? []
        : type.members.flatMap((m) => scalarPlacesOf(m.type, `${name}.${m.name}`, at + m.offset, depth + 1))
    case 'atomic':
      return [{ name, at, type: type.element }]
    case 'matrix':
    case 'array':
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return []
  }
}

const threadsOf = (grid: Dim3, size: Dim3): number => grid[0] * grid[1] * grid[2] * size[0] * size[1] * size[2]
