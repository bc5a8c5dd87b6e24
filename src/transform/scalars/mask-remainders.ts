// In: a program that takes the low bits of a sum of its loops' variables (`((i + j) & 1) == 0`, as checkerboards are
// written). Out: the same as remainders (`(i + j) % 2`), which the analysis of places knows. The one idea is a
// canonical form of one operation in two spellings: of what is never negative they are the same. A single variable
// keeps its mask, which says digits of a place (butterflies, histograms of bits).
import {
  affineOf,
  implies,
  insideLoop,
  int,
  literal,
  loopIR,
  mapStmtExprs,
  op,
  ownExprs,
  pass,
  rewriteExpr,
  sizeDomain,
  type Domain,
  type Expr,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array u: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         if (i + j & 1) == 0 {
//           u[i, j] = 0.0f
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array u: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         if (i + j) % 2 == 0 {
//           u[i, j] = 0.0f
//         }
//       }
//     }
//   }
export const maskRemainders = pass<Program>({
  name: 'mask-remainders',
  summary: 'low bits of a sum of places that is never negative are its remainder by a power of two',
  of: loopIR,
  run: (program) => {
    const body = masked(program.body, sizeDomain(program))
    return body === program.body ? program : { ...program, body }
  },
})

function masked(body: readonly LoopStmt[], d: Domain): readonly LoopStmt[] {
  const out = body.map((s): LoopStmt => {
    const own = ownMasked(s, d)
    if (own.kind === 'loop') {
      const inner = masked(own.body, insideLoop(d, own))
      return inner === own.body ? own : { ...own, body: inner }
    }
    if (own.kind !== 'if') return own
    const [then, other] = [masked(own.then, d), masked(own.else, d)]
    return then === own.then && other === own.else ? own : { ...own, then, else: other }
  })
  return out.every((s, i) => s === body[i]) ? body : out
}

/** The statement with its own expressions so written; what stands in it is left. */
function ownMasked(s: LoopStmt, d: Domain): LoopStmt {
  const f = (e: Expr): Expr => rewriteExpr(e, (x) => remainderOf(x, d))
  if (s.kind === 'if') {
    const condition = f(s.condition)
    return condition === s.condition ? s : { ...s, condition }
  }
  if (s.kind !== 'loop') return ownExprs(s).every((e) => f(e) === e) ? s : mapStmtExprs(s, f)
  const [lower, upper] = [f(s.lower), f(s.upper)]
  return lower === s.lower && upper === s.upper ? s : { ...s, lower, upper }
}

function remainderOf(x: Expr, d: Domain): Expr | undefined {
  if (x.kind !== 'op' || x.op !== 'and' || x.type !== 'i32') return undefined
  const [sum, mask] = x.args as readonly [Expr, Expr], // two arguments
    form = affineOf(sum),
    ones = literal(mask)
  const variables = [...(form?.terms.keys() ?? [])].filter((name) => !name.startsWith('$'))
  if (!form || ones === undefined || ones < 1 || (ones & (ones + 1)) !== 0 || variables.length < 2) return undefined
  return implies(d.constraints, form) ? op('rem', [sum, int(ones + 1)]) : undefined
}
