// double-buffer: a staged tile gets two halves that take turns, so that one barrier per iteration is enough: while some
// threads still read one half, others may already fill the other.
//
//   for ko in 0 .. n { declare T: f32[32] temp shared
//     for t in 0 .. 32 @thread(1) { T[t] = x[ko * 32 + t] }
//     for t in 0 .. 32 @thread(1) { y[ko * 32 + t] = T[31 - t] } }
// → declare T: f32[2, 32] temp shared
//   for ko in 0 .. n {
//     for t in 0 .. 32 @thread(1) { T[ko % 2, t] = x[ko * 32 + t] }
//     for t in 0 .. 32 @thread(1) { y[ko * 32 + t] = T[ko % 2, 31 - t] } }
//
// Side conditions: the array is declared in the loop's body, in workgroup memory, and each iteration writes it before
// it reads it (it is a staged copy).
import { fail } from '../../base/index.ts'
import {
  int,
  loopVar,
  mod,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  replaceLoops,
} from '../../ir/index.ts'

export function doubleBuffer(
  program: Program,
  { loop: at, arrays }: { readonly loop: string; readonly arrays: readonly string[] },
): Program {
  return replaceLoops(program, at, (l) => {
    const declared: ArrayDecl[] = []
    const kept = l.body.filter((s) => {
      const own = s.kind === 'declare' && arrays.includes(s.array.name)
      if (own) declared.push(s.array)
      return !own
    })
    if (declared.length !== arrays.length || declared.some((a) => a.space !== 'shared'))
      fail('schedule.double-buffer', `${arrays.join(', ')} are not all declared in '${at}', in workgroup memory`)
    const half = mod(loopVar(at), 2)
    const names = new Set(arrays)
    const inHalf = (e: Expr): Expr =>
      rewriteExpr(e, (x) => (x.kind === 'read' && names.has(x.array) ? { ...x, index: [half, ...x.index] } : undefined))
    const body = mapBody(
      kept.map((s) => mapStmtExprs(s, inHalf)),
      (s) => (s.kind === 'store' && names.has(s.array) ? [{ ...s, index: [half, ...s.index] }] : undefined),
    )
    const wide = declared.map((a): LoopStmt => ({ kind: 'declare', array: { ...a, shape: [int(2), ...a.shape] } }))
    return [...wide, { ...l, body }]
  })
}
