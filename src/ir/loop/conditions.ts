// In: a program that is correct only for sizes that satisfy some conditions (`stride >= w`), and what is meant for all
// other sizes. Out: the conditions, attached to the sizes or tested by the host. The one idea: loop versioning (Allen
// and Kennedy, chapter 5): a fact that no compiler can know is tested once, at run time, before anything is launched.
import { addScaled, affineConstant, affineExpr, affineOf, type Affine } from '../integers/affine.ts'
import { implies, type Constraint } from '../integers/omega-test.ts'
import { conditionsOf } from '../integers/domain.ts'
import { planValue, type PlanValues } from '../plan.ts'
import { isComparison } from '../ops.ts'
import { op } from './build.ts'
import type { Expr, LoopStmt, Program } from './loop.ts'
import { mapBody } from './loop-tree.ts'
import { sizesIn } from './loop-tree.ts'

/** `form ≥ 0` as a comparison without negative terms: `stride >= w`. */
export function notNegative(form: Affine): Expr {
  const side = (sign: 1 | -1): Expr =>
    affineExpr({
      constant: Math.max(0, sign * form.constant),
      terms: new Map([...form.terms].flatMap(([n, c]) => (sign * c > 0 ? [[n, sign * c] as const] : []))),
    })
  return op('ge', [side(1), side(-1)])
}

/** `p` where `conditions` hold as well. Each stands at the last of the sizes that it is about, once. */
export function withConditions(p: Program, conditions: readonly Expr[]): Program {
  const known = new Set(conditionsOf(p).map(textOf)),
    fresh = conditions.filter(
      (e, i) => !known.has(textOf(e)) && conditions.findIndex((x) => textOf(x) === textOf(e)) === i,
    )
  if (fresh.length === 0) return p
  const placeOf = (e: Expr): number => Math.max(...sizesIn(e).map((name) => p.sizes.findIndex((s) => s.name === name)))
  return {
    ...p,
    sizes: p.sizes.map((s, i) => {
      const own = fresh.filter((e) => placeOf(e) === i)
      return own.length === 0 ? s : { ...s, where: [...(s.where ?? []), ...own] }
    }),
  }
}

const textOf = (e: Expr): string => JSON.stringify(e)

/** Whether all conditions of `p` hold at these sizes. */
export const keepsConditions = (p: Pick<Program, 'sizes'>, values: PlanValues): boolean =>
  conditionsOf(p).every((e) => planValue(e, values) !== 0)

/** What `p` means at these sizes. */
export function meantAt(p: Program, values: PlanValues): Program {
  if (!p.otherwise || keepsConditions(p, values)) return p
  return meantAt(p.otherwise, values)
}

/** A comparison as a form that is at least 0 where it holds; undefined where it is none of linear sides. */
export function affineConditionOf(e: Expr): Affine | undefined {
  if (e.kind !== 'op' || e.op !== 'ge') return undefined
  const [a, b] = e.args.map(affineOf)
  return a && b && addScaled(a, b, -1)
}

/** Whether a comparison of linear forms holds wherever `known` does; undefined where that does not tell. */
export function truthWhere(known: readonly Constraint[], e: Expr): boolean | undefined {
  if (e.kind !== 'op') return undefined
  if (e.op === 'lnot') {
    const is = truthWhere(known, e.args[0]!) // one argument
    return is === undefined ? undefined : !is
  }
  const [a, b] = isComparison(e.op) ? e.args.map(affineOf) : []
  if (!a || !b) return undefined
  const isMore = (x: Affine, y: Affine, by: number): boolean =>
    implies(known, addScaled(addScaled(x, y, -1), affineConstant(by), -1))
  const first = (holds: boolean, fails: boolean): boolean | undefined => (holds ? true : fails ? false : undefined)
  const differ = (): boolean => isMore(a, b, 1) || isMore(b, a, 1)
  switch (e.op) {
    case 'eq':
      return first(false, differ())
    case 'ne':
      return first(differ(), false)
    case 'lt':
      return first(isMore(b, a, 1), isMore(a, b, 0))
    case 'le':
      return first(isMore(b, a, 0), isMore(a, b, 1))
    case 'gt':
      return first(isMore(a, b, 1), isMore(b, a, 0))
    default:
      return first(isMore(a, b, 0), isMore(b, a, 1))
  }
}

/** `body` without the conditions that are decided wherever `known` holds; the same object where none are. */
export const withoutDecided = (body: readonly LoopStmt[], known: readonly Constraint[]): readonly LoopStmt[] =>
  mapBody(body, (s) => {
    const is = s.kind === 'if' ? truthWhere(known, s.condition) : undefined
    return s.kind !== 'if' || is === undefined ? undefined : is ? s.then : s.else
  })
