// In: loops and guards of LoopIR. Out: the linear constraints that hold inside them. The one idea: bounds and
// conditions that are linear (also through `min`, `max`, division and remainder by constants, `&&`, `||` and `!=`)
// become constraints or disjunctions of them; what is not is left out and the domain says that it is not exact.
import { addScaled, affineConstant, affineName, affineOf, type Affine } from './affine.ts'
import { literal } from '../loop/build.ts'
import { someExpr } from '../loop/loop-tree.ts'
import { implies, type Constraint } from './omega-test.ts'
import type { Expr, Loop, Program, QuotientSize, Symbols } from '../loop/loop.ts'
import { complements, isComparison, type Comparison } from '../ops.ts'

/** All of them hold. */
export type Conjunction = readonly Constraint[]

/** Integer points described by constraints; more points than the real ones when not `exact`. */
export interface Domain {
  readonly constraints: Conjunction
  /** Of each group at least one conjunction holds as well. Who ignores this sees more points. */
  readonly either: readonly (readonly Conjunction[])[]
  readonly exact: boolean
}

/** Where names of quotients begin: what is in no domain yet, as other parts of the same question, has those before. */
interface Names {
  next: number
}

export const atLeast = (form: Affine): Constraint => ({ form })
/** a − b ≥ 0 */
export const notLess = (a: Affine, b: Affine): Constraint => ({ form: addScaled(a, b, -1) })
export const equalTo = (a: Affine, b: Affine): Constraint => ({ form: addScaled(a, b, -1), equal: true })
export const plus = (a: Affine, n: number): Affine => addScaled(a, affineConstant(n), 1)

/** What the sizes of `p` and the variables of host loops around it are known to be. */
export function sizeDomain(p: Symbols): Domain {
  const known: Domain = { constraints: ownBounds(p), either: [], exact: true }
  const { constraints } = conditionsOf(p).reduce((d, e) => whereHolds(d, e, true), known)
  return { ...known, constraints }
}

/** What must hold of the sizes of `p` for it to be what is meant. */
export const conditionsOf = (p: Pick<Program, 'sizes'>): readonly Expr[] => p.sizes.flatMap((s) => s.where ?? [])

function ownBounds(p: Symbols): readonly Constraint[] {
  const sizes = p.sizes.flatMap((s): readonly Constraint[] => {
    const own = affineName(`$${s.name}`)
    return [atLeast(plus(own, -s.min)), ...(s.kind === 'quotient' ? ofQuotient(own, s) : [])]
  })
  const variables = p.hostVariables.flatMap((v): readonly Constraint[] => {
    const own = affineName(`$${v.name}`),
      below = v.below && affineOf(v.below)
    return [atLeast(plus(own, -v.min)), ...(below ? [notLess(plus(below, -1), own)] : [])]
  })
  return [...sizes, ...variables]
}
/**
 * With q = own + from: 0 ≤ of − by·q < by; where `of` may be negative, in which case q is rounded up, −by < of − by·q <
 * by.
 */
function ofQuotient(own: Affine, { of, by, from, signed }: QuotientSize): readonly Constraint[] {
  const form = affineOf(of)
  if (!form) return []
  const rest = addScaled(form, plus(own, from), -by)
  return [notLess(affineConstant(by - 1), rest), atLeast(plus(rest, signed ? by - 1 : 0))]
}

/** Most disjuncts that a domain is expanded into; a group that would exceed them is left out. */
const mostDisjuncts = 16

/** `d` as a union of conjunctions. */
export function disjuncts(d: Domain): Conjunction[] {
  return d.either.reduce<Conjunction[]>(
    (all, group) => all.flatMap((a) => group.map((g) => [...a, ...g])),
    [d.constraints],
  )
}

const also = (d: Domain, more: readonly Constraint[]): Domain => ({ ...d, constraints: [...d.constraints, ...more] })
/** `d` where one of `cases` holds. */
function oneOf(d: Domain, cases: readonly Conjunction[]): Domain {
  const [only, more] = cases
  if (only && !more) return also(d, only)
  const count = d.either.reduce((n, group) => n * group.length, cases.length)
  return only && count <= mostDisjuncts
    ? { ...d, either: [...d.either, cases] }
    : only
      ? blurred(d)
      : also(d, [atLeast(affineConstant(-1))])
}
const blurred = (d: Domain): Domain => ({ ...d, exact: false })

