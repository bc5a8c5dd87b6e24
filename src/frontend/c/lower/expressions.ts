// In: a C expression and what its names mean. Out: a typed LoopIR expression. The one idea: C's conversions, with one
// relaxation that people mean: a literal without suffix (`0.5`) and a library function without `f` (`sqrt`) take the
// float type of what they stand with, so that `0.5 * x` of a float is float; only `double` variables and casts make
// double. Sizes and loop variables are 32-bit. Nothing here has effects: assignments are statements.
import { DiagnosticError, fail, type Span } from '../../../base/index.ts'
import {
  add,
  evaluate,
  affineFolded,
  bytesOf,
  choose,
  constant,
  int,
  isFloat,
  literal,
  mul,
  op,
  read,
  sub,
  type Expr,
  type OpName,
  type ScalarType,
} from '../../../ir/index.ts'
import { namedConstants } from '../text/constants.ts'
import { hintFor } from './unknown-calls.ts'
import { mathFunction } from './math-calls.ts'
import { Scope, type Meaning } from './scope.ts'
import { everywhere, keyOfC, readsMemory } from '../c-to-c/name-uses.ts'
import type { CExpr, CFunction, CScalar } from '../text/syntax.ts'

/** A value's type: `weak` is a floating literal that has not met a typed value. */
type Natural = Exclude<ScalarType, 'bool'> | 'weak'

export interface LoweringContext {
  readonly scope: Scope
  readonly functions: ReadonlyMap<string, CFunction>
  /** The meaning of a name that no scope has (a global variable). */
  global(name: string, at: Span): Meaning | undefined
  /** The size that stands for a macro's number, if it stands for one. */
  sizeMacro(macro: string, value: number): Expr | undefined
  /** Whether a size may be negative. */
  isSigned(size: string): boolean
  /** The float type of literals that meet no typed value: f32 in a function without double. */
  readonly weakType: 'f32' | 'f64'
  /** The value is a subscript, an extent or a bound: as a whole it fits an int. */
  readonly index?: true
  /** It is computed under a condition, which may never hold. */
  readonly guarded?: true
  /** Calls being inlined. */
  readonly inlined: number
}

/** The type of a variable of C type `t` after integer promotion. */
export function promoted(t: CScalar): Exclude<ScalarType, 'bool'> {
  switch (t) {
    case 'i8':
    case 'u8':
    case 'i16':
    case 'u16':
    case 'bool':
    case 'void':
    case 'i32':
      return 'i32'
    case 'u32':
    case 'i64':
    case 'u64':
    case 'f16':
    case 'f32':
    case 'f64':
      return t
  }
}

const rank: Readonly<Record<Natural, number>> = { i32: 0, u32: 1, i64: 2, u64: 3, weak: 4, f16: 5, f32: 6, f64: 7 }
const common = (a: Natural, b: Natural): Natural => (rank[a] >= rank[b] ? a : b)

const comparisons: Readonly<Record<string, OpName>> = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
}
/** Operators by their sign. */
export const arithmetic: Readonly<Record<string, OpName>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr',
}

/** The meaning of `name`; refuses unknown names. */
function meaningOf(name: string, at: Span, c: LoweringContext): Exclude<Meaning, { kind: 'broken' }> {
  const found =
    c.scope.look(name) ??
    c.global(name, at) ??
    fail(
      'c.name',
      `${name} is not declared`,
      at,
      'declare it, define it with -D, or make it a parameter of the function',
    )
  // Nothing more to say: the statement is dropped with the errors there are.
  if (found.kind === 'broken') throw new DiagnosticError([])
  return found
}

// ------------------------------------------------------------------------------------------------------------- types

/** The type that C gives `e`. */
export function naturalType(e: CExpr, c: LoweringContext): Natural {
  switch (e.kind) {
    case 'number':
      return e.type === 'double' ? 'weak' : e.type
    case 'name':
      return nameType(e, c)
    case 'index':
    case 'deref': {
      const { type } = element(e, c)
      return promoted(type)
    }
    case 'unary':
      return e.op === '!' ? 'i32' : naturalType(e.arg, c)
    case 'binary':
      if (comparisons[e.op] || e.op === '&&' || e.op === '||') return 'i32'
      if (e.op === '<<' || e.op === '>>') return naturalType(e.left, c)
      return common(naturalType(e.left, c), naturalType(e.right, c))
    case 'choose':
      return common(naturalType(e.then, c), naturalType(e.else, c))
    case 'call':
      return callType(e, c)
    case 'cast':
      return promoted(e.type)
    case 'sizeof':
      return 'u64'
    case 'address':
      return fail('c.pointer', 'the address operator & is not supported here', e.at, 'pass the array and index it')
    case 'member':
      return fail('c.expression', 'only a structure has members, and this is not one', e.at)
    case 'assign':
    case 'update':
    case 'comma':
      return refuseEffect(e)
    case 'list':
      return fail('c.expression', 'expected a number, found an initializer list in braces', e.at)
    case 'unknown':
      return fail('c.expression', `${e.what} is not supported`, e.at, e.hint)
  }
}

