// In: a LoopIR program. Out: the same, local variables that are used again for something else split into several. The
// one idea: a statement that sets a local before it reads it, and whose value nobody reads later, has a variable of its
// own; names that people use twice would chain computations that have nothing to do with each other.
import {
  accesses,
  coversWhole,
  mapStmts,
  namesOf,
  type Access,
  type ArrayDecl,
  type Declare,
  type LoopStmt,
  type Program,
  pass,
  loopIR,
} from '../../ir/index.ts'
import { assignedFirst, writtenFirst } from './privatization.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare t: f32[] temp private
//     for i in 0 .. n {
//       t = x[i]
//       y[i] = t
//     }
//     for j in 0 .. n {
//       t = y[j]
//       y[j] = t * t
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare t_2: f32[] temp private
//     for i in 0 .. n {
//       declare t: f32[] temp private
//       t = x[i]
//       y[i] = t
//     }
//     for j in 0 .. n {
//       t_2 = y[j]
//       y[j] = t_2 * t_2
//     }
//   }
export const liveRangeSplitting = pass({
  name: 'live-range-splitting',
  summary: 'a local that is set again before it is read is a local for each stretch between',
  of: loopIR,
  run: splitRanges,
})

/** One local for every stretch of statements of a block that use it together; the same object when nothing changes. */
export function splitRanges(p: Program): Program {
  const body = splitBlock(p, p.body, namesOf(p))
  return body === p.body ? p : { ...p, body }
}

/** `body` stands somewhere in `p`. */
function splitBlock(p: Program, given: readonly LoopStmt[], taken: Set<string>): readonly LoopStmt[] {
  let body = given
  for (const s of given)
    if (s.kind === 'declare') body = sunk({ ...p, body: splitOne({ ...p, body }, s.array, taken) }, s)
  const inner = body.map((s) => {
    const next = s.kind === 'loop' ? splitBlock(p, s.body, taken) : undefined
    return s.kind !== 'loop' || !next || next === s.body ? s : { ...s, body: next }
  })
  return inner.every((s, i) => s === body[i]) ? body : inner
}

/** Stretches of statements of the block `p.body` that use a local: where each begins, and whether it is set there. */
function stretches(
  p: Program,
  array: ArrayDecl,
  declared: boolean,
): { readonly users: readonly number[]; readonly starts: readonly number[] } {
  const own = accesses(p).filter(
    (a) => a.array === array.name && (declared ? a.declared?.loops === 0 : a.declared === undefined),
  )
  const users = [...new Set(own.map((a) => a.path[0]!))] // every access is in some statement
  const sets = users.map((at) =>
    setsAlone(
      array,
      p.body[at]!,
      own.filter((a) => a.path[0] === at),
    ),
  )
  const starts = users.filter(
    (_, i) => sets[i] === 'always' || (sets[i] === 'inside' && (i + 1 === users.length || sets[i + 1] !== null)),
  )
  return { users, starts }
}

/**
 * The block with the declaration inside of the one loop that uses the local, when no iteration sees what another left.
 */
function sunk(p: Program, declare: Declare): readonly LoopStmt[] {
  const { users } = stretches(p, declare.array, true)
  const at = users.length === 1 ? users[0]! : -1
  const l = p.body[at]
  if (l?.kind !== 'loop') return p.body
  const inside = stretches({ ...p, body: l.body }, declare.array, false)
  if (inside.users.length === 0 || inside.starts[0] !== inside.users[0]) return p.body
  return p.body.flatMap((s, i) => (s === declare ? [] : i === at ? [{ ...l, body: [declare, ...l.body] }] : [s]))
}

function splitOne(p: Program, array: ArrayDecl, taken: Set<string>): readonly LoopStmt[] {
  const { users, starts } = stretches(p, array, true)
  let body = p.body
  for (const [i, start] of starts.entries()) {
    if (start === users[0]) continue
    let name = `${array.name}_${i + 1}`
    while (taken.has(name)) name += '_'
    taken.add(name)
    const end = users.find((u) => u > start && starts.includes(u)) ?? body.length
    const copy: LoopStmt = { kind: 'declare', array: { ...array, name } }
    body = [...body.map((s, at) => (at >= start && at < end ? renamed(s, array.name, name) : s)), copy]
  }
  if (body === p.body) return body
  const declares = body.slice(p.body.length)
  return [...declares, ...body.slice(0, p.body.length)]
}

/**
 * Whether a statement gives the local a new value before any use: certainly, in every iteration that uses it, or not.
 */
function setsAlone(array: ArrayDecl, s: LoopStmt, own: readonly Access[]): 'always' | 'inside' | null {
  const [first] = own
  if (s.kind === 'store') return first?.kind === 'write' && coversWhole(array, first, 0) ? 'always' : null
  if (s.kind !== 'loop') return null
  const isSet = array.shape.length === 0 ? assignedFirst([s], array.name) !== 'read' : writtenFirst(array, own, 1)
  return isSet ? 'inside' : null
}

function renamed(s: LoopStmt, from: string, to: string): LoopStmt {
  return mapStmts(
    [s],
    (e) => (e.kind === 'read' && e.array === from ? { ...e, array: to } : e),
    (x) => [x.kind === 'store' && x.array === from ? { ...x, array: to } : x],
  )[0]! // one statement in, one out
}
