// LoopIR: what must be computed, as loop nests over arrays. At every point of a schedule it is a plain sequential
// program: running it from top to bottom, ignoring all bindings, gives the answer. Bindings and spaces only say where
// things will run and live. Scalars are arrays of rank 0. `schedule/` rewrites it, `schedule/lower` turns it into
// KernelIR. It deliberately has no pointers, no aliasing (distinct names are distinct memory) and no unbounded loops.
import type { Span } from '../../base/index.ts'
import type { OpName, ReduceOp } from '../ops.ts'
import type { MemoryType, ScalarType } from '../types.ts'

/** A pure expression. Integer expressions of loop variables and sizes have type `i32`. */
export type Expr =
  | { readonly kind: 'const'; readonly type: ScalarType; readonly value: number | bigint }
  /** A loop variable in scope. */
  | { readonly kind: 'var'; readonly type: 'i32'; readonly name: string }
  /** A size of the program, or the variable of a loop of the host around it. */
  | { readonly kind: 'size'; readonly type: 'i32'; readonly name: string }
  /** A scalar parameter (read-only). */
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly name: string }
  /** An array element; `type` is the register type of the array's element. */
  | {
      readonly kind: 'read'
      readonly type: ScalarType
      readonly array: string
      readonly index: readonly Expr[]
      readonly at?: Span
    }
  | { readonly kind: 'op'; readonly type: ScalarType; readonly op: OpName; readonly args: readonly Expr[] }
  /** Only the chosen side is evaluated. Used for guards on reads, and for C's `?:`, `&&` and `||` where it matters. */
  | {
      readonly kind: 'choose'
      readonly type: ScalarType
      readonly condition: Expr
      readonly then: Expr
      readonly else: Expr
    }

/**
 * Where the iterations of a loop run.
 * `block`: one block per iteration, on that axis of the grid.
 * `thread`: iteration v is run by threads with `floor(threadRank / stride) mod extent = v`; extents are constants. A
 *   reduction store that the loop carries is done across threads (a tree); anything else must not be carried.
 * `matrix`: one iteration, which warps do together on matrices; its body says what they do, up to the order of sums.
 * `vector`: iterations become lanes of vector accesses where contiguous (extent 2 or 4). `unroll`: written out.
 */
export type Binding =
  | { readonly kind: 'serial' }
  | { readonly kind: 'block'; readonly axis: 'x' | 'y' | 'z' }
  | { readonly kind: 'thread'; readonly stride: number }
  | { readonly kind: 'vector' }
  | { readonly kind: 'unroll' }
  | { readonly kind: 'matrix'; readonly work: MatrixWork }

/** Results of a warp: `rows` × `columns` matrices of 16 × 16. */
export interface MatrixSums {
  readonly name: string
  readonly rows: number
  readonly columns: number
}

/** A factor of a warp's products. */
export interface MatrixOperand {
  /** Arrays of f16 that add up to it, the largest part first. */
  readonly parts: readonly string[]
  /**
   * Its first element; `own` and `k` are the dimensions of its rows (of a right factor: columns) and of the sum: the
   * last two, in any order.
   */
  readonly index: readonly Expr[]
  readonly own: number
  readonly k: number
}

/**
 * What warps do together on matrices of 16 × 16 where a loop of one iteration is bound to `matrix`. `store`: results
 * from `first` on to places [.., result, row, column], and clears them.
 */
export type MatrixWork =
  | { readonly op: 'clear'; readonly sums: MatrixSums }
  | {
      readonly op: 'multiply'
      readonly sums: MatrixSums /** Steps of 16 along k. */
      readonly steps: number
      readonly left: MatrixOperand
      readonly right: MatrixOperand
    }
  | {
      readonly op: 'store'
      readonly sums: MatrixSums
      readonly first: number
      readonly count: number
      readonly into: string
      readonly index: readonly Expr[]
    }

export interface Loop {
  readonly kind: 'loop'
  /** Unique among the loops around it. */
  readonly name: string
  /** First value. */
  readonly lower: Expr
  /** First value not taken; the loop is empty when `upper ≤ lower`. */
  readonly upper: Expr
  /** A positive constant. */
  readonly step: number
  readonly bind: Binding
  readonly body: readonly LoopStmt[]
  readonly at?: Span
}

export interface If {
  readonly kind: 'if'
  readonly condition: Expr
  readonly then: readonly LoopStmt[]
  readonly else: readonly LoopStmt[]
  readonly at?: Span
}

/** `array[index] = value`, or with `reduce` `array[index] = array[index] ∘ value`. */
export interface Store {
  readonly kind: 'store'
  readonly array: string
  readonly index: readonly Expr[]
  readonly reduce: ReduceOp | null
  /** A reduction that other threads may do to the same element at the same time; integers of 32 bits only. */
  readonly atomic?: true
  readonly value: Expr
  readonly at?: Span
}

/**
 * From here to the end of the enclosing block, a fresh uninitialised array (`space` private or shared, or global temp).
 */
