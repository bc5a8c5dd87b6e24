// In: an entry point. Out: the module variables that it and the functions it calls mention, in order of the module.
// The one idea: WebGPU binds what is mentioned, not what runs; local names that hide a variable are not told apart.
import { visitAst } from 'wesl/core'
import type { Fn, Module } from './text/source.ts'

export function mentioned(module: Module, entry: Fn): string[] {
  const functions = new Map(
    module.decls.filter((d): d is Fn => d.kind === 'fn').map((f) => [f.name.ident.originalName, f]),
  )
  const names = new Set<string>()
  const visit = (fn: Fn): void =>
    visitAst(fn, (e) => {
      if (e.kind !== 'ref') return
      const name = e.ident.originalName
      if (names.has(name)) return
      names.add(name)
      const called = functions.get(name)
      if (called) visit(called)
    })
  visit(entry)
  return module.decls.flatMap((d) =>
    d.kind === 'gvar' && names.has(d.name.decl.ident.originalName) ? [d.name.decl.ident.originalName] : [],
  )
}
