// In: a nest with a reduction. Out: the loop along rows of memory that its threads share, and the nest with what memory
// held before added at the end. The one idea: a sum whose terms are neighbours in memory is a sum of rows. It makes no
// kernels.
import {
  affineOf,
  coefficient,
  identityOf,
  reduced,
  constantExtent,
  rewriteExpr,
  readsArray,
  uses,
  replaceReads,
  type Expr,
  type Loop,
  type Nest,
  type eachExpr,
  type Read,
} from '../ir/index.ts'

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
 * The loop along rows, or the innermost long one where there is one result; `undefined` when the nest is no such
 * reduction.
 */
export function rowOf(part: Nest): Loop | undefined {
  const r = part.reduction
  if (!r || !isReduction(part)) return undefined
  const inward = r.loops.filter(
    (l) => !r.loops.some((m) => m !== l && (uses(m.lower, l.name) || uses(m.upper, l.name))),
  ) // says nothing of the others
  const along =
    contiguousLoop(r.value, inward) ?? (r.guard && !readsArray(r.value) ? contiguousLoop(r.guard, inward) : undefined)
  if (part.parallel.length > 0 || (along && isLong(along))) return along && isLong(along) ? along : undefined
  return inward.findLast(isLong)
}
const isLong = (l: Loop): boolean => (constantExtent(l) ?? Infinity) > longestWindow

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

/** The loop that steps through the last dimension of some read by 1, of those given. */
export function contiguousLoop(value: Parameters<typeof eachExpr>[0], loops: readonly Loop[]): Loop | undefined {
  const reads: Read[] = []
  rewriteExpr(value, (x) => {
    if (x.kind === 'read') reads.push(x)
    return undefined
  })
  const most = [...reads].sort((a, b) => b.index.length - a.index.length)
  for (const r of most) {
    const last = r.index[r.index.length - 1]
    const a = last && affineOf(last)
    const hit = a && loops.find((l) => coefficient(a, l.name) === 1)
    if (hit) return hit
    if (a && [...a.terms.keys()].some((n) => !n.startsWith('$'))) return undefined
  }
  return undefined
}