export interface Declare {
  readonly kind: 'declare'
  readonly array: ArrayDecl
  readonly at?: Span
}

export type LoopStmt = Loop | If | Store | Declare

/**
 * An array. Row-major: the last index is contiguous. `role` says how a program uses a parameter; `temp` is no
 * parameter. `space` global for parameters; private and shared for what schedules stage.
 */
export interface ArrayDecl {
  readonly name: string
  readonly type: MemoryType
  /** Extents, expressions of sizes and constants; empty for a scalar. */
  readonly shape: readonly Expr[]
  readonly role: 'in' | 'out' | 'inout' | 'temp'
  readonly space: 'global' | 'shared' | 'private'
  /** Elements added to the innermost extent in memory (bank-conflict padding). */
  readonly pad?: number
  /**
   * Element i is the place from where iteration i of a loop packs, those after it behind what it packs: so a schedule
   * has made it.
   */
  readonly starts?: true
  /** It lies in no memory (`Computed`): neighbouring elements are not next to each other. */
  readonly computed?: true
  /**
   * Some subscript is bounded by nothing (`x[place[i]]` of what is only read, `x[i ^ j]`): the caller's array may be
   * longer than its extents, and all of it can be reached.
   */
  readonly isOpenEnded?: true
  /** The first extent was derived from all subscripts, none of which data choose: each is below it at all sizes. */
  readonly isDerived?: true
  /** Elements before the one that the source's pointer points to. */
  readonly origin?: Expr
  readonly at?: Span
}

/** The least value of a size that may be any integer: flags, offsets and pads keep all their values. */
export const leastInteger = -(2 ** 31)

/** What is known of any size. */
interface SizeFacts {
  readonly name: string
  /** Assumed lower bound, checked before anything is launched; `leastInteger` of what may be any integer. */
  readonly min: number
  /**
   * It counts iterations or elements, and its 0 leaves nothing of some loop or array: schedules assume 1, and other
   * variants of a plan take 0.
   */
  readonly counts?: true
  /** What to plan, predict and measure for. */
  readonly planned: number
  /** These hold, over it and other sizes: at other values the program is another one (`Program.otherwise`). */
  readonly where?: readonly Expr[]
}

/** An integer that the caller gives at run time. */
export interface GivenSize extends SizeFacts {
  readonly kind: 'given'
  /**
   * The source adds up so many of it, or of loops up to it, in a wider or unsigned type than the 31 bits in which that
   * is computed here: it, and the elements of an array, are at most so many times below what 31 bits hold.
   */
  readonly reach?: number
  /** The value can never differ (a C macro): the wrapper does not take it. */
  readonly fixed?: boolean
}

/** It is `of` / `by` rounded towards 0, less `from`, with `of` over other sizes. `signed`: `of` may be negative. */
export interface QuotientSize extends SizeFacts {
  readonly kind: 'quotient'
  readonly of: Expr
  readonly by: number
  readonly from: number
  readonly signed: boolean
}

/** It is how many bits another number has: at most 32. */
export interface BitsSize extends SizeFacts {
  readonly kind: 'bits'
}

/** It is what an expression over other sizes is: a product, a power of two, a quotient by a size. */
export interface DerivedSize extends SizeFacts {
  readonly kind: 'derived'
}

/** An integer that is the same for all of a run: the caller's, or what the compiler has made of such. */
export type Size = GivenSize | QuotientSize | BitsSize | DerivedSize

/**
 * The variable of a loop that the host runs, as programs inside of the loop see it: an integer that no launch changes
 * and that no caller gives. (As text: `host variable NAME = 8 min 0 below n`.)
 */
export interface HostVariable {
  readonly name: string
  /** The least value that it has. */
  readonly min: number
  /**
   * The first value that it cannot have, over sizes and other variables; absent outside of its loop, which may be
   * empty.
   */
  readonly below?: Expr
  /** What to plan, predict and measure for. */
  readonly planned: number
}

/** What is the same integer for all of a launch. `size` expressions name either. */
export interface Symbols {
  readonly sizes: readonly Size[]
  readonly hostVariables: readonly HostVariable[]
}

export interface ScalarParam {
  readonly name: string
  readonly type: ScalarType
  /** Planned value for runs that need one. */
  readonly planned?: number
}

/** One function or region: parameters and what it computes. */
export interface Program extends Symbols {
  readonly name: string
  /** Those of the caller, and those that the compiler makes of them. */
  readonly sizes: readonly Size[]
  /** Variables of the host's loops that the program, or some region of it, is inside of. */
  readonly hostVariables: readonly HostVariable[]
  readonly scalars: readonly ScalarParam[]
  /** Parameters, and temporaries that live in global memory over the whole program. */
  readonly arrays: readonly ArrayDecl[]
  readonly body: readonly LoopStmt[]
  readonly at?: Span
  /** Sentences for whoever reads a report: what the source says and this does not. */
  readonly notes?: readonly string[]
  /** What is meant where a condition of some size (`Size.where`) does not hold; of the same parameters. */
  readonly otherwise?: Program
}
