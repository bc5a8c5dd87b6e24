// In: numbers of C++ with their types. Out: results of its operators and conversions. The one idea: as the standard
// says ([conv], [expr.arith.conv]; `long long` has 64 bits), and what it leaves undefined (a signed result out of
// range, a division by zero, a conversion of a floating-point number out of range) is a `CppUndefined` instead of some
// number.
import { comparisons } from '../../../base/index.ts'
import { CppError, CppUndefined, numberNames, type NumberName } from './cpp-parser.ts'

/** Integers, and bool as 0 and 1, are bigints; floating-point numbers are numbers that their type has. */
export interface CppNumber {
  readonly type: NumberName
  readonly value: bigint | number
}

const bits: Partial<Record<NumberName, number>> = { i32: 32, u32: 32, i64: 64, u64: 64 }
const isFloating = (t: NumberName): boolean => t === 'f16' || t === 'f32' || t === 'f64'
const isUnsigned = (t: NumberName): boolean => t === 'u32' || t === 'u64'

export const cppBool = (value: boolean): CppNumber => ({ type: 'bool', value: value ? 1n : 0n })
export const isTrue = ({ value }: CppNumber): boolean => Number(value) !== 0

const wrapped = (type: NumberName, value: bigint): bigint =>
  isUnsigned(type) ? BigInt.asUintN(bits[type]!, value) : BigInt.asIntN(bits[type]!, value) // integers have bits

/** `n` as a number of `type`. */
export function cppConverted(n: CppNumber, type: NumberName): CppNumber {
  if (type === 'bool') return cppBool(isTrue(n))
  if (isFloating(type)) return { type, value: type === 'f64' ? Number(n.value) : Math.fround(Number(n.value)) }
  if (typeof n.value === 'bigint') return { type, value: wrapped(type, n.value) }
  if (!Number.isFinite(n.value)) throw new CppUndefined(`${n.value} is converted to ${type}`)
  const whole = BigInt(Math.trunc(n.value))
  if (wrapped(type, whole) !== whole)
    throw new CppUndefined(`${n.value} is converted to ${type}, which does not have it`)
  return { type, value: whole }
}

const rank = (t: NumberName): number => Math.max(numberNames.indexOf(t), numberNames.indexOf('i32'))

/** The type that an operator of `a` and `b` computes in: of the two ranks the higher. */
const commonType = (a: CppNumber, b: CppNumber): NumberName => numberNames[Math.max(rank(a.type), rank(b.type))]!

/** `value` of an integer type, where it has it. */
function inRange(type: NumberName, value: bigint): CppNumber {
  const kept = wrapped(type, value)
  if (kept !== value && !isUnsigned(type)) throw new CppUndefined(`${value} leaves the range of ${type}`)
  return { type, value: kept }
}

const ofIntegers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
}
const ofFloats: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

/** `a op b` of an arithmetic, bitwise or comparing operator. */
export function cppBinary(op: string, a: CppNumber, b: CppNumber): CppNumber {
  if (op === '<<' || op === '>>') return shifted(op, a, b)
  const type = commonType(a, b),
    left = cppConverted(a, type).value,
    right = cppConverted(b, type).value
  const compare = comparisons[op]
  if (compare) return cppBool(compare(left, right))
  if (typeof left === 'number' || typeof right === 'number') {
    const compute = ofFloats[op]
    if (!compute) throw new CppError(`${op} of floating-point numbers`)
    return cppConverted({ type: 'f64', value: compute(Number(left), Number(right)) }, type)
  }
  const compute = ofIntegers[op]
  if (!compute) throw new CppError(`the operator ${op}`)
  if ((op === '/' || op === '%') && right === 0n) throw new CppUndefined('a division by zero')
  return inRange(type, compute(left, right))
}

/** The type is that of what is shifted. Bits that leave a signed number are lost, as since C++20. */
function shifted(op: '<<' | '>>', a: CppNumber, b: CppNumber): CppNumber {
  const type = numberNames[rank(a.type)]!, // ranks are places in the list
    width = bits[type]
  if (width === undefined || typeof b.value === 'number') throw new CppError(`${op} of floating-point numbers`)
  if (b.value < 0n || b.value >= BigInt(width)) throw new CppUndefined(`a shift by ${b.value}`, true)
  const { value } = cppConverted(a, type) as { value: bigint } // of an integer type
  return { type, value: wrapped(type, op === '<<' ? value << b.value : value >> b.value) }
}

export function cppUnary(op: string, a: CppNumber): CppNumber {
  if (op === '!') return cppBool(!isTrue(a))
  const type = numberNames[rank(a.type)]!, // ranks are places in the list
    { value } = cppConverted(a, type)
  if (op === '-') return typeof value === 'number' ? { type, value: -value } : inRange(type, -value)
  if (op === '~' && typeof value === 'bigint') return { type, value: wrapped(type, ~value) }
  throw new CppError(`the operator ${op}`)
}

const realFunctions: Readonly<Record<string, (...n: readonly number[]) => number>> = {
  floor: (x = NaN) => Math.floor(x),
  ceil: (x = NaN) => Math.ceil(x),
  sqrt: (x = NaN) => Math.sqrt(x),
  exp: (x = NaN) => Math.exp(x),
  log: (x = NaN) => Math.log(x),
  pow: (x = NaN, y = NaN) => x ** y,
}

/** `std::NAME(args)`; `type`: the template's argument, where the text has one. */
export function standardCall(name: string, type: NumberName | undefined, args: readonly CppNumber[]): CppNumber {
  const [a, b] = args
  if (!a) throw new CppError(`${name} of nothing`)
  switch (name) {
    case 'min':
    case 'max': {
      if (!b || (type === undefined && a.type !== b.type)) throw new CppError(`${name} of two types`)
      const [x, y] = [cppConverted(a, type ?? a.type), cppConverted(b, type ?? b.type)] // equal ones give the first
      return (name === 'min' ? y.value < x.value : x.value < y.value) ? y : x
    }
    case 'abs':
      return isTrue(cppBinary('<', a, { type: 'i32', value: 0n }))
        ? cppUnary('-', a)
        : cppConverted(a, numberNames[rank(a.type)]!)
    case 'ilogb': // of 0 it is INT_MIN or -INT_MAX
      return { type: 'i32', value: Number(a.value) === 0 ? -2147483648n : BigInt(exponentOf(Number(a.value))) }
  }
  const compute = realFunctions[name]
  if (!compute) throw new CppError(`std::${name}`)
  const value = compute(...args.map((n) => Number(n.value)))
  return cppConverted({ type: 'f64', value }, args.every((n) => n.type === 'f32') ? 'f32' : 'f64')
}

/** The exponent of a double that is not 0 and not denormal. */
function exponentOf(x: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  return ((view.getUint16(0) >> 4) & 0x7ff) - 1023
}
