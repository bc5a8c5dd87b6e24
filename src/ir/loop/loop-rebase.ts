// In: a loop. Out: the same that counts from 0, its variable replaced by first value + number. The one idea is loop
// normalization as in Allen and Kennedy's book; where that is of use, callers say.
import { plusScaled, polynomialExpr, polynomialOf } from '../integers/polynomial.ts'
import { add, int, loopVar } from './build.ts'
import { substituteStmt } from './loop-tree.ts'
import type { Loop } from './loop.ts'

/** `undefined` where a bound is no polynomial. */
export function countedFromZero(l: Loop): Loop | undefined {
  const lower = polynomialOf(l.lower),
    upper = polynomialOf(l.upper)
  if (!lower || !upper) return undefined
  const at = new Map([[l.name, add(l.lower, loopVar(l.name))]])
  return {
    ...l,
    lower: int(0),
    upper: polynomialExpr(plusScaled(upper, lower, -1)),
    body: l.body.map((s) => substituteStmt(s, at)),
  }
}
