// Which workers can do a job: all but measuring can be done on every machine.
import { jobKinds, type Job } from '../job/types.ts'

/** The kind that the queue knows a job by. */
export const kindOf = (job: Job): string => (job.kind === 'measure' ? `measure ${job.on}` : job.kind)

/** What a worker without a device can do. */
export const kindsOfProcessor: readonly string[] = jobKinds.filter((k) => k !== 'measure')
