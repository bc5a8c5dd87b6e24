// Arrays of numbers from seeds, and what is done with their rows, for the references of `tesela/ops`.
import { random } from '../../src/base/index.ts'

/** An array of a case. */
export interface Data {
  readonly shape: readonly number[]
  readonly values: readonly number[]
  readonly type: 'f32' | 'i32' | 'u32'
}

export interface Case {
  readonly args: Readonly<Record<string, Data | number>>
  readonly want: Readonly<Record<string, Data>>
  /** Largest |got − want| ÷ max(1, |want|); 0 when absent. */
  readonly within?: number
}

export const volume = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1)

/** Numbers of f32 from −2 to 2. */
export function floats(shape: readonly number[], seed: number): Data {
  const stream = random(seed + 977 * volume(shape))
  return { shape, type: 'f32', values: Array.from({ length: volume(shape) }, () => Math.fround(4 * stream.unit() - 2)) }
}

/** Integers from 0 to below `end`. */
export function indices(shape: readonly number[], end: number, seed: number): Data {
  const stream = random(seed)
  return { shape, type: 'i32', values: Array.from({ length: volume(shape) }, () => Math.floor(end * stream.unit())) }
}

export const filled = (shape: readonly number[], f: (i: number) => number, type: Data['type'] = 'f32'): Data => ({
  shape,
  type,
  values: Array.from({ length: volume(shape) }, (_, i) => f(i)),
})

export const rowOf = (x: Data, r: number, n: number): readonly number[] => x.values.slice(r * n, (r + 1) * n)
export const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)
export const mean = (list: readonly number[]): number => sum(list) / list.length
export const variance = (list: readonly number[]): number => mean(list.map((v) => (v - mean(list)) ** 2))

/** Each row of length n by a function of it. */
export const byRows = (x: Data, n: number, f: (row: readonly number[], r: number) => readonly number[]): Data => ({
  ...x,
  values: Array.from({ length: x.values.length / n }, (_, r) => f(rowOf(x, r, n), r)).flat(),
})

export const epsilon = Math.fround(1e-5)
