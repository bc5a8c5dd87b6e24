// In: a program in which a local scalar accumulates the new value of an array element: `w = A[e]; …w…; A[e] = f(w)`,
// or one that begins elsewhere (`w = b[e]`). Out: the same on the element itself: `…A[e]…; A[e] = f(A[e])`. The one
// idea: a scalar that several statements of an iteration use keeps them in one loop even where they belong to different
// steps of an algorithm; an array element does not, so the loop can be distributed. Dependence analysis checks that no
// other access to the element sees a different value.
import {
  eachStmt,
  mapStmts,
  read,
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
import { knownDependences, readsOf, sameIndex } from '../../analysis/index.ts'
import { arraysOf } from '../fission/loop-distribution.ts'

/** The program without the scalars that stand for elements; the same object when there are none. */
export function demoted(program: Program): Program {
  const tried = new Set<Declare>()
  let now = program
  for (let next = firstOf(now, tried); next; next = firstOf(now, tried)) if (isSafe(next)) now = next.program
  return now
}

/** One scalar made an element. */
interface Demotion {
  readonly program: Program
  /** Stores that came to stand where the scalar was. */
  readonly stores: ReadonlySet<LoopStmt>
  /** What stands from the first of them to the last, with all that is in it. */
  readonly between: ReadonlySet<LoopStmt>
}

/** The first scalar that was not tried, as an element. */
function firstOf(program: Program, tried: Set<Declare>): Demotion | undefined {
  let found: Omit<Demotion, 'program'> | undefined
  const body = mapBody(program.body, (l) => {
    if (l.kind !== 'loop' || found) return undefined
    for (const d of l.body) {
      if (d.kind !== 'declare' || d.array.shape.length > 0 || tried.has(d)) continue
      tried.add(d)
      const made = without(program, l.body, d)
      if (!made) continue
      found = made
      return [{ ...l, body: made.body }]
    }
    return undefined
  })
  return found && { ...found, program: { ...program, body } }
}

type Block = Omit<Demotion, 'program'> & { readonly body: readonly LoopStmt[] }

function without(program: Program, body: readonly LoopStmt[], d: Declare): Block | undefined {
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
    return undefined
  const target = program.arrays.find((a) => a.name === last.array)
  if (!target || target.type !== d.array.type) return undefined
  const same = exprKey(first.value) === exprKey(read(target, last.index))
  const region = rest.slice(rest.indexOf(first), rest.indexOf(last) + 1)
  if (!isFree(same ? region.slice(1) : region, users, target.name, last.index)) return undefined
  // where the element is was computed once, and is computed again and again
  if (readsOf(last.index).some((r) => !same || sets(region, r.array))) return undefined
  const inner = users.slice(1, -1)
  if (sets(inner, target.name)) return undefined
  const element = read(target, last.index)
  const stores = new Set<LoopStmt>()
  const changed = (s: LoopStmt): LoopStmt =>
    mapStmts(
      [s],
      (e) => (e.kind === 'read' && e.array === name ? element : e),
      (x) => {
        if (x.kind !== 'store' || x.array !== name) return [x]
        const store: Store = { ...x, array: target.name, index: last.index }
        stores.add(store)
        return [store]
      },
    )[0]! // one statement in, one out
  const idle = last.value.kind === 'read' && last.value.array === name // the element would be assigned to itself
  const made = (s: LoopStmt): readonly LoopStmt[] => {
    if ((s === first && same) || (s === last && idle)) return []
    return users.includes(s) ? [changed(s)] : [s]
  }
  const of = new Map(rest.map((s) => [s, made(s)])),
    between = new Set<LoopStmt>()
  eachStmt(
    region.flatMap((s) => of.get(s)!), // every statement has one
    (s) => void between.add(s),
  )
  return { body: rest.flatMap((s) => of.get(s)!), stores, between } // the same
}

/** Whether the element is nobody's from where the scalar is made: only its users touch the array, at other indices. */
function isFree(
  region: readonly LoopStmt[],
  users: readonly LoopStmt[],
  array: string,
  index: readonly Expr[],
): boolean {
  const isRead = readsIn(users.filter((s) => region.includes(s))).some(
    (r) => r.array === array && sameIndex(r.index, index),
  )
  return !isRead && region.every((s) => users.includes(s) || !arraysOf(s).has(array))
}

/** Nothing but the stores' own statements and what replaces the scalar sees the element while it is being made. */
function isSafe({ program, stores, between }: Demotion): boolean {
  const deps = knownDependences(program)
  if (!deps) return false
  return deps.every((d) => {
    const from = stores.has(d.source.statement),
      to = stores.has(d.sink.statement),
      own = sameIndex(d.source.index, d.sink.index)
    if (d.reduction || (!from && !to)) return true
    if (!(from && to) && (own || !between.has((from ? d.sink : d.source).statement))) return true
    if (from && to && d.level === null && own && isStart(d.source.statement as Store)) return true // stores alone
    const made = from ? d.source : d.sink // one of both is a store of the scalar's
    return (
      d.level !== null &&
      d.level <
        blockDepth(
          made.statement as Store,
          made.loops.map((l) => l.name),
        )
    )
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
