// In: an expression over numbers that iterations hand on. Out: the coefficients that make it a greatest (or least) of
// these numbers, each with a term added, and of one more term: `cur = max(x, cur + x)`. The one idea: where the
// greatest takes the place of the sum and the sum that of the product, such functions are affine, and compose as those
// do (Baccelli, Cohen, Olsder and Quadrat, Synchronization and Linearity, 1992, chapter 3). Conditions that choose the
// greater of two are recognised however they are written.
import { isZero, constant, isFloat, op, type Expr, zeroOf, type MapKind, someExpr, exprKey } from '../../ir/index.ts'
import { isNeutral, nothing } from './affine-maps.ts'

/** Which number an expression is, and whether its negative is handed on in its place. */
export type Place = (e: Expr) => { readonly at: number; readonly negative: boolean } | undefined

/**
 * The coefficients of each number in `e`, then the term without one; `undefined` where `e` is not of the kind.
 * `k.ring`: greatest or least.
 */
export function extremesIn(
  k: Pick<MapKind, 'states' | 'type' | 'ring'>,
  e: Expr,
  place: Place,
  negative = false,
): readonly Expr[] | undefined {
  const none = nothing(k),
    join = k.ring === 'greatest' ? 'max' : 'min'
  const alone = (at: number, x: Expr): readonly Expr[] =>
    Array.from({ length: k.states + 1 }, (_, i) => (i === at ? x : none))
  const both = (
    a: readonly Expr[] | undefined,
    b: readonly Expr[] | undefined,
    f: (x: Expr, y: Expr) => Expr,
  ): readonly Expr[] | undefined => a && b && a.map((x, i) => f(x, b[i]!)) // as many
  const mentions = (x: Expr): boolean => someExpr(x, (y) => place(y) !== undefined)
  const signed = (x: Expr, minus: boolean): Expr =>
    !minus ? x : x.kind === 'const' ? constant(x.type, -Number(x.value)) : op('neg', [x])
  const plus = (of: readonly Expr[] | undefined, by: Expr): readonly Expr[] | undefined =>
    of?.map((x) => (isNeutral(k, x) ? x : isZero(x) ? by : op('add', [x, by])))
  const joined = (x: Expr, y: Expr): Expr => (isNeutral(k, x) ? y : isNeutral(k, y) ? x : op(join, [x, y]))
  const go = (x: Expr, minus: boolean): readonly Expr[] | undefined => {
    const own = place(x)
    if (own) return own.negative === minus ? alone(own.at, zeroOf(k.type)) : undefined
    if (x.type !== k.type) return undefined
    if (!mentions(x)) return alone(k.states, signed(x, minus))
    if (x.kind === 'choose') return chosen(x.condition, x.then, x.else, minus)
    if (x.kind !== 'op') return undefined
    const [a, b] = x.args as readonly [Expr, Expr] // `neg` and `copy` alone have one
    switch (x.op) {
      case 'copy':
        return go(a, minus)
      case 'neg':
        return go(a, !minus)
      case 'max':
      case 'min':
        return (x.op === join) === minus ? undefined : both(go(a, minus), go(b, minus), joined)
      case 'add':
        return !mentions(b)
          ? plus(go(a, minus), signed(b, minus))
          : mentions(a)
            ? undefined
            : plus(go(b, minus), signed(a, minus))
      case 'sub':
        return !mentions(b)
          ? plus(go(a, minus), signed(b, !minus))
          : mentions(a)
            ? undefined
            : plus(go(b, !minus), signed(a, minus))
      case 'select':
        return chosen(a, b, x.args[2]!, minus)
      default:
        return undefined
    }
  }
  const chosen = (c: Expr, then: Expr, otherwise: Expr, minus: boolean): readonly Expr[] | undefined => {
    if (!mentions(c))
      return both(go(then, minus), go(otherwise, minus), (x, y) =>
        x === y || (isNeutral(k, x) && isNeutral(k, y)) || (isZero(x) && isZero(y)) ? x : op('select', [c, x, y]),
      )
    if (c.kind !== 'op') return undefined
    if (c.op === 'lnot') return chosen(c.args[0]!, otherwise, then, minus)
    if (c.op === 'land') {
      const [p, q] = mentions(c.args[0]!) ? [c.args[1]!, c.args[0]!] : [c.args[0]!, c.args[1]!]
      return mentions(p) ? undefined : chosen(p, picked(q, then, otherwise), otherwise, minus)
    }
    if (c.op === 'lor') {
      const [p, q] = mentions(c.args[0]!) ? [c.args[1]!, c.args[0]!] : [c.args[0]!, c.args[1]!]
      return mentions(p) ? undefined : chosen(p, then, picked(q, then, otherwise), minus)
    }
    const which = extremeOf(c, then, otherwise)
    return which && go(op(which, [then, otherwise]), minus)
  }
  return go(e, negative)
}

const picked = (c: Expr, a: Expr, b: Expr): Expr => ({ kind: 'choose', type: a.type, condition: c, then: a, else: b })

/** Whether `c ? a : b` is the greater or the lesser of the two: what `c` compares differs as they do. */
export function extremeOf(c: Extract<Expr, { kind: 'op' }>, a: Expr, b: Expr): 'max' | 'min' | undefined {
  const [p, q] = c.args as readonly [Expr, Expr | undefined]
  if (
    !q ||
    p.type !== a.type ||
    !(isFloat(p.type) || p.type === 'i32') ||
    !(c.op === 'gt' || c.op === 'ge' || c.op === 'lt' || c.op === 'le')
  )
    return undefined
  const apart = difference(a, b),
    compared = difference(p, q),
    greater = c.op === 'gt' || c.op === 'ge'
  if (equal(apart, compared, 1)) return greater ? 'max' : 'min'
  return equal(apart, compared, -1) ? (greater ? 'min' : 'max') : undefined
}

/** Terms of a difference, each as often as it is added. */
function difference(a: Expr, b: Expr): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  const put = (key: string, n: number): void => {
    const so = (out.get(key) ?? 0) + n
    if (so === 0) out.delete(key)
    else out.set(key, so)
  }
  const go = (e: Expr, n: number): void => {
    if (e.kind === 'op' && (e.op === 'add' || e.op === 'sub')) {
      go(e.args[0]!, n)
      go(e.args[1]!, e.op === 'add' ? n : -n)
    } else if (e.kind === 'op' && (e.op === 'neg' || e.op === 'copy')) go(e.args[0]!, e.op === 'neg' ? -n : n)
    else if (e.kind === 'const') put('', n * Number(e.value))
    else put(exprKey(e), n)
  }
  go(a, 1)
  go(b, -1)
  return out
}

const equal = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>, sign: 1 | -1): boolean =>
  a.size > 0 && a.size === b.size && [...a].every(([key, n]) => b.get(key) === sign * n)
