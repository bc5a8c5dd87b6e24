// In: a scheduled program. Out: its private arrays that cannot be registers. Only a question; nothing is emitted.
import {
  registerType,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  eachExpr,
  someExpr,
  eachStmt,
  ownExprs,
} from '../../ir/index.ts'

/**
 * A private array is registers when every index is a thread digit or a literal once unrolled; else, and when its type
 * is narrower than a register, it is local memory.
 */
export function localArraysOf(program: Program, arrays: ReadonlyMap<string, ArrayDecl>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const a of arrays.values()) if (a.space === 'private' && registerType(a.type) !== a.type) found.add(a.name)
  eachStmt(program.body, (s, around) => {
    const check = (array: string, index: readonly Expr[]): void => {
      if (arrays.get(array)?.space === 'private' && !index.every((e) => isFixed(e, around) || isThreadLoop(e, around)))
        found.add(array)
    }
    if (s.kind === 'store') check(s.array, s.index)
    ownExprs(s).forEach((e) =>
      eachExpr(e, (r) => {
        if (r.kind === 'read') check(r.array, r.index)
      }),
    )
  })
  return found
}

/**
 * Private arrays whose elements change after they are first set: stored to more than once, or in a loop inside of where
 * they are declared.
 */
export function changingOf(program: Program): ReadonlySet<string> {
  const declared = new Map<string, number>(),
    stored = new Set<string>(),
    found = new Set<string>()
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'declare') declared.set(s.array.name, around.length)
    if (s.kind !== 'store') return
    if (stored.has(s.array) || s.reduce || around.length !== declared.get(s.array)) found.add(s.array)
    stored.add(s.array)
  })
  return found
}

function isFixed(e: Expr, around: readonly Loop[]): boolean {
  return !someExpr(e, (x) => x.kind !== 'const' && x.kind !== 'op' && !(x.kind === 'var' && isStatic(x.name, around)))
}

function isStatic(name: string, around: readonly Loop[]): boolean {
  const l = around.find((x) => x.name === name)
  return l !== undefined && (l.bind.kind === 'unroll' || l.bind.kind === 'vector')
}

const isThreadLoop = (e: Expr, around: readonly Loop[]): boolean =>
  e.kind === 'var' && around.some((l) => l.name === e.name && l.bind.kind === 'thread')
