// What a kernel needs from outside. In: a scheduled program and the statements made of it. Out: the global arrays it
// touches and how, and the sizes and scalars that it takes as parameters. Only questions; nothing is emitted.
import {
  eachStmt,
  readsIn,
  symbolsOf,
  type ArrayDecl,
  type Operand,
  type Param,
  type Program,
  type Resource,
  type Stmt,
} from '../../ir/index.ts'

/** Names of the global arrays that `program` stores to. */
export function storedGlobals(program: Program): ReadonlySet<string> {
  const stored = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'store') stored.add(s.array)
  })
  return new Set(program.arrays.filter((a) => stored.has(a.name)).map((a) => a.name))
}

/** The global arrays that `program` reads or stores to, in the order of their declarations. */
export function usedGlobals(program: Program): readonly ArrayDecl[] {
  const names = new Set(readsIn(program.body).map((r) => r.array)),
    stored = storedGlobals(program)
  return program.arrays.filter((a) => names.has(a.name) || stored.has(a.name))
}

/** A global array as a resource; a reduction store reads it too, and what is held counts as written. */
export function globalResource(program: Program, a: ArrayDecl, held = false): Resource {
  let reads = readsIn(program.body).some((r) => r.array === a.name),
    writes = false
  eachStmt(program.body, (s) => {
    if (s.kind !== 'store' || s.array !== a.name) return
    writes = true
    reads ||= s.reduce !== null
  })
  return {
    name: a.name,
    space: 'global',
    type: a.type,
    count: null,
    access: reads ? (writes || held ? 'read-write' : 'read') : 'write',
  }
}

/** The sizes, host variables and scalars of `program` that `body` uses, in order. */
export function usedParams(program: Program, body: readonly Stmt[]): readonly Param[] {
  const used = new Set<string>()
  const see = (o: Operand): void => {
    if (o.kind === 'param') used.add(o.name)
  }
  const walk = (list: readonly Stmt[]): void =>
    list.forEach((s) => {
      if ('address' in s) see(s.address.index)
      if ('args' in s) s.args.forEach(see)
      if (s.kind === 'store') s.src.forEach(see)
      if (s.kind === 'if') {
        see(s.condition)
        walk(s.then)
        walk(s.else)
      }
      if (s.kind === 'loop') {
        walk(s.body)
        walk(s.continuing)
      }
    })
  walk(body)
  const all: readonly Param[] = [
    ...symbolsOf(program).map((s): Param => ({ kind: 'param', name: s.name, type: 'i32' })),
    ...program.scalars.map((s): Param => ({ kind: 'param', name: s.name, type: s.type })),
  ]
  return all.filter((p) => used.has(p.name))
}
