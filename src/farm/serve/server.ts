// The farm's server. In: a queue in a store, requests over HTTP. Out: jobs for workers, results for clients, a page and
// metrics. The one idea: it keeps nothing that matters in memory, so that it may be killed at any moment and started
// again; who waits is told when something changes.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DiagnosticError } from '../../base/index.ts'
import {
  Queue,
  Volunteers,
  type Invite,
  type QueuedJob,
  type QueueOptions,
  type RecordStore,
} from '../../store/index.ts'
import { emitJobFor, jobKindOf, queuedJob } from '../job/key.ts'
import type { Job } from '../job/types.ts'
import { Desk } from '../volunteers/desk.ts'
import { pageFiles, pagePolicy } from '../volunteers/page-text.ts'
import { usualQuorum, type Quorum } from '../volunteers/quorum.ts'
import { Guard, Refusal, tokenKey, usualLimits, type Limits } from './guard.ts'
import { metricsText, pageText, type FarmState } from './views.ts'

export interface ServeOptions {
  readonly token: string
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly queue?: Partial<QueueOptions>
  readonly limits?: Partial<Limits>
  /** Of browsers that measure. */
  readonly quorum?: Partial<Quorum>
}

const usualQueue: QueueOptions = { leaseMs: 30_000, attempts: 5, backOffMs: 500 }
/** Who waits for a job or for a result is answered after so long, whatever happens. */
const longestWaitMs = 20_000
/** Pages that nobody looks at are slow to renew: their leases are so many times longer. */
const leasesOfPage = 3
/** What a page sends is short. */
const mostBytesOfPage = 65_536
/** A worker that did not ask for so long is not shown. */
const shownMs = 120_000

export interface Farm {
  readonly url: string
  close(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** Serves the queue of a store until it is closed. */
export async function serveFarm(store: RecordStore, options: ServeOptions): Promise<Farm> {
  const service = new Service(store, options)
  const server = createServer((request, response) => void service.answer(request, response))
  server.requestTimeout = 60_000
  server.headersTimeout = 10_000
  server.keepAliveTimeout = 65_000 // clients that ask again find their connection
  server.maxConnections = 2000
  await listening(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        service.bell.ring()
        server.closeAllConnections()
      }),
  }
}

const listening = (server: Server, { host, port }: ServeOptions): Promise<void> =>
  new Promise((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = error.code === 'EADDRINUSE' ? `port ${port} is taken` : error.message
      failed(new DiagnosticError([{ severity: 'error', code: 'farm.port', message: `no server here: ${message}` }]))
    })
    server.listen(port, host, () => done())
  })

/** Wakes all who wait. */
class Bell {
  private waiting = new Set<() => void>()

  ring(): void {
    for (const wake of this.waiting) wake()
    this.waiting = new Set()
  }

  wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const wake = (): void => {
        clearTimeout(timer)
        done()
      }
      const timer = setTimeout(() => {
        this.waiting.delete(wake)
        done()
      }, ms)
      this.waiting.add(wake)
    })
  }
}

class Service {
  readonly bell = new Bell()
  private readonly queue: Queue
  private readonly volunteers: Volunteers
  private readonly desk: Desk
  private readonly guard: Guard
  private readonly seen = new Map<string, number>()
  private readonly place: string
  private readonly leaseMs: number

