// The farm as its clients and workers see it. In: an address and a token. Out: calls that are tried again until the
// server is there. The one idea: every call may be repeated, so a server that restarts is waited for.
import { fail } from '../../base/index.ts'
import type { JobOutcome, LeasedJob, QueuedJob } from '../../store/index.ts'
import type { FarmState } from '../serve/views.ts'

export interface FarmAddress {
  readonly url: string
  readonly token: string
  /** Milliseconds that a server is waited for. */
  readonly patienceMs?: number
}

/** A server that restarts is back within a minute. */
const usualPatienceMs = 60_000
/** Six times what the server holds a request that waits for jobs. */
const requestMs = 60_000
/** However long they take: a process that stood still has not waited. */
const fewestTries = 6
/** Answers that are no fault of the request: it is tried again. */
const passing = (status: number): boolean => status === 429 || status >= 500

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

interface Answer {
  /** HTTP's; 599 where there is no answer. */
  readonly status: number
  readonly text: string
}

/**
 * What a request comes to, an answer or none. `fetch` may neither answer nor fail when a server is killed, and does not
 * keep the process: the timer does both.
 */
async function answerOf(url: string, request: RequestInit): Promise<Answer> {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const none = new Promise<Answer>((done) => {
    timer = setTimeout(() => done({ status: 599, text: `no answer in ${requestMs / 1000} s` }), requestMs)
  })
  const some = fetch(url, { ...request, signal: over.signal })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => ({ status: 599, text: String((error as Error).message) }))
  try {
    return await Promise.race([some, none])
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

export class FarmClient {
  private readonly address: FarmAddress

  constructor(address: FarmAddress) {
    if (!/^https?:\/\/[^/]+\/?$/.test(address.url))
      fail('farm.address', `'${address.url}' is no address of a farm`, undefined, 'it looks like http://127.0.0.1:7337')
    this.address = { ...address, url: address.url.replace(/\/$/, '') }
  }

  private async call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { url, token, patienceMs = usualPatienceMs } = this.address
    let away: number | undefined // since when
    for (let tries = 1, waitMs = 50; ; tries++, waitMs = Math.min(2 * waitMs, 2000)) {
      const answer = await answerOf(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (answer.status === 200) return parsed(answer.text)
      const said = (parsed(answer.text) as { readonly error?: string } | null)?.error ?? answer.text.slice(0, 200)
      if (!passing(answer.status)) fail('farm.refused', `the farm at ${url} refused: ${said}`)
      away ??= Date.now()
      if (tries >= fewestTries && Date.now() - away > patienceMs)
        fail('farm.away', `the farm at ${url} does not answer: ${said}`)
      await pause(waitMs * (0.5 + Math.random()))
    }
  }

  async add(jobs: readonly QueuedJob[]): Promise<void> {
    for (const some of batches(jobs, (job) => JSON.stringify(job).length))
      await this.call('POST', '/v1/jobs', { jobs: some })
  }

  async lease(wanted: { readonly worker: string; readonly kinds: readonly string[]; readonly compiler: string }) {
    const answer = await this.call('POST', '/v1/lease', { ...wanted, waitMs: 10_000 })
    return answer as { readonly job: LeasedJob | null; readonly leaseMs: number } // as the server writes it
  }

  async renew(job: Pick<LeasedJob, 'key' | 'lease'>): Promise<void> {
    await this.call('POST', '/v1/renew', { key: job.key, lease: job.lease })
  }

  async complete(job: LeasedJob, worker: string, result: unknown, seconds: number): Promise<void> {
    const { key, kind, compiler } = job
    await this.call('POST', '/v1/complete', { key, kind, compiler, worker, result, seconds })
  }

  async fail(job: LeasedJob, why: string, final: boolean): Promise<void> {
    await this.call('POST', '/v1/fail', {
      key: job.key,
      lease: job.lease,
      why: why.slice(0, 2000) || 'no reason',
      final,
    })
  }

  async outcomes(keys: readonly string[], waitMs: number): Promise<readonly JobOutcome[]> {
    const answer = await this.call('POST', '/v1/outcomes', { keys, waitMs })
    return (answer as { readonly outcomes: readonly JobOutcome[] }).outcomes // as the server writes it
  }

  async state(): Promise<FarmState> {
    return (await this.call('GET', '/v1/state')) as FarmState // as the server writes it
  }

  /** Makes an invitation; its token is said here alone. `hours`: for how long. */
  async invite(wanted: {
    readonly name: string
    readonly device: string
    readonly hours: number
    readonly own: boolean
  }): Promise<{ readonly token: string; readonly expires: number }> {
    const made = await this.call('POST', '/v1/invites', wanted)
    return made as { readonly token: string; readonly expires: number } // as the server writes it
  }

  async revoke(name: string): Promise<void> {
    await this.call('POST', '/v1/invites/revoke', { name })
  }

  /** Adds the jobs and waits for all of them; `ended` hears of each. In the order of `jobs`. */
  async run(
    jobs: readonly QueuedJob[],
    ended: (outcome: JobOutcome) => void = () => {},
  ): Promise<readonly JobOutcome[]> {
    const outcomes = new Map<string, JobOutcome>()
    await this.add(jobs)
    const left = (): readonly string[] => [...new Set(jobs.map((j) => j.key))].filter((key) => !outcomes.has(key))
    for (let keys = left(); keys.length > 0; keys = left())
      for (const outcome of await this.outcomes(keys.slice(0, 1000), 10_000)) {
        if (outcome.state !== 'done' && outcome.state !== 'dead') continue
        outcomes.set(outcome.key, outcome)
        ended(outcome)
      }
    return jobs.map((j) => outcomes.get(j.key)!) // none is left
  }
}

/** Bytes of results in one request. */
const bytesAtOnce = 4 * 2 ** 20

/** Lists that are short enough for a request each. */
function batches<T>(list: readonly T[], bytesOf: (x: T) => number): readonly (readonly T[])[] {
  const out: T[][] = []
  let bytes = Infinity
  for (const x of list) {
    const own = bytesOf(x)
    if (bytes + own > bytesAtOnce || out[out.length - 1]!.length >= 1000) {
      out.push([])
      bytes = 0
    }
    out[out.length - 1]!.push(x)
    bytes += own
  }
  return out
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
