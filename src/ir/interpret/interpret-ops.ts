// In: an op and its type. Out: a function on JavaScript numbers (bigint for the 64-bit integers) that computes it. The
// one idea: the interpreter picks the function once per expression, so that no type is looked at while it runs. Only
// the common ops are written again here for speed; the rest asks `evaluate`, and a test compares all with it.
import { InternalError } from '../../base/index.ts'
import { evaluate, specials } from '../evaluate.ts'
import type { Expr, Store } from '../loop/loop.ts'
import { opRow, type OpName } from '../ops.ts'
import { roundF16, roundTo } from '../round.ts'
import { isFloat, type ScalarType } from '../types.ts'

export type NumberOp = (a: number, b: number, c: number) => number
export type BigOp = (a: bigint, b: bigint) => bigint

const comparisons: Partial<Record<OpName, NumberOp>> = {
  eq: (a, b) => +(a === b),
  ne: (a, b) => +(a !== b),
  lt: (a, b) => +(a < b),
  le: (a, b) => +(a <= b),
  gt: (a, b) => +(a > b),
  ge: (a, b) => +(a >= b),
}

/** Before rounding to the type. */
const floats: Partial<Record<OpName, NumberOp>> = {
  ...comparisons,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  neg: (a) => -a,
  abs: Math.abs,
  min: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  max: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  rem: (a, b) => a % b,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  ...specials,
}

/** Before wrapping to the type. */
const integers: Partial<Record<OpName, NumberOp>> = {
  ...comparisons,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: Math.imul,
  neg: (a) => -a,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  not: (a) => ~a,
  abs: Math.abs,
  sign: Math.sign,
  shl: (a, b) => a << (b & 31),
  div: (a, b) => (b === 0 ? a : Math.trunc(a / b)),
  rem: (a, b) => (b === 0 ? 0 : a % b),
  clz: Math.clz32,
  ctz: (a) => (a === 0 ? 32 : 31 - Math.clz32(a & -a)),
}

/** What the sign decides. */
const shifts: Partial<Record<ScalarType, NumberOp>> = {
  i32: (a, b) => a >> (b & 31),
  u32: (a, b) => a >>> (b & 31),
}

const bools: Partial<Record<OpName, NumberOp>> = {
  eq: comparisons.eq!,
  ne: comparisons.ne!,
  land: (a, b) => a & b,
  lor: (a, b) => a | b,
  lnot: (a) => a ^ 1,
} // defined above

/** How results of `type` are brought back to it. `f64` true: float types keep float64 precision. */
export function rounding(type: ScalarType, f64: boolean): (x: number) => number {
  switch (type) {
    case 'i32':
      return (x) => x | 0
    case 'u32':
      return (x) => x >>> 0
    case 'f16':
      return f64 ? (x) => x : roundF16
    case 'f32':
      return f64 ? (x) => x : Math.fround
    case 'bool':
    case 'f64':
      return (x) => x
    case 'i64':
    case 'u64':
      throw new InternalError('interpret', `${type} is no number type`)
  }
}

/** `op` on arguments of a number `type`, before rounding; `f64` as in `rounding`. */
export function numberOp(op: OpName, type: ScalarType, f64 = false): NumberOp {
  const shift = op === 'shr' ? shifts[type] : undefined
  const fast = shift ?? (type === 'bool' ? bools : isFloat(type) ? floats : integers)[op]
  if (fast) return fast
  const as = f64 && isFloat(type) ? 'f64' : type,
    { arity } = opRow(op)
  if (arity === 1) return (a) => Number(evaluate(op, as, [a]))
  return (a, b) => Number(evaluate(op, as, [a, b]))
}

/** `op` on i64 or u64, wrapped. */
export function bigOp(op: OpName, type: ScalarType): BigOp {
  return opRow(op).arity === 1 ? (a) => BigInt(evaluate(op, type, [a])) : (a, b) => BigInt(evaluate(op, type, [a, b]))
}

/** Brings a bigint into the range of i64 or u64. */
export const wrapBig =
  (type: ScalarType): ((a: bigint) => bigint) =>
  (a) =>
    BigInt(roundTo(type, a))

/** Float to 32-bit integer: truncates and saturates, NaN gives 0. */
export const saturate = (x: number, type: 'i32' | 'u32'): number => Number(evaluate('convert', 'f64', [x], type))

/** The hot float operations with the arithmetic in the closure itself. */
export function fastBinary(
  e: Extract<Expr, { kind: 'op' }>,
  a: () => number,
  b: () => number,
  exact: boolean,
): (() => number) | undefined {
  if (!isFloat(e.type)) return undefined
  const { fround } = Math
  switch (e.op) {
    case 'add':
      return exact ? () => a() + b() : () => fround(a() + b())
    case 'sub':
      return exact ? () => a() - b() : () => fround(a() - b())
    case 'mul':
      return exact ? () => a() * b() : () => fround(a() * b())
    default:
      return undefined
  }
}

/** What `∘=` of the store does to a number. */
export function reduceOp(s: Store, type: ScalarType): NumberOp {
  if (s.reduce === 'land') return (a, b) => +(a !== 0 && b !== 0)
  if (s.reduce === 'lor') return (a, b) => +(a !== 0 || b !== 0)
  return numberOp(s.reduce!, type, true)
}

/** `&&` and `||` of 64-bit integers: 1 or 0. */
export const logicalBig =
  (op: 'land' | 'lor') =>
  (a: bigint, b: bigint): bigint => {
    const p = a !== 0n,
      q = b !== 0n
    return (op === 'land' ? p && q : p || q) ? 1n : 0n
  }
