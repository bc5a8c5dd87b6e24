// The types of WGSL and where their bytes lie. In: nothing. Out: `WType`, sizes, alignments, names. The one idea: a
// type is either flattened to scalars (`scalarNamesOf`: what registers hold) or laid out in bytes (`bytesOfWgsl`: what
// memory holds). Abstract numbers are carried as i64 and f64 constants, which nothing else in WGSL uses.
import type { MemoryType, ScalarType } from '../../../ir/index.ts'

export type ScalarName = 'bool' | 'i32' | 'u32' | 'f16' | 'f32' | 'abstract-int' | 'abstract-float'
export type AddressSpace = 'function' | 'private' | 'workgroup' | 'storage' | 'uniform'
export type AccessMode = 'read' | 'write' | 'read-write'

export interface StructMember {
  readonly name: string
  readonly type: WType /** Bytes from the start of the struct. */
  readonly offset: number
}

export type WType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'vector'; readonly size: number; readonly element: ScalarName }
  | { readonly kind: 'matrix'; readonly columns: number; readonly rows: number; readonly element: ScalarName }
  | {
      readonly kind: 'array'
      readonly element: WType /** `null`: sized by the buffer. */
      readonly count: number | null
    }
  | {
      readonly kind: 'struct'
      readonly name: string
      readonly members: readonly StructMember[]
      readonly size: number
      readonly align: number
    }
  | { readonly kind: 'atomic'; readonly element: 'i32' | 'u32' }
  | { readonly kind: 'pointer'; readonly to: WType; readonly space: AddressSpace }
  | TextureType
  | { readonly kind: 'sampler'; readonly comparison: boolean }
  | { readonly kind: 'void' }

/** A texture as the source declares it; `text` is its spelling. */
export interface TextureType {
  readonly kind: 'texture'
  readonly text: string
  readonly role: 'sampled' | 'depth' | 'storage' | 'external'
  readonly shape: '1d' | '2d' | '3d' | 'cube'
  readonly arrayed: boolean
  readonly multisampled: boolean
  /** What a load gives. */
  readonly element: 'f32' | 'i32' | 'u32'
  /** Of storage textures: the source fixes them. */
  readonly format: string | null
  readonly access: AccessMode
}

export type VectorType = Extract<WType, { kind: 'vector' }>
export type MatrixType = Extract<WType, { kind: 'matrix' }>

const scalars = Object.fromEntries(
  (['bool', 'i32', 'u32', 'f16', 'f32', 'abstract-int', 'abstract-float'] as const).map((name) => [
    name,
    { kind: 'scalar', name },
  ]),
) as Readonly<Record<ScalarName, WType>> // every name is listed

export const scalar = (name: ScalarName): WType => scalars[name]
export const vectorType = (size: number, element: ScalarName): VectorType => ({ kind: 'vector', size, element })
export const matrix = (columns: number, rows: number, element: ScalarName): MatrixType => ({
  kind: 'matrix',
  columns,
  rows,
  element,
})
export const voidType: WType = { kind: 'void' }

/** A scalar when `size` is 1, else a vector. */
export const ofSize = (size: number, element: ScalarName): WType =>
  size === 1 ? scalar(element) : vectorType(size, element)

/** The register type of a scalar. */
export function registerOf(name: ScalarName): ScalarType {
  return name === 'abstract-int' ? 'i64' : name === 'abstract-float' ? 'f64' : name
}

/** What one scalar is in memory; `bool` takes a u32 (it is never visible to the host). */
export function memoryOf(name: ScalarName): MemoryType {
  const type = registerOf(name)
  return type === 'bool' ? 'u32' : type
}

export const isAbstract = (name: ScalarName): boolean => name === 'abstract-int' || name === 'abstract-float'
export const isFloatName = (name: ScalarName): boolean => name === 'f16' || name === 'f32' || name === 'abstract-float'
export const isIntegerName = (name: ScalarName): boolean => name === 'i32' || name === 'u32' || name === 'abstract-int'
export const isNumeric = (name: ScalarName): boolean => name !== 'bool'

/** The scalar that a scalar, vector, matrix or atomic is made of; of an array, its element's; otherwise null. */
export function elementName(type: WType): ScalarName | null {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'vector':
    case 'matrix':
    case 'atomic':
      return type.element
    case 'array':
      return elementName(type.element)
    case 'struct':
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return null
  }
}

const roundUp = (to: number, n: number): number => Math.ceil(n / to) * to
const scalarBytes = (name: ScalarName): number => (name === 'f16' ? 2 : 4)

/** Bytes that an address of the type must be a multiple of (WGSL "alignment and size"). */
export function alignOf(type: WType): number {
  switch (type.kind) {
    case 'scalar':
      return scalarBytes(type.name)
    case 'vector':
      return (type.size === 2 ? 2 : 4) * scalarBytes(type.element)
    case 'matrix':
      return alignOf(vectorType(type.rows, type.element))
    case 'array':
      return alignOf(type.element)
    case 'struct':
      return type.align
    case 'atomic':
      return 4
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return 1
  }
}

