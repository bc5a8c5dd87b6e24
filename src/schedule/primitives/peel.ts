// peel: the iterations of a loop in which its guards hold anyway become a loop of their own, without them; what does
// not change in that loop is asked once, before it. Branches around single loads would make each of them wait for the
// last.
//
//   for k in 0 .. (m + 31) / 32 { for t in 0 .. 32 { if 2 < n && k * 32 + t < m { s[0] += A[t, k * 32 + t] } } }
// → if 2 < n { for k in 0 .. m / 32 { for t in 0 .. 32 { s[0] += A[t, k * 32 + t] } } }
//   for k_rest in m / 32 .. (m + 31) / 32 { for t in 0 .. 32 {
//     if 2 < n && k_rest * 32 + t < m { s[0] += A[t, k_rest * 32 + t] } } }
//
// Side conditions: the loop starts at 0 in steps of 1, is not bound, and its perfect nest ends in one guarded store. A
// conjunct is dropped where it is affine, falls as the loop counts up, and its other variables are sizes or run from 0
// to constants: it holds while k ≤ (the least that is left) / (what a step takes). Others without the loop's variable
// move in front when no inner variable is in them; with one, its most generous value is asked in front and the conjunct
// stays.
import { fail } from '../../base/index.ts'
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  div,
  int,
  literal,
  loopVar,
  op,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  conjunction,
  constantExtent,
  freshName,
  nest,
  peelGuard,
  perfectNest,
  replaceLoops,
  sameExpr,
  substituteStmt,
  withGuard,
} from '../../ir/index.ts'
import {
  conditionOf,
  holds,
  inequalityOf,
  inequalityOfQuotient,
  innerRange,
  signedSizeNames,
} from '../../analysis/index.ts'
import { locate } from './stage.ts'

export interface Peel {
  readonly loop: string
  /** Names of inner loops in the rest that get one of their own, so that they are not unrolled there. */
  readonly fresh?: readonly string[]
  /** Loops around that are the same for all threads of a block: how many iterations there are may depend on them. */
  readonly uniform?: readonly string[]
  /**
   * Inner loops over neighbours that a thread takes at once: where a conjunct holds for all of them, it is asked in
   * front of everything.
   */
  readonly lanes?: readonly string[]
}

/** Peels the loop; the same program when no guard depends on it. */
export function peel(program: Program, { loop: name, fresh = [], uniform = [], lanes = [] }: Peel): Program {
  const { outer } = locate(program, name)
  const signed = signedSizeNames(program),
    rest = new Map([name, ...fresh].map((n) => [n, freshName(program, `${n}_rest`)]))
  return replaceLoops(program, name, (l) => {
    const { loops, body } = perfectNest(l)
    const { guard, body: inner } = peelGuard(body)
    const [first, ...deeper] = loops
    if (!first || literal(first.lower) !== 0 || first.step !== 1 || first.bind.kind !== 'serial')
      return fail('schedule.peel', `'${name}' is no loop from 0 in steps of 1`)
    const twice = (asked: readonly Expr[]): readonly LoopStmt[] | undefined => {
      const dropped = asked.flatMap((c) => wholeSteps(c, first, [...outer, ...deeper], uniform, signed) ?? [])
      if (dropped.length === 0) return undefined
      const end = dropped.map((d) => d.end).reduce((a, b) => (sameExpr(a, b) ? a : op('min', [a, b])))
      const left = asked.filter((c) => !dropped.some((d) => d.conjunct === c))
      const { front, stay } = invariant(left, first.name, deeper)
      const main = nest([{ ...first, upper: end }, ...deeper], withGuard(stay, inner)),
        behind = nest([{ ...first, lower: end }, ...deeper], withGuard(asked, inner))
      return [...withGuard(front, main), ...behind.map((s) => renamed(s, rest))]
    }
    const all = guard.flatMap((c) => allLanes(c, first, deeper, lanes) ?? []),
      left = guard.filter((c) => !all.some((x) => x.conjunct === c))
    const condition = conjunction(all.map((x) => x.condition)),
      asking = twice(guard) ?? [l]
    return condition
      ? [{ kind: 'if', condition, then: twice(left) ?? nest(loops, withGuard(left, inner)), else: asking }]
      : asking
  })
}

