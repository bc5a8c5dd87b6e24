// In: index polynomials, or conditions on integers, and the variable of a vector's lanes. Out: whether a value is a
// multiple of their number, by how much it grows from lane to lane, and whether a condition is the same in all of them.
// The one idea: a polynomial that is linear in the lane, on top of a multiple, crosses no multiple within the lanes.
import type { Expr, OpName } from '../../ir/index.ts'
import {
  constantPart,
  polyAdd,
  polyConstant,
  polyOf,
  type Atom,
  type Environment,
  type Poly,
} from './index-polynomial.ts'

/** Whether every value of `p` is a multiple of `n`, given known multiples of sizes. */
export function divisible(p: Poly, n: number, multipleOf: (size: string) => number): boolean {
  const factor = (a: Atom): number => {
    if (a.kind === 'size') return multipleOf(a.name)
    return (a.kind === 'min' || a.kind === 'max') && divisible(a.a, n, multipleOf) && divisible(a.b, n, multipleOf)
      ? n
      : 1
  }
  return [...p.values()].every(
    (m) => m.coefficient % n === 0 || (m.coefficient * m.atoms.reduce((f, a) => f * factor(a), 1)) % n === 0,
  )
}

/**
 * `p` without the monomials that contain the variable, and its coefficient when it occurs alone (undefined when
 * otherwise).
 */
export function takeVar(p: Poly, name: string): { readonly rest: Poly; readonly coefficient: number | undefined } {
  const own = p.get(name)
  const rest = new Map([...p].filter(([k]) => k !== name))
  const hidden = [...rest.values()].some((m) => m.atoms.some((a) => mentions(a, name)))
  return { rest, coefficient: hidden ? undefined : (own?.coefficient ?? 0) }
}

function mentions(a: Atom, name: string): boolean {
  const inside = (p: Poly): boolean => [...p.values()].some((m) => m.atoms.some((x) => mentions(x, name)))
  switch (a.kind) {
    case 'var':
      return a.name === name
    case 'size':
      return false
    case 'quotient':
    case 'remainder':
      return inside(a.of)
    case 'min':
    case 'max':
      return inside(a.a) || inside(a.b)
    case 'abs':
      return inside(a.of)
    case 'select':
      return [a.a, a.b, a.then, a.otherwise].some(inside)
    case 'opaque':
      return a.key.split(/\W+/).includes(name)
  }
}

/** `f` with `condition ⇔ f ≥ 0`. */
function ordered(op: OpName, [a, b]: readonly Poly[]): Poly | undefined {
  if (!a || !b) return undefined
  switch (op) {
    case 'lt':
      return polyAdd(polyAdd(b, a, -1), polyConstant(1), -1)
    case 'le':
      return polyAdd(b, a, -1)
    case 'gt':
      return polyAdd(polyAdd(a, b, -1), polyConstant(1), -1)
    case 'ge':
      return polyAdd(a, b, -1)
    default:
      return undefined
  }
}

/**
 * Whether the condition is the same for `lane` from 0 to before `lanes`: each conjunct is `f ≥ 0` with f = multiple + c
 * × lane + r.
 */
export function sameInLanes(
  condition: Expr,
  lane: string,
  lanes: number,
  env: Environment,
  multipleOf: (size: string) => number,
): boolean {
  if (condition.kind !== 'op') return false
  if (condition.op === 'land') return condition.args.every((c) => sameInLanes(c, lane, lanes, env, multipleOf))
  const sides = condition.args.map((a) => polyOf(a, env))
  if (condition.args.some((a) => a.type !== 'i32')) return false
  const f = ordered(condition.op, sides)
  if (!f) return false
  const { rest, coefficient } = takeVar(f, lane)
  if (coefficient === undefined) return false
  if (coefficient === 0) return true
  const r = constantPart(rest)
  if (!divisible(polyAdd(rest, polyConstant(r), -1), lanes, multipleOf)) return false
  const steps = Array.from({ length: lanes }, (_, n) => Math.floor((r + coefficient * n) / lanes))
  return steps.every((x) => x === steps[0])
}
