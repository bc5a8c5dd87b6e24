// In: a program with loops in steps (`for (y = 0; y < h; y += 2)`) whose variables are divided by what divides the step
// (`y / 2`, `x >> 1`). Out: such loops in steps of one, over what the quotients are. The one idea: y = first + step · t
// makes every such quotient a multiple of t. Other loops stay as they are.
import {
  add,
  affineExpr,
  affineOf,
  int,
  literal,
  loopVar,
  mapStmts,
  mul,
  op,
  replaceVariables,
  mapBody,
  someExprIn,
  type Expr,
  type Loop,
  type Program,
} from '../../../ir/index.ts'

/** The same object where no loop is such. */
export function unitQuotientSteps(p: Program): Program {
  const body = mapBody(p.body, (s) => {
    const made = s.kind === 'loop' && s.step > 1 ? inUnits(s) : undefined
    return made && [made]
  })
  return body === p.body ? p : { ...p, body }
}

function inUnits(l: Loop): Loop | undefined {
  const first = literal(l.lower)
  const divides = someExprIn(l.body, (e) => quotientBy(e, l.name, l.step) !== undefined)
  if (!divides || first === undefined || first < 0) return undefined
  const by = new Map([[l.name, add(mul(loopVar(l.name), int(l.step)), l.lower)]])
  const body = mapStmts(l.body, (e) => {
    const k = quotientBy(e, l.name, l.step) // innermost first: its argument has the new variable already
    return e.kind === 'var' ? replaceVariables(e, by) : k === undefined ? e : divided(e, l.name, k)
  })
  const last = add(l.upper, int(l.step - 1 - first)),
    span = affineOf(last)
  return { ...l, lower: int(0), upper: op('div', [span ? affineExpr(span) : last, int(l.step)]), step: 1, body }
}

/** What `e` divides a linear form of the variable alone by, where that divides the step. */
function quotientBy(e: Expr, name: string, step: number): number | undefined {
  if (e.kind !== 'op' || e.type !== 'i32' || (e.op !== 'div' && e.op !== 'shr' && e.op !== 'rem')) return undefined
  const form = affineOf(e.args[0]!),
    n = literal(e.args[1]!),
    k = n === undefined || n < 0 || (n > 30 && e.op === 'shr') ? undefined : e.op === 'shr' ? 2 ** n : n
  return form && k && form.terms.size === 1 && (form.terms.get(name) ?? 0) > 0 && step % k === 0 ? k : undefined
}

/** A quotient or remainder by `k` of c · variable + constant ≥ 0, where `k` divides c. */
function divided(e: Expr, name: string, k: number): Expr {
  const form = e.kind === 'op' ? affineOf(e.args[0]!) : undefined,
    c = form?.terms.get(name) ?? 0
  if (e.kind !== 'op' || !form || c % k !== 0 || form.constant < 0) return e
  return e.op === 'rem'
    ? int(form.constant % k)
    : add(mul(loopVar(name), int(c / k)), int(Math.floor(form.constant / k)))
}
