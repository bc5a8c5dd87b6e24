// The compiler, seen from the page. In: requests. Out: answers, or a sentence that says why there is none. The one
// idea: of requests of one kind only the newest matters; one that outlives its limit ends the thread, and a fresh one
// takes its place, so that no text can hang the page.
import { proxy, wrap, type Remote } from 'comlink'
import type { OptimizePage } from 'tesela/html'
import {
  plainPart,
  type Answer,
  type Compiler,
  type Explained,
  type Heard,
  type HeardRung,
  type Mended,
  type Part,
  type Problem,
  type Program,
  type Progress,
  type Reading,
} from '../worker/protocol.ts'

interface Thread {
  readonly worker: Worker
  readonly compiler: Remote<Compiler>
}

function started(): Thread {
  const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'compiler' })
  return { worker, compiler: wrap<Compiler>(worker) }
}

/** Milliseconds that one answer may take. */
export const limits = {
  explain: 10_000,
  mend: 60_000,
  optimize: 300_000,
  measure: 60_000,
  experiment: 60_000,
} as const
/** A request that is no longer wanted gets this long to end by itself: a new thread costs about as much. */
const grace = 1500

const problem = (message: string, hint: string): Problem => ({
  message,
  hint,
  line: null,
  column: null,
  flags: null,
})
const seconds = (ms: number): string => `${ms / 1000} s`

/** Said when a limit is reached. */
export const overTime = (ms: number): Problem =>
  problem(
    `No answer within ${seconds(ms)}: this was stopped, and nothing of it goes on.`,
    'Make the launch or the sizes smaller; the counts of a block stay the same.',
  )
/** Given instead of an answer that nobody waits for. */
export const stopped: Problem = problem('Stopped.', '')

/** A thread that answers one request at a time. */
export class Session {
  private thread: Thread | undefined
  private running: { readonly end: (problem: Problem) => void } | undefined
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Loads the compiler before it is needed. */
  warm(): void {
    this.thread ??= started()
  }

  /** Ends what is running, with the thread. */
  stop(why: Problem = stopped): void {
    this.running?.end(why)
  }

  /** What is running is not wanted any more, and ends by itself where it can. */
  overtake(): void {
    if (this.running) void this.thread?.compiler.overtake()
  }

  /** Ends the thread. */
  close(): void {
    this.thread?.worker.terminate()
    this.thread = undefined
  }

  /** Whether an answer is waited for. */
  get busy(): boolean {
    return this.running !== undefined
  }

  async ask<T>(work: (compiler: Remote<Compiler>) => Promise<Answer<T>>): Promise<Answer<T>> {
    this.stop()
    this.thread ??= started()
    const { compiler, worker } = this.thread
    return new Promise((resolve) => {
      const own = {
        end: (why: Problem): void => {
          worker.terminate()
          this.thread = undefined
          finish({ ok: false, problems: [why] })
        },
      }
      const finish = (answer: Answer<T>): void => {
        clearTimeout(timer)
        worker.onerror = null
        if (this.running === own) this.running = undefined
        resolve(answer)
      }
      const timer = setTimeout(() => own.end(overTime(this.limit)), this.limit)
      worker.onerror = () => own.end(problem('The compiler ended: it ran out of memory.', 'Make the launch smaller.'))
      this.running = own
      work(compiler).then(finish, (e: unknown) =>
        finish({ ok: false, problems: [problem(e instanceof Error ? e.message : String(e), '')] }),
      )
    })
  }
}

/** Explains programs, the newest only: one that is overtaken gets `grace` to end. */
export class Explainer {
  private readonly session = new Session(limits.explain)
  private running: Promise<unknown> | undefined
  private newestRequest = 0

  warm(): void {
    this.session.warm()
  }

  /** Null when a newer request has come. */
  explain(program: Program, gpu: string, of: Part, heard: (h: Heard) => void): Promise<Answer<Explained> | null> {
    return this.newest((c, mine) =>
      c.explain(
        program,
        gpu,
        of,
        proxy((h) => mine() && heard(h)),
      ),
    )
  }

  private async newest(
    work: (c: Remote<Compiler>, isNewest: () => boolean) => Promise<Answer<Explained>>,
  ): Promise<Answer<Explained> | null> {
    const mine = ++this.newestRequest
    await this.overtaken()
    if (mine !== this.newestRequest) return null
    const answer = this.session.ask((c) => work(c, () => mine === this.newestRequest))
    this.running = answer
    const given = await answer
    if (this.running === answer) this.running = undefined
    return mine === this.newestRequest ? given : null
  }

  /** Resolves when nothing runs any more, after `grace` at the latest. */
  private async overtaken(): Promise<void> {
    const { running } = this
    if (!running) return
    this.session.overtake()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace)
    })
    await Promise.race([running, late])
    clearTimeout(timer)
    if (this.running === running) this.session.stop()
  }
}

/** Optimizes one program at a time. */
export class Optimizer {
  private readonly session = new Session(limits.optimize)

  stop(): void {
    this.session.stop()
  }

  optimize(
    program: Program,
    gpu: string,
    device: boolean,
    rung: (r: HeardRung) => void,
    progress: (p: Progress) => void,
  ): Promise<Answer<OptimizePage>> {
    return this.session.ask((c) => c.optimize(program, gpu, device, proxy(rung), proxy(progress)))
  }

  /** The report of what was optimized last. */
  file(): Promise<Answer<string>> {
    return this.session.ask((c) => c.optimizeFile())
  }
}

/** Asks once, in a thread of its own. */
export async function once<T>(limit: number, work: (c: Remote<Compiler>) => Promise<Answer<T>>): Promise<Answer<T>> {
  const session = new Session(limit)
  const answer = await session.ask(work)
  session.close()
  return answer
}

export const explainOnce = (program: Program, gpu: string): Promise<Answer<Explained>> =>
  once(limits.explain, (c) =>
    c.explain(
      program,
      gpu,
      plainPart,
      proxy(() => {}),
    ),
  )
/** Several parts of one program, one after the other in one thread, up to the first that has no answer. */
export async function explainParts(
  program: Program,
  gpu: string,
  parts: readonly Part[],
): Promise<readonly Answer<Explained>[]> {
  const session = new Session(limits.explain),
    answers: Answer<Explained>[] = []
  for (const part of parts) {
    const answer = await session.ask((c) =>
      c.explain(
        program,
        gpu,
        part,
        proxy(() => {}),
      ),
    )
    answers.push(answer)
    if (!answer.ok) break
  }
  session.close()
  return answers
}

export const explainFile = (program: Program, gpu: string, of: Part): Promise<Answer<string>> =>
  once(limits.explain, (c) => c.explainFile(program, gpu, of))
export const mendOnce = (program: Program, gpu: string): Promise<Answer<Mended>> =>
  once(limits.mend, (c) => c.mend(program, gpu))
export const measureHere = (program: Program, gpu: string): Promise<Answer<Reading>> =>
  once(limits.measure, (c) => c.measure(program, gpu))
