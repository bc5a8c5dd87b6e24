// pipeline: the registers of the next iteration are loaded before the current one computes, in two sets that take
// turns, so that the latency of workgroup memory passes behind arithmetic.
//
//   for k in 0 .. 8 { declare row: f32[4] temp private
//     for i in 0 .. 4 @vector { row[i] = T[k, i] }
//     for i in 0 .. 4 { s[i] += row[i] } }
// → declare row: f32[2, 4] temp private
//   for i in 0 .. 4 @vector { row[0, i] = T[0, i] }
//   for k in 0 .. 8 {
//     if k + 1 < 8 { for i in 0 .. 4 @vector { row[(k + 1) % 2, i] = T[k + 1, i] } }
//     for i in 0 .. 4 { s[i] += row[k % 2, i] } }
//
// Side conditions: the loop counts from 0 in steps of 1 to a constant; the arrays are private, declared in its body and
// filled there by copies that read nothing the loop writes; the rest of the body only reads them.
import { applied, fail, inapplicable, isInapplicable, type Inapplicable } from '../../base/index.ts'
import {
  add,
  constant,
  int,
  literal,
  loopVar,
  lt,
  mod,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  constantExtent,
  eachStmt,
  mapBody,
  mapStmtExprs,
  nest,
  ownExprs,
  perfectNest,
  readsIn,
  replaceLoops,
  rewriteExpr,
  someStmt,
  storedIn,
  substituteStmt,
  uses,
} from '../../ir/index.ts'

export function pipeline(
  program: Program,
  { loop: at, arrays }: { readonly loop: string; readonly arrays: readonly string[] },
): Program {
  const names = new Set(arrays)
  return replaceLoops(program, at, (l) => {
    const extent = constantExtent(l)
    if (extent === undefined || !countsUp(l))
      return fail('schedule.pipeline', `'${at}' must count from 0 in steps of 1 to a constant`)
    const { declared, copies, rest } = applied(stagesOf(l, arrays))
    const fill = (k: Expr): readonly LoopStmt[] =>
      copies.map((c) => intoSet(substituteStmt(c, new Map([[at, k]])), names, [mod(k, 2)]))
    const next = add(loopVar(at), int(1))
    const body: readonly LoopStmt[] = [
      { kind: 'if', condition: lt(next, int(extent)), then: fill(next), else: [] },
      ...rest.map((s) => fromSet(s, names, [mod(loopVar(at), 2)])),
    ]
    const wide = declared.map((a): LoopStmt => ({ kind: 'declare', array: { ...a, shape: [int(2), ...a.shape] } }))
    return [...wide, ...(extent > 0 ? fill(int(0)) : []), { ...l, body }]
  })
}

interface Stages {
  readonly declared: readonly ArrayDecl[]
  readonly copies: readonly LoopStmt[]
  readonly rest: readonly LoopStmt[]
}

/** What of `l` declares the arrays, fills them, and is left. */
function stagesOf(l: Loop, arrays: readonly string[]): Stages | Inapplicable {
  const names = new Set(arrays)
  const declared: ArrayDecl[] = [],
    copies: LoopStmt[] = [],
    rest: LoopStmt[] = []
  for (const s of l.body) {
    if (s.kind === 'declare' && names.has(s.array.name)) declared.push(s.array)
    else if (fills(s, names)) copies.push(s)
    else rest.push(s)
  }
  if (declared.length !== arrays.length || copies.length !== arrays.length)
    return inapplicable('schedule.pipeline', `${arrays.join(', ')} are not all declared and filled once in '${l.name}'`)
  const written = new Set(storedIn(l.body))
  if (readsIn(copies).some((r) => written.has(r.array)))
    return inapplicable('schedule.pipeline', `a copy in '${l.name}' reads what the loop writes`)
  return { declared, copies, rest }
}

function fills(s: LoopStmt, names: ReadonlySet<string>): boolean {
  const stores: string[] = []
  eachStmt([s], (x) => {
    if (x.kind === 'store') stores.push(x.array)
  })
  return stores.length > 0 && stores.every((n) => names.has(n))
}

export interface PipelineAcross {
  /** The loop over tiles, whose body has the nest with `loop` innermost. */
  readonly tiles: string
  readonly loop: string
  /** Registers that `loop` fills and multiplies. */
  readonly arrays: readonly string[]
}

