// The tree that emitters print: a kernel's statements with single-use registers folded back into expressions, loops
// recognised as `for` and `while`, and every register given the place where it is declared. It belongs to no target:
// WGSL and CUDA print the same tree. `expression-folding.ts` makes it.
import {
  complements,
  isOrdering,
  isComparison,
  type AtomicOp,
  type BarrierScope,
  type Builtin,
  type MatrixStep,
  type MemoryType,
  type OpName,
  type Reg,
  type ScalarType,
  type Stmt,
  type SubgroupOp,
} from '../ir/index.ts'

/** Where in a resource: byte address index × stride + offset. */
export interface ResourcePlace {
  readonly resource: string
  readonly index: Value
  readonly stride: number
  readonly offset: number
}

/** A vector load whose registers live in one variable. `name` is a hint. */
export interface LoadGroup {
  readonly regs: readonly Reg[]
  readonly type: MemoryType
  readonly name: string
}

/** What is declared and named: a register of its own, or a group. */
export type Holder = Reg | LoadGroup

/** An expression. `load`, `atomic` and `subgroup` read or change the world, the others do not. */
export type Value =
  | { readonly kind: 'reg'; readonly reg: Reg }
  | { readonly kind: 'component'; readonly group: LoadGroup; readonly index: number }
  | { readonly kind: 'const'; readonly type: ScalarType; readonly value: number | bigint }
  | { readonly kind: 'param'; readonly name: string; readonly type: ScalarType }
  | { readonly kind: 'builtin'; readonly name: Builtin }
  | {
      readonly kind: 'op'
      readonly op: OpName
      readonly type: ScalarType
      readonly argType: ScalarType
      readonly args: readonly Value[]
    }
  /** `width` 1: one element; more: a vector, only as the whole of a group's definition. */
  | { readonly kind: 'load'; readonly type: MemoryType; readonly width: number; readonly place: ResourcePlace }
  | {
      readonly kind: 'atomic'
      readonly op: AtomicOp
      readonly type: MemoryType
      readonly place: ResourcePlace
      readonly args: readonly Value[]
      readonly used: boolean
    }
  /** `nested`: inside control flow where lanes may be missing. */
  | {
      readonly kind: 'subgroup'
      readonly op: SubgroupOp
      readonly type: ScalarType
      readonly args: readonly Value[]
      readonly nested: boolean
    }

export interface Assignment {
  readonly holder: Holder
  readonly value: Value
}

/** A printed statement. `let`: declared here and never changed; `var`: declared here; `set`: declared elsewhere. */
export type Line = { readonly comment?: string } & (
  | { readonly kind: 'let' | 'set'; readonly holder: Holder; readonly value: Value }
  | { readonly kind: 'var'; readonly holder: Holder; readonly value: Value | null }
  | { readonly kind: 'do'; readonly value: Value }
  | {
      readonly kind: 'store'
      readonly type: MemoryType
      readonly place: ResourcePlace
      readonly values: readonly Value[]
    }
  /** `place`: where the step touches memory. */
  | { readonly kind: 'matrix'; readonly step: MatrixStep; readonly place: ResourcePlace | null }
  | { readonly kind: 'barrier'; readonly scope: BarrierScope /** The kernel's. */; readonly stmt: Stmt }
  | { readonly kind: 'if'; readonly condition: Value; readonly then: readonly Line[]; readonly else: readonly Line[] }
  | {
      readonly kind: 'for'
      readonly init: Assignment | null
      readonly condition: Value | null
      readonly update: Assignment
      readonly body: readonly Line[]
    }
  | { readonly kind: 'while'; readonly condition: Value; readonly body: readonly Line[] }
  | { readonly kind: 'loop'; readonly body: readonly Line[]; readonly continuing: readonly Line[] }
  | { readonly kind: 'break' | 'continue' | 'return' }
)

export const isGroup = (h: Holder): h is LoadGroup => !('kind' in h)

/** The type of a value as a register would hold it. */
export function typeOfValue(v: Value): ScalarType {
  switch (v.kind) {
    case 'reg':
      return v.reg.type
    case 'component':
      return v.group.regs[v.index]!.type
    case 'const':
    case 'param':
    case 'op':
    case 'subgroup':
      return v.type
    case 'builtin':
      return 'u32'
    case 'load':
    case 'atomic':
      return wide(v.type)
  }
}

const wide = (t: MemoryType): ScalarType => (t === 'i8' || t === 'i16' ? 'i32' : t === 'u8' || t === 'u16' ? 'u32' : t)

/** `not v`, with comparisons turned round where that is exact. */
export function logicalNot(v: Value): Value {
  if (v.kind === 'op' && v.op === 'lnot') return v.args[0]!
  if (v.kind === 'op') {
    const isExact = v.argType !== 'f16' && v.argType !== 'f32' && v.argType !== 'f64'
    if (isComparison(v.op) && (isExact || !isOrdering(v.op))) return { ...v, op: complements[v.op] }
  }
  return { kind: 'op', op: 'lnot', type: 'bool', argType: 'bool', args: [v] }
}
