// In: a program. Out: whether a part of a subscript that data or conditions choose stays within bounds: a local number,
// as the place of the best so far in `if (x[j] > x[place]) place = j`, or an expression that clamps, mirrors or wraps.
// The one idea: a local is only ever set to what loops count, and their bounds bound it; or it is, where it is read, an
// expression of what straight code set it to (reaching definitions); an expression is linear case by case, or lies in
// an interval that its types, masks and quotients say.
import {
  accesses,
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  choose,
  disjuncts,
  implies,
  int,
  isNonNegative,
  notLess,
  op,
  someExpr,
  sub,
  type Access,
  type Affine,
  type Constraint,
  type Expr,
  type Program,
  type Read,
} from '../../../../ir/index.ts'
import { staysUnderConditions, valueAt } from './reaching-values.ts'
import { intervalOf, type Interval } from './value-ranges.ts'

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
  const types = new Map(program.arrays.map((a) => [a.name, a.type]))
  const isInside = (e: Expr, extent: Affine, access: Access, more: number): boolean => {
    const moved = more === 0 ? e : add(e, int(more))
    return (
      inInterval(
        intervalOf(moved, (name) => types.get(name)),
        extent,
        access,
      ) ||
      inCases(moved, extent, access, []) ||
      (!isWritten(access.array) && inCases(moved, extent, access, large))
    )
  }
  return (e, extent, access, more) => {
    if (e.kind !== 'read' || e.index.length > 0) return isInside(e, extent, access, more)
    const value = valueAt(program, e.array, access)
    if (value && isInside(value, extent, access, more)) return true
    if (underConditions(program, e, extent, access, more)) return true
    const sets = all().filter((a) => a.array === e.array && a.kind === 'write')
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

/** The same where the conditions around the access say so of a local, which nothing under them sets. */
function underConditions(program: Program, e: Read, extent: Affine, access: Access, more: number): boolean {
  const about = access.holding.filter((c) => readsArrayOf(c, e.array))
  if (about.length === 0 || !staysUnderConditions(program, e.array, access)) return false
  const condition = about.reduce((a, b) => op('land', [a, b])),
    moved = more === 0 ? e : add(e, int(more)),
    last = affineExpr(addScaled(extent, affineConstant(1), -1))
  return disjuncts(access.domain).every(
    (known) =>
      isNonNegative(choose(condition, moved, int(0)), known) &&
      isNonNegative(choose(condition, sub(last, moved), int(0)), known),
  )
}

const readsArrayOf = (e: Expr, name: string): boolean => someExpr(e, (x) => x.kind === 'read' && x.array === name)

function inInterval(found: Interval | undefined, extent: Affine, access: Access): boolean {
  if (!found || found.least < 0) return false
  const last = addScaled(extent, affineConstant(found.most + 1), -1)
  return disjuncts(access.domain).every((known) => implies(known, last))
}

function inCases(e: Expr, extent: Affine, access: Access, also: readonly Constraint[]): boolean {
  const last = affineExpr(addScaled(extent, affineConstant(1), -1))
  return disjuncts(access.domain).every((known) => {
    const all = [...known, ...also]
    return isNonNegative(e, all) && isNonNegative(sub(last, e), all)
  })
}
