// How CUDA C++ spells types and ops. The one idea: a table of spellings, where what C leaves undefined is guarded:
// division by what is no non-zero literal, shift amounts, conversions out of range.
import type { MemoryType, OpName, ScalarType } from '../../ir/index.ts'
import { withoutNegativeLiteral } from '../integer-extremes.ts'
import {
  type CudaHelpers,
  divisionHelper,
  powerHelper,
  quotientHelper,
  reciprocalHelper,
  rootHelper,
  negationHelper,
  signHelper,
} from './device-functions.ts'
import { shortFloat } from '../literal.ts'
import { atLevel, call, infix, levels, prefix, primary, type Spell, type Text } from '../printer.ts'

/** Types of registers and of memory in C. */
export const cudaType: Readonly<Record<ScalarType | MemoryType, string>> = {
  bool: 'bool',
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
  i32: 'int',
  u32: 'unsigned',
  i64: 'long long',
  u64: 'unsigned long long',
  f16: '__half',
  f32: 'float',
  f64: 'double',
}

export const signed = (text: string): Text => ({ text, level: text.startsWith('-') ? levels.unary : levels.primary })

const op =
  (symbol: string): Spell =>
  ([a, b]) =>
    infix(symbol, a!, b!) // arity is verified
export const castText = (type: string, a: Text): Text => ({
  text: `(${type})${atLevel(a, levels.unary)}`,
  level: levels.unary,
})

/** A math function: `name` for double, `namef` for float, through float for half. */
const math =
  (name: string): Spell =>
  (args, type) => {
    if (type === 'f64') return call(name, ...args)
    if (type === 'f16') return call('__float2half', call(`${name}f`, ...args.map((a) => call('__half2float', a))))
    return call(`${name}f`, ...args)
  }

/** `name` on integers, the math function `float` on floats. */
const either =
  (integer: string, float: string): Spell =>
  (args, type, from) =>
    type === 'f16' || type === 'f32' || type === 'f64' ? math(float)(args, type, from) : call(integer, ...args)

const wideName =
  (narrow: string, wide: string): Spell =>
  ([a], type) => {
    const text = call(
      type === 'i64' || type === 'u64' ? wide : narrow,
      castText(type === 'u64' || type === 'i64' ? 'long long' : 'int', a!),
    )
    return type === 'i32' ? text : castText(cudaType[type], text)
  }

/** `exact`: quotients, roots and powers are rounded as well as CUDA can; else to the bounds of `docs/c.md`. */
export const opTable = (h: CudaHelpers, exact: boolean, extremes: boolean): Record<OpName, Spell> => ({
  add: op('+'),
  sub: (args, type) =>
    extremes && type === 'i32' && args[0]!.text === '0' ? call(negationHelper(h), args[1]!) : op('-')(args, type, type),
  mul: (args, type) => {
    const turned = extremes && type === 'i32' ? withoutNegativeLiteral('*', args, () => negationHelper(h)) : undefined
    return turned ?? op('*')(args, type, type)
  },
  div: (args, type) => {
    if (type === 'f32' && !exact) return quotient(h, args)
    const turned = extremes && type === 'i32' ? withoutNegativeLiteral('/', args, () => negationHelper(h)) : undefined
    return turned ?? divide(h, '/', args, type)
  },
  rem: (args, type) => divide(h, '%', args, type),
  neg: ([a], type) => {
    if (extremes && type === 'i32') return call(negationHelper(h), a!)
    return type === 'u32' || type === 'u64' ? infix('-', primary(type === 'u32' ? '0u' : '0ull'), a!) : prefix('-', a!)
  },
  abs: (args, type, from) =>
    type === 'u32' || type === 'u64'
      ? args[0]!
      : type === 'i64'
        ? call('llabs', ...args)
        : either('abs', 'fabs')(args, type, from),
  sign: (args, type) => call(signHelper(h, type), ...args),
  min: either('min', 'fmin'),
  max: either('max', 'fmax'),
  fma: math('fma'),
  floor: math('floor'),
  ceil: math('ceil'),
  trunc: math('trunc'),
  round: math('rint'),
  and: op('&'),
  or: op('|'),
  xor: op('^'),
  not: ([a]) => prefix('~', a!),
  shl: shift('<<'),
  shr: shift('>>'),
  mulhi: (args, type) =>
    // integers only
    call({ i32: '__mulhi', u32: '__umulhi', i64: '__mul64hi', u64: '__umul64hi' }[type as 'i32'], ...args),
  popcount: wideName('__popc', '__popcll'),
  clz: wideName('__clz', '__clzll'),
  ctz: ([a], type) =>
    wideName('__clz', '__clzll')([call(type === 'i64' || type === 'u64' ? '__brevll' : '__brev', a!)], type, type),
  reverseBits: ([a], type) =>
    castText(cudaType[type], call(type === 'i64' || type === 'u64' ? '__brevll' : '__brev', a!)),
  eq: op('=='),
  ne: op('!='),
  lt: op('<'),
  le: op('<='),
  gt: op('>'),
  ge: op('>='),
  land: op('&'),
  lor: op('|'),
  lnot: ([a]) => prefix('!', a!),
  select: ([c, a, b]) => ({
    text: `${atLevel(c!, levels.logic)} ? ${atLevel(a!, levels.logic)} : ${atLevel(b!, levels.logic)}`,
    level: levels.choice,
  }),
  sqrt: (args, type, from) =>
    type === 'f32' && !exact ? call(rootHelper(h), ...args) : math('sqrt')(args, type, from),
  rsqrt: math('rsqrt'),
  rcp: ([a], type) =>
    type === 'f32' && !exact
      ? quotient(h, [primary('1.0f'), a!])
      : infix('/', primary(type === 'f64' ? '1.0' : type === 'f32' ? '1.0f' : '__float2half(1.0f)'), a!),
  exp: math('exp'),
  exp2: math('exp2'),
  log: math('log'),
  log2: math('log2'),
  sin: math('sin'),
  cos: math('cos'),
  tan: math('tan'),
  asin: math('asin'),
  acos: math('acos'),
  atan: math('atan'),
  sinh: math('sinh'),
  cosh: math('cosh'),
  tanh: math('tanh'),
  pow: (args, type, from) => {
    if (type !== 'f32') return math('pow')(args, type, from)
    return (exact ? undefined : power(args)) ?? call(powerHelper(h), ...args)
  },
  atan2: math('atan2'),
  convert: ([a], type, from) => convert(a!, type, from),
  bitcast: ([a], type, from) => bitcast(a!, type, from),
  copy: ([a]) => a!,
})

