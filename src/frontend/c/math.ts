// In: the name of a C library function and lowered arguments. Out: the LoopIR expression. The one idea: a table; the
// plain names (`sqrt`) take the type of their arguments, the names with `f` are float. Functions that no GPU target has
// are left out, so that they are refused by name.
import { constant, op, type Expr, type OpName } from '../../ir/index.ts'

export interface MathRow {
  readonly arity: 1 | 2 | 3
  /** Result and arguments: a float type, or (`abs`, `min`, `max`) any number. */
  readonly takes: 'float' | 'number'
  readonly build: (args: readonly Expr[]) => Expr
}

const plain = (name: OpName, arity: 1 | 2 | 3 = 1, takes: 'float' | 'number' = 'float'): MathRow => ({ arity, takes, build: (args) => op(name, args) })

/** Nearest integer, halves away from zero: C's `round`, while the op rounds halves to even. */
function roundAway([x]: readonly Expr[]): Expr {
  const whole = op('trunc', [x!]), rest = op('abs', [op('sub', [x!, whole])])
  return op('select', [op('ge', [rest, constant(x!.type, 0.5)]), op('add', [whole, op('sign', [x!])]), whole])
}

const timesLog2 = (factor: number) => ([x]: readonly Expr[]): Expr => op('mul', [op('log2', [x!]), constant(x!.type, x!.type === 'f64' ? factor : Math.fround(factor))])

/** By the name without a trailing `f`. */
const rows: Readonly<Record<string, MathRow>> = {
  sqrt: plain('sqrt'), fabs: plain('abs'), exp: plain('exp'), exp2: plain('exp2'), log: plain('log'), log2: plain('log2'),
  sin: plain('sin'), cos: plain('cos'), tan: plain('tan'), asin: plain('asin'), acos: plain('acos'), atan: plain('atan'),
  sinh: plain('sinh'), cosh: plain('cosh'), tanh: plain('tanh'), floor: plain('floor'), ceil: plain('ceil'), trunc: plain('trunc'),
  rint: plain('round'), nearbyint: plain('round'), rsqrt: plain('rsqrt'),
  pow: plain('pow', 2), atan2: plain('atan2', 2), fmod: plain('rem', 2), fmin: plain('min', 2), fmax: plain('max', 2), fma: plain('fma', 3),
  round: { arity: 1, takes: 'float', build: roundAway },
  log10: { arity: 1, takes: 'float', build: timesLog2(Math.LOG10E * Math.LN2) },
  hypot: { arity: 2, takes: 'float', build: ([x, y]) => op('sqrt', [op('add', [op('mul', [x!, x!]), op('mul', [y!, y!])])]) },
  abs: plain('abs', 1, 'number'), labs: plain('abs', 1, 'number'), min: plain('min', 2, 'number'), max: plain('max', 2, 'number'),
}

/** The row of `name`, and whether the name says float (`sqrtf`). */
export function mathFunction(name: string): { readonly row: MathRow; readonly single: boolean } | undefined {
  if (Object.hasOwn(rows, name)) return { row: rows[name]!, single: false }
  const base = name.slice(0, -1)
  const row = name.endsWith('f') && Object.hasOwn(rows, base) ? rows[base] : undefined
  return row?.takes === 'float' ? { row, single: true } : undefined
}

/** Names of constants from the standard headers. */
export const namedConstants: Readonly<Record<string, { readonly value: number; readonly type: 'i32' | 'u32' | 'f32' | 'double' }>> = {
  INFINITY: { value: Infinity, type: 'f32' }, HUGE_VALF: { value: Infinity, type: 'f32' }, HUGE_VAL: { value: Infinity, type: 'double' }, NAN: { value: NaN, type: 'f32' },
  FLT_MAX: { value: 3.4028234663852886e38, type: 'f32' }, FLT_MIN: { value: 1.1754943508222875e-38, type: 'f32' }, FLT_EPSILON: { value: 2 ** -23, type: 'f32' },
  DBL_MAX: { value: Number.MAX_VALUE, type: 'double' }, DBL_MIN: { value: 2.2250738585072014e-308, type: 'double' }, DBL_EPSILON: { value: Number.EPSILON, type: 'double' },
  INT_MAX: { value: 2147483647, type: 'i32' }, INT_MIN: { value: -2147483648, type: 'i32' }, UINT_MAX: { value: 4294967295, type: 'u32' },
  M_PI: { value: Math.PI, type: 'double' }, M_PI_2: { value: Math.PI / 2, type: 'double' }, M_E: { value: Math.E, type: 'double' }, M_SQRT2: { value: Math.SQRT2, type: 'double' },
  M_LN2: { value: Math.LN2, type: 'double' },
}
