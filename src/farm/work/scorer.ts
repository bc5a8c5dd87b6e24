// `optimize` with its scores from a farm. In: a program, a client. Out: what asks the farm. The one idea: a job for
// each point, so that how many workers there are changes nothing; the best of each answer is scored here as well, so
// that a worker that praises what is not fast is found and named.
import { fail } from '../../base/index.ts'
import type { Program } from '../../ir/index.ts'
import { scorerOf, type EstimateAnswer, type Asked, type OptimizeOptions, type Scorer } from '../../tune/index.ts'
import { queuedJob } from '../job/key.ts'
import type { JobProgram, JobTarget, SearchJob } from '../job/types.ts'
import type { FarmClient } from './client.ts'

export interface ScorerOptions {
  readonly client: FarmClient
  readonly compiler: string
  readonly program: JobProgram
}

/** Scores points on the farm. Throws a `DiagnosticError` that names a job that was given up, or a worker that lies. */
export function farmScorer(program: Program, options: OptimizeOptions, farm: ScorerOptions): Scorer {
  const here = scorerOf(program, options)
  const jobOf = ({ part, steps, shrink }: Asked, point: Asked['points'][number]): SearchJob => ({
    kind: 'search',
    program: farm.program,
    gpu: options.gpu.name,
    targets: options.targets as readonly JobTarget[],
    seed: 1, // scores do not depend on it
    part,
    points: [point],
    steps,
    shrink,
  })
  return async (asked) => {
    const jobs = asked.points.map((point) => jobOf(asked, point))
    const outcomes = await farm.client.run(jobs.map((job) => queuedJob(job, farm.compiler)))
    const answers = outcomes.map(({ key, state, why, result }): EstimateAnswer => {
      if (state === 'dead') fail('farm.dead', `the farm gave up on job ${key.slice(0, 12)}: ${why}`)
      const [scored] = (result as { readonly scored?: readonly EstimateAnswer[] } | null)?.scored ?? []
      return scored && Number.isFinite(scored.shrink) ? scored : fail('farm.result', `job ${key} has no result`)
    })
    const best = answers.reduce((b, a, i) => ((a.ns ?? Infinity) < (answers[b]?.ns ?? Infinity) ? i : b), 0)
    const [own] = here({ ...asked, points: [asked.points[best]!] })
    if (own?.ns !== answers[best]?.ns)
      fail(
        'farm.lie',
        `the worker ${outcomes[best]?.worker} of the farm predicts ${answers[best]?.ns} ns for a point of ` +
          `${program.name} that has ${own?.ns} ns`,
      )
    return answers
  }
}
