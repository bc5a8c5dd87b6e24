// In: a candidate of a program. Out: what a device that has no compiler needs to measure it: texts, launches, sizes and
// the seed of its data; and, apart from that, elements of the result as they must be. The one idea: who measures is
// told which elements are looked at, and not what they are.
import { fail, random } from '../../base/index.ts'
import {
  bindingsOf,
  meantAt,
  type Kernel,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type Program,
} from '../../ir/index.ts'
import type { Point } from '../../schedule/index.ts'
import { buildFor, contextOf, emitFor, seedOf, type Context, type OptimizeOptions } from '../context.ts'
import { lowerBound } from '../lower-bound.ts'
import { magnitudeOf, referenceOf } from '../proof/error-bound.ts'
import { sampledReference, type Sample } from '../proof/sampled-reference.ts'
import { freshArrays, type ArrayData } from '../run-data.ts'

/** Plain data. The kernels of the plan have texts and no statements. */
export interface Trial {
  readonly plan: Plan
  readonly values: PlanValues
  /** Of the data that it runs on (`freshArrays`). */
  readonly seed: number
}

export interface CheckedTrial {
  readonly trial: Trial
  /** Elements of the result as they must be. */
  readonly samples: readonly Sample[]
  /** Nanoseconds that the GPU of the options needs at least (`lowerBound`). */
  readonly boundNs: number
}

/** Elements that are known of each result: who measures is asked for some of them. */
const elements = 64
/** Iterations of all loops for which a whole program is run as a reference. */
const mostIterations = 2e8

/**
 * Each candidate as a trial, or the error that building it gives. Throws a `DiagnosticError`: `interpret.steps` where
 * the results of the program cannot be known here.
 */
export function trialMaker(program: Program, options: OptimizeOptions): (points: readonly Point[]) => CheckedTrial {
  const c = contextOf(program, options)
  let samples: readonly Sample[] | undefined
  return (points) => {
    const plan = emitFor(buildFor(c, points, 'wgsl').plan, { target: 'wgsl' })
    samples ??= knownElements(c, freshArrays(plan.arrays, c.values, seedOf(options)))
    return {
      trial: { plan: withoutBodies(plan), values: c.values, seed: seedOf(options) },
      samples,
      boundNs: lowerBound(program, c.values, options.gpu).ns,
    }
  }
}

/** What is wrong with the elements of a result, in words; undefined where nothing is. */
export function wrongSample(
  samples: readonly Sample[],
  valueOf: (sample: Sample, index: number) => number,
  where: string,
): string | undefined {
  const index = samples.findIndex((s, i) => !(Math.abs(valueOf(s, i) - s.value) <= tolerance * s.scale))
  const wrong = samples[index]
  return wrong && `${wrong.array}[${wrong.index}] is ${valueOf(wrong, index)} on ${where}, not ${wrong.value}`
}

/** Of the sum of the terms' magnitudes. */
const tolerance = 1e-3

function knownElements(c: Context, data: ArrayData): readonly Sample[] {
  const { source } = c.analysed
  const stream = random(seedOf(c.options))
  const sampled = sampledReference(source, c.values, data, elements, stream)
  if (sampled.length > 0) return sampled
  // several nests: the whole of it
  const meant = meantAt(source, c.values)
  const reference = referenceOf(meant, c.values, data, mostIterations)
  const magnitude = magnitudeOf(meant, c.values, data)
  const written = source.arrays.filter((a) => a.role === 'out' || a.role === 'inout')
  const all = Array.from({ length: elements }, () => {
    const { name } = written[stream.int(0, written.length - 1)]!
    const index = stream.int(0, reference[name]!.length - 1)
    const value = Number(reference[name]![index])
    return { array: name, index, value, scale: Math.max(Math.abs(value), Math.abs(Number(magnitude[name]![index]))) }
  }).filter((s) => Number.isFinite(s.value) && Number.isFinite(s.scale))
  return all.length > 0 ? all : fail('trial.unknown', `${source.name} has no result that can be known here`)
}

/** The same launches of kernels that have resources, parameters and texts alone. */
function withoutBodies(plan: Plan): Plan {
  const launch = ({ kernel, grid, arguments: given, params, emitted }: PlanLaunch): PlanLaunch => ({
    kernel: bare(kernel) as PlanLaunch['kernel'], // nobody compiles it
    grid,
    arguments: given,
    params,
    ...(emitted?.wgsl && { emitted: { wgsl: emitted.wgsl } }),
  })
  const variants = (list: Plan['variants']): Plan['variants'] =>
    list.map((v) => ({ ...v, launches: v.launches.map(launch) }))
  return { ...plan, variants: variants(plan.variants), ...(plan.empty && { empty: variants(plan.empty) }) }
}

/** Without its statements, from which bindings know what is written atomically: that stands in the resources here. */
function bare(kernel: Kernel): Kernel {
  const writable = new Set(bindingsOf(kernel).flatMap((b) => (b.kind === 'read-write' ? [b.resource.name] : [])))
  const resources = kernel.resources.map((r) => (writable.has(r.name) ? { ...r, access: 'read-write' as const } : r))
  return { ...kernel, resources, registers: [], body: [] }
}
