// held-loads: what guarded stores of a thread read is loaded before its guards ask, many elements at a time, so that no
// load waits behind a branch: where an element is outside of its array, the first one that the thread owns is loaded in
// its place.
//
//   for t in 0 .. (n + 7) / 8 { for u in 0 .. 2 { for v in 0 .. 4 {
//     if t * 8 + u * 4 + v < n { y[t * 8 + u * 4 + v] = y[t * 8 + u * 4 + v] * 2.0f } } } }
// → for t in 0 .. (n + 7) / 8 { if t * 8 < n { for u in 0 .. 2 { declare y_there: f32[4] temp private
//     for y_there_v in 0 .. 4 @vector {
//       y_there[y_there_v] = y[t * 8 + (u * 4 + y_there_v) * select(t * 8 + u * 4 + y_there_v < n, 1, 0)] }
//     for v in 0 .. 4 { if t * 8 + u * 4 + v < n { y[t * 8 + u * 4 + v] = y_there[v] * 2.0f } } } } }
//
// Side conditions: `nest` is perfect, with constant extents from `at` inwards, around one guarded store that reads its
// own element of the array that it stores, and of each other array one; indices are affine and grow with the thread's
// loops. Arrays of which that cannot be said are read as they were. A thread whose first element is outside stores
// nothing.
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  int,
  literal,
  mul,
  op,
  sameAffine,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  conjunction,
  constantExtent,
  exprKey,
  freshName,
  nest,
  peelGuard,
  perfectNest,
  readByChoice,
  readsIn,
  uses,
  withGuard,
  type Read,
} from '../../ir/index.ts'
import { conditionOf, holds, inequalityOf, innerRange, signedSizeNames } from '../../analysis/index.ts'
import { afterCopy } from './fragment.ts'
import { canClamp } from './stage.ts'

export interface HeldLoads {
  /** The outermost of the thread's own loops: each iteration loads what it needs. */
  readonly at: string
  /** Loops around the nest. */
  readonly around: readonly Loop[]
  /** Sizes that are multiples of the lanes of the innermost loop wherever the result is run. */
  readonly multiples: ReadonlySet<string>
  /**
   * Nothing but these stores uses the array that they store: where a vector of it is inside, elements that a guard
   * keeps out may be stored as they were.
   */
  readonly alone?: boolean
}

/** The nest, with loads first; `undefined` where there are none to move. */
export function heldLoads(program: Program, l: Loop, o: HeldLoads): readonly LoopStmt[] | undefined {
  const { loops, body } = perfectNest(l),
    { guard, body: inner } = peelGuard(body),
    [only] = inner
  const from = loops.findIndex((x) => x.name === o.at),
    own = loops.slice(from)
  if (
    from < 0 ||
    guard.length === 0 ||
    inner.length !== 1 ||
    only?.kind !== 'store' ||
    own.some((x) => constantExtent(x) === undefined || literal(x.lower) !== 0 || x.step !== 1)
  )
    return undefined
  const reads = singleReads(program, inner),
    signed = signedSizeNames(program)
  const all = reads.flatMap(({ array, read }) => {
    if (array.name === only.array && !read.index.every((e, d) => exprKey(e) === exprKey(only.index[d]!))) return []
    const element = heldIndex(array, read, own, [...o.around, ...loops], o.multiples, signed)
    return element ? [{ array, read, ...element }] : []
  })
  if (all.length === 0) return undefined
  const same = all.find((x) => x.array.name === only.array)
  const [guards, stored] = (o.alone === true &&
    same &&
    inVectors(only, same, guard, own, [...o.around, ...loops], o.multiples, signed)) || [guard, only]
  const made = all.reduce<{ program: Program; body: readonly LoopStmt[] }>(
    ({ program: p, body: b }, x) => {
      const name = freshName(p, `${x.array.name.toLowerCase()}_there`)
      return {
        program: { ...p, arrays: [...p.arrays, { ...x.array, name }] },
        body: afterCopy(b, x.array, x.read, { name, vector: true, from: x.index }),
      }
    },
    { program, body: nest(own.slice(1), withGuard(guards, [stored])) },
  )
  const inside = all.flatMap((x) => x.inside),
    unique = [...new Map(inside.map((c) => [exprKey(c), c])).values()]
  return nest(loops.slice(0, from), withGuard(unique, [{ ...own[0]!, body: made.body }])) // `at` is one of the loops
}

