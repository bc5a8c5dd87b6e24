// register-tile: several outputs at once. A scalar accumulator inside a nest of tile loops becomes an array with an
// element per iteration, and the reduction loop moves outside of the tile loops, so that each value it loads serves
// many.
//
//   for i in 0 .. 4 { declare s: f32[] temp private s = 0.0f for k in 0 .. m { s += A[i, k] } y[i] = s }
// → declare s: f32[4] temp private
//   for i in 0 .. 4 { s[i] = 0.0f }
//   for k in 0 .. m { for i in 0 .. 4 { s[i] += A[i, k] } }
//   for i in 0 .. 4 { y[i] = s[i] }
//
// Side conditions: the tile loops are one perfect nest with constant extents around [declare, init, reduction, store];
// the reduction bounds that use a tile loop are affine in it (they widen to the tile and an `if` keeps what was); the
// stored array is read at most at the element that is stored, or where no iteration of the nest stores (h[t] beside h[t
// + 1]).
import { fail } from '../../base/index.ts'
import {
  uses,
  addScaled,
  affineConstant,
  affineExpr,
  affineOf,
  choose,
  constant,
  int,
  loopVar,
  lt,
  op,
  sameAffine,
  conjunction,
  constantExtent,
  eachStmt,
  nest,
  peelGuard,
  perfectNest,
  readsIn,
  replaceLoops,
  sameExpr,
  withGuard,
  replaceReads,
  type ArrayDecl,
  type Declare,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { innerRange, isApart } from '../../analysis/index.ts'

export interface RegisterTile {
  /** Tile loops, outermost first: a perfect nest whose body is the accumulation. */
  readonly tile: readonly string[]
}

export function registerTile(program: Program, { tile }: RegisterTile): Program {
  const [first] = tile
  if (first === undefined) return program
  return replaceLoops(program, first, (l) => {
    const { loops, body } = perfectNest(l)
    const names = loops.map((x) => x.name)
    if (names.length !== tile.length || names.some((n, i) => n !== tile[i]))
      fail('schedule.register-tile', `${tile.join(', ')} is not the whole perfect nest (found ${names.join(', ')})`)
    return hoist(loops, body)
  })
}

function hoist(tile: readonly Loop[], body: readonly LoopStmt[]): readonly LoopStmt[] {
  const extents = tile.map(
    (l) => constantExtent(l) ?? fail('schedule.register-tile', `the extent of '${l.name}' is not a constant`),
  )
  const { guard, body: inner } = peelGuard(body)
  const { declare, init, reduction, result } = pieces(inner, tile)
  const index = tile.map((l) => loopVar(l.name))
  const wide: ArrayDecl = { ...declare.array, shape: extents.map(int) }
  const widen = (e: Expr): Expr => replaceReads(e, wide.name, (x) => ({ ...x, index }))
  const { loops, guard: innerGuard, body: update } = widenReduction(reduction, tile)
  return [
    { ...declare, array: wide },
    ...nest(tile, [{ ...init, index, value: safe(guard, init.value) }]),
    ...nest(
      loops,
      nest(tile, withGuard([...guard, ...innerGuard], [{ ...update, index, value: widen(update.value) }])),
    ),
    ...nest(tile, withGuard(guard, [{ ...result, value: widen(result.value) }])),
  ]
}

/** `init` may read memory: only where the guard holds. */
function safe(guard: readonly Expr[], init: Expr): Expr {
  const condition = conjunction(guard)
  return condition && init.kind !== 'const' ? choose(condition, init, constant(init.type, 0)) : init
}

function pieces(
  body: readonly LoopStmt[],
  tile: readonly Loop[],
): { declare: Declare; init: Store; reduction: Loop; result: Store } {
  const [declare, init, reduction, result] = body
  const ok =
    body.length === 4 &&
    declare?.kind === 'declare' &&
    init?.kind === 'store' &&
    reduction?.kind === 'loop' &&
    result?.kind === 'store'
  if (!ok)
    return fail('schedule.register-tile', 'the body is not an accumulation: declare, init, one reduction loop, store')
  const stores: Store[] = []
  eachStmt([reduction], (s) => {
    if (s.kind === 'store') stores.push(s)
  })
  if (stores.some((s) => s.array !== declare.array.name || !s.reduce))
    fail('schedule.register-tile', 'the reduction loop stores something else than the accumulator')
  for (const r of readsIn(body)) {
    if (
      r.array === result.array &&
      !r.index.every((e, i) => sameExpr(e, result.index[i]!)) &&
      !isApart(r.index, result.index, tile)
    )
      fail('schedule.register-tile', `'${r.array}' is read at other elements than the stored one`)
  }
  return { declare, init, reduction, result }
}

/** The reduction nest with bounds that no longer use the tile loops, and the guard that restores them. */
function widenReduction(
  reduction: Loop,
  tile: readonly Loop[],
): { loops: readonly Loop[]; guard: readonly Expr[]; body: Store } {
  const { loops, body } = perfectNest(reduction)
  const peeled = peelGuard(body)
  const update = peeled.body[0]
  if (peeled.body.length !== 1 || update?.kind !== 'store')
    return fail('schedule.register-tile', 'the reduction is not a perfect nest around one store')
  const extra: Expr[] = []
  const wide = loops.map((l) => {
    const low = hull(l.lower, tile, 'low'),
      high = hull(l.upper, tile, 'high')
    if (low !== l.lower) extra.push(op('ge', [loopVar(l.name), l.lower]))
    if (high !== l.upper) extra.push(lt(loopVar(l.name), l.upper))
    return { ...l, lower: low, upper: high }
  })
  return { loops: wide, guard: [...peeled.guard, ...extra], body: update }
}

function hull(e: Expr, tile: readonly Loop[], side: 'low' | 'high'): Expr {
  const a = affineOf(e)
  if (!a)
    return [...tile].some((l) => uses(e, l.name))
      ? fail('schedule.register-tile', 'a reduction bound is not affine in the tile loops')
      : e
  const range = innerRange(a, tile)
  if (!range) return fail('schedule.register-tile', 'a reduction bound uses a tile loop of unknown extent')
  if (sameAffine(range.inner, affineConstant(0))) return e
  return affineExpr(addScaled(addScaled(a, range.inner, -1), affineConstant(range[side]), 1))
}
