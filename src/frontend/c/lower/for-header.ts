// In: the header of a C `for`. Out: the LoopIR loop's bounds and step, and what the C variable is inside. The one idea:
// a loop that counts down becomes one that counts up, with the variable `start − t`, so that the order of iterations
// stays. Anything that does not step by a constant towards an affine bound is refused with its reason.
import { fail, type Span } from '../../../base/index.ts'
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineOf,
  ceilDiv,
  coefficient,
  hasOnlySizes,
  int,
  literal,
  loopVar,
  op,
  sub,
  type Affine,
  type Expr,
  type LoopStmt,
  affineFolded,
} from '../../../ir/index.ts'
import { lowerIndex, type LoweringContext } from './expressions.ts'
import { mirrored, variableOnLeft } from '../c-to-c/counted-header.ts'
import { countType, Scope, type CountType } from './scope.ts'
import type { CExpr, CStmt } from '../text/syntax.ts'

export interface ForHeader {
  /** The C variable. */
  readonly variable: string
  /** LoopIR name. */
  readonly name: string
  readonly lower: Expr
  readonly upper: Expr
  readonly step: number
  /** The value of the C variable inside. */
  readonly value: Expr
  /** The variable's type in C, where that is no int. */
  readonly type?: CountType
}

type For = Extract<CStmt, { kind: 'for' }>

/** Reads the header of `s`. `inner` is the scope of the body, in which the name of the loop is taken. */
export function forHeader(s: For, c: LoweringContext, inner: Scope): ForHeader {
  const { variable, start } = initial(s, c)
  const step = stepOf(s, variable, c)
  const probe: LoweringContext = { ...c, scope: new Scope(c.scope) }
  probe.scope.set(variable, { kind: 'value', expr: loopVar(probeName), role: 'loop' })
  const counted = variableType(s, c.scope)
  const isUnsigned = counted.type?.startsWith('u') ?? false
  const passed = isUnsigned ? downToZero(s.condition, variable, step, start, probe) : undefined
  const bound = passed ?? boundOf(s.condition, variable, step, probe, s.at, start)
  if (step > 0) {
    const name = inner.fresh(variable)
    return { variable, name, lower: start, upper: bound, step, value: loopVar(name), ...counted }
  }
  const name = inner.fresh(`${variable}_back`)
  return {
    variable,
    name,
    lower: int(0),
    upper: affineFolded(sub(start, sub(bound, int(1)))),
    step: -step,
    value: affineFolded(sub(start, loopVar(name))),
    ...counted,
  }
}

/**
 * The smallest value of a counter without a sign that counts down until it has passed 0: `i < n` from n - 1 on.
 * Undefined where that is not what the condition asks.
 */
function downToZero(
  e: CExpr | null,
  variable: string,
  step: number,
  start: Expr,
  c: LoweringContext,
): Expr | undefined {
  if (step >= 0 || e?.kind !== 'binary' || (e.op !== '<' && e.op !== '<=') || e.left.kind !== 'name') return undefined
  if (e.left.name !== variable) return undefined
  const room = affineOf(sub(lowerIndex(e.right, c), start))
  return room?.terms.size === 0 && room.constant >= (e.op === '<' ? 1 : 0) ? int(0) : undefined
}

/** A name that no C program has. */
const probeName = '1probe'

function initial(s: For, c: LoweringContext): { variable: string; start: Expr } {
  const { init } = s
  if (init?.kind === 'declare') {
    const [d, more] = init.declarators
    if (!d?.initial || more) return fail('c.for', 'a for loop declares one variable with a first value', init.at)
    if (d.type === 'f32' || d.type === 'f64')
      fail('c.for', `loop variable ${d.name} is not an integer`, d.at, 'count in integers and compute the value inside')
    return { variable: d.name, start: affineFolded(lowerIndex(d.initial, c)) }
  }
  if (init?.kind === 'expr' && init.expr.kind === 'assign' && init.expr.op === '' && init.expr.left.kind === 'name') {
    return { variable: init.expr.left.name, start: affineFolded(lowerIndex(init.expr.right, c)) }
  }
  return fail(
    'c.for',
    'this for loop sets no variable first',
    init?.at ?? s.at,
    'write for (int i = first; i < last; i++)',
  )
}

