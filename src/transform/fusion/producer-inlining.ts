// In: the regions of a program. Out: the same, where elements of temporaries that are computed from a few others are
// computed where they are read, and never stored. The one idea is producer inlining (Halide's `compute_inline`,
// Ragan-Kelley et al. 2013; array forward substitution): a temporary is a function of its subscripts, given piece by
// piece by the nests that fill it. It asks that nothing which the elements are made of changes before they are read,
// that no read is of an element which nobody wrote, and that elements read several times are cheap.
import {
  accesses,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  bodyOf,
  choose,
  coefficient,
  conjunction,
  disjuncts,
  eachExpr,
  exprKey,
  hasOnlySizes,
  implies,
  mapNestExprs,
  nestProgram,
  op,
  pass,
  plus,
  readsIn,
  registerType,
  rewriteExpr,
  storedIn,
  sub,
  substitute,
  uses,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Nest,
  type Program,
  type Region,
  type Regions,
} from '../../ir/index.ts'
import { conditionOf, hasExposedReads, plannedBound, pointsOf, readsOf } from '../../analysis/index.ts'
import { regionsWithKernels, withBody, withRegions, type RegionContext } from './adjacent-fusion.ts'

// Before:
//
//   program p {
//     size n = 8 min 2
//     array x: f32[n] in global
//     array y: f32[n] out global
//     array t: f32[n + 1] temp global
//     t[0] = x[0]
//     for i in 0 .. n {
//       t[i + 1] = x[i] * 2.0f
//     }
//     for i in 0 .. n {
//       y[i] = t[i] + t[i + 1]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 2
//     array x: f32[n] in global
//     array y: f32[n] out global
//     array t: f32[n + 1] temp global
//     for i in 0 .. n {
//       y[i] = (0 < i ? x[i - 1] * 2.0f : x[0]) + x[i] * 2.0f
//     }
//   }
export const producerInlining = pass<Regions, RegionContext>({
  name: 'producer-inlining',
  summary: 'elements of temporaries that are cheap to compute are computed where they are read',
  needs: ['affine implication', 'exposed reads'],
  of: regionsWithKernels,
  run: (given) => withRegions(given, inlined(given.program, given.regions, given.regions)),
})

/** Storage arrays that every device of WebGPU binds for one kernel. */
const mostArrays = 8
/** Loads and operations for an element of a temporary, all times together that it is read. */
const mostLoads = 12,
  mostOperations = 64
/** Pieces of a temporary. */
const mostPieces = 4

/** `regions`, a list of `all` or of a host loop in it, without temporaries that can be computed where they are read. */
function inlined(program: Program, regions: readonly Region[], all: readonly Region[]): readonly Region[] {
  let current: readonly Region[] = regions.map((r) =>
    r.kind === 'host' ? withBody(r, inlined(program, r.body, all)) : r,
  )
  for (const array of program.arrays) {
    if (array.role !== 'temp' || array.shape.length === 0 || registerType(array.type) !== array.type) continue
    const mentions = (list: readonly Region[]): number => list.filter((r) => isMentioned(program, r, array.name)).length
    if (mentions(flattened(all)) === mentions(flattened(current))) current = withoutArray(program, current, array)
  }
  return current.length === regions.length && current.every((r, i) => r === regions[i]) ? regions : current
}

/** Regions that are no host loops. */
const flattened = (list: readonly Region[]): readonly Region[] =>
  list.flatMap((r) => (r.kind === 'host' ? flattened(r.body) : [r]))

const isMentioned = (program: Program, r: Region, name: string): boolean => {
  const body = bodyOf(program, r)
  return storedIn(body).includes(name) || readsIn(body).some((x) => x.array === name)
}

/** The elements `place` of the temporary are `value`, for all values of the loops of a nest. */
interface Piece {
  readonly nest: Nest
  /** For each dimension its loop's variable and what is added to that or to its negative, or the one element. */
  readonly dimensions: readonly Dimension[]
}

interface Dimension {
  readonly offset: Affine
  readonly loop?: { readonly name: string; readonly sign: 1 | -1; readonly first: Affine; readonly end: Affine }
}

