// In: a nest with a reduction. Out: the loop along rows of memory that its threads share, and the nest with what memory
// held before added at the end. The one idea: a sum whose terms are neighbours in memory is a sum of rows. It makes no
// kernels.
import {
  coefficients,
  literal,
  plusScaled,
  polynomialOf,
  type Polynomial,
  identityOf,
  reduced,
  constantExtent,
  readsArray,
  uses,
  replaceReads,
  type Expr,
  type Loop,
  type Nest,
  type Reduction,
} from '../ir/index.ts'
import { nearestLoops, readIndices, sideBySide } from './locality/nearest-loops.ts'

/** No guard, few enough loops, none of whose bounds depend on one inside. */
export function isReduction({ reduction: r, guard, parallel }: Nest): boolean {
  return (
    r !== undefined &&
    !guard &&
    parallel.length <= 3 &&
    !r.loops.some((l, i) => r.loops.slice(i).some((m) => uses(l.upper, m.name) || uses(l.lower, m.name)))
  )
}

/** Loops of so many iterations at most, known beforehand, are windows, which a thread goes through alone. */
const longestWindow = 512

/**
 * The loop along rows, or the innermost long one where there is one result or memory does not say; `undefined` when the
 * nest is no such reduction.
 */
export function rowOf(part: Nest): Loop | undefined {
  const r = part.reduction
  if (!r || !isReduction(part)) return undefined
  const inward = r.loops.filter(
    (l) => !r.loops.some((m) => m !== l && (uses(m.lower, l.name) || uses(m.upper, l.name))),
  ) // says nothing of the others
  const windows = windowsIn(part, r),
    long = inward.filter((l) => !windows.includes(l)),
    nearest = nearestIn(part, r, windows),
    along = nearest && long.find((l) => nearest.has(l.name))
  return along ?? (part.parallel.length > 0 && nearest ? undefined : long[long.length - 1])
}

/** The parallel loop along which neighbouring results read what is nearest; `undefined` where there is none. */
export function columnsOf({ reduction: r, ...part }: Nest): Loop | undefined {
  const nearest = r && nearestIn(part, r, windowsIn(part, r))
  return nearest && part.parallel.find((l) => nearest.has(l.name))
}

/** What is nearest in the read that steps least, of those the one of most dimensions; windows and the like apart. */
function nearestIn(
  { parallel }: Pick<Nest, 'parallel'>,
  r: Reduction,
  windows: readonly Loop[],
): ReadonlySet<string> | undefined {
  const others = [...windows, ...sideBySide(parallel)]
  const found = [...readIndices([walkedIn(r)])]
    .sort((a, b) => b.length - a.length)
    .flatMap((index) => nearestLoops(index, others) ?? [])
  const least = Math.min(...found.map((n) => n.step))
  return found.find((n) => n.step === least)?.loops
}

/** What decides how a sum goes through memory: a count reads in its condition alone. */
const walkedIn = (r: Reduction): Expr => (readsArray(r.value) || !r.guard ? r.value : r.guard)

/** Loops of few iterations, and those that go from where one result begins to the next (`x[i * k + j]`, j below k). */
function windowsIn({ parallel }: Pick<Nest, 'parallel'>, r: Reduction): readonly Loop[] {
  const names = new Set([...parallel, ...r.loops].map((l) => l.name)),
    subscripts = readIndices([walkedIn(r)]).flatMap((index) =>
      index.flatMap((e) => coefficients(polynomialOf(e) ?? new Map(), names)?.of ?? []),
    )
  const fillsGap = (l: Loop): boolean =>
    literal(l.lower) === 0 &&
    literal(l.upper) === undefined &&
    subscripts.some((of) => of.has(l.name) && parallel.some((m) => isSame(of.get(m.name), polynomialOf(l.upper))))
  return r.loops.filter((l) => !isLong(l) || fillsGap(l))
}

const isLong = (l: Loop): boolean => (constantExtent(l) ?? Infinity) > longestWindow

const isSame = (a: Polynomial | undefined, b: Polynomial | undefined): boolean =>
  a !== undefined && b !== undefined && plusScaled(a, b, -1).size === 0

/**
 * What memory held before is added at the end, by the thread that stores: were it the start, all threads of a row would
 * read what one of them writes.
 */
export function lateStart(part: Nest): Nest {
  const r = part.reduction!
  if (!readsArray(r.init)) return part
  const type = r.init.type
  const late = (e: Expr): Expr => replaceReads(e, r.into.name, (x) => reduced(r.op, r.init, x))
  return {
    ...part,
    reduction: { ...r, init: identityOf(r.op, type) },
    out: { ...part.out, value: late(part.out.value) },
  }
}
