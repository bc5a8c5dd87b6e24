// In: two accesses to an array inside a loop. Out: whether they touch different elements in different iterations, where
// a subscript goes around (`(y + c + h) % h` on a torus). The one idea: x % m is congruent to x modulo m, so that equal
// remainders of x = i + r and x' = i' + r say that i and i' are congruent, and equal where all iterations are fewer
// than m; r is the same in both where another subscript, or the iteration itself, fixes all variables in it.
import {
  affineOf,
  coefficient,
  exprKey,
  isPositive,
  plusScaled,
  polynomialOf,
  someExpr,
  uses,
  type Access,
  type Expr,
  type Loop,
  type Signed,
} from '../ir/index.ts'

/**
 * Whether no iteration of `common[level]` touches by `a` what another one touches by `b`, those around it being the
 * same. `written`: arrays whose elements may change. `signed`: sizes that may be negative.
 */
export function goesAround(
  a: Access,
  b: Access,
  common: readonly Loop[],
  level: number,
  written: ReadonlySet<string>,
  signed: Signed,
): boolean {
  const l = common[level]! // it is one of them
  const pairs = a.index.flatMap((x, d) => {
    const y = b.index[d]
    return y && exprKey(x) === exprKey(y) ? [x] : []
  })
  const around = new Set(common.slice(0, level).map((c) => c.name))
  const isSame = (name: string): boolean => around.has(name) || pairs.some((x) => isFixedBy(x, name, around))
  const isFixed = (e: Expr): boolean =>
    !someExpr(e, (x) => (x.kind === 'var' && !isSame(x.name)) || (x.kind === 'read' && written.has(x.array)))
  return pairs.some((x) => {
    if (x.kind !== 'op' || x.op !== 'rem' || x.type !== 'i32') return false
    const [of, by] = x.args as readonly [Expr, Expr] // it has two
    const terms = termsOf(of)
    const own = terms.filter((t) => uses(t, l.name))
    return (
      own.length === 1 &&
      own[0]!.kind === 'var' &&
      terms.every((t) => t === own[0] || isFixed(t)) &&
      isFixed(by) &&
      isAtLeast(by, l, signed)
    )
  })
}

/** Whether equal values of `x` say that a variable has the same value, those of `around` being the same. */
function isFixedBy(x: Expr, name: string, around: ReadonlySet<string>): boolean {
  const form = affineOf(x)
  return (
    form !== undefined &&
    coefficient(form, name) !== 0 &&
    [...form.terms.keys()].every((n) => n === name || n.startsWith('$') || around.has(n))
  )
}

/** What is added and subtracted in it. */
function termsOf(e: Expr): readonly Expr[] {
  if (e.kind !== 'op' || e.type !== 'i32' || (e.op !== 'add' && e.op !== 'sub')) return [e]
  return e.args.flatMap(termsOf)
}

/** Whether a number is at least as large as a loop has iterations. */
function isAtLeast(e: Expr, l: Loop, signed: Signed): boolean {
  const [most, upper, lower] = [polynomialOf(e), polynomialOf(l.upper), polynomialOf(l.lower)]
  return !!most && !!upper && !!lower && isPositive(plusScaled(plusScaled(most, upper, -1), lower, 1), signed)
}