function refuseEffect(e: CExpr): never {
  const what =
    e.kind === 'comma'
      ? 'the comma operator'
      : e.kind === 'update'
        ? `${e.op} inside an expression`
        : 'an assignment inside an expression'
  return fail('c.effect', `${what} is not supported`, e.at, 'make it a statement of its own')
}

function nameType(e: Extract<CExpr, { kind: 'name' }>, c: LoweringContext): Natural {
  const known = c.scope.look(e.name)
    ? undefined
    : Object.hasOwn(namedConstants, e.name)
      ? namedConstants[e.name]
      : undefined
  if (known) return known.type === 'double' ? 'weak' : known.type
  const meaning = meaningOf(e.name, e.at, c)
  switch (meaning.kind) {
    case 'value':
      return meaning.type ?? (meaning.expr.type === 'bool' ? 'i32' : meaning.expr.type)
    case 'array':
      return promoted(meaning.type)
    case 'unset':
      return refuseUnset(e, meaning)
  }
}

function refuseUnset(e: Extract<CExpr, { kind: 'name' }>, { isLoop }: Extract<Meaning, { kind: 'unset' }>): never {
  if (!isLoop)
    return fail(
      'c.unset',
      `${e.name} is read, but nothing is ever stored in it`,
      e.at,
      'give it a value where it is declared',
    )
  return fail(
    'c.loop-variable',
    `loop variable ${e.name} is used outside its loop`,
    e.at,
    'use another variable for the value',
  )
}

function callType(e: Extract<CExpr, { kind: 'call' }>, c: LoweringContext): Natural {
  const f = c.functions.get(e.name)
  if (f) return promoted(f.returns)
  const known = mathFunction(e.name)
  if (!known) return refuseCall(e, undefined)
  if (known.row.gives) return known.row.gives
  if (known.single) return 'f32'
  const t = e.args.map((a) => naturalType(a, c)).reduce(common, 'i32')
  if (known.row.wide) return t === 'i32' ? 'i32' : 'i64'
  return known.row.takes === 'number' || isFloat(t as ScalarType) || t === 'weak' ? t : 'weak' // weak was asked before
}

function refuseCall(e: Extract<CExpr, { kind: 'call' }>, why: string | undefined): never {
  if (why)
    fail(
      'c.call',
      `the call of ${e.name} cannot be inlined: ${why}`,
      e.at,
      'a helper is one return expression of its arguments',
    )
  return fail('c.call', `the function ${e.name} is not known`, e.at, hintFor(e.name))
}

// ------------------------------------------------------------------------------------------------------------ values

const settle = (t: Natural, wanted: ScalarType | undefined, c: LoweringContext): Exclude<ScalarType, 'bool'> =>
  t !== 'weak' ? t : wanted === 'f32' || wanted === 'f16' || wanted === 'f64' ? wanted : c.weakType

/** `e` converted to `to` by value; constants are converted now. */
export function convert(e: Expr, to: ScalarType): Expr {
  if (e.type === to) return e
  if (e.kind === 'const') return constantOf(e.value, to)
  const isModular = e.kind === 'op' && bits32.has(to) && integers.has(e.type)
  if (isModular && e.args.every((a) => integers.has(a.type) && !isHash(a))) {
    // Modulo 2³² these are the same whether they are computed in 32 bits or in 64.
    if (e.op === 'convert') return convert(e.args[0]!, to)
    if (modular.has(e.op)) return apply(e.op, convert(e.args[0]!, to), convert(e.args[1]!, to))
    const by = e.args[1]
    if (e.op === 'shl' && by?.kind === 'const' && isShortShift(by))
      return apply('shl', convert(e.args[0]!, to), constantOf(by.value, to))
    if (e.op === 'not') return op('not', [convert(e.args[0]!, to)])
    if (e.op === 'neg') return apply('sub', constantOf(0, to), convert(e.args[0]!, to))
  }
  return op('convert', [e], to)
}

