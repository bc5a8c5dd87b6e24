// In: a program. Out: whether a local number stays within bounds, as the place of the best so far does in `if (x[j] > x[place])
// place = j`. The one idea: it is only ever set to what loops count, and their bounds bound it.
import { accesses, addScaled, affineConstant, affineOf, alternatives, implies, type Access, type Affine, type Expr, type Program } from '../../ir/index.ts'

/** Whether `0 ≤ e < extent` wherever `e`, a local scalar that was set, is read. */
export type Within = (e: Expr, extent: Affine) => boolean

export function withinOf(program: Program): Within {
  let all: readonly Access[] | undefined
  return (e, extent) => {
    if (e.kind !== 'read' || e.index.length > 0) return false
    all ??= accesses(program)
    const sets = all.filter((a) => a.array === e.array && a.kind === 'write')
    return sets.length > 0 && sets.every((a) => {
      const s = a.statement, value = a.declared && s.kind === 'store' && !s.reduce ? affineOf(s.value) : undefined
      if (!value) return false
      const last = addScaled(addScaled(extent, value, -1), affineConstant(1), -1)
      return alternatives(a.domain).every((known) => implies(known, value) && implies(known, last))
    })
  }
}
