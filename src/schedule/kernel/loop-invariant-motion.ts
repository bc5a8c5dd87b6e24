// In: a kernel that works on copies in workgroup memory. Out: the same, with what all iterations of an innermost loop
// read at one place of a copy in a register. The one idea: a compiler cannot know that the elements that the loop
// stores are others; dependences do.
import {
  lt,
  registerType,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  claimName,
  exprKey,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  readsArray,
  unconditionalReads,
  uses,
  type Read,
} from '../../ir/index.ts'
import { knownDependences, type Dependence } from '../../analysis/index.ts'

/** `program` with reads of `copies` in front of the innermost serial loops that do not change them. */
export function hoisted(program: Program, copies: readonly ArrayDecl[]): Program {
  const deps = knownDependences(program)
  if (!deps) return program
  const taken = namesOf(program)
  return {
    ...program,
    body: mapBody(program.body, (s) =>
      s.kind === 'loop' && s.bind.kind === 'serial' ? inFront(s, copies, deps, taken) : undefined,
    ),
  }
}

function inFront(
  l: Loop,
  copies: readonly ArrayDecl[],
  deps: readonly Dependence[],
  taken: Set<string>,
): readonly LoopStmt[] | undefined {
  const only = l.body.length === 1 ? l.body[0]! : undefined
  const guard = only?.kind === 'if' && only.else.length === 0 && only.then.length === 1 ? only : undefined
  const s = guard ? guard.then[0]! : only
  if (s?.kind !== 'store' || (guard && (uses(guard.condition, l.name) || readsArray(guard.condition)))) return undefined
  const made = new Map<string, { readonly from: Read; readonly scalar: ArrayDecl }>()
  for (const x of unconditionalReads(s)) {
    const copy = copies.find((a) => a.name === x.array)
    if (
      !copy ||
      made.has(exprKey(x)) ||
      registerType(copy.type) !== copy.type ||
      x.index.some((i) => uses(i, l.name) || readsArray(i)) ||
      changes(l, s, x, deps)
    )
      continue
    const name = claimName(taken, `${x.array}_once`)
    made.set(exprKey(x), { from: x, scalar: { name, type: copy.type, shape: [], role: 'temp', space: 'private' } })
  }
  if (made.size === 0) return undefined
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const m = x.kind === 'read' ? made.get(exprKey(x)) : undefined
      return m && x.kind === 'read' ? { ...x, array: m.scalar.name, index: [] } : undefined
    })
  const loads = [...made.values()].map((m) => store(m.scalar, [], m.from)),
    runs = lt(l.lower, l.upper)
  return [
    ...[...made.values()].map((m): LoopStmt => ({ kind: 'declare', array: m.scalar })),
    // where the loop is empty, the element may not be there
    when(guard ? { kind: 'op', type: 'bool', op: 'land', args: [guard.condition, runs] } : runs, loads),
    { ...l, body: l.body.map((x) => mapStmtExprs(x, f)) },
  ]
}

/** Whether an iteration of `l` may store what another reads at `x`. */
function changes(l: Loop, s: Store, x: Read, deps: readonly Dependence[]): boolean {
  return deps.some(
    (d) =>
      d.source.statement === s &&
      d.sink.statement === s &&
      (d.source.index === x.index || d.sink.index === x.index) &&
      d.level !== null &&
      d.level >= d.common.indexOf(l),
  )
}
