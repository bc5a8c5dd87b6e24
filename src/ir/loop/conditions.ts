// In: a program that is right where its sizes keep conditions (`stride >= w`), and what is meant elsewhere. Out: the
// conditions, added or asked. The one idea: loop versioning (Allen and Kennedy, chapter 5): what no compiler can know
// is asked once, at run time, before anything is launched.
import { addScaled, affineExpr, affineOf, type Affine } from '../integers/affine.ts'
import { conditionsOf } from '../integers/domain.ts'
import { planValue, type PlanValues } from '../plan.ts'
import { op } from './build.ts'
import type { Expr, Program } from './loop.ts'
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
