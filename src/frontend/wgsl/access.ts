// References: going into members, elements and components, loading and storing. In: a `Ref`. Out: a narrower `Ref`, a
// `Value`, or statements. The one idea: a constant step moves an offset, a step known only at run time becomes the one
// index of the address (two are combined over their common stride) or a choice between registers.
import { fail, type Span } from '../../base/index.ts'
import { constOf, type Operand, type Reg, type Resource } from '../../ir/index.ts'
import {
  alignOf,
  columnStride,
  scalarNamesOf,
  memoryOf,
  partCount,
  registerOf,
  scalar,
  bytesOfWgsl,
  strideOf,
  wgslTypeText,
  vectorType,
  type ScalarName,
  type WType,
} from './types/types.ts'
import { checkParts, freeze, type Builder, type Ref, type WgslValue } from './values.ts'

type MemoryRef = Extract<Ref, { kind: 'memory' }>
type RegisterRef = Extract<Ref, { kind: 'registers' }>

/** The whole of a resource. */
export function whole(resource: Resource, type: WType, access: MemoryRef['access'], space: Ref['space']): MemoryRef {
  return { kind: 'memory', type, resource, index: null, stride: 0, offset: 0, access, space }
}

/** The type of an element and how many there are; Infinity when the buffer says. */
export function elementTypeOf(
  type: WType,
  at: Span | undefined,
): { readonly type: WType; readonly count: number; readonly bytes: number } {
  switch (type.kind) {
    case 'vector':
      return { type: scalar(type.element), count: type.size, bytes: alignOf(scalar(type.element)) }
    case 'matrix':
      return { type: vectorType(type.rows, type.element), count: type.columns, bytes: columnStride(type) }
    case 'array':
      return { type: type.element, count: type.count ?? Infinity, bytes: strideOf(type) }
    case 'scalar':
    case 'struct':
    case 'atomic':
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return fail('wgsl.type', `${wgslTypeText(type)} has no elements`, at)
  }
}

/** `ref[index]`. For an array in registers, `onDynamic` asks for memory in the next attempt. */
export function elementRef(k: Builder, ref: Ref, index: Operand, onDynamic: (owner: object) => void): Ref {
  const { type, count, bytes } = elementTypeOf(ref.type, k.at)
  if (index.kind === 'const') {
    const i = Number(index.value)
    if (i < 0 || i >= count) fail('wgsl.index', `the index ${i} is outside ${wgslTypeText(ref.type)}`, k.at)
    return part(ref, type, i * bytes, i * partCount(type))
  }
  if (ref.kind === 'memory') return { ...ref, type, ...step(k, ref, index, bytes) }
  if (ref.type.kind === 'array') {
    onDynamic(ref.owner)
    return part(ref, type, 0, 0) // this attempt is thrown away
  }
  return choose(k, ref, type, index, count)
}

/** A fixed part of a reference: `bytes` further in memory, or `parts` scalars further in registers. */
export function part(ref: Ref, type: WType, bytes: number, parts: number): Ref {
  if (ref.kind === 'memory') return { ...ref, type, offset: ref.offset + bytes }
  const n = partCount(type)
  return { ...ref, type, choices: ref.choices.map((c) => c.slice(parts, parts + n)) }
}

/** `ref.name` of a struct. */
export function memberRef(ref: Ref, name: string, at: Span | undefined): Ref {
  if (ref.type.kind !== 'struct') return fail('wgsl.type', `${wgslTypeText(ref.type)} has no member '${name}'`, at)
  const i = ref.type.members.findIndex((m) => m.name === name)
  const member = ref.type.members[i] ?? fail('wgsl.type', `struct ${ref.type.name} has no member '${name}'`, at)
  const before = ref.type.members
    .slice(0, i)
    .reduce((n, m) => n + (ref.kind === 'registers' ? partCount(m.type) : 0), 0)
  return part(ref, member.type, member.offset, before)
}

/** The address after one more step of `bytes` per `index`. */
function step(k: Builder, ref: MemoryRef, index: Operand, bytes: number): { index: Operand; stride: number } {
  if (ref.index === null) return { index, stride: bytes }
  const common = gcd(ref.stride, bytes)
  const type = ref.index.type === index.type ? index.type : 'u32'
  const scaled = (o: Operand, by: number): Operand => k.apply('mul', [k.apply('convert', [o], type), constOf(type, by)])
  return {
    index: k.apply('add', [scaled(ref.index, ref.stride / common), scaled(index, bytes / common)]),
    stride: common,
  }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

function choose(k: Builder, ref: RegisterRef, type: WType, index: Operand, count: number): Ref {
  const n = partCount(type)
  const choices = ref.choices.flatMap((c) => Array.from({ length: count }, (_, i) => c.slice(i * n, i * n + n)))
  if (choices.length * n > 4096)
    fail('wgsl.limit', `an index known only at run time chooses between ${choices.length} parts`, k.at)
  if (ref.index === null) return { ...ref, type, choices, index }
  const scaled = k.apply('mul', [k.apply('convert', [ref.index], 'u32'), constOf('u32', count)])
  return { ...ref, type, choices, index: k.apply('add', [scaled, k.apply('convert', [index], 'u32')]) }
}

/** Loads the value that a reference stands for. */
export function load(k: Builder, ref: Ref): WgslValue {
  if (ref.type.kind === 'atomic') fail('wgsl.type', 'an atomic cannot be read directly', k.at, 'use atomicLoad(&…)')
  checkParts(ref.type, k.at)
  if (ref.kind === 'registers') return { type: ref.type, parts: chosen(k, ref) }
  if (ref.access === 'write') fail('wgsl.access', `'${ref.resource.name}' cannot be read`, k.at)
  return { type: ref.type, parts: loadParts(k, ref) }
}

/** The last choice stands for indices out of range, as WGSL's clamping may. */
function chosen(k: Builder, ref: RegisterRef): readonly Operand[] {
  const { choices, index } = ref
  if (index === null) return choices[0]!
  const last = choices[choices.length - 1]!
  return last.map((r, j) =>
    choices
      .slice(0, -1)
      .reduceRight<Operand>(
        (rest, c, i) => k.apply('select', [k.apply('eq', [index, constOf(index.type, i)]), c[j]!, rest]),
        r,
      ),
  )
}

function loadParts(k: Builder, ref: MemoryRef): Operand[] {
  const { type } = ref
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      return loadVector(k, ref, type.kind === 'scalar' ? type.name : type.element, partCount(type))
    case 'matrix':
    case 'array':
      return pieces(k, ref).flatMap((r) => loadParts(k, r))
    case 'struct':
      // a part of memory is memory
      return type.members.flatMap((m) => loadParts(k, part(ref, m.type, m.offset, 0) as MemoryRef))
    case 'atomic':
      return [k.atomic('load', ref.resource, indexOf(ref), [], address(ref, type.element))!] // load always has a result
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return []
  }
}

