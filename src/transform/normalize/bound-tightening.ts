// In: loops of a sum and the conditions under which it takes a term, and the loops around. Out: the same terms, where
// loops begin and end with what conditions said (`for k: if (k >= j && k <= i)` runs from j to i). The one idea is
// Fourier and Motzkin's: bounds and conditions are inequalities alike, and those that follow from the others are left
// out. Conditions that are no inequalities of places keep all as it is, and so do loops of few known iterations: that
// there are always as many is worth more to schedules. So do conditions that leave out a few iterations at an end
// (`j > 0`): sums over the same loop run through it together.
import { inequalityOf, loopsOver, rowsOf } from '../../analysis/index.ts'
import {
  addScaled,
  affineExpr,
  affineOf,
  constantExtent,
  sizeDomain,
  type Affine,
  type Expr,
  type Loop,
  type Program,
} from '../../ir/index.ts'

export interface Bounded {
  readonly loops: readonly Loop[]
  readonly guards: readonly Expr[]
}

/** The loops with conditions in their bounds; as they are given where no condition can go. */
export function tightened(program: Program, around: readonly Loop[], given: Bounded): Bounded {
  const { loops, guards } = given
  const asked = guards.map(inequalityOf),
    outside = around.map(boundsOf),
    own = loops.map(boundsOf)
  if (guards.length === 0 || [...asked, ...outside, ...own].includes(undefined)) return given
  const rows = [...own.flatMap((r) => r ?? []), ...asked.flatMap((r) => r ?? [])],
    known = [...sizeDomain(program).constraints, ...outside.flatMap((r) => r ?? []).map((form) => ({ form }))]
  const names = loops.map((l) => l.name),
    found = loopsOver(names, rows, known)
  if (!found || found.guards.length >= guards.length || loops.some(isWindow)) return given
  const areMoved = loops.some(
    (l, i) => isMoved(l.lower, found.loops[i]!.lower) || isMoved(l.upper, found.loops[i]!.upper),
  )
  if (!areMoved) return given
  return {
    loops: loops.map((l, i) => ({
      ...l,
      lower: affineExpr(found.loops[i]!.lower), // a range per name
      upper: affineExpr(found.loops[i]!.upper),
    })),
    guards: found.guards,
  }
}

/** Whether a bound differs by more than a constant. */
function isMoved(before: Expr, after: Affine): boolean {
  const from = affineOf(before)
  return from === undefined || addScaled(after, from, -1).terms.size > 0
}

const isWindow = (l: Loop): boolean => constantExtent(l) !== undefined

/** Its bounds, each ≥ 0; undefined where one is no affine expression, or the loop counts otherwise. */
function boundsOf({ name, lower, upper, step }: Loop): readonly Affine[] | undefined {
  const [first, end] = [affineOf(lower), affineOf(upper)]
  return first && end && step === 1 ? rowsOf({ name, lower: first, upper: end }) : undefined
}