function withoutArray(program: Program, regions: readonly Region[], array: ArrayDecl): readonly Region[] {
  const users = regions.flatMap((r, i) => (isMentioned(program, r, array.name) ? [i] : [])),
    nests = users.flatMap((i) => (regions[i]!.kind === 'nest' ? [regions[i] as Nest] : [])) // asked right here
  const producers = nests.filter((n) => n.out.array.name === array.name),
    consumers = nests.slice(producers.length)
  if (nests.length !== users.length || producers.length === 0 || consumers.length === 0) return regions
  if (producers.length > mostPieces || !producers.every((n, i) => n === nests[i])) return regions
  const pieces = producers.map((n) => pieceOf(n, array.name))
  if (!pieces.every((p) => p !== undefined)) return regions
  const [from, to] = [users[0]!, users.at(-1)!],
    changed = new Set(regions.slice(from, to + 1).flatMap((r) => storedIn(bodyOf(program, r)))),
    isKept = producers.every((n) => readsOf([n.out.value]).every((r) => !changed.has(r.array)))
  const body = nests.flatMap((n) => nestProgram(program, n).body),
    own = accesses({ ...program, body }).filter((a) => a.array === array.name)
  if (!isKept || !isCheap(program, array, producers, consumers) || hasExposedReads(array, own, 0)) return regions
  const made = new Map(consumers.map((n) => [n, withPieces(program, n, array, pieces)]))
  if ([...made.values()].some((n) => arraysOf(program, n) > mostArrays)) return regions
  return regions.flatMap((r): readonly Region[] =>
    r.kind !== 'nest' ? [r] : producers.includes(r) ? [] : [made.get(r) ?? r],
  )
}

function arraysOf(program: Program, n: Nest): number {
  const { body } = nestProgram(program, n),
    global = new Set(program.arrays.map((a) => a.name))
  return new Set([...storedIn(body), ...readsIn(body).map((r) => r.array)].filter((name) => global.has(name))).size
}

/** What the nest computes as a function of the subscripts; undefined where these do not say its iteration. */
function pieceOf(nest: Nest, name: string): Piece | undefined {
  const { parallel, out } = nest,
    names = new Set(parallel.map((l) => l.name)),
    taken = new Set<string>()
  if (nest.guard || nest.reduction || nest.before || readsOf([out.value]).some((r) => r.array === name))
    return undefined
  if (out.value.type !== out.array.type) return undefined
  const dimensions = out.index.map((e): Dimension | undefined => {
    const f = affineOf(e),
      [variable, more] = f ? [...f.terms].filter(([n]) => names.has(n)) : []
    if (!f || more || (!variable && !hasOnlySizes(f))) return undefined
    if (!variable) return { offset: f }
    const [loop, c] = variable,
      range = parallel.find((l) => l.name === loop)!, // it is one of them
      first = affineOf(range.lower),
      end = affineOf(range.upper),
      offset = addScaled(f, affineName(loop), -c)
    if (Math.abs(c) !== 1 || taken.has(loop) || range.step !== 1 || !first || !end) return undefined
    if (![offset, first, end].every(hasOnlySizes)) return undefined
    taken.add(loop)
    return { offset, loop: { name: loop, sign: c > 0 ? 1 : -1, first, end } }
  })
  const isWhole = taken.size === names.size && dimensions.every((d) => d !== undefined)
  return isWhole && liesAlike(out.value, dimensions.at(-1)!.loop?.name) ? { nest, dimensions } : undefined
}

/** Elements from one to the next that neighbouring threads may read without harm. */
const farthestNeighbour = 4

/** Whether neighbours in the temporary are made of neighbours: one that turns rows into columns has its purpose. */
const liesAlike = (value: Expr, along: string | undefined): boolean =>
  along === undefined ||
  readsOf([value]).every(({ index }) => {
    const last = index.at(-1),
      form = last && affineOf(last)
    return (
      index.slice(0, -1).every((e) => !uses(e, along)) &&
      (!last || !uses(last, along) || (form !== undefined && Math.abs(coefficient(form, along)) <= farthestNeighbour))
    )
  })

