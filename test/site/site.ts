// The built site for tests: made once when what it is made of has changed, served from memory of the disk by Node, and
// opened in a Chromium.
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export const root = resolve(import.meta.dirname, '../..')
export const dist = join(root, 'site/dist')

const sources = [
  'src',
  'site/build',
  'site/source',
  'site/public',
  'site/index.html',
  'site/vite.config.ts',
  'examples',
  'docs',
]

function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(
    0,
    ...readdirSync(path)
      .filter((n) => n !== 'made')
      .map((n) => newest(join(path, n))),
  )
}

/** Builds the site unless it is newer than all that it is made of. */
export function buildSite(): void {
  const built = join(dist, 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map((s) => newest(join(root, s))))) return
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'site', '--logLevel', 'error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
}

export interface Served {
  /** Where the site is: not at the root of its origin, as hosts of projects do. */
  readonly address: string
  /** Paths that were asked for. */
  readonly asked: string[]
  close(): void
}

const under = '/some/place/'

const packed = new Map<string, Buffer>()
/** A file as hosts send it. */
function compressed(file: string): Buffer {
  const key = `${file} ${statSync(file).mtimeMs}`
  const known = packed.get(key) ?? gzipSync(readFileSync(file))
  packed.set(key, known)
  return known
}

export async function serveSite(): Promise<Served> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)
    asked.push(path)
    const inside = normalize(path.slice(under.length) || 'index.html')
    const file = join(dist, inside)
    if (!path.startsWith(under) || inside.startsWith('..') || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
    })
    response.end(compressed(file))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    address: `http://127.0.0.1:${port}${under}`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export interface Opened {
  readonly page: Page
  /** Errors and messages that the page logged. */
  readonly problems: string[]
}

/** A context whose pages do not keep the site for later, as in private windows: each would fetch all of it. */
export async function contextThatKeepsNothing(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
  })
  return context
}

const usual = { viewport: { width: 1280, height: 800 } } as const

/** Opens a page as it is opened for the first time. */
export async function openSite(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  return openIn(await browser.newContext({ ...usual, ...options }), address)
}

/** Opens a page that keeps nothing for later. */
export async function openOnce(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  return openIn(await contextThatKeepsNothing(browser, { ...usual, ...options }), address)
}

async function openIn(context: BrowserContext, address: string): Promise<Opened> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (e) => problems.push(e.message))
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') problems.push(m.text())
  })
  await page.goto(address)
  return { page, problems }
}

/** Waits until a program was explained or refused. */
export async function settled(page: Page): Promise<string> {
  await page.locator('.right[aria-busy=false]').waitFor({ timeout: 60_000 })
  return (await page.locator('.status').textContent()) ?? ''
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Processor time of the longest task on the main thread of the page, milliseconds. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threads = trace.traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain')
  const tasks = trace.traceEvents.filter(
    (e) => /RunTask$/.test(e.name) && threads.some((t) => t.pid === e.pid && t.tid === e.tid),
  )
  if (tasks.length < 100) throw new Error(`a trace of ${tasks.length} tasks is none`)
  return Math.max(...tasks.map((e) => (e.tdur ?? 0) / 1000))
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10

/** Milliseconds that the threads of the compilers have run, and that they were ready and waited for a core. */
export interface Used {
  readonly cpu: number
  readonly waited: number
}

/** What Linux counts of threads named `DedicatedWorker` in the processes that draw pages. */
export async function compilers(browser: Browser): Promise<Used> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  let cpu = 0,
    waited = 0
  for (const { id } of processInfo.filter((p) => p.type === 'renderer'))
    for (const task of readdirSync(`/proc/${id}/task`)) {
      const folder = `/proc/${id}/task/${task}`
      if (!readFileSync(`${folder}/comm`, 'utf8').startsWith('DedicatedWorker')) continue
      const [ran = 0, ready = 0] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number)
      cpu += ran / 1e6
      waited += ready / 1e6
    }
  return { cpu, waited }
}

export const since = (a: Used, b: Used): Used => ({ cpu: tenths(b.cpu - a.cpu), waited: tenths(b.waited - a.waited) })
