// The compiler's thread: a worker in a page, a worker thread in Node. In: requests. Out: their answers. The one idea:
// one thread for all, made at the first request and ended when it has had nothing to do for a while, so that neither
// the caller's thread nor a program that wants to end waits for it.
import { refuse } from '../error.ts'
import type { CompileAnswer, CompileRequest, FromThread, ToThread } from './protocol.ts'

/** What both kinds of workers can do: `addEventListener` is the page's, `on` Node's. */
export interface CompileWorker {
  postMessage(message: unknown): void
  terminate(): unknown
  addEventListener?(
    type: string,
    listener: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ): void
  on?(type: string, listener: (value: unknown) => void): unknown
  ref?(): void
  unref?(): void
}

/** Makes a worker that runs `tesela/compile-worker`. */
export type WorkerMaker = () => CompileWorker | Promise<CompileWorker>

/** Milliseconds without work after which the thread ends. */
const idleMs = 30_000

const lost = 'its worker cannot be loaded; in a bundled page give { worker: compiler }, which tesela/compile has'

/** A thread at work. */
interface Thread {
  readonly worker: CompileWorker
  readonly waiting: Map<number, (answer: CompileAnswer) => void>
  idle: ReturnType<typeof setTimeout> | undefined
}

let thread: Promise<Thread> | null = null
let asked = 0

/** The answer; `start` makes the worker where the package's own cannot be found. */
export async function ask(
  request: CompileRequest,
  start: WorkerMaker | undefined,
  signal: AbortSignal | undefined,
): Promise<CompileAnswer> {
  signal?.throwIfAborted()
  thread ??= begin(start)
  const own = thread,
    used = await own.catch((e: unknown) => {
      if (thread === own) thread = null
      throw e
    })
  return new Promise((resolve, reject) => {
    const id = asked++
    const stop = (): void => {
      used.waiting.delete(id)
      if (used.waiting.size === 0) end(used)
      reject(signal?.reason as Error) // what the caller gave, or an AbortError
    }
    signal?.addEventListener('abort', stop, { once: true })
    clearTimeout(used.idle)
    used.worker.ref?.()
    used.waiting.set(id, (answer) => {
      signal?.removeEventListener('abort', stop)
      used.waiting.delete(id)
      if (used.waiting.size === 0) rest(used)
      resolve(answer)
    })
    used.worker.postMessage({ id, request } satisfies ToThread)
  })
}

async function begin(start: WorkerMaker | undefined): Promise<Thread> {
  const worker = (await start?.()) ?? (await ownWorker())
  const made: Thread = { worker, waiting: new Map(), idle: undefined }
  const hear = (message: unknown): void => {
    const { id, answer } = message as FromThread // the worker sends nothing else
    made.waiting.get(id)?.(answer)
  }
  const fail = (why: string): void => {
    const all = [...made.waiting.values()]
    end(made)
    for (const tell of all) tell({ kind: 'failed', message: why })
  }
  if (worker.addEventListener) {
    worker.addEventListener('message', (e) => hear(e.data))
    worker.addEventListener('error', (e) => fail(e.message || lost))
  } else {
    worker.on?.('message', hear)
    worker.on?.('error', (e) => fail(e instanceof Error ? e.message : String(e)))
    worker.on?.('exit', () => fail('its thread ended'))
  }
  return made
}

/**
 * The package's worker, where the package's files are where it put them. Bundlers are not asked to find it: every page
 * of theirs would have the compiler beside it, used or not (`tesela/compile` is for them).
 */
async function ownWorker(): Promise<CompileWorker> {
  const here = import.meta.url,
    file = new URL('../compile-worker.js', here)
  if (typeof Worker !== 'undefined') return new Worker(file, { type: 'module', name: 'tesela compiler' })
  if (!(globalThis as { readonly process?: { readonly versions?: unknown } }).process?.versions)
    return refuse('compile.worker', 'there are no workers here', 'give one that runs tesela/compile-worker: { worker }')
  const name = 'node:worker_threads' // bundlers for browsers leave it alone
  const threads = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as typeof import('worker_threads')
  return new threads.Worker(file)
}

/** Ends the thread when nobody asks for a while; until then it keeps no program alive. */
function rest(t: Thread): void {
  t.worker.unref?.()
  t.idle = setTimeout(() => end(t), idleMs)
  const timer = t.idle as { unref?(): void } // a number in a page
  timer.unref?.()
}

function end(t: Thread): void {
  clearTimeout(t.idle)
  t.waiting.clear()
  thread = null
  t.worker.terminate()
}
