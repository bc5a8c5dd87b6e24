// In: loops over strips that loops around them choose (`for (c = 8 k; c < 8 (k + 1); c++)`). Out: the same from 0,
// their variable replaced by first value + number. The one idea is loop normalization as in Allen and Kennedy's book:
// only bounds that outer loops do not move make a nest rectangular, and only subscripts show that iterations of both
// never meet. Triangles keep their bounds, and so do windows that slide, whose iterations meet.
import {
  coefficients,
  countedFromZero,
  isPositive,
  loopIR,
  mapBody,
  ofSizes,
  pass,
  plusScaled,
  polynomialOf,
  signedSizes,
  varsOf,
  symbolsOf,
  type Loop,
  type Program,
  type Signed,
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
    const signed = signedSizes(symbolsOf(program)),
      body = mapBody(program.body, (s) => (s.kind === 'loop' ? fromZero(s, signed) : undefined))
    return body === program.body ? program : { ...program, body }
  },
})

/** `undefined` where the loop begins at the same place always, or its iterations are others' too. */
function fromZero(l: Loop, signed: Signed): Loop[] | undefined {
  const lower = polynomialOf(l.lower),
    upper = polynomialOf(l.upper),
    vars = varsOf(l.lower)
  if (!lower || !upper || l.step !== 1 || vars.size === 0) return undefined
  const count = plusScaled(upper, lower, -1),
    strides = coefficients(lower, vars)
  if (!strides || !ofSizes(count)) return undefined
  const isApart = [...strides.of.values()].every((c) =>
    [1, -1].some((way) => isPositive(plusScaled(plusScaled(new Map(), c, way), count, -1), signed)),
  )
  const made = isApart && countedFromZero(l)
  return made ? [made] : undefined
}
