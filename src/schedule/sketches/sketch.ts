// The interface of sketches. A sketch is a family of schedules for one class of data reuse (contraction, stencil, scan
// …): for a nest it gives a space of points and, for each point, the scheduled kernels. It declines nests that it
// cannot schedule.
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
  type TargetName,
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
  /** Read-only aliases: arrays of `program` that are other arrays under a second name. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * Extents of arrays as this kernel sees them, where it sees others than the program: so many elements as they have.
   */
  readonly shapes?: Readonly<Record<string, readonly Expr[]>>
  /** Indices are computed where they are used, not hoisted (`LowerOptions.near`). */
  readonly near?: true
  /**
   * Read-only arrays that are loaded ahead of time: compilers must not sink these loads to the uses of their values.
   */
  readonly held?: readonly string[]
}

/** What a sketch builds from a point. */
export interface Made {
  readonly kernels: readonly Scheduled[]
  /**
   * The host program over the kernels, by their positions; absent: each is launched once, in order. Variables of host
   * loops are sizes of `program`.
   */
  readonly steps?: readonly PlanStep[]
  readonly program: Program
  /**
   * Kernels (by position) that only copy an input into a temporary of their own: those with equal keys hold the same,
   * and one will do.
   */
  readonly copies?: readonly { readonly kernel: number; readonly array: string; readonly key: string }[]
  /** The `vectorSizes` of this point, where its kernels use arrays that the sketch does not know. */
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
  /** `buildExact` is also right for rows that do not start on a vector boundary, and a variant for those is wanted. */
  readonly unaligned?: true
  /**
   * The points to try first at these sizes on a GPU with this number of multiprocessors, most promising first; `target`
   * where it makes a difference.
   */
  likely?(values: PlanValues, multiprocessors: number, target?: TargetName): readonly P[]
  /** How much above the best prediction that of the likeliest may be, where it was measured at many sizes. */
  readonly likelyWithin?: number
  /**
   * The sizes that a point's kernels process in rounds, with the amount per round: a proof needs more than one round.
   */
  rounds?(point: P): Readonly<Record<string, number>>
  /** A point with a single launch, for parts whose several launches cannot be merged with those of other parts. */
  alone?(values: PlanValues, multiprocessors: number): P | undefined
  /** The point to build for CUDA in place of `point`, on this GPU if one is given; absent: the point itself. */
  forCuda?(point: P, chip?: Chip): P
  /**
   * Points of the same schedule with smaller blocks, the largest first, for GPUs that cannot start the point's blocks.
   */
  smaller?(point: P): readonly P[]
  /**
   * For each size the multiple of which it must be for vector accesses; a variant without them serves all other sizes.
   */
  readonly vectorSizes: Readonly<Record<string, number>>
}

/** The program with another body, as a kernel. */
export const kernelWith = (
  program: Program,
  body: readonly LoopStmt[],
  name: string,
  steps: readonly string[],
): Scheduled => ({ program: { ...program, body }, name, steps })

/** What a sketch builds from a point, or the side condition that fails. */
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
