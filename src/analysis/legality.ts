// In: loops and a body. Out: why their iterations may not run in any order, or nothing when they may. The one idea: a
// quick and conservative test on what schedules produce (stores whose indices tell iterations apart, and reductions),
// and where it fails the exact dependence analysis.
import { knownDependences } from './dependences.ts'
import {
  addScaled,
  affineOf,
  affineConstant,
  affineName,
  coefficient,
  implies,
  joinedBounds,
  literal,
  sizeDomain,
  sizeOf,
  constantExtent,
  eachStmt,
  nest,
  ownExprs,
  eachExpr,
  eachExprIn,
  sameExpr,
  substituteStmt,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Size,
  type Store,
  type HostVariable,
} from '../ir/index.ts'
import { inequalityOf } from './inequality.ts'

/**
 * `undefined` when every order of the iterations of `loops` gives the same result, else a reason in words. `known`: the
 * program's sizes and host variables.
 */
export function orderFree(
  loops: readonly Loop[],
  body: readonly LoopStmt[],
  known: readonly (Size | HostVariable)[] = [],
): string | undefined {
  const stores: { store: Store; inner: readonly Loop[] }[] = []
  const declared = new Set<string>()
  eachStmt(body, (s, around) => {
    if (s.kind === 'store') stores.push({ store: s, inner: around })
    if (s.kind === 'declare') declared.add(s.array.name)
  })
  for (const { store } of stores) {
    if (declared.has(store.array)) continue
    const why = storeProblem(
      store,
      loops,
      body,
      stores.map((x) => x.store),
    )
    if (why) return carriesNothing(loops, body, known) ? undefined : why
  }
  return undefined
}

/** The exact test, for what the quick one cannot tell: no dependence but of reductions is carried by one of `loops`. */
function carriesNothing(
  loops: readonly Loop[],
  body: readonly LoopStmt[],
  known: readonly (Size | HostVariable)[],
): boolean {
  const found = knownDependences(closed(nest(loops, body), known))
  return found?.every((d) => d.reduction || d.level === null || d.level >= loops.length) ?? false
}

/** A program of `body` alone: variables of the loops outside become sizes, of any sign. */
function closed(body: readonly LoopStmt[], known: readonly (Size | HostVariable)[]): Program {
  const sizes = new Set<string>(),
    outside = new Map<string, Expr>()
  eachStmt(body, (s, around) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'size') sizes.add(x.name)
        if (x.kind === 'var' && !around.some((l) => l.name === x.name)) outside.set(x.name, sizeOf(`outside_${x.name}`))
      }),
    ),
  )
  const params = [
    ...[...sizes].map(
      (name): Size => ({ kind: 'given', name, min: known.find((s) => s.name === name)?.min ?? 0, planned: 1 }),
    ),
    ...[...outside.keys()].map((n): Size => ({ kind: 'given', name: `outside_${n}`, min: -(2 ** 31), planned: 1 })),
  ]
  const inside = body.map((s) => substituteStmt(s, outside))
  return { name: 'closed', sizes: params, hostVariables: [], scalars: [], arrays: [], body: inside }
}

function storeProblem(
  store: Store,
  loops: readonly Loop[],
  body: readonly LoopStmt[],
  all: readonly Store[],
): string | undefined {
  const others = all.filter((s) => s !== store && s.array === store.array)
  const reads = readsOf(body, store.array)
  const sameElement = (index: readonly Expr[]): boolean =>
    index.length === store.index.length && index.every((e, i) => sameExpr(e, store.index[i]!))
  if (store.reduce) {
    if (reads.length > 0) return `'${store.array}' is read while it is being reduced`
    return others.every((o) => o.reduce === store.reduce) ? undefined : `'${store.array}' is written in two ways`
  }
  if (!reads.every(sameElement) || !others.every((o) => sameElement(o.index)))
    return `'${store.array}' is also used at other elements`
  return injective(store.index, loops) ? undefined : `iterations write the same element of '${store.array}'`
}

function readsOf(body: readonly LoopStmt[], array: string): readonly (readonly Expr[])[] {
  const out: (readonly Expr[])[] = []
  eachExprIn(body, (x) => {
    if (x.kind === 'read' && x.array === array) out.push(x.index)
  })
  return out
}

