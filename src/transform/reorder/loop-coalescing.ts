// In: regions. Out: the same, where each nest (or list of nests over the same loops) that can be said over fewer loops
// has a `flat` twin: two loops whose variables index neighbouring dimensions of everything that uses them are one loop
// over both, and the arrays are seen with these dimensions as one. The one idea: `a[i][j]` with all of j is element i·m
// + j of a row; short rows become long ones, and batches of rows one matrix. Sums over whole rows of rows are sums over
// one row, too.
import { type RegionContext, regionsWithKernels, mapRegions, withRegions } from '../fusion/adjacent-fusion.ts'
import {
  loopsOfNest,
  childrenOf,
  add,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  div,
  int,
  literal,
  loopVar,
  mul,
  op,
  substitute,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Flat,
  type Nest,
  type Region,
  type Scatter,
  type Store,
  claimName,
  rewriteExpr,
  namesOf,
  uses,
  varsOf,
  type Read,
  pass,
  type Regions,
} from '../../ir/index.ts'
import { canonicalNest } from '../normalize/rebase.ts'
import { sameIndexForm } from '../../analysis/index.ts'
import type { SizeProducts } from '../normalize/size-linearization.ts'
import { computedIn, readsElsewhere } from '../expansion/input-copy.ts'
import { loopName } from '../normalize/alpha-renaming.ts'
import { countingOf, type Times } from './fused-index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array x: f32[n, m] in global
//     array a: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         a[i, j] = x[i, j] * 2.0f
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     size m_by_n = 64 min 1 derived
//     array x: f32[n, m] in global
//     array a: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         a[i, j] = x[i, j] * 2.0f
//       }
//     }
//     // over fewer loops: for i_j in 0 .. m_by_n {
//     // over fewer loops:   a[i_j] = x[i_j] * 2.0f
//     // over fewer loops: }
//   }
export const loopCoalescing = pass<Regions, RegionContext>({
  name: 'loop-coalescing',
  summary: 'nests over neighbouring dimensions get a twin over one loop for both, which schedules may take',
  of: regionsWithKernels,
  run: (given, { sizes }) => {
    const regions = withFlat(given.program, given.regions, sizes),
      program = sizes.withAll(given.program)
    return program === given.program ? withRegions(given, regions) : { program, regions }
  },
})

type Shapes = Flat['shapes']

type ShapeOf = (array: string) => readonly Expr[] | undefined

/** `times`: of two linear forms of sizes. `upTo`: of the extents of two loops. */
interface Products {
  readonly times: Times
  readonly upTo: Times
}

/** `regions` with flat twins of nests, also inside of loops of the host. `made` gives sizes for products of extents. */
export function withFlat(program: Program, regions: readonly Region[], made: SizeProducts): readonly Region[] {
  made.avoid(program)
  const times = productWith(made.times),
    products = { times, upTo: countingOf(program, times) }
  return mapRegions(regions, (r): Region => {
    if (r.kind === 'idiom' && r.form.kind === 'scatter') {
      const flat = flatScatter(program, r.form, products)
      return flat ? { ...r, form: { ...r.form, flat } } : r
    }
    const form =
      r.kind === 'idiom' && (r.form.kind === 'maps' || r.form.kind === 'rows' || r.form.kind === 'sums')
        ? r.form
        : undefined
    const nests = form?.nests ?? (r.kind === 'nest' && !r.before ? [canonicalNest(program, r)] : []),
      flat = flatOf(program, nests, products, form?.kind === 'rows' ? form.rows : Infinity)
    if (!flat || r.kind === 'serial') return r
    return r.kind === 'nest' ? { ...r, flat } : { ...r, form: { ...form!, flat } } // idioms with nests have such forms
  })
}

/**
 * `undefined` where no two loops can be one. `common`: of so many parallel ones, when the nests have not all alike; of
 * those of sums in any case.
 */
