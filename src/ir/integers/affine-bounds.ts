// In: affine forms and the loops around them. Out: their least and greatest values, as affine forms over sizes. The one
// idea: loop variables are replaced by their bounds, innermost first; where a bound is a minimum or a maximum, each of
// its arguments gives a bound.
import { addScaled, affineConstant, affineFolded, affineName, affineOf, coefficient, type Affine } from './affine.ts'
import { op } from '../loop/build.ts'
import type { Expr, Loop } from '../loop/loop.ts'

/** The linear forms that a bound joins with `min` (an upper bound) or `max` (a lower one). */
export function joinedBounds(e: Expr, join: 'min' | 'max'): readonly Affine[] {
  if (e.kind === 'op' && e.op === join) return e.args.flatMap((x) => joinedBounds(x, join))
  const form = affineOf(e)
  return form ? [form] : []
}

/** `min(a, b) + c` as `min(a + c, b + c)`, and likewise `max`, differences and what stands inside of them. */
export function distributedOverJoins(e: Expr): Expr {
  if (e.kind !== 'op' || e.type !== 'i32') return e
  if (e.op === 'min' || e.op === 'max') {
    const args = e.args.map(distributedOverJoins)
    return args.every((x, i) => x === e.args[i]) ? e : op(e.op, args)
  }
  if (e.op !== 'add' && e.op !== 'sub') return e
  const [a, b] = e.args.map(distributedOverJoins) as [Expr, Expr], // it has two
    to = (x: Expr, y: Expr): Expr => distributedOverJoins(affineFolded(op(e.op, [x, y])))
  if (isJoin(a) && affineOf(b))
    return op(
      a.op,
      a.args.map((x) => to(x, b)),
    )
  if (!isJoin(b) || !affineOf(a)) return e
  const turned = b.op === 'min' ? 'max' : 'min'
  return op(
    e.op === 'add' ? b.op : turned,
    b.args.map((x) => to(a, x)),
  )
}

const isJoin = (e: Expr): e is Extract<Expr, { kind: 'op' }> => e.kind === 'op' && (e.op === 'min' || e.op === 'max')

/** Whether no loop variable stands in `a`. */
export const hasOnlySizes = (a: Affine): boolean => [...a.terms.keys()].every((n) => n.startsWith('$'))

/** Whether steps from the lower bound would reach `upper`, so that the last iteration is a whole step before it. */
export function endsOnStep({ lower, step }: Loop, upper: Affine | undefined): boolean {
  const first = affineOf(lower),
    span = first && upper && addScaled(upper, first, -1)
  return span !== undefined && [span.constant, ...span.terms.values()].every((c) => c % step === 0)
}

/**
 * A bound of `form` from below or above over the loops, in sizes only: reached where no bound is joined. Undefined
 * where one that matters is not linear.
 */
export function extreme(form: Affine, loops: readonly Loop[], side: 'low' | 'high'): Affine | undefined {
  let out = form
  for (const l of [...loops].reverse()) {
    const c = coefficient(out, l.name)
    if (c === 0) continue
    const ends =
      c > 0 === (side === 'high')
        ? joinedBounds(l.upper, 'min').map((u) => addScaled(u, affineConstant(endsOnStep(l, u) ? l.step : 1), -1))
        : joinedBounds(l.lower, 'max')
    const end = ends.find(hasOnlySizes) ?? ends[0]
    if (!end) return undefined
    out = addScaled(addScaled(out, affineName(l.name), -c), end, c)
  }
  return hasOnlySizes(out) ? out : undefined
}
