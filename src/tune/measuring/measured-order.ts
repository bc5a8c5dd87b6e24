// In: candidates and a device. Out: the candidates ordered by what they take there. The one idea: a candidate whose
// result is wrong on the device falls out, whatever the simulator says.
import { attemptedAsync, isInapplicable, random } from '../../base/index.ts'
import type { Plan, Program } from '../../ir/index.ts'
import type { Point } from '../../schedule/index.ts'
import type { Timing } from '../../run/index.ts'
import {
  buildFor,
  contextOf,
  emitFor,
  joinedFor,
  pointsWords,
  seedOf,
  type CandidateMeasurer,
  type Context,
  type MeasuredOne,
  type OptimizeOptions,
} from '../context.ts'
import { freshArrays, type ArrayData } from '../run-data.ts'
import type { Measurer } from './measure.ts'
import { wrongSample } from './trial.ts'
import { sentenceOf, type Failed } from '../proof/prove.ts'
import { sampledReference, type Sample } from '../proof/sampled-reference.ts'

/** Who measures candidates of this program; null where nobody does. */
export function candidateMeasurer(c: Context): CandidateMeasurer | null {
  const { measure } = c.options
  return !measure ? null : 'times' in measure ? measure : measuredHere(c, measure)
}

/**
 * On the device of this machine: all are built, run and checked first, and then timed one right after the other, since
 * a device that waits for a compiler loses its clocks, and has to be warmed for a second each time.
 */
function measuredHere(c: Context, measure: Measurer): CandidateMeasurer {
  const inputs: Inputs = {}
  return {
    name: measure.name,
    target: measure.target,
    times: async (candidates, ended) => {
      const outcomes: MeasuredOne[] = []
      const checked: (Plan | Untimed)[] = []
      for (const points of candidates) {
        checked.push(await measurable(checkedPlan(c, points, measure, inputs)))
        ended?.(Math.floor(checked.length / 2))
      }
      for (const plan of checked) {
        // those that are checked ran on the data
        outcomes.push('how' in plan ? plan : await measurable(measure.time(plan, c.values, inputs.data!)))
        ended?.(Math.floor((checked.length + outcomes.length) / 2))
      }
      return outcomes
    },
  }
}

/** Why a candidate has no time. */
type Untimed = Pick<Failed, 'how' | 'why'>

/** What is made, or why it cannot be. */
async function measurable<T extends object>(made: Promise<T>): Promise<T | Untimed> {
  const outcome = await attemptedAsync(() => made)
  if (!isInapplicable(outcome)) return outcome
  const isDevice = outcome.inapplicable[0]?.code === 'measure.unsteady'
  return { how: isDevice ? 'device' : 'unbuilt', why: sentenceOf(outcome) }
}

/** What measuring candidates came to. */
export interface MeasuredOrder {
  /** By time; as they were where none has one. */
  readonly ordered: readonly (readonly Point[])[]
  readonly timings: ReadonlyMap<readonly Point[], Timing>
  readonly failed: readonly Failed[]
}

/** Measures the best candidates and orders them by time; wrong ones fall out. */
export async function measuredOrder(
  c: Context,
  candidates: readonly (readonly Point[])[],
  measure: CandidateMeasurer,
): Promise<MeasuredOrder> {
  const some = candidates.slice(0, c.options.measured ?? 40)
  const progress = (done: number): void =>
    c.progress({ stage: `measure on ${measure.name ?? 'a farm'}`, done, total: some.length })
  const failed: Failed[] = [],
    timings = new Map<readonly Point[], Timing>()
  progress(0)
  const outcomes = await measure.times(some, progress)
  for (const [i, points] of some.entries()) {
    const outcome = outcomes[i]! // one for each
    c.options.measuredOne?.(points, outcome)
    if ('ns' in outcome) timings.set(points, outcome)
    else failed.push({ ...outcome, schedule: pointsWords(c, points) })
  }
  const ordered = [...timings].sort(([, a], [, b]) => a.ns - b.ns).map(([points]) => points)
  return { ordered: ordered.length > 0 ? ordered : candidates, timings, failed }
}

/** Who measures candidates of this program on a device of this machine. */
export const measurerOf = (program: Program, options: OptimizeOptions, measure: Measurer): CandidateMeasurer =>
  measuredHere(contextOf(program, options), measure)

/** What all candidates run on, made when the first one needs it: arrays, and elements of the result as they must be. */
interface Inputs {
  data?: ArrayData
  samples?: readonly Sample[]
}

/** The plan as it is handed over, with its small launches merged, once its result on the device is right. */
async function checkedPlan(
  c: Context,
  points: readonly Point[],
  measure: Measurer,
  inputs: Inputs,
): Promise<Plan | Untimed> {
  const plan = emitFor(joinedFor(c, buildFor(c, points, measure.target)).plan, measure)
  inputs.data ??= freshArrays(plan.arrays, c.values, seedOf(c.options))
  const results = await measure.run(plan, c.values, inputs.data)
  inputs.samples ??= sampledReference(c.analysed.source, c.values, inputs.data, 16, random(seedOf(c.options)))
  const why = wrongSample(inputs.samples, (s) => Number(results[s.array]?.[s.index]), measure.name)
  return why === undefined ? plan : { how: 'device', why }
}