function flatOf(
  program: Program,
  given: readonly (Nest | undefined)[],
  products: Products,
  common: number,
): Flat | undefined {
  const nests = given.flatMap((n) => n ?? []),
    [head] = nests
  if (!head || nests.length < given.length || nests.some(readsElsewhere)) return undefined
  const arrays = new Map(program.arrays.map((a) => [a.name, a.shape]))
  const taken = namesOf(program)
  nests.forEach((n) => loopsOfNest(n).forEach((l) => taken.add(l.name)))
  let flat: Flat = { nests, shapes: {} }
  for (
    let next: Flat | undefined = flat;
    next;
    next = step(next, common - (head.parallel.length - flat.nests[0]!.parallel.length), arrays, taken, products)
  )
    flat = next // as many nests
  return flat.nests === nests ? undefined : flat
}

/** A scatter over fewer loops: as nests, one for each number that an iteration computes. */
function flatScatter(program: Program, form: Scatter, products: Products): Scatter['flat'] {
  const { loops, guard, store } = form
  if (loops.length < 2) return undefined
  const none: ArrayDecl = { name: '', type: 'i32', shape: [], role: 'temp', space: 'private' }
  const nests = [store.value, ...store.index].map(
    (value): Nest => ({
      kind: 'nest',
      parallel: loops,
      guard,
      reduction: undefined,
      out: { array: none, index: [], value },
    }),
  )
  const flat = flatOf(program, nests, products, Infinity),
    [head, ...places] = flat?.nests ?? []
  if (!flat || !head) return undefined
  const to: Store = { ...store, value: head.out.value, index: places.map((n) => n.out.value) }
  return { form: { ...form, loops: head.parallel, guard: head.guard, store: to }, shapes: flat.shapes }
}

/** Products with constants need no sizes of their own. */
const productWith =
  (times: Times): Times =>
  (x, y) =>
    literal(x) !== undefined || literal(y) !== undefined ? linear(mul(x, y)) : times(x, y)

function linear(e: Expr): Expr | undefined {
  const a = affineOf(e)
  return a && affineExpr(a)
}

/** Two loops fewer, one more. */
function step(
  flat: Flat,
  common: number,
  arrays: ReadonlyMap<string, readonly Expr[]>,
  taken: Set<string>,
  { times, upTo }: Products,
): Flat | undefined {
  const head = flat.nests[0]!,
    shapeOf: ShapeOf = (name) => flat.shapes[name] ?? arrays.get(name) // there is one
  for (const group of [head.parallel.slice(0, common), head.reduction?.loops ?? []]) {
    for (const outer of group) {
      for (const inner of group) {
        const pair = outer !== inner ? pairOf(flat.nests, outer, inner, shapeOf, upTo) : undefined
        const made =
          pair && merged(flat, pair, shapeOf, claimName(taken, loopName(`${outer.name}_${inner.name}`)), times)
        if (made) return made
      }
    }
  }
  return inDigits(flat, common, taken)
}

/** Iterations of an inner loop below which threads along it would idle: lanes of a warp. */
const shortInner = 32

/**
 * Two parallel loops as one where all that is stored lies at `c · (extent · outer + inner) + …`, though other uses of
 * the two are their own: there they are the quotient and the remainder of the one, its digits. For single elements
 * only, and where the inner loop is short.
 */
function inDigits(flat: Flat, common: number, taken: Set<string>): Flat | undefined {
  const { nests } = flat,
    loops = nests[0]!.parallel.slice(0, common)
  if (nests.some((n) => n.reduction)) return undefined
  for (const outer of loops)
    for (const inner of loops) {
      const extent = outer === inner ? undefined : literal(inner.upper)
      if (extent === undefined || extent < 2 || extent >= shortInner) continue
      if (![outer, inner].every((l) => literal(l.lower) === 0 && l.step === 1 && overSizes(l.upper))) continue
      const upper = linear(mul(outer.upper, int(extent)))
      if (!upper || nests.some((n) => !storesAtDigits(n, outer, inner))) continue
      const name = claimName(taken, loopName(`${outer.name}_${inner.name}`))
      return { ...flat, nests: nests.map((n) => withDigits(n, outer, inner, extent, { ...outer, name, upper })) }
    }
  return undefined
}

/** Whether the loops choose where the nest stores as one loop over both would, and bound no other loop. */
function storesAtDigits(n: Nest, outer: Loop, inner: Loop): boolean {
  return (
    placeOf(n.out.index, outer, inner, inner.upper)?.same === true &&
    n.parallel.every((l) => ![l.lower, l.upper].some((e) => uses(e, outer.name) || uses(e, inner.name)))
  )
}

