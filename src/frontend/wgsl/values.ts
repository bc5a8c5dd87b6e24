// What expressions are while a kernel is made: values (flattened to scalars), references (registers or bytes of a
// resource), and the operations on scalars that fold constants on the way. The one idea: a value whose parts are all
// constants is a constant expression; the same code evaluates and emits.
import { fail, type Span } from '../../base/index.ts'
import {
  constOf,
  evaluate,
  isFloat,
  KernelBuilder,
  opRow,
  type Const,
  type Operand,
  type OpName,
  type Reg,
  type Resource,
  type SamplerSpec,
  type ScalarType,
  type Stmt,
  type TexelFormat,
} from '../../ir/index.ts'
import {
  scalarNamesOf,
  isAbstract,
  isFloatName,
  ofSize,
  partCount,
  registerOf,
  sameType,
  scalar,
  wgslTypeText,
  type AccessMode,
  type AddressSpace,
  type ScalarName,
  type TextureType,
  type WType,
} from './types/types.ts'

/** Something that can be loaded and stored. */
export type Ref =
  /** One of several groups of registers, chosen by `index`; one group and `null` when it is fixed. */
  | {
      readonly kind: 'registers'
      readonly type: WType
      readonly choices: readonly (readonly Reg[])[]
      readonly index: Operand | null
      readonly owner: object
      readonly space: AddressSpace
    }
  /** Bytes at index × stride + offset. */
  | {
      readonly kind: 'memory'
      readonly type: WType
      readonly resource: Resource
      readonly index: Operand | null
      readonly stride: number
      readonly offset: number
      readonly access: AccessMode
      readonly space: AddressSpace
    }

export interface WgslValue {
  readonly type: WType
  /** The scalars in order of `scalarNamesOf(type)`; none for pointers. */
  readonly parts: readonly Operand[]
  readonly pointer?: Ref
  /** Of textures and samplers: which one. */
  readonly handle?: Texture | Sampler
}

/** A texture of the program: texels in memory, level after level, sample by sample, rows along x. */
export interface Texture {
  readonly kind: 'texture'
  readonly name: string
  readonly type: TextureType
  readonly resource: Resource
  readonly format: TexelFormat
  readonly levels: number
  readonly samples: number
  /** Texels along each axis of the first level; layers stand in the third. */
  readonly size: (axis: 0 | 1 | 2) => Operand
}

export interface Sampler {
  readonly kind: 'sampler'
  readonly name: string
  readonly comparison: boolean
  readonly spec: SamplerSpec
}

/** Statements of a kernel (docs/wgsl.md): inlined calls can multiply them. */
const maxStatements = 150_000
/** Steps of evaluation, which calls can multiply without leaving statements: it bounds the time that reading takes. */
const maxWork = 1_000_000

/** A kernel builder that gives every statement the current place, and keeps to limits. */
export class Builder extends KernelBuilder {
  at: Span | undefined
  /** Registers that variables live in: their values change. */
  readonly mutable = new Set<Reg>()
  private seen = new Map<string, Reg>()
  private last: Stmt['kind'] | null = null
  private statements = 0
  private steps = 0
  private nothingCounts = false

  /** Appends a statement; what could never be reached is left out. */
  override push(stmt: Stmt): void {
    if (this.last === 'break' || this.last === 'continue' || this.last === 'return') return
    this.last = stmt.kind
    if (++this.statements > maxStatements)
      fail(
        'wgsl.limit',
        `the kernel has more than ${maxStatements} operations after its functions are put in place`,
        this.at,
        'call fewer functions, or use loops',
      )
    const placed = this.at && !stmt.at ? { ...stmt, at: this.at } : stmt
    super.push(this.nothingCounts && stmt.kind !== 'load' && stmt.kind !== 'store' ? { ...placed, free: true } : placed)
  }

  /**
   * Statements that `emit` makes belong to a neighbouring instruction and are not counted, but for its loads and
   * stores.
   */
  free<T>(emit: () => T): T {
    const outer = this.nothingCounts
    this.nothingCounts = true
    try {
      return emit()
    } finally {
      this.nothingCounts = outer
    }
  }

  override collect(emit: () => void): Stmt[] {
    const outer = { seen: this.seen, last: this.last }
    this.seen = new Map(outer.seen.size > 400 ? [] : outer.seen)
    this.last = null
    try {
      return super.collect(emit)
    } finally {
      Object.assign(this, outer)
    }
  }

  /** Counts work that emits nothing, so that nested calls of constant functions end. */
  step(n = 1): void {
    this.steps += n
    if (this.steps > maxWork)
      fail('wgsl.limit', `the kernel takes more than ${maxWork} steps to evaluate`, this.at, 'call fewer functions')
  }