/** Bytes of a value in memory; a runtime-sized array counts as one element. */
export function bytesOfWgsl(type: WType): number {
  switch (type.kind) {
    case 'scalar':
      return scalarBytes(type.name)
    case 'vector':
      return type.size * scalarBytes(type.element)
    case 'matrix':
      return type.columns * columnStride(type)
    case 'array':
      return (type.count ?? 1) * strideOf(type)
    case 'struct':
      return type.size
    case 'atomic':
      return 4
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return 0
  }
}

/** Bytes from one element of an array to the next. */
export const strideOf = (array: Extract<WType, { kind: 'array' }>): number =>
  roundUp(alignOf(array.element), bytesOfWgsl(array.element))

/** Bytes from one column of a matrix to the next. */
export const columnStride = (m: MatrixType): number => alignOf(vectorType(m.rows, m.element))

/** Whether the last part is a runtime-sized array. */
export function isUnsized(type: WType): boolean {
  if (type.kind === 'array') return type.count === null
  return type.kind === 'struct' && type.members.length > 0 && isUnsized(type.members[type.members.length - 1]!.type)
}

/** Lays out a struct; each member may ask for its own `@size` and `@align`, in bytes. */
export function layoutStruct(
  name: string,
  members: readonly { readonly name: string; readonly type: WType; readonly size?: number; readonly align?: number }[],
): WType {
  let end = 0,
    align = 1
  const placed = members.map((m): StructMember => {
    const own = m.align ?? alignOf(m.type)
    const offset = roundUp(own, end)
    align = Math.max(align, own)
    end = offset + (m.size ?? bytesOfWgsl(m.type))
    return { name: m.name, type: m.type, offset }
  })
  return { kind: 'struct', name, members: placed, size: roundUp(align, end), align }
}

/** Remembered: structures of structures have exponentially many parts. */
const structParts = new WeakMap<WType, number>()

/** How many scalars a value is made of; Infinity for what cannot be held in registers. */
export function partCount(type: WType): number {
  switch (type.kind) {
    case 'scalar':
      return 1
    case 'vector':
      return type.size
    case 'matrix':
      return type.columns * type.rows
    case 'array':
      return type.count === null ? Infinity : type.count * partCount(type.element)
    case 'struct': {
      const known = structParts.get(type) ?? type.members.reduce((n, m) => n + partCount(m.type), 0)
      structParts.set(type, known)
      return known
    }
    case 'atomic':
      return 1
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return 0
  }
}

/** The scalars of a value in order. The caller has bounded `partCount`. */
export function scalarNamesOf(type: WType): ScalarName[] {
  switch (type.kind) {
    case 'scalar':
      return [type.name]
    case 'vector':
      return Array.from({ length: type.size }, () => type.element)
    case 'matrix':
      return Array.from({ length: type.columns * type.rows }, () => type.element)
    case 'array': {
      const one = scalarNamesOf(type.element)
      return Array.from({ length: type.count ?? 0 }, () => one).flat()
    }
    case 'struct':
      return type.members.flatMap((m) => scalarNamesOf(m.type))
    case 'atomic':
      return [type.element]
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return []
  }
}

export function sameType(a: WType, b: WType): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'scalar':
      return b.kind === 'scalar' && a.name === b.name
    case 'vector':
      return b.kind === 'vector' && a.size === b.size && a.element === b.element
    case 'matrix':
      return b.kind === 'matrix' && a.columns === b.columns && a.rows === b.rows && a.element === b.element
    case 'array':
      return b.kind === 'array' && a.count === b.count && sameType(a.element, b.element)
    case 'struct':
      return b.kind === 'struct' && a.name === b.name
    case 'atomic':
      return b.kind === 'atomic' && a.element === b.element
    case 'pointer':
      return b.kind === 'pointer' && a.space === b.space && sameType(a.to, b.to)
    case 'texture':
      return b.kind === 'texture' && a.text === b.text
    case 'sampler':
      return b.kind === 'sampler' && a.comparison === b.comparison
    case 'void':
      return b.kind === 'void'
  }
}

const short: Record<ScalarName, string> = {
  bool: 'bool',
  i32: 'i32',
  u32: 'u32',
  f16: 'f16',
  f32: 'f32',
  'abstract-int': 'abstract-int',
  'abstract-float': 'abstract-float',
}

/** The type as WGSL spells it. */
export function wgslTypeText(type: WType): string {
  switch (type.kind) {
    case 'scalar':
      return short[type.name]
    case 'vector':
      return `vec${type.size}<${type.element}>`
    case 'matrix':
      return `mat${type.columns}x${type.rows}<${type.element}>`
    case 'array':
      return `array<${wgslTypeText(type.element)}${type.count === null ? '' : `, ${type.count}`}>`
    case 'struct':
      return type.name
    case 'atomic':
      return `atomic<${type.element}>`
    case 'pointer':
      return `ptr<${type.space}, ${wgslTypeText(type.to)}>`
    case 'texture':
      return type.text
    case 'sampler':
      return type.comparison ? 'sampler_comparison' : 'sampler'
    case 'void':
      return 'void'
  }
}
