// The parts that programs are taken apart into: `Nest`, the canonical form, and `Other`. Only data.
import type { ArrayDecl, Expr, Loop, LoopStmt, ReduceOp } from '../ir/index.ts'

/** `out[index] = value` for every point of `parallel` where `guard` holds; `value` reads `reduction.into` when there is one. */
export interface Nest {
  readonly kind: 'nest'
  readonly parallel: readonly Loop[]
  readonly guard: Expr | undefined
  readonly reduction: Reduction | undefined
  readonly out: { readonly array: ArrayDecl; readonly index: readonly Expr[]; readonly value: Expr }
  /** It reads `out.array` at other elements as they were before; absent once a copy holds these. */
  readonly before?: true
}

/** `into = init; for loops where guard holds: into = into ∘ value`. */
export interface Reduction {
  readonly loops: readonly Loop[]
  readonly guard: Expr | undefined
  readonly op: ReduceOp
  readonly init: Expr
  readonly value: Expr
  /** A private scalar. */
  readonly into: ArrayDecl
}

/** Statements that are in no canonical form. */
export interface Other {
  readonly kind: 'other'
  readonly body: readonly LoopStmt[]
  /** Why it is in no canonical form, and which dependence keeps its loops in order. */
  readonly why: string
  /** How many of its outer loops, perfectly nested, may run in parallel. */
  readonly parallel: number
}
