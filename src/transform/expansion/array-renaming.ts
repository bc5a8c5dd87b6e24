// In: a loop whose iterations read planes of an array (rows or columns at the loop's own variable) that later
// iterations overwrite, as Floyd and Warshall's does. Out: the same with these planes copied, each before the statement
// that reads it, into scratch with room for the iterations of a block. The one idea: what only reused memory kept in
// order can then run apart (renaming); what is read stays bit for bit what it was.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  feasible,
  int,
  loop as loopOf,
  loopVar,
  read,
  sizeDomain,
  store,
  when,
  type Access,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  conjunction,
  eachExpr,
  exprKey,
  freshName,
  rewriteExpr,
  mapStmtExprs,
  nest,
  type Read,
} from '../../ir/index.ts'
import { extentOfName, orderedComponents, knownDependences, loopsOver, isThere } from '../../analysis/index.ts'
import { expressionsOf, isOf, statementsOf, type Instances } from '../reorder/iteration-domains.ts'

/** A plane that a statement reads: which dimensions are loops of it. */
interface Plane {
  readonly array: ArrayDecl
  readonly from: Read
  readonly free: readonly { readonly dimension: number; readonly name: string }[]
}

/** A copy that is there: from which position in the order on. */
interface Copy {
  readonly at: number
  readonly key: string
  readonly to: ArrayDecl
  readonly stmts: readonly LoopStmt[]
}

/**
 * `program` whose body is `loop` alone, with copies of planes for up to `room` iterations from `start` on (a size);
 * `undefined` when no statement over two loops reads one, or the statements of an iteration need each other in a
 * circle.
 */
export function withPlanes(
  program: Program,
  loop: Loop,
  start: Affine,
  room: number,
): { readonly program: Program; readonly loop: Loop } | undefined {
  const statements = statementsOf(program),
    deps = statements && knownDependences(program)
  if (!statements || !deps) return undefined
  const k = loop.name,
    written = new Set(statements.flatMap((s) => s.stores.map((x) => x.array)))
  const positionOf = (a: Access): number => statements.findIndex((s) => isOf(s, a))
  const now = { form: addScaled(affineName(`s${k}`), affineName(`t${k}`), -1), equal: true }
  const edges = deps
    .filter((d) => !d.reduction && d.where.some((w) => feasible(w, [now]) !== 'empty'))
    .map((d) => ({ from: positionOf(d.source), to: positionOf(d.sink), d }))
  if (edges.some((e) => e.from < 0 || e.to < 0)) return undefined
  const order = orderedComponents(statements.length, edges)
  if (order.some((c) => c.length > 1)) return undefined
  const sequence = order.flat(),
    copies: Copy[] = []
  let next = program
  const body = sequence.flatMap((index, position): readonly LoopStmt[] => {
    const s = statements[index]!,
      before: LoopStmt[] = []
    const by = new Map<string, Read>()
    for (const plane of planesOf(next, s, k, written)) {
      const writtenBy = (w: number): boolean =>
        edges.some((e) => e.from === w && e.to === index && e.d.kind === 'flow' && isRead(plane, e.d.sink))
      const stale = (c: Copy): boolean => sequence.slice(c.at, position).some(writtenBy)
      // what the statement itself writes before it reads it cannot be copied before
      const made =
        writtenBy(index) || !isInside(next, loop, plane, s) ? undefined : copyOf(next, s, k, plane, start, room)
      if (!made) continue
      let copy = copies.find((c) => c.key === made.key && !stale(c))
      if (!copy) {
        const to: ArrayDecl = {
          ...plane.array,
          name: freshName(next, `${plane.array.name}_plane`),
          shape: [int(room), ...plane.free.map((f) => plane.array.shape[f.dimension]!)],
          role: 'temp',
          space: 'global',
        }
        copy = { at: position, key: made.key, to, stmts: made.stmts(to) }
        copies.push(copy)
        next = { ...next, arrays: [...next.arrays, to] }
        before.push(...copy.stmts)
      }
      by.set(exprKey(plane.from), {
        ...plane.from,
        array: copy.to.name,
        index: [inRoom(k, start), ...plane.free.map((f) => plane.from.index[f.dimension]!)],
      })
    }
    const own = loopsOf(next, s, k)
    const f = (e: Expr): Expr => rewriteExpr(e, (x) => (x.kind === 'read' ? by.get(exprKey(x)) : undefined))
    return own ? [...before, ...own.map((x) => mapStmtExprs(x, f))] : []
  })
  if (copies.length === 0 || statements.some((s) => !loopsOf(next, s, k))) return undefined
  const changed: Loop = { ...loop, body }
  return { program: { ...next, body: [changed] }, loop: changed }
}

