// What every sketch gives: for a nest, the points of its space and for each point the scheduled kernels. A sketch knows
// one class of reuse, not one program; what it cannot schedule it declines.
import { attempted, type Inapplicable } from '../../base/index.ts'
import {
  affineOf,
  int,
  literal,
  op,
  type ArrayDecl,
  type Binding,
  type Chip,
  type Expr,
  type LoopStmt,
  type PlanStep,
  type PlanValues,
  type Program,
  eachExpr,
} from '../../ir/index.ts'

/** Bytes of workgroup memory that a block may have: every one of CUDA, and of WebGPU on devices for large tiles. */
export const mostShared = 49152

/**
 * Values of the parameters of a sketch by name: flat, so that points can be stored, compared and shown. A sketch
 * declares its parameters as a type of its own (`TransposePoint` …); those that a stored point may lack are optional
 * there.
 */
export type Point = Readonly<Record<string, number>>

/** One kernel to launch: a scheduled nest. */
export interface Scheduled {
  readonly program: Program
  readonly name: string
  /** What was done, in words, in order. */
  readonly steps: readonly string[]
  /** Arrays of `program` that are others under a second name, which they only read. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * Extents of arrays as this kernel sees them, where it sees others than the program: so many elements as they have.
   */
  readonly shapes?: Readonly<Record<string, readonly Expr[]>>
  /** Places of elements are computed where they are used (`LowerOptions.near`). */
  readonly near?: true
  /**
   * Arrays that are only read, and ahead of time: compilers shall not move these loads to where their values are
   * wanted.
   */
  readonly held?: readonly string[]
}

/** What a point becomes. */
export interface Made {
  readonly kernels: readonly Scheduled[]
  /**
   * What the host does with the kernels, by their positions; absent: each once, in order. Variables of its loops are
   * sizes of `program`.
   */
  readonly steps?: readonly PlanStep[]
  readonly program: Program
  /**
   * Kernels (by position) that only copy an input into a temporary of their own: those with equal keys hold the same,
   * and one will do.
   */
  readonly copies?: readonly { readonly kernel: number; readonly array: string; readonly key: string }[]
  /** `vectorSizes` of this point, where it has other arrays than the sketch knows. */
  readonly vectorSizes?: Readonly<Record<string, number>>
}

/** A rung of the ladder from naive to fast. */
export interface Rung<P extends Point = Point> {
  readonly step: string
  readonly point: P
}

/**
 * What can be done to one nest, for points of type `P`. Code that handles all kinds of sketches uses `Sketch<Point>`
 * and gives each sketch only points of its own: of its space, of its ladder, or stored for it. Members are methods
 * because TypeScript compares their parameters bivariantly, which makes every `Sketch<P>` a `Sketch<Point>`.
 */
export interface Sketch<P extends Point = Point> {
  /** The class of reuse: `contraction`, `reduction` … */
  readonly name: string
  /** From the plain mapping to the best default, one idea at a time. */
  readonly ladder: readonly Rung<P>[]
  /** All points worth considering, in a fixed order. */
  readonly space: readonly P[]
  /**
   * The kernels of a point, in launch order, and the temporaries they share. Throws a `DiagnosticError` when a side
   * condition fails.
   */
  build(point: P): Made
  /**
   * The same without guards, for sizes that tiles divide: right only where `requires` hold. Absent when guards cost
   * nothing.
   */
  buildExact?(point: P): (Made & { readonly requires: readonly Expr[] }) | undefined
  /** `buildExact` is right for rows that do not start on a vector boundary too: it is wanted in a variant for those. */
  readonly unaligned?: true
  /** Points to try first at these sizes on a GPU with so many multiprocessors, the likeliest first. */
  likely?(values: PlanValues, multiprocessors: number): readonly P[]
  /** Sizes that a point's kernels go through in rounds, and how much of them one takes: a proof wants more than one. */
  rounds?(point: P): Readonly<Record<string, number>>
  /** A point of one launch, for when none of several could stand beside launches of other parts. */
  alone?(values: PlanValues, multiprocessors: number): P | undefined
  /** The point as compilers of CUDA like it, on such a GPU where it is told; absent: as it is. */
  forCuda?(point: P, chip?: Chip): P
  /** The same idea in smaller blocks, the largest first: for GPUs that have no room for the point's. */
  smaller?(point: P): readonly P[]
  /** Sizes whose multiples of this many elements allow vector accesses; a variant for other sizes is made without. */
  readonly vectorSizes: Readonly<Record<string, number>>
}

/** The program with another body, as a kernel. */
export const kernelWith = (
  program: Program,
  body: readonly LoopStmt[],
  name: string,
  steps: readonly string[],
): Scheduled => ({ program: { ...program, body }, name, steps })

/** What a point becomes, or the side condition that fails. */
export const tryPoint = <P extends Point>(sketch: Pick<Sketch<P>, 'build'>, point: P): Made | Inapplicable =>
  attempted(() => sketch.build(point))

export const block = (axis: 'x' | 'y' | 'z'): Binding => ({ kind: 'block', axis })
export const threads = (stride: number): Binding => ({ kind: 'thread', stride })
export const unroll: Binding = { kind: 'unroll' }
export const vector: Binding = { kind: 'vector' }

/**
 * Sizes in the rows' lengths of those of `arrays` that lie in memory: rows start on a vector boundary when they are
 * multiples of 4.
 */
export function rowSizes(arrays: readonly ArrayDecl[]): Readonly<Record<string, number>> {
  const out: Record<string, number> = {}
  for (const a of arrays) {
    const last = a.shape[a.shape.length - 1]
    if (last && !a.computed && !isWholeVectors(last))
      eachExpr(last, (e) => {
        if (e.kind === 'size') out[e.name] = 4
      })
  }
  return out
}

/** Whether a row is a multiple of 4 elements at any size. */
function isWholeVectors(extent: Expr): boolean {
  const a = affineOf(extent)
  if (a) return [a.constant, ...a.terms.values()].every((c) => c % vectorElements === 0)
  const factors = extent.kind === 'op' && extent.op === 'mul' ? extent.args : []
  return factors.some((e) => (literal(e) ?? 1) % vectorElements === 0)
}

/** Of the widest vector of 4-byte elements. */
const vectorElements = 4

/** What it takes for all of these sizes to be multiples of their widths. */
export const aligned = (multiples: Readonly<Record<string, number>>): readonly Expr[] =>
  Object.entries(multiples).map(([name, n]) =>
    op('eq', [op('rem', [{ kind: 'size', type: 'i32', name }, int(n)]), int(0)]),
  )
