// What WGSL promises of every operation as the emitter spells it. From the WGSL specification, §15.7 (floating point
// evaluation) and §17 (built-in functions). Denormals may be flushed to 0 everywhere (§15.7.2). Implementations may
// take it that there are no NaNs and infinities (§15.7.2); all that are known compute with infinities as IEEE 754 says,
// and kernels rely on that, while questions about NaNs go by bits.
import type { OpName } from '../ops.ts'
import { absolute, exact, ulp, type Promised } from './promise.ts'

const accuracy = 'WGSL §15.7.4, accuracy of expressions'
const builtins = 'WGSL §15.7.4, accuracy of built-in functions (recalled)'
const integers = 'WGSL §8.7 and §8.9, arithmetic and bit expressions'

const whole = (note: string, source = integers): Promised => ({ f32: exact, note, source })
const rounded = (note?: string): Promised => ({ f32: exact, source: accuracy, ...(note !== undefined && { note }) })

/** Largest divisor and smallest normal one for which the quotient's error is bounded. */
const largestDivisor = 2 ** 126,
  smallestDivisor = 2 ** -126
/** Angles up to here are brought into −π … π by three steps that lose nothing that matters: 2¹⁶ turns. */
const largestAngle = 2 ** 16 * 2 * Math.PI
const turned = 'sine and cosine are promised in −π … π alone: whole turns are taken off first'
/** Of sine and cosine in −π … π, and what taking off turns loses there. */
const ofAngles = 2 ** -11 + 2 ** -16
const logarithm: Promised = {
  f32: { kind: 'logarithm', absolute: 2 ** -21, ulp: 3 },
  open: [{ argument: 0, below: smallestDivisor }],
  note: 'of 0 and of negative numbers by a helper: −∞, NaN',
  source: builtins,
}

export const wgslPromises = {
  add: rounded('integers wrap'),
  sub: rounded('integers wrap'),
  mul: rounded('integers wrap'),
  div: {
    f32: ulp(2.5),
    open: [
      { argument: 1, above: largestDivisor },
      { argument: 1, below: smallestDivisor },
    ],
    note:
      'rounded by a helper in integers where a comparison, a rounding or an integer hangs on it; integers: a / ' +
      '0 = a, MIN / −1 = MIN',
    source: accuracy,
  },
  rem: {
    f32: exact,
    note:
      "by a helper in integers: WGSL's own inherits the error of a − b · trunc(a / b); integers: a % 0 = 0, MIN " +
      '% −1 = 0',
    source: accuracy,
  },
  neg: rounded('integers wrap'),
  abs: rounded('of the least integer: itself'),
  sign: rounded(),
  min: rounded('the number when one is NaN'),
  max: rounded('the number when one is NaN'),
  fma: rounded('inherited from a × b + c: rounded once or twice'),
  floor: rounded(),
  ceil: rounded(),
  trunc: rounded(),
  round: rounded('ties to even'),
  and: whole(''),
  or: whole(''),
  xor: whole(''),
  not: whole(''),
  shl: whole('amounts are taken modulo 32'),
  shr: whole('amounts are taken modulo 32'),
  mulhi: whole('by a helper, from products of 16 bits'),
  popcount: whole(''),
  clz: whole('32 of 0'),
  ctz: whole('32 of 0'),
  reverseBits: whole(''),
  eq: rounded(),
  ne: rounded('as not equal; of a float with itself by bits'),
  lt: rounded(),
  le: rounded(),
  gt: rounded(),
  ge: rounded(),
  land: whole(''),
  lor: whole(''),
  lnot: whole(''),
  select: whole(''),
  sqrt: {
    f32: ulp(4.5),
    note: 'inherited from 1 / inverseSqrt(a); rounded by a helper in integers where an answer hangs on it',
    source: builtins,
  },
  rsqrt: { f32: ulp(2), source: builtins },
  rcp: {
    f32: ulp(2.5),
    open: [
      { argument: 0, above: largestDivisor },
      { argument: 0, below: smallestDivisor },
    ],
    note: 'as 1 / a',
    source: accuracy,
  },
  exp: { f32: { kind: 'ulp', ulp: 3, perArgument: 2 }, source: builtins },
  exp2: { f32: { kind: 'ulp', ulp: 3, perArgument: 2 }, source: builtins },
  log: logarithm,
  log2: logarithm,
  sin: { f32: absolute(ofAngles), open: [{ argument: 0, above: largestAngle }], note: turned, source: builtins },
  cos: { f32: absolute(ofAngles), open: [{ argument: 0, above: largestAngle }], note: turned, source: builtins },
  tan: {
    f32: { kind: 'absolute', absolute: 0, grown: ofAngles },
    open: [{ argument: 0, above: largestAngle }],
    note: 'inherited from sin(a) / cos(a), turns taken off first',
    source: builtins,
  },
  asin: { f32: absolute(3.2e-4, 2 ** -11), note: 'the worse of 6.81e-5 and atan2(a, sqrt(1 − a²))', source: builtins },
  acos: { f32: absolute(3.2e-4, 2 ** -11), note: 'the worse of 6.77e-5 and atan2(sqrt(1 − a²), a)', source: builtins },
  atan: { f32: ulp(4096), source: builtins },
  sinh: {
    f32: { kind: 'absolute', absolute: 2 ** -20, relative: 2 ** -16 },
    note: 'inherited from (exp(a) − exp(−a)) / 2',
    source: builtins,
  },
  cosh: {
    f32: { kind: 'ulp', ulp: 3, perArgument: 2 },
    note: 'inherited from (exp(a) + exp(−a)) / 2',
    source: builtins,
  },
  tanh: {
    f32: absolute(1e-5),
    note: 'of |a| > 10 the sign of a: WGSL inherits from sinh(a) / cosh(a), which overflow',
    source: builtins,
  },
  pow: {
    f32: { kind: 'ulp', ulp: 3, perLogarithm: 4.1, perExponent: 2.8, wholePowers: true },
    note:
      'by a helper around exp2(b · log2 |a|), from which WGSL inherits: a product where b is whole and |b| ≤ ' +
      '64, 1 where b = 0 or a = 1, the sign of odd powers, NaN of other powers of negative numbers',
    source: builtins,
  },
  atan2: {
    f32: ulp(4096),
    note: 'by a helper that knows the signs of zeros and the axes',
    source: builtins,
  },
  convert: rounded('floats to integers truncate and saturate; of NaN 0, by bits where a NaN may come'),
  bitcast: whole('a NaN may become another NaN', 'WGSL §17.2, bit reinterpretation'),
  copy: whole(''),
} as const satisfies Record<OpName, Promised>
