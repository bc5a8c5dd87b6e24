// In: numbers. Out: the same numbers rounded or wrapped to a scalar type, and f16 bit patterns. The one idea: a
// register value of type T on the host is a number (bigint for 64-bit integers, 0 or 1 for bool) that T represents
// exactly, and `roundTo` is the one way to get there.
import type { ScalarType } from './types.ts'

/** A register value on the host: bigint for i64 and u64, number otherwise; bool is 0 or 1. */
export type ScalarValue = number | bigint

const word = new Float32Array(1)
const wordBits = new Uint32Array(word.buffer)

/** The f16 nearest to `x` (ties to even), as a number. Overflow gives ±Infinity. */
export function roundF16(x: number): number {
  const a = Math.abs(x)
  if (!(a < 65520)) return Number.isNaN(x) ? NaN : x < 0 ? -Infinity : Infinity
  const sign = x < 0 || Object.is(x, -0) ? -1 : 1
  const exponent = a < 2 ** -14 ? -14 : Math.floor(Math.log2(a))
  const unit = 2 ** (powerBelow(a, exponent) - 10)
  return sign * roundEven(a / unit) * unit
}

/** The exponent e ≥ −14 with 2^e ≤ a < 2^(e+1), correcting a guess from log2. */
function powerBelow(a: number, guess: number): number {
  if (guess > -14 && 2 ** guess > a) return guess - 1
  return 2 ** (guess + 1) <= a ? guess + 1 : guess
}

/** The nearest integer, ties to even. Keeps −0, infinities and NaN. */
export function roundEven(x: number): number {
  const r = Math.round(x)
  if (Math.abs(x % 1) !== 0.5) return Object.is(r, 0) && x < 0 ? -0 : r
  const even = 2 * Math.round(x / 2)
  return even === 0 && x < 0 ? -0 : even
}

/** The 16 bits of `x`, which is rounded to f16 first. NaN gives 0x7e00. */
export function f16Bits(x: number): number {
  const r = roundF16(x)
  if (Number.isNaN(r)) return 0x7e00
  const sign = r < 0 || Object.is(r, -0) ? 0x8000 : 0
  const a = Math.abs(r)
  if (a === Infinity) return sign | 0x7c00
  if (a < 2 ** -14) return sign | (a * 2 ** 24)
  word[0] = a
  return sign | ((wordBits[0]! >>> 13) - (112 << 10))
}

/** The number that 16 bits of f16 stand for. */
export function f16Value(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}

/**
 * `value` wrapped (integers) or rounded (floats) to `type`; numbers for integers must be integral; bool is `value ≠ 0`.
 */
export function roundTo(type: ScalarType, value: ScalarValue): ScalarValue {
  switch (type) {
    case 'bool':
      return Number(value) !== 0 ? 1 : 0
    case 'i32':
      return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value | 0
    case 'u32':
      return typeof value === 'bigint' ? Number(BigInt.asUintN(32, value)) : value >>> 0
    case 'i64':
      return BigInt.asIntN(64, BigInt(value))
    case 'u64':
      return BigInt.asUintN(64, BigInt(value))
    case 'f16':
      return roundF16(Number(value))
    case 'f32':
      return typeof value === 'bigint' ? roundBigInt32(value) : Math.fround(value)
    case 'f64':
      return Number(value)
  }
}

/** The f32 nearest to a 64-bit integer, rounded once: the bits that float64 would drop are kept as one sticky bit. */
function roundBigInt32(value: bigint): number {
  const a = value < 0n ? -value : value
  const exact =
    a < 2n ** 53n ? Math.fround(Number(a)) : Math.fround(Number((a >> 11n) | ((a & 2047n) === 0n ? 0n : 1n))) * 2048
  return value < 0n ? -exact : exact
}

/** Whether `value` is a host value of exactly `type`. */
export function isOfType(type: ScalarType, value: ScalarValue): boolean {
  switch (type) {
    case 'bool':
      return value === 0 || value === 1
    case 'i32':
      return typeof value === 'number' && (value | 0) === value
    case 'u32':
      return typeof value === 'number' && value >>> 0 === value
    case 'i64':
    case 'u64':
      return typeof value === 'bigint' && roundTo(type, value) === value
    case 'f16':
    case 'f32':
    case 'f64':
      return typeof value === 'number' && Object.is(roundTo(type, value), value)
  }
}