/**
 * What has to hold in front of the loop for `conjunct` to hold in all lanes; `undefined` where it is about other inner
 * loops.
 */
function allLanes(
  conjunct: Expr,
  l: Loop,
  deeper: readonly Loop[],
  lanes: readonly string[],
): { readonly conjunct: Expr; readonly condition: Expr } | undefined {
  const f = inequalityOf(conjunct),
    inside = f && [l, ...deeper].filter((x) => coefficient(f, x.name) !== 0)
  const range =
    f && inside && inside.length > 0 && inside.every((x) => lanes.includes(x.name)) ? innerRange(f, inside) : undefined
  return (
    f &&
    range && {
      conjunct,
      condition: conditionOf(addScaled(addScaled(f, range.inner, -1), affineConstant(range.low), 1)),
    }
  )
}

/**
 * The number of first iterations in which `conjunct` holds whatever the other loops do; `undefined` when it is not to
 * be had.
 */
function wholeSteps(
  conjunct: Expr,
  l: Loop,
  others: readonly Loop[],
  uniform: readonly string[],
  signed: ReadonlySet<string>,
): { readonly conjunct: Expr; readonly end: Expr } | undefined {
  const f = inequalityOfQuotient(conjunct, signed)
  const taken = f ? -coefficient(f, l.name) : 0
  if (!f || taken <= 0) return undefined
  const range = innerRange(
    f,
    others.filter((o) => constantExtent(o) !== undefined),
  )
  if (!range) return undefined
  const least = addScaled(
    addScaled(addScaled(f, range.inner, -1), affineName(l.name, -taken), -1),
    affineConstant(range.low),
    1,
  )
  // a bound that differs between threads would keep them apart
  if ([...least.terms.keys()].some((n) => !n.startsWith('$') && !uniform.includes(n))) return undefined
  return { conjunct, end: within(addScaled(least, affineConstant(taken), 1), taken, l, signed) }
}

/** max(0, min(numerator / by, the loop's end)), without what cannot matter. */
function within(numerator: Affine, by: number, l: Loop, signed: ReadonlySet<string>): Expr {
  const whole =
    numerator.terms.size === 0 ? int(Math.max(0, Math.floor(numerator.constant / by))) : div(affineExpr(numerator), by)
  const positive = holds(numerator, [], [], signed) || literal(whole) !== undefined ? whole : op('max', [int(0), whole])
  const upper =
    l.upper.kind === 'op' && l.upper.op === 'div' && literal(l.upper.args[1]!) === by
      ? affineOf(l.upper.args[0]!)
      : undefined
  return upper && holds(addScaled(upper, numerator, -1), [], [], signed) ? positive : op('min', [positive, l.upper])
}

/** Of conjuncts: what can be asked in front of the loop, and what must stay inside. */
function invariant(
  guard: readonly Expr[],
  name: string,
  deeper: readonly Loop[],
): { readonly front: readonly Expr[]; readonly stay: readonly Expr[] } {
  const front: Expr[] = [],
    stay: Expr[] = []
  for (const c of guard) {
    const f = inequalityOf(c)
    if (!f || coefficient(f, name) !== 0) {
      stay.push(c)
      continue
    }
    const range = innerRange(f, deeper)
    const inner = deeper.filter((d) => coefficient(f, d.name) !== 0)
    if (inner.length === 0) front.push(c)
    else {
      stay.push(c)
      if (range) front.push(conditionOf(addScaled(addScaled(f, range.inner, -1), affineConstant(range.high), 1)))
    }
  }
  return { front, stay }
}

function renamed(s: LoopStmt, names: ReadonlyMap<string, string>): LoopStmt {
  if (s.kind !== 'loop') return s
  const name = names.get(s.name) ?? s.name
  const body = s.body.map((c) => renamed(c, names))
  return {
    ...s,
    name,
    body: name === s.name ? body : body.map((c) => substituteStmt(c, new Map([[s.name, loopVar(name)]]))),
  }
}
