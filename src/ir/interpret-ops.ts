// In: an op and its type. Out: a function on JavaScript numbers (bigint for the 64-bit integers) that computes it. The
// one idea: the interpreter picks the function once per expression, so that no type is looked at while it runs. Floats
// compute in float64 and `rounding` says to which type results go. It does not know memory.
import { InternalError } from '../base/index.ts'
import type { OpName } from './ops.ts'
import type { ScalarType } from './types.ts'

export type NumberOp = (a: number, b: number, c: number) => number
export type BigOp = (a: bigint, b: bigint) => bigint

/** Nearest integer, ties to even. */
export function roundEven(x: number): number {
  const r = Math.round(x)
  return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r
}

const smaller = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b))
const larger = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b))

const floatOps: Partial<Record<OpName, NumberOp>> = {
  add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, div: (a, b) => a / b, rem: (a, b) => a % b,
  neg: (a) => -a, abs: Math.abs, sign: Math.sign, min: smaller, max: larger,
  floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc, round: roundEven,
  sqrt: Math.sqrt, rsqrt: (a) => 1 / Math.sqrt(a), rcp: (a) => 1 / a,
  exp: Math.exp, exp2: (a) => 2 ** a, log: Math.log, log2: Math.log2,
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan,
  sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, pow: (a, b) => a ** b, atan2: Math.atan2, copy: (a) => a,
}

const compareOps: Partial<Record<OpName, NumberOp>> = {
  eq: (a, b) => +(a === b), ne: (a, b) => +(a !== b), lt: (a, b) => +(a < b), le: (a, b) => +(a <= b), gt: (a, b) => +(a > b), ge: (a, b) => +(a >= b),
}

const boolOps: Partial<Record<OpName, NumberOp>> = {
  ...compareOps, land: (a, b) => a & b, lor: (a, b) => a | b, lnot: (a) => a ^ 1, copy: (a) => a,
}

/** Largest finite f16 is 65504; 10 fraction bits; smallest step 2⁻²⁴. */
export function roundHalf(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), -14)
  const step = 2 ** (exponent - 10)
  const y = roundEven(x / step) * step
  return Math.abs(y) > 65504 ? Math.sign(x) * Infinity : y
}

/** The value of an f16 bit pattern. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** The bit pattern of the f16 nearest to `x`. */
export function numberToHalf(x: number): number {
  const y = roundHalf(x), sign = y < 0 || Object.is(y, -0) ? 0x8000 : 0, m = Math.abs(y)
  if (Number.isNaN(y)) return 0x7e00
  if (m === Infinity) return sign | 0x7c00
  if (m < 2 ** -14) return sign | (m * 2 ** 24)
  const exponent = Math.floor(Math.log2(m))
  return sign | ((exponent + 15) << 10) | ((m / 2 ** exponent - 1) * 1024)
}

const popcount = (a: number): number => {
  let n = 0
  for (let v = a >>> 0; v !== 0; v &= v - 1) n++
  return n
}
const reverse = (a: number): number => {
  let r = 0
  for (let i = 0; i < 32; i++) r = (r << 1) | ((a >>> i) & 1)
  return r
}

/** Integer ops before wrapping; `shr` and `mulhi` differ by sign and are added below. */
const intOps: Partial<Record<OpName, NumberOp>> = {
  ...compareOps,
  add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => Math.imul(a, b),
  div: (a, b) => (b === 0 ? a : Math.trunc(a / b)), rem: (a, b) => (b === 0 ? 0 : a % b),
  neg: (a) => -a, abs: Math.abs, sign: Math.sign, min: (a, b) => (a < b ? a : b), max: (a, b) => (a > b ? a : b),
  and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b, not: (a) => ~a, shl: (a, b) => a << (b & 31),
  popcount, clz: (a) => Math.clz32(a), ctz: (a) => (a === 0 ? 32 : 31 - Math.clz32(a & -a)), reverseBits: reverse, copy: (a) => a,
}
const mulhi = (a: number, b: number): number => Number((BigInt(a) * BigInt(b)) >> 32n)
const signedOps: Partial<Record<OpName, NumberOp>> = { ...intOps, shr: (a, b) => a >> (b & 31), mulhi }
const unsignedOps: Partial<Record<OpName, NumberOp>> = { ...intOps, shr: (a, b) => a >>> (b & 31), mulhi }

