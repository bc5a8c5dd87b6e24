// In: affine inequalities over some variables and sizes. Out: loops over exactly the integer points where all hold, in
// a given order of the variables. The one idea: Fourier–Motzkin elimination from the innermost variable outwards gives
// each loop bounds over those around it; what a bound cannot say stays as a guard. It decides no order.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  implies,
  type Affine,
  type Constraint,
  type Expr,
  type Loop,
} from '../ir/index.ts'
import { conditionOf } from './inequality.ts'

export interface LoopRange {
  readonly name: string
  /** First value. */
  readonly lower: Affine
  /** First value not taken. */
  readonly upper: Affine
}

export interface Projected {
  readonly loops: readonly LoopRange[]
  /** What must hold besides. */
  readonly guards: readonly Expr[]
}

/** Rows beyond this are not combined further. */
const mostRows = 60

/**
 * Loops over the points of `rows` (each `≥ 0`), `names` outermost first. `context`: what is known of everything else.
 * `tight`: how many of the outermost loops take no value, with the guards on them and on sizes, that leaves those
 * inside without a point; absent: none need to. `undefined` when a variable has no bound with coefficient 1 on some
 * side.
 */
export function loopsOver(
  names: readonly string[],
  rows: readonly Affine[],
  context: readonly Constraint[],
  tight?: number,
): Projected | undefined {
  const levels: (readonly Affine[])[] = []
  let current = rows
  for (let i = names.length - 1; i >= 0; i--) {
    levels[i] = current
    current = eliminated(current, names[i]!, context)
  }
  const original = new Set(rows)
  const loops: LoopRange[] = [],
    guards: Affine[] = []
  let known: readonly Constraint[] = [...context, ...current.map((form) => ({ form }))]
  for (const [i, name] of names.entries()) {
    const own = levels[i]!.filter((r) => coefficient(r, name) !== 0) // a list per name
    const lowers = needed(
        own.filter((r) => coefficient(r, name) > 0),
        known,
      ),
      uppers = needed(
        own.filter((r) => coefficient(r, name) < 0),
        known,
      )
    const low = chosen(lowers, name, 1),
      isShort = (r: Affine): boolean =>
        low !== undefined && implies(known, addScaled(affineConstant(mostShort), addScaled(r, low, 1), -1)),
      high = chosen(uppers, name, -1, isShort)
    if (!low || !high) return undefined
    loops.push({
      name,
      lower: addScaled(affineName(name), low, -1),
      upper: addScaled(addScaled(high, affineName(name), 1), affineConstant(1), 1),
    })
    guards.push(
      ...[...lowers, ...uppers].filter((r) => r !== low && r !== high && (i < (tight ?? 0) || original.has(r))),
    )
    known = [...known, ...own.map((form) => ({ form }))]
  }
  const kept: Constraint[] = [
    ...context,
    ...loops.flatMap(rowsOf).map((form) => ({ form })),
    ...guards.map((form) => ({ form })),
  ]
  for (const r of rows) {
    // what was left out may have followed only from itself
    if (implies(kept, r)) continue
    guards.push(r)
    kept.push({ form: r })
  }
  if (tight !== undefined) {
    // what is inside has a point where these hold: it says nothing of them itself
    const outside = (r: Affine): boolean => names.slice(tight).every((n) => coefficient(r, n) === 0)
    for (const r of current)
      if (
        !implies(
          [
            ...context,
            ...[...loops.slice(0, tight).flatMap(rowsOf), ...guards.filter(outside)].map((form) => ({ form })),
          ],
          r,
        )
      )
        guards.push(r)
  }
  return { loops, guards: guards.map(conditionOf) }
}

/** Its bounds, each ≥ 0. */
export const rowsOf = (r: LoopRange): readonly Affine[] => [
  addScaled(affineName(r.name), r.lower, -1),
  addScaled(addScaled(r.upper, affineName(r.name), -1), affineConstant(-1), 1),
]

/**
 * `outer` around `inner`, over the same points as the loops in the order in which they stand where `rows` (each ≥ 0)
 * hold: the outer ones have a point inside. `undefined` when a bound is not affine.
 */