  /**
   * `op` on scalars: a constant when all arguments are, the earlier result when it stands already, else a statement.
   */
  apply(op: OpName, args: readonly Operand[], to?: ScalarType): Operand {
    this.step()
    const type = (op === 'select' ? args[1] : args[0])!.type
    const known = fold(op, args, type, to) ?? simplify(op, args)
    if (known) return known
    if (op === 'convert' && to === type) return args[0]!
    const stable = args.every((a) => a.kind !== 'reg' || !this.mutable.has(a))
    const key = stable ? `${this.nothingCounts ? 'free ' : ''}${op} ${to ?? ''} ${args.map(nameOf).join(' ')}` : ''
    const before = stable ? this.seen.get(key) : undefined
    if (before) return before
    const made = this.op(op, args, to ? { type: to } : {})
    if (stable) this.seen.set(key, made)
    return made
  }
}

function nameOf(o: Operand): string {
  if (o.kind === 'reg') return `r${o.id}`
  return o.kind === 'param' ? `p${o.name}` : `${o.type}:${Object.is(o.value, -0) ? '-0' : o.value}`
}

function fold(op: OpName, args: readonly Operand[], type: ScalarType, to?: ScalarType): Const | undefined {
  if (!args.every((a): a is Const => a.kind === 'const')) return undefined
  const gives = opRow(op).gives
  const result = gives === 'bool' ? 'bool' : gives === 'to' ? (to ?? type) : type
  return constOf(
    result,
    evaluate(
      op,
      type,
      args.map((a) => a.value),
      result,
    ),
  )
}

const isConst = (o: Operand | undefined, value: number): boolean =>
  o?.kind === 'const' && Number(o.value) === value && !isFloat(o.type)

/** Integer identities that every compiler removes. */
function simplify(op: OpName, [a, b]: readonly Operand[]): Operand | undefined {
  if (op === 'add') return isConst(b, 0) ? a : isConst(a, 0) ? b : undefined
  if (op === 'sub' || op === 'shl' || op === 'shr') return isConst(b, 0) ? a : undefined
  if (op === 'mul') return isConst(b, 1) ? a : isConst(a, 1) ? b : undefined
  if (op === 'land') return isConst(a, 1) ? b : isConst(b, 1) ? a : undefined
  return undefined
}

export const isConstantValue = (v: WgslValue): boolean =>
  v.pointer === undefined && v.parts.every((p) => p.kind === 'const')

export const literalValue = (name: ScalarName, value: number | bigint): WgslValue => ({
  type: scalar(name),
  parts: [constOf(registerOf(name), value)],
})
export const scalarValue = (name: ScalarName, part: Operand): WgslValue => ({ type: scalar(name), parts: [part] })
export const vectorValue = (name: ScalarName, parts: readonly Operand[]): WgslValue => ({
  type: ofSize(parts.length, name),
  parts,
})

/** Scalars of one value: each is a register. */
const maxParts = 4096

/** Refuses types too large to be held as one value. */
export function checkParts(type: WType, at: Span | undefined): void {
  const n = partCount(type)
  if (n > maxParts)
    fail(
      'wgsl.limit',
      `a value of type ${wgslTypeText(type)} has ${n} parts; the limit is ${maxParts}`,
      at,
      'access its elements one at a time',
    )
}

/** The zero value of a type. */
export function zero(type: WType, at?: Span): WgslValue {
  checkParts(type, at)
  return { type, parts: scalarNamesOf(type).map((name) => constOf(registerOf(name), 0)) }
}

/** Copies parts that live in variables, so that later assignments do not change the value. */
export function freeze(k: Builder, v: WgslValue): WgslValue {
  if (!v.parts.some((p) => p.kind === 'reg' && k.mutable.has(p))) return v
  return {
    ...v,
    parts: v.parts.map((p) => (p.kind === 'reg' && k.mutable.has(p) ? k.op('copy', [p], { name: p.name }) : p)),
  }
}

/** Scalar conversion by value, as constructors do. */
export function convertPart(k: Builder, part: Operand, to: ScalarName): Operand {
  const type = registerOf(to)
  return part.type === type ? part : k.apply('convert', [part], type)
}

/** The concrete type of an abstract one: i32 and f32. */
export function concreteName(name: ScalarName): ScalarName {
  return name === 'abstract-int' ? 'i32' : name === 'abstract-float' ? 'f32' : name
}

function concreteType(type: WType): WType {
  switch (type.kind) {
    case 'scalar':
      return isAbstract(type.name) ? scalar(concreteName(type.name)) : type
    case 'vector':
    case 'matrix':
      return isAbstract(type.element) ? { ...type, element: concreteName(type.element) } : type
    case 'array': {
      const element = concreteType(type.element)
      return element === type.element ? type : { ...type, element }
    }
    case 'struct':
    case 'atomic':
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return type
  }
}

