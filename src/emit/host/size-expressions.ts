// In: a plan expression (sizes, scalars, variables of host loops). Out: its text in TypeScript or C++. The one idea:
// both count in numbers wide enough for every size (doubles, `long long`), so nothing wraps on the way but unsigned
// integers, as C has it; what goes into a 32-bit parameter is checked where it is stored. Expressions that a plan may
// not hold are an `InternalError`.
import { InternalError } from '../../base/index.ts'
import { isFloat, type Expr, type OpName } from '../../ir/index.ts'
import { atLevel, call, infix, levels, prefix, primary, type Text } from '../printer.ts'

/** How a language writes what differs. */
export interface HostLanguage {
  name(e: Extract<Expr, { kind: 'size' | 'scalar' | 'var' }>): string
  /** Whether a signed integer can be, at the sizes that are allowed. */
  readonly mayBeNegative: (e: Expr) => boolean
  /** `type`: of the result. */
  readonly call: (fn: string, args: readonly Text[], type: Expr['type']) => Text
  /** Integer division towards zero of non-zero divisors. */
  readonly divide: (a: Text, b: Text) => Text
  /** Leading zeros of 32 bits of what is not negative. */
  readonly zeros: (a: Text) => Text
  readonly convert: (a: Text, from: Expr['type'], to: Expr['type']) => Text
  /** `plain`, an operation on integers whose result is unsigned, modulo 2³². */
  readonly unsigned: (op: OpName, args: readonly Text[], plain: Text) => Text
  /** An unsigned integer as the signed one with its bits. */
  readonly signed: (a: Text) => Text
}

const symbols: Partial<Record<OpName, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  rem: '%',
  and: '&',
  or: '|',
  xor: '^',
  shl: '<<',
  shr: '>>',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  land: '&&',
  lor: '||',
}

/** The text of `e`; a condition where its type is bool. */
export function expressionText(e: Expr, language: HostLanguage): Text {
  switch (e.kind) {
    case 'const':
      return e.type === 'bool' ? primary(e.value ? 'true' : 'false') : signed(`${e.value}`)
    case 'size':
    case 'scalar':
    case 'var':
      return primary(language.name(e))
    case 'choose':
      return choice(
        expressionText(e.condition, language),
        expressionText(e.then, language),
        expressionText(e.else, language),
      )
    case 'op':
      return opText(e, language)
    case 'read':
      throw new InternalError('emit/expression', 'a plan expression holds a read', JSON.stringify(e))
  }
}

const signed = (text: string): Text => ({ text, level: text.startsWith('-') ? levels.unary : levels.primary })
const choice = (c: Text, a: Text, b: Text): Text => ({
  text: `${atLevel(c, levels.logic)} ? ${atLevel(a, levels.logic)} : ${atLevel(b, levels.logic)}`,
  level: levels.choice,
})

/** Operations whose texts leave the range of unsigned integers, in one language or the other. */
const leaveRange: ReadonlySet<OpName> = new Set<OpName>(['add', 'sub', 'mul', 'neg', 'and', 'or', 'xor', 'shl', 'shr'])

function opText(e: Extract<Expr, { kind: 'op' }>, language: HostLanguage): Text {
  const args = e.args.map((a) => expressionText(a, language)),
    plain = plainText(e, args, language),
    given = e.op === 'convert' ? e.args[0]! : undefined // it has one
  if (e.type === 'i32' && given?.type === 'u32') return language.signed(plain)
  const leaves = given ? given.type === 'i32' && language.mayBeNegative(given) : leaveRange.has(e.op)
  return e.type === 'u32' && leaves ? language.unsigned(e.op, args, plain) : plain
}

function plainText(e: Extract<Expr, { kind: 'op' }>, args: readonly Text[], language: HostLanguage): Text {
  const [a, b, c] = args as [Text, Text, Text] // as many as the op takes
  const symbol = symbols[e.op]
  if (symbol) return infix(symbol, a, b)
  switch (e.op) {
    case 'eq':
      return infix('==', a, b)
    case 'ne':
      return infix('!=', a, b)
    case 'neg':
      return prefix('-', a)
    case 'lnot':
      return prefix('!', a)
    case 'select':
      return choice(a, b, c)
    case 'copy':
      return a
    case 'clz':
      return language.zeros(a)
    case 'div':
      return isFloat(e.type) ? infix('/', a, b) : language.divide(a, b)
    case 'convert':
      return language.convert(a, e.args[0]!.type, e.type) // one argument
    case 'min':
    case 'max':
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'sqrt':
    case 'exp':
    case 'log':
    case 'pow':
      return language.call(e.op, args, e.type)
    default:
      throw new InternalError('emit/expression', `a plan expression holds ${e.op}`)
  }
}

/** Names as `name` gives them. */
export function typescriptLanguage(
  name: HostLanguage['name'],
  mayBeNegative: HostLanguage['mayBeNegative'],
): HostLanguage {
  return {
    name,
    mayBeNegative,
    call: (fn, args) => call(`Math.${fn}`, ...args),
    divide: (a, b) => call('Math.trunc', infix('/', a, b)),
    zeros: (a) => call('Math.clz32', a),
    convert: (a, from, to) =>
      to === 'bool'
        ? infix('!=', a, primary('0'))
        : from === 'bool'
          ? call('Number', a)
          : isFloat(from) && !isFloat(to)
            ? call('Math.trunc', a)
            : a,
    unsigned: (op, [a, b], plain) =>
      op === 'shr'
        ? infix('>>>', a!, b!) // both have two arguments
        : infix('>>>', op === 'mul' ? call('Math.imul', a!, b!) : plain, primary('0')),
    signed: (a) => infix('|', a, primary('0')),
  }
}

const castTo = (type: string, a: Text): Text => ({ text: `(${type})${atLevel(a, levels.unary)}`, level: levels.unary })

export function cppLanguage(name: HostLanguage['name'], mayBeNegative: HostLanguage['mayBeNegative']): HostLanguage {
  return {
    name,
    mayBeNegative,
    call: (fn, args, type) =>
      // literals are int
      call(`std::${fn}${(fn === 'min' || fn === 'max') && !isFloat(type) ? '<long long>' : ''}`, ...args),
    divide: (a, b) => infix('/', a, b),
    // of an integer and a half as of the integer, and -1 of a half, as 0 has 32
    zeros: (a) =>
      infix('-', primary('31'), call('(long long)std::ilogb', infix('+', call('(double)', a), primary('0.5')))),
    convert: (a, _, to) =>
      castTo(to === 'bool' ? 'bool' : to === 'f32' ? 'float' : to === 'f64' ? 'double' : 'long long', a),
    // products of two of 32 bits may leave 64 signed ones
    unsigned: (op, [a, b], plain) =>
      castTo('long long', castTo('unsigned', op === 'mul' ? infix('*', castTo('unsigned long long', a!), b!) : plain)),
    signed: (a) => castTo('long long', castTo('int', a)),
  }
}
