// In: candidates and a device. Out: the candidates ordered by what they take there. The one idea: a candidate whose
// result is wrong on the device falls out, whatever the simulator says.
import { attemptedAsync, isInapplicable, random } from '../../base/index.ts'
import type { Program } from '../../ir/index.ts'
import type { Point } from '../../schedule/index.ts'
import {
  buildFor,
  contextOf,
  emitFor,
  pointsWords,
  seedOf,
  type Context,
  type MeasuredOne,
  type OptimizeOptions,
} from '../context.ts'
import { freshArrays, type ArrayData } from '../run-data.ts'
import type { Measurer } from './measure.ts'
import { wrongSample } from './trial.ts'
import { sentenceOf, type Failed } from '../proof/prove.ts'
import { sampledReference, type Sample } from '../proof/sampled-reference.ts'

/** Measures the best candidates and orders them by time; wrong ones fall out. */
export async function measuredOrder(
  c: Context,
  candidates: readonly (readonly Point[])[],
  measure: Measurer,
): Promise<{ ordered: readonly (readonly Point[])[]; measured: number; failed: readonly Failed[] }> {
  const some = candidates.slice(0, c.options.measured ?? 40)
  const timed: { points: readonly Point[]; ns: number }[] = []
  const inputs: Inputs = {},
    failed: Failed[] = []
  for (const [i, points] of some.entries()) {
    c.progress({ stage: `measure on ${measure.name}`, done: i, total: some.length })
    const outcome = await measureOne(c, points, measure, inputs)
    c.options.measuredOne?.(points, outcome)
    if ('ns' in outcome) timed.push({ points, ns: outcome.ns })
    else failed.push({ ...outcome, schedule: pointsWords(c, points) })
  }
  timed.sort((a, b) => a.ns - b.ns)
  return { ordered: timed.length > 0 ? timed.map((t) => t.points) : candidates, measured: timed.length, failed }
}

/** Measures these candidates of a program, one after the other, each checked before; what fails says why. */
export async function measureCandidates(
  program: Program,
  options: OptimizeOptions,
  candidates: readonly (readonly Point[])[],
  measure: Measurer,
): Promise<readonly MeasuredOne[]> {
  const c = contextOf(program, options)
  const inputs: Inputs = {}
  const out: MeasuredOne[] = []
  for (const points of candidates) out.push(await measureOne(c, points, measure, inputs))
  return out
}

/** What all candidates run on, made when the first one needs it: arrays, and elements of the result as they must be. */
interface Inputs {
  data?: ArrayData
  samples?: readonly Sample[]
}

async function measureOne(
  c: Context,
  points: readonly Point[],
  measure: Measurer,
  inputs: Inputs,
): Promise<MeasuredOne> {
  const outcome = await attemptedAsync(async (): Promise<MeasuredOne> => {
    const plan = emitFor(buildFor(c, points, measure.target).plan, measure)
    inputs.data ??= freshArrays(plan.arrays, c.values, seedOf(c.options))
    const results = await measure.run(plan, c.values, inputs.data)
    inputs.samples ??= sampledReference(c.analysed.source, c.values, inputs.data, 16, random(seedOf(c.options)))
    const why = wrongSample(inputs.samples, (s) => Number(results[s.array]?.[s.index]), measure.name)
    return why === undefined ? await measure.time(plan, c.values, inputs.data) : { how: 'device', why }
  })
  if (!isInapplicable(outcome)) return outcome
  const isDevice = outcome.inapplicable[0]?.code === 'measure.unsteady'
  return { how: isDevice ? 'device' : 'unbuilt', why: sentenceOf(outcome) }
}
