// Walking and rewriting LoopIR: find a loop by name, replace it, substitute variables, ask what an expression uses.
// Pure functions; a rewrite that changes nothing returns the same object. Knows nothing of legality.
import { fail } from '../../base/index.ts'
import { add, ceilDiv, choose, constant, div, int, literal, mod, mul, op, sub, symbolsOf } from './build.ts'
import { opRow } from '../ops.ts'
import type { Expr, If, Loop, LoopStmt, Program, Store } from './loop.ts'

/**
 * Rebuilds `e` bottom-up: `f` may replace any node (after its children); `undefined` keeps it. Index arithmetic is
 * refolded.
 */
export function rewriteExpr(e: Expr, f: (e: Expr) => Expr | undefined): Expr {
  const rebuilt = mapChildren(e, (c) => rewriteExpr(c, f))
  return f(rebuilt) ?? (rebuilt !== e && rebuilt.kind === 'op' ? refold(rebuilt) : rebuilt)
}

function mapChildren(e: Expr, f: (e: Expr) => Expr): Expr {
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return e
    case 'read': {
      const index = e.index.map(f)
      return index.every((x, i) => x === e.index[i]) ? e : { ...e, index }
    }
    case 'op': {
      const args = e.args.map(f)
      return args.every((x, i) => x === e.args[i]) ? e : { ...e, args }
    }
    case 'choose': {
      const [condition, then, otherwise] = [f(e.condition), f(e.then), f(e.else)]
      return condition === e.condition && then === e.then && otherwise === e.else
        ? e
        : { ...e, condition, then, else: otherwise }
    }
  }
}

/** Folds i32 arithmetic that substitution made constant. */
function refold(e: Extract<Expr, { kind: 'op' }>): Expr {
  const [a, b] = e.args
  if (e.type !== 'i32' || !a || !b) return e
  const divisor = literal(b)
  switch (e.op) {
    case 'add':
      return add(a, b)
    case 'sub':
      return sub(a, b)
    case 'mul':
      return mul(a, b)
    case 'div':
      return literal(a) !== undefined && divisor !== undefined && divisor > 0 && literal(a)! >= 0 ? div(a, divisor) : e
    case 'rem':
      return literal(a) !== undefined && divisor !== undefined && divisor > 0 && literal(a)! >= 0 ? mod(a, divisor) : e
    case 'min':
      return literal(a) !== undefined && divisor !== undefined ? int(Math.min(literal(a)!, divisor)) : e
    case 'max':
      return literal(a) !== undefined && divisor !== undefined ? int(Math.max(literal(a)!, divisor)) : e
    default:
      return e
  }
}

/** Replaces loop variables by expressions everywhere in `e`. */
export function substitute(e: Expr, by: ReadonlyMap<string, Expr>): Expr {
  return rewriteExpr(e, (x) => (x.kind === 'var' ? by.get(x.name) : undefined))
}

/** The same for every expression of a statement. */
export function substituteStmt(s: LoopStmt, by: ReadonlyMap<string, Expr>): LoopStmt {
  return mapStmtExprs(s, (e) => substitute(e, by))
}

/** Applies `f` to every outermost expression of `s` and of the statements in it. */
export function mapStmtExprs(s: LoopStmt, f: (e: Expr) => Expr): LoopStmt {
  switch (s.kind) {
    case 'loop':
      return { ...s, lower: f(s.lower), upper: f(s.upper), body: s.body.map((c) => mapStmtExprs(c, f)) }
    case 'if':
      return {
        ...s,
        condition: f(s.condition),
        then: s.then.map((c) => mapStmtExprs(c, f)),
        else: s.else.map((c) => mapStmtExprs(c, f)),
      }
    case 'store':
      return { ...s, index: s.index.map(f), value: f(s.value) }
    case 'declare':
      return s
  }
}

