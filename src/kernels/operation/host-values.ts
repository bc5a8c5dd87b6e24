// Expressions that the host computes before it launches: extents, grids, parameters. In: an expression and numbers by
// name. Out: its value as plans have it (`planValue` of `ir/plan.ts`). The one idea: unsigned integers wrap and floats
// are rounded after every operation, as on the device; sums, products and quotients of signed ones are exact, as a
// wrapped extent or grid would hide an overflow.
import { refuse } from '../error.ts'
import type { HostValue } from './data.ts'

export type HostNumbers = Readonly<Record<string, number>>

type Rule = (a: number, b: number, c: number) => number

/** Before rounding to the type of the result. */
const rules: Readonly<Record<string, Rule>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  neg: (a) => -a,
  abs: Math.abs,
  /** Leading zeros; 32 of 0. */
  clz: Math.clz32,
  min: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  max: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => a << (b & 31),
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  eq: (a, b) => +(a === b),
  ne: (a, b) => +(a !== b),
  lt: (a, b) => +(a < b),
  le: (a, b) => +(a <= b),
  gt: (a, b) => +(a > b),
  ge: (a, b) => +(a >= b),
  land: (a, b) => +(a !== 0 && b !== 0),
  lor: (a, b) => +(a !== 0 || b !== 0),
  lnot: (a) => +(a === 0),
  select: (c, a, b) => (c !== 0 ? a : b),
  /** Between integers, and from them to floats. */
  convert: (a) => a,
}

/** Those whose rule is another one for floats. */
const byType: Readonly<Record<string, (float: boolean, unsigned: boolean) => Rule>> = {
  mul: (_, unsigned) => (unsigned ? exactProduct : (a, b) => a * b),
  div: (float) => (float ? (a, b) => a / b : (a, b) => (b === 0 ? a : Math.trunc(a / b))),
  rem: (float) => (float ? (a, b) => a % b : (a, b) => (b === 0 ? 0 : a % b)),
  shr: (_, unsigned) => (unsigned ? (a, b) => a >>> (b & 31) : (a, b) => a >> (b & 31)),
  /** From floats to integers: what is too large becomes the greatest, NaN 0. */
  truncate: (_, unsigned) => (a) =>
    Number.isNaN(a)
      ? 0
      : Math.trunc(Math.max(unsigned ? 0 : -(2 ** 31), Math.min(unsigned ? 2 ** 32 - 1 : 2 ** 31 - 1, a))),
}

/** A product of integers that is right in its last 32 bits where a double cannot hold all of it. */
function exactProduct(a: number, b: number): number {
  const product = a * b
  return Number.isSafeInteger(product) ? product : Math.imul(a, b)
}

/** Whether an expression may hold this operation. */
export const isHostOperation = (op: string): boolean => Object.hasOwn(rules, op) || Object.hasOwn(byType, op)

const roundings: Readonly<Record<string, (x: number) => number>> = {
  i32: (x) => x | 0,
  u32: (x) => x >>> 0,
  f32: Math.fround,
}

/** Operations on signed integers that are exact below 2⁵³. */
const exactOnes: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'neg', 'div', 'rem', 'min', 'max', 'select'])

/** The value. */
export function hostValue(v: HostValue, numbers: HostNumbers): number {
  if (typeof v === 'number') return v
  if (typeof v === 'string') return numbers[v] ?? refuse('internal.operation', `nothing says what ${v} is`)
  const [op, type, ...args] = v
  const [a = 0, b = 0, c = 0] = args.map((x) => hostValue(x, numbers))
  const rule =
    rules[op] ??
    byType[op]?.(type === 'f32', type === 'u32') ??
    refuse('internal.operation', `an operation holds ${op}, which this version does not know`)
  const value = rule(a, b, c)
  if (type === 'i32' && exactOnes.has(op)) return value + 0
  return roundings[type]?.(value) ?? value
}

/** How the expression is written, for messages. */
export function hostWords(v: HostValue): string {
  if (typeof v !== 'object') return String(v)
  const [op, , ...args] = v,
    signs: Readonly<Record<string, string>> = { add: '+', sub: '-', mul: '*', div: '/', rem: '%' },
    sign = signs[op]
  const inner = (x: HostValue): string =>
    typeof x === 'object' && sign !== undefined ? `(${hostWords(x)})` : hostWords(x)
  return sign !== undefined && args.length === 2
    ? args.map(inner).join(` ${sign} `)
    : `${op}(${args.map(hostWords).join(', ')})`
}

/**
 * What the one name in `v` that `numbers` has no value for must be so that `v` is `value`: sums, differences and
 * products only. Nothing where that cannot be said.
 */
export function solved(
  v: HostValue,
  value: number,
  numbers: HostNumbers,
): readonly [name: string, value: number] | null {
  if (typeof v === 'number') return null
  if (typeof v === 'string') return v in numbers ? null : [v, value]
  const [op, , left, right] = v
  if (left === undefined || right === undefined) return null
  const isKnown = (x: HostValue): boolean =>
    typeof x !== 'object' ? typeof x === 'number' || x in numbers : x.slice(2).every(isKnown)
  const known = isKnown(left) ? left : isKnown(right) ? right : undefined
  if (known === undefined) return null
  const other = known === left ? right : left,
    k = hostValue(known, numbers)
  if (op === 'add') return solved(other, value - k, numbers)
  if (op === 'sub') return solved(other, known === right ? value + k : k - value, numbers)
  if (op === 'mul' && k !== 0 && value % k === 0) return solved(other, value / k, numbers)
  return null
}
