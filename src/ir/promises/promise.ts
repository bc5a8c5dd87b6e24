// What a target promises of one operation, as data: how far its result may be from the exact one, and for which
// arguments nothing is promised. The one idea: three shapes of error cover the accuracy tables of WGSL and CUDA, so
// that the same row makes the documentation, moves results in a proof and judges what a device gave.
import type { ScalarType } from '../types.ts'

export type TargetName = 'wgsl' | 'cuda'

/**
 * How far a floating-point result may be from the exact one; r is the result, a and b are the arguments.
 *
 * - `exact`: rounded to nearest (or not at all).
 * - `ulp`: so many units in the last place of r, and so many more per |a|, and per |b · log2 |a|| (of powers), and per
 *   |b|.
 * - `absolute`: `absolute` + `relative` · |r| + `grown` · (1 + |r|)², or anything once `grown` · (1 + |r|) is a half
 *   (quotients of numbers with an absolute error).
 * - `logarithm`: `absolute` where a lies in ½ … 2, `ulp` units elsewhere.
 */
export type Allowed =
  | { readonly kind: 'exact' }
  | {
      readonly kind: 'ulp'
      readonly ulp: number
      readonly perArgument?: number
      readonly perLogarithm?: number
      readonly perExponent?: number
      /** Exact where a and b are whole, b is in 0 … 64 and |r| at most 2²⁴. */
      readonly wholePowers?: true
    }
  | { readonly kind: 'absolute'; readonly absolute: number; readonly relative?: number; readonly grown?: number }
  | { readonly kind: 'logarithm'; readonly absolute: number; readonly ulp: number }

/** Arguments for which nothing is promised: |argument| above `above`, or below `below` and not 0. */
export type Open =
  | { readonly argument: 0 | 1; readonly above: number }
  | { readonly argument: 0 | 1; readonly below: number }

/** A row of the table: of the operation as the emitter spells it. */
export interface Promised {
  readonly f32: Allowed
  /** Of double precision, where the target has it and it differs from `exact`. */
  readonly f64?: Allowed
  readonly open?: readonly Open[]
  /** How it is spelled where that is not the target's own function, or what holds of integers. */
  readonly note?: string
  /** Section of the specification; `recalled` where it was not read again when this was written. */
  readonly source: string
}

export const exact: Allowed = { kind: 'exact' }
export const ulp = (n: number): Allowed => ({ kind: 'ulp', ulp: n })
export const absolute = (n: number, relative = 0): Allowed => ({ kind: 'absolute', absolute: n, relative })

/** Bits of the significand behind the point. */
const fractionBits: Readonly<Record<'f32' | 'f64', number>> = { f32: 23, f64: 52 }
const smallestExponent: Readonly<Record<'f32' | 'f64', number>> = { f32: -126, f64: -1022 }

/** The distance between neighbouring numbers of `type` at x. */
export function unitAt(type: 'f32' | 'f64', x: number): number {
  const exponent = x === 0 ? -Infinity : Math.floor(Math.log2(Math.abs(x)))
  return 2 ** (Math.max(exponent, smallestExponent[type]) - fractionBits[type])
}

/** The row's allowance for a type; half precision is not in the table. */
export function allowanceOf(row: Promised, type: ScalarType): Allowed {
  if (type === 'f32') return row.f32
  return type === 'f64' ? (row.f64 ?? exact) : exact
}

/** A quotient whose divisor may be off by this share of itself may be anything. */
export const unbounded = 0.5

/** The largest distance from `result`, which is exact, that `allowed` leaves, without the rounding to `type`. */
export function errorOf(allowed: Allowed, type: 'f32' | 'f64', result: number, a: number, b: number): number {
  switch (allowed.kind) {
    case 'exact':
      return 0
    case 'ulp':
      return ulpsBetween(allowed, a, b) * unitAt(type, result)
    case 'absolute':
      if (allowed.grown && allowed.grown * (1 + Math.abs(result)) >= unbounded) return Infinity
      return (
        allowed.absolute +
        (allowed.relative ?? 0) * Math.abs(result) +
        (allowed.grown ?? 0) * (1 + Math.abs(result)) ** 2
      )
    case 'logarithm':
      return a >= 0.5 && a <= 2 ? allowed.absolute : allowed.ulp * unitAt(type, result)
  }
}

/** Largest exponent for which helpers multiply, and largest result that is exact then. */
export const mostFactors = 64,
  mostExact = 2 ** 24

/** Units in the last place that an `ulp` allowance leaves for arguments a and b. */
export function ulpsBetween(allowed: Extract<Allowed, { kind: 'ulp' }>, a: number, b: number): number {
  if (allowed.wholePowers && Number.isInteger(a) && Number.isInteger(b) && b >= 0 && b <= mostFactors)
    if (Math.abs(a ** b) <= mostExact) return 0
  const perLogarithm = allowed.perLogarithm ? allowed.perLogarithm * Math.abs(b * Math.log2(Math.abs(a))) : 0
  return (
    allowed.ulp +
    (allowed.perArgument ?? 0) * Math.abs(a) +
    (allowed.perExponent ?? 0) * Math.abs(b) +
    (Number.isFinite(perLogarithm) ? perLogarithm : 0)
  )
}

/** Whether nothing is promised for these arguments. */
export function isOpen(row: Promised, args: readonly number[]): boolean {
  return (row.open ?? []).some((o) => {
    const x = Math.abs(args[o.argument] ?? 0)
    return 'above' in o ? x > o.above : x < o.below && x !== 0
  })
}
