// In: a job. Out: what it is known by, which workers can do it, and what has to be done before it.
import { contentKey, type QueuedJob } from '../../store/index.ts'
import { jobKinds, type EmitJob, type Job, type MeasureJob } from './types.ts'

/** What a job is known by: equal jobs of equal compilers have equal keys. */
export const jobKey = (job: Job, compiler: string): string => contentKey({ job, compiler })

/** The kind that the queue knows jobs by that browsers of this kind of device measure. */
export const kindInBrowsers = (device: string): string => `measure browser ${device}`

/** The kind that the queue knows a job by. */
export function jobKindOf(job: Job): string {
  if (job.kind !== 'measure') return job.kind
  return job.on === 'browser' ? kindInBrowsers(job.device) : `measure ${job.on}`
}

/** The job as it is queued. */
export const queuedJob = (job: Job, compiler: string): QueuedJob => ({
  key: jobKey(job, compiler),
  kind: jobKindOf(job),
  compiler,
  body: job,
})

/** What a worker without a device can do. */
export const kindsOfProcessor: readonly string[] = jobKinds.filter((k) => k !== 'measure')

/** The job whose result browsers measure; nothing for jobs that need none. */
export function emitJobFor(job: Job): EmitJob | undefined {
  if (job.kind !== 'measure' || job.on !== 'browser') return undefined
  const { program, gpu, targets, seed, candidates }: MeasureJob = job
  return { kind: 'emit', program, gpu, targets, seed, candidates }
}