  constructor(store: RecordStore, { token, queue, limits, quorum }: ServeOptions) {
    const options = { ...usualQueue, ...queue }
    this.volunteers = new Volunteers(store)
    this.desk = new Desk({
      volunteers: this.volunteers,
      quorum: { ...usualQuorum, ...quorum },
      leaseMs: leasesOfPage * options.leaseMs,
    })
    this.queue = new Queue(store, options)
    this.guard = new Guard(token, { ...usualLimits, ...limits })
    this.place = store.database.place
    this.leaseMs = options.leaseMs
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [path = ''] = (request.url ?? '').split('?')
      if (request.method === 'GET' && path === '/') return send(response, 200, 'text/html', pageText())
      const file = request.method === 'GET' ? pageFiles[path]?.() : undefined
      if (file) return send(response, 200, file.type, file.text, pagePolicy)
      const now = Date.now()
      const trial = this.trials[path]
      if (request.method === 'POST' && trial) {
        const invite = await this.guard.checkInvite(request, now, this.findInvite)
        return sendJson(response, await trial(invite, await this.guard.body(request, mostBytesOfPage)))
      }
      await this.guard.checkOwner(request, now, this.findInvite)
      if (request.method === 'GET') return await this.show(path, response)
      const work = this.posts[path]
      if (request.method !== 'POST' || !work) throw new Refusal(404, `there is no ${request.method} ${path}`)
      sendJson(response, await work(await this.guard.body(request)))
    } catch (error) {
      refuse(response, error)
    }
  }

  private readonly findInvite = (key: string): Promise<Invite | undefined> => this.volunteers.find(key)

  private async show(path: string, response: ServerResponse): Promise<void> {
    if (path === '/metrics') return send(response, 200, 'text/plain; version=0.0.4', metricsText(await this.state()))
    if (path === '/v1/state') return sendJson(response, await this.state())
    throw new Refusal(404, `there is no GET ${path}`)
  }

  private readonly posts: Readonly<Record<string, (body: Body) => Promise<unknown>>> = {
    '/v1/jobs': async (body) => {
      const jobs = jobsOf(body).flatMap(withWhatItNeeds)
      await this.queue.add(jobs, Date.now())
      this.bell.ring()
      return { added: jobs.length }
    },
    '/v1/lease': async (body) => {
      const wanted = { worker: text(body, 'worker'), compiler: text(body, 'compiler'), kinds: texts(body, 'kinds') }
      this.seen.set(wanted.worker, Date.now())
      const job = await this.until(waitOf(body), () => this.queue.lease(wanted, randomUUID(), Date.now()))
      return { job: job ?? null, leaseMs: this.leaseMs }
    },
    '/v1/renew': async (body) => ({
      held: await this.queue.renew(text(body, 'key'), text(body, 'lease'), Date.now()),
    }),
    '/v1/complete': async (body) => {
      const { key, kind, compiler, worker } = {
        key: text(body, 'key'),
        kind: text(body, 'kind'),
        compiler: text(body, 'compiler'),
        worker: text(body, 'worker'),
      }
      const seconds = typeof body['seconds'] === 'number' ? body['seconds'] : 0
      const taken = await this.queue.complete({ key, kind, compiler, body: body['result'] ?? null }, worker, seconds)
      this.bell.ring()
      return { taken }
    },
    '/v1/fail': async (body) => {
      const [key, lease, why] = [text(body, 'key'), text(body, 'lease'), text(body, 'why')]
      const taken = await this.queue.fail(key, lease, why, body['final'] === true, Date.now())
      this.bell.ring()
      return { taken }
    },
    '/v1/invites': async (body) => {
      const token = randomBytes(24).toString('hex')
      const { name, device, hours } = { ...namesOf(body), hours: hoursOf(body) }
      const expires = Date.now() + hours * 3_600_000
      await this.volunteers.add({ key: tokenKey(token), name, device, own: body['own'] === true, expires })
      return { token, expires }
    },
    '/v1/invites/revoke': async (body) => {
      await this.volunteers.revoke(text(body, 'name'))
      return { revoked: true }
    },
    '/v1/outcomes': async (body) => {
      const keys = texts(body, 'keys')
      const ended = await this.until(waitOf(body), async () => {
        const found = await this.queue.outcomes(keys)
        return found.some((o) => o.state === 'done' || o.state === 'dead') ? found : null
      })
      return { outcomes: ended ?? (await this.queue.outcomes(keys)) }
    },
  }

  /** What pages ask, each with the invitation that it has the token of. */
  private readonly trials: Readonly<Record<string, (invite: Invite, body: Body) => Promise<unknown>>> = {
    '/v1/trials/welcome': async (invite, body) => this.desk.welcome(invite, body),
    '/v1/trials/lease': async (invite, body) => {
      this.seen.set(`browser ${invite.name}`, Date.now())
      return { trial: await this.until(waitOf(body), () => this.desk.lease(invite, body, Date.now())) }
    },
    '/v1/trials/renew': (invite, body) => this.desk.renew(invite, body, Date.now()),
    '/v1/trials/answer': async (invite, body) => {
      try {
        return await this.desk.answer(invite, body, Date.now())
      } finally {
        this.bell.ring()
      }
    },
  }

  /** What `look` finds, looked for again when something changes, and now and then, since back-offs end in silence. */
  private async until<T>(waitMs: number, look: () => Promise<T | null>): Promise<T | null> {
    const end = Date.now() + Math.min(waitMs, longestWaitMs)
    for (;;) {
      const found = await look()
      const left = end - Date.now()
      if (found !== null || left <= 0) return found
      await this.bell.wait(Math.min(left, 250))
    }
  }

  private async state(): Promise<FarmState> {
    const now = Date.now()
    for (const [name, at] of this.seen) if (now - at > shownMs) this.seen.delete(name)
    const [counts, dead, running] = [
      await this.queue.counts(),
      await this.queue.named('dead', 50),
      await this.queue.named('leased', 200),
    ]
    const workers = [...this.seen].map(([name, at]) => ({ name, secondsAgo: (now - at) / 1000 }))
    const invites = (await this.volunteers.all()).map(({ key: _, ...invite }) => invite)
    return { store: this.place, counts, dead, running, workers, invites }
  }
}

