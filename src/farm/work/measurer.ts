// `optimize` with its measurements from a farm. In: a client, who takes what device. Out: who measures candidates. The
// one idea: candidates that are compared are one job, so that one device measures them all, and alone.
import { fail } from '../../base/index.ts'
import type { CandidateMeasurer, MeasuredOne, OptimizeOptions } from '../../tune/index.ts'
import { queuedJob } from '../job/key.ts'
import type { JobTarget, MeasureJob } from '../job/types.ts'
import type { ScorerOptions } from './scorer.ts'

/** What `measureWork` makes. */
interface MeasuredJob {
  readonly device: string
  readonly measured: readonly MeasuredOne[]
}

/**
 * Measures on the farm's workers with such devices. Throws a `DiagnosticError` that names a job that was given up, or
 * the devices where there are several kinds.
 */
export function farmMeasurer(on: 'webgpu' | 'cuda', options: OptimizeOptions, farm: ScorerOptions): CandidateMeasurer {
  let name: string | null = null
  return {
    get name() {
      return name
    },
    target: on === 'cuda' ? 'cuda' : 'wgsl',
    times: async (candidates) => {
      const job: MeasureJob = {
        kind: 'measure',
        program: farm.program,
        gpu: options.gpu.name,
        targets: options.targets as readonly JobTarget[],
        seed: options.seed ?? 1,
        on,
        candidates,
      }
      const queued = queuedJob(job, farm.compiler)
      const [outcome] = await farm.client.run([queued])
      if (outcome?.state !== 'done')
        return fail('farm.dead', `the farm gave up on measuring, job ${queued.key.slice(0, 12)}: ${outcome?.why}`)
      const { device, measured } = outcome.result as MeasuredJob
      if (measured.length !== candidates.length) return fail('farm.result', `job ${queued.key} has no result`)
      if (name !== null && name !== device)
        return fail(
          'farm.devices',
          `the farm measures on ${name} and on ${device}`,
          undefined,
          'times of two devices cannot be compared: let workers with devices of one kind do these jobs',
        )
      name = device
      return measured
    },
  }
}
