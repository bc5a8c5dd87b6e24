// In: a LoopIR program. Out: the same, where a loop over the part of a window that lies in an array runs over all of
// the window, under conditions. The one idea: index set enlarging with predication (Allen et al., 1983): of
// `max(a, b) .. min(c, d)`, a and c that are a constant apart are the window, and b and d are where the array ends. The
// order of the iterations stays, so sums keep theirs.
import {
  addScaled,
  affineExpr,
  affineOf,
  claimName,
  int,
  loopIR,
  loopVar,
  lt,
  op,
  add,
  mapBody,
  mapStmtExprs,
  namesOf,
  pass,
  readsArray,
  rewriteExpr,
  sizesIn,
  substituteStmt,
  varsOf,
  withGuard,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for p in max(i - 2, 0) .. min(i + 3, n) {
//         s += x[p]
//       }
//       y[i] = s
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for p_window in 0 .. 5 {
//         if 0 <= i - 2 + p_window && i - 2 + p_window < n {
//           s += x[i - 2 + p_window]
//         }
//       }
//       y[i] = s
//     }
//   }
export const constantWindows = pass({
  name: 'constant-windows',
  summary: 'a loop over the part of a window of constant length that lies in an array runs over the window, guarded',
  of: loopIR,
  run: (program: Program) => {
    const taken = namesOf(program)
    const body = mapBody(program.body, (s) => (s.kind === 'loop' ? window(s, taken) : undefined))
    return body === program.body ? program : { ...program, body }
  },
})

/** Longest window: a longer one that is mostly outside would cost more than its conditions save. */
const longest = 64

function window(l: Loop, taken: Set<string>): readonly LoopStmt[] | undefined {
  const starts = operands(l.lower, 'max'),
    ends = operands(l.upper, 'min')
  if (l.step !== 1 || starts.length + ends.length < 3 || [...starts, ...ends].some(readsArray)) return undefined
  for (const start of starts)
    for (const end of ends) {
      const length = apart(start, end)
      if (length === undefined || length > longest || !overlaps(start, length)) continue
      const name = claimName(taken, `${l.name}_window`),
        place = add(start, loopVar(name)),
        guards = [
          ...starts.filter((e) => e !== start).map((e) => op('le', [e, place])),
          ...ends.filter((e) => e !== end).map((e) => lt(place, e)),
        ],
        body = l.body.map((s) => withCancelled(substituteStmt(s, new Map([[l.name, place]]))))
      return [{ ...l, name, lower: int(0), upper: int(length), body: withGuard(guards, body) }]
    }
  return undefined
}

/** Subscripts in which what the place adds, and the source takes away, is gone: `i - (i - 2 + p)` is `2 - p`. */
const withCancelled = (s: LoopStmt): LoopStmt =>
  mapStmtExprs(s, (e) => rewriteExpr(e, (x) => (x.kind === 'op' && x.type === 'i32' ? folded(x) : undefined)))

/** A sum as a linear form of fewer loops, where it is one. */
function folded(e: Expr): Expr | undefined {
  const form = affineOf(e)
  return form && [...form.terms.keys()].length < varsOf(e).size + new Set(sizesIn(e)).size
    ? affineExpr(form)
    : undefined
}

/** What the greatest, or the least, is taken of; what is added to that goes to each. */
function operands(e: Expr, what: 'min' | 'max'): readonly Expr[] {
  if (e.kind !== 'op') return [e]
  const [a, b] = [e.args[0]!, e.args[1]] // each op has one at least
  if (e.op === what) return e.args.flatMap((x) => operands(x, what))
  if (!b || (e.op !== 'add' && e.op !== 'sub')) return [e]
  const left = operands(a, what)
  if (left.length > 1) return left.map((x) => op(e.op, [x, b]))
  const right = e.op === 'add' ? operands(b, what) : []
  return right.length > 1 ? right.map((x) => add(a, x)) : [e]
}

/** `end - start` where it is a constant. */
function apart(start: Expr, end: Expr): number | undefined {
  const [from, to] = [affineOf(start), affineOf(end)],
    between = from && to && addScaled(to, from, -1)
  return between?.terms.size === 0 ? between.constant : undefined
}

/** Whether windows that begin there overlap: loops over parts that do not are strips, whose ends are no conditions. */
function overlaps(start: Expr, length: number): boolean {
  const steps = [...(affineOf(start)?.terms ?? [])].filter(([n]) => !n.startsWith('$')).map(([, c]) => Math.abs(c))
  return steps.length > 0 && steps.every((c) => c < length)
}
