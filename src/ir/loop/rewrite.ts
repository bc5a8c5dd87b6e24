// In: LoopIR and functions on its parts. Out: LoopIR with the parts replaced. The one idea: one bottom-up walk.
// Expressions that do not change stay the same objects. It keeps no invariants: verify afterwards.
import type { Expr, LoopStmt, Program } from './loop.ts'

/** `items` through `f`; the same object where nothing changes. */
export function mapAll<T>(items: readonly T[], f: (item: T) => T): readonly T[] {
  const mapped = items.map(f)
  return mapped.every((x, i) => x === items[i]) ? items : mapped
}

/** `e` with `f` applied to every subexpression, innermost first. */
export function mapExpr(e: Expr, f: (e: Expr) => Expr): Expr {
  const go = (x: Expr): Expr => mapExpr(x, f)
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return f(e)
    case 'read': {
      const index = mapAll(e.index, go)
      return f(index === e.index ? e : { ...e, index })
    }
    case 'op': {
      const args = mapAll(e.args, go)
      return f(args === e.args ? e : { ...e, args })
    }
    case 'choose': {
      const condition = go(e.condition),
        then = go(e.then),
        otherwise = go(e.else)
      const same = condition === e.condition && then === e.then && otherwise === e.else
      return f(same ? e : { ...e, condition, then, else: otherwise })
    }
  }
}

/**
 * `body` with `expr` applied to every expression in it (innermost first) and then `stmt` to every statement (innermost
 * first); `stmt` may give several.
 */
export function mapStmts(
  body: readonly LoopStmt[],
  expr: (e: Expr) => Expr,
  stmt: (s: LoopStmt) => readonly LoopStmt[] = (s) => [s],
): readonly LoopStmt[] {
  const go = (e: Expr): Expr => mapExpr(e, expr)
  const inner = (b: readonly LoopStmt[]): readonly LoopStmt[] => mapStmts(b, expr, stmt)
  return body.flatMap((s) => {
    switch (s.kind) {
      case 'loop':
        return stmt({ ...s, lower: go(s.lower), upper: go(s.upper), body: inner(s.body) })
      case 'if':
        return stmt({ ...s, condition: go(s.condition), then: inner(s.then), else: inner(s.else) })
      case 'store':
        return stmt({ ...s, index: mapAll(s.index, go), value: go(s.value) })
      case 'declare':
        return stmt({ ...s, array: { ...s.array, shape: mapAll(s.array.shape, go) } })
    }
  })
}

/** `e` with loop variables replaced. */
export function replaceVariables(e: Expr, values: ReadonlyMap<string, Expr>): Expr {
  return mapExpr(e, (x) => (x.kind === 'var' ? (values.get(x.name) ?? x) : x))
}

/** Names of arrays, sizes and scalars that occur in `p`'s body and shapes. */
export function usedNames(p: Program): ReadonlySet<string> {
  const used = new Set<string>()
  const note = (e: Expr): Expr => {
    if (e.kind === 'read') used.add(e.array)
    if (e.kind === 'size' || e.kind === 'scalar') used.add(e.name)
    return e
  }
  mapStmts(p.body, note, (s) => {
    if (s.kind === 'store') used.add(s.array)
    return [s]
  })
  for (const a of p.arrays) if (used.has(a.name)) for (const e of a.shape) mapExpr(e, note)
  return used
}