function withDigits(n: Nest, outer: Loop, inner: Loop, extent: number, both: Loop): Nest {
  const at = loopVar(both.name),
    pair: Pair = { outer, inner, upper: both.upper, extent: inner.upper, at: new Map() },
    digits = new Map<string, Expr>([
      [outer.name, div(at, extent)],
      [inner.name, op('rem', [at, int(extent)])],
    ])
  const f = (e: Expr): Expr => substitute(e, digits),
    index = n.out.index.map((e) => (uses(e, outer.name) ? together(e, pair, both.name) : e))
  return {
    ...n,
    parallel: n.parallel.flatMap((l) => (l.name === outer.name ? [] : l.name === inner.name ? [both] : [l])),
    guard: n.guard && f(n.guard),
    out: { ...n.out, index, value: f(n.out.value) },
  }
}

interface Pair {
  readonly outer: Loop
  readonly inner: Loop
  readonly upper: Expr
  /** Iterations of the inner loop. */
  readonly extent: Expr
  /** By array. */
  readonly at: ReadonlyMap<string, Place>
}

/**
 * The dimension that the outer loop indexes; the inner loop indexes the next, or the same, where their subscript is one
 * already (`3 u + v`, v below 3).
 */
interface Place {
  readonly d: number
  readonly same: boolean
}

/** Constant windows stay as they are: schedules write them out. */
const window = 81

/** The pair, if everything that uses one of the two loops is an array that both index as one would. */
function pairOf(nests: readonly Nest[], outer: Loop, inner: Loop, shapeOf: ShapeOf, upTo: Times): Pair | undefined {
  const extents = [outer, inner].map((l) =>
    literal(l.lower) === 0 && l.step === 1 && overSizes(l.upper) ? l.upper : undefined,
  )
  const [first, extent] = extents
  if (
    !first ||
    !extent ||
    nests.some((n) =>
      loopsOfNest(n).some((l) => [l.lower, l.upper].some((e) => uses(e, outer.name) || uses(e, inner.name))),
    )
  )
    return undefined
  if (
    nests[0]!.reduction?.loops.includes(outer) &&
    nests[0]!.reduction.loops.reduce((n, l) => n * Number(literal(l.upper) ?? Infinity), 1) <= window
  )
    return undefined
  const at = new Map<string, Place>()
  const place = (array: string, index: readonly Expr[]): boolean => {
    const found = placeOf(index, outer, inner, extent),
      known = at.get(array) ?? found,
      shape = shapeOf(array)
    if (
      !found ||
      !shape ||
      known!.d !== found.d ||
      known!.same !== found.same ||
      !(found.same || sameIndexForm(shape[found.d + 1]!, extent))
    )
      return false // known, or found
    at.set(array, found)
    return true
  }
  const fits = (e: Expr): boolean => {
    if (e.kind === 'var') return e.name !== outer.name && e.name !== inner.name
    if (e.kind !== 'read' || !e.index.some((i) => uses(i, outer.name) || uses(i, inner.name)))
      return childrenOf(e).every(fits)
    return place(e.array, e.index)
  }
  // where it stores, as if it read
  const stored = (n: Nest): boolean => fits({ kind: 'read', type: 'i32', array: n.out.array.name, index: n.out.index })
  if (!nests.every((n) => computedIn(n).every(fits) && stored(n))) return undefined
  const upper = upTo(first, extent) // a size of its own, which nothing else should leave behind
  return upper && { outer, inner, upper, extent, at }
}

const overSizes = (e: Expr): boolean => affineOf(e) !== undefined && varsOf(e).size === 0

/**
 * The dimension with `outer + …` where the next is `inner` alone, or with `c · (extent · outer + inner) + …`, if no
 * other uses either.
 */
