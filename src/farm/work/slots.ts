// Processes that run jobs. In: the command line that starts one. Out: results, one job at a time each. The one idea:
// a job that ends its process (out of memory, killed) is a failed attempt of that job; the next one has a new process.
import { spawn, type ChildProcess } from 'node:child_process'

/** `final`: another attempt would fail as well. */
export interface JobFailure {
  readonly why: string
  readonly final: boolean
}
export type SlotResult = { readonly result: unknown } | JobFailure

export class Slot {
  private readonly command: readonly string[]
  private child: ChildProcess | null = null

  /** `command`: what starts a process that reads jobs and answers over its channel (`serveSlot`). */
  constructor(command: readonly string[]) {
    this.command = command
  }

  /** Of its process, while there is one. */
  get pid(): number | undefined {
    return this.child?.pid
  }

  /** Runs a job in the process of this slot. */
  run(body: unknown): Promise<SlotResult> {
    const child = (this.child ??= this.start())
    return new Promise((done) => {
      const answered = (message: unknown): void => end(message as SlotResult) // as `serveSlot` sends it
      const ended = (code: number | null, signal: string | null): void => {
        this.child = null
        end({ why: `its process ended (${signal ?? `exit code ${code}`})`, final: false })
      }
      const end = (result: SlotResult): void => {
        child.off('message', answered)
        child.off('exit', ended)
        done(result)
      }
      child.on('message', answered)
      child.on('exit', ended)
      child.send(body as object, (error) => {
        if (error) ended(null, error.message)
      })
    })
  }

  private start(): ChildProcess {
    const [program = '', ...args] = this.command
    return spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'json' })
  }

  close(): void {
    this.child?.kill()
    this.child = null
  }
}

/** The other side: answers jobs that come over the channel of this process, until it is cut. */
export function serveSlot(run: (body: unknown) => Promise<SlotResult>): Promise<void> {
  return new Promise((done) => {
    process.on('message', (body: unknown) => {
      void run(body).then((result) => process.send?.(result))
    })
    process.on('disconnect', () => done())
  })
}
