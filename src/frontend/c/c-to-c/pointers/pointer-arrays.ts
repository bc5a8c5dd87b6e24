// In: a C function. Out: which arrays each of its pointers gets places in, and where it gets them. The one idea: what a
// pointer may point into is what the values that it is given begin with, followed through other pointers (Andersen's
// points-to analysis, without stores through pointers, which C as it is read here has none of).
import { eachC, expressionsOf, innerStmts } from '../c-rewriting.ts'
import { everywhere, rootName } from '../name-uses.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../../text/syntax.ts'

export type Choice = Extract<CExpr, { kind: 'choose' }>

export interface Arrays {
  /** The arrays that a pointer's value may be in. */
  readonly of: (value: CExpr) => ReadonlySet<string>
  /** The pointers that get places in more than one array, with their declarators. */
  readonly chosen: ReadonlyMap<string, Declarator>
}

/** The arrays of all pointers of `f`, through its own assignments. */
export function arraysOf(f: CFunction): Arrays {
  const declared = new Map<string, Declarator>(f.parameters.flatMap((p) => (p.extents.length > 0 ? [[p.name, p]] : [])))
  const values = new Map<string, CExpr[]>(),
    again = new Set<string>()
  const isSet = (name: string, to: CExpr): void => void values.set(name, [...(values.get(name) ?? []), to])
  eachC(f.body, (s) => {
    if (s.kind !== 'declare') return
    for (const d of s.declarators) {
      if (declared.has(d.name)) again.add(d.name)
      if (d.extents.length > 0) declared.set(d.name, d)
      if (d.pointer && d.initial) isSet(d.name, d.initial)
    }
  })
  for (const e of expressionsOf(f.body))
    if (e.kind === 'assign' && e.op === '' && e.left.kind === 'name') isSet(e.left.name, e.right)
  const isArray = (name: string): boolean => f.parameters.some((p) => p.name === name) || !declared.get(name)?.pointer
  const into = (name: string, found: Set<string>, seen: Set<string>): ReadonlySet<string> => {
    if (seen.has(name) || !declared.has(name)) return found
    seen.add(name)
    if (isArray(name)) found.add(name)
    for (const value of values.get(name) ?? []) for (const root of rootsOf(value)) into(root, found, seen)
    return found
  }
  const of = (value: CExpr): ReadonlySet<string> => {
    const found = new Set<string>()
    for (const root of rootsOf(value)) into(root, found, new Set())
    return found
  }
  const isChosen = ([name, d]: [string, Declarator]): boolean =>
    d.pointer === true && !again.has(name) && into(name, new Set(), new Set()).size > 1
  return { of, chosen: new Map([...declared].filter(isChosen)) }
}

/** The names that a pointer's value begins with, of both sides of choices. */
function rootsOf(e: CExpr): readonly string[] {
  const choice = choiceOf(e)
  if (choice) return [...rootsOf(choice.then), ...rootsOf(choice.else)]
  const root = rootName(e)
  return root === undefined ? [] : [root]
}

/** The choice that a value is, or is a cast of. */
export function choiceOf(e: CExpr): Choice | undefined {
  return e.kind === 'choose' ? e : e.kind === 'cast' ? choiceOf(e.arg) : undefined
}

/** The statements of a branch. */
export const statementsOf = (s: CStmt | null): readonly CStmt[] =>
  s === null || s.kind === 'empty' ? [] : s.kind === 'block' && s.label === undefined ? s.body : [s]

/** How often a name stands in a statement. */
export const mentions = (s: CStmt, name: string): number =>
  expressionsOf(s).filter((e) => e.kind === 'name' && e.name === name).length

/** `p = …;` of a pointer. */
export function settingOf(s: CStmt): { readonly name: string; readonly to: CExpr } | undefined {
  const e = s.kind === 'expr' ? s.expr : undefined
  return e?.kind === 'assign' && e.op === '' && e.left.kind === 'name' ? { name: e.left.name, to: e.right } : undefined
}

/** Whether the first that a list says of a pointer, on all ways through it, is what it points to. */
export function setsFirst(list: readonly CStmt[], name: string): boolean {
  const first = list.find((s) => mentions(s, name) > 0),
    setting = first && settingOf(first)
  if (setting?.name === name) return !everywhere(setting.to).some((e) => e.kind === 'name' && e.name === name)
  return (
    first?.kind === 'if' &&
    !everywhere(first.condition).some((e) => e.kind === 'name' && e.name === name) &&
    setsFirst(statementsOf(first.then), name) &&
    setsFirst(statementsOf(first.else), name)
  )
}

/** Whether a jump leaves an iteration of the loop with this body. */
export const isLeft = (body: CStmt): boolean =>
  body.kind === 'break' ||
  body.kind === 'continue' ||
  body.kind === 'switch' ||
  (body.kind !== 'for' && body.kind !== 'while' && body.kind !== 'do' && innerStmts(body).some(isLeft))
