// In: integer expressions with `min`, `max`, `select`, `abs` or `%`. Out: a list of cases: a linear form and the linear
// constraints under which the expression equals it. The one idea: a clamped, mirrored or wrapped subscript is piecewise
// linear, so its bounds can be proved piece by piece. A part that is not linear becomes an unknown with a name.
import { addScaled, affineConstant, affineName, affineOf, type Affine } from './affine.ts'
import { literal } from '../loop/build.ts'
import { plus, notLess, type Conjunction } from './domain.ts'
import { feasible, implies } from './omega-test.ts'
import type { Expr } from '../loop/loop.ts'
import { printExpr } from '../loop/text-loop.ts'

/**
 * The expression is `form` where all of `known` hold. Names of `form` that are no variable stand for what is not
 * linear.
 */
export interface AffineCase {
  readonly form: Affine
  readonly known: Conjunction
}

/** More cases are not looked at. */
const maxCases = 48

/** All cases of `e`, of type `i32`; undefined when there are too many. */
export function casesOf(e: Expr): readonly AffineCase[] | undefined {
  const plain = affineOf(e)
  if (plain) return [{ form: plain, known: [] }]
  if (e.kind === 'choose') return chosen(e.condition, e.then, e.else)
  if (e.kind !== 'op') return atom(e)
  const [x, y, z] = e.args
  switch (e.op) {
    case 'select':
      return chosen(x!, y!, z!) // three arguments
    case 'neg':
      return casesOf(x!)?.map((a) => ({ ...a, form: addScaled(affineConstant(0), a.form, -1) }))
    case 'abs':
      return split(casesOf(x!), ({ form, known }) => {
        const less = addScaled(affineConstant(0), form, -1)
        return [
          { form, known: [...known, { form }] },
          { form: less, known: [...known, { form: less }] },
        ]
      })
    case 'add':
    case 'sub':
      return pairs(x!, y!, (a, b) => [addScaled(a, b, e.op === 'add' ? 1 : -1), []])
    case 'mul': {
      const n = literal(y!) ?? literal(x!)
      return n === undefined
        ? atom(e)
        : casesOf(literal(y!) === undefined ? y! : x!)?.map((a) => ({
            ...a,
            form: addScaled(affineConstant(0), a.form, n),
          }))
    }
    case 'min':
      return both(
        pairs(x!, y!, (a, b) => [a, [notLess(b, a)]]),
        pairs(x!, y!, (a, b) => [b, [notLess(a, b)]]),
      )
    case 'max':
      return both(
        pairs(x!, y!, (a, b) => [a, [notLess(a, b)]]),
        pairs(x!, y!, (a, b) => [b, [notLess(b, a)]]),
      )
    case 'rem':
      return remainder(e, x!, y!)
    case 'div':
    case 'shr': {
      const n = literal(y!)
      if (n === undefined || n < (e.op === 'div' ? 1 : 0) || n > 30) return atom(e)
      return quotient(e, x!, e.op === 'div' ? n : 2 ** n, e.op === 'div')
    }
    default:
      return atom(e)
  }
}

const atom = (e: Expr): readonly AffineCase[] => [{ form: affineName(`@${printExpr(e)}`), known: [] }]

/** Cases that can be. */
function kept(all: readonly AffineCase[]): readonly AffineCase[] | undefined {
  const some = all.length > 2 ? all.filter((c) => feasible(c.known) !== 'empty') : all
  return some.length <= maxCases ? some : undefined
}
const split = (
  all: readonly AffineCase[] | undefined,
  f: (c: AffineCase) => readonly AffineCase[],
): readonly AffineCase[] | undefined => all && kept(all.flatMap(f))
const both = (
  a: readonly AffineCase[] | undefined,
  b: readonly AffineCase[] | undefined,
): readonly AffineCase[] | undefined => a && b && kept([...a, ...b])

function pairs(
  x: Expr,
  y: Expr,
  join: (a: Affine, b: Affine) => readonly [Affine, Conjunction],
): readonly AffineCase[] | undefined {
  const ys = casesOf(y)
  return (
    ys &&
    split(casesOf(x), (a) =>
      ys.map((b) => {
        const [form, known] = join(a.form, b.form)
        return { form, known: [...a.known, ...b.known, ...known] }
      }),
    )
  )
}

function chosen(condition: Expr, then: Expr, otherwise: Expr): readonly AffineCase[] | undefined {
  const under = (truth: boolean, e: Expr): readonly AffineCase[] | undefined => {
    const all = casesOf(e)
    return (
      all &&
      split(all, (c) => truths(condition, truth).map((known) => ({ form: c.form, known: [...known, ...c.known] })))
    )
  }
  return both(under(true, then), under(false, otherwise))
}

