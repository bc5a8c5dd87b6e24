// In: loops between constants that run once (`for (k = 0; k < 1; k++)`). Out: their bodies, with the value in place of
// the variable. The one idea (MLIR's `promoteIfSingleIteration`): such a loop says nothing, but it is one more loop of
// the nest to every pass and sketch behind it. Loops whose ends are sizes stay, and so do those that declare something
// of their own, whose name would stand beside another's.
import { constantExtent, literal, loopIR, int, mapBody, pass, substituteStmt, type Program } from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n, 1] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//       for c in 0 .. 1 {
//         y[i] += x[i, c]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n, 1] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//       y[i] += x[i, 0]
//     }
//   }
export const singleIterationPromotion = pass({
  name: 'single-iteration-promotion',
  summary: 'a loop between constants that runs once is its body',
  of: loopIR,
  run: promoted,
})

function promoted(program: Program): Program {
  const body = mapBody(program.body, (s) => {
    if (s.kind !== 'loop' || constantExtent(s) !== 1 || s.body.some((x) => x.kind === 'declare')) return undefined
    const first = literal(s.lower)
    if (first === undefined) return undefined
    const by = new Map([[s.name, int(first)]])
    return s.body.map((x) => substituteStmt(x, by))
  })
  return body === program.body ? program : { ...program, body }
}
