// In: numbers that are 0 or 1 and that iterations set, clear or leave, as what they find and the number itself say
// (`if (space) in = 0; else if (!in) { in = 1; words++; }`). Out: what such a number is after an iteration, in terms
// that a scan takes. The one idea (Hillis and Steele 1986): an automaton is a scan over functions of its states, and of
// two states every function is linear: f(s) = f(0) + (f(1) - f(0)) s. Where f(0) is f(1), the state before is of no
// consequence, and nothing is handed on but what the iteration before has seen.
import {
  constant,
  eachStmt,
  evaluate,
  int,
  literal,
  mapExpr,
  op,
  ownExprs,
  rewriteExpr,
  sameExpr,
  someExpr,
  store,
  sub,
  choose,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  storedIn,
} from '../../ir/index.ts'
import { mentionsAny } from '../../analysis/index.ts'

const isBit = (e: Expr): boolean => literal(e) === 0 || literal(e) === 1
const isRead = (e: Expr, name: string): boolean => e.kind === 'read' && e.array === name

/** `next`, what the state `name` is after an iteration, from each of the two states; undefined where it has others. */
function fromBoth(name: string, init: Expr, next: Expr): readonly [Expr, Expr] | undefined {
  const isState = (e: Expr): boolean => (e.kind === 'choose' ? isState(e.then) && isState(e.else) : isBit(e))
  if (next.type !== 'i32' || !isBit(init)) return undefined
  const from = (state: number): Expr => decided(rewriteExpr(next, (x) => (isRead(x, name) ? int(state) : undefined)))
  const both = [from(0), from(1)] as const
  return both.every(isState) ? both : undefined
}

/** `next` as a linear function of the state `name` that it follows from, where that is one of two; else as it is. */
export function linearState(name: string, init: Expr, next: Expr): Expr {
  const from = fromBoth(name, init, next)
  if (!from) return next
  if (sameExpr(...from)) return from[0]
  const self: Expr = { kind: 'read', type: 'i32', array: name, index: [] }
  const isPlain = (e: Expr): boolean =>
    e.kind === 'choose'
      ? !someExpr(e.condition, (x) => isRead(x, name)) && isPlain(e.then) && isPlain(e.else)
      : isRead(e, name) || isBit(e)
  return isPlain(next) ? next : op('add', [from[0], op('mul', [sub(from[1], from[0]), self])])
}

/** `e` without conditions on numbers that are known. */
const decided = (e: Expr): Expr =>
  mapExpr(e, (x) => {
    if (x.kind === 'choose') {
      const is = x.condition.kind === 'const' ? Number(x.condition.value) : undefined
      if (is !== undefined) return is ? x.then : x.else
      return sameExpr(x.then, x.else) ? x.then : x
    }
    const values =
      x.kind === 'op'
        ? x.args.map((a) => (a.kind === 'const' && typeof a.value === 'number' ? a.value : undefined))
        : []
    if (x.kind !== 'op' || values.length === 0 || !values.every((v) => v !== undefined)) return x
    return constant(x.type, Number(evaluate(x.op, x.args[0]!.type, values, x.type)))
  })

/**
 * The block where one state of the loop at `at` that does not depend on the one before is set once, at the end of each
 * iteration; undefined where there is none, or where it is so already.
 */
export function stateAtEnd(body: readonly LoopStmt[], at: number): readonly LoopStmt[] | undefined {
  const loop = body[at]
  if (loop?.kind !== 'loop') return undefined
  for (const s of body.slice(0, at)) {
    if (s.kind !== 'declare' || s.array.space !== 'private' || s.array.shape.length > 0) continue
    const made = atEnd(loop, s.array, startOf(body.slice(0, at), s.array.name))
    if (made) return [...body.slice(0, at), made, ...body.slice(at + 1)]
  }
  return undefined
}

/** What the last statement that stores to the number stores, if it does so in any case. */
function startOf(before: readonly LoopStmt[], name: string): Expr | undefined {
  const last = before.findLast((s) => storedIn([s]).includes(name))
  return last?.kind === 'store' && !last.reduce ? last.value : undefined
}

function atEnd(loop: Loop, a: ArrayDecl, start: Expr | undefined): Loop | undefined {
  const stores: LoopStmt[] = []
  eachStmt(loop.body, (s) => {
    if (s.kind === 'store' && s.array === a.name) stores.push(s)
  })
  const isPlain = stores.length === 1 && loop.body.includes(stores[0]!)
  if (a.type !== 'i32' || !start || stores.length === 0 || isPlain) return undefined
  const next = followed(loop.body, a.name, { kind: 'read', type: 'i32', array: a.name, index: [] }),
    from = next && fromBoth(a.name, start, next)
  if (!from || !sameExpr(...from) || mentionsAny([from[0]], storedIn(loop.body))) return undefined
  return { ...loop, body: [...without(loop.body, a.name), store(a, [], from[0])] }
}

/** The number behind `body`, which is `value` before it; undefined where it is read behind where it may be stored. */
function followed(body: readonly LoopStmt[], name: string, value: Expr): Expr | undefined {
  return body.reduce<Expr | undefined>((v, s) => {
    if (!v || (!isRead(v, name) && ownExprs(s).some((e) => someExpr(e, (x) => isRead(x, name))))) return undefined
    if (s.kind === 'store') return s.array !== name ? v : s.reduce ? undefined : s.value
    if (s.kind === 'loop') return storedIn([s]).includes(name) || !isRead(v, name) ? undefined : v
    if (s.kind === 'declare') return v
    const then = followed(s.then, name, v),
      otherwise = followed(s.else, name, v)
    return then && otherwise && (sameExpr(then, otherwise) ? then : choose(s.condition, then, otherwise))
  }, value)
}

const without = (body: readonly LoopStmt[], name: string): readonly LoopStmt[] =>
  body.flatMap((s): readonly LoopStmt[] => {
    if (s.kind === 'store') return s.array === name ? [] : [s]
    return [s.kind === 'if' ? { ...s, then: without(s.then, name), else: without(s.else, name) } : s]
  })