/** Whether what is shifted by `by` keeps its last bits within 32. */
export function isShortShift(by: Expr): boolean {
  const n = by.kind === 'const' ? Number(by.value) : -1
  return n >= 0 && n < 32
}

/** A factor or a mask that leaves 31 bits: what is computed with it stays in a type that wraps. */
const isHash = (e: Expr): boolean =>
  e.kind === 'const' && Math.abs(Number(BigInt.asIntN(32, BigInt(Math.trunc(Number(e.value)))))) >= 2 ** 27

/** What the last bits of two numbers decide in the last bits of the result. */
const modular: ReadonlySet<OpName> = new Set(['add', 'sub', 'mul', 'and', 'or', 'xor'])

const bits32: ReadonlySet<ScalarType> = new Set(['i32', 'u32'])
const integers: ReadonlySet<ScalarType> = new Set(['i32', 'u32', 'i64', 'u64'])

/** A constant of `type`, rounded or wrapped to it. */
export function constantOf(value: number | bigint, type: ScalarType): Expr {
  switch (type) {
    case 'bool':
      // biome-ignore lint/suspicious/noDoubleEquals: the value may be 0 or 0n
      return constant(type, value == 0 ? 0 : 1)
    case 'i32':
      return constant(type, Number(BigInt.asIntN(32, wholeOf(value))))
    case 'u32':
      return constant(type, Number(BigInt.asUintN(32, wholeOf(value))))
    case 'i64':
      return constant(type, BigInt.asIntN(64, wholeOf(value)))
    case 'u64':
      return constant(type, BigInt.asUintN(64, wholeOf(value)))
    case 'f16':
    case 'f32':
      return constant(type, Math.fround(Number(value)))
    case 'f64':
      return constant(type, Number(value))
  }
}

/** What a conversion to an integer keeps; of what no integer can hold, which C leaves open, 0. */
const wholeOf = (value: number | bigint): bigint =>
  typeof value === 'bigint' ? value : Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n

/** `e` as an integer index expression. */
export const lowerIndex = (e: CExpr, c: LoweringContext): Expr => lowerExpression(e, 'i32', { ...c, index: true })

/** `e` as a value of type `to`, with C's rules for how it is computed. */
export function lowerExpression(e: CExpr, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  switch (e.kind) {
    case 'number':
      return lowerNumber(e, to, c)
    case 'name':
      return lowerName(e, to, c)
    case 'index':
    case 'deref': {
      const x = element(e, c)
      return convert(readPromoted(x), to)
    }
    case 'unary':
      return lowerUnary(e, to, c)
    case 'binary':
      return lowerBinary(e, to, c)
    case 'choose':
      return lowerChoose(e, to, c)
    case 'call':
      return lowerCall(e, to, c)
    case 'cast':
      return lowerCast(e, to, c)
    case 'sizeof':
      return constantOf(e.type === 'void' || e.type === 'bool' ? 1 : bytesOf[e.type], to)
    case 'assign':
    case 'update':
    case 'comma':
    case 'list':
    case 'unknown':
    case 'address':
    case 'member':
      naturalType(e, c)
      return refuseEffect(e)
  }
}

function lowerNumber(e: Extract<CExpr, { kind: 'number' }>, to: ScalarType, c: LoweringContext): Expr {
  const size = e.macro === undefined ? undefined : c.sizeMacro(e.macro, e.value)
  if (c.index && to === 'i32' && e.type !== 'double' && e.type !== 'f32' && Math.abs(e.value) > 2147483647)
    fail('c.range', `${e.value} does not fit a 32-bit index`, e.at)
  return size ? convert(size, to) : constantOf(e.exact ?? e.value, to)
}

function lowerName(e: Extract<CExpr, { kind: 'name' }>, to: ScalarType, c: LoweringContext): Expr {
  const known = c.scope.look(e.name)
    ? undefined
    : Object.hasOwn(namedConstants, e.name)
      ? namedConstants[e.name]
      : undefined
  if (known) return constantOf(known.value, to)
  const meaning = meaningOf(e.name, e.at, c)
  switch (meaning.kind) {
    case 'value':
      return convert(meaning.type ? convert(meaning.expr, meaning.type) : meaning.expr, to)
    case 'unset':
      return refuseUnset(e, meaning)
    case 'array':
      if (meaning.array.shape.length > 0)
        fail('c.pointer', `expected a number, found the array ${e.name}`, e.at, `index it, as in ${e.name}[i]`)
      return convert(readPromoted({ meaning, index: [], type: meaning.type, at: e.at }), to)
  }
}

