// In: loops in steps of several that only add up (`for (i = 0; i < n; i += 4) s += x[i]`). Out: the same in steps of
// one, over the terms. The one idea: i = first + step · t, and sums, products and extremes take their terms by number.
// Other loops keep their steps.
import {
  add,
  affineExpr,
  affineOf,
  int,
  literal,
  loopVar,
  mul,
  op,
  sub,
  eachStmt,
  mapBody,
  substituteStmt,
  uses,
  pass,
  loopIR,
  someStmt,
  type Loop,
  type Program,
  type LoopStmt,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array s: f32[] inout global
//     for i in 0 .. n step 2 {
//       s += x[i]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array s: f32[] inout global
//     for i in 0 .. (n + 1) / 2 {
//       s += x[i * 2]
//     }
//   }
export const unitSteps = pass({
  name: 'unit-steps',
  summary: 'loops that only add up in steps of several count by 1, their subscripts multiplied',
  of: loopIR,
  run: termByTerm,
})

/** `program` with such loops in steps of one; the same object where there are none. */
export function termByTerm(program: Program): Program {
  const body = mapBody(program.body, (s) => (s.kind === 'loop' && s.step > 1 && addsUp(s) ? inUnits(s) : undefined))
  return body === program.body ? program : { ...program, body }
}

/**
 * Whether all that the loop does, in loops inside that do not depend on it too, is to add to elements that it does not
 * choose, and to set locals of its iterations.
 */
function addsUp(l: Loop): boolean {
  const own = new Set<string>()
  eachStmt(l.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
  })
  const isShared = (s: LoopStmt): s is Store => s.kind === 'store' && !own.has(s.array),
    isOther = (s: LoopStmt): boolean =>
      (s.kind === 'loop' && (uses(s.lower, l.name) || uses(s.upper, l.name))) ||
      (isShared(s) && (s.reduce === null || s.index.some((x) => uses(x, l.name))))
  return someStmt(l.body, isShared) && !someStmt(l.body, isOther)
}

/** At a first value that is a number of 0 or more, so that what is below the end rounds as C divides. */
function inUnits(l: Loop): Loop[] | undefined {
  const first = literal(l.lower),
    end = affineOf(l.upper)
  if (first === undefined || first < 0 || !end) return undefined
  const value = add(mul(loopVar(l.name), int(l.step)), int(first)),
    span = affineOf(sub(add(l.upper, int(l.step - 1)), int(first)))
  return span
    ? [
        {
          ...l,
          lower: int(0),
          upper: op('div', [affineExpr(span), int(l.step)]),
          step: 1,
          body: l.body.map((s) => substituteStmt(s, new Map([[l.name, value]]))),
        },
      ]
    : undefined
}
