// In: C syntax. Out: C syntax with parts replaced. The one idea: the passes between the parser and `function.ts` change
// a few kinds of nodes each; the rest is copied here, once, for all of them. Nothing here knows what C means.
import type { Span } from '../../../base/index.ts'
import { everywhere, rootName } from './name-uses.ts'
import type { CExpr, CFunction, CScalar, CStmt, Declarator } from '../text/syntax.ts'

export type CBlock = Extract<CStmt, { kind: 'block' }>

/** `e` with `f` applied to what is directly below it; the same object when nothing changed. */
export function mapChildren(e: CExpr, f: (e: CExpr) => CExpr): CExpr {
  const same = (a: readonly CExpr[], b: readonly CExpr[]): boolean => a.every((x, i) => x === b[i])
  switch (e.kind) {
    case 'number':
    case 'name':
    case 'sizeof':
    case 'unknown':
      return e
    case 'index': {
      const base = f(e.base),
        index = f(e.index)
      return base === e.base && index === e.index ? e : { ...e, base, index }
    }
    case 'member': {
      const base = f(e.base)
      return base === e.base ? e : { ...e, base }
    }
    case 'deref':
    case 'unary':
    case 'update':
    case 'address': {
      const arg = f(e.arg)
      return arg === e.arg ? e : { ...e, arg }
    }
    case 'cast': {
      const arg = f(e.arg),
        pointer = e.pointer?.map((x) => x && f(x))
      return arg === e.arg && (pointer ?? []).every((x, i) => x === e.pointer?.[i])
        ? e
        : { ...e, arg, ...(pointer && { pointer }) }
    }
    case 'binary':
    case 'assign':
    case 'comma': {
      const left = f(e.left),
        right = f(e.right)
      return left === e.left && right === e.right ? e : { ...e, left, right }
    }
    case 'choose': {
      const condition = f(e.condition),
        then = f(e.then),
        other = f(e.else)
      return condition === e.condition && then === e.then && other === e.else
        ? e
        : { ...e, condition, then, else: other }
    }
    case 'call': {
      const args = e.args.map(f)
      return same(args, e.args) ? e : { ...e, args }
    }
    case 'list': {
      const items = e.items.map(f)
      return same(items, e.items) ? e : { ...e, items }
    }
  }
}

/** `e` with `f` applied everywhere, innermost first. */
export function mapC(e: CExpr, f: (e: CExpr) => CExpr): CExpr {
  return f(mapChildren(e, (x) => mapC(x, f)))
}

/** `s` with `expr` applied to its own expressions and `inner` to the statements directly below. */
export function mapParts(s: CStmt, expr: (e: CExpr) => CExpr, inner: (s: CStmt) => CStmt): CStmt {
  const own = (d: Declarator): Declarator => ({
    ...d,
    extents: d.extents.map((x) => x && expr(x)),
    ...(d.initial && { initial: expr(d.initial) }),
  })
  switch (s.kind) {
    case 'declare':
      return { ...s, declarators: s.declarators.map(own) }
    case 'expr':
      return { ...s, expr: expr(s.expr) }
    case 'for':
      return {
        ...s,
        init: s.init && inner(s.init),
        condition: s.condition && expr(s.condition),
        update: s.update && expr(s.update),
        body: inner(s.body),
      }
    case 'if':
      return { ...s, condition: expr(s.condition), then: inner(s.then), else: s.else && inner(s.else) }
    case 'while':
    case 'do':
      return { ...s, condition: expr(s.condition), body: inner(s.body) }
    case 'switch':
      return {
        ...s,
        value: expr(s.value),
        cases: s.cases.map((c) => ({ labels: c.labels.map((l) => l && expr(l)), body: c.body.map(inner) })),
      }
    case 'block':
      return { ...s, body: s.body.map(inner) }
    case 'return':
      return { ...s, value: s.value && expr(s.value) }
    case 'break':
    case 'continue':
    case 'leave':
    case 'pragma':
    case 'empty':
    case 'unknown':
      return s
  }
}

/** `s` with `by` wherever `name` is read. */
export const replacedIn = (s: CStmt, name: string, by: CExpr): CStmt =>
  mapParts(
    s,
    (e) => mapC(e, (x) => (x.kind === 'name' && x.name === name ? by : x)),
    (x) => replacedIn(x, name, by),
  )

/** Every statement in `s`, itself first. */
export function eachC(s: CStmt, visit: (s: CStmt) => void): void {
  visit(s)
  for (const x of innerStmts(s)) eachC(x, visit)
}