export interface Element {
  readonly meaning: Extract<Meaning, { kind: 'array' }>
  readonly index: readonly Expr[]
  readonly type: CScalar
  readonly at: Span
}

/** The array element that an lvalue names. Refuses wrong ranks and pointers. */
export function element(e: CExpr, c: LoweringContext): Element {
  const index: CExpr[] = []
  let base = e
  for (;;) {
    if (base.kind === 'index') {
      index.unshift(base.index)
      base = base.base
    } else if (base.kind === 'deref') {
      const sum = base.arg.kind === 'binary' && base.arg.op === '+' ? base.arg : undefined
      index.unshift(sum ? sum.right : { kind: 'number', value: 0, type: 'i32', at: base.at })
      base = sum ? sum.left : base.arg
    } else break
  }
  if (base.kind === 'unknown') return fail('c.expression', `${base.what} is not supported`, base.at, base.hint)
  if (base.kind !== 'name')
    return fail(
      'c.pointer',
      'this is no element of an array that is known here',
      base.at,
      'index the array by its name',
    )
  const meaning = meaningOf(base.name, base.at, c)
  if (meaning.kind === 'unset') return refuseUnset(base, meaning)
  if (meaning.kind !== 'array')
    return index.length > 0
      ? fail('c.type', `${base.name} is no array`, e.at)
      : fail(
          'c.assign',
          `${base.name} cannot be assigned to`,
          e.at,
          meaning.role === 'loop'
            ? 'a loop variable changes only in the header of its for'
            : 'copy it to a local variable',
        )
  const wanted = meaning.array.shape.length
  if (index.length === 0 && wanted > 0)
    fail('c.pointer', `expected a number, found the array ${base.name}`, e.at, `index it, as in ${base.name}[i]`)
  if (index.length !== wanted)
    fail(
      'c.rank',
      wanted === 0
        ? `${base.name} is no array`
        : `${base.name} has ${wanted} dimension${wanted === 1 ? '' : 's'} and is indexed with ${index.length}`,
      e.at,
    )
  return { meaning, index: index.map((x) => affineFolded(lowerIndex(x, c))), type: meaning.type, at: e.at }
}

/** The element as C reads it: narrow integers become int. */
export function readPromoted(x: Element): Expr {
  return convert(read(x.meaning.array, x.index, x.at), promoted(x.type))
}

function lowerUnary(e: Extract<CExpr, { kind: 'unary' }>, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  if (e.op === '!') return convert(condition(e, c), to)
  const t = settle(naturalType(e.arg, c), to, c)
  const x = lowerExpression(e.arg, t, c)
  if (e.op === '+') return convert(x, to)
  if (e.op === '~')
    return convert(x.kind === 'const' ? constantOf(evaluate('not', t, [x.value]), t) : op('not', [x]), to)
  if (x.kind === 'const') return convert(constantOf(-x.value, t), to)
  return convert(t === 'i32' ? sub(int(0), x) : op('neg', [x]), to)
}

function lowerBinary(e: Extract<CExpr, { kind: 'binary' }>, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  const name = arithmetic[e.op]
  if (!name) return convert(condition(e, c), to)
  const t = settle(naturalType(e, c), to, c)
  if (
    isFloat(t) &&
    (name === 'rem' || name === 'and' || name === 'or' || name === 'xor' || name === 'shl' || name === 'shr')
  )
    fail('c.type', `${e.op} needs integers`, e.at)
  return convert(
    apply(name, lowerExpression(e.left, t, c), divisorFor(name, lowerExpression(e.right, t, c), e.at, c)),
    to,
  )
}

/** What stands behind an operator; refuses an integer division by the constant 0 that certainly happens. */
export function divisorFor(name: OpName, x: Expr, at: Span, c: LoweringContext): Expr {
  const isZero = x.kind === 'const' && Number(x.value) === 0 && !isFloat(x.type)
  return isZero && !c.guarded && (name === 'div' || name === 'rem')
    ? fail(
        'c.division',
        `this ${name === 'div' ? 'division' : 'remainder'} is by zero`,
        at,
        'integers cannot be divided by 0; correct the divisor',
      )
    : x
}