function stepOf(s: For, variable: string, c: LoweringContext): number {
  const { update } = s
  const isVariable = (e: CExpr): boolean => e.kind === 'name' && e.name === variable
  if (update?.kind === 'update' && isVariable(update.arg)) return update.op === '++' ? 1 : -1
  if (update?.kind === 'assign' && isVariable(update.left)) {
    const { op: sign, right } = update
    const by =
      sign === '+' || sign === '-'
        ? right
        : sign === '' && right.kind === 'binary' && (right.op === '+' || right.op === '-') && isVariable(right.left)
          ? right.right
          : sign === '' && right.kind === 'binary' && right.op === '+' && isVariable(right.right)
            ? right.left
            : undefined
    const minus = sign === '-' || (sign === '' && right.kind === 'binary' && right.op === '-')
    const value = by && literal(affineFolded(lowerIndex(by, c)))
    if (by && value === undefined)
      fail(
        'c.not-affine',
        `the step of loop ${variable} is no constant`,
        by.at,
        'use a constant step, or count in ones and multiply inside',
      )
    if (value !== undefined && value !== 0) return minus ? -value : value
  }
  return fail(
    'c.not-affine',
    `loop variable ${variable} does not step by a constant`,
    update?.at ?? s.at,
    'step with ++, --, += or -=',
  )
}

/** Counting up: the first value not taken. Counting down: the smallest value taken. */
function boundOf(e: CExpr | null, variable: string, step: number, c: LoweringContext, at: Span, start: Expr): Expr {
  if (!e) return fail('c.for', `loop ${variable} has no condition and would not end`, at)
  if (e.kind === 'binary' && e.op === '&&') {
    const a = boundOf(e.left, variable, step, c, at, start),
      b = boundOf(e.right, variable, step, c, at, start)
    return op(step > 0 ? 'min' : 'max', [a, b])
  }
  if (e.kind !== 'binary' || !mirrored[e.op])
    return fail(
      'c.not-affine',
      `the condition of loop ${variable} is no comparison`,
      e.at,
      'compare the loop variable with a bound',
    )
  const direct = (x: CExpr): boolean => x.kind === 'name' && x.name === variable
  const left = lowerIndex(e.left, c),
    right = lowerIndex(e.right, c)
  if (direct(e.left) && !mentions(right)) return compared(e.op, right, variable, step, e.at)
  if (direct(e.right) && !mentions(left)) return compared(mirrored[e.op]!, left, variable, step, e.at)
  const form = affineOf(sub(left, right))
  const factor = form ? coefficient(form, probeName) : 0
  const found = !form || factor === 0 ? variableOnLeft(e, variable) : undefined,
    limit = found && lowerIndex(found.limit, c)
  if (found && limit && !mentions(limit)) return compared(found.op, limit, variable, step, e.at)
  if (!form || factor === 0)
    return fail(
      'c.not-affine',
      `the condition of loop ${variable} is not linear in it`,
      e.at,
      'compare the loop variable with a bound that does not depend on it',
    )
  return solved(form, factor, factor > 0 ? e.op : mirrored[e.op]!, variable, step, e.at, start, c)
}

function mentions(e: Expr): boolean {
  switch (e.kind) {
    case 'var':
      return e.name === probeName
    case 'const':
    case 'size':
    case 'scalar':
      return false
    case 'read':
      return e.index.some(mentions)
    case 'op':
      return e.args.some(mentions)
    case 'choose':
      return [e.condition, e.then, e.else].some(mentions)
  }
}