const isRead = ({ from }: Plane, a: Access): boolean =>
  a.array === from.array && a.index.map(exprKey).join() === from.index.map(exprKey).join()

/** Whether the plane is in its array as far as the loops go, whatever conditions in the statement say. */
const isInside = (program: Program, loop: Loop, { array, from, free }: Plane, s: Instances): boolean =>
  array.shape.every((e) => affineOf(e)) &&
  isThere(program, array, from.index, [loop, ...s.loops.filter((l) => free.some((f) => f.name === l.name))], [])

const inRoom = (k: string, start: Affine): Expr => affineExpr(addScaled(affineName(k), start, -1))

/**
 * Reads of arrays that the loop writes, at its variable in some dimensions and at different loops of the statement in
 * all others, but not at all of these.
 */
function planesOf(program: Program, s: Instances, k: string, written: ReadonlySet<string>): readonly Plane[] {
  const found = new Map<string, Plane>()
  const see = (x: Expr): void => {
    const array = x.kind === 'read' && written.has(x.array) ? program.arrays.find((a) => a.name === x.array) : undefined
    if (x.kind !== 'read' || !array) return
    const forms = x.index.map(affineOf)
    const isNow = (f: Affine | undefined): boolean => f?.terms.size === 1 && coefficient(f, k) === 1
    const free = forms.flatMap((f, dimension) => {
      const name =
        f?.terms.size === 1 && f.constant === 0 ? s.names.find((n) => n !== k && coefficient(f, n) === 1) : undefined
      return name === undefined ? [] : [{ dimension, name }]
    })
    const now = forms.filter(isNow).length
    if (
      now > 0 &&
      now + free.length === forms.length &&
      free.length < s.names.length - 1 &&
      new Set(free.map((f) => f.name)).size === free.length
    )
      found.set(exprKey(x), { array, from: x, free })
  }
  for (const e of expressionsOf(s)) eachExpr(e, see)
  return [...found.values()]
}

/** The loops that copy what `s` reads of `plane`; `key`: the same for the same elements. */
function copyOf(
  program: Program,
  s: Instances,
  k: string,
  plane: Plane,
  start: Affine,
  room: number,
): { readonly key: string; stmts(to: ArrayDecl): readonly LoopStmt[] } | undefined {
  const context = [
    ...sizeDomain(program).constraints,
    ...[
      addScaled(affineName(k), start, -1),
      addScaled(addScaled(start, affineConstant(room - 1), 1), affineName(k), -1),
    ].map((form) => ({ form })),
  ]
  const ranges = plane.free.map(({ name }) =>
    extentOfName(
      name,
      s.names.filter((n) => n !== name && n !== k),
      s.rows,
      context,
    ),
  )
  if (!ranges.every((r) => r !== undefined)) return undefined
  const loops = ranges.map((r) => loopOf(r.name, affineExpr(r.upper), [], { lower: affineExpr(r.lower) }))
  const names = new Map(loops.map((l, n) => [l.name, loopVar(`at_${n}`)]))
  const renamed = loops.map((l, n): Loop => ({ ...l, name: `at_${n}` }))
  const index = plane.from.index.map((e) => rewriteExpr(e, (x) => (x.kind === 'var' ? names.get(x.name) : undefined)))
  const ends = renamed.map((l) => `${exprKey(l.lower)}..${exprKey(l.upper)}`)
  const key = `${plane.array.name}[${index.map(exprKey).join()}] ${ends.join()}`
  return {
    key,
    stmts: (to) =>
      nest(renamed, [store(to, [inRoom(k, start), ...renamed.map((l) => loopVar(l.name))], read(plane.array, index))]),
  }
}

/** The statement in loops of its own inside of the loop over `k`. */
function loopsOf(program: Program, s: Instances, k: string): readonly LoopStmt[] | undefined {
  const found = loopsOver(
    s.names.filter((n) => n !== k),
    s.rows,
    sizeDomain(program).constraints,
  )
  if (!found) return undefined
  const guard = conjunction(found.guards)
  const loops = found.loops.map((r): Loop => loopOf(r.name, affineExpr(r.upper), [], { lower: affineExpr(r.lower) }))
  return nest(loops, guard ? [when(guard, s.body)] : s.body)
}