/**
 * Whether different iterations of `loops` give different index tuples. Each loop must be settled by some dimension:
 * dimension by dimension, a mixed-radix argument: sorted by coefficient, each exceeds the reach of the smaller ones.
 */
export function injective(index: readonly Expr[], loops: readonly Loop[]): boolean {
  const open = new Map(loops.map((l) => [l.name, l]))
  for (const e of index) {
    const a = affineOf(e)
    if (!a) continue
    for (const name of settled(a, open)) open.delete(name)
  }
  return open.size === 0
}

function settled(a: Affine, open: ReadonlyMap<string, Loop>): readonly string[] {
  const terms = [...open.values()]
    .map((l) => ({ l, c: Math.abs(coefficient(a, l.name)) * l.step }))
    .filter((t) => t.c > 0)
    .sort((x, y) => x.c - y.c)
  let reach = 0
  for (const [i, { l, c }] of terms.entries()) {
    if (c <= reach) return []
    const extent = constantExtent(l)
    if (extent === undefined && i < terms.length - 1) return []
    reach += c * ((extent ?? 1) - 1)
  }
  return terms.map((t) => t.l.name)
}

/**
 * Whether `index` is inside of an array of constant extents for all iterations of `loops`, whatever guards stand in
 * between.
 */
export function alwaysInside(shape: readonly Expr[], index: readonly Expr[], loops: readonly Loop[]): boolean {
  return index.every((e, d) => {
    const a = affineOf(e),
      extent = literal(shape[d]!)
    const range = a && innerRange(a, loops)
    if (!range || extent === undefined) return false
    const rest = addScaled(a, range.inner, -1)
    return rest.terms.size === 0 && rest.constant + range.low >= 0 && rest.constant + range.high < extent
  })
}

/**
 * Smallest and largest value of the part of `a` that `loops` (constant extents, from 0, step 1) contribute; `undefined`
 * if one is not constant.
 */
export function innerRange(
  a: Affine,
  loops: readonly Loop[],
): { readonly inner: Affine; readonly low: number; readonly high: number } | undefined {
  let inner = affineConstant(0)
  let low = 0,
    high = 0
  for (const l of loops) {
    const c = coefficient(a, l.name)
    if (c === 0) continue
    const extent = constantExtent(l)
    const first = affineOf(l.lower)
    if (extent === undefined || !first || first.terms.size > 0) return undefined
    const ends = [c * first.constant, c * (first.constant + (extent - 1) * l.step)]
    low += Math.min(...ends)
    high += Math.max(...ends)
    inner = addScaled(inner, { constant: 0, terms: new Map([[l.name, 1]]) }, c)
  }
  return { inner, low, high }
}

/**
 * Whether the element is in its array wherever the parallel loops go, also where a sum has no terms. What is not linear
 * is taken to be.
 */
export function isThere(
  program: Program,
  array: ArrayDecl,
  index: readonly Expr[],
  parallel: readonly Loop[],
  guards: readonly Expr[],
): boolean {
  const rows = [
    ...parallel.flatMap((l) => {
      const at = affineName(l.name)
      return [
        ...joinedBounds(l.lower, 'max').map((f) => addScaled(at, f, -1)),
        ...joinedBounds(l.upper, 'min').map((f) => addScaled(addScaled(f, at, -1), affineConstant(-1), 1)),
      ]
    }),
    ...guards.flatMap((g) => inequalityOf(g) ?? []),
  ]
  const known = [...sizeDomain(program).constraints, ...rows.map((form) => ({ form }))]
  return index.every((e, d) => {
    const at = affineOf(e),
      extent = affineOf(array.shape[d]!)
    return (
      !at ||
      !extent ||
      (implies(known, at) && implies(known, addScaled(addScaled(extent, at, -1), affineConstant(-1), 1)))
    )
  })
}

/**
 * Whether a subscript that `loops` do not move differs by a constant: whatever their iterations store at `stored`,
 * nothing at `read` is of it.
 */
export function isApart(read: readonly Expr[], stored: readonly Expr[], loops: readonly Loop[]): boolean {
  return read.some((e, i) => {
    const from = affineOf(stored[i]!),
      to = affineOf(e),
      by = from && to && addScaled(to, from, -1) // as many subscripts as dimensions
    return by !== undefined && by.terms.size === 0 && by.constant !== 0 && !loops.some((l) => from!.terms.has(l.name))
  })
}
