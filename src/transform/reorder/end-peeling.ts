// In: a loop around loops that ask in every iteration whether it is their first or their last: `if (i == j) l[i][j] =
// sqrtf(s); else l[i][j] = s / l[j][j];` with j up to i. Out: the same with that iteration before or behind the others,
// none of which ask. The one idea is loop peeling (Bacon, Graham and Sharp 1994, 6.3.5) where a subscript says which
// iteration it is: what the others do can come apart from it. It does not say whether that pays.
import {
  affineName,
  coefficient,
  comparisonHolds,
  decided,
  isComparison,
  addScaled,
  affineExpr,
  affineOf,
  eachStmt,
  implies,
  insideLoop,
  lt,
  ownExprs,
  plus,
  sameAffine,
  sizeDomain,
  someExpr,
  someStmt,
  substituteStmt,
  when,
  type Affine,
  type Comparison,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { atPlace, placeAskedFor } from './index-set-splitting.ts'

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
      made = isOuter ? undefined : (peeled(own, d) ?? firstIn(own, d))
    changed ||= own !== s || made !== undefined
    return made ?? [own]
  })
  return changed ? out : body
}

/**
 * The first iteration of `loop`, and the others, where conditions hold in one and not in the other (`if (t > 0)` of
 * what an iteration needs of the one before); `undefined` where none asks for that.
 */
export const firstApart = (program: Program, loop: Loop): readonly LoopStmt[] | undefined =>
  firstIn(loop, sizeDomain(program))

/** The same of a loop where `d` is known. */
function firstIn(loop: Loop, d: Domain): readonly LoopStmt[] | undefined {
  const lower = affineOf(loop.lower),
    upper = affineOf(loop.upper)
  if (!lower || !upper || loop.step !== 1) return undefined
  const tells = (e: Expr): boolean => {
    const later = isLater(e, loop, lower)
    return later !== undefined && isFirst(e, loop, lower) !== later
  }
  const asks = someStmt(loop.body, (s) => ownExprs(s).some((e) => someExpr(e, tells)))
  if (!asks) return undefined
  const first = decided(loop.body, (e) => isFirst(e, loop, lower)).map((s) =>
      substituteStmt(s, new Map([[loop.name, loop.lower]])),
    ),
    body = decided(loop.body, (e) => isLater(e, loop, lower)),
    isNeverEmpty = implies(d.constraints, plus(addScaled(upper, lower, -1), -1))
  const once = isNeverEmpty ? first : [when(lt(loop.lower, loop.upper), first)]
  return [...(first.length > 0 ? once : []), { ...loop, lower: affineExpr(plus(lower, 1)), body }]
}

/** A comparison whose sides differ by a number in the first iteration, and by 1 more or less in each after it. */
interface Asked {
  readonly op: Comparison
  readonly at: number
  readonly by: number
}

function askedFrom(e: Expr, l: Loop, first: Affine): Asked | undefined {
  if (e.kind !== 'op' || !isComparison(e.op)) return undefined
  const [a, b] = e.args.map(affineOf),
    form = a && b && addScaled(a, b, -1),
    by = form ? coefficient(form, l.name) : 0
  if (!form || Math.abs(by) !== 1) return undefined
  const at = addScaled(addScaled(form, affineName(l.name), -by), first, by)
  return at.terms.size === 0 ? { op: e.op, at: at.constant, by } : undefined
}

/** What a comparison says in the first iteration. */
function isFirst(e: Expr, l: Loop, first: Affine): boolean | undefined {
  const asked = askedFrom(e, l, first)
  return asked && comparisonHolds(asked.op, asked.at)
}

/** What it says in all others, where they agree. */
function isLater(e: Expr, l: Loop, first: Affine): boolean | undefined {
  const asked = askedFrom(e, l, first)
  if (!asked) return undefined
  const next = comparisonHolds(asked.op, asked.at + asked.by),
    far = comparisonHolds(asked.op, asked.by * Infinity),
    // a difference that is 0 later on is equal once, and unequal everywhere else
    isMonotonic = asked.at * asked.by >= 0
  return isMonotonic && next === far ? next : undefined
}

/** An end of a loop. */
interface End {
  readonly at: Affine
  readonly isLast: boolean
}

function peeled(l: Loop, d: Domain): readonly LoopStmt[] | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper),
    end = lower && upper && l.step === 1 ? endAskedFor(l, lower, plus(upper, -1)) : undefined
  if (!lower || !upper || !end) return undefined
  const at = affineExpr(end.at),
    once = decided(l.body, atPlace(l, end.at, true)).map((s) => substituteStmt(s, new Map([[l.name, at]]))),
    isNeverEmpty = implies(d.constraints, plus(addScaled(upper, lower, -1), -1)),
    own = isNeverEmpty ? once : [when(lt(l.lower, l.upper), once)],
    others: Loop = {
      ...l,
      ...(end.isLast ? { upper: at } : { lower: affineExpr(plus(lower, 1)) }),
      body: decided(l.body, atPlace(l, end.at, false)),
    }
  const rest = others.body.length > 0 ? [others] : [],
    alone = once.length > 0 ? own : []
  return end.isLast ? [...rest, ...alone] : [...alone, ...rest]
}

/** The end that statements of the loop ask for by its variable. */
function endAskedFor(l: Loop, first: Affine, last: Affine): End | undefined {
  let found: End | undefined
  const see = (e: Expr): boolean => {
    const at = found ? undefined : placeAskedFor(e, l)
    if (at && sameAffine(at, last)) found = { at, isLast: true }
    else if (at && sameAffine(at, first)) found = { at, isLast: false }
    return false
  }
  eachStmt(l.body, (s) => {
    for (const e of ownExprs(s)) someExpr(e, see)
  })
  return found
}
