// In: an op, the type of its arguments and their values. Out: its value. The one idea: this is the definition of every
// op in `ops.ts`, scalar and exact; interpreters call it and compiled forms are tested against it bit for bit (a NaN is
// any NaN). Speed is not its business.
import { InternalError } from '../base/index.ts'
import type { OpName } from './ops.ts'
import { f16Bits, f16Value, roundEven, roundTo, type ScalarValue } from './round.ts'
import { isFloat, type ScalarType } from './types.ts'

/**
 * The value of `op`. `type` is the type of the arguments (of the two values for `select`), `to` the result type of
 * `convert` and `bitcast`. Arguments are host values of that type; so is the result, of the op's result type.
 */
export function evaluate(
  op: OpName,
  type: ScalarType,
  args: readonly ScalarValue[],
  to: ScalarType = type,
): ScalarValue {
  const [a, b] = [args[0]!, args[1]!] // the verifier has checked the count
  switch (op) {
    case 'eq':
      return flag(a === b)
    case 'ne':
      return flag(a !== b)
    case 'lt':
      return flag(a < b)
    case 'le':
      return flag(a <= b)
    case 'gt':
      return flag(a > b)
    case 'ge':
      return flag(a >= b)
    case 'land':
      return flag(a === 1 && b === 1)
    case 'lor':
      return flag(a === 1 || b === 1)
    case 'lnot':
      return flag(a !== 1)
    case 'select':
      return a === 1 ? b : args[2]!
    case 'copy':
      return a
    case 'convert':
      return convert(a, type, to)
    case 'bitcast':
      return bitcast(a, type, to)
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'rem':
    case 'neg':
    case 'abs':
    case 'sign':
    case 'min':
    case 'max':
    case 'fma':
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'round':
    case 'and':
    case 'or':
    case 'xor':
    case 'not':
    case 'shl':
    case 'shr':
    case 'mulhi':
    case 'popcount':
    case 'clz':
    case 'ctz':
    case 'reverseBits':
      return isFloat(type)
        ? roundTo(type, float(op, args as readonly number[], type))
        : fromBigInt(type, integer(op, BigInt(a), BigInt(b ?? 0), type))
    case 'sqrt':
    case 'rsqrt':
    case 'rcp':
    case 'exp':
    case 'exp2':
    case 'log':
    case 'log2':
    case 'sin':
    case 'cos':
    case 'tan':
    case 'asin':
    case 'acos':
    case 'atan':
    case 'sinh':
    case 'cosh':
    case 'tanh':
    case 'pow':
    case 'atan2':
      return roundTo(type, specials[op](Number(a), Number(b ?? 0)))
  }
}

type Special = Extract<
  OpName,
  | 'sqrt'
  | 'rsqrt'
  | 'rcp'
  | 'exp'
  | 'exp2'
  | 'log'
  | 'log2'
  | 'sin'
  | 'cos'
  | 'tan'
  | 'asin'
  | 'acos'
  | 'atan'
  | 'sinh'
  | 'cosh'
  | 'tanh'
  | 'pow'
  | 'atan2'
>

const flag = (x: boolean): number => (x ? 1 : 0)
const fromBigInt = (type: ScalarType, x: bigint): ScalarValue => roundTo(type, x)
const bitsOf = (type: ScalarType): number => (type === 'i64' || type === 'u64' ? 64 : 32)

/**
 * Special functions in float64; the caller rounds once to the op's type. Those of the host are the host's own
 * functions, which engines call at once.
 */
export const specials: Readonly<Record<Special, (a: number, b: number) => number>> = {
  sqrt: Math.sqrt,
  rsqrt: (a) => 1 / Math.sqrt(a),
  rcp: (a) => 1 / a,
  exp: Math.exp,
  exp2: (a) => 2 ** a,
  log: Math.log,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  pow: Math.pow,
  atan2: Math.atan2,
}

