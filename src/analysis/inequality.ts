// Affine inequalities `f ≥ 0`: from conditions and back, and a sufficient proof from the loops around. Used to move
// guards to where values are loaded and to leave out those that always hold. Says "unknown" by `undefined`/`false`.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  op,
  sameAffine,
  sameExpr,
  symbolsOf,
  type Affine,
  type Expr,
  type Loop,
  type Symbols,
} from '../ir/index.ts'

/** The affine `f` with `condition ⇔ f ≥ 0`, for `<`, `≤`, `>`, `≥` of affine sides. */
export function inequalityOf(condition: Expr): Affine | undefined {
  if (condition.kind !== 'op') return undefined
  const [a, b] = condition.args.map(affineOf)
  if (!a || !b) return undefined
  switch (condition.op) {
    case 'lt':
      return addScaled(addScaled(b, a, -1), affineConstant(-1), 1)
    case 'le':
      return addScaled(b, a, -1)
    case 'gt':
      return addScaled(addScaled(a, b, -1), affineConstant(-1), 1)
    case 'ge':
      return addScaled(a, b, -1)
    default:
      return undefined
  }
}

/** As `inequalityOf`, also of a < floor(E / c) for E that is not negative: c (a + 1) ≤ E. */
export function inequalityOfQuotient(condition: Expr, signed: ReadonlySet<string>): Affine | undefined {
  const plain = inequalityOf(condition),
    by = condition.kind === 'op' && condition.op === 'lt' ? condition.args[1]! : undefined // it has two sides
  if (plain || condition.kind !== 'op' || by?.kind !== 'op' || by.op !== 'div') return plain
  const [a, over, c] = [condition.args[0]!, ...by.args].map(affineOf) // a side, and what is divided
  return a && over && c && c.terms.size === 0 && c.constant > 0 && holds(over, [], [], signed)
    ? addScaled(over, addScaled(a, affineConstant(1), 1), -c.constant)
    : undefined
}

/** `f ≥ 0` as a condition that reads well: positive terms on one side, negative ones on the other. */
export function conditionOf(f: Affine): Expr {
  const side = (sign: 1 | -1): Affine => ({
    constant: 0,
    terms: new Map([...f.terms].filter(([, c]) => c * sign > 0).map(([n, c]) => [n, c * sign])),
  })
  const more = side(1),
    less = side(-1)
  if (f.constant < 0)
    return op('lt', [affineExpr(addScaled(less, affineConstant(-f.constant - 1), 1)), affineExpr(more)])
  return op('le', [affineExpr(less), affineExpr(addScaled(more, affineConstant(f.constant), 1))])
}

/** What sizes and host variables of the program may be negative (offsets, say), as affine forms name them. */
export const signedSizeNames = (p: Symbols): ReadonlySet<string> =>
  new Set(symbolsOf(p).flatMap((s) => (s.min < 0 ? [`$${s.name}`] : [])))

/**
 * Whether `f ≥ 0` follows from one of `known` (each `≥ 0`), or from the bounds of `loops` and all sizes but those
 * that are `signed` being ≥ 0.
 */
export function holds(
  f: Affine,
  known: readonly Affine[],
  loops: readonly Loop[],
  signed: ReadonlySet<string>,
): boolean {
  if (known.some((k) => implies(k, f))) return true
  return lowest(f, loops, signed) >= 0
}

/** k ≥ 0 ⇒ f ≥ 0 because f − k is a constant ≥ 0. */
function implies(k: Affine, f: Affine): boolean {
  return f.constant >= k.constant && sameAffine({ constant: 0, terms: k.terms }, { constant: 0, terms: f.terms })
}

/**
 * A lower bound of `f` over the loops (−∞ when there is none): variables at their lower or upper ends, innermost first.
 */
function lowest(f: Affine, loops: readonly Loop[], signed: ReadonlySet<string>): number {
  const at = loops.findLastIndex((l) => (f.terms.get(l.name) ?? 0) !== 0),
    l = loops[at]
  if (!l)
    return [...f.terms].some(([name, c]) => !name.startsWith('$') || c < 0 || signed.has(name)) ? -Infinity : f.constant
  const c = f.terms.get(l.name)!,
    rest = addScaled(f, affineName(l.name), -c),
    outer = loops.slice(0, at) // it has the variable
  if (c > 0) {
    const first = affineOf(l.lower)
    return first ? lowest(addScaled(rest, first, c), outer, signed) : -Infinity
  }
  return Math.max(-Infinity, ...lasts(l, -c).map((last) => lowest(addScaled(rest, last, -1), outer, signed)))
}

/** Upper bounds of m × variable. Of a loop up to floor(E / f) where f divides m: f × (floor(E / f) − 1) ≤ E − f. */
function lasts(l: Loop, m: number): readonly Affine[] {
  const { upper } = l,
    by = upper.kind === 'op' && upper.op === 'div' ? affineOf(upper.args[1]!) : undefined
  if (upper.kind === 'op' && by && by.terms.size === 0 && by.constant > 0 && m % by.constant === 0) {
    return atMost(upper.args[0]!).map((e) =>
      addScaled(affineConstant(0), addScaled(e, affineConstant(-by.constant), 1), m / by.constant),
    )
  }
  return atMost(upper).map((e) => addScaled(affineConstant(0), addScaled(e, affineConstant(-1), 1), m))
}

/** Affine expressions that `e` does not exceed: of a minimum each of its arguments, of floor(x / c) · c x itself. */
function atMost(e: Expr): readonly Affine[] {
  const own = affineOf(e)
  if (own || e.kind !== 'op') return own ? [own] : []
  if (e.op === 'min') return e.args.flatMap(atMost)
  const [a, b] = e.args
  if (
    e.op === 'mul' &&
    a?.kind === 'op' &&
    a.op === 'div' &&
    b?.kind === 'const' &&
    sameExpr(a.args[1]!, b) &&
    Number(b.value) > 0
  )
    return atMost(a.args[0]!)
  const less = e.op === 'sub' && b ? affineOf(b) : undefined
  return less ? atMost(a!).map((x) => addScaled(x, less, -1)) : []
}
