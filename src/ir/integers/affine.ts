// In: integer expressions. Out: linear forms over loop variables and sizes, when they are linear. The one idea: an
// `Affine` is a constant plus integer coefficients of names; sums and constant multiples stay affine, everything else
// is `undefined`, never an approximation.
import { add, int, loopVar, mul, sizeOf, sub } from '../loop/build.ts'
import type { Expr } from '../loop/loop.ts'

/**
 * constant + Σ coefficient × name. Names of loop variables stand as they are; sizes are prefixed with `$`. No zero
 * coefficients.
 */
export interface Affine {
  readonly constant: number
  readonly terms: ReadonlyMap<string, number>
}

export const affineConstant = (constant: number): Affine => ({ constant, terms: new Map() })
export const affineName = (name: string, coefficient = 1): Affine => ({
  constant: 0,
  terms: new Map(coefficient === 0 ? [] : [[name, coefficient]]),
})

/** a + factor × b. */
export function addScaled(a: Affine, b: Affine, factor: number): Affine {
  const terms = new Map(a.terms)
  for (const [name, c] of b.terms) {
    const next = (terms.get(name) ?? 0) + factor * c
    if (next === 0) terms.delete(name)
    else terms.set(name, next)
  }
  return { constant: a.constant + factor * b.constant, terms }
}

/** The linear form of `e`, or `undefined` when it is not linear in loop variables and sizes. */
export function affineOf(e: Expr): Affine | undefined {
  switch (e.kind) {
    case 'const':
      return typeof e.value === 'number' && Number.isInteger(e.value) ? affineConstant(e.value) : undefined
    case 'var':
      return affineName(e.name)
    case 'size':
      return affineName(`$${e.name}`)
    case 'op':
      return affineOp(e)
    case 'scalar':
    case 'read':
    case 'choose':
      return undefined
  }
}

function affineOp(e: Extract<Expr, { kind: 'op' }>): Affine | undefined {
  if (e.type !== 'i32') return undefined
  const [x, y] = e.args.map(affineOf)
  if (!x) return undefined
  if (e.op === 'neg') return addScaled(affineConstant(0), x, -1)
  if (!y) return undefined
  if (e.op === 'add') return addScaled(x, y, 1)
  if (e.op === 'sub') return addScaled(x, y, -1)
  if (e.op === 'mul' && y.terms.size === 0) return addScaled(affineConstant(0), x, y.constant)
  if (e.op === 'mul' && x.terms.size === 0) return addScaled(affineConstant(0), y, x.constant)
  return undefined
}

/** Back to an expression: added terms in the order of the map, then subtracted ones, then the constant. */
export function affineExpr(a: Affine): Expr {
  const term = (name: string): Expr => (name.startsWith('$') ? sizeOf(name.slice(1)) : loopVar(name))
  const plus = [...a.terms].filter(([, c]) => c > 0),
    minus = [...a.terms].filter(([, c]) => c < 0)
  const start =
    plus.length === 0 && minus.length > 0
      ? int(a.constant)
      : plus.reduce<Expr>((e, [name, c]) => add(e, mul(term(name), int(c))), int(0))
  const e = minus.reduce<Expr>((x, [name, c]) => sub(x, mul(term(name), int(-c))), start)
  return plus.length === 0 && minus.length > 0 ? e : add(e, int(a.constant))
}

/** The same value, in canonical form when affine. */
export function affineFolded(e: Expr): Expr {
  const form = affineOf(e)
  return form ? affineExpr(form) : e
}

export const coefficient = (a: Affine, name: string): number => a.terms.get(name) ?? 0

/** Whether both are the same linear form. */
export function sameAffine(a: Affine, b: Affine): boolean {
  if (a.constant !== b.constant || a.terms.size !== b.terms.size) return false
  return [...a.terms].every(([name, c]) => b.terms.get(name) === c)
}
