// In: a LoopIR program. Out: for every loop whether its iterations may run at the same time, carry only reductions, or
// must stay in order and because of what; and which neighbouring loops may be permuted and tiled. The one idea: both
// follow from the dependence vectors. Arrays declared inside a loop are private to its iterations already.
import {
  someExpr,
  sameExpr,
  addScaled,
  affineOf,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type ReduceOp,
  type Store,
} from '../ir/index.ts'
import { dependences, type Dependence } from './dependences.ts'

export interface CarriedReduction {
  readonly op: ReduceOp | 'argmin' | 'argmax'
  /** The array that is reduced into; of `argmin`/`argmax` the extreme value. */
  readonly array: string
  /** Of `argmin`/`argmax`: where the position goes, and whether the first or the last of equal values wins. */
  readonly position?: string
  readonly ties?: 'first' | 'last'
  /** It is not certain that iterations meet in one element: the subscripts are not understood. */
  readonly isUnsure?: true
}

export interface LoopFact {
  readonly loop: Loop
  readonly path: readonly number[]
  /** Loops around it, outermost first. */
  readonly around: readonly Loop[]
  readonly kind: 'parallel' | 'reduction' | 'sequential'
  /** For `reduction`: what its iterations accumulate. */
  readonly reductions: readonly CarriedReduction[]
  /** For `sequential`: the dependences that it carries and that are no reductions. */
  readonly blockers: readonly Dependence[]
}

/** Loops one directly around the other, outermost first, that may be permuted and tiled together. */
export interface Band {
  readonly loops: readonly Loop[]
  readonly path: readonly number[]
  /** Nothing but declarations stands between them, so that no distribution is needed first. */
  readonly perfect: boolean
}

interface Place {
  readonly loop: Loop
  readonly path: readonly number[]
  readonly around: readonly Loop[]
}

/** All loops of `p`, outer before inner, in program order. */
export function allLoops(
  body: readonly LoopStmt[],
  path: readonly number[] = [],
  around: readonly Loop[] = [],
  from = 0,
): Place[] {
  return body.flatMap((s, i): Place[] => {
    const here = [...path, from + i]
    switch (s.kind) {
      case 'loop':
        return [{ loop: s, path: here, around }, ...allLoops(s.body, here, [...around, s])]
      case 'if':
        return [...allLoops(s.then, here, around), ...allLoops(s.else, here, around, s.then.length)]
      case 'store':
      case 'declare':
        return []
    }
  })
}

const startsWith = (path: readonly number[], prefix: readonly number[]): boolean =>
  prefix.length <= path.length && prefix.every((x, i) => path[i] === x)

/** The path of common loop `k` of a dependence. */
const loopPath = (d: Dependence, k: number): readonly number[] => d.source.path.slice(0, d.source.depths[k])

const carries = (d: Dependence, place: Place): boolean => d.level !== null && samePath(loopPath(d, d.level), place.path)
const samePath = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && startsWith(a, b)

/** A fact per loop of `p`, outer before inner. `known`: the dependences when the caller has them. */
export function loopFacts(p: Program, known: readonly Dependence[] = dependences(p)): LoopFact[] {
  return allLoops(p.body).map((place) => {
    const carried = known.filter((d) => carries(d, place))
    const extremes = extremesIn(place)
    const rest = carried.filter((d) => !d.reduction && !extremes.some((x) => belongs(d, x)))
    const reductions = new Map<string, CarriedReduction>()
    for (const d of carried)
      if (d.reduction && d.source.reduce)
        reductions.set(d.array, { op: d.source.reduce, array: d.array, ...(!d.exact && { isUnsure: true as const }) })
    for (const x of extremes) if (carried.some((d) => belongs(d, x))) reductions.set(x.found.array, x.found)
    const kind = carried.length === 0 ? 'parallel' : rest.length === 0 ? 'reduction' : 'sequential'
    return { ...place, kind, reductions: kind === 'reduction' ? [...reductions.values()] : [], blockers: rest }
  })
}

// ------------------------------------------------------------------------------------------------- argmin, argmax

interface Extreme {
  readonly path: readonly number[]
  readonly found: CarriedReduction
}

const belongs = (d: Dependence, x: Extreme): boolean =>
  (d.array === x.found.array || d.array === x.found.position) &&
  startsWith(d.source.path, x.path) &&
  startsWith(d.sink.path, x.path)

/** `if (value > best) { best = value; at = position; }` below a loop. */
function extremesIn(place: Place): Extreme[] {
  const find = (body: readonly LoopStmt[], path: readonly number[], from = 0): Extreme[] =>
    body.flatMap((s, i): Extreme[] => {
      const here = [...path, from + i]
      switch (s.kind) {
        case 'loop':
          return find(s.body, here)
        case 'if': {
          const found = argExtreme(s)
          return found ? [{ path: here, found }] : [...find(s.then, here), ...find(s.else, here, s.then.length)]
        }
        case 'store':
        case 'declare':
          return []
      }
    })
  return find(place.loop.body, place.path)
}

