// The C that this front end knows, as plain data with places: what `parse.ts` makes of the parser's tree and
// `function.ts` turns into LoopIR. What C has and this has not is an `unknown` node that says what it is, so that
// nothing is skipped.
import type { Span } from '../../../base/index.ts'
import type { MemoryType } from '../../../ir/index.ts'

/** A scalar type as it is in memory; `void` and `bool` too. */
export type CScalar = MemoryType | 'bool' | 'void'

/** A structure: its members in order, each as declared. */
export interface CStruct {
  /** Its tag or typedef name, for messages. */
  readonly name: string
  readonly members: readonly Declarator[]
  /** A union of numbers that are equally wide. */
  readonly isUnion?: true
}

/**
 * An expression. Of a number, `double` marks a floating literal without suffix, `macro` is the object-like macro that
 * it came from, and `exact` is an integer that `value` only nears.
 */
export type CExpr = { readonly at: Span } & (
  | {
      readonly kind: 'number'
      readonly value: number
      readonly exact?: bigint
      readonly type: 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'double'
      readonly macro?: string
    }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly base: CExpr; readonly index: CExpr }
  | { readonly kind: 'deref'; readonly arg: CExpr }
  | { readonly kind: 'unary'; readonly op: '-' | '+' | '!' | '~'; readonly arg: CExpr }
  | { readonly kind: 'binary'; readonly op: string; readonly left: CExpr; readonly right: CExpr }
  /** `op` is empty for plain assignment, else the operator before `=`. */
  | { readonly kind: 'assign'; readonly op: string; readonly left: CExpr; readonly right: CExpr }
  | { readonly kind: 'update'; readonly op: '++' | '--'; readonly arg: CExpr; readonly prefix?: true }
  | { readonly kind: 'choose'; readonly condition: CExpr; readonly then: CExpr; readonly else: CExpr }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly CExpr[] }
  /**
   * `pointer` of a cast to a pointer: the extents of what it points into, outermost first and open. With `bits` the
   * value has the bits of `arg`, which is as wide.
   */
  | {
      readonly kind: 'cast'
      readonly type: CScalar
      readonly arg: CExpr
      readonly pointer?: readonly (CExpr | null)[]
      readonly bits?: true
    }
  /** Of a type, or of what `of` names. */
  | { readonly kind: 'sizeof'; readonly type: CScalar; readonly of?: CExpr }
  | { readonly kind: 'address'; readonly arg: CExpr }
  /** `base.name`; `base->name` is the member of a `deref`. */
  | { readonly kind: 'member'; readonly base: CExpr; readonly name: string }
  | { readonly kind: 'comma'; readonly left: CExpr; readonly right: CExpr }
  /**
   * `members` names items (`.x = 1`) where the source does; `of` is the array without a name that the list is the value
   * of. `isText`: a string, whose last item, 0, is left out where an array has no room for it (C11 6.7.9, 14).
   */
  | {
      readonly kind: 'list'
      readonly items: readonly CExpr[]
      readonly isText?: true
      readonly members?: readonly (string | undefined)[]
      readonly of?: Declarator
    }
  | { readonly kind: 'unknown'; readonly what: string; readonly hint?: string }
)

/** One declared name. `extents` of an array, outermost first; `null` is an extent left out (`a[]`, `*a`). */
export interface Declarator {
  readonly name: string
  readonly type: CScalar
  readonly extents: readonly (CExpr | null)[]
  readonly initial?: CExpr
  /** The element is a structure; `type` is `void` then. */
  readonly struct?: CStruct
  /** A local that the caller of a program without parameters gets. */
  readonly isOutput?: true
  /** Declared `static`. */
  readonly isStatic?: true
  /** Declared with `*`, not with brackets; as a local it points and does not hold. */
  readonly pointer?: true
  readonly at: Span
  /** Why this declarator cannot be taken (pointer to pointer, function pointer …). */
  readonly unknown?: string
  readonly hint?: string
}

export type CStmt = { readonly at: Span } & (
  | { readonly kind: 'declare'; readonly declarators: readonly Declarator[] }
  | { readonly kind: 'expr'; readonly expr: CExpr }
  | {
      readonly kind: 'for'
      readonly init: CStmt | null
      readonly condition: CExpr | null
      readonly update: CExpr | null
      readonly body: CStmt
    }
  | { readonly kind: 'if'; readonly condition: CExpr; readonly then: CStmt; readonly else: CStmt | null }
  | { readonly kind: 'while'; readonly condition: CExpr; readonly body: CStmt }
  | { readonly kind: 'do'; readonly body: CStmt; readonly condition: CExpr }
  /** `labels` of a case; null is `default`. A body without a jump at its end falls through. */
  | {
      readonly kind: 'switch'
      readonly value: CExpr
      readonly cases: readonly { readonly labels: readonly (CExpr | null)[]; readonly body: readonly CStmt[] }[]
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  /**
   * `label` names a block that `leave` ends: inlined functions and `goto` have it. `mark` is a label of C before its
   * first statement.
   */
  | { readonly kind: 'block'; readonly body: readonly CStmt[]; readonly label?: string; readonly mark?: string }
  | { readonly kind: 'leave'; readonly label: string }
  | { readonly kind: 'return'; readonly value: CExpr | null }
  | { readonly kind: 'pragma'; readonly text: 'scop' | 'endscop' }
  | { readonly kind: 'empty'; readonly mark?: string }
  /** `goto`: it is a jump to that label, as long as nothing has said it otherwise. */
  | { readonly kind: 'unknown'; readonly what: string; readonly hint?: string; readonly goto?: string }
)

/** A call that was left out; `ends`: it ends the program, and the function instead. */
export interface Dropped {
  readonly name: string
  readonly at: Span
  readonly ends?: true
}

export interface CFunction {
  readonly name: string
  readonly returns: CScalar
  readonly returnsStruct?: CStruct
  /** To what `returns` or `returnsStruct` says. */
  readonly returnsPointer?: true
  readonly parameters: readonly Declarator[]
  readonly body: Extract<CStmt, { kind: 'block' }>
  readonly at: Span
  /** Calls that were left out, as they compute nothing. */
  readonly dropped?: readonly Dropped[]
  /** Sentences for the report. */
  readonly notes?: readonly string[]
}

/** What a file declares: functions, integer constants of enums, and global variables. */
export interface CUnit {
  readonly functions: readonly CFunction[]
  readonly enums: readonly {
    readonly name: string
    readonly value: CExpr | null
    readonly at: Span
    readonly first: boolean
  }[]
  readonly globals: readonly (Declarator & { readonly isConst: boolean })[]
}
