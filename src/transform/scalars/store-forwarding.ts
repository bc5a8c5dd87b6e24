// In: a program in which an iteration stores to an element and then keeps there the larger or smaller of that and
// others: `h[i] = 0; h[i] = max(h[i], x); …`. Out: one store of the value that comes out. The one idea is store-to-load
// forwarding with the dead store gone: nothing between the two sees the element, so that loops are not divided between
// them.
import {
  loopIR,
  pass,
  readsArray,
  reduced,
  registerType,
  type ArrayDecl,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { isElsewhere, readsOf, sameIndex } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: i32[n] in global
//     array h: i32[n + 1] inout global
//     for i in 1 .. n + 1 {
//       h[i] = 0
//       h[i] max= x[i - 1]
//       h[i] max= h[i - 1] - 1
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: i32[n] in global
//     array h: i32[n + 1] inout global
//     for i in 1 .. n + 1 {
//       h[i] = max(max(0, x[i - 1]), h[i - 1] - 1)
//     }
//   }
export const storeForwarding = pass<Program>({
  name: 'store-forwarding',
  summary: 'what an iteration stores to an element and goes on with at once is stored when it is done',
  of: loopIR,
  run: (program) => {
    const arrays = new Map(program.arrays.map((a) => [a.name, a])),
      body = forwarded(program.body, arrays)
    return body === program.body ? program : { ...program, body }
  },
})

type Arrays = ReadonlyMap<string, ArrayDecl>

function forwarded(body: readonly LoopStmt[], arrays: Arrays): readonly LoopStmt[] {
  const out: LoopStmt[] = []
  let changed = false
  for (const s of body) {
    const inside = withBodies(s, arrays),
      last = out[out.length - 1],
      made = last && joined(last, inside, arrays)
    changed ||= inside !== s || made !== undefined
    if (made) out[out.length - 1] = made
    else out.push(inside)
  }
  return changed ? out : body
}

function withBodies(s: LoopStmt, arrays: Arrays): LoopStmt {
  if (s.kind === 'loop') {
    const body = forwarded(s.body, arrays)
    return body === s.body ? s : { ...s, body }
  }
  if (s.kind !== 'if') return s
  const then = forwarded(s.then, arrays),
    otherwise = forwarded(s.else, arrays)
  return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
}

/** Both stores as one, where the second goes on from the first and sees nothing else of it. */
function joined(first: LoopStmt, second: LoopStmt, arrays: Arrays): Store | undefined {
  if (first.kind !== 'store' || second.kind !== 'store' || first.array !== second.array) return undefined
  const array = arrays.get(first.array)
  if (!array || array.space !== 'global' || registerType(array.type) !== array.type) return undefined
  const isExtreme = second.reduce === 'min' || second.reduce === 'max'
  if (first.reduce || !isExtreme || first.atomic || second.atomic || first.index.length === 0) return undefined
  const isApart = readsOf([second.value]).every((r) => r.array !== array.name || isElsewhere(r.index, first.index))
  return isApart && sameIndex(first.index, second.index) && !first.index.some(readsArray)
    ? { ...second, reduce: null, value: reduced(second.reduce, first.value, second.value) }
    : undefined
}