/** Whether computing elements as often as they are read is no more than storing and loading them. */
function isCheap(program: Program, array: ArrayDecl, producers: readonly Nest[], consumers: readonly Nest[]): boolean {
  const elements = array.shape.reduce((n, e) => n * plannedBound(program, e), 1)
  const reads = consumers.reduce((n, c) => {
    const { points, terms } = pointsOf(program, c),
      inTerms = c.reduction ? readsOf([c.reduction.value]).filter((r) => r.array === array.name).length : 0,
      all = new Set(readsIn(nestProgram(program, c).body).filter((r) => r.array === array.name)).size
    return n + points * (inTerms * terms + all - inTerms)
  }, 0)
  const times = Math.max(1, reads / elements)
  return producers.every(({ out: { value } }) => {
    let operations = 0
    eachExpr(value, (e) => (operations += e.kind === 'op' ? costOfOp(e.op) : 0))
    const loads = new Set(readsOf([value]).map(exprKey)).size
    return loads * times <= mostLoads && operations * times <= mostOperations
  })
}

/** Functions that take many instructions. */
const functions = new Set(['exp', 'log', 'pow', 'sin', 'cos', 'tan', 'tanh', 'erf', 'atan2', 'sqrt', 'div', 'rem'])
const costOfOp = (name: string): number => (functions.has(name) ? 8 : 1)

/** What is known at each place where something stands. */
type Known = readonly (readonly Constraint[])[]

/** The nest with the elements of `array` computed where it reads them. */
function withPieces(program: Program, nest: Nest, array: ArrayDecl, pieces: readonly Piece[]): Nest {
  const all = accesses(nestProgram(program, nest))
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      if (x.kind !== 'read' || x.array !== array.name) return undefined
      // one expression may stand in several places, where different things are known
      const places = all.filter((a) => a.index === x.index).flatMap((a) => disjuncts(a.domain))
      return elementAt(pieces, x.index, places.length > 0 ? places : [[]])
    })
  return mapNestExprs(nest, f)
}

/** The element at `index`, as the last piece says that has it; every element that is read is in one. */
function elementAt(pieces: readonly Piece[], index: readonly Expr[], known: Known): Expr {
  const cases: { readonly condition: Expr | undefined; readonly value: Expr }[] = []
  for (const p of [...pieces].reverse()) {
    const conditions = conditionsOf(p, index, known)
    if (!conditions) continue
    const condition = conjunction(conditions)
    cases.push({ condition, value: valueAt(p, index) })
    if (!condition) break
  }
  const last = cases.pop()! // what is read was written
  return cases.reduceRight((otherwise, { condition, value }) => choose(condition!, value, otherwise), last.value)
}

/** When the piece has the element at `index`, as far as nothing says it; undefined where it never has. */
function conditionsOf({ dimensions }: Piece, index: readonly Expr[], known: Known): readonly Expr[] | undefined {
  const out: Expr[] = []
  for (const [d, dimension] of dimensions.entries()) {
    const at = iterationOf(dimension, index[d]!), // an index for each dimension
      { first, end } = dimension.loop ?? { first: affineConstant(0), end: affineConstant(1) },
      form = affineOf(at)
    if (!form) {
      out.push(op('ge', [at, affineExpr(first)]), op('lt', [at, affineExpr(end)]))
      continue
    }
    for (const f of [addScaled(form, first, -1), plus(addScaled(end, form, -1), -1)]) {
      if (known.every((k) => implies(k, f))) continue
      if (known.every((k) => implies(k, plus(addScaled(affineConstant(0), f, -1), -1)))) return undefined
      out.push(conditionOf(f))
    }
  }
  return out
}

/** The iteration of the dimension's loop that makes the element at `e`; of one element, how far `e` is behind it. */
function iterationOf({ offset, loop }: Dimension, e: Expr): Expr {
  const sign = loop?.sign ?? 1,
    form = affineOf(e)
  if (form) return affineExpr(addScaled(addScaled(affineConstant(0), form, sign), offset, -sign))
  return sign > 0 ? sub(e, affineExpr(offset)) : sub(affineExpr(offset), e)
}

/** What the piece computes for the element at `index`. */
function valueAt({ nest, dimensions }: Piece, index: readonly Expr[]): Expr {
  const by = dimensions.flatMap((x, d) => (x.loop ? [[x.loop.name, iterationOf(x, index[d]!)] as const] : []))
  return substitute(nest.out.value, new Map(by))
}