/** Whether a value of type `from` may stand where `to` is wanted, without a written conversion. */
export function convertible(from: WType, to: WType): boolean {
  if (sameType(from, to)) return true
  if (from.kind === 'scalar' && to.kind === 'scalar') return widens(from.name, to.name)
  if (from.kind === 'vector' && to.kind === 'vector') return from.size === to.size && widens(from.element, to.element)
  if (from.kind === 'matrix' && to.kind === 'matrix')
    return from.columns === to.columns && from.rows === to.rows && widens(from.element, to.element)
  return (
    from.kind === 'array' && to.kind === 'array' && from.count === to.count && convertible(from.element, to.element)
  )
}

/** Whether a scalar converts without being asked: equal, or abstract to something that can hold it. */
export function widens(from: ScalarName, to: ScalarName): boolean {
  if (from === to) return true
  if (from === 'abstract-int') return to !== 'bool'
  return from === 'abstract-float' && isFloatName(to)
}

/**
 * `v` as a value of `type`. Throws `wgsl.type` when WGSL has no such conversion, `wgsl.range` when a constant does not
 * fit.
 */
export function coerce(k: Builder, v: WgslValue, type: WType, what: string): WgslValue {
  if (sameType(v.type, type)) return v
  if (!convertible(v.type, type))
    fail(
      'wgsl.type',
      `${what} has type ${wgslTypeText(v.type)}, but ${wgslTypeText(type)} is needed`,
      k.at,
      hintFor(v.type, type),
    )
  const names = scalarNamesOf(type)
  return { type, parts: v.parts.map((p, i) => convertAbstract(k, p, names[i]!)) }
}

function convertAbstract(k: Builder, part: Operand, to: ScalarName): Operand {
  const value = part.kind === 'const' ? Number(part.value) : 0
  const out =
    (to === 'i32' && (value < -(2 ** 31) || value >= 2 ** 31)) || (to === 'u32' && (value < 0 || value >= 2 ** 32))
  if (out && part.kind === 'const') fail('wgsl.range', `the value ${part.value} does not fit ${to}`, k.at)
  return convertPart(k, part, to)
}

function hintFor(from: WType, to: WType): string | undefined {
  const convertible = (t: WType): boolean => t.kind === 'scalar' || t.kind === 'vector'
  return from.kind === to.kind && convertible(from) ? `write the conversion: ${wgslTypeText(to)}(…)` : undefined
}

export const concretize = (k: Builder, v: WgslValue): WgslValue => coerce(k, v, concreteType(v.type), 'the value')

/** Two values brought to a common type for an operator; scalars stay scalars beside vectors. */
export function unify(
  k: Builder,
  a: WgslValue,
  b: WgslValue,
  what: string,
): { readonly a: WgslValue; readonly b: WgslValue; readonly name: ScalarName } {
  const [an, bn] = [numericName(a, what, k.at), numericName(b, what, k.at)]
  const name = widens(an, bn)
    ? bn
    : widens(bn, an)
      ? an
      : fail(
          'wgsl.type',
          `${what} cannot take ${wgslTypeText(a.type)} and ${wgslTypeText(b.type)}`,
          k.at,
          'convert one of them',
        )
  const to = (v: WgslValue): WgslValue => coerce(k, v, withElement(v.type, name), 'the operand')
  return { a: to(a), b: to(b), name }
}

export function numericName(v: WgslValue, what: string, at: Span | undefined): ScalarName {
  if (v.type.kind === 'scalar') return v.type.name
  if (v.type.kind === 'vector' || v.type.kind === 'matrix') return v.type.element
  return fail('wgsl.type', `${what} cannot take ${wgslTypeText(v.type)}`, at)
}

export function withElement(type: WType, name: ScalarName): WType {
  if (type.kind === 'scalar') return scalar(name)
  return type.kind === 'vector' || type.kind === 'matrix' ? { ...type, element: name } : type
}

/** A scalar repeated to `size` parts; a value of that size as it is. */
export const spread = (v: WgslValue, size: number): readonly Operand[] =>
  v.parts.length === size ? v.parts : Array.from({ length: size }, () => v.parts[0]!)

/** `op` on each component; scalars are repeated beside vectors. `gives` is the element of the result. */
export function each(k: Builder, op: OpName, values: readonly WgslValue[], gives: ScalarName): WgslValue {
  const size = Math.max(...values.map((v) => v.parts.length))
  const parts = values.map((v) => spread(v, size))
  const type = values.find((v) => v.parts.length === size)!.type
  const out = Array.from({ length: size }, (_, i) =>
    k.apply(
      op,
      parts.map((p) => p[i]!),
    ),
  )
  return { type: type.kind === 'matrix' ? { ...type, element: gives } : ofSize(size, gives), parts: out }
}

/** A pure built-in function: how many arguments it takes and what it makes of them. */
export interface BuiltinRow {
  readonly arity: number
  readonly make: (k: Builder, args: readonly WgslValue[], name: string) => WgslValue
}
