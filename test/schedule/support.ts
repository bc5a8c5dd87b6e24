// For tests of schedules: programs from text and from C, and the one question asked of every plan: simulated exactly,
// with races and uninitialised reads watched, does it compute what the program says?
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import {
  hostArray,
  interpret,
  isFloat,
  parseProgram,
  planValue,
  verifyProgram,
  isFixed,
  type Expr,
  type HostArray,
  type PlanValues,
  type Program,
} from '../../src/ir/index.ts'
import { analyse, build, type Analysed, type BuildOptions } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { memoryFor, runSimulated, fusedLaunches, verifyPlan, type Verification } from '../../src/tune/index.ts'

export const profile = gpu('h200')

const examples = resolve(import.meta.dirname, '../../examples')

/** Names and texts of all C examples. */
export const exampleTexts: readonly (readonly [string, string])[] = readdirSync(examples)
  .filter((f) => f.endsWith('.c'))
  .sort()
  .map((f) => [f.slice(0, -2), readFileSync(join(examples, f), 'utf8')])

/** A program from LoopIR text, verified. */
export function text(source: string): Program {
  const p = parseProgram(source)
  verifyProgram(p)
  return p
}

export type Sizes = Readonly<Record<string, number>>

/** Sizes for every parameter of `p`: `values` in turn, fixed ones as they are. */
export const sizesOf = (p: Program, values: readonly number[]): Sizes =>
  Object.fromEntries(
    p.sizes.map((s, i) => [s.name, isFixed(s) ? s.planned : Math.max(s.min, values[i % values.length]!)]),
  )

/** Builds the points and verifies the plan. */
export function verified(
  analysed: Analysed,
  points: readonly Point[],
  sizes: readonly Sizes[],
  options: BuildOptions = {},
  seed = 1,
): Verification {
  return verifyPlan(analysed.source, build(analysed, points, options).plan, sizes, profile, seed)
}

/** Every sketch's name, in the order of the parts. */
export const sketchNames = (p: Program): readonly string[] => analyse(p).parts.map((x) => x.sketch.name)

/** Small integers in every array of `p`, from a seed. */
export function integers(p: Program, values: PlanValues, seed: number): Record<string, HostArray> {
  const r = random(seed)
  const count = (shape: readonly Expr[]): number => shape.reduce((n, e) => n * Math.max(0, planValue(e, values)), 1)
  return Object.fromEntries(
    p.arrays.map((a) => {
      // the others take numbers as well
      const data = hostArray(isFloat(a.type) ? 'f64' : a.type, count(a.shape)) as Float64Array<ArrayBuffer>
      for (let i = 0; i < data.length; i++) data[i] = r.int(-4, 4)
      return [a.name, data]
    }),
  )
}

/** Contents of the arrays of `names` after a run in float64 on small integers. */
export function results(
  p: Program,
  names: readonly string[],
  sizes: Sizes,
  seed = 1,
  precision: 'f64' | 'declared' = 'f64',
): Record<string, number[]> {
  const values: PlanValues = { sizes, scalars: Object.fromEntries(p.scalars.map((s, i) => [s.name, 2 + i])) }
  const given = integers(p, values, seed)
  const arrays =
    precision === 'f64'
      ? given
      : Object.fromEntries(
          p.arrays.map((a): [string, HostArray] => [
            a.name,
            a.type === 'f32' ? Float32Array.from(given[a.name] as Float64Array) : given[a.name]!,
          ]),
        ) // floats are f64 there
  interpret(p, { ...values, arrays }, { precision })
  return Object.fromEntries(names.map((n) => [n, Array.from(arrays[n]! as Float64Array)]))
}

/**
 * What the plan of `points` leaves in the arrays, simulated on the integers of `seed` rounded to f32, and every hazard;
 * of every second seed with small launches together.
 */
export function simulated(
  a: Analysed,
  points: readonly Point[],
  sizes: Sizes,
  seed: number,
  options: BuildOptions = {},
): { readonly arrays: Record<string, HostArray>; readonly hazards: readonly string[] } {
  const values: PlanValues = { sizes, scalars: Object.fromEntries(a.source.scalars.map((s, i) => [s.name, 2 + i])) }
  const { plan: each } = build(a, points, options),
    plan = seed % 2 === 1 ? fusedLaunches(each, values, profile.multiprocessors).plan : each
  const own = integers(a.source, values, seed)
  const arrays = memoryFor(plan, values, seed)
  for (const x of plan.arrays)
    if (own[x.name]) arrays[x.name] = x.type === 'f32' ? Float32Array.from(own[x.name] as Float64Array) : own[x.name]!
  return { arrays, hazards: runSimulated(plan, values, arrays, profile) }
}
