// Between a test, which waits, and the process that runs command lines for it: a thread that can hear both.
import { fork } from 'node:child_process'
import { workerData } from 'node:worker_threads'

const { port, state, child, cli, env } = workerData
const served = fork(child, [cli], {
  env,
  execArgv: ['--max-semi-space-size=64'],
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
Atomics.store(state, 1, served.pid ?? 0)

function answer(run) {
  port.postMessage(run)
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
}
served.on('message', answer)
served.on('exit', (code) => answer({ code, out: '', err: 'the process that runs command lines has ended' }))
port.on('message', (asked) => served.send(asked))