/** Rewrites statements bottom-up: `f` returns what stands in place of a statement, or `undefined` to keep it. */
export function mapBody(
  body: readonly LoopStmt[],
  f: (s: LoopStmt) => readonly LoopStmt[] | undefined,
): readonly LoopStmt[] {
  let changed = false
  const out = body.flatMap((s) => {
    const inner = mapInner(s, f)
    const replaced = f(inner) ?? [inner]
    if (replaced.length !== 1 || replaced[0] !== s) changed = true
    return replaced
  })
  return changed ? out : body
}

function mapInner(s: LoopStmt, f: (s: LoopStmt) => readonly LoopStmt[] | undefined): LoopStmt {
  if (s.kind === 'loop') {
    const body = mapBody(s.body, f)
    return body === s.body ? s : { ...s, body }
  }
  if (s.kind === 'if') {
    const then = mapBody(s.then, f),
      otherwise = mapBody(s.else, f)
    return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
  }
  return s
}

/**
 * `body` with its accesses where `placed` says, which is given the index (by identity) that an access has; `undefined`
 * keeps it.
 */
export function placedElsewhere(
  body: readonly LoopStmt[],
  placed: (at: readonly Expr[]) => { readonly array: string; readonly index: readonly Expr[] } | undefined,
): readonly LoopStmt[] {
  const stores = mapBody(body, (s) => {
    const place = s.kind === 'store' ? placed(s.index) : undefined
    return s.kind === 'store' && place ? [{ ...s, ...place }] : undefined
  })
  return stores.map((s) =>
    mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) => {
        const place = x.kind === 'read' ? placed(x.index) : undefined
        return x.kind === 'read' && place ? { ...x, ...place } : undefined
      }),
    ),
  )
}

/** Whether `f` holds of some expression node under `e`; parents are asked first, and none after one that does. */
export function someExpr(e: Expr, f: (e: Expr) => boolean): boolean {
  return f(e) || childrenOf(e).some((c) => someExpr(c, f))
}

/** Whether sizes and numbers alone say what it is. */
export const isOfSizes = (e: Expr): boolean =>
  !someExpr(e, (x) => x.kind === 'var' || x.kind === 'read' || x.kind === 'scalar')

/** Expressions right under one. */
export function childrenOf(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return []
    case 'read':
      return e.index
    case 'op':
      return e.args
    case 'choose':
      return [e.condition, e.then, e.else]
  }
}

/** Calls `f` on every expression node under `e`, parents first. */
export function eachExpr(e: Expr, f: (e: Expr) => void): void {
  f(e)
  for (const c of childrenOf(e)) eachExpr(c, f)
}

/** Names of the sizes in `e`, as often as they stand there. */
export function sizesIn(e: Expr): readonly string[] {
  const names: string[] = []
  eachExpr(e, (x) => {
    if (x.kind === 'size') names.push(x.name)
  })
  return names
}

/** Calls `f` on every statement in `body`, parents first, with the loops around it, outermost first. */
export function eachStmt(
  body: readonly LoopStmt[],
  f: (s: LoopStmt, around: readonly Loop[]) => void,
  around: readonly Loop[] = [],
): void {
  for (const s of body) {
    f(s, around)
    if (s.kind === 'loop') eachStmt(s.body, f, [...around, s])
    if (s.kind === 'if') {
      eachStmt(s.then, f, around)
      eachStmt(s.else, f, around)
    }
  }
}

/** Whether `f` holds of some statement in `body`, with the loops around it, outermost first. */
export const someStmt = (
  body: readonly LoopStmt[],
  f: (s: LoopStmt, around: readonly Loop[]) => boolean,
  around: readonly Loop[] = [],
): boolean =>
  body.some(
    (s) =>
      f(s, around) ||
      (s.kind === 'loop' && someStmt(s.body, f, [...around, s])) ||
      (s.kind === 'if' && (someStmt(s.then, f, around) || someStmt(s.else, f, around))),
  )

/** Whether `f` holds of some expression node of some statement in `body`. */
export const someExprIn = (body: readonly LoopStmt[], f: (e: Expr) => boolean): boolean =>
  someStmt(body, (s) => ownExprs(s).some((e) => someExpr(e, f)))

