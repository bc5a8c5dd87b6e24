// In: a program with shapes. Out: nothing, or the accesses that leave their array. The one idea: at the sizes that are
// planned, "this access happens and its index is outside" is a system of constraints; where it has a solution, the C
// program is wrong. Accesses under conditions that are not linear are left to the interpreter.
import { DiagnosticError, type Diagnostic } from '../../../base/index.ts'
import {
  accesses,
  affineConstant,
  affineName,
  affineOf,
  disjuncts,
  equalTo,
  feasible,
  int,
  notLess,
  printExpr,
  rewriteExpr,
  type Access,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Program,
} from '../../../ir/index.ts'

const belowStart = 'below 0'

/** Throws a `DiagnosticError` with one error per access that certainly leaves its array at the planned sizes. */
export function checkBounds(p: Program): void {
  const arrays = new Map(p.arrays.map((a) => [a.name, a]))
  const errors = accesses(p).flatMap((x): Diagnostic[] => {
    const array = x.declared ? undefined : arrays.get(x.array)
    if (!array || !x.domain.exact) return []
    return x.index
      .flatMap((e, d) => {
        if (isBelowStart(p, x, d)) return [outside(x, array, d, belowStart)]
        const index = affineOf(e),
          extent = affineOf(array.shape[d]!)
        return index && extent && happens(p, x, index, extent)
          ? [outside(x, array, d, `past its extent ${printExpr(array.shape[d]!)}`)]
          : []
      })
      .slice(0, 1)
  })
  if (errors.length > 0) throw new DiagnosticError(withoutRepeats(errors))
}

/** Whether subscript `dimension` of `x` certainly is below 0 at the planned sizes of `p`. */
export function isBelowStart(p: Program, x: Access, dimension: number): boolean {
  const index = x.domain.exact ? affineOf(atPlanned(p, x.index[dimension]!)) : undefined
  return index !== undefined && happens(p, x, affineConstant(-1), index)
}

/** Whether `x` is reached with `low` at least `high` at the planned sizes. */
function happens(p: Program, x: Access, low: Affine, high: Affine): boolean {
  const planned = p.sizes.map((s) => equalTo(affineName(`$${s.name}`), affineConstant(s.planned)))
  return disjuncts(x.domain).some((known) => feasible([...known, ...planned, notLess(low, high)]) === 'feasible')
}

/** `e` with the planned numbers for sizes: products of them and of loop variables are linear then. */
function atPlanned(p: Program, e: Expr): Expr {
  const planned = new Map(p.sizes.map((s) => [s.name, s.planned]))
  return rewriteExpr(e, (x) => {
    const value = x.kind === 'size' ? planned.get(x.name) : undefined
    return value === undefined ? undefined : int(value)
  })
}

/** A reduction reads and writes the same element: one message is enough. */
function withoutRepeats(errors: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>()
  return errors.filter((e) => {
    const key = JSON.stringify(e)
    const fresh = !seen.has(key)
    seen.add(key)
    return fresh
  })
}

function outside(x: Access, a: ArrayDecl, dimension: number, where: string): Diagnostic {
  const index = printExpr(x.index[dimension]!),
    which = a.shape.length === 1 ? `index ${index}` : `index ${dimension + 1} (${index})`
  return {
    severity: 'error',
    code: 'c.out-of-bounds',
    message: `${which} of ${a.name} goes ${where} at the planned sizes`,
    ...(x.at && { at: x.at }),
    hint:
      where === belowStart
        ? 'correct the bounds of the loops, or pass the array from its first element on, with the place in it'
        : 'correct the bounds of the loops, or plan sizes that fit with #pragma tesela sizes(…)',
  }
}
