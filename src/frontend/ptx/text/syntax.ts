// The syntax tree of PTX: a module's variables and functions, and the instructions of a body. The one idea: registers
// are numbers into the body's table, made unique where they are parsed, so that nothing later looks at scopes or names.
import type { Span } from '../../../base/index.ts'

/** PTX's fundamental types. */
export type PtxType =
  | 'b8'
  | 'b16'
  | 'b32'
  | 'b64'
  | 'b128'
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 's8'
  | 's16'
  | 's32'
  | 's64'
  | 'f16'
  | 'f16x2'
  | 'bf16'
  | 'bf16x2'
  | 'tf32'
  | 'f32'
  | 'f64'
  | 'pred'

export type PtxSpace = 'global' | 'const' | 'shared' | 'local' | 'param'

/**
 * A literal: `bits` as 64-bit two's complement; `float` says how a float literal was written, else it is an integer.
 */
export interface Literal {
  readonly kind: 'literal'
  readonly bits: bigint
  readonly float?: 32 | 64
}
export interface Register {
  readonly kind: 'register'
  readonly id: number /** `!%p` */
  readonly negated: boolean
}
/** A variable, function, label, special register or anything else with a name. */
export interface Name {
  readonly kind: 'name'
  readonly name: string
}
/** `[base + offset]`; no base is an absolute address. `parts`: coordinates of a texture. */
export interface AddressOperand {
  readonly kind: 'address'
  readonly base: Register | Name | null
  readonly offset: number
  readonly parts: readonly PtxOperand[]
}
/** `{a, b, c, d}`. */
export interface Vector {
  readonly kind: 'vector'
  readonly items: readonly PtxOperand[]
}
/** `(a, b)` of calls. */
export interface Tuple {
  readonly kind: 'tuple'
  readonly items: readonly PtxOperand[]
}
/** `_`: a result that nobody wants. */
export interface Sink {
  readonly kind: 'sink'
}

export type PtxOperand = Literal | Register | Name | AddressOperand | Vector | Tuple | Sink

/** An opcode taken apart: `name` is the first word, `mods` the rest, each without its dot. */
export interface Opcode {
  readonly text: string
  readonly name: string
  readonly mods: readonly string[]
}

export interface Instruction {
  readonly opcode: Opcode
  /** The predicate of `@%p` or `@!%p`. */
  readonly guard: Register | null
  readonly operands: readonly PtxOperand[]
  /** `%p|%q`: the second result of setp, shfl and match. */
  readonly second: Register | null
  /** Line of the PTX text, and the place in CUDA source that `.loc` gave. */
  readonly line: number
  readonly loc: Span | null
}

export interface Label {
  readonly name: string /** Index of the instruction that follows. */
  readonly at: number
}

export interface RegisterDecl {
  readonly name: string
  readonly type: PtxType
}

export interface Variable {
  readonly name: string
  readonly space: PtxSpace
  readonly type: PtxType
  /** Elements of `type`; 0 for `extern` arrays without bounds. */
  readonly count: number
  readonly align: number
  /** Initial bytes, or null for none; symbols within are pointers to other variables. */
  readonly initial: Uint8Array | null
  readonly pointers: readonly { readonly at: number; readonly name: string; readonly offset: number }[]
  readonly external: boolean
  readonly line: number
}

/** A function's body, parsed. */
export interface Body {
  readonly registers: readonly RegisterDecl[]
  readonly variables: readonly Variable[]
  readonly instructions: readonly Instruction[]
  readonly labels: readonly Label[]
  /** Instructions before which `.pragma "nounroll"` stands. */
  readonly noUnroll: readonly number[]
  /** Lists of `.branchtargets`. */
  readonly targets: ReadonlyMap<string, readonly string[]>
}

export interface PtxFunction {
  readonly name: string
  readonly entry: boolean
  readonly params: readonly Variable[]
  readonly results: readonly Variable[]
  /** `.reqntid` and `.maxntid`, when given. */
  readonly reqntid: readonly [number, number, number] | null
  readonly maxntid: readonly [number, number, number] | null
  readonly line: number
  /** Where the body begins and ends in the text; null for a declaration. */
  readonly body: { readonly from: number; readonly to: number; readonly line: number } | null
}

export interface PtxModule {
  readonly text: string
  readonly file: string
  readonly target: string
  readonly addressBits: 32 | 64
  readonly files: ReadonlyMap<number, string>
  readonly variables: readonly Variable[]
  readonly functions: ReadonlyMap<string, PtxFunction>
  readonly textures: ReadonlySet<string>
}

export const bytesOfType: Readonly<Record<PtxType, number>> = {
  b8: 1,
  b16: 2,
  b32: 4,
  b64: 8,
  b128: 16,
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  s8: 1,
  s16: 2,
  s32: 4,
  s64: 8,
  f16: 2,
  f16x2: 4,
  bf16: 2,
  bf16x2: 4,
  tf32: 4,
  f32: 4,
  f64: 8,
  pred: 1,
}

export const isType = (word: string): word is PtxType => Object.hasOwn(bytesOfType, word)