/** The same, extents of local arrays included. */
export const someExprOrExtentIn = (body: readonly LoopStmt[], f: (e: Expr) => boolean): boolean =>
  someExprIn(body, f) || someStmt(body, (s) => s.kind === 'declare' && s.array.shape.some((e) => someExpr(e, f)))

/** Calls `f` on every expression node of every statement in `body`. */
export const eachExprIn = (body: readonly LoopStmt[], f: (e: Expr) => void): void =>
  eachStmt(body, (s) => ownExprs(s).forEach((e) => eachExpr(e, f)))

/** Whether the bounds of a loop use another one. */
export const isTriangular = (body: readonly LoopStmt[]): boolean =>
  someStmt(body, (s) => s.kind === 'loop' && [s.lower, s.upper].some((e) => varsOf(e).size > 0))

/** Whether a statement of `body`, or one inside of it, stores to the array. */
export function sets(body: readonly LoopStmt[], name: string): boolean {
  return someStmt(body, (s) => s.kind === 'store' && s.array === name)
}

/** Whether neither branch stores to what the condition reads. */
export const leavesCondition = ({ condition, then, else: otherwise }: If): boolean =>
  !someExpr(condition, (x) => x.kind === 'read' && (sets(then, x.array) || sets(otherwise, x.array)))

/** Outermost expressions of one statement, not of those nested in it. */
export function ownExprs(s: LoopStmt): readonly Expr[] {
  switch (s.kind) {
    case 'loop':
      return [s.lower, s.upper]
    case 'if':
      return [s.condition]
    case 'store':
      return [...s.index, s.value]
    case 'declare':
      return []
  }
}

export type Read = Extract<Expr, { kind: 'read' }>

/** `e` with `by` for reads of an array, or with what it makes of each. */
export const replaceReads = (e: Expr, array: string, by: Expr | ((r: Read) => Expr)): Expr =>
  rewriteExpr(e, (x) => (x.kind === 'read' && x.array === array ? (typeof by === 'function' ? by(x) : by) : undefined))

/** Reads of the store, or of the condition of the `if`, that no condition of its own stands before. */
export function unconditionalReads(s: Store | If): readonly Read[] {
  const out: Read[] = []
  const conditional = new Set<Expr>()
  ownExprs(s).forEach((e) =>
    eachExpr(e, (x) => {
      if (x.kind === 'choose') [x.then, x.else].forEach((side) => eachExpr(side, (y) => conditional.add(y)))
      if (x.kind === 'read' && !conditional.has(x)) out.push(x)
    }),
  )
  return out
}

/** Every read in `body`, with multiplicity, in program order. */
export function readsIn(body: readonly LoopStmt[]): readonly Read[] {
  const out: Read[] = []
  eachStmt(body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read') out.push(x)
      }),
    ),
  )
  return out
}

/** Arrays that statements store to, each once, in program order. */
export function storedIn(body: readonly LoopStmt[]): readonly string[] {
  const names = new Set<string>()
  eachStmt(body, (s) => {
    if (s.kind === 'store') names.add(s.array)
  })
  return [...names]
}

/** Arrays of which some read in `body` stands in an arm of `? :`, and so is made where its condition says so alone. */
export function readByChoice(body: readonly LoopStmt[]): ReadonlySet<string> {
  const out = new Set<string>()
  const arms = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') out.add(x.array)
    })
  eachStmt(body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'choose') {
          arms(x.then)
          arms(x.else)
        }
      }),
    ),
  )
  return out
}

/** Names of loop variables that `e` uses. */
export function varsOf(e: Expr): ReadonlySet<string> {
  const out = new Set<string>()
  eachExpr(e, (x) => {
    if (x.kind === 'var') out.add(x.name)
  })
  return out
}

/** No other loop says how often it runs. */
export const isFree = (l: Loop): boolean => varsOf(l.lower).size === 0 && varsOf(l.upper).size === 0

export const uses = (e: Expr, name: string): boolean => varsOf(e).has(name)