const reads = (e: Expr, arrays: readonly string[]): boolean =>
  someExpr(e, (x) => x.kind === 'read' && arrays.includes(x.array))

/** Whether two expressions have one value: equal as sums of multiples of variables, or of one structure. */
const equalExpr = (a: Expr, b: Expr): boolean => {
  const x = affineOf(a),
    y = affineOf(b)
  if (!x || !y) return sameExpr(a, b)
  const d = addScaled(x, y, -1)
  return d.terms.size === 0 && d.constant === 0
}

const isRead = (e: Expr, s: Store): boolean =>
  e.kind === 'read' &&
  e.array === s.array &&
  e.index.length === s.index.length &&
  e.index.every((x, i) => equalExpr(x, s.index[i]!))

/** The `argmin` or `argmax` that an `if` is, or undefined. */
function argExtreme(s: If): CarriedReduction | undefined {
  const { condition, then } = s
  const [a, b] = then
  if (
    s.else.length > 0 ||
    then.length !== 2 ||
    condition.kind !== 'op' ||
    a?.kind !== 'store' ||
    b?.kind !== 'store' ||
    a.reduce ||
    b.reduce
  )
    return undefined
  const [x, y] = condition.args
  for (const [best, at] of [
    [a, b],
    [b, a],
  ] as const) {
    const straight = !!x && !!y && isRead(y, best) && equalExpr(x, best.value),
      turned = !!x && !!y && isRead(x, best) && equalExpr(y, best.value)
    const own = [best.array, at.array]
    if ((!straight && !turned) || best.array === at.array || reads(best.value, own) || reads(at.value, own)) continue
    const larger = straight
      ? condition.op === 'gt' || condition.op === 'ge'
      : condition.op === 'lt' || condition.op === 'le'
    const strict = condition.op === 'gt' || condition.op === 'lt'
    if (!strict && condition.op !== 'ge' && condition.op !== 'le') return undefined
    return { op: larger ? 'argmax' : 'argmin', array: best.array, position: at.array, ties: strict ? 'first' : 'last' }
  }
  return undefined
}

// ---------------------------------------------------------------------------------------------------------- bands

/** The only loop in `body`, and whether it is all there is but declarations. */
function onlyLoop(body: readonly LoopStmt[]): { readonly index: number; readonly perfect: boolean } | undefined {
  const loops = body.flatMap((s, i) => (s.kind === 'loop' ? [i] : []))
  const [index, more] = loops
  return index === undefined || more !== undefined
    ? undefined
    : { index, perfect: body.every((s) => s.kind === 'loop' || s.kind === 'declare') }
}

/**
 * The maximal bands of `p`: from each loop inwards as long as every dependence between statements inside the band goes
 * forward or stays in each of its loops. Reductions count as unordered. Single loops are bands too.
 */
export function permutableBands(p: Program, known: readonly Dependence[] = dependences(p)): Band[] {
  const bands: Band[] = []
  const covered = new Set<Loop>()
  for (const place of allLoops(p.body)) {
    if (covered.has(place.loop)) continue
    const band = grow(place, known)
    for (const loop of band.loops) covered.add(loop)
    bands.push(band)
  }
  return bands
}

function grow(place: Place, known: readonly Dependence[]): Band {
  const from = place.around.length
  const inside = known.filter(
    (d) =>
      !d.reduction &&
      startsWith(d.source.path, place.path) &&
      startsWith(d.sink.path, place.path) &&
      (d.level === null || d.level >= from),
  )
  const loops = [place.loop]
  let perfect = true,
    path = place.path
  for (;;) {
    const next = onlyLoop(loops[loops.length - 1]!.body)
    // onlyLoop gives the index of a loop
    if (!next || !rectangular(loops[loops.length - 1]!.body[next.index] as Loop, loops)) break
    const k = from + loops.length
    const forward = (d: Dependence): boolean => {
      const step = d.vector[k]
      return step === undefined || step.direction === '=' || step.direction === '<' || step.direction === '<='
    }
    if (!inside.every(forward)) break
    path = [...path, next.index]
    perfect &&= next.perfect
    loops.push(loops[loops.length - 1]!.body[next.index] as Loop) // as above
  }
  return { loops, path: place.path, perfect }
}

/** Bounds that are linear in the loops around keep the band's domain convex; others cannot be interchanged. */
function rectangular(loop: Loop, around: readonly Loop[]): boolean {
  const names = new Set(around.map((l) => l.name))
  const free = (e: Expr): boolean =>
    affineOf(e) !== undefined || !someExpr(e, (x) => (x.kind === 'var' && names.has(x.name)) || x.kind === 'read')
  return free(loop.lower) && free(loop.upper)
}
