// In: arguments and a folder. Out: what the built command line says to them there, as a process of its own would. The
// one idea: loading and compiling it takes most of the time of a short run, so that one process runs them all, one
// after the other (`child.mjs`); a test waits for it as for a process (`thread.mjs` hears it meanwhile).
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Milliseconds after which a run has failed. */
export const longestRun = 100_000

class Served {
  /** Whether an answer has come; the number of the process. */
  private readonly state = new Int32Array(new SharedArrayBuffer(8))
  private readonly port: MessagePort

  constructor(cli: string, env: NodeJS.ProcessEnv) {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const workerData = { port: port2, state: this.state, child: join(import.meta.dirname, 'child.mjs'), cli, env }
    new Worker(join(import.meta.dirname, 'thread.mjs'), { workerData, transferList: [port2], execArgv: [] }).unref()
    port1.unref()
  }

  /** Undefined when it takes too long: then it is ended, and others do not run here. */
  run(args: readonly string[], cwd: string): Run | undefined {
    Atomics.store(this.state, 0, 0)
    this.port.postMessage({ args, cwd })
    if (Atomics.wait(this.state, 0, 0, longestRun) === 'timed-out') {
      process.kill(this.state[1]!, 'SIGKILL') // it has started
      return undefined
    }
    return receiveMessageOnPort(this.port)!.message as Run // it was told of
  }
}

const processes = new Map<string, Served>()

/** Runs `cli args…` in `cwd`, piped, in a process that all runs share. */
export function runServed(cli: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Run {
  const served = processes.get(cli) ?? new Served(cli, env)
  processes.set(cli, served)
  const run = served.run(args, cwd)
  if (!run || run.code === null) processes.delete(cli)
  return run ?? { code: null, out: '', err: '' }
}