function placeOf(index: readonly Expr[], outer: Loop, inner: Loop, extent: Expr): Place | undefined {
  const d = index.findIndex((e) => uses(e, outer.name)),
    a = index[d] && affineOf(index[d]),
    next = index[d + 1]
  if (!a) return undefined
  const [far, near] = [coefficient(a, outer.name), coefficient(a, inner.name)],
    same = near !== 0 && far === near * Number(literal(extent) ?? 0)
  if (!same && (far !== 1 || near !== 0 || next?.kind !== 'var' || next.name !== inner.name)) return undefined
  return index.some((e, n) => n !== d && (same || n !== d + 1) && (uses(e, outer.name) || uses(e, inner.name)))
    ? undefined
    : { d, same }
}

/** The nest over the loop `name` in place of both; `undefined` where another subscript would not stay linear. */
function merged({ nests, shapes }: Flat, p: Pair, shapeOf: ShapeOf, name: string, times: Times): Flat | undefined {
  let linearly = true
  const index = (array: string, given: readonly Expr[]): readonly Expr[] => {
    const place = p.at.get(array)
    if (!place) return given
    const { d, same } = place
    if (same) return given.map((e, n) => (n === d ? together(e, p, name) : e))
    const one = joined(given[d]!, given[d + 1]!, p, name, times)
    if (!one) linearly = false
    return [...given.slice(0, d), one ?? given[d]!, ...given.slice(d + 2)]
  }
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x): Read | undefined =>
      x.kind === 'read' && p.at.has(x.array) ? { ...x, index: index(x.array, x.index) } : undefined,
    )
  const both: Loop = { ...p.outer, name, upper: p.upper }
  const loops = (list: readonly Loop[]): readonly Loop[] =>
    list.flatMap((l) => (l.name === p.outer.name ? [] : l.name === p.inner.name ? [both] : [l]))
  const shape: Record<string, readonly Expr[]> = { ...shapes }
  for (const [array, { d, same }] of p.at) {
    if (same) continue
    const old = shapeOf(array)!,
      one = times(old[d]!, p.extent) // it was asked before
    if (!one) return undefined
    shape[array] = [...old.slice(0, d), one, ...old.slice(d + 2)]
  }
  const next = nests.map((nest): Nest => {
    const { reduction: r, out } = nest
    return {
      ...nest,
      parallel: loops(nest.parallel),
      guard: nest.guard && f(nest.guard),
      reduction: r && { ...r, loops: loops(r.loops), guard: r.guard && f(r.guard), init: f(r.init), value: f(r.value) },
      out: {
        array: shape[out.array.name] ? { ...out.array, shape: shape[out.array.name]! } : out.array,
        index: index(out.array.name, out.index),
        value: f(out.value),
      },
    }
  })
  return linearly ? { nests: next, shapes: shape } : undefined
}

/** `(outer + rest, inner)` as one subscript, or that of two others. */
function joined(first: Expr, second: Expr, p: Pair, name: string, times: Times): Expr | undefined {
  const a = affineOf(first)
  if (!a) return undefined
  const own = coefficient(a, p.outer.name) === 1
  const rest = own ? addScaled(a, affineName(p.outer.name), -1) : a
  const many =
    [...rest.terms.keys()].some((n) => !n.startsWith('$')) && literal(p.extent) === undefined
      ? undefined
      : times(affineExpr(rest), p.extent)
  if (!many) return undefined
  return own ? add(loopVar(name), many) : linear(add(many, second))
}

/** A subscript that says both loops as one, with that one. */
function together(e: Expr, { outer, inner }: Pair, name: string): Expr {
  const a = affineOf(e)!,
    c = coefficient(a, inner.name) // linear: it was asked before
  return affineExpr(
    addScaled(
      addScaled(addScaled(a, affineName(outer.name), -coefficient(a, outer.name)), affineName(inner.name), -c),
      affineName(name),
      c,
    ),
  )
}

/** The program as the nest sees it. */
export const seenFlat = (program: Program, { shapes, computed = [] }: Flat): Program => ({
  ...program,
  arrays: [...withShapes(program.arrays, shapes), ...computed.map((c) => c.array)],
})

/** Arrays with other extents. */
export const withShapes = <A extends { readonly name: string; readonly shape: readonly Expr[] }>(
  arrays: readonly A[],
  shapes: Shapes,
): readonly A[] => arrays.map((a) => (Object.hasOwn(shapes, a.name) ? { ...a, shape: shapes[a.name]! } : a))