/** Of a quotient by `n` ≥ 1: n · q ≤ x < n · q + n, and towards 0 where x is negative and `truncates`. */
function quotient(e: Expr, x: Expr, n: number, truncates: boolean): readonly AffineCase[] | undefined {
  const q = affineName(`@${printExpr(e)}`)
  const times = addScaled(affineConstant(0), q, n),
    negative = addScaled(affineConstant(0), q, -1)
  return split(casesOf(x), ({ form, known }) => {
    const below = [notLess(form, times), notLess(plus(times, n - 1), form)]
    const above = truncates ? [notLess(times, form), notLess(form, plus(times, 1 - n))] : below
    return [
      { form: q, known: [...known, { form }, ...below, { form: q }] },
      {
        form: q,
        known: [...known, { form: plus(addScaled(affineConstant(0), form, -1), -1) }, ...above, { form: negative }],
      },
    ]
  })
}

/** Of a remainder: its sign is that of what is divided, and it is nearer to 0 than what divides, which is not 0. */
function remainder(e: Expr, x: Expr, y: Expr): readonly AffineCase[] | undefined {
  const by = affineOf(y),
    rest = affineName(`@${printExpr(e)}`),
    less = addScaled(affineConstant(0), rest, -1)
  if (!by) return atom(e)
  const minus = (a: Affine): Affine => addScaled(affineConstant(0), a, -1)
  const divisors = by.terms.size > 0 ? [by, minus(by)] : [by.constant < 0 ? minus(by) : by]
  return split(casesOf(x), ({ form, known }) =>
    divisors.flatMap((size): readonly AffineCase[] => {
      const all = [...known, { form: plus(size, -1) }]
      return [
        { form: rest, known: [...all, { form }, { form: rest }, notLess(plus(size, -1), rest), notLess(form, rest)] },
        { form: rest, known: [...all, { form: plus(minus(form), -1) }, { form: less }, notLess(plus(size, -1), less)] },
      ]
    }),
  )
}

/** Alternatives of which one holds where `condition` is `truth`; more than hold where it is not linear. */
function truths(condition: Expr, truth: boolean): readonly Conjunction[] {
  const and = (a: Expr, b: Expr, t: boolean): readonly Conjunction[] => {
    const ys = truths(b, t)
    return truths(a, t)
      .flatMap((p) => ys.map((q) => [...p, ...q]))
      .slice(0, maxCases + 1)
  }
  if (condition.kind === 'choose') {
    // lazy && and ||
    const isAnd = condition.else.kind === 'const' && !condition.else.value,
      isOr = condition.then.kind === 'const' && !!condition.then.value
    if (isAnd)
      return truth
        ? and(condition.condition, condition.then, true)
        : [...truths(condition.condition, false), ...truths(condition.then, false)]
    if (isOr)
      return truth
        ? [...truths(condition.condition, true), ...truths(condition.else, true)]
        : and(condition.condition, condition.else, false)
    return [[]]
  }
  if (condition.kind !== 'op') return [[]]
  const [a, b] = condition.args
  if (condition.op === 'lnot') return truths(a!, !truth)
  if (condition.op === 'land' || condition.op === 'lor')
    return (condition.op === 'land') === truth ? and(a!, b!, truth) : [...truths(a!, truth), ...truths(b!, truth)]
  return a?.type === 'i32' && b ? compared(condition.op, a, b, truth) : [[]]
}

function compared(name: string, x: Expr, y: Expr, truth: boolean): readonly Conjunction[] {
  const of = (less: boolean, a: Expr, b: Expr): readonly Conjunction[] =>
    pairs(a, b, (p, q) => [p, [notLess(q, plus(p, less ? 1 : 0))]])?.map((c) => c.known) ?? [[]] // p < q or p ≤ q
  switch (name) {
    case 'lt':
      return truth ? of(true, x, y) : of(false, y, x)
    case 'ge':
      return truth ? of(false, y, x) : of(true, x, y)
    case 'gt':
      return truth ? of(true, y, x) : of(false, x, y)
    case 'le':
      return truth ? of(false, x, y) : of(true, y, x)
    case 'eq':
    case 'ne':
      return truth === (name === 'eq')
        ? of(false, x, y)
            .flatMap((p) => of(false, y, x).map((q) => [...p, ...q]))
            .slice(0, maxCases + 1)
        : [...of(true, x, y), ...of(true, y, x)]
    default:
      return [[]]
  }
}

/** Whether `e ≥ 0` in all of its cases where `known` holds. */
export function isNonNegative(e: Expr, known: Conjunction): boolean {
  const all = casesOf(e)
  return all !== undefined && all.every((c) => implies([...c.known, ...known], c.form))
}
