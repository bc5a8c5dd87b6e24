// In: the result of a job. Out: records of a store. The one idea: what was measured becomes readings like all others,
// by the text of the program, the points and the device; every result is kept by its key.
import {
  candidateRecord,
  deviceRecord,
  programRecord,
  readingRecord,
  type ReadingRecord,
  type Records,
} from '../../store/index.ts'
import { jobKindOf } from './key.ts'
import type { JobResult, MeasureJob } from './types.ts'

/** A candidate of a `measure` job with its time, or without one where it failed. */
interface Measured {
  readonly points: unknown
  readonly taken: string
  readonly ns?: number
  readonly spread: number
  readonly samples: number
  readonly [detail: string]: unknown
}

/** All that a result says. */
export function recordsOfResult(result: JobResult): Records {
  const { key, compiler, job } = result
  const kept = { results: [{ key, kind: jobKindOf(job), compiler, body: result.result }] }
  return job.kind === 'measure' ? { ...kept, ...measuredRecords(job, result.result) } : kept
}

const runtimes = { webgpu: 'Dawn', cuda: 'CUDA', browser: 'WebGPU in browsers' } as const satisfies Record<
  MeasureJob['on'],
  string
>

function measuredRecords(job: MeasureJob, found: unknown): Records {
  // as `measureWork` makes it
  const { device: name, measured } = found as { readonly device: string; readonly measured: readonly Measured[] }
  const target = job.on === 'cuda' ? 'cuda' : 'wgsl'
  const { program: source, gpu, targets } = job
  const program = programRecord({ language: 'c', name: source.function ?? source.name, body: { source, gpu, targets } })
  const device = deviceRecord({ name, runtime: runtimes[job.on] })
  const all = measured.map(({ points, taken, ns, spread, samples, ...body }) => {
    const candidate = candidateRecord({ program: program.key, target, choice: points })
    const readings: readonly ReadingRecord[] =
      ns === undefined
        ? []
        : [readingRecord({ candidate: candidate.key, device: device.key, ns, spread, samples, taken, body })]
    return { candidate, readings }
  })
  return {
    programs: [program],
    devices: [device],
    candidates: all.map((a) => a.candidate),
    readings: all.flatMap((a) => a.readings),
  }
}
