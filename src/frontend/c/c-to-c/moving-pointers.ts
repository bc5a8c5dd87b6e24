// In: a C function. Out: which of its pointers move. The one idea: a pointer that is declared without a value and set
// once stands still.
import { expressionsOf, mapParts } from './c-rewriting.ts'
import { everywhere, rootName } from './name-uses.ts'
import type { CExpr, CFunction, CStmt } from '../text/syntax.ts'

/** Names that are pointers and assigned to as such, not through. */
export function pointersWritten(f: CFunction): ReadonlySet<string> {
  const found = new Set<string>()
  const see = (e: CExpr): CExpr => {
    for (const x of everywhere(e)) {
      const target = x.kind === 'assign' ? x.left : x.kind === 'update' ? x.arg : undefined
      if (target?.kind === 'name') found.add(target.name)
    }
    return e
  }
  const opened = new Set<string>(),
    visit = (s: CStmt): CStmt => {
      if (s.kind === 'declare') for (const d of s.declarators) if (d.pointer && !d.initial) opened.add(d.name)
      return mapParts(s, see, visit)
    }
  visit(f.body)
  for (const name of opened) if (assignments(f.body, name) === 1) found.delete(name)
  return found
}

function assignments(s: CStmt, name: string): number {
  let n = 0
  const visit = (x: CStmt): CStmt =>
    mapParts(
      x,
      (e) => {
        for (const y of everywhere(e))
          if (
            (y.kind === 'assign' && y.left.kind === 'name' && y.left.name === name) ||
            (y.kind === 'update' && y.arg.kind === 'name' && y.arg.name === name)
          )
            n++
        return e
      },
      visit,
    )
  visit(s)
  return n
}

/** Names of members that are assigned to: of the structures in `root`, or of whatever structure. */
export function writtenMembers(body: CStmt, root?: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const e of expressionsOf(body)) {
    const target = e.kind === 'assign' ? e.left : e.kind === 'update' ? e.arg : e.kind === 'address' ? e.arg : undefined
    if (target?.kind === 'member' && (root === undefined || rootName(target) === root)) names.add(target.name)
  }
  return names
}
