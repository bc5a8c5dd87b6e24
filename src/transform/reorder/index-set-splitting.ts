// In: a loop nest that reads what it writes in a row or a column that other iterations write too, as Floyd and
// Warshall's does, or that leaves one out (`if (i != k)`). Out: the same iterations in the same order as several nests:
// before, at and after that row or column. The one idea: in each piece what is read is either old or new throughout,
// and dependences within a piece are gone (index set splitting).
import {
  type KnownConditions,
  sameAffine,
  coefficient,
  affineName,
  decided,
  withHostVariables,
  addScaled,
  affineExpr,
  affineOf,
  implies,
  plus,
  loopVar,
  sizeDomain,
  sizeOf,
  type Affine,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  eachExpr,
  eachStmt,
  freshName,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  ownExprs,
  substituteStmt,
} from '../../ir/index.ts'
import { hasLoop } from '../../analysis/index.ts'

/** Pieces are made at this many places at most: each makes three of one loop. */
const mostPlaces = 3

/** `undefined` when there is nothing to split at. */
export function inPieces(program: Program, loop: Loop): readonly LoopStmt[] | undefined {
  const context = sizeDomain(program).constraints
  const places = placesIn(loop, context).slice(0, mostPlaces)
  if (places.length === 0) return undefined
  return mapBody([loop], (s) => {
    const at = s.kind === 'loop' ? places.find((p) => p.loop.name === s.name)?.at : undefined
    return s.kind === 'loop' && at ? threeOf(s, at) : undefined
  })
}

/** `loop` with the loops inside of it split at the rows and columns of its own variable; `undefined` when none are. */
export function inPiecesAround(program: Program, loop: Loop): Loop | undefined {
  const lower = affineOf(loop.lower)
  if (!lower || !implies(sizeDomain(program).constraints, lower)) return undefined // sizes are not negative
  const name = freshName(program, loop.name),
    min = lower.terms.size === 0 ? lower.constant : 0,
    inside = withHostVariables(program, [{ name, min, below: loop.upper, planned: 1 }])
  const body = loop.body.map((s) => substituteStmt(s, new Map([[loop.name, sizeOf(name)]])))
  const split = body.flatMap((s) => (s.kind === 'loop' ? (inPieces(inside, s) ?? [s]) : [s]))
  const again = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'size' && x.name === name ? loopVar(loop.name) : undefined))
  return split.length === body.length ? undefined : { ...loop, body: split.map((s) => mapStmtExprs(s, again)) }
}

interface Place {
  readonly loop: Loop
  readonly at: Affine
}

/**
 * Loops that ask for one of their places, and those whose variable is an index of a store where a read of the same
 * array has a fixed value; in both cases one that the loop reaches.
 */
function placesIn(loop: Loop, context: readonly Constraint[]): readonly Place[] {
  const found: Place[] = []
  const see = (s: Store, around: readonly Loop[], x: Expr): void => {
    if (x.kind !== 'read' || x.array !== s.array) return
    x.index.forEach((r, d) => {
      const own = s.index[d]!,
        at = affineOf(r)
      const l = own.kind === 'var' ? around.find((y) => y.name === own.name) : undefined
      if (l && at && l.step === 1 && reaches(l, at, context) && !found.some((f) => f.loop.name === l.name))
        found.push({ loop: l, at })
    })
  }
  const ask = (e: Expr, around: readonly Loop[]): void =>
    eachExpr(e, (x) => {
      for (const l of around) {
        const at = placeAskedFor(x, l)
        if (at && l.step === 1 && reaches(l, at, context) && !found.some((f) => f.loop.name === l.name))
          found.push({ loop: l, at })
      }
    })
  eachStmt([loop], (s, around) => {
    for (const e of ownExprs(s)) ask(e, around)
    if (s.kind === 'store') for (const e of ownExprs(s)) eachExpr(e, (x) => see(s, around, x))
    // what an iteration computes it may store by way of conditions and locals
    if (s.kind !== 'loop' || s.body.some(hasLoop)) return
    const stores: Store[] = [],
      read: Expr[] = []
    eachStmt(s.body, (x) => {
      if (x.kind === 'store') stores.push(x)
      read.push(...ownExprs(x))
    })
    for (const store of stores) for (const e of read) eachExpr(e, (x) => see(store, [...around, s], x))
  })
  return found
}

function reaches(l: Loop, at: Affine, context: readonly Constraint[]): boolean {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  const fixed = (a: Affine): boolean => [...a.terms.keys()].every((n) => n.startsWith('$'))
  if (!lower || !upper || !fixed(at)) return false
  return implies(context, addScaled(at, lower, -1)) && implies(context, plus(addScaled(upper, at, -1), -1))
}

function threeOf(l: Loop, at: Affine): readonly LoopStmt[] {
  const here: Expr = affineExpr(at),
    there = decided(l.body, atPlace(l, at, true)),
    others = decided(l.body, atPlace(l, at, false)),
    pieces: readonly Loop[] = [
      { ...l, upper: here, body: others },
      { ...l, lower: affineExpr(plus(at, 1)), body: others },
    ]
  const [before, after] = others.length > 0 ? pieces.map((p) => [p]) : [[], []]
  // locals of an iteration stay in a loop: they are its own
  const once = there.some((s) => s.kind === 'declare')
    ? [{ ...l, lower: here, upper: affineExpr(plus(at, 1)), body: there }]
    : there.map((s) => substituteStmt(s, new Map([[l.name, here]])))
  return [...before!, ...once, ...after!] // two of two
}

/** What conditions say that ask whether the loop is at a place, where it is, or where it is not. */
export const atPlace =
  (l: Loop, place: Affine, isAt: boolean): KnownConditions =>
  (e) => {
    const asked = placeAskedFor(e, l)
    return asked && sameAffine(asked, place) ? isAt === (e.kind === 'op' && e.op === 'eq') : undefined
  }

/** The place that an equality or inequality asks the loop's variable for. */
export function placeAskedFor(e: Expr, l: Loop): Affine | undefined {
  if (e.kind !== 'op' || (e.op !== 'eq' && e.op !== 'ne')) return undefined
  const [a, b] = e.args.map(affineOf),
    form = a && b && addScaled(a, b, -1),
    c = form ? coefficient(form, l.name) : 0
  return form && Math.abs(c) === 1 ? addScaled(affineName(l.name), form, -c) : undefined
}
