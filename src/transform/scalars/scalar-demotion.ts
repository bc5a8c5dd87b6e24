// In: a program in which a local scalar accumulates the new value of an array element: `w = A[e]; …w…; A[e] = f(w)`,
// or one that begins elsewhere (`w = b[e]`). Out: the same on the element itself: `…A[e]…; A[e] = f(A[e])`. The one
// idea: a scalar that several statements of an iteration use keeps them in one loop even where they belong to different
// steps of an algorithm; an array element does not, so the loop can be distributed. Dependence analysis checks that no
// other access to the element sees a different value.
import {
  mapStmts,
  read,
  readsArray,
  readsIn,
  type Declare,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
  exprKey,
  mapBody,
  uses,
  sets,
} from '../../ir/index.ts'
import { knownDependences, sameIndex } from '../../analysis/index.ts'
import { arraysOf } from '../fission/loop-distribution.ts'

/** The program without the scalars that stand for elements; the same object when there are none. */
export function demoted(program: Program): Program {
  const replaced: Replaced = new Map()
  const body = mapBody(program.body, (s) => (s.kind === 'loop' ? changedLoop(program, s, replaced) : undefined))
  if (body === program.body) return program
  const next = { ...program, body }
  return isSafe(next, replaced) ? next : program
}

/** Stores that came to stand where a scalar was, with its declaration. */
type Replaced = Map<LoopStmt, Declare>

function changedLoop(
  program: Program,
  l: Extract<LoopStmt, { kind: 'loop' }>,
  replaced: Replaced,
): readonly LoopStmt[] | undefined {
  const declares = l.body.filter((s): s is Declare => s.kind === 'declare' && s.array.shape.length === 0)
  const body = declares.reduce<readonly LoopStmt[]>((b, d) => without(program, b, d, replaced), l.body)
  return body === l.body ? undefined : [{ ...l, body }]
}

function without(program: Program, body: readonly LoopStmt[], d: Declare, replaced: Replaced): readonly LoopStmt[] {
  const name = d.array.name
  const rest = body.filter((s) => s !== d)
  const users = rest.filter((s) => arraysOf(s).has(name))
  const first = users[0],
    last = users[users.length - 1]
  if (
    users.length < 3 ||
    first?.kind !== 'store' ||
    last?.kind !== 'store' ||
    first.array !== name ||
    first.reduce ||
    last.reduce
  )
    return body
  const target = program.arrays.find((a) => a.name === last.array)
  if (!target || target.type !== d.array.type) return body
  const same = exprKey(first.value) === exprKey(read(target, last.index))
  if (!same && !isFree(rest, users, target.name, last.index)) return body
  const inner = users.slice(1, -1)
  if (sets(inner, target.name)) return body
  const element = read(target, last.index)
  const changed = (s: LoopStmt): LoopStmt =>
    mapStmts(
      [s],
      (e) => (e.kind === 'read' && e.array === name ? element : e),
      (x) => {
        if (x.kind !== 'store' || x.array !== name) return [x]
        const store: Store = { ...x, array: target.name, index: last.index }
        replaced.set(store, d)
        return [store]
      },
    )[0]! // one statement in, one out
  const idle = last.value.kind === 'read' && last.value.array === name // the element would be assigned to itself
  return rest.flatMap((s) => {
    if ((s === first && same) || (s === last && idle)) return []
    return users.includes(s) ? [changed(s)] : [s]
  })
}

/** Whether the element is nobody's while the scalar is made, and the same all the time: what it was is not needed. */
function isFree(body: readonly LoopStmt[], users: readonly LoopStmt[], array: string, index: readonly Expr[]): boolean {
  const between = body.slice(body.indexOf(users[0]!), body.indexOf(users[users.length - 1]!) + 1) // some use it
  const isRead = readsIn(users).some((r) => r.array === array && sameIndex(r.index, index))
  return !isRead && between.every((s) => users.includes(s) || !arraysOf(s).has(array)) && !index.some(readsArray)
}

/** Nothing but the stores' own statements and what replaces the scalar sees the element while it is being made. */
function isSafe(program: Program, replaced: ReadonlyMap<LoopStmt, Declare>): boolean {
  const deps = knownDependences(program)
  if (!deps) return false
  return deps.every((d) => {
    const scalar = replaced.get(d.source.statement as LoopStmt)
    if (d.reduction || !scalar || replaced.get(d.sink.statement) !== scalar) return true
    if (d.level === null && isStart(d.source.statement as Store) && sameIndex(d.source.index, d.sink.index)) return true
    return (
      d.level !== null &&
      d.level <
        blockDepth(
          d.source.statement as Store,
          d.source.loops.map((l) => l.name),
        )
    ) // stores alone are replaced
  })
}

/** Whether the store is what the scalar began with, and not a sum. */
const isStart = (s: Store): boolean =>
  !s.reduce && !readsIn([s]).some((r) => r.array === s.array && sameIndex(r.index, s.index))

/** Loops around the place where the scalar was: those that the element's index uses. */
function blockDepth(s: Store, loops: readonly string[]): number {
  const used = loops.map((name) => s.index.some((e) => uses(e, name)))
  return used.lastIndexOf(true) + 1
}
