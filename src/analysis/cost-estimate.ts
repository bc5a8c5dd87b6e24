// In: a part of a program. Out: about how long it takes on a GPU at the planned sizes, in nanoseconds. The one
// idea: enough to choose between one thread, many threads and many launches, which differ by orders of magnitude; the
// model decides everything finer. Bounds that use outer variables count with these at their middles.
import {
  threadsAtOnce,
  measuredChip,
  isEndless,
  planValue,
  eachExpr,
  int,
  literal,
  rewriteExpr,
  someExpr,
  someStmt,
  readsArray,
  perfectNest,
  uses,
  varsOf,
  symbolsOf,
  type Chip,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Nest,
  type Other,
  type Region,
  type TimeTiles,
  type WaveTiles,
} from '../ir/index.ts'
import { hasLoop } from './parallel-loops.ts'

/** Nanoseconds. */
export type Nanoseconds = number

/** From one launch to the next (docs/fidelity.md). */
const launchNs = 3000
/** One store of one thread with what it reads, mostly from caches. */
const storeNs = 200
/** Of the threads that a GPU has at once, how many of an H200's 270,336 are busy in kernels of this kind. */
const busyThreads = 2e5
const busyOn = (chip: Chip): number => (busyThreads * threadsAtOnce(chip)) / threadsAtOnce(measuredChip)
/** Threads that share a reduction without parallel loops around it. */
const mostReducers = 4096

type Middles = ReadonlyMap<string, number>

const none: Middles = new Map()

export function costOf(program: Program, part: Nest | Other, chip: Chip = measuredChip): Nanoseconds {
  const busy = busyOn(chip)
  if (part.kind === 'idiom' && part.form.kind === 'wave-tiles')
    return waveCost(program, part.form) + (storeNs * storesIn(program, part.body, none)) / busy
  if (part.kind === 'idiom' && part.form.kind === 'one-block') return launchNs + blockCost(program, part.form.loop)
  if (part.kind === 'idiom' && part.form.kind === 'stages')
    return launchNs * part.form.launches + (storeNs * storesIn(program, part.body, none)) / busy
  const { steps, width } = part.kind === 'nest' ? nestWork(program, part) : otherWork(program, part)
  const each = isNear(part, steps / Math.max(1, width)) ? phase.near.storeNs : storeNs
  return launchNs + (each * steps) / Math.max(1, Math.min(width, steps, busy))
}

/**
 * Whether the threads of a part each do a few iterations known by number, which are written out on elements in
 * registers, and come back to these in another loop; `stepsEach`: stores of a thread.
 */
function isNear(part: Nest | Other, stepsEach: number): boolean {
  const loop = part.kind === 'serial' && part.parallel > 0 ? part.body.find((s) => s.kind === 'loop') : undefined
  if (loop?.kind !== 'loop' || part.kind !== 'serial' || stepsEach > nearSteps) return false
  const { loops, body } = perfectNest(loop),
    first = loops[part.parallel],
    inner = first ? [first] : body.filter((s) => s.kind === 'loop')
  return (
    inner.some((l) => l.body.some(hasLoop)) &&
    inner.every((l) => (literal(l.upper) ?? Infinity) - (literal(l.lower) ?? -Infinity) <= nearIterations) &&
    !someStmt([loop], (s) => s.kind === 'store' && s.index.some(readsArray))
  )
}

/** Launches, one after the other, of boxes that walk along their columns together. */
function waveCost(program: Program, { time, row, column, skew }: WaveTiles): Nanoseconds {
  const extent = (l: Loop | undefined): number => (l ? planned(program, l.lower, l.upper, 1) : 1)
  const [times, rows, columns] = [extent(time), extent(row), extent(column)]
  const waves =
    times / 8 +
    (rows + skew.rowTime * times) / 32 +
    (columns + skew.columnRow * rows + skew.columnTime * times) / boxColumns
  return waves * (launchNs + boxColumns * walkNs)
}

/** Columns of a box, about: the boxes of the sketch differ, and alternatives are ranked before one is chosen. */
const boxColumns = 64
/** A step of the threads of a box along its columns: an estimate that is good enough to rank alternatives. */
const walkNs = 100

/**
 * A barrier of a block with what waits for it, and a store: on global memory, and on what so few iterations leave in
 * workgroup memory.
 */
const phase = { far: { barrierNs: 600, storeNs: 200 }, near: { barrierNs: 150, storeNs: 50 } }
/** Iterations of a loop, and stores of one of them, up to which `near` is assumed. */
const nearIterations = 64,
  nearSteps = 4096
/** Threads of one block. */
const blockThreads = 512

/** One block runs all regions, one after the other. */
function blockCost(program: Program, r: Region, where: keyof typeof phase = 'far'): Nanoseconds {
  if (r.kind === 'host') {
    const turns = planned(program, r.lower, r.upper, r.step),
      inside = turns <= nearIterations ? 'near' : where
    return turns * r.body.reduce((n, x) => n + blockCost(program, x, inside), 0)
  }
  const { steps, width } = r.kind === 'nest' ? nestWork(program, r) : otherWork(program, r)
  const { barrierNs, storeNs: each } = phase[steps > nearSteps ? 'far' : where]
  return barrierNs + each * Math.ceil(steps / Math.max(1, Math.min(width, blockThreads)))
}

/** The planned numbers of a nest: points of its parallel loops, and terms of the reduction at a point in the middle. */
export function pointsOf(program: Program, part: Nest): { readonly points: number; readonly terms: number } {
  const outer = points(program, part.parallel, none)
  return { points: outer.count, terms: points(program, part.reduction?.loops ?? [], outer.middles).count }
}

