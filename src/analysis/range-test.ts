// In: two accesses to an array inside a loop. Out: whether what one of them reaches in an iteration lies wholly behind
// what the other reached in all iterations before. The one idea: the range test (Blume and Eigenmann, 1994): where
// subscripts are polynomials (rows of a triangle packed one after the other, `i * (i + 1) / 2 + j`), the largest place
// of an iteration is compared with the smallest of the next.
import {
  addScaled,
  affineConstant,
  coefficients,
  namesInKey,
  implies,
  literal,
  plusScaled,
  polynomialOf,
  polynomialProduct,
  toAffine,
  type Access,
  type Constraint,
  type Expr,
  type Loop,
  type Polynomial,
} from '../ir/index.ts'

/** Whether no iteration of `common[level]` reaches by `a` what another one reaches by `b`, those around it the same. */
export function rangesApart(a: Access, b: Access, common: readonly Loop[], level: number): boolean {
  const l = common[level]! // it is one of them
  if (l.step !== 1) return false
  return a.index.some((x, d) => {
    const y = b.index[d],
      [first, second] = y ? [rangeOf(x, a, level), rangeOf(y, b, level)] : []
    if (!first || !second) return false
    const around = new Set(common.slice(0, level + 1).map((c) => c.name))
    return isBefore(first, second, l.name, knownIn(a, around)) && isBefore(second, first, l.name, knownIn(b, around))
  })
}

/** The smallest and largest places of an iteration, so many times each. */
interface Range {
  readonly low: Polynomial
  readonly high: Polynomial
  readonly scale: number
}

/** Whether `x` ends in an iteration before `y` begins in the next, and `y` never begins earlier later. */
function isBefore(x: Range, y: Range, variable: string, known: readonly Constraint[]): boolean {
  const next = shifted(y.low, variable),
    gap = toAffine(plusScaled(times(next, x.scale), times(x.high, y.scale), -1)),
    growth = toAffine(plusScaled(next, y.low, -1))
  return (
    gap !== undefined &&
    growth !== undefined &&
    implies(known, addScaled(gap, affineConstant(1), -1)) &&
    implies(known, growth)
  )
}

const times = (p: Polynomial, by: number): Polynomial => plusScaled(new Map(), p, by)

/** `p` where the variable is one more. */
function shifted(p: Polynomial, variable: string): Polynomial {
  const more: Polynomial = new Map([
    [variable, 1],
    ['', 1],
  ])
  let out: Polynomial = new Map()
  for (const [key, c] of p) {
    const term = namesInKey(key).map((n): Polynomial => (n === variable ? more : new Map([[n, 1]])))
    out = plusScaled(out, term.reduce(polynomialProduct, new Map([['', c]])), 1)
  }
  return out
}

/** What is known of sizes and these loops where an access runs. */
const knownIn = (a: Access, around: ReadonlySet<string>): readonly Constraint[] =>
  a.domain.constraints.filter(({ form }) => [...form.terms.keys()].every((n) => n.startsWith('$') || around.has(n)))

/** Places that a subscript has in one iteration of the loop at `level`, over those inside of it. */
function rangeOf(index: Expr, { loops }: Access, level: number): Range | undefined {
  const exact = scaled(index)
  if (!exact) return undefined
  let { low, high }: { low: Polynomial; high: Polynomial } = { low: exact.form, high: exact.form }
  for (const l of loops.slice(level + 1).reverse()) {
    const least = atEnd(low, l, 'low'),
      most = atEnd(high, l, 'high')
    if (!least || !most) return undefined
    low = least
    high = most
  }
  return { low, high, scale: exact.scale }
}

/** `p` where `l` is at the end where it is least or greatest; undefined where its factor is no number. */
function atEnd(p: Polynomial, l: Loop, side: 'low' | 'high'): Polynomial | undefined {
  const parts = coefficients(p, new Set([l.name]))
  if (!parts) return undefined
  const factor = parts.of.get(l.name)
  if (!factor) return p
  const c = factor.size === 1 ? factor.get('') : undefined,
    lower = polynomialOf(l.lower),
    upper = polynomialOf(l.upper)
  if (c === undefined || !lower || !upper) return undefined
  const end = c > 0 === (side === 'high') ? plusScaled(upper, new Map([['', 1]]), -1) : lower
  return plusScaled(parts.rest, end, c)
}

interface Scaled {
  readonly form: Polynomial
  readonly scale: number
}

/** Divisors whose quotients are looked at. */
const mostDivisor = 6

/** `e` as a polynomial over a number, with quotients that leave nothing over whatever the variables are. */
function scaled(e: Expr): Scaled | undefined {
  const form = polynomialOf(e)
  if (form) return { form, scale: 1 }
  if (e.kind !== 'op' || e.type !== 'i32') return undefined
  const [x, y] = e.args
  if (e.op === 'div') {
    const whole = polynomialOf(x!),
      by = literal(y!) // two arguments
    return whole && by !== undefined && by > 0 && by <= mostDivisor && isMultiple(whole, by)
      ? { form: whole, scale: by }
      : undefined
  }
  if (e.op !== 'add' && e.op !== 'sub') return undefined
  const a = scaled(x!),
    b = scaled(y!) // two arguments
  return (
    a &&
    b && {
      form: plusScaled(times(a.form, b.scale), times(b.form, a.scale), e.op === 'add' ? 1 : -1),
      scale: a.scale * b.scale,
    }
  )
}

/** Variables of which all remainders are tried. */
const mostVariables = 3

/** Whether a polynomial is a multiple of `by` wherever its variables are whole: their remainders decide that. */
function isMultiple(p: Polynomial, by: number): boolean {
  const names = [...new Set([...p.keys()].flatMap(namesInKey))]
  if (names.length > mostVariables) return false
  const at = (values: ReadonlyMap<string, number>): number =>
    [...p].reduce((sum, [key, c]) => sum + namesInKey(key).reduce((n, x) => n * values.get(x)!, c), 0)
  const tried = names.reduce<readonly ReadonlyMap<string, number>[]>(
    (all, name) => all.flatMap((v) => Array.from({ length: by }, (_, r) => new Map([...v, [name, r]]))),
    [new Map()],
  )
  return tried.every((values) => at(values) % by === 0)
}
