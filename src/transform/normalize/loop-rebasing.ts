// In: loops whose first value moves with loops around them while the number of their iterations does not
// (`for (c = 8 k; c < 8 (k + 1); c++)`). Out: the same from 0, their variable replaced by first value + number. The one
// idea is loop normalization as in Allen and Kennedy's book: only bounds that outer loops do not move make a nest
// rectangular, and only subscripts show which iterations of both meet. Triangles keep their bounds.
import {
  addScaled,
  affineExpr,
  affineOf,
  add,
  hasOnlySizes,
  int,
  loopIR,
  loopVar,
  mapBody,
  pass,
  substituteStmt,
  varsOf,
  type Loop,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n * 4] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//       for j in i * 4 .. i * 4 + 4 {
//         y[i] += x[j]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n * 4] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//       for j in 0 .. 4 {
//         y[i] += x[i * 4 + j]
//       }
//     }
//   }
export const loopRebasing = pass<Program>({
  name: 'loop-rebasing',
  summary: 'loops that begin where outer loops say, and have as many iterations wherever they begin, count from 0',
  of: loopIR,
  run: (program) => {
    const body = mapBody(program.body, (s) => (s.kind === 'loop' ? fromZero(s) : undefined))
    return body === program.body ? program : { ...program, body }
  },
})

/** `undefined` where the loop begins at the same place always, or outer loops say how many iterations it has. */
function fromZero(l: Loop): Loop[] | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (!lower || !upper || l.step !== 1 || varsOf(l.lower).size === 0) return undefined
  const count = addScaled(upper, lower, -1)
  if (!hasOnlySizes(count)) return undefined
  const at = new Map([[l.name, add(l.lower, loopVar(l.name))]])
  return [{ ...l, lower: int(0), upper: affineExpr(count), body: l.body.map((s) => substituteStmt(s, at)) }]
}