/**
 * As `pipeline`, and across tiles: the multiply-adds run one row behind the loads, so that those of a tile's last row
 * pass while all wait at a barrier for the next tile and load its first row (software pipelining of both loops).
 *
 *   for ko in 0 .. n { declare T: f32[2] temp shared … T is filled …
 *     for t in 0 .. 32 @thread(1) { for k in 0 .. 2 { declare a: f32[] temp private declare b: f32[] temp private
 *       a = T[k] b = T[1 - k]
 *       s[t] += a * b } } }
 * → declare a: f32[2, 32] temp private declare b: f32[2, 32] temp private
 *   for t in 0 .. 32 @thread(1) { a[1, t] = 0.0f b[1, t] = 0.0f }
 *   for ko in 0 .. n { declare T: f32[2] temp shared … T is filled …
 *     for t in 0 .. 32 @thread(1) { for k in 0 .. 2 {
 *       a[k % 2, t] = T[k] b[k % 2, t] = T[1 - k]
 *       s[t] += a[(k + 1) % 2, t] * b[(k + 1) % 2, t] } } }
 *   for t in 0 .. 32 @thread(1) { s[t] += a[1, t] * b[1, t] }
 *
 * Side conditions: those of `pipeline`; the loop has an even number of rows; what it does with them is to add
 * products of the arrays alone to a sum (the first adds 0 · 0); the loops around it inside of the tile count from 0 to
 * constants.
 */
export function pipelineAcross(program: Program, o: PipelineAcross): Program | Inapplicable {
  let why: Inapplicable | undefined
  const made = replaceLoops(program, o.tiles, (tile) => {
    const stmts = acrossTiles(tile, o)
    if (!isInapplicable(stmts)) return stmts
    why ??= stmts
    return [tile]
  })
  return why ?? made
}

function acrossTiles(tile: Loop, { loop: at, arrays }: PipelineAcross): readonly LoopStmt[] | Inapplicable {
  const place = tile.body.findIndex((s) => someStmt([s], (x) => x.kind === 'loop' && x.name === at)),
    holder = tile.body[place]
  if (holder?.kind !== 'loop') return inapplicable('schedule.pipeline', `'${tile.name}' has no nest around '${at}'`)
  const { loops } = perfectNest(holder),
    threads = loops.slice(0, -1),
    rows = loops.at(-1)! // at least `holder`
  const extent = constantExtent(rows)
  if (rows.name !== at || extent === undefined || extent % 2 !== 0 || !loops.every(countsUp))
    return inapplicable(
      'schedule.pipeline',
      `'${at}' must be innermost, of an even number of rows, from 0 in steps of 1`,
    )
  const stages = stagesOf(rows, arrays),
    names = new Set(arrays)
  if (isInapplicable(stages)) return stages
  const { declared, copies, rest } = stages
  const usesRow = someStmt(rest, (s) => ownExprs(s).some((e) => uses(e, at) || uses(e, tile.name)))
  if (!addsProducts(rest, names) || usesRow)
    return inapplicable('schedule.pipeline', `'${at}' does more with ${arrays.join(', ')} than to add up products`)
  const own = threads.map((t) => loopVar(t.name))
  const multiply = (set: Expr): readonly LoopStmt[] => rest.map((s) => fromSet(s, names, [set, ...own]))
  const fill = copies.map((c) => intoSet(c, names, [mod(loopVar(at), 2), ...own]))
  const body = nest(threads, [{ ...rows, body: [...fill, ...multiply(mod(add(loopVar(at), int(1)), 2))] }])
  const zeros = copies.map((c) => intoSet(withZeros(c), names, [int(1), ...own]))
  return [
    ...declared.map((a): LoopStmt => {
      const shape = [int(2), ...threads.map((t) => t.upper), ...a.shape]
      return { kind: 'declare', array: { ...a, shape } }
    }),
    ...nest(threads, zeros),
    { ...tile, body: tile.body.flatMap((s, i) => (i === place ? body : [s])) },
    ...nest(threads, multiply(int(1))),
  ]
}

const countsUp = (l: Loop): boolean => literal(l.lower) === 0 && l.step === 1 && literal(l.upper) !== undefined

/** Whether all that these do is to add products of two elements of the arrays to what they read nowhere else. */
function addsProducts(body: readonly LoopStmt[], arrays: ReadonlySet<string>): boolean {
  const isFactor = (e: Expr): boolean => e.kind === 'read' && arrays.has(e.array)
  const isSum = ({ array, reduce, value }: Store): boolean =>
    reduce === 'add' && !arrays.has(array) && value.kind === 'op' && value.op === 'mul' && value.args.every(isFactor)
  return !someStmt(body, (s) => s.kind === 'store' && !isSum(s))
}

const withZeros = (s: LoopStmt): LoopStmt =>
  mapBody([s], (x) => (x.kind === 'store' ? [{ ...x, value: constant(x.value.type, 0) }] : undefined))[0] ?? s

const intoSet = (s: LoopStmt, names: ReadonlySet<string>, set: readonly Expr[]): LoopStmt =>
  mapBody([s], (x) =>
    x.kind === 'store' && names.has(x.array) ? [{ ...x, index: [...set, ...x.index] }] : undefined,
  )[0] ?? s

const fromSet = (s: LoopStmt, names: ReadonlySet<string>, set: readonly Expr[]): LoopStmt =>
  mapStmtExprs(s, (e) =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && names.has(x.array) ? { ...x, index: [...set, ...x.index] } : undefined,
    ),
  )
