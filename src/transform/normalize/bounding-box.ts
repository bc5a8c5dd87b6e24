// In: a nest. Out: the same with parallel loops that count from 0 to bounds that use sizes alone. The one idea: what a
// bound said beyond its extreme over the loops before it is a guard; loops that only step backwards through memory are
// turned around.
import {
  mapNestExprs,
  add as addExpr,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  int,
  literal,
  loopVar,
  op,
  sameAffine,
  sub as subExpr,
  type Affine,
  type Expr,
  type Loop,
  type Nest,
  conjunction,
  eachExpr,
  hasOnlySizes,
  joinedBounds,
  readsArray,
  substitute,
  varsOf,
} from '../../ir/index.ts'

/**
 * The nest with parallel loops that count from 0 in steps of 1 to bounds that use sizes alone; what the bounds said
 * beyond that becomes a guard. `undefined` when a bound is not affine.
 */
export function rectangular(given: Nest): Nest | undefined {
  const part = forward(given)
  const guards: Expr[] = part.guard ? [part.guard] : []
  const by = new Map<string, Expr>()
  const loops: Loop[] = []
  const ranges = new Map<string, { low: Affine; high: Affine }>()
  for (const l of part.parallel) {
    const lower = leastOf(l.lower),
      upper = affineOf(l.upper),
      isChosen = !affineOf(l.lower)
    const low = lower && extreme(lower, ranges, 'low'),
      high = upper && extreme(upper, ranges, 'high')
    if (low && !upper && varsOf(l.upper).size === 0 && !readsArray(l.upper)) {
      // the least of some sizes: for loops that use the variable any of them bounds it, best a number
      const ends = joinedBounds(l.upper, 'min').filter(hasOnlySizes),
        end = ends.find((e) => e.terms.size === 0) ?? ends[0]
      if (end) ranges.set(l.name, { low, high: addScaled(end, affineConstant(-1), 1) })
      if (isChosen || !sameAffine(low, lower)) guards.push(op('ge', [loopVar(l.name), l.lower]))
      const first = affineExpr(low)
      if (literal(first) !== 0) by.set(l.name, addExpr(loopVar(l.name), first))
      loops.push({ ...l, lower: int(0), upper: subExpr(l.upper, first) })
      continue
    }
    if (!lower || !upper || !low || !high) return undefined
    ranges.set(l.name, { low, high: addScaled(high, affineConstant(-1), 1) })
    if (isChosen || !sameAffine(low, lower)) guards.push(op('ge', [loopVar(l.name), l.lower]))
    if (!sameAffine(high, upper)) guards.push(op('lt', [loopVar(l.name), l.upper]))
    const first = affineExpr(low)
    if (literal(first) !== 0) by.set(l.name, addExpr(loopVar(l.name), first))
    loops.push({ ...l, lower: int(0), upper: affineExpr(addScaled(high, low, -1)) })
  }
  const f = (e: Expr): Expr => substitute(e, by)
  return { ...mapNestExprs(part, f), parallel: loops, guard: conjunction(guards.map(f)) }
}

/** The bound, or the least value of a choice between some that differ by numbers: `i % 2 ? 1 : 0` is at least 0. */
function leastOf(e: Expr): Affine | undefined {
  const form = affineOf(e)
  if (form || e.kind !== 'op' || (e.op !== 'select' && e.op !== 'min' && e.op !== 'max')) return form
  const ends = (e.op === 'select' ? e.args.slice(1) : e.args).map(leastOf)
  return ends.reduce((a, b) => {
    const by = a && b && addScaled(a, b, -1)
    if (!by || by.terms.size > 0) return undefined
    return by.constant > 0 === (e.op === 'max') ? a : b
  })
}

/** The least or greatest value of a bound over the loops before it. */
function extreme(
  a: Affine,
  ranges: ReadonlyMap<string, { low: Affine; high: Affine }>,
  side: 'low' | 'high',
): Affine | undefined {
  let out: Affine = { constant: a.constant, terms: new Map() }
  for (const [name, c] of a.terms) {
    const range = ranges.get(name)
    if (!range && !name.startsWith('$')) return undefined
    const end = range ? (c > 0 === (side === 'high') ? range.high : range.low) : affineName(name)
    out = addScaled(out, end, c)
  }
  return out
}

/** Loops that only step backwards through memory are turned around; their order is free. */
function forward(part: Nest): Nest {
  const loops = [...part.parallel, ...(part.reduction?.loops ?? [])]
  const by = new Map<string, Expr>()
  for (const l of loops) {
    // bounds of inner loops may use outer ones, which are turned around as well
    if (l.step === 1 && affineOf(l.lower) && affineOf(l.upper) && backwards(part, l))
      by.set(l.name, subExpr(substitute(addExpr(l.lower, addExpr(l.upper, int(-1))), by), loopVar(l.name)))
  }
  if (by.size === 0) return part
  return mapNestExprs(part, (e) => substitute(e, by))
}

function backwards(part: Nest, l: Loop): boolean {
  const steps: number[] = []
  const see = (index: readonly Expr[]): void => {
    const last = index[index.length - 1]
    const a = last && affineOf(last)
    if (a) steps.push(a.terms.get(l.name) ?? 0)
  }
  const collect = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') see(x.index)
    })
  see(part.out.index)
  collect(part.out.value)
  if (part.reduction) collect(part.reduction.value)
  return steps.some((s) => s < 0) && !steps.some((s) => s > 0)
}