const bits64 = (a: bigint): string => BigInt.asUintN(64, a).toString(2).padStart(64, '0')
const absBig = (a: bigint): bigint => (a < 0n ? -a : a)
const bigOps: Partial<Record<OpName, BigOp>> = {
  add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? a : a / b), rem: (a, b) => (b === 0n ? 0n : a % b), neg: (a) => -a, abs: absBig,
  sign: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n), min: (a, b) => (a < b ? a : b), max: (a, b) => (a > b ? a : b),
  and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b, not: (a) => ~a,
  shl: (a, b) => a << (b & 63n), shr: (a, b) => a >> (b & 63n), mulhi: (a, b) => (a * b) >> 64n, copy: (a) => a,
  popcount: (a) => BigInt(bits64(a).replaceAll('0', '').length),
  clz: (a) => BigInt(bits64(a).indexOf('1') < 0 ? 64 : bits64(a).indexOf('1')),
  ctz: (a) => BigInt(a === 0n ? 64 : 63 - bits64(a).lastIndexOf('1')),
  reverseBits: (a) => BigInt(`0b${[...bits64(a)].reverse().join('')}`),
}

/** How results of `type` are brought back to it. `f64` true: float types keep float64 precision. */
export function rounding(type: ScalarType, f64: boolean): (x: number) => number {
  switch (type) {
    case 'bool': return (x) => x
    case 'i32': return (x) => x | 0
    case 'u32': return (x) => x >>> 0
    case 'f16': return f64 ? (x) => x : roundHalf
    case 'f32': return f64 ? (x) => x : Math.fround
    case 'f64': return (x) => x
    case 'i64': case 'u64': throw new InternalError('interpret', `${type} is no number type`)
  }
}

function tableOf(type: ScalarType): Partial<Record<OpName, NumberOp>> {
  if (type === 'bool') return boolOps
  if (type === 'i32') return signedOps
  return type === 'u32' ? unsignedOps : { ...floatOps, ...compareOps }
}

/** `op` on arguments of a number `type`, before rounding. */
export function numberOp(op: OpName, type: ScalarType): NumberOp {
  const found = tableOf(type)[op]
  if (!found) throw new InternalError('interpret', `no ${op} on ${type}`)
  return found
}

/** `op` on i64 or u64, wrapped. */
export function bigOp(op: OpName, type: ScalarType): BigOp {
  const found = bigOps[op]
  if (!found) throw new InternalError('interpret', `no ${op} on ${type}`)
  const wrap = wrapBig(type)
  return (a, b) => wrap(found(a, b))
}

/** Brings a bigint into the range of i64 or u64. */
export const wrapBig = (type: ScalarType): ((a: bigint) => bigint) => (a) => (type === 'i64' ? BigInt.asIntN(64, a) : BigInt.asUintN(64, a))

/** Float to 32-bit integer: truncates and saturates, NaN gives 0. */
export function saturate(x: number, type: 'i32' | 'u32'): number {
  const [low, high] = type === 'i32' ? [-2147483648, 2147483647] : [0, 4294967295]
  return Number.isNaN(x) ? 0 : Math.trunc(Math.min(Math.max(x, low), high))
}

/** Float to 64-bit integer: truncates and saturates, NaN gives 0. */
export function saturateBig(x: number, type: 'i64' | 'u64'): bigint {
  const [low, high] = type === 'i64' ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n]
  if (Number.isNaN(x)) return 0n
  if (!Number.isFinite(x)) return x < 0 ? low : high
  const y = BigInt(Math.trunc(x))
  return y < low ? low : y > high ? high : y
}