/** The page runs its own script and asks this server alone. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
].join('; ')

const sendJson = (response: ServerResponse, value: unknown): void =>
  send(response, 200, 'application/json', JSON.stringify(value))

function send(response: ServerResponse, status: number, type: string, content: string, pages = policy): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': pages,
  })
  response.end(content)
}

function refuse(response: ServerResponse, error: unknown): void {
  const isRequests = error instanceof DiagnosticError && error.diagnostics[0]?.code === 'farm.invite'
  const status = error instanceof Refusal ? error.status : isRequests ? 400 : 503
  const message = error instanceof DiagnosticError ? error.diagnostics[0]!.message : String((error as Error).message)
  if (response.headersSent) return
  if (status === 413) response.setHeader('connection', 'close')
  if (status === 429) response.setHeader('retry-after', '1')
  send(response, status, 'application/json', JSON.stringify({ error: message }))
}

// ── what requests hold ────────────────────────────────────────────────────────────────────────────────────────────

/** Characters of a text of a request, so that a client cannot fill the memory of the server. */
const longestText = 4096
/** Texts or jobs of a list of a request, for the same reason. */
const mostInList = 10_000

function text(body: Body, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '' && value.length <= longestText) return value
  throw new Refusal(400, `'${name}' is a text of at most ${longestText} characters`)
}

function texts(body: Body, name: string): readonly string[] {
  const value = body[name]
  const good = Array.isArray(value) && value.length > 0 && value.length <= mostInList
  if (good && value.every((v) => typeof v === 'string')) return value as readonly string[] // just looked at
  throw new Refusal(400, `'${name}' is a list of 1 to ${mostInList} texts`)
}

const waitOf = (body: Body): number => (typeof body['waitMs'] === 'number' ? body['waitMs'] : 0)

function jobsOf(body: Body): readonly QueuedJob[] {
  const { jobs } = body
  if (!Array.isArray(jobs) || jobs.length === 0 || jobs.length > mostInList)
    throw new Refusal(400, `'jobs' is a list of 1 to ${mostInList}`)
  return (jobs as readonly Body[]).map((job) => {
    if (typeof job !== 'object' || job === null) throw new Refusal(400, 'a job is an object')
    return {
      key: text(job, 'key'),
      kind: text(job, 'kind'),
      compiler: text(job, 'compiler'),
      body: job['body'] ?? null,
    }
  })
}

/** A name and a kind of device, as words. */
function namesOf(body: Body): { readonly name: string; readonly device: string } {
  const [name, device] = [text(body, 'name'), text(body, 'device').trim().toLowerCase()]
  if (!/^[\w .@-]{1,60}$/.test(name)) throw new Refusal(400, "'name' has 1 to 60 letters, digits, blanks and . @ -")
  if (device === '' || device.length > 100) throw new Refusal(400, "'device' is 1 to 100 characters")
  return { name, device }
}

/** A year. */
const mostHours = 24 * 366

function hoursOf(body: Body): number {
  const { hours } = body
  if (typeof hours === 'number' && hours > 0 && hours <= mostHours) return hours
  throw new Refusal(400, `'hours' is a number above 0, of at most ${mostHours}`)
}

/** What browsers measure is emitted by another worker before. */
function withWhatItNeeds(queued: QueuedJob): readonly QueuedJob[] {
  if (!queued.kind.startsWith('measure browser ')) return [queued]
  const job = queued.body as Job // made by a client with `readJob`; what emits it looks at it
  const emit = typeof job === 'object' && job !== null ? emitJobFor(job) : undefined
  if (!emit || jobKindOf(job) !== queued.kind) throw new Refusal(400, 'a job for browsers has the body of one')
  const first = queuedJob(emit, queued.compiler)
  return [first, { ...queued, needs: first.key }]
}