/** Every name in use in the program: loops, arrays, sizes, host variables, scalars. */
export function namesOf(program: Program): Set<string> {
  const names = new Set([...program.arrays, ...symbolsOf(program), ...program.scalars].map((x) => x.name))
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop') names.add(s.name)
    if (s.kind === 'declare') names.add(s.array.name)
  })
  return names
}

/** `base`, or `base` with the first number that makes it new. */
export const freshName = (program: Program, base: string): string => claimName(namesOf(program), base)

/** `base`, or the first of `base2`, `base3`, … that is not taken; it is then. */
export function claimName(taken: Set<string>, base: string): string {
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}${n}`
  taken.add(name)
  return name
}

/** All loops of that name, in program order. */
export function loopsNamed(program: Program, name: string): readonly Loop[] {
  const out: Loop[] = []
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop' && s.name === name) out.push(s)
  })
  return out
}

/** The one loop of that name. Fails when there is none or more than one. */
export function theLoop(program: Program, name: string): Loop {
  const found = loopsNamed(program, name)
  if (found.length === 1) return found[0]!
  return fail(
    'schedule.loop',
    found.length === 0 ? `there is no loop '${name}'` : `'${name}' names ${found.length} loops`,
  )
}

/** Replaces every loop called `name` by what `f` makes of it. Fails when there is none. */
export function replaceLoops(program: Program, name: string, f: (loop: Loop) => readonly LoopStmt[]): Program {
  let count = 0
  const body = mapBody(program.body, (s) => {
    if (s.kind !== 'loop' || s.name !== name) return undefined
    count++
    return f(s)
  })
  if (count === 0) fail('schedule.loop', `there is no loop '${name}'`)
  return { ...program, body }
}

/** The chain of perfectly nested loops that starts with `loop`, and the body of the innermost. */
export function perfectNest(loop: Loop): { readonly loops: readonly Loop[]; readonly body: readonly LoopStmt[] } {
  const loops = [loop]
  let body = loop.body
  for (let only = body[0]; body.length === 1 && only?.kind === 'loop'; only = body[0]) {
    loops.push(only)
    body = only.body
  }
  return { loops, body }
}

/** Wraps `body` in `loops`, outermost first. */
export function nest(loops: readonly Loop[], body: readonly LoopStmt[]): readonly LoopStmt[] {
  return loops.reduceRight<readonly LoopStmt[]>((inner, l) => [{ ...l, body: inner }], body)
}

/** Number of iterations when it is a constant, else `undefined`. */
export function constantExtent(l: Loop): number | undefined {
  const lower = literal(l.lower),
    upper = literal(l.upper)
  return lower === undefined || upper === undefined ? undefined : Math.max(0, Math.ceil((upper - lower) / l.step))
}

/** Elements of an array of these extents; infinite where one of them is no number. */
export const constantElements = (shape: readonly Expr[]): number =>
  shape.reduce((n, e) => n * (literal(e) ?? Infinity), 1)

/** Number of iterations of a loop with step 1, as an expression. */
export const extentOf = (l: Loop): Expr => ceilDiv(sub(l.upper, l.lower), l.step)

/** What is multiplied. */
export const factorsOf = (e: Expr): readonly Expr[] =>
  e.kind === 'op' && e.op === 'mul' ? e.args.flatMap(factorsOf) : [e]

/** The conjuncts of a condition, in the order in which they may be asked. */
export function conjuncts(e: Expr): readonly Expr[] {
  if (e.kind === 'choose' && e.else.kind === 'const' && !e.else.value)
    return [...conjuncts(e.condition), ...conjuncts(e.then)]
  return e.kind === 'op' && e.op === 'land' ? e.args.flatMap(conjuncts) : [e]
}

/** Their conjunction; `undefined` when there are none. What reads an array is asked only where those before it hold. */
export function conjunction(es: readonly Expr[]): Expr | undefined {
  return es.length === 0
    ? undefined
    : es.reduce((a, b) => (readsArray(b) ? choose(a, b, constant('bool', 0)) : op('land', [a, b])))
}

/** Whether some read is in `e`. */
export function readsArray(e: Expr): boolean {
  return someExpr(e, (x) => x.kind === 'read')
}

/** A key under which structurally equal expressions are equal. */
export function exprKey(e: Expr): string {
  switch (e.kind) {
    case 'const':
      return `${e.type}:${Object.is(e.value, -0) ? '-0' : e.value}`
    case 'var':
      return e.name
    case 'size':
      return `$${e.name}`
    case 'scalar':
      return `@${e.name}`
    case 'read':
      return `${e.array}[${e.index.map(exprKey).join(',')}]`
    case 'op':
      return `${e.op}${opRow(e.op).gives === 'to' ? `:${e.type}` : ''}(${e.args.map(exprKey).join(',')})`
    case 'choose':
      return `choose(${exprKey(e.condition)},${exprKey(e.then)},${exprKey(e.else)})`
  }
}

/** Structural equality; places in the source do not count. */
export const sameExpr = (a: Expr, b: Expr): boolean => exprKey(a) === exprKey(b)

/**
 * `if (guard) body`, with the `if` moved inside perfectly nested loops (whose bounds read no array) and merged with an
 * `if` that stands there.
 */
export function guardInside(guard: Expr, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const only = body.length === 1 ? body[0] : undefined
  if (only?.kind === 'loop' && !readsArray(only.lower) && !readsArray(only.upper))
    return [{ ...only, body: guardInside(guard, only.body) }]
  if (only?.kind === 'if' && only.else.length === 0)
    return [{ ...only, condition: conjunction([guard, only.condition]) ?? guard }]
  return [{ kind: 'if', condition: guard, then: body, else: [] }]
}

/** A body that may stand in one `if` without else: its condition's conjuncts and what is inside. */
export function peelGuard(body: readonly LoopStmt[]): {
  readonly guard: readonly Expr[]
  readonly body: readonly LoopStmt[]
} {
  const only = body.length === 1 ? body[0] : undefined
  if (only?.kind !== 'if' || only.else.length > 0) return { guard: [], body }
  const inner = peelGuard(only.then)
  return { guard: [...conjuncts(only.condition), ...inner.guard], body: inner.body }
}

/** Wraps `body` in an `if` of these conjuncts, or returns it when there are none. */
export function withGuard(guard: readonly Expr[], body: readonly LoopStmt[]): readonly LoopStmt[] {
  const condition = conjunction(guard)
  return condition ? [{ kind: 'if', condition, then: body, else: [] }] : body
}

/** Loops one in the other, from the outermost on; `guards[i]` stands right inside of `loops[i]`. */
export interface GuardedNest {
  readonly loops: readonly Loop[]
  readonly guards: readonly (readonly Expr[])[]
  readonly body: readonly LoopStmt[]
}

/** The chain of loops that starts with `outer`, as far as `isTaken` takes the conditions between them. */
export function guardedNest(outer: Loop, isTaken: (guard: Expr) => boolean = () => true): GuardedNest {
  const loops: Loop[] = [],
    guards: (readonly Expr[])[] = []
  let body: readonly LoopStmt[] = [outer]
  for (let only = body[0]; body.length === 1 && only?.kind === 'loop'; only = body[0]) {
    const peeled = peelGuard(only.body),
      isPeeled = peeled.guard.every(isTaken)
    loops.push(only)
    guards.push(isPeeled ? peeled.guard : [])
    body = isPeeled ? peeled.body : only.body
  }
  return { loops, guards, body }
}

/** Wraps the body in the loops, each with its conditions right inside: what `guardedNest` takes apart. */
export const nestWithGuards = ({ loops, guards, body }: GuardedNest): readonly LoopStmt[] =>
  loops.reduceRight<readonly LoopStmt[]>(
    (inner, l, i) => [{ ...l, body: withGuard(guards[i]!, inner) }], // one for each loop
    body,
  )
