// The one table of pure operations, shared by both IRs. A row says how many arguments, which types, what comes out, and
// in which instruction class executions are counted. What an op computes is `evaluate` in `ir/evaluate.ts`; how a
// target spells it is a row in that target's table. Adding an op: one row here, one case there, one line per target.
import type { ScalarType } from './types.ts'

/** Instruction classes of docs/contracts.md. */
export type InstructionClass =
  | 'fp32'
  | 'fp64'
  | 'int'
  | 'sfu'
  | 'load'
  | 'store'
  | 'atomic'
  | 'control'
  | 'barrier'
  | 'subgroup'
  | 'move'

export const instructionClasses: readonly InstructionClass[] = [
  'fp32',
  'fp64',
  'int',
  'sfu',
  'load',
  'store',
  'atomic',
  'control',
  'barrier',
  'subgroup',
  'move',
]

/**
 * Which argument types an op takes: all arguments have one common type out of the group unless the row says otherwise.
 */
export type TypeGroup = 'number' | 'integer' | 'float' | 'bool' | 'any'

export interface OpRow {
  readonly arity: 1 | 2 | 3
  readonly takes: TypeGroup
  /** `same`: the arguments' type; `bool`: a predicate; `to`: the destination's own type (conversions). */
  readonly gives: 'same' | 'bool' | 'to'
  /** `arith`: fp32, fp64 or int by the argument type. */
  readonly class: 'arith' | 'sfu' | 'move'
  readonly commutative?: true
  /** One sentence; semantics where targets differ. */
  readonly does: string
}

const arith = (arity: 1 | 2 | 3, takes: TypeGroup, does: string, commutative?: true): OpRow => ({
  arity,
  takes,
  gives: 'same',
  class: 'arith',
  does,
  ...(commutative && { commutative }),
})
const compare = (takes: TypeGroup, does: string): OpRow => ({ arity: 2, takes, gives: 'bool', class: 'arith', does })
const sfu = (does: string): OpRow => ({ arity: 1, takes: 'float', gives: 'same', class: 'sfu', does })