/** An affine form and the constraints of the quotients that are in it. */
export interface LinearForm {
  readonly form: Affine
  readonly extra: readonly Constraint[]
}

/** The linear form of `e` and the constraints of the quotients it needs; undefined when it is not linear. */
export const linearForm = (e: Expr, within: Domain): LinearForm | undefined => formIn(e, within, { next: 0 })

/** The same of several expressions, which may be asked about together: each quotient has a name of its own. */
export function linearForms(es: readonly Expr[], within: Domain): readonly (LinearForm | undefined)[] {
  const names: Names = { next: 0 }
  return es.map((e) => formIn(e, within, names))
}

function formIn(e: Expr, within: Domain, names: Names): LinearForm | undefined {
  const plain = affineOf(e)
  if (plain) return { form: plain, extra: [] }
  if (e.kind !== 'op' || e.type !== 'i32') return undefined
  const [x, y] = e.args
  const a = x && formIn(x, within, names)
  if (!a) return undefined
  if (e.op === 'neg') return { form: addScaled(affineConstant(0), a.form, -1), extra: a.extra }
  const n = y && literal(y)
  if ((e.op === 'div' || e.op === 'rem') && n !== undefined && n > 0)
    return quotient(e.op, a.form, a.extra, n, within, names)
  if (e.op === 'mul' && n !== undefined) return { form: addScaled(affineConstant(0), a.form, n), extra: a.extra }
  const b = y && formIn(y, within, names)
  if (!b || (e.op !== 'add' && e.op !== 'sub')) return undefined
  return { form: addScaled(a.form, b.form, e.op === 'add' ? 1 : -1), extra: [...a.extra, ...b.extra] }
}

/** A name that the domain does not have. */
function claimed(names: Names, within: Domain): string {
  const has = (name: string): boolean =>
    [...within.constraints, ...within.either.flat(2)].some((c) => c.form.terms.has(name))
  let name = ''
  do name = `%${names.next++}`
  while (has(name))
  return name
}

/** n·q ≤ x < n·q + n for x ≥ 0; for an x that may be negative C truncates upwards, which is not linear. */
function quotient(
  op: 'div' | 'rem',
  x: Affine,
  extra: readonly Constraint[],
  n: number,
  within: Domain,
  names: Names,
): LinearForm | undefined {
  if (!implies([...within.constraints, ...extra], x)) return undefined
  const q = affineName(claimed(names, within))
  const rest = addScaled(x, q, -n)
  const bounds = [...extra, atLeast(rest), notLess(affineConstant(n - 1), rest)]
  return { form: op === 'div' ? q : rest, extra: bounds }
}

/** `d` with `v` on its side of `e`: `v < min(a, b)` is both, `v < max(a, b)` is one of two. */
function bounded(d: Domain, v: Affine, e: Expr, side: 'lower' | 'upper', names: Names): Domain {
  const cases = boundCases(d, v, e, side, names)
  return cases ? oneOf(d, cases) : blurred(d)
}

function boundCases(d: Domain, v: Affine, e: Expr, side: 'lower' | 'upper', names: Names): Conjunction[] | undefined {
  if (e.kind === 'op' && (e.op === 'min' || e.op === 'max') && e.type === 'i32') {
    const a = boundCases(d, v, e.args[0]!, side, names),
      b = boundCases(d, v, e.args[1]!, side, names)
    if (!a || !b) return undefined
    return (e.op === 'min') === (side === 'upper') ? product(a, b) : [...a, ...b]
  }
  const linear = formIn(e, d, names)
  return linear && [[...linear.extra, side === 'upper' ? notLess(plus(linear.form, -1), v) : notLess(v, linear.form)]]
}

const product = (a: readonly Conjunction[], b: readonly Conjunction[]): Conjunction[] =>
  a.flatMap((x) => b.map((y) => [...x, ...y]))

/** Whether `form ≥ 0` in all of `d`; false also when it cannot be decided. */
export const follows = (d: Domain, form: Affine): boolean => disjuncts(d).every((known) => implies(known, form))

/** Whether `to` is at least `from` + `by` in all of `d`; false also when it cannot be decided. */
export function isAtLeast(d: Domain, to: Expr, from: Expr, by = 0): boolean {
  const [a, b] = [affineOf(from), affineOf(to)]
  return a !== undefined && b !== undefined && follows(d, plus(addScaled(b, a, -1), -by))
}

