// In: two accesses to an array inside a loop. Out: whether they touch different elements in different iterations,
// where each iteration has a block of elements of its own, of a length that sizes say (`for (o = g * q; o < (g + 1) *
// q; o++)`, `a[g * q + k]` with k < q). The one idea is Banerjee's test with symbolic bounds (Blume and Eigenmann's
// range test): the least and the greatest element of an iteration are polynomials, and the next iteration's least one
// is above this one's greatest whatever the sizes are.
import {
  coefficients,
  isPositive,
  plusScaled,
  polynomialOf,
  polynomialProduct,
  type Access,
  type Expr,
  type Loop,
  type Polynomial,
  type Signed,
} from '../ir/index.ts'

/**
 * Whether no later iteration of `common[level]` touches by `b` what one touches by `a`, those around it being the same.
 * `signed`: sizes that may be negative.
 */
export function blocksApart(a: Access, b: Access, common: readonly Loop[], level: number, signed: Signed): boolean {
  const l = common[level]! // it is one of them
  return a.index.some((x, d) => {
    const y = b.index[d]
    if (!y) return false
    const first = rangeOver(x, a.loops.slice(level + 1), signed),
      second = first && rangeOver(y, b.loops.slice(level + 1), signed)
    if (!first || !second) return false
    const isAbove = (low: Polynomial, high: Polynomial): boolean =>
      isPositive(plusScaled(plusScaled(low, high, -1), new Map([['', 1]]), -1), signed)
    const low = next(second.low, l, 1, signed),
      high = next(second.high, l, -1, signed)
    return (low !== undefined && isAbove(low, first.high)) || (high !== undefined && isAbove(first.low, high))
  })
}

/** `p` in the next iteration of the loop, where it goes one way in all of them: up (1) or down (-1). */
function next(p: Polynomial, l: Loop, way: 1 | -1, signed: Signed): Polynomial | undefined {
  const stride = coefficients(p, new Set([l.name]))?.of.get(l.name)
  if (!stride || !isPositive(plusScaled(new Map(), stride, way), signed)) return undefined
  return plusScaled(p, stride, l.step)
}

export interface Range {
  readonly low: Polynomial
  readonly high: Polynomial
}

/** The least and the greatest value of a subscript over these loops, outermost first. */
export function rangeOver(e: Expr, loops: readonly Loop[], signed: Signed): Range | undefined {
  const whole = polynomialOf(e)
  if (!whole) return undefined
  let range: Range = { low: whole, high: whole }
  for (const l of [...loops].reverse()) {
    const first = polynomialOf(l.lower),
      behind = polynomialOf(l.upper),
      last = behind && plusScaled(behind, new Map([['', 1]]), -1)
    const low = withBound(range.low, l.name, first, last, signed),
      high = withBound(range.high, l.name, last, first, signed)
    if (!low || !high) return undefined
    range = { low, high }
  }
  return range
}

/** `p` where the variable is at `up` if `p` grows with it, else at `down`. */
function withBound(
  p: Polynomial,
  name: string,
  up: Polynomial | undefined,
  down: Polynomial | undefined,
  signed: Signed,
): Polynomial | undefined {
  const parts = coefficients(p, new Set([name])),
    c = parts?.of.get(name)
  if (!parts) return undefined
  if (!c) return p
  const at = isPositive(c, signed) ? up : isPositive(plusScaled(new Map(), c, -1), signed) ? down : undefined
  return at && plusScaled(parts.rest, polynomialProduct(c, at), 1)
}
