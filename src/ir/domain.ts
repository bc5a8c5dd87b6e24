// In: loops and guards of LoopIR. Out: the linear constraints that hold inside them. The one idea: bounds and conditions
// that are linear (also through `min`, `max`, division and remainder by constants, and conjunctions) become constraints;
// what is not is left out and the domain says that it is not exact. It does not enumerate.
import { addScaled, affineConstant, affineName, affineOf, type Affine } from './affine.ts'
import { literal } from './build.ts'
import { implies, type Constraint } from './integer.ts'
import type { Expr, Loop, Program } from './loop.ts'

/** Integer points described by constraints; more points than the real ones when not `exact`. */
export interface Domain {
  readonly constraints: readonly Constraint[]
  readonly exact: boolean
}

/** Makes names that nothing else has, for quotients. */
export interface Names { next: number }

export const atLeast = (form: Affine): Constraint => ({ form })
/** a − b ≥ 0 */
export const notLess = (a: Affine, b: Affine): Constraint => ({ form: addScaled(a, b, -1) })
export const equalTo = (a: Affine, b: Affine): Constraint => ({ form: addScaled(a, b, -1), equal: true })
export const plus = (a: Affine, n: number): Affine => addScaled(a, affineConstant(n), 1)

/** What the sizes of `p` are known to be. */
export const sizeDomain = (p: Program): Domain =>
  ({ constraints: p.sizes.map((s) => atLeast(plus(affineName(`$${s.name}`), -s.min))), exact: true })

const also = (d: Domain, more: readonly Constraint[]): Domain => ({ constraints: [...d.constraints, ...more], exact: d.exact })
const blurred = (d: Domain): Domain => ({ ...d, exact: false })

/** The linear form of `e` and the constraints of the quotients it needs; undefined when it is not linear. */
export function linearForm(e: Expr, within: Domain, names: Names): { readonly form: Affine; readonly extra: readonly Constraint[] } | undefined {
  const plain = affineOf(e)
  if (plain) return { form: plain, extra: [] }
  if (e.kind !== 'op' || e.type !== 'i32') return undefined
  const [x, y] = e.args
  const a = x && linearForm(x, within, names)
  if (!a) return undefined
  if (e.op === 'neg') return { form: addScaled(affineConstant(0), a.form, -1), extra: a.extra }
  const n = y && literal(y)
  if ((e.op === 'div' || e.op === 'rem') && n !== undefined && n > 0) return quotient(e.op, a.form, a.extra, n, within, names)
  if (e.op === 'mul' && n !== undefined) return { form: addScaled(affineConstant(0), a.form, n), extra: a.extra }
  const b = y && linearForm(y, within, names)
  if (!b || (e.op !== 'add' && e.op !== 'sub')) return undefined
  return { form: addScaled(a.form, b.form, e.op === 'add' ? 1 : -1), extra: [...a.extra, ...b.extra] }
}

/** n·q ≤ x < n·q + n for x ≥ 0; for an x that may be negative C truncates upwards, which is not linear. */
function quotient(op: 'div' | 'rem', x: Affine, extra: readonly Constraint[], n: number, within: Domain, names: Names): ReturnType<typeof linearForm> {
  if (!implies([...within.constraints, ...extra], x)) return undefined
  const q = affineName(`%${names.next++}`)
  const rest = addScaled(x, q, -n)
  const bounds = [...extra, atLeast(rest), notLess(affineConstant(n - 1), rest)]
  return { form: op === 'div' ? q : rest, extra: bounds }
}

/** `d` with `v ∘ e` added for every conjunct of `e`: `v ≤ min(a, b)`, `v ≥ max(a, b)`. */
function bounded(d: Domain, v: Affine, e: Expr, side: 'lower' | 'upper', names: Names): Domain {
  if (e.kind === 'op' && e.op === (side === 'upper' ? 'min' : 'max')) return e.args.reduce((x, arg) => bounded(x, v, arg, side, names), d)
  const linear = linearForm(e, d, names)
  if (!linear) return blurred(d)
  return also(d, [...linear.extra, side === 'upper' ? notLess(plus(linear.form, -1), v) : notLess(v, linear.form)])
}

/** `d` inside the body of `loop`, whose variable is called `variable` there. */
export function insideLoop(d: Domain, loop: Loop, names: Names, variable = loop.name): Domain {
  const v = affineName(variable)
  const inner = bounded(bounded(d, v, loop.lower, 'lower', names), v, loop.upper, 'upper', names)
  if (loop.step === 1) return inner
  const lower = linearForm(loop.lower, d, names)
  if (!lower) return blurred(inner)
  const turns = affineName(`%${names.next++}`, loop.step)
  return also(inner, [...lower.extra, equalTo(v, addScaled(lower.form, turns, 1))])
}

const opposite = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt', eq: 'ne', ne: 'eq' } as const
const isComparison = (op: string): op is keyof typeof opposite => op in opposite

/** `d` where `condition` is `truth`. */
export function whereHolds(d: Domain, condition: Expr, truth: boolean, names: Names): Domain {
  if (condition.kind === 'const') return !!condition.value === truth ? d : also(d, [atLeast(affineConstant(-1))])
  if (condition.kind === 'choose') {
    const { then, else: otherwise } = condition
    if (truth && otherwise.kind === 'const' && !otherwise.value) return whereHolds(whereHolds(d, condition.condition, true, names), then, true, names)
    if (!truth && then.kind === 'const' && then.value) return whereHolds(whereHolds(d, condition.condition, false, names), otherwise, false, names)
    return blurred(d)
  }
  if (condition.kind !== 'op') return blurred(d)
  const [a, b] = condition.args
  if (condition.op === 'lnot') return whereHolds(d, a!, !truth, names)
  if (condition.op === (truth ? 'land' : 'lor')) return whereHolds(whereHolds(d, a!, truth, names), b!, truth, names)
  if (!isComparison(condition.op) || a!.type !== 'i32') return blurred(d)
  const x = linearForm(a!, d, names), y = linearForm(b!, d, names)
  if (!x || !y) return blurred(d)
  return compared(also(d, [...x.extra, ...y.extra]), truth ? condition.op : opposite[condition.op], x.form, y.form)
}

function compared(d: Domain, op: keyof typeof opposite, x: Affine, y: Affine): Domain {
  switch (op) {
    case 'lt': return also(d, [notLess(plus(y, -1), x)])
    case 'le': return also(d, [notLess(y, x)])
    case 'gt': return also(d, [notLess(plus(x, -1), y)])
    case 'ge': return also(d, [notLess(x, y)])
    case 'eq': return also(d, [equalTo(x, y)])
    case 'ne': return differs(d, x, y)
  }
}

/** x ≠ y is two half-spaces; one of them is often excluded by what is known. */
function differs(d: Domain, x: Affine, y: Affine): Domain {
  if (implies(d.constraints, addScaled(x, y, -1))) return also(d, [notLess(plus(x, -1), y)])
  if (implies(d.constraints, addScaled(y, x, -1))) return also(d, [notLess(plus(y, -1), x)])
  return blurred(d)
}