/** `d` inside the body of `loop`, whose variable is called `variable` there. */
export function insideLoop(d: Domain, loop: Loop, variable = loop.name): Domain {
  const names: Names = { next: 0 },
    v = affineName(variable)
  const inner = bounded(bounded(d, v, loop.lower, 'lower', names), v, loop.upper, 'upper', names)
  if (loop.step === 1) return inner
  const lower = formIn(loop.lower, d, names)
  if (!lower) return blurred(inner)
  const turns = affineName(claimed(names, inner), loop.step)
  return also(inner, [...lower.extra, equalTo(v, addScaled(lower.form, turns, 1))])
}

/** The program's sizes inside the bodies of loops in each other, outermost first. */
export const insideLoops = (p: Symbols, loops: readonly Loop[]): Domain =>
  loops.reduce((d, l) => insideLoop(d, l), sizeDomain(p))

/** `d` where `condition` is `truth`. */
export function whereHolds(d: Domain, condition: Expr, truth: boolean): Domain {
  const { cases, exact } = casesOf(d, condition, truth, { next: 0 })
  const inside = cases.length > mostDisjuncts ? blurred(d) : oneOf(d, cases)
  return exact ? inside : blurred(inside)
}

/** The condition as a union of conjunctions; of more points when not `exact`. */
interface Cases {
  readonly cases: readonly Conjunction[]
  readonly exact: boolean
}

const always: Cases = { cases: [[]], exact: true }
const never: Cases = { cases: [], exact: true }
const unknown: Cases = { cases: [[]], exact: false }

const and = (a: Cases, b: Cases): Cases => ({
  cases: product(a.cases, b.cases).slice(0, mostDisjuncts + 1),
  exact: a.exact && b.exact,
})
const or = (a: Cases, b: Cases): Cases => ({ cases: [...a.cases, ...b.cases], exact: a.exact && b.exact })

function casesOf(d: Domain, e: Expr, truth: boolean, names: Names): Cases {
  const of = (x: Expr, value: boolean): Cases => casesOf(d, x, value, names)
  if (e.kind === 'const') return !!e.value === truth ? always : never
  if (e.kind === 'choose')
    return or(and(of(e.condition, true), of(e.then, truth)), and(of(e.condition, false), of(e.else, truth)))
  if (e.kind !== 'op') return unknown
  const [a, b] = e.args
  if (e.op === 'lnot') return of(a!, !truth)
  if (e.op === 'land' || e.op === 'lor')
    return (e.op === 'land') === truth ? allOf(d, operandsOf(e, e.op), truth, names) : or(of(a!, truth), of(b!, truth))
  if (!isComparison(e.op) || a!.type !== 'i32') return unknown
  const x = formIn(a!, d, names),
    y = formIn(b!, d, names)
  if (!x || !y) return unknown
  const extra = [...x.extra, ...y.extra]
  return { cases: compared(truth ? e.op : complements[e.op], x.form, y.form).map((c) => [...extra, c]), exact: true }
}

/** Where all of `es` are `truth`: of a quotient, what is divided is known by the others (`x >= 0 && x / 2 < n`). */
function allOf(d: Domain, es: readonly Expr[], truth: boolean, names: Names): Cases {
  const divides = (e: Expr): boolean => someExpr(e, (x) => x.kind === 'op' && (x.op === 'div' || x.op === 'rem'))
  let all = always
  for (const e of [...es.filter((x) => !divides(x)), ...es.filter(divides)]) {
    const [only, more] = all.cases
    all = and(all, casesOf(only && !more ? also(d, only) : d, e, truth, names))
  }
  return all
}

/** The operands of an `&&` or `||`, and of those in it. */
const operandsOf = (e: Expr, kind: 'land' | 'lor'): readonly Expr[] =>
  e.kind === 'op' && e.op === kind ? e.args.flatMap((x) => operandsOf(x, kind)) : [e]

/** The constraints of which one says x ∘ y. */
function compared(op: Comparison, x: Affine, y: Affine): Constraint[] {
  const less = (a: Affine, b: Affine): Constraint => notLess(plus(b, -1), a)
  switch (op) {
    case 'lt':
      return [less(x, y)]
    case 'le':
      return [notLess(y, x)]
    case 'gt':
      return [less(y, x)]
    case 'ge':
      return [notLess(x, y)]
    case 'eq':
      return [equalTo(x, y)]
    case 'ne':
      return [less(x, y), less(y, x)]
  }
}
