// In: a program. Out: the same, where a running value that goes on from what statements before its loop left starts
// from a copy of that. The one idea: `s2 = s; for …: { s2 += a[i]; b[i] = s2 }` is a scan wherever `s` comes from, so
// what makes its start (a sum over the first window) is another computation, with threads of its own.
import {
  read,
  registerType,
  store,
  claimName,
  eachStmt,
  namesOf,
  readsIn,
  pass,
  loopIR,
  storedIn,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { onElements } from '../expansion/ragged-scalar-expansion.ts'
import { formOf } from './idioms.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare s: f32[] temp private
//     s = 0.0f
//     for k in 0 .. 4 {
//       s += x[k]
//     }
//     for i in 0 .. n {
//       s += x[i]
//       y[i] = s
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare s: f32[] temp private
//     s = 0.0f
//     for k in 0 .. 4 {
//       s += x[k]
//     }
//     declare s_on: f32[] temp private
//     s_on = s
//     for i in 0 .. n {
//       s_on += x[i]
//       y[i] = s_on
//     }
//   }
export const scanRenaming = pass({
  name: 'scan-renaming',
  summary: 'a running value that goes on from what statements before its loop left starts from a copy of that',
  of: loopIR,
  run: restarted,
})

/** `program` with such copies in front of loops that are scans then. */
export function restarted(program: Program): Program {
  const arrays = new Map(program.arrays.map((a) => [a.name, a])),
    taken = namesOf(program)
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  })
  const body = inBlock(program.body, arrays, taken)
  return body === program.body ? program : { ...program, body }
}

function inBlock(given: readonly LoopStmt[], arrays: Map<string, ArrayDecl>, taken: Set<string>): readonly LoopStmt[] {
  let body = given
  for (let at = 1; at < body.length; at++) {
    const loop = body[at]!
    if (loop.kind !== 'loop') continue
    const scalar = body
      .slice(0, at)
      .flatMap((s) => (s.kind === 'declare' ? [s.array] : []))
      .find((a) => isLeft(a, body.slice(0, at), loop))
    const copy: ArrayDecl | undefined = scalar && { ...scalar, name: claimName(taken, `${scalar.name}_on`) }
    if (!scalar || !copy) continue
    const [moved, ...later] = body.slice(at).map((s) => redirected(s, scalar, copy)),
      start = store(copy, [], read(scalar, []))
    arrays.set(copy.name, copy)
    if (formOf(arrays, [start, moved!])?.kind === 'scan')
      body = [...body.slice(0, at), { kind: 'declare', array: copy }, start, moved!, ...later] // there is a loop
    at = body.indexOf(moved!) < 0 ? at : body.indexOf(moved!)
  }
  let changed = body !== given
  const out = body.map((s): LoopStmt => {
    if (s.kind !== 'loop') return s
    const inner = inBlock(s.body, arrays, taken)
    changed ||= inner !== s.body
    return inner === s.body ? s : { ...s, body: inner }
  })
  return changed ? out : given
}

/** A private scalar that a loop in front has left, and that `loop` changes and reads. */
function isLeft(a: ArrayDecl, before: readonly LoopStmt[], loop: Loop): boolean {
  const last = before[before.length - 1]! // there is one
  const plain = a.space === 'private' && a.shape.length === 0 && registerType(a.type) === a.type
  return (
    plain &&
    !(last.kind === 'store' && last.array === a.name) &&
    before.some((s) => s.kind === 'loop' && storedIn([s]).includes(a.name)) &&
    storedIn(loop.body).includes(a.name) &&
    readsIn(loop.body).some((r) => r.array === a.name)
  )
}

/** What a statement does with `from`, with `to`. */
export const redirected = (s: LoopStmt, from: ArrayDecl, to: ArrayDecl): LoopStmt => onElements([s], from, to, [])[0]!

/**
 * `later` going on from `value` in place of the scalar's own, in a copy that `set` makes; with nothing to set where it
 * uses no such scalar.
 */
export function behind(
  later: readonly LoopStmt[],
  scalar: ArrayDecl,
  value: Expr,
  taken: Set<string>,
): { readonly set: readonly LoopStmt[]; readonly later: readonly LoopStmt[] } {
  if (!touches(later, scalar.name)) return { set: [], later }
  const copy: ArrayDecl = { ...scalar, name: claimName(taken, `${scalar.name}_on`) }
  return {
    set: [{ kind: 'declare', array: copy }, store(copy, [], value)],
    later: later.map((s) => redirected(s, scalar, copy)),
  }
}

/** Whether statements read the array or store to it. */
export const touches = (body: readonly LoopStmt[], array: string): boolean =>
  storedIn(body).includes(array) || readsIn(body).some((r) => r.array === array)
