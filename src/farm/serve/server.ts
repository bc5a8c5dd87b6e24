// The farm's server. In: a queue in a store, requests over HTTP. Out: jobs for workers, results for clients, a page and
// metrics. The one idea: it keeps nothing that matters in memory, so that it may be killed at any moment and started
// again; who waits is told when something changes.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DiagnosticError } from '../../base/index.ts'
import { Queue, type QueuedJob, type QueueOptions, type Store } from '../../store/index.ts'
import { Guard, Refusal, usualLimits, type Limits } from './guard.ts'
import { metricsText, pageText, type FarmState } from './views.ts'

export interface ServeOptions {
  readonly token: string
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly queue?: Partial<QueueOptions>
  readonly limits?: Partial<Limits>
}

const usualQueue: QueueOptions = { leaseMs: 30_000, attempts: 5, backOffMs: 500 }
/** Who waits for a job or for a result is answered after so long, whatever happens. */
const longestWaitMs = 20_000
/** A worker that did not ask for so long is not shown. */
const shownMs = 120_000

export interface Farm {
  readonly url: string
  close(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** Serves the queue of a store until it is closed. */
export async function serveFarm(store: Store, options: ServeOptions): Promise<Farm> {
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
  private readonly guard: Guard
  private readonly seen = new Map<string, number>()
  private readonly place: string
  private readonly leaseMs: number

  constructor(store: Store, { token, queue, limits }: ServeOptions) {
    const options = { ...usualQueue, ...queue }
    this.queue = new Queue(store, options)
    this.guard = new Guard(token, { ...usualLimits, ...limits })
    this.place = store.database.place
    this.leaseMs = options.leaseMs
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [path = ''] = (request.url ?? '').split('?')
      if (request.method === 'GET' && path === '/') return send(response, 200, 'text/html', pageText())
      this.guard.check(request, Date.now())
      if (request.method === 'GET') return await this.show(path, response)
      const work = this.posts[path]
      if (request.method !== 'POST' || !work) throw new Refusal(404, `there is no ${request.method} ${path}`)
      send(response, 200, 'application/json', JSON.stringify(await work(await this.guard.body(request))))
    } catch (error) {
      refuse(response, error)
    }
  }

  private async show(path: string, response: ServerResponse): Promise<void> {
    if (path === '/metrics') return send(response, 200, 'text/plain; version=0.0.4', metricsText(await this.state()))
    if (path === '/v1/state') return send(response, 200, 'application/json', JSON.stringify(await this.state()))
    throw new Refusal(404, `there is no GET ${path}`)
  }

  private readonly posts: Readonly<Record<string, (body: Body) => Promise<unknown>>> = {
    '/v1/jobs': async (body) => {
      const jobs = jobsOf(body)
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
    '/v1/outcomes': async (body) => {
      const keys = texts(body, 'keys')
      const ended = await this.until(waitOf(body), async () => {
        const found = await this.queue.outcomes(keys)
        return found.some((o) => o.state === 'done' || o.state === 'dead') ? found : null
      })
      return { outcomes: ended ?? (await this.queue.outcomes(keys)) }
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
    return { store: this.place, counts, dead, running, workers }
  }
}

/** The page runs its own script and asks this server alone. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
].join('; ')

function send(response: ServerResponse, status: number, type: string, content: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy,
  })
  response.end(content)
}

function refuse(response: ServerResponse, error: unknown): void {
  const status = error instanceof Refusal ? error.status : 503
  const message = error instanceof DiagnosticError ? error.diagnostics[0]!.message : String((error as Error).message)
  if (response.headersSent) return
  if (status === 413) response.setHeader('connection', 'close')
  if (status === 429) response.setHeader('retry-after', '1')
  send(response, status, 'application/json', JSON.stringify({ error: message }))
}

// ── what requests hold ────────────────────────────────────────────────────────────────────────────────────────────

const longestText = 4096
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
