// fragment: what one iteration of a loop reads of a staged tile is first copied into registers, so that every value is
// loaded once and serves all outputs of the thread.
//
//   for k in 0 .. 2 { for i in 0 .. 4 { for j in 0 .. 4 { s[i, j] += T[k, i] } } }
// → for k in 0 .. 2 { declare row: f32[4] temp private
//     for row_i in 0 .. 4 @vector { row[row_i] = T[k, row_i] }
//     for i in 0 .. 4 { for j in 0 .. 4 { s[i, j] += row[i] } } }
//
// Side conditions: all reads of the array in the loop's body are the same element expression; the named loops are the
// loops inside that it uses, with constant extents; the body does not write the array.
import { fail } from '../../base/index.ts'
import { int, loop, loopVar, registerType, type ArrayDecl, type Expr, type Loop, type LoopStmt, type Program } from '../../ir/index.ts'
import { constantExtent, eachStmt, exprKey, freshName, mapStmtExprs, mapExpr, readsIn, replaceLoops, substitute, uses } from '../tree.ts'
import { declarationOf } from './stage.ts'

export interface Fragment {
  readonly array: string
  /** The loop in whose every iteration the registers are filled. */
  readonly at: string
  readonly as: string
  /** The copy's innermost loop becomes a vector access when its extent is 2 or 4. */
  readonly vector?: boolean
}

export function fragment(program: Program, options: Fragment): Program {
  const array = declarationOf(program, options.array)
  const name = freshName(program, options.as)
  return replaceLoops(program, options.at, (l) => [{ ...l, body: filled(l.body, array, name, options) }])
}

function filled(body: readonly LoopStmt[], array: ArrayDecl, name: string, o: Fragment): readonly LoopStmt[] {
  const reads = readsIn(body).filter((r) => r.array === array.name)
  const first = reads[0] ?? fail('schedule.fragment', `'${array.name}' is not read in '${o.at}'`)
  if (!reads.every((r) => exprKey(r) === exprKey(first))) fail('schedule.fragment', `'${array.name}' is read at several elements in '${o.at}'`)
  const loops = loopsUsed(body, first.index)
  const extents = loops.map((l) => constantExtent(l) ?? fail('schedule.fragment', `the extent of '${l.name}' is not a constant`))
  const registers: ArrayDecl = { name, type: array.type, shape: extents.map(int), role: 'temp', space: 'private' }
  const renamed = loops.map((l) => `${name}_${l.name}`)
  const by = new Map(loops.map((l, i) => [l.name, loopVar(renamed[i]!)]))
  const store: LoopStmt = { kind: 'store', array: name, index: renamed.map(loopVar), reduce: null, value: { ...first, index: first.index.map((e) => substitute(e, by)) } }
  const innermost = loops.length - 1
  const vector = o.vector && [2, 4].includes(extents[innermost]!)
  const copy = loops.reduceRight<LoopStmt>((inner, _, i) => loop(renamed[i]!, int(extents[i]!), [inner], { bind: { kind: i === innermost && vector ? 'vector' : 'unroll' } }), store)
  const fromRegisters: Expr = { kind: 'read', type: registerType(array.type), array: name, index: loops.map((l) => loopVar(l.name)) }
  const key = exprKey(first)
  const rest = body.map((s) => mapStmtExprs(s, (e) => mapExpr(e, (x) => (x.kind === 'read' && exprKey(x) === key ? fromRegisters : undefined))))
  return [{ kind: 'declare', array: registers }, copy, ...rest]
}

/** Loops inside `body` that the index uses, outermost first. */
function loopsUsed(body: readonly LoopStmt[], index: readonly Expr[]): readonly Loop[] {
  const out: Loop[] = []
  eachStmt(body, (s) => {
    if (s.kind === 'loop' && index.some((e) => uses(e, s.name)) && !out.some((l) => l.name === s.name)) out.push(s)
  })
  return out
}