function nestWork(program: Program, part: Nest): { steps: number; width: number } {
  const { points: outer, terms } = pointsOf(program, part)
  return {
    steps: (outer * terms) / (isProduct(part) ? reuse : 1),
    width: outer * (part.guard ? 1 : Math.min(terms, mostReducers)),
  } // sums of some rows are a thread's each
}

/** Times that a tile uses what it loads. */
const reuse = 8

/** Sums over two loops at least of what each of these loops leaves to others to use again. */
function isProduct({ parallel, reduction }: Nest): boolean {
  const reads: Expr[] = []
  if (reduction && parallel.length > 1)
    eachExpr(reduction.value, (x) => {
      if (x.kind === 'read') reads.push(x)
    })
  return (
    reads.length > 1 &&
    parallel.slice(-2).every((l) => reads.some((r) => uses(r, l.name)) && reads.some((r) => !uses(r, l.name)))
  )
}

function otherWork(program: Program, part: Other): { steps: number; width: number } {
  const steps =
    part.kind === 'idiom' && part.form.kind === 'time-tiles'
      ? updatesOf(program, part.form)
      : storesIn(program, part.body, none)
  if (part.kind === 'idiom') return { steps, width: steps } // all of it is shared
  const loop = part.body.find((s) => s.kind === 'loop')
  const parallel = loop?.kind === 'loop' ? perfectNest(loop).loops.slice(0, part.parallel) : []
  return { steps, width: points(program, parallel, none).count }
}

/** Cells that all sweeps update, each once whatever their windows are. */
const updatesOf = (program: Program, { loop, sweeps }: TimeTiles): number =>
  planned(program, loop.lower, loop.upper, loop.step) *
  sweeps.reduce((n, s) => n + s.ranges.reduce((m, r) => m * planned(program, r.lower, r.upper, 1), 1), 0)

/** Channels that make whole steps of a product's tiles: all terms of a step are at one place of a window then. */
export const termsInOnePlace = 16

/** Iterations of a loop at the planned sizes. */
export const planned = (program: Program, lower: Expr, upper: Expr, step: number): number =>
  Math.max(0, (plannedBound(program, upper) - plannedBound(program, lower)) / step)

function points(program: Program, loops: readonly Loop[], given: Middles): { count: number; middles: Middles } {
  let count = 1
  const middles = new Map(given)
  for (const l of loops) count *= enter(program, l, middles)
  return { count, middles }
}

/** Iterations of a loop that data end, or begin and end. */
const likelyTurns = 64

/** Iterations of `l`, whose middle is noted. */
function enter(program: Program, l: Loop, middles: Map<string, number>): number {
  const lower = known(l.lower) ? plannedBound(program, l.lower, middles) : 0, // data are as likely to say little
    upper = plannedBound(program, l.upper, middles)
  if (isEndless(l) || !(known(l.lower) || known(l.upper))) return likelyTurns // a row of a sparse matrix, too
  middles.set(l.name, Math.floor((lower + upper) / 2))
  return Math.max(0, (upper - lower) / l.step)
}

function storesIn(program: Program, body: readonly LoopStmt[], given: Middles): number {
  return body.reduce((n, s): number => {
    switch (s.kind) {
      case 'store':
        return n + 1
      case 'declare':
        return n
      case 'if':
        return n + storesIn(program, [...s.then, ...s.else], given) * shareOf(program, s.condition, given)
      case 'loop': {
        const middles = new Map(given)
        return n + enter(program, s, middles) * storesIn(program, s.body, middles)
      }
    }
  }, 0)
}

/** Of the iterations in which `e` is asked, those in which it holds: one of w where it is x % w == 0. */
function shareOf(program: Program, e: Expr, given: Middles): number {
  const rest = e.kind === 'op' && e.op === 'eq' ? e.args[0]! : undefined // two arguments
  const w =
    rest?.kind === 'op' &&
    rest.op === 'rem' &&
    known(rest.args[1]!) &&
    [...varsOf(rest.args[1]!)].every((name) => given.has(name))
      ? plannedBound(program, rest.args[1]!, given)
      : 1 // as above
  return 1 / Math.max(1, w)
}

/**
 * The value of a bound; what data decides is taken to be the largest planned size, but for distances (`max(d, 1)`),
 * which leave as many residues as turns.
 */
export function plannedBound(program: Program, e: Expr, middles: Middles = none): number {
  const sizes = Object.fromEntries(symbolsOf(program).map((s) => [s.name, s.planned]))
  const scalars = Object.fromEntries(program.scalars.map((s) => [s.name, s.planned ?? 1]))
  const largest = Math.max(1, ...Object.values(sizes)),
    plain = withDistances(e, Math.round(Math.sqrt(largest)))
  return known(plain) ? planValue(plain, { sizes, scalars, variables: Object.fromEntries(middles) }) : largest
}

/** `e` with this number for all that data say where there is a distance in it. */
function withDistances(e: Expr, distance: number): Expr {
  const isDistance = (x: Expr): boolean =>
    x.kind === 'op' && x.op === 'max' && !known(x.args[0]!) && literal(x.args[1]!) === 1 // two arguments
  return someExpr(e, isDistance)
    ? rewriteExpr(e, (x) => (isDistance(x) || x.kind === 'read' ? int(distance) : undefined))
    : e
}

const known = (e: Expr): boolean =>
  e.kind === 'read'
    ? false
    : e.kind === 'op'
      ? e.args.every(known)
      : e.kind === 'choose'
        ? [e.condition, e.then, e.else].every(known)
        : true
