// In: a function and the program that it became. Out: whether the program is too much work for a reference even at
// small sizes, because its extents are constants; and the function with a name for each constant that may be an extent,
// so that it can be lowered with sizes in their place. The one idea: a size that never differs is proved at small
// values like any other; windows and factors of unrolling stay numbers.
import {
  affineOf,
  eachExpr,
  eachStmt,
  ownExprs,
  sizesIn,
  varsOf,
  type Expr,
  type Program,
} from '../../../../ir/index.ts'
import { mapC, mapParts } from '../../c-to-c/c-rewriting.ts'
import type { CExpr, CFunction, CStmt } from '../../text/syntax.ts'
import { largestArrayOf, mostIterationsOf } from './assumed-sizes.ts'

/** Sizes of a proof are about this small; smaller constants make little of a program's work. */
const smallSize = 12
/** Numbers up to this stay constants in any case: windows. */
export const largestWindow = 11
/** Iterations and elements that a reference runs in about a second. */
const provableIterations = 2 ** 24,
  provableElements = 2 ** 23

/** What sizes of a proof are where many multiply. */
export const leastSize = 4

/** Whether sizes no larger than `most` leave more than a reference runs in about a second. */
export function isTooMuchToProve(program: Program, most = smallSize): boolean {
  const small = new Map(program.sizes.map((s) => [s.name, Math.min(s.planned, most)]))
  return mostIterationsOf(program, small) > provableIterations || largestArrayOf(program, small) > provableElements
}

/** `f` where each integer above a window that no macro names has a name, the same for equal numbers. */
export function withNamedConstants(f: CFunction): CFunction {
  const named = (e: CExpr): CExpr =>
    e.kind === 'number' && e.type === 'i32' && e.macro === undefined && e.value > largestWindow
      ? { ...e, macro: `size_${e.value}` }
      : e
  const expr = (e: CExpr): CExpr => mapC(e, named)
  const statement = (s: CStmt): CStmt => mapParts(s, expr, statement)
  return {
    ...f,
    parameters: f.parameters.map((p) => ({ ...p, extents: p.extents.map((e) => e && expr(e)) })),
    body: { ...f.body, body: f.body.body.map(statement) },
  }
}

/** Sizes that subscripts multiply with variables: as numbers they leave subscripts linear. */
export function stridesIn(program: Program): ReadonlySet<string> {
  const found = new Set<string>()
  const factors = (e: Expr): void => {
    if (e.kind === 'op' && e.op === 'mul' && !affineOf(e) && varsOf(e).size > 0)
      for (const name of sizesIn(e)) found.add(name)
    if (e.kind === 'op') e.args.forEach(factors)
  }
  const reads = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') x.index.forEach(factors)
    })
  eachStmt(program.body, (s) => {
    ownExprs(s).forEach(reads)
    if (s.kind === 'store') s.index.forEach(factors)
  })
  return found
}
