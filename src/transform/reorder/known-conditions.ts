// In: statements in a part of a loop in which some conditions are known: `i != k` where i is below k. Out: the same
// statements, which no longer ask for them. The one idea is constant folding of branches with facts of a place
// (condition propagation). It finds no facts itself.
import { mapBody, mapStmtExprs, op, rewriteExpr, type Expr, type LoopStmt } from '../../ir/index.ts'

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
