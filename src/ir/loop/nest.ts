// The parts that a program is divided into, as data types: a nest (parallel loops around one assignment, perhaps with
// one reduction), an idiom (a recognised computation that has kernels of its own, such as a scan), a host loop (a
// sequential loop that the host runs around other parts), and serial code (everything else).
import type { Affine } from '../integers/affine.ts'
import type { ArrayDecl, Expr, Loop, LoopStmt, Store } from './loop.ts'
import type { ReduceOp } from '../ops.ts'
import type { ScalarType } from '../types.ts'

/**
 * `out[index] = value` for every point of `parallel` where `guard` holds; `value` reads `reduction.into` when there is
 * one.
 */
export interface Nest {
  readonly kind: 'nest'
  readonly parallel: readonly Loop[]
  readonly guard: Expr | undefined
  readonly reduction: Reduction | undefined
  readonly out: { readonly array: ArrayDecl; readonly index: readonly Expr[]; readonly value: Expr }
  /** It reads the old values of other elements of `out.array`; absent once a copy holds these. */
  readonly before?: true
  /** The same over fewer loops (coalesced), which is what gets scheduled. */
  readonly flat?: Flat
}

/** Its parallel loops, then those of its reduction. */
export const loopsOfNest = (n: Nest): readonly Loop[] => [...n.parallel, ...(n.reduction?.loops ?? [])]

/** The nest with all that its loops, conditions, subscripts and values are made of as `f` makes it. */
export function mapNestExprs(n: Nest, f: (e: Expr) => Expr): Nest {
  const loops = (all: readonly Loop[]): readonly Loop[] =>
    all.map((l) => ({ ...l, lower: f(l.lower), upper: f(l.upper) }))
  const { reduction: r, guard, out } = n
  return {
    ...n,
    parallel: loops(n.parallel),
    guard: guard && f(guard),
    reduction: r && { ...r, loops: loops(r.loops), guard: r.guard && f(r.guard), init: f(r.init), value: f(r.value) },
    out: { ...out, index: out.index.map(f), value: f(out.value) },
  }
}

/** Coalesced nests, all over the same loops, as `rectangular` makes them. */
export interface Flat {
  readonly nests: readonly Nest[]
  /**
   * The extents of arrays, by name, as these nests index them: as many elements as the arrays have, over sizes and
   * products of sizes.
   */
  readonly shapes: Readonly<Record<string, readonly Expr[]>>
  /** Virtual arrays, whose elements are computed where they are read. */
  readonly computed?: readonly Computed[]
}

/**
 * An array that lies in no memory: its element at `at` (a variable for each dimension) is `element` where `guard`
 * holds, and 0 elsewhere. One that is stored to has a read as its element, to which stores go where `guard` holds.
 */
