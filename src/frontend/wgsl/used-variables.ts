// In: an entry point. Out: the module variables that it and the functions it calls mention, in order of the module, and
// those with a binding that it does not. The one idea: WebGPU binds what is mentioned, not what runs; local names that
// hide a variable are not told apart.
import { visitAst } from 'wesl/core'
import { hasAttribute } from './globals.ts'
import type { Fn, WgslModule } from './text/source.ts'

export function mentioned(module: WgslModule, entry: Fn): string[] {
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

/** A variable with a binding that an entry point does not mention, with the members of its structure. */
export interface UnusedBinding {
  readonly name: string
  readonly members: readonly string[]
}

/** Bindings of the module that `used`, what an entry point mentions, leaves out. */
export function unusedBindings({ decls }: WgslModule, used: readonly string[]): readonly UnusedBinding[] {
  const members = new Map(
    decls.flatMap((d) => (d.kind === 'struct' ? [[d.name.ident.originalName, d.members.map((m) => m.name.name)]] : [])),
  )
  return decls.flatMap((d) => {
    if (d.kind !== 'gvar' || !hasAttribute(d.attributes, 'binding')) return []
    const name = d.name.decl.ident.originalName,
      { typeRef } = d.name,
      type = typeof typeRef?.name === 'object' ? typeRef.name.originalName : ''
    return used.includes(name) ? [] : [{ name, members: members.get(type) ?? [] }]
  })
}
