// In: statements in a part of a loop in which some conditions are known: `i != k` where i is below k. Out: the same
// statements, which no longer ask for them. The one idea is constant folding of branches with facts of a place
// (condition propagation). It finds no facts itself.
import {
  addScaled,
  affineName,
  affineOf,
  coefficient,
  mapBody,
  mapStmtExprs,
  op,
  rewriteExpr,
  sameAffine,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
} from '../../ir/index.ts'

/** Whether a condition holds, where that is known. */
export type Facts = (e: Expr) => boolean | undefined

/** `body` where `facts` hold; loops and branches that nothing is left of are gone. */
export const knowing = (body: readonly LoopStmt[], facts: Facts): readonly LoopStmt[] =>
  mapBody(body, (s) => {
    if (s.kind === 'loop') return s.body.length === 0 ? [] : undefined
    if (s.kind !== 'if') return undefined
    const condition = folded(s.condition, facts)
    if (typeof condition === 'boolean') return condition ? s.then : s.else
    return s.then.length + s.else.length === 0 ? [] : [{ ...s, condition }]
  }).map((s) => mapStmtExprs(s, (e) => chosen(e, facts)))

/** What conditions say that ask whether the loop is `at` a place, where it `is`. */
export const isThere =
  (l: Loop, at: Affine, is: boolean): Facts =>
  (e) => {
    const asked = placeAskedFor(e, l)
    return asked && sameAffine(asked, at) ? is === (e.kind === 'op' && e.op === 'eq') : undefined
  }

/** The place that an equality or inequality asks the loop's variable for. */
export function placeAskedFor(e: Expr, l: Loop): Affine | undefined {
  if (e.kind !== 'op' || (e.op !== 'eq' && e.op !== 'ne')) return undefined
  const [a, b] = e.args.map(affineOf),
    form = a && b && addScaled(a, b, -1),
    c = form ? coefficient(form, l.name) : 0
  return form && Math.abs(c) === 1 ? addScaled(affineName(l.name), form, -c) : undefined
}

/** The value with its choices made. */
const chosen = (e: Expr, facts: Facts): Expr =>
  rewriteExpr(e, (x) => {
    const condition = x.kind === 'choose' ? x.condition : x.kind === 'op' && x.op === 'select' ? x.args[0] : undefined
    const holds = condition && folded(condition, facts)
    if (typeof holds !== 'boolean') return undefined
    if (x.kind === 'choose') return chosen(holds ? x.then : x.else, facts)
    return x.kind === 'op' ? chosen(x.args[holds ? 1 : 2]!, facts) : undefined // a select has three
  })

/** The condition as far as it is not known. */
function folded(e: Expr, facts: Facts): Expr | boolean {
  const known = facts(e)
  if (known !== undefined || e.kind !== 'op') return known ?? e
  if (e.op === 'lnot') {
    const inner = folded(e.args[0]!, facts) // it has one
    return typeof inner === 'boolean' ? !inner : inner === e.args[0] ? e : op('lnot', [inner])
  }
  if (e.op !== 'land' && e.op !== 'lor') return e
  const ends = e.op === 'lor',
    args = e.args.map((a) => folded(a, facts))
  if (args.includes(ends)) return ends
  const left = args.filter((a) => typeof a !== 'boolean')
  if (left.length === 0) return !ends
  return left.every((a, i) => a === e.args[i]) ? e : left.reduce((a, b) => op(e.op, [a, b]))
}