/** Plain where the divisor is a literal other than 0 and −1; else a helper that says what KernelIR says. */
function divide(h: CudaHelpers, symbol: '/' | '%', args: readonly Text[], type: ScalarType): Text {
  const [a, b] = [args[0]!, args[1]!]
  if (type === 'f16' || type === 'f32' || type === 'f64')
    return symbol === '/' ? infix('/', a, b) : math('fmod')([a, b], type, type)
  const known = /^(-?\d+)(u|ll|ull)?$/.exec(b.text)?.[1]
  if (known !== undefined && known !== '0' && known !== '-1') return infix(symbol, a, b)
  return call(divisionHelper(h, symbol, type), a, b)
}

/** The value of a literal of single precision. */
const singleOf = ({ text }: Text): number | undefined =>
  /^-?\d[\d.]*(e[+-]?\d+)?f$/.test(text) ? Math.fround(Number(text.slice(0, -1))) : undefined

/**
 * Of single precision, within 2 ulp; by a literal the product with its reciprocal, within 1 ulp where both are normal
 * numbers.
 */
function quotient(h: CudaHelpers, [a, b]: readonly Text[]): Text {
  const by = singleOf(b!),
    inverse = by === undefined ? 0 : Math.fround(1 / by) // two arguments
  const normal = (x: number): boolean => Math.abs(x) >= 2 ** -126 && Math.abs(x) < 2 ** 126
  if (by !== undefined && normal(by) && normal(inverse)) return infix('*', a!, singleText(inverse))
  return singleOf(a!) === 1 ? call(reciprocalHelper(h), b!) : call(quotientHelper(h), a!, b!)
}

/** A power whose exponent is a literal and no whole number: 2^(y · log2 x), which is NaN below zero as the power is. */
function power([x, y]: readonly Text[]): Text | undefined {
  const exponent = singleOf(y!) // two arguments
  return exponent === undefined || Number.isInteger(exponent)
    ? undefined
    : call('exp2f', infix('*', y!, call('log2f', x!)))
}

export const singleText = (n: number): Text =>
  signed(`${Object.is(n, -0) ? '-0.0' : shortFloat(n, (x) => Math.fround(x) === n)}f`)

function shift(symbol: '<<' | '>>'): Spell {
  return ([a, b], type) => {
    const mask = type === 'i64' || type === 'u64' ? 63 : 31
    const known = /^(-?\d+)(u|ll|ull)?$/.exec(b!.text)?.[1]
    return known !== undefined
      ? infix(symbol, a!, primary(`${Number(known) & mask}`))
      : infix(symbol, a!, infix('&', b!, primary(`${mask}`)))
  }
}

function convert(a: Text, type: ScalarType, from: ScalarType): Text {
  if (type === from) return a
  if (type === 'bool') return infix('!=', from === 'f16' ? call('__half2float', a) : a, primary('0'))
  if (from === 'f16') return convert(call('__half2float', a), type, 'f32')
  if (type === 'f16')
    return call(
      from === 'f64' ? '__double2half' : '__float2half',
      from === 'f32' || from === 'f64' ? a : castText('float', a),
    )
  if ((from === 'f32' || from === 'f64') && type !== 'f32' && type !== 'f64')
    return call(`__${from === 'f32' ? 'float' : 'double'}2${saturating[type]}_rz`, a)
  return castText(cudaType[type], a)
}

/** What intrinsics that truncate and saturate call integer types; a C cast is undefined out of range. */
const saturating = { i32: 'int', u32: 'uint', i64: 'll', u64: 'ull' } as const

function bitcast(a: Text, type: ScalarType, from: ScalarType): Text {
  if (type === from) return a
  const names: Readonly<Record<string, string>> = {
    'i32 f32': '__int_as_float',
    'u32 f32': '__uint_as_float',
    'f32 i32': '__float_as_int',
    'f32 u32': '__float_as_uint',
    'i64 f64': '__longlong_as_double',
    'f64 i64': '__double_as_longlong',
  }
  const name = names[`${from} ${type}`]
  if (name) return call(name, a)
  if (from === 'u64' && type === 'f64') return call('__longlong_as_double', castText('long long', a))
  if (from === 'f64') return castText(cudaType[type], call('__double_as_longlong', a))
  return castText(cudaType[type], a)
}