/** `op` on two values of one type, index arithmetic folded. */
export function apply(name: OpName, a: Expr, b: Expr): Expr {
  if (a.type === 'i32') {
    if (name === 'add') return add(a, b)
    if (name === 'sub') return sub(a, b)
    if (name === 'mul') return mul(a, b)
    const x = literal(a),
      y = literal(b)
    if (y === 1 && name === 'div') return a
    if (y === 1 && name === 'rem') return int(0)
    if (x !== undefined && y !== undefined && y !== 0 && name === 'div') return int(Math.trunc(x / y))
    if (x !== undefined && y !== undefined && y !== 0 && name === 'rem') return int(x % y)
    if (x !== undefined && y !== undefined && name === 'shl') return int(x << y)
    if (x !== undefined && y !== undefined && name === 'shr') return int(x >> y)
  }
  if (a.kind === 'const' && b.kind === 'const' && wideTypes.has(a.type) && !(isQuotient(name) && Number(b.value) === 0))
    return constantOf(evaluate(name, a.type, [a.value, b.value]), a.type)
  if (a.kind === 'const' && b.kind === 'const' && isFloat(a.type)) {
    const x = Number(a.value),
      y = Number(b.value)
    if (name === 'add') return constantOf(x + y, a.type)
    if (name === 'sub') return constantOf(x - y, a.type)
    if (name === 'mul') return constantOf(x * y, a.type)
    if (name === 'div') return constantOf(x / y, a.type)
  }
  return op(name, [a, b])
}

/** Integers that are no int. */
export const wideTypes: ReadonlySet<ScalarType> = new Set(['u32', 'i64', 'u64'])
const isQuotient = (name: OpName): boolean => name === 'div' || name === 'rem'

/** Reads of `e` that are not also made by `others`, by their text. */
function readsMore(e: CExpr, others: readonly CExpr[]): boolean {
  const made = new Set(
    others
      .flatMap((o) => everywhere(o))
      .filter((x) => x.kind === 'index')
      .map(keyOfC),
  )
  return everywhere(e).some((x) => x.kind === 'deref' || (x.kind === 'index' && !made.has(keyOfC(x))))
}

/** `e` without its places, for comparing. */

function lowerChoose(e: Extract<CExpr, { kind: 'choose' }>, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  const t = settle(naturalType(e, c), to, c)
  const test = condition(e.condition, c),
    inside: LoweringContext = { ...c, guarded: true },
    then = lowerExpression(e.then, t, inside),
    otherwise = lowerExpression(e.else, t, inside)
  if (test.kind === 'const') return convert(test.value ? then : otherwise, to)
  const isLazy = readsMore(e.then, [e.condition]) || readsMore(e.else, [e.condition])
  return convert(isLazy ? choose(test, then, otherwise) : op('select', [test, then, otherwise]), to)
}

/** `e` as a truth value. `&&`, `||` stay lazy where the right side reads memory. */
export function condition(e: CExpr, c: LoweringContext): Expr {
  if (e.kind === 'unary' && e.op === '!') return op('lnot', [condition(e.arg, c)])
  if (e.kind === 'binary' && (e.op === '&&' || e.op === '||')) {
    const a = condition(e.left, c),
      b = condition(e.right, { ...c, guarded: true })
    if (!readsMemory(e.right)) return op(e.op === '&&' ? 'land' : 'lor', [a, b])
    return e.op === '&&' ? choose(a, b, constant('bool', 0)) : choose(a, constant('bool', 1), b)
  }
  const comparison = e.kind === 'binary' ? comparisons[e.op] : undefined
  if (e.kind === 'binary' && comparison) {
    const t = settle(common(naturalType(e.left, c), naturalType(e.right, c)), undefined, c)
    return op(comparison, [lowerExpression(e.left, t, c), lowerExpression(e.right, t, c)])
  }
  const t = settle(naturalType(e, c), undefined, c),
    x = lowerExpression(e, t, c)
  if (x.kind === 'op' && x.op === 'convert' && x.args[0]!.type === 'bool') return x.args[0]!
  return x.kind === 'const' ? convert(x, 'bool') : op('ne', [x, constantOf(0, t)])
}

function lowerCast(e: Extract<CExpr, { kind: 'cast' }>, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  if (e.type === 'void') fail('c.type', 'a cast to void is no value', e.at)
  if (e.pointer) fail('c.pointer', 'expected a number, found a pointer', e.at, 'index it, as in p[i]')
  if (e.type === 'bool') return convert(condition(e.arg, c), to)
  if (e.bits) return convert(bitsOf(e.arg, promoted(e.type), c), to)
  const inner = lowerExpression(e.arg, settle(naturalType(e.arg, c), promoted(e.type), c), c)
  return convert(narrow(convert(inner, promoted(e.type)), e.type), to)
}

