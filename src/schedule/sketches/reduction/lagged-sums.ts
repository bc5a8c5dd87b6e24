// Few long sums of which each reads an array a step further than the one before (auto- and cross-correlations,
// differences at all lags): a thread makes several of them, so that what all of them read is loaded once. Blocks share
// the sums; a second kernel adds up.
import {
  affineExpr,
  affineName,
  affineOf,
  addScaled,
  affineConstant,
  coefficient,
  literal,
  loopVar,
  lt,
  type Loop,
  type Program,
  nestProgram,
  type Nest,
  someExpr,
  uses,
} from '../../../ir/index.ts'
import { pad } from '../../primitives/pad.ts'
import { peel } from '../../primitives/peel.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { split } from '../../primitives/split.ts'
import { treeReduce } from '../../primitives/tree-reduce.ts'
import { bindAll, script, step } from '../../script.ts'
import { block, unroll } from '../sketch.ts'

/** Sums that a thread may make side by side. */
export const lagsTogether: readonly number[] = [4, 8, 16]

/** Whether the sums of `part` over `row` are such, one for each iteration of its one parallel loop. */
export function hasLags(part: Nest, row: Loop): boolean {
  const [lag, more] = part.parallel,
    r = part.reduction
  if (!lag || more || !r || r.loops.length > 1 || r.guard || part.guard || !squared(part, row)) return false
  return someExpr(
    r.value,
    (x) =>
      x.kind === 'read' &&
      x.index.some((e) => {
        const a = affineOf(e)
        return a && coefficient(a, lag.name) === 1 && coefficient(a, row.name) === 1
      }),
  )
}

/**
 * The nest with a sum of one length for all, whose terms have a guard instead; `undefined` where they begin at
 * different places.
 */
export function squared(part: Nest, row: Loop): Nest | undefined {
  const [lag] = part.parallel,
    upper = affineOf(row.upper),
    lower = affineOf(row.lower),
    last = lag && affineOf(lag.upper)
  if (!lag || !upper || !lower || !last || literal(lag.lower) !== 0 || coefficient(lower, lag.name) !== 0)
    return undefined
  const c = coefficient(upper, lag.name),
    fixed = addScaled(upper, affineName(lag.name), -c)
  if (c === 0) return part
  const most = c > 0 ? addScaled(fixed, addScaled(last, affineConstant(-1), 1), c) : fixed
  // callers have looked
  const loops = part.reduction!.loops.map((l) => (l === row ? { ...l, upper: affineExpr(most) } : l))
  return { ...part, reduction: { ...part.reduction!, loops, guard: lt(loopVar(row.name), row.upper) } }
}

/**
 * The kernel of the partial sums, `together` of them per thread: `part` is of blocks `block_r`, `threads` of them
 * `thread_r`, and what each of them takes.
 */
export function laggedPartial(
  program: Program,
  part: Nest,
  threads: number,
  together: number,
): { readonly program: Program; readonly steps: readonly string[] } {
  const lag = part.parallel.at(-1)!,
    { into } = part.reduction! // callers have looked
  let s = script(nestProgram(program, part))
  s = step(s, `${together} sums per thread: what all of them read is loaded once`, (q) =>
    split(q, { loop: lag.name, factor: together, outer: 'lag', inner: 'pl' }),
  )
  s = step(s, null, (q) => reorder(q, { order: ['lag', 'block_r', 'pl'] }))
  s = step(s, null, (q) => registerTile(q, { tile: ['pl'] }))
  const reduction = ['step', 'uu', 'thread_r', 'block_r']
  s = step(s, null, (q) =>
    pad(q, { into: into.name, reduction, near: true, keep: (c) => reduction.some((name) => uses(c, name)) }),
  )
  s = step(s, `a tree over ${threads} threads combines their parts`, (q) =>
    treeReduce(q, { loop: 'thread_r', stride: 1 }),
  )
  s = step(s, null, (q) => peel(q, { loop: 'step', fresh: ['uu'], uniform: ['lag'] }))
  return step(s, null, (q) =>
    bindAll(q, [
      ['block_r', block('x')],
      ['lag', block('y')],
      ['pl', unroll],
      ['uu', unroll],
    ]),
  )
}
