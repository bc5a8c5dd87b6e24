// In: a program. Out: the same without local scalars that are set once: their value stands where they were read. The one
// idea: names that people give to subexpressions, and branches that only choose a value, should not keep computations from
// their canonical form. It leaves alone what is set more than once, what is large, what
// reads memory that changes before the use, and types that setting makes narrower.
import { choose, registerType, type Expr, type If, type LoopStmt, type Program, type Store } from '../ir/index.ts'
import { eachExpr, eachStmt, mapExpr, mapStmtExprs, ownExprs, sameExpr } from './tree.ts'

/** Nodes of the largest expression that is written out at every use. */
const largest = 40

/** Replaces reads of scalars that are set once by their value, in every block. */
export function forwardScalars(program: Program): Program {
  const body = forwardBlock(program.body)
  return body === program.body ? program : { ...program, body }
}

function forwardBlock(given: readonly LoopStmt[]): readonly LoopStmt[] {
  let body = given
  for (let i = 0; i < body.length; i++) {
    const s = body[i]!
    if (s.kind !== 'declare' || s.array.shape.length > 0 || s.array.space !== 'private' || registerType(s.array.type) !== s.array.type) continue
    const at = body.findIndex((x) => x.kind === 'store' && x.array === s.array.name)
    const set = at < 0 ? undefined : body[at] as Store // found as a store
    if (set && forwardable(set, body, at)) body = replaced(body, i--, at, set)
  }
  let changed = body !== given
  const out = body.map((s): LoopStmt => {
    if (s.kind === 'loop') {
      const inner = forwardBlock(s.body)
      if (inner === s.body) return s
      changed = true
      return { ...s, body: inner }
    }
    if (s.kind !== 'if') return s
    const then = forwardBlock(s.then), otherwise = forwardBlock(s.else)
    const next = then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
    const joined = joinedBranches(next) ?? next
    if (joined !== s) changed = true
    return joined
  })
  return changed ? out : given
}

/** `if (c) X = a; else X = b` as one store of a choice. */
function joinedBranches(s: If): LoopStmt | undefined {
  const [a, b] = [s.then[0], s.else[0]]
  if (s.then.length !== 1 || s.else.length !== 1 || a?.kind !== 'store' || b?.kind !== 'store') return undefined
  const alike = a.array === b.array && a.reduce === b.reduce && a.index.every((e, d) => sameExpr(e, b.index[d]!))
  return alike ? { ...a, value: choose(s.condition, a.value, b.value) } : undefined
}

/** Set here and nowhere else, read only below, small, and what its value reads does not change below. */
function forwardable(set: Store, body: readonly LoopStmt[], at: number): boolean {
  if (set.reduce || nodes(set.value) > largest) return false
  const reads = new Set<string>()
  eachExpr(set.value, (e) => { if (e.kind === 'read') reads.add(e.array) })
  if (reads.has(set.array)) return false
  let ok = true
  eachStmt(body.slice(0, at), (s) => { if (mentions(s, set.array)) ok = false })
  eachStmt(body.slice(at + 1), (s) => { if (s.kind === 'store' && (s.array === set.array || reads.has(s.array))) ok = false })
  return ok
}

function mentions(s: LoopStmt, array: string): boolean {
  let hit = s.kind === 'store' && s.array === array
  ownExprs(s).forEach((e) => eachExpr(e, (x) => { if (x.kind === 'read' && x.array === array) hit = true }))
  return hit
}

function nodes(e: Expr): number {
  let n = 0
  eachExpr(e, () => { n++ })
  return n
}

function replaced(body: readonly LoopStmt[], declare: number, at: number, set: Store): readonly LoopStmt[] {
  const inline = (e: Expr): Expr => mapExpr(e, (x) => (x.kind === 'read' && x.array === set.array ? set.value : undefined))
  return body.flatMap((s, i) => (i === declare || i === at ? [] : [i > at ? mapStmtExprs(s, inline) : s]))
}