export function interchanged(
  outer: readonly Loop[],
  inner: readonly Loop[],
  context: readonly Constraint[],
  more: readonly Affine[] = [],
):
  | { readonly parallel: readonly Loop[]; readonly inner: readonly Loop[]; readonly guards: readonly Expr[] }
  | undefined {
  const all = [...outer, ...inner]
  const rows = all.flatMap((l): readonly (Affine | undefined)[] => {
    const lower = affineOf(l.lower),
      upper = affineOf(l.upper)
    return [
      lower && addScaled(affineName(l.name), lower, -1),
      upper && addScaled(addScaled(upper, affineName(l.name), -1), affineConstant(-1), 1),
    ]
  })
  if (rows.includes(undefined)) return undefined
  const found = loopsOver(
    all.map((l) => l.name),
    [...(rows as readonly Affine[]), ...more],
    context,
    outer.length,
  ) // none is undefined
  if (!found) return undefined
  const loops = all.map(
    (l, i): Loop => ({ ...l, lower: affineExpr(found.loops[i]!.lower), upper: affineExpr(found.loops[i]!.upper) }),
  ) // a range per name
  return { parallel: loops.slice(0, outer.length), inner: loops.slice(outer.length), guards: found.guards }
}

/**
 * The values that `name` can have, as bounds over what `names` does not have; undefined when there are none with
 * coefficient 1.
 */
export function extentOfName(
  name: string,
  names: readonly string[],
  rows: readonly Affine[],
  context: readonly Constraint[],
): LoopRange | undefined {
  const left = names.reduce((r, n) => eliminated(r, n, context), rows)
  const found = loopsOver(
    [name],
    left.filter((r) => coefficient(r, name) !== 0),
    context,
  )
  return found?.loops[0]
}

/** Iterations of a loop that is short. */
const mostShort = 64

/**
 * Of bounds with coefficient ±1 the one over the fewest variables, then over the fewest sizes: those of sizes alone
 * make loops rectangular, those of none unroll. Of as many, one that `isShort`: tiles end where they end.
 */
function chosen(
  rows: readonly Affine[],
  name: string,
  sign: 1 | -1,
  isShort?: (r: Affine) => boolean,
): Affine | undefined {
  const variables = (r: Affine): number => [...r.terms.keys()].filter((n) => n !== name && !n.startsWith('$')).length
  const best = rows
    .filter((r) => coefficient(r, name) === sign)
    .sort((a, b) => variables(a) - variables(b) || a.terms.size - b.terms.size)
  const [first] = best
  if (!first) return undefined
  const likes = best.filter((r) => variables(r) === variables(first) && r.terms.size === first.terms.size)
  return (likes.length > 1 && isShort && likes.find(isShort)) || first
}

/** Without rows that follow from the others. */
function needed(rows: readonly Affine[], known: readonly Constraint[]): readonly Affine[] {
  let left = rows
  for (const r of rows) {
    const others = left.filter((x) => x !== r)
    if (others.length > 0 && implies([...known, ...others.map((form) => ({ form }))], r)) left = others
  }
  return left
}

/** The rows that the others leave when `name` takes any value. */
function eliminated(rows: readonly Affine[], name: string, context: readonly Constraint[]): readonly Affine[] {
  const lowers = rows.filter((r) => coefficient(r, name) > 0),
    uppers = rows.filter((r) => coefficient(r, name) < 0)
  const rest = rows.filter((r) => coefficient(r, name) === 0)
  const pairs = lowers.flatMap((l) =>
    uppers.map((u) => addScaled(addScaled(affineConstant(0), l, -coefficient(u, name)), u, coefficient(l, name))),
  )
  const fresh = pairs.filter((p) => p.terms.size > 0 && !implies([...context, ...rest.map((form) => ({ form }))], p))
  return [...rest, ...fresh].slice(0, mostRows)
}

/**
 * The numbers below `n` in circles of those that reach each other along `edges`, circles in an order that edges allow,
 * the first first.
 */
export function orderedComponents(
  n: number,
  edges: readonly { readonly from: number; readonly to: number }[],
): readonly (readonly number[])[] {
  const reach = Array.from({ length: n }, () => new Array<boolean>(n).fill(false))
  for (const e of edges) reach[e.from]![e.to] = true
  for (let m = 0; m < n; m++)
    for (let a = 0; a < n; a++) if (reach[a]![m]) for (let b = 0; b < n; b++) if (reach[m]![b]) reach[a]![b] = true
  const left = new Set(Array.from({ length: n }, (_, i) => i)),
    out: number[][] = []
  while (left.size > 0) {
    // what is left has a first circle
    const free = [...left].find((a) => [...left].every((b) => !reach[b]![a] || reach[a]![b]))!
    const circle = [...left].filter((b) => b === free || (reach[free]![b] && reach[b]![free]))
    circle.forEach((b) => left.delete(b))
    out.push(circle)
  }
  return out
}
