// A worker of the farm. In: a client, what runs a job, kinds. Out: nothing but ended jobs. The one idea: lease, run,
// tell; the lease is renewed beside the work, which runs in a process of its own.
import { DiagnosticError } from '../../base/index.ts'
import type { LeasedJob } from '../../store/index.ts'
import type { JobFailure, SlotResult } from './slots.ts'
import type { FarmClient } from './client.ts'

export interface WorkOptions {
  readonly client: FarmClient
  /** As the farm calls it. */
  readonly name: string
  readonly compiler: string
  readonly kinds: readonly string[]
  /** Runs the body of a job. */
  readonly run: (body: unknown) => Promise<SlotResult>
  /** Asked between jobs. */
  readonly isOver: () => boolean
  readonly told?: (line: string) => void
}

/** Does one job after the other until it is over. */
export async function workOn(options: WorkOptions): Promise<void> {
  const { client, name, compiler, kinds, isOver, told = () => {} } = options
  while (!isOver()) {
    const { job, leaseMs } = await client.lease({ worker: name, kinds, compiler })
    if (!job) continue
    const renewing = setInterval(() => void client.renew(job).catch(() => undefined), leaseMs / 3)
    const start = performance.now()
    try {
      const outcome = await options.run(job.body)
      const seconds = (performance.now() - start) / 1000
      await ended(client, job, name, outcome, seconds)
      told(`${job.key.slice(0, 12)} ${job.kind}: ${'why' in outcome ? outcome.why : `${seconds.toFixed(1)} s`}`)
    } finally {
      clearInterval(renewing)
    }
  }
}

/** Tells the farm. A result that it refuses (too long, for instance) is a failure of the job and not of the worker. */
async function ended(
  client: FarmClient,
  job: LeasedJob,
  name: string,
  outcome: SlotResult,
  seconds: number,
): Promise<void> {
  if (!('result' in outcome)) return client.fail(job, outcome.why, outcome.final)
  try {
    await client.complete(job, name, outcome.result, seconds)
  } catch (error) {
    if (!(error instanceof DiagnosticError) || error.diagnostics[0]?.code !== 'farm.refused') throw error
    await client.fail(job, error.diagnostics[0].message, true)
  }
}

/** What went wrong with a job: what the user did wrong goes wrong again. */
export const jobFailureOf = (error: unknown): JobFailure => ({
  why: error instanceof DiagnosticError ? (error.diagnostics[0]?.message ?? error.message) : String(error),
  final: error instanceof DiagnosticError,
})