const pieces = (k: Builder, ref: MemoryRef): MemoryRef[] => {
  const { type, count, bytes } = elementTypeOf(ref.type, k.at)
  // a part of memory is memory
  return Array.from({ length: count }, (_, i) => part(ref, type, i * bytes, 0) as MemoryRef)
}

export const indexOf = (ref: MemoryRef): Operand => ref.index ?? constOf('u32', 0)
export const address = (
  ref: MemoryRef,
  name: ScalarName,
): { type: ReturnType<typeof memoryOf>; stride: number; offset: number; name: string } => ({
  type: memoryOf(name),
  stride: ref.index === null ? 4 : ref.stride,
  offset: ref.offset,
  name: ref.resource.name,
})

function loadVector(k: Builder, ref: MemoryRef, name: ScalarName, width: number): Operand[] {
  const loaded = k.loadVector(width, ref.resource, indexOf(ref), address(ref, name))
  return name === 'bool' ? loaded.map((r) => k.apply('ne', [r, constOf('u32', 0)])) : loaded
}

/** Stores a value of exactly the reference's type. */
export function storeTo(k: Builder, ref: Ref, value: WgslValue): void {
  if (ref.kind === 'registers') return assign(k, ref, value)
  if (ref.access === 'read')
    fail(
      'wgsl.access',
      `'${ref.resource.name}' cannot be written`,
      k.at,
      ref.space === 'storage' ? 'declare it var<storage, read_write>' : undefined,
    )
  storeParts(k, ref, value.parts)
}

function storeParts(k: Builder, ref: MemoryRef, parts: readonly Operand[]): void {
  const { type } = ref
  switch (type.kind) {
    case 'scalar':
      return storeVector(k, ref, type.name, parts)
    case 'vector':
      return storeVector(k, ref, type.element, parts)
    case 'matrix':
    case 'array':
      return storeList(k, pieces(k, ref), parts)
    case 'struct':
      return storeList(
        k,
        type.members.map((m) => part(ref, m.type, m.offset, 0) as MemoryRef),
        parts,
      ) // a part of memory is memory
    case 'atomic':
      k.atomic('store', ref.resource, indexOf(ref), parts, { ...address(ref, type.element), result: false })
      return
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
  }
}

function storeList(k: Builder, refs: readonly MemoryRef[], parts: readonly Operand[]): void {
  let at = 0
  for (const r of refs) {
    const n = partCount(r.type)
    storeParts(k, r, parts.slice(at, at + n))
    at += n
  }
}

function storeVector(k: Builder, ref: MemoryRef, name: ScalarName, parts: readonly Operand[]): void {
  const bits = name === 'bool' ? parts.map((p) => k.apply('convert', [p], 'u32')) : parts
  k.store(ref.resource, indexOf(ref), bits, address(ref, name))
}

/** Assigns registers; parts that are themselves being assigned are copied first. */
function assign(k: Builder, ref: RegisterRef, value: WgslValue): void {
  const targets = new Set<Operand>(ref.choices.flat())
  const clobbers = value.parts.length > 1 && value.parts.some((p, i) => targets.has(p) && p !== ref.choices[0]![i])
  const { parts } = clobbers ? freeze(k, value) : value
  ref.choices.forEach((c, i) => {
    const taken = ref.index === null ? null : k.apply('eq', [ref.index, constOf(ref.index.type, i)])
    c.forEach((r, j) => {
      if (taken) k.op('select', [taken, parts[j]!, r], { dst: r })
      else if (parts[j] !== r) k.set(r, parts[j]!)
    })
  })
}

/** New registers for a variable of `type`, with no value yet. */
export function registersFor(k: Builder, name: string, type: WType): Reg[] {
  checkParts(type, k.at)
  const names = scalarNamesOf(type)
  return names.map((n, i) => {
    const r = k.reg(registerOf(n), names.length === 1 ? name : `${name}_${i}`)
    k.mutable.add(r)
    return r
  })
}

/** Bytes of a type, refused when it is larger than `limit`. */
export function boundedSize(type: WType, limit: number, what: string, at: Span | undefined): number {
  const bytes = bytesOfWgsl(type)
  if (!(bytes <= limit)) fail('wgsl.limit', `${what} takes ${bytes} bytes; the limit is ${limit}`, at)
  return bytes
}