/** Every pure operation. Integer arithmetic wraps; float arithmetic rounds to nearest even in its own type. */
export const ops = {
  add: arith(2, 'number', 'a + b', true),
  sub: arith(2, 'number', 'a − b'),
  mul: arith(2, 'number', 'a × b', true),
  div: arith(2, 'number', 'a ÷ b; integers truncate towards zero; a / 0 = a and MIN / −1 = MIN, as WGSL defines'),
  rem: arith(2, 'number', 'a − b × trunc(a / b); integers: a % 0 = 0 and MIN % −1 = 0, as WGSL defines'),
  neg: arith(1, 'number', '−a'),
  abs: arith(1, 'number', '|a|'),
  sign: arith(1, 'number', '−1, 0 or 1 with the sign of a'),
  min: arith(2, 'number', 'the smaller; of floats the number when one is NaN', true),
  max: arith(2, 'number', 'the larger; of floats the number when one is NaN', true),
  fma: arith(3, 'float', 'a × b + c; may round once or twice (the reference rounds twice)'),
  floor: arith(1, 'float', 'largest integer ≤ a'),
  ceil: arith(1, 'float', 'smallest integer ≥ a'),
  trunc: arith(1, 'float', 'towards zero'),
  round: arith(1, 'float', 'nearest integer, ties to even'),
  and: arith(2, 'integer', 'bitwise and', true),
  or: arith(2, 'integer', 'bitwise or', true),
  xor: arith(2, 'integer', 'bitwise exclusive or', true),
  not: arith(1, 'integer', 'bitwise complement'),
  shl: arith(2, 'integer', 'a << (b mod width)'),
  shr: arith(2, 'integer', 'a >> (b mod width), arithmetic for signed types'),
  mulhi: arith(2, 'integer', 'upper half of the double-width product', true),
  popcount: arith(1, 'integer', 'number of ones'),
  clz: arith(1, 'integer', 'leading zeros, the width for 0'),
  ctz: arith(1, 'integer', 'trailing zeros, the width for 0'),
  reverseBits: arith(1, 'integer', 'bits in reverse order'),
  eq: compare('any', 'a = b'),
  ne: compare('any', 'a ≠ b (true when a float is NaN)'),
  lt: compare('number', 'a < b'),
  le: compare('number', 'a ≤ b'),
  gt: compare('number', 'a > b'),
  ge: compare('number', 'a ≥ b'),
  land: { arity: 2, takes: 'bool', gives: 'same', class: 'arith', commutative: true, does: 'both' },
  lor: { arity: 2, takes: 'bool', gives: 'same', class: 'arith', commutative: true, does: 'either' },
  lnot: { arity: 1, takes: 'bool', gives: 'same', class: 'arith', does: 'not' },
  /**
   * Arguments: condition (bool), value if true, value if false; the result has the values' type. Eager: both values
   * exist.
   */
  select: { arity: 3, takes: 'any', gives: 'same', class: 'arith', does: 'condition ? a : b' },
  sqrt: sfu('square root'),
  rsqrt: sfu('1 / square root'),
  rcp: sfu('1 / a'),
  exp: sfu('e^a'),
  exp2: sfu('2^a'),
  log: sfu('natural logarithm'),
  log2: sfu('logarithm to base 2'),
  sin: sfu('sine'),
  cos: sfu('cosine'),
  tan: sfu('tangent'),
  asin: sfu('arc sine'),
  acos: sfu('arc cosine'),
  atan: sfu('arc tangent'),
  sinh: sfu('hyperbolic sine'),
  cosh: sfu('hyperbolic cosine'),
  tanh: sfu('hyperbolic tangent'),
  pow: { arity: 2, takes: 'float', gives: 'same', class: 'sfu', does: 'a^b' },
  atan2: { arity: 2, takes: 'float', gives: 'same', class: 'sfu', does: 'angle of (b, a)' },
  /**
   * Value conversion: float → int truncates and saturates (NaN → 0), int → int wraps, bool → 0 or 1, number → bool is ≠
   * 0.
   */
  convert: { arity: 1, takes: 'any', gives: 'to', class: 'arith', does: 'the same value in the destination type' },
  /** Same bits, other type of the same width. */
  bitcast: { arity: 1, takes: 'any', gives: 'to', class: 'move', does: 'the same bits in the destination type' },
  copy: { arity: 1, takes: 'any', gives: 'same', class: 'move', does: 'a' },
} as const satisfies Record<string, OpRow>

export type OpName = keyof typeof ops

/** The row of `op` with its widened type. */
export const opRow = (op: OpName): OpRow => ops[op]

/** The class in which one execution of `op` on arguments of `type` is counted. */
export function classOf(op: OpName, type: ScalarType): InstructionClass {
  const row = opRow(op)
  if (row.class !== 'arith') return row.class
  if (type === 'f64') return 'fp64'
  return type === 'f32' || type === 'f16' ? 'fp32' : 'int'
}

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'

/** The comparison that holds where one does not; of floats only where no argument is NaN. */
export const complements = {
  eq: 'ne',
  ne: 'eq',
  lt: 'ge',
  ge: 'lt',
  gt: 'le',
  le: 'gt',
} as const satisfies Record<Comparison, Comparison>

/** The comparison that says the same of its arguments in the other order. */
export const mirrors = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
} as const satisfies Record<Comparison, Comparison>

export const isComparison = (op: string): op is Comparison => Object.hasOwn(complements, op)

/** Whether `op` says which of two is the smaller. */
export const isOrdering = (op: string): op is Exclude<Comparison, 'eq' | 'ne'> =>
  isComparison(op) && op !== 'eq' && op !== 'ne'

/** Whether a comparison holds, from the difference of its sides. */
export function comparisonHolds(name: Comparison, difference: number): boolean {
  switch (name) {
    case 'eq':
      return difference === 0
    case 'ne':
      return difference !== 0
    case 'lt':
      return difference < 0
    case 'le':
      return difference <= 0
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
  }
}

/** Operators that a reduction may use: associative and commutative up to rounding, with an identity. */
export type ReduceOp = 'add' | 'mul' | 'min' | 'max' | 'and' | 'or' | 'xor' | 'land' | 'lor'
