// What CUDA promises of every operation as the emitter spells it, compiled without fast mathematics. From the CUDA C++
// programming guide, appendix on mathematical functions (largest errors over the releases since CUDA 11), and the PTX
// ISA for the instructions that helpers name. Denormals are kept; infinities and NaNs are IEEE 754's.
import type { OpName } from '../ops.ts'
import { exact, ulp, type Promised } from './promise.ts'

const guide = 'CUDA C++ programming guide, mathematical functions (recalled)'
const ieee = 'CUDA C++ programming guide, floating-point standard'
const integers = 'CUDA C++ programming guide, integer intrinsics'

const whole = (note: string, source = integers): Promised => ({ f32: exact, note, source })
const rounded = (note?: string): Promised => ({ f32: exact, source: ieee, ...(note !== undefined && { note }) })
const within = (single: number, double: number, note?: string): Promised => ({
  f32: ulp(single),
  f64: ulp(double),
  source: guide,
  ...(note !== undefined && { note }),
})

export const cudaPromises = {
  add: rounded('signed integers: emitted where they cannot overflow, or as unsigned'),
  sub: rounded('as for add'),
  mul: rounded('as for add'),
  div: {
    f32: ulp(2),
    note:
      'div.full.f32; rounded to nearest where a comparison, a rounding or an integer hangs on it; integers: ' +
      'guarded, a / 0 = a, MIN / −1 = MIN',
    source: 'PTX ISA, div',
  },
  rem: rounded('fmod; integers: guarded, a % 0 = 0, MIN % −1 = 0'),
  neg: rounded(),
  abs: rounded(),
  sign: rounded('by a helper'),
  min: rounded('fmin: the number when one is NaN'),
  max: rounded('fmax: the number when one is NaN'),
  fma: rounded('rounded once'),
  floor: rounded(),
  ceil: rounded(),
  trunc: rounded(),
  round: rounded('rint: ties to even'),
  and: whole(''),
  or: whole(''),
  xor: whole(''),
  not: whole(''),
  shl: whole('amounts are taken modulo the width'),
  shr: whole('amounts are taken modulo the width'),
  mulhi: whole(''),
  popcount: whole(''),
  clz: whole('the width of 0'),
  ctz: whole('the width of 0'),
  reverseBits: whole(''),
  eq: rounded(),
  ne: rounded(),
  lt: rounded(),
  le: rounded(),
  gt: rounded(),
  ge: rounded(),
  land: whole(''),
  lor: whole(''),
  lnot: whole(''),
  select: whole(''),
  sqrt: {
    f32: ulp(2),
    note: 'sqrt.approx.f32, relative error 2⁻²³; rounded to nearest where an answer hangs on it',
    source: 'PTX ISA, sqrt',
  },
  rsqrt: within(2, 1),
  rcp: { f32: ulp(2), note: 'as 1 / a', source: 'PTX ISA, rcp and div' },
  exp: within(2, 1),
  exp2: within(2, 1),
  log: within(1, 1),
  log2: within(1, 1),
  sin: within(2, 2),
  cos: within(2, 2),
  tan: within(4, 2),
  asin: within(4, 2),
  acos: within(3, 2),
  atan: within(2, 2),
  sinh: within(3, 2),
  cosh: within(2, 1),
  tanh: within(2, 1),
  pow: {
    f32: { kind: 'ulp', ulp: 9, perLogarithm: 4.1, perExponent: 2.8 },
    f64: ulp(2),
    note: 'powf; with a literal exponent that is no whole number exp2f(b · log2f(a))',
    source: guide,
  },
  atan2: within(3, 2),
  convert: rounded('floats to integers truncate and saturate; of NaN 0, of 64 bits open'),
  bitcast: whole(''),
  copy: whole(''),
} as const satisfies Record<OpName, Promised>
