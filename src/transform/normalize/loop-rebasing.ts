// In: loops over strips that loops around them choose (`for (c = 8 k; c < 8 (k + 1); c++)`). Out: the same from 0,
// their variable replaced by first value + number. The one idea is loop normalization as in Allen and Kennedy's book:
// only bounds that outer loops do not move make a nest rectangular, and only subscripts show that iterations of both
// never meet. Triangles keep their bounds, and so do windows that slide, whose iterations meet.
import {
  addScaled,
  affineExpr,
  affineOf,
  add,
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
  summary: 'loops over strips that lie beside each other, one for each iteration of a loop around, count from 0',
  of: loopIR,
  run: (program) => {
    const body = mapBody(program.body, (s) => (s.kind === 'loop' ? fromZero(s) : undefined))
    return body === program.body ? program : { ...program, body }
  },
})

/** `undefined` where the loop begins at the same place always, or its iterations are others' too. */
function fromZero(l: Loop): Loop[] | undefined {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (!lower || !upper || l.step !== 1 || varsOf(l.lower).size === 0) return undefined
  const count = addScaled(upper, lower, -1)
  const strides = [...lower.terms].filter(([name]) => !name.startsWith('$')).map(([, c]) => Math.abs(c))
  if (count.terms.size > 0 || strides.some((c) => c < count.constant)) return undefined
  const at = new Map([[l.name, add(l.lower, loopVar(l.name))]])
  return [{ ...l, lower: int(0), upper: affineExpr(count), body: l.body.map((s) => substituteStmt(s, at)) }]
}
