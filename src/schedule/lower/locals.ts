// In: a scheduled program. Out: which of its private arrays are local memory. The one idea: an array is registers when every
// index is a thread digit or a literal once unrolled; else, and when its type is narrower than a register, it is memory.
import { registerType, type ArrayDecl, type Expr, type Loop, type Program, type Resource } from '../../ir/index.ts'
import { eachExpr, eachStmt, ownExprs } from '../tree.ts'
import { paddedCount } from './threads.ts'

/** Names of the private arrays that registers cannot hold. */
export function localArrays(program: Program, arrays: ReadonlyMap<string, ArrayDecl>): ReadonlySet<string> {
  const local = new Set<string>()
  for (const a of arrays.values()) if (a.space === 'private' && registerType(a.type) !== a.type) local.add(a.name)
  eachStmt(program.body, (s, around) => {
    const fixed = (e: Expr): boolean => {
      let ok = true
      eachExpr(e, (x) => { if (x.kind !== 'const' && x.kind !== 'op' && !(x.kind === 'var' && isStatic(x.name, around))) ok = false })
      return ok
    }
    const check = (array: string, index: readonly Expr[]): void => {
      if (arrays.get(array)?.space === 'private' && !index.every((e) => fixed(e) || threadLoop(e, around))) local.add(array)
    }
    if (s.kind === 'store') check(s.array, s.index)
    ownExprs(s).forEach((e) => eachExpr(e, (r) => { if (r.kind === 'read') check(r.array, r.index) }))
  })
  return local
}

export const localResource = (a: ArrayDecl): Resource => ({ name: a.name, space: 'local', type: a.type, count: paddedCount(a), access: 'read-write' })

function isStatic(name: string, around: readonly Loop[]): boolean {
  const l = around.find((x) => x.name === name)
  return l !== undefined && (l.bind.kind === 'unroll' || l.bind.kind === 'vector')
}

function threadLoop(e: Expr, around: readonly Loop[]): boolean {
  return e.kind === 'var' && around.some((l) => l.name === e.name && l.bind.kind === 'thread')
}
