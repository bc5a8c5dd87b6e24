// In: a program, data and a target. Out: how far the results of the source itself move when every operation is moved by
// the error that the target allows. The one idea: what a promise costs a program is found by running it (forward error
// by perturbation; Stott Parker's Monte Carlo arithmetic): all errors up, all down, and once at random. It says
// nothing of the order of sums, which `bound.ts` bounds.
import {
  allowanceOf,
  errorOf,
  interpret,
  isFloat,
  promiseOf,
  type HostArray,
  type Moved,
  type OpName,
  type PlanValues,
  type Program,
  type TargetName,
} from '../../ir/index.ts'
import type { ArrayData } from '../run-data.ts'

/** What a plan is proved with. */
export interface Promises {
  readonly target: TargetName
  /** Quotients and roots are rounded to nearest in all of its kernels. */
  readonly rounded: boolean
}

/** What runs with moved results gave, one after another. */
export type MovedRuns = readonly ArrayData[]

/** Runs: up, down, and by the hash of each result’s bits. */
const ways = 3

/** Whether an operation of the program is inexact on the target. */
export function isInexact(program: Program, promises: Promises, operations: ReadonlySet<OpName>): boolean {
  const types = floatTypes(program)
  return [...operations].some((op) => {
    const row = promiseOf(op, promises.target, promises.rounded)
    return types.some((t) => allowanceOf(row, t).kind !== 'exact')
  })
}

const floatTypes = (program: Program): readonly ('f32' | 'f64')[] =>
  program.arrays.some((a) => a.type === 'f64') || program.scalars.some((s) => s.type === 'f64')
    ? ['f32', 'f64']
    : ['f32']

/** The program run `ways` times in float64 with every inexact result moved. `memory` is not changed. */
export function movedRuns(program: Program, values: PlanValues, memory: ArrayData, promises: Promises): MovedRuns {
  return Array.from({ length: ways }, (_, way) => {
    const arrays = Object.fromEntries(
      program.arrays
        .filter((a) => memory[a.name] && a.role !== 'temp')
        .map((a): [string, HostArray] => {
          const data = memory[a.name]!
          // a float array takes numbers
          return [a.name, isFloat(a.type) ? Float64Array.from(data as Float32Array) : data.slice()]
        }),
    )
    interpret(program, { ...values, arrays }, { precision: 'f64', moved: mover(promises, way) })
    return arrays
  })
}

function mover(promises: Promises, way: number): (op: OpName, type: 'f32' | 'f64') => Moved | undefined {
  return (op, type) => {
    const allowed = allowanceOf(promiseOf(op, promises.target, promises.rounded), type)
    if (allowed.kind === 'exact') return undefined
    return (result, a, b) => {
      if (!Number.isFinite(result)) return result
      return result + shareOf(way, result) * errorOf(allowed, type, result, a, b)
    }
  }
}

const words = new Uint32Array(2)
const numbers = new Float64Array(words.buffer)

/** −1 … 1. */
function shareOf(way: number, result: number): number {
  if (way === 0) return 1
  if (way === 1) return -1
  numbers[0] = result
  const mixed = Math.imul((words[0]! ^ words[1]!) + way, 0x9e3779b1) // two words
  return Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1) / 2 ** 31
}
