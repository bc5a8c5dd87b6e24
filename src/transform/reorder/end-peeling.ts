// In: a loop around loops that ask in every iteration whether it is their first or their last: `if (i == j) l[i][j] =
// sqrtf(s); else l[i][j] = s / l[j][j];` with j up to i. Out: the same with that iteration before or behind the others,
// none of which ask. The one idea is loop peeling (Bacon, Graham and Sharp 1994, 6.3.5) where a subscript says which
// iteration it is: what the others do can come apart from it. It does not say whether that pays.
import {
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  exprKey,
  eachStmt,
  implies,
  insideLoop,
  lt,
  mapBody,
  ownExprs,
  plus,
  rewriteExpr,
  sameAffine,
  sizeDomain,
  someExpr,
  mapStmtExprs,
  substituteStmt,
  when,
  type Affine,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

/** `loop` with ends of the loops in it apart; the same object where none is asked for. */
export function endsApart(program: Program, loop: Loop): Loop {
  const [made] = inBlock([loop], sizeDomain(program), true)
  return made?.kind === 'loop' ? made : loop
}

function inBlock(body: readonly LoopStmt[], d: Domain, isOuter: boolean): readonly LoopStmt[] {
  let changed = false
  const out = body.flatMap((s): readonly LoopStmt[] => {
    if (s.kind !== 'loop') return [s]
    const inner = inBlock(s.body, insideLoop(d, s), false),
      own = inner === s.body ? s : { ...s, body: inner },
      made = isOuter ? undefined : peeled(own, d)
    changed ||= own !== s || made !== undefined
    return made ?? [own]
  })
  return changed ? out : body
}

/** An end of a loop, and the condition that holds there alone. */
interface End {
  readonly at: Affine
  readonly isLast: boolean
  readonly key: string
}

function peeled(l: Loop, d: Domain): readonly LoopStmt[] | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper),
    end = lower && upper && l.step === 1 ? endAskedFor(l, lower, plus(upper, -1)) : undefined
  if (!lower || !upper || !end) return undefined
  const at = affineExpr(end.at),
    once = answered(l.body, end.key, true).map((s) => substituteStmt(s, new Map([[l.name, at]]))),
    isThere = implies(d.constraints, plus(addScaled(upper, lower, -1), -1)),
    own = isThere ? once : [when(lt(l.lower, l.upper), once)],
    others: Loop = {
      ...l,
      ...(end.isLast ? { upper: at } : { lower: affineExpr(plus(lower, 1)) }),
      body: answered(l.body, end.key, false),
    }
  return end.isLast ? [others, ...own] : [...own, others]
}

/** The end that statements of the loop ask for by its variable. */
function endAskedFor(l: Loop, first: Affine, last: Affine): End | undefined {
  let found: End | undefined
  const see = (e: Expr): boolean => {
    if (e.kind !== 'op' || e.op !== 'eq' || found) return false
    const [a, b] = e.args.map(affineOf),
      form = a && b && addScaled(a, b, -1),
      c = form ? coefficient(form, l.name) : 0
    if (!form || Math.abs(c) !== 1) return false
    const at = addScaled(affineName(l.name), form, -c)
    if (sameAffine(at, last)) found = { at, isLast: true, key: exprKey(e) }
    else if (sameAffine(at, first)) found = { at, isLast: false, key: exprKey(e) }
    return false
  }
  eachStmt(l.body, (s) => {
    for (const e of ownExprs(s)) someExpr(e, see)
  })
  return found
}

/** `body` where the condition is known. */
function answered(body: readonly LoopStmt[], key: string, holds: boolean): readonly LoopStmt[] {
  const isAsked = (e: Expr): boolean => exprKey(e) === key
  const chosen = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      if (x.kind === 'choose' && isAsked(x.condition)) return chosen(holds ? x.then : x.else)
      if (x.kind === 'op' && x.op === 'select' && isAsked(x.args[0]!)) return chosen(x.args[holds ? 1 : 2]!)
      return undefined
    })
  return mapBody(body, (x) => {
    if (x.kind !== 'if' || !isAsked(x.condition)) return undefined
    return holds ? x.then : x.else
  }).map((x) => mapStmtExprs(x, chosen))
}
