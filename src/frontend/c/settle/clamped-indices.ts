// In: a program. Out: whether a part of a subscript that data or conditions choose stays within bounds: a local number,
// as the place of the best so far in `if (x[j] > x[place]) place = j`, or an expression that clamps, mirrors or wraps.
// The one idea: a local is only ever set to what loops count, and their bounds bound it; an expression is linear case
// by case.
import {
  accesses,
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  disjuncts,
  implies,
  int,
  isNonNegative,
  notLess,
  sub,
  type Access,
  type Affine,
  type Constraint,
  type Expr,
  type Program,
} from '../../../ir/index.ts'

/**
 * Whether `0 ≤ e + more < extent`, where `e` is a part of a subscript of `access`: a local scalar that was set, or in
 * all of its cases.
 */
export type Within = (e: Expr, extent: Affine, access: Access, more: number) => boolean

/** A mirrored or wrapped window is larger than a very small array, where the source itself would leave it. */
const largerThanWindows = 16

export function withinOf(program: Program): Within {
  let found: readonly Access[] | undefined
  const all = (): readonly Access[] => (found ??= accesses(program))
  const counts = program.sizes.filter((s) => s.min >= 0)
  const large = counts.map(
    (s): Constraint => notLess(affineName(`$${s.name}`), affineConstant(Math.min(largerThanWindows, s.planned))),
  )
  /** What is only read is the same whatever rows it has. */
  const isWritten = (name: string): boolean => all().some((a) => a.array === name && a.kind === 'write')
  return (e, extent, access, more) => {
    if (e.kind !== 'read') {
      const moved = more === 0 ? e : add(e, int(more))
      return inCases(moved, extent, access, []) || (!isWritten(access.array) && inCases(moved, extent, access, large))
    }
    const sets = e.index.length > 0 ? [] : all().filter((a) => a.array === e.array && a.kind === 'write')
    return (
      sets.length > 0 &&
      sets.every((a) => {
        const s = a.statement,
          // The lesser or greater of two that are inside is inside.
          isSet = s.kind === 'store' && (!s.reduce || s.reduce === 'min' || s.reduce === 'max'),
          set = a.declared && isSet ? affineOf(s.value) : undefined
        if (!set) return false
        const value = addScaled(set, affineConstant(more), 1),
          last = addScaled(addScaled(extent, value, -1), affineConstant(1), -1)
        return disjuncts(a.domain).every((known) => implies(known, value) && implies(known, last))
      })
    )
  }
}

function inCases(e: Expr, extent: Affine, access: Access, also: readonly Constraint[]): boolean {
  const last = affineExpr(addScaled(extent, affineConstant(1), -1))
  return disjuncts(access.domain).every((known) => {
    const all = [...known, ...also]
    return isNonNegative(e, all) && isNonNegative(sub(last, e), all)
  })
}
