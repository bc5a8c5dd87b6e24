// Names of constants that the standard headers define, with values and types as on machines with ints of 32 bits and
// longs of 64. A `double` takes the float type of what it stands with, as literals do.

export interface NamedConstant {
  readonly value: number | bigint
  readonly type: 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'double'
}

const real = (
  type: 'f32' | 'double',
  values: Readonly<Record<string, number>>,
): Readonly<Record<string, NamedConstant>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, type }]))
const ints = (values: Readonly<Record<string, number>>): Readonly<Record<string, NamedConstant>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, type: 'i32' }]))

/** NAME_MIN and NAME_MAX of `bits`, and UNAME_MAX, which small types promote to int. */
function limits(signed: string, unsigned: string, bits: 8 | 16 | 32 | 64): Readonly<Record<string, NamedConstant>> {
  const half = 1n << BigInt(bits - 1),
    types =
      bits === 64 ? (['i64', 'u64'] as const) : bits === 32 ? (['i32', 'u32'] as const) : (['i32', 'i32'] as const)
  const value = (x: bigint): number | bigint => (bits === 64 ? x : Number(x))
  return {
    [`${signed}_MIN`]: { value: value(-half), type: types[0] },
    [`${signed}_MAX`]: { value: value(half - 1n), type: types[0] },
    [`${unsigned}_MAX`]: { value: value(2n * half - 1n), type: types[1] },
  }
}

/** By name. */
export const namedConstants: Readonly<Record<string, NamedConstant>> = {
  ...real('f32', {
    INFINITY: Infinity,
    HUGE_VALF: Infinity,
    NAN: NaN,
    FLT_MAX: 3.4028234663852886e38,
    FLT_MIN: 1.1754943508222875e-38,
    FLT_EPSILON: 2 ** -23,
    FLT_TRUE_MIN: 2 ** -149,
  }),
  ...real('double', {
    HUGE_VAL: Infinity,
    DBL_MAX: Number.MAX_VALUE,
    DBL_MIN: 2.2250738585072014e-308,
    DBL_EPSILON: Number.EPSILON,
    DBL_TRUE_MIN: Number.MIN_VALUE,
    M_PI: Math.PI,
    M_PI_2: Math.PI / 2,
    M_PI_4: Math.PI / 4,
    M_1_PI: 1 / Math.PI,
    M_2_PI: 2 / Math.PI,
    M_2_SQRTPI: 2 / Math.sqrt(Math.PI),
    M_E: Math.E,
    M_SQRT2: Math.SQRT2,
    M_SQRT1_2: Math.SQRT1_2,
    M_LN2: Math.LN2,
    M_LN10: Math.LN10,
    M_LOG2E: Math.LOG2E,
    M_LOG10E: Math.LOG10E,
  }),
  ...ints({
    CHAR_BIT: 8,
    CHAR_MIN: -128,
    CHAR_MAX: 127,
    FLT_RADIX: 2,
    FLT_DIG: 6,
    FLT_MANT_DIG: 24,
    FLT_MAX_EXP: 128,
    FLT_MIN_EXP: -125,
    FLT_MAX_10_EXP: 38,
    FLT_MIN_10_EXP: -37,
    DBL_DIG: 15,
    DBL_MANT_DIG: 53,
    DBL_MAX_EXP: 1024,
    DBL_MIN_EXP: -1021,
    DBL_MAX_10_EXP: 308,
    DBL_MIN_10_EXP: -307,
    EXIT_SUCCESS: 0,
    EXIT_FAILURE: 1,
  }),
  ...limits('SCHAR', 'UCHAR', 8),
  ...limits('SHRT', 'USHRT', 16),
  ...limits('INT', 'UINT', 32),
  ...limits('LONG', 'ULONG', 64),
  ...limits('LLONG', 'ULLONG', 64),
  ...limits('INT8', 'UINT8', 8),
  ...limits('INT16', 'UINT16', 16),
  ...limits('INT32', 'UINT32', 32),
  ...limits('INT64', 'UINT64', 64),
  ...limits('INT_LEAST8', 'UINT_LEAST8', 8),
  ...limits('INT_LEAST16', 'UINT_LEAST16', 16),
  ...limits('INT_LEAST32', 'UINT_LEAST32', 32),
  ...limits('INT_LEAST64', 'UINT_LEAST64', 64),
  ...limits('INTPTR', 'UINTPTR', 64),
  ...limits('INTMAX', 'UINTMAX', 64),
  ...limits('PTRDIFF', 'SIZE', 64),
}

const wholeMacro = /^(U?)INT(8|16|32|64|MAX)_C$/

/** The type of the literal that a macro of `stdint.h` such as `UINT32_C` makes of its argument (C11 7.20.4). */
export function literalType(macro: string): 'i32' | 'u32' | 'i64' | 'u64' | undefined {
  const [, sign, bits] = wholeMacro.exec(macro) ?? []
  if (bits === undefined) return undefined
  if (bits === '8' || bits === '16') return 'i32' // promoted
  if (bits === '32') return sign === 'U' ? 'u32' : 'i32'
  return sign === 'U' ? 'u64' : 'i64'
}
