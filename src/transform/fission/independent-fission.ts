// In: a program. Out: the same, where a loop in which several computations stand side by side that share nothing
// written (two counters of what goes here and what goes there) is a loop for each, if each is a form then. The one
// idea: what no statement of one writes and another one names can be done one after the other; `if … else …` is two
// conditions where the first arm leaves the condition alone.
import {
  op,
  when,
  type ArrayDecl,
  type LoopStmt,
  type Loop,
  type Program,
  type Store,
  eachStmt,
  pass,
  loopIR,
} from '../../ir/index.ts'
import { isStore, mentionsAny } from '../../analysis/index.ts'
import { arraysOf } from './loop-distribution.ts'
import { formOf } from '../idioms/idioms.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array a: f32[n] inout global
//     array b: f32[n] inout global
//     declare u: i32[] temp private
//     u = 0
//     declare v: i32[] temp private
//     v = 0
//     for i in 0 .. n {
//       if x[i] > 0.0f {
//         a[u] = x[i]
//         u += 1
//       } else {
//         b[v] = x[i]
//         v += 1
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array a: f32[n] inout global
//     array b: f32[n] inout global
//     declare u: i32[] temp private
//     declare v: i32[] temp private
//     u = 0
//     for i in 0 .. n {
//       if x[i] > 0.0f {
//         a[u] = x[i]
//         u += 1
//       }
//     }
//     v = 0
//     for i in 0 .. n {
//       if !(x[i] > 0.0f) {
//         b[v] = x[i]
//         v += 1
//       }
//     }
//   }
export const independentFission = pass({
  name: 'independent-fission',
  summary: 'computations in one loop that share nothing written get a loop each where each is an idiom then',
  of: loopIR,
  run: unmixed,
})

/** `program` with such loops apart, each behind what its scalars start with. */
export function unmixed(program: Program): Program {
  const arrays = new Map<string, ArrayDecl>(program.arrays.map((a) => [a.name, a]))
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  })
  let body = program.body
  for (let at = 0; at < body.length; at++) {
    const s = body[at]!,
      made = s.kind === 'loop' ? apart(arrays, body.slice(0, at), s) : undefined
    if (!made) continue
    body = [...made, ...body.slice(at + 1)]
    at = made.length - 1
  }
  return body === program.body ? program : { ...program, body }
}

/** All up to the loop, with a loop for each of its computations; `undefined` when it has one, or they are no forms. */
function apart(
  arrays: ReadonlyMap<string, ArrayDecl>,
  before: readonly LoopStmt[],
  l: Loop,
): readonly LoopStmt[] | undefined {
  if (l.body.some((s) => s.kind === 'loop' || s.kind === 'declare') || formOf(arrays, [...scalarsBefore(before, l), l]))
    return undefined
  const groups = sideBySide(l.body.flatMap(armsOf))
  if (groups.length < 2) return undefined
  const own = groups.map((body) => {
    const loop = { ...l, body }
    return { loop, starts: scalarsBefore(before, loop) }
  })
  const starts = own.flatMap((x) => x.starts)
  if (new Set(starts).size < starts.length || !own.every((x) => formOf(arrays, [...x.starts, x.loop]) !== undefined))
    return undefined
  return [...before.filter((s) => !starts.some((x) => x === s)), ...own.flatMap((x) => [...x.starts, x.loop])]
}

/**
 * The constants that scalars of the loop start with, right before it; nothing that stands there with them names these.
 */
function scalarsBefore(before: readonly LoopStmt[], l: Loop): readonly Store[] {
  const from = before.findLastIndex((s) => !isStore(s) && s.kind !== 'declare') + 1,
    run = before.slice(from).filter(isStore),
    changed = writtenBy(l)
  return run.filter(
    (s) =>
      s.index.length === 0 &&
      s.value.kind === 'const' &&
      !s.reduce &&
      changed.has(s.array) &&
      run.every((x) => x === s || (x.array !== s.array && !mentionsAny([x.value, ...x.index], [s.array]))),
  )
}

function writtenBy(s: LoopStmt): ReadonlySet<string> {
  const out = new Set<string>()
  eachStmt([s], (x) => {
    if (x.kind === 'store') out.add(x.array)
  })
  return out
}

/** The arms of an `if` as conditions of their own. */
function armsOf(s: LoopStmt): readonly LoopStmt[] {
  if (s.kind !== 'if' || s.else.length === 0 || s.then.some((x) => mentionsAny([s.condition], [...writtenBy(x)])))
    return [s]
  return [when(s.condition, s.then), when(op('lnot', [s.condition]), s.else)]
}

/** Statements in groups, in order: no group writes what another one names. */
function sideBySide(body: readonly LoopStmt[]): readonly (readonly LoopStmt[])[] {
  let groups: (readonly LoopStmt[])[] = []
  for (const s of body) {
    const meets = (g: readonly LoopStmt[]): boolean => g.some((x) => shares(x, s) || shares(s, x))
    const joined = groups.filter(meets)
    groups = [...groups.filter((g) => !meets(g)), [...joined.flat(), s]]
  }
  return groups
}

/** Whether `a` writes what `b` names. */
const shares = (a: LoopStmt, b: LoopStmt): boolean => [...writtenBy(a)].some((name) => arraysOf(b).has(name))