function float(op: OpName, [a, b, c]: readonly number[], type: ScalarType): number {
  const x = a!,
    y = b!
  switch (op) {
    case 'add':
      return x + y
    case 'sub':
      return x - y
    case 'mul':
      return x * y
    case 'div':
      return x / y
    case 'rem':
      return x % y
    case 'neg':
      return -x
    case 'abs':
      return Math.abs(x)
    case 'sign':
      return Math.sign(x)
    case 'min':
      return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)
    case 'max':
      return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)
    case 'fma':
      return Number(roundTo(type, x * y)) + c!
    case 'floor':
      return Math.floor(x)
    case 'ceil':
      return Math.ceil(x)
    case 'trunc':
      return Math.trunc(x)
    case 'round':
      return roundEven(x)
    default:
      throw new InternalError('ir/evaluate', `${op} is no float op`)
  }
}

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)
const isSignedType = (type: ScalarType): boolean => type === 'i32' || type === 'i64'

/** Integers as unbounded; the caller wraps. */
function integer(op: OpName, a: bigint, b: bigint, type: ScalarType): bigint {
  const bits = bitsOf(type)
  const shift = BigInt.asUintN(bits, b) % BigInt(bits)
  switch (op) {
    case 'add':
      return a + b
    case 'sub':
      return a - b
    case 'mul':
      return a * b
    case 'div':
      return b === 0n ? a : a / b
    case 'rem':
      return b === 0n ? 0n : a % b
    case 'neg':
      return -a
    case 'abs':
      return magnitude(a)
    case 'sign':
      return a === 0n ? 0n : a < 0n ? -1n : 1n
    case 'min':
      return a < b ? a : b
    case 'max':
      return a > b ? a : b
    case 'and':
      return a & b
    case 'or':
      return a | b
    case 'xor':
      return a ^ b
    case 'not':
      return ~a
    case 'shl':
      return a << shift
    case 'shr':
      return a >> shift
    case 'mulhi':
      return (a * b) >> BigInt(bits)
    case 'popcount':
      return BigInt(binary(a, bits).replaceAll('0', '').length)
    case 'clz':
      return BigInt(`${binary(a, bits)}1`.indexOf('1'))
    case 'ctz':
      return BigInt([...binary(a, bits)].reverse().concat('1').indexOf('1'))
    case 'reverseBits':
      return BigInt(`0b${[...binary(a, bits)].reverse().join('')}`)
    default:
      throw new InternalError('ir/evaluate', `${op} is no integer op`)
  }
}

const binary = (a: bigint, bits: number): string => BigInt.asUintN(bits, a).toString(2).padStart(bits, '0')

/** Value conversion: float → integer truncates and saturates, NaN gives 0; everything else wraps or rounds once. */
function convert(a: ScalarValue, from: ScalarType, to: ScalarType): ScalarValue {
  if (!isFloat(from) || isFloat(to) || to === 'bool') return roundTo(to, a)
  const x = Number(a)
  if (Number.isNaN(x)) return roundTo(to, 0)
  const bits = bitsOf(to)
  const low = isSignedType(to) ? -(2n ** BigInt(bits - 1)) : 0n
  const high = 2n ** BigInt(isSignedType(to) ? bits - 1 : bits) - 1n
  if (x <= Number(low)) return roundTo(to, low)
  return roundTo(to, x >= Number(high) ? high : BigInt(Math.trunc(x)))
}

const scratch = new DataView(new ArrayBuffer(8))

/** Same bits, other type of the same width. */
function bitcast(a: ScalarValue, from: ScalarType, to: ScalarType): ScalarValue {
  write(from, a)
  switch (to) {
    case 'i32':
      return scratch.getInt32(0)
    case 'u32':
      return scratch.getUint32(0)
    case 'f32':
      return scratch.getFloat32(0)
    case 'i64':
      return scratch.getBigInt64(0)
    case 'u64':
      return scratch.getBigUint64(0)
    case 'f64':
      return scratch.getFloat64(0)
    case 'f16':
      return f16Value(scratch.getUint16(0))
    case 'bool':
      throw new InternalError('ir/evaluate', 'bitcast to bool')
  }
}

function write(type: ScalarType, a: ScalarValue): void {
  switch (type) {
    case 'i32':
    case 'u32':
      return scratch.setUint32(0, Number(a))
    case 'f32':
      return scratch.setFloat32(0, Number(a))
    case 'i64':
    case 'u64':
      return scratch.setBigUint64(0, BigInt.asUintN(64, BigInt(a)))
    case 'f64':
      return scratch.setFloat64(0, Number(a))
    case 'f16':
      return scratch.setUint16(0, f16Bits(Number(a)))
    case 'bool':
      throw new InternalError('ir/evaluate', 'bitcast from bool')
  }
}