/** Arrays in memory that are read at one element, and not in an arm of `? :`, with the read. */
function singleReads(
  program: Program,
  body: readonly LoopStmt[],
): readonly { readonly array: ArrayDecl; readonly read: Read }[] {
  const reads = readsIn(body),
    byChoice = readByChoice(body)
  return program.arrays.flatMap((array) => {
    const of = reads.filter((r) => r.array === array.name),
      [read] = of
    return read && !byChoice.has(array.name) && of.every((r) => exprKey(r) === exprKey(read)) ? [{ array, read }] : []
  })
}

interface Held {
  /** Where to load from in place of the read. */
  readonly index: readonly Expr[]
  /** What must hold of the thread that its first element is inside. */
  readonly inside: readonly Expr[]
}

/**
 * In each dimension the element itself, or the thread's first where that is past the end; `undefined` where it cannot
 * be told.
 */
function heldIndex(
  array: ArrayDecl,
  read: Read,
  own: readonly Loop[],
  loops: readonly Loop[],
  multiples: ReadonlySet<string>,
  signed: ReadonlySet<string>,
): Held | undefined {
  const inside: Expr[] = []
  const index = read.index.map((e, d): Expr | undefined => {
    const a = affineOf(e),
      size = affineOf(array.shape[d]!),
      part = a && innerRange(a, own)
    if (!a || !size || !part || !holds(a, [], loops, signed) || own.some((l) => coefficient(a, l.name) < 0))
      return undefined
    const below = (x: Affine): Affine => addScaled(addScaled(size, affineConstant(-1), 1), x, -1),
      first = addScaled(a, part.inner, -1)
    if (holds(below(a), [], loops, signed)) return e
    inside.push(conditionOf(below(first)))
    const lane = lanesOf(array, d, a, own, multiples),
      offset = lane ? addScaled(part.inner, lane, -1) : part.inner
    if (offset.terms.size === 0) return e
    const there = op('select', [conditionOf(below(addScaled(first, offset, 1))), int(1), int(0)])
    const held = add(affineExpr(first), mul(affineExpr(offset), there))
    return lane ? add(held, affineExpr(lane)) : held
  })
  return index.every((e): e is Expr => e !== undefined) ? { index, inside } : undefined
}

/** The variable of the innermost loop, where all its iterations are inside or none is. */
function lanesOf(
  array: ArrayDecl,
  dimension: number,
  a: Affine,
  own: readonly Loop[],
  multiples: ReadonlySet<string>,
): Affine | undefined {
  const last = own.at(-1)!,
    extent = constantExtent(last)! // `at` is one, and extents are constant
  if (coefficient(a, last.name) !== 1 || dimension !== array.shape.length - 1 || extent === 1) return undefined
  const lane = affineName(last.name)
  return canClamp(array, { dimension, end: 'last' }, addScaled(a, lane, -1), extent, multiples) ? lane : undefined
}

/**
 * The store with the old value of its own element where a conjunct that is not the same in all lanes keeps it out;
 * `undefined` where it is no whole vector.
 */
function inVectors(
  s: Store,
  { array, read }: { readonly array: ArrayDecl; readonly read: Read },
  guard: readonly Expr[],
  own: readonly Loop[],
  loops: readonly Loop[],
  multiples: ReadonlySet<string>,
  signed: ReadonlySet<string>,
): readonly [readonly Expr[], Store] | undefined {
  const at = read.index.map((e) => affineOf(e)!),
    last = at.length - 1,
    lane = own.at(-1)! // `heldIndex` has looked
  const below = at.map((a, d) => addScaled(addScaled(affineOf(array.shape[d]!)!, affineConstant(-1), 1), a, -1))
  const kept = guard.filter((c) => {
      const f = inequalityOf(c)
      return !uses(c, lane.name) || (f && sameAffine(f, below[last]!))
    }),
    rest = conjunction(guard.filter((c) => !kept.includes(c)))
  const known = kept.flatMap((c) => inequalityOf(c) ?? [])
  if (!rest || !lanesOf(array, last, at[last]!, own, multiples) || !below.every((f) => holds(f, known, loops, signed)))
    return undefined
  return [kept, { ...s, value: op('select', [rest, s.value, read]) }]
}