export interface Computed {
  readonly array: ArrayDecl
  readonly at: readonly string[]
  readonly element: Expr
  readonly guard?: Expr
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

/** What idioms and serial code have in common: statements that have no canonical form. */
interface Statements {
  readonly body: readonly LoopStmt[]
  /** Why it has no canonical form, and which dependence keeps its loops sequential. */
  readonly why: string
  /** How many of its outer loops, perfectly nested, may run in parallel. */
  readonly parallel: number
}

/** A recognised computation that has a parallel algorithm although its iterations depend on each other. */
export interface Idiom extends Statements {
  readonly kind: 'idiom'
  /** What it computes. */
  readonly form: Form
}

/** Code that runs sequentially as it is written, inside of those of its outer loops that are parallel. */
export interface Serial extends Statements {
  readonly kind: 'serial'
}

/** A part that is no nest. */
export type Other = Idiom | Serial

/** A loop that the host runs in order. Its variable is a size of the program. */
export interface HostLoop {
  readonly kind: 'host'
  readonly variable: string
  /** Over sizes, the variables of host loops around it among them. */
  readonly lower: Expr
  readonly upper: Expr
  readonly step: number
  readonly body: readonly Region[]
  /** The loop of the source. */
  readonly source: Loop
  /** The variable counts steps of a search, not the iterations of `source`. */
  readonly steps: boolean
  /** It runs once: its variable is a number of the loop around it. */
  readonly isValue?: true
  /** It runs once where a condition holds, and not at all where it does not; nothing uses its variable. */
  readonly isCondition?: true
}

export type Region = Nest | Idiom | Serial | HostLoop

/** The computations whose iterations depend on each other and that have a parallel algorithm all the same. */
export type Form =
  | Scan
  | Recurrence
  | Argument
  | Scatter
  | TimeTiles
  | WaveTiles
  | OneBlock
  | Stages
  | Rows
  | Maps
  | Sums
  | Crossed

/**
 * `into = init; for loop: { earlier stores; into = into ∘ value; later stores }; results`, for every point of
 * `parallel`. Stores and results read `into`; stores write an element of their own in every iteration.
 */
export interface Scan {
  readonly kind: 'scan'
  readonly parallel: readonly Loop[]
  readonly loop: Loop
  readonly op: ReduceOp
  readonly init: Expr
  readonly value: Expr
  /** A private scalar. */
  readonly into: ArrayDecl
  readonly stores: readonly ScanStore[]
  readonly results: readonly Store[]
}

/** `earlier`: with the value of `into` (or of states) before this iteration's. */
export interface ScanStore {
  readonly earlier: boolean
  readonly guard: Expr | undefined
  readonly store: Store
}

/**
 * `states = init; for loop: { earlier stores; states = M states + c; later stores }; results`, for every point of
 * `parallel`: M and c need no state. Stores and results read states; stores write an element of their own in every
 * iteration.
 */
export interface Recurrence {
  readonly kind: 'recurrence'
  readonly parallel: readonly Loop[]
  readonly loop: Loop
  readonly maps: MapKind
  /** Private scalars of one type. */
  readonly states: readonly ArrayDecl[]
  readonly init: readonly Expr[]
  /** The coefficients of an iteration: the rows of M, then c. */
  readonly map: readonly Expr[]
  readonly stores: readonly ScanStore[]
  readonly results: readonly Store[]
}

/**
 * `best = first; place = start; for loop where guard holds: if value better than best { best = value; place = at };
 * results`, for every point of `parallel`. Results read `best` and `place`.
 */
export interface Argument {
  readonly kind: 'argument'
  readonly parallel: readonly Loop[]
  readonly loop: Loop
  /** How a value compares that replaces the best so far. */
  readonly better: 'gt' | 'ge' | 'lt' | 'le'
  readonly guard: Expr | undefined
  readonly value: Expr
  /** In terms of the loop's variable. */
  readonly at: Expr
  readonly first: Expr
  readonly start: Expr
  /** Private scalars. */
  readonly best: ArrayDecl
  readonly place: ArrayDecl
  readonly results: readonly Store[]
}

/**
 * `for loops where guard holds: array[index] = array[index] ∘ value` where iterations may meet in an element: integers
 * only.
 */
export interface Scatter {
  readonly kind: 'scatter'
  readonly loops: readonly Loop[]
  readonly guard: Expr | undefined
  /** A reduction. */
  readonly store: Store
  readonly array: ArrayDecl
  /** The same over fewer loops, in arrays of the same elements with `shapes`. */
  readonly flat?: { readonly form: Scatter; readonly shapes: Flat['shapes'] }
}

/**
 * `for loop: sweeps`, each over many points in parallel, where all that is read of what they write lies a constant
 * distance away. A sweep's ranges, guard and value are over the variables `cells`, one for each dimension of the
 * arrays.
 */
export interface TimeTiles {
  readonly kind: 'time-tiles'
  /** Of the source, with bounds over sizes. */
  readonly loop: Loop
  /** The loop's variable, a size of the program. */
  readonly variable: string
  readonly cells: readonly string[]
  /** In order. */
  readonly sweeps: readonly Sweep[]
}

/** `array[cells] = value` where `cells` is in `ranges` and `guard` holds. */
export interface Sweep {
  readonly array: ArrayDecl
  /** Of each dimension; over sizes. */
  readonly ranges: readonly CellRange[]
  readonly guard: Expr | undefined
  readonly value: Expr
}

export interface CellRange {
  readonly lower: Expr
  /** First value not taken. */
  readonly upper: Expr
}

/**
 * `for time: for row: for column: body`, where all uses of the arrays that it writes lie a constant distance from the
 * point; `time` or `row` may be absent. In the coordinates time, row + row.time × time and column + column.row × row +
 * column.time × time (all from their loops' first values), `skew` makes no dependence negative, and in the last all
 * positive.
 */
export interface WaveTiles {
  readonly kind: 'wave-tiles'
  readonly time: Loop | undefined
  readonly row: Loop | undefined
  readonly column: Loop
  readonly skew: Skew
  /** Those that it writes, of as many dimensions as there are of row and column. */
  readonly arrays: readonly ArrayDecl[]
  /** Those of two dimensions that it only reads, everywhere a constant distance from the point. */
  readonly near: readonly ArrayDecl[]
  /** Stores, conditions and private scalars. */
  readonly body: readonly LoopStmt[]
}

export interface Skew {
  /** Of rows by time. */
  readonly rowTime: number
  /** Of columns by rows. */
  readonly columnRow: number
  /** Of columns by time; at least columnRow × rowTime. */
  readonly columnTime: number
}

/**
 * A host loop whose launches would be too small: one block runs it, its threads share what every region inside does.
 */
export interface OneBlock {
  readonly kind: 'one-block'
  /** No region in it is a form. */
  readonly loop: HostLoop
}

/**
 * A host loop, perhaps with others in it, whose parts change arrays in place, so that all that an iteration touches
 * lies in a window of the bits of its places: outside of it they are the bits of the iteration. Iterations of one part
 * touch no element together.
 */
export interface Stages {
  readonly kind: 'stages'
  readonly loop: HostLoop
  readonly arrays: readonly StagedArray[]
  /** Iterations of the loops around the iterations of each part. */
  readonly apart: readonly Expr[]
  /** Bits of an iteration above the window are so many places lower than those of its elements. */
  readonly shift: number
  readonly parts: readonly Staged[]
  /** Launches at the planned sizes. */
  readonly launches: number
  /** The window of a region at values of the variables of the host loops around it. */
  readonly windowOf: (region: Region, at: Readonly<Record<string, number>>) => Window
}

/**
 * What is changed in place: the dimension that iterations choose, and which loop around them each other one is, by
 * position; those of no loop are literals in every subscript.
 */
export interface StagedArray {
  readonly array: ArrayDecl
  readonly place: number
  readonly apart: readonly (number | undefined)[]
}

/** A part of stages: a loop over iterations, from 0, in loops that run apart. */
export interface Staged {
  readonly region: Nest | Other
  readonly apart: readonly Loop[]
  readonly loop: Loop
  /** Locals that stand before the loops. */
  readonly locals: readonly LoopStmt[]
  /** Over the variables of host loops: this bit is 0 in every iteration that does anything. */
  readonly clear: Affine | undefined
}

/** Bits of a place from `low` to below `high`; none where `high` is no more than `low`. */
export interface Window {
  readonly low: number
  readonly high: number
}

/**
 * Sums of rows, single elements of them and all of their elements, in order: later ones use the accumulators of earlier
 * ones, and elements that earlier ones have stored or read, each at its own place.
 */
export interface Rows {
  readonly kind: 'rows'
  /** Loops that choose a row: the first of each nest. */
  readonly rows: number
  /** As `rectangular` makes them, with accumulators of their own. */
  readonly nests: readonly Nest[]
  /** The same over fewer loops (coalesced), which is what gets scheduled. */
  readonly flat?: Flat
}

/** Single elements computed over the same loops, in order: what iterations use of each other's is their own. */
export interface Maps {
  readonly kind: 'maps'
  /** As `rectangular` makes them, without sums, with the same loops. */
  readonly nests: readonly Nest[]
  /** The same over fewer loops (coalesced), which is what gets scheduled. */
  readonly flat?: Flat
}

/** Sums over the same loops, none of which uses what another stores; they share elements. */
export interface Sums {
  readonly kind: 'sums'
  /** As `canonicalNest` makes them, with the same loops and accumulators of their own. */
  readonly nests: readonly Nest[]
  /** The same over fewer loops (coalesced), which is what gets scheduled. */
  readonly flat?: Flat
}

/**
 * Sums of the rows of an array, then of its columns, both over `rows.parallel`; the terms of a column use what came out
 * for their row.
 */
export interface Crossed {
  readonly kind: 'crossed'
  /** One loop in parallel, one sum along memory. */
  readonly rows: Nest
  /** One loop in parallel; its sum is over the loop of the rows. */
  readonly columns: Nest
}

/**
 * What coefficients do: they multiply numbers, and products are added, as they are or as residues by a modulus; or they
 * are added to numbers, and the greatest or least is taken.
 */
export type Ring = 'sums' | 'residues' | 'greatest' | 'least'

export type Fixed = 'nothing' | 'unit' | undefined

/** Which maps: of so many numbers, of which type. */
export interface MapKind {
  readonly states: number
  readonly type: ScalarType
  readonly ring: Ring
  /** Of residues: what they are less than. */
  readonly modulus?: number
  /** Coefficients that are the same in every map, as they are in those composed of them. */
  readonly fixed: readonly Fixed[]
  /**
   * Some iterations set a number whatever it was before: what a coefficient of 0 multiplies does not count, even where
   * it is infinite or NaN.
   */
  readonly sets: boolean
  /** Products of coefficients may leave the range of a float: where they did, what they make of 0 is 0 all the same. */
  readonly grows: boolean
}