/** The value of type `to` with the bits of `e`, which is as wide. */
function bitsOf(e: CExpr, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  const from = settle(naturalType(e, c), undefined, c)
  return op('bitcast', [lowerExpression(e, from, c)], to)
}

/** An int brought into the range of a narrower integer type. */
export function narrow(x: Expr, type: CScalar): Expr {
  if (type === 'u8' || type === 'u16') return op('and', [x, constantOf(type === 'u8' ? 255 : 65535, x.type)])
  if (type !== 'i8' && type !== 'i16') return x
  const by = type === 'i8' ? 24 : 16,
    known = x.type === 'i32' ? literal(x) : undefined
  return known === undefined ? op('shr', [op('shl', [x, int(by)]), int(by)]) : int((known << by) >> by)
}

function lowerCall(e: Extract<CExpr, { kind: 'call' }>, to: Exclude<ScalarType, 'bool'>, c: LoweringContext): Expr {
  const f = c.functions.get(e.name)
  if (f) return convert(inline(e, f, c), to)
  const known = mathFunction(e.name)
  if (!known) return refuseCall(e, undefined)
  if (e.args.length !== known.row.arity)
    fail(
      'c.call',
      `${e.name} takes ${known.row.arity} argument${known.row.arity === 1 ? '' : 's'}, got ${e.args.length}`,
      e.at,
    )
  const t =
    known.row.of ??
    (known.row.gives ? settle(known.single ? 'f32' : floatOf(e, c), undefined, c) : settle(callType(e, c), to, c))
  if (known.row.single && t === 'f64')
    fail(
      'c.call',
      `${e.name} is known in single precision only`,
      e.at,
      `use ${e.name}${e.name.endsWith('f') ? '' : 'f'} on floats`,
    )
  return convert(known.row.build(e.args.map((a) => lowerExpression(a, t, c))), to)
}

/** The float type of the arguments of a function that gives an integer. */
function floatOf(e: Extract<CExpr, { kind: 'call' }>, c: LoweringContext): Natural {
  const t = e.args.map((a) => naturalType(a, c)).reduce(common, 'i32')
  return t === 'weak' || isFloat(t) ? t : 'weak'
}

/** Number of nodes of `e`, counted up to `most`: shared parts count every time, so sizes can be exponential. */
export function sizeUpTo(e: Expr, most: number): number {
  let left = most
  const visit = (x: Expr): void => {
    if (--left <= 0) return
    switch (x.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return
      case 'read':
        for (const y of x.index) visit(y)
        return
      case 'op':
        for (const y of x.args) visit(y)
        return
      case 'choose':
        visit(x.condition)
        visit(x.then)
        visit(x.else)
    }
  }
  visit(e)
  return most - left
}

/** Nodes of an argument: an inlined function repeats it wherever it uses the parameter. */
const largestArgument = 400

function inline(e: Extract<CExpr, { kind: 'call' }>, f: CFunction, c: LoweringContext): Expr {
  const [only, more] = f.body.body.filter((s) => s.kind !== 'empty')
  if (c.inlined > 30) refuseCall(e, 'helpers call each other too deep')
  if (only?.kind !== 'return' || !only.value || more) return refuseCall(e, 'its body is more than one return')
  if (f.parameters.filter((p) => p.type !== 'void').length !== e.args.length)
    fail('c.call', `${e.name} takes ${f.parameters.length} arguments, got ${e.args.length}`, e.at)
  const scope = new Scope(undefined)
  f.parameters.forEach((p, i) => {
    if (p.type === 'void') return
    if (p.extents.length > 0) scope.set(p.name, arrayArgument(e.args[i]!, e, c))
    else {
      const expr = narrow(lowerExpression(e.args[i]!, promoted(p.type), c), p.type)
      if (sizeUpTo(expr, largestArgument) >= largestArgument) refuseCall(e, 'its arguments become too large')
      scope.set(p.name, { kind: 'value', expr, role: 'constant' })
    }
  })
  return lowerExpression(only.value, promoted(f.returns), { ...c, scope, inlined: c.inlined + 1 })
}

function arrayArgument(e: CExpr, call: Extract<CExpr, { kind: 'call' }>, c: LoweringContext): Meaning {
  const meaning = e.kind === 'name' ? meaningOf(e.name, e.at, c) : undefined
  return meaning?.kind === 'array' ? meaning : refuseCall(call, 'an argument is an address')
}
