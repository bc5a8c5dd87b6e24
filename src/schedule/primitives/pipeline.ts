// pipeline: the registers of the next iteration are loaded before the current one computes, in two sets that take
// turns, so that the latency of workgroup memory passes behind arithmetic.
//
//   for k in 0 .. 8 { declare row: f32[4] temp private
//     for i in 0 .. 4 @vector { row[i] = T[k, i] }
//     for i in 0 .. 4 { s[i] += row[i] } }
// → declare row: f32[2, 4] temp private
//   for i in 0 .. 4 @vector { row[0, i] = T[0, i] }
//   for k in 0 .. 8 {
//     if k + 1 < 8 { for i in 0 .. 4 @vector { row[(k + 1) % 2, i] = T[k + 1, i] } }
//     for i in 0 .. 4 { s[i] += row[k % 2, i] } }
//
// Side conditions: the loop counts from 0 in steps of 1 to a constant; the arrays are private, declared in its body and
// filled there by copies that read nothing the loop writes; the rest of the body only reads them.
import { fail } from '../../base/index.ts'
import {
  add,
  int,
  literal,
  loopVar,
  lt,
  mod,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  constantExtent,
  eachStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  readsIn,
  replaceLoops,
  substituteStmt,
} from '../../ir/index.ts'

export function pipeline(
  program: Program,
  { loop: at, arrays }: { readonly loop: string; readonly arrays: readonly string[] },
): Program {
  const names = new Set(arrays)
  return replaceLoops(program, at, (l) => {
    const extent = constantExtent(l)
    if (extent === undefined || literal(l.lower) !== 0 || l.step !== 1)
      return fail('schedule.pipeline', `'${at}' must count from 0 in steps of 1 to a constant`)
    const declared: ArrayDecl[] = [],
      copies: LoopStmt[] = [],
      rest: LoopStmt[] = []
    for (const s of l.body) {
      if (s.kind === 'declare' && names.has(s.array.name)) declared.push(s.array)
      else if (fills(s, names)) copies.push(s)
      else rest.push(s)
    }
    if (declared.length !== arrays.length || copies.length !== arrays.length)
      fail('schedule.pipeline', `${arrays.join(', ')} are not all declared and filled once in '${at}'`)
    const written = new Set<string>()
    eachStmt(l.body, (s) => {
      if (s.kind === 'store') written.add(s.array)
    })
    if (readsIn(copies).some((r) => written.has(r.array)))
      fail('schedule.pipeline', `a copy in '${at}' reads what the loop writes`)
    const fill = (k: Expr): readonly LoopStmt[] =>
      copies.map((c) => intoSet(substituteStmt(c, new Map([[at, k]])), names, mod(k, 2)))
    const next = add(loopVar(at), int(1))
    const body: readonly LoopStmt[] = [
      { kind: 'if', condition: lt(next, int(extent)), then: fill(next), else: [] },
      ...rest.map((s) => fromSet(s, names, mod(loopVar(at), 2))),
    ]
    const wide = declared.map((a): LoopStmt => ({ kind: 'declare', array: { ...a, shape: [int(2), ...a.shape] } }))
    return [...wide, ...(extent > 0 ? fill(int(0)) : []), { ...l, body }]
  })
}

function fills(s: LoopStmt, names: ReadonlySet<string>): boolean {
  const stores: string[] = []
  eachStmt([s], (x) => {
    if (x.kind === 'store') stores.push(x.array)
  })
  return stores.length > 0 && stores.every((n) => names.has(n))
}

const intoSet = (s: LoopStmt, names: ReadonlySet<string>, set: Expr): LoopStmt =>
  mapBody([s], (x) =>
    x.kind === 'store' && names.has(x.array) ? [{ ...x, index: [set, ...x.index] }] : undefined,
  )[0] ?? s

const fromSet = (s: LoopStmt, names: ReadonlySet<string>, set: Expr): LoopStmt =>
  mapStmtExprs(s, (e) =>
    rewriteExpr(e, (x) => (x.kind === 'read' && names.has(x.array) ? { ...x, index: [set, ...x.index] } : undefined)),
  )
