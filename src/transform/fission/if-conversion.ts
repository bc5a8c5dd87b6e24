// In: conditions on places with a loop in a branch (`if (j > i) c = 0; else for …`). Out: each branch under a condition
// of its own. The one idea is if-conversion as in Allen and Kennedy's book: statements under guards can be distributed,
// and a guard on places is a bound of the loops around; two branches hold each other together. Branches without loops
// stay: a choice is cheaper than two tests. Conditions on data stay as well, but where a later iteration needs in one
// branch what the other has left (`if (b[i] < 0) c[i + 1] = a[i]; else a[i] = c[i];`): those are for callers to try.
import { hasLoop } from '../../analysis/index.ts'
import {
  leavesCondition,
  loopIR,
  mapBody,
  negated,
  pass,
  readsArray,
  when,
  type If,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array a: f32[n, n] in global
//     array c: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         if j > i {
//           c[i, j] = 0.0f
//         } else {
//           for k in j .. i + 1 {
//             c[i, j] += a[i, k]
//           }
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array a: f32[n, n] in global
//     array c: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         if j > i {
//           c[i, j] = 0.0f
//         }
//         if j <= i {
//           for k in j .. i + 1 {
//             c[i, j] += a[i, k]
//           }
//         }
//       }
//     }
//   }
export const ifConversion = pass<Program>({
  name: 'if-conversion',
  summary: 'two branches, one of them with a loop, stand under conditions on places of their own',
  of: loopIR,
  run: (program) => {
    const body = mapBody(program.body, (s) => (s.kind === 'if' && isSplit(s) ? branchesOf(s) : undefined))
    return body === program.body ? program : { ...program, body }
  },
})

const isSplit = (s: If): boolean => s.else.length > 0 && hasLoop(s) && !readsArray(s.condition)

/**
 * `program` with the branches without loops in the loop at `position` apart, in the order of the source and in the
 * other one; none where there are no such branches. An iteration takes one of them, so both orders mean the same; which
 * one dependences allow across iterations is for the caller to ask.
 */
export function withBranchesApart(program: Program, position: number): readonly Program[] {
  const loop = program.body[position]
  if (loop?.kind !== 'loop') return []
  const isTaken = (s: LoopStmt): s is If => s.kind === 'if' && s.else.length > 0 && !hasLoop(s) && leavesCondition(s)
  return [branchesOf, (s: If) => branchesOf(s).toReversed()].flatMap((f) => {
    const body = mapBody([loop], (s) => (isTaken(s) ? f(s) : undefined))
    return body[0] === loop ? [] : [{ ...program, body: program.body.toSpliced(position, 1, ...body) }]
  })
}

const branchesOf = (s: If): readonly LoopStmt[] => [when(s.condition, s.then), when(negated(s.condition), s.else)]