/** The bound from `variable ∘ limit`. */
function compared(sign: string, limit: Expr, variable: string, step: number, at: Span): Expr {
  const plus = (n: number): Expr => affineFolded(sub(limit, int(-n)))
  if (sign === '!=') {
    if (Math.abs(step) !== 1)
      fail('c.for', `loop ${variable} steps by ${step} and ends with !=, which it may jump over`, at, 'use < or >')
    return step > 0 ? limit : plus(1)
  }
  const up = sign === '<' || sign === '<='
  if (up !== step > 0)
    fail(
      'c.for',
      `loop ${variable} counts ${step > 0 ? 'up' : 'down'} but its condition is ${sign}, so it would not end`,
      at,
    )
  if (step > 0) return sign === '<' ? affineFolded(limit) : plus(1)
  return sign === '>=' ? affineFolded(limit) : plus(1)
}

/** The bound from `factor × variable + rest ∘ 0`, `sign` already turned for a positive factor. */
function solved(
  form: Affine,
  factor: number,
  sign: string,
  variable: string,
  step: number,
  at: Span,
  start: Expr,
  c: LoweringContext,
): Expr {
  const rest = addScaled(form, { constant: 0, terms: new Map([[probeName, 1]]) }, -factor)
  const limit = affineExpr(addScaled(affineConstant(0), rest, factor > 0 ? -1 : 1))
  if (Math.abs(factor) === 1) return compared(sign, limit, variable, step, at)
  const least =
    step > 0 || (sign !== '>' && sign !== '>=') ? undefined : sign === '>=' ? limit : affineFolded(sub(limit, int(-1)))
  if (least && isCount(least, c)) return ceilDiv(least, Math.abs(factor))
  if (step < 0 || sign === '!=')
    return fail(
      'c.not-affine',
      `the condition of loop ${variable} multiplies it by ${factor}`,
      at,
      'compare the loop variable itself',
    )
  if (!isCount(start, c))
    fail(
      'c.not-affine',
      `the condition of loop ${variable} multiplies it, and its first value may be negative`,
      at,
      'compare the loop variable itself',
    )
  const strict =
    sign === '<'
      ? limit
      : sign === '<='
        ? affineFolded(sub(limit, int(-1)))
        : fail('c.for', `loop ${variable} counts up but its condition would not end it`, at)
  return ceilDiv(strict, Math.abs(factor))
}

/** A form of sizes that is never negative. */
function isCount(e: Expr, c: LoweringContext): boolean {
  const form = affineOf(e)
  if (form === undefined || form.constant < 0 || !hasOnlySizes(form)) return false
  return [...form.terms].every(([name, factor]) => factor > 0 && !c.isSigned(name.slice(1)))
}

/** An array that one of `bounds` reads and `body` changes. */
export const changedBound = (bounds: readonly Expr[], body: readonly LoopStmt[]): string | undefined =>
  bounds.flatMap(arraysRead).find((a) => storesTo(body, a))

function arraysRead(e: Expr): string[] {
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return []
    case 'read':
      return [e.array, ...e.index.flatMap(arraysRead)]
    case 'op':
      return e.args.flatMap(arraysRead)
    case 'choose':
      return [e.condition, e.then, e.else].flatMap(arraysRead)
  }
}

function storesTo(body: readonly LoopStmt[], array: string): boolean {
  return body.some((s) => {
    switch (s.kind) {
      case 'store':
        return s.array === array
      case 'loop':
        return storesTo(s.body, array)
      case 'if':
        return storesTo(s.then, array) || storesTo(s.else, array)
      case 'declare':
        return false
    }
  })
}

/** The type of the variable that `s` counts, where that is no int; declared in it, or before. */
function variableType({ init }: For, scope: Scope): { readonly type?: CountType } {
  if (init?.kind === 'declare') return countType(init.declarators[0]?.type)
  const name =
    init?.kind === 'expr' && init.expr.kind === 'assign' && init.expr.left.kind === 'name' && init.expr.left.name
  const meaning = name ? scope.look(name) : undefined
  return meaning?.kind === 'unset' && meaning.type ? { type: meaning.type } : {}
}