/** Statements right under one. */
export function innerStmts(s: CStmt): readonly CStmt[] {
  const inner: CStmt[] = []
  mapParts(
    s,
    (e) => e,
    (x) => {
      inner.push(x)
      return x
    },
  )
  return inner
}

/** Whether `f` holds of `s` or of some statement in it. */
export const someC = (s: CStmt, f: (s: CStmt) => boolean): boolean => f(s) || innerStmts(s).some((x) => someC(x, f))

/** Whether `s` declares something with such a name. */
export const declares = (s: CStmt, isNamed: (name: string) => boolean): boolean =>
  someC(s, (x) => x.kind === 'declare' && x.declarators.some((d) => isNamed(d.name)))

/** Every expression of `s` and of the statements in it, with everything below. */
export function expressionsOf(s: CStmt): CExpr[] {
  const all: CExpr[] = []
  eachC(s, (x) => {
    mapParts(
      x,
      (e) => {
        all.push(...everywhere(e))
        return e
      },
      (y) => y,
    )
  })
  return all
}

/** Names that `s` assigns to or steps. */
export function writtenIn(s: CStmt): ReadonlySet<string> {
  const names = new Set<string>()
  for (const e of expressionsOf(s)) {
    const root = e.kind === 'assign' ? rootName(e.left) : e.kind === 'update' ? rootName(e.arg) : undefined
    if (root !== undefined) names.add(root)
  }
  return names
}

export const nameOf = (name: string, at: Span): Extract<CExpr, { kind: 'name' }> => ({ kind: 'name', name, at })
export const numberOf = (value: number, at: Span): CExpr => ({ kind: 'number', value, type: 'i32', at })
export const binaryOf = (op: string, left: CExpr, right: CExpr): CExpr => ({
  kind: 'binary',
  op,
  left,
  right,
  at: left.at,
})
export const notOf = (e: CExpr): CExpr =>
  e.kind === 'unary' && e.op === '!' ? e.arg : { kind: 'unary', op: '!', arg: e, at: e.at }
export const assignOf = (left: CExpr, right: CExpr): CStmt => ({
  kind: 'expr',
  expr: { kind: 'assign', op: '', left, right, at: right.at },
  at: right.at,
})
export const declareOf = (name: string, type: CScalar, at: Span, initial?: CExpr): CStmt => ({
  kind: 'declare',
  declarators: [{ name, type, extents: [], at, ...(initial && { initial }) }],
  at,
})
export const blockOf = (body: readonly CStmt[], at: Span): CBlock => ({ kind: 'block', body, at })

/** Whether `f` has a region marked by `#pragma scop`. */
export const hasRegion = (f: CFunction): boolean => f.body.body.some((s) => s.kind === 'pragma')

/** The statements of a function with `f` applied to those of its marked region, or to all where there is none. */
export function inRegion(body: readonly CStmt[], f: (body: readonly CStmt[]) => readonly CStmt[]): readonly CStmt[] {
  const marks = body.flatMap((s, i) => (s.kind === 'pragma' ? [i] : []))
  if (marks.length !== 2) return f(body)
  const [from, to] = marks as [number, number] // two were counted
  return [...body.slice(0, from + 1), ...f(body.slice(from + 1, to)), ...body.slice(to)]
}

/** Whether computing `e` changes anything. */
export const hasEffect = (e: CExpr): boolean =>
  everywhere(e).some((x) => x.kind === 'assign' || x.kind === 'update' || x.kind === 'comma')

/** Names that a function does not have yet. */
export class FreshNames {
  private readonly taken = new Set<string>()

  constructor(functions: Iterable<CFunction>) {
    for (const f of functions) {
      for (const p of f.parameters) this.taken.add(p.name)
      eachC(f.body, (s) => {
        if (s.kind === 'declare') for (const d of s.declarators) this.taken.add(d.name)
      })
      for (const e of expressionsOf(f.body)) if (e.kind === 'name') this.taken.add(e.name)
    }
  }

  fresh(base: string): string {
    let name = base
    for (let n = 2; this.taken.has(name); n++) name = `${base}_${n}`
    this.taken.add(name)
    return name
  }

  /** A name that is new with each of `ends` behind it. */
  prefix(base: string, ends: readonly string[]): string {
    const isTaken = (name: string): boolean => ends.some((end) => this.taken.has(`${name}_${end}`))
    let name = base
    for (let n = 2; isTaken(name); n++) name = `${base}_${n}`
    for (const end of ends) this.taken.add(`${name}_${end}`)
    return name
  }
}

/** `s` without the values that it returns. */
export const withoutResult = (s: CStmt): CStmt =>
  s.kind === 'return' ? { ...s, value: null } : mapParts(s, (e) => e, withoutResult)
