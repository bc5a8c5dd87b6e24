// A farm of processes whose server and workers are killed at random moments (SIGKILL): a suite comes out as it is
// without faults, and each of its jobs has one result.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { runJob, type JobResult } from '../../src/farm/index.ts'
import { openStore } from '../../src/store/index.ts'
import { root } from '../cli/run.ts'
import { isLong } from '../support/long.ts'
import { tools } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'tesela-faults-'))
const text = 'void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'

const start = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(root, 'dist/cli.js'), 'farm', ...args, '--token-file', join(folder, 'token')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode)
    else child.once('exit', (code) => done(code))
  })
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A port that nobody has at the moment. */
const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number } // of TCP
      server.close(() => done(port))
    })
  })

const url = async (): Promise<readonly string[]> => ['--url', `http://127.0.0.1:${await freePort()}`]

/** The results in a folder, in the order of their jobs. */
const resultsIn = (name: string): readonly JobResult[] =>
  readdirSync(join(folder, name))
    .sort()
    .map((f) => JSON.parse(readFileSync(join(folder, name, f), 'utf8')) as JobResult)

test('suites survive the deaths of their server and of their workers', async () => {
  const deaths = isLong ? 20 : 4
  const perSuite = 24
  writeFileSync(join(folder, 'token'), 'f'.repeat(32))
  const at = await url()
  const port = new URL(at[1]!).port
  const serve = (): ChildProcess =>
    start(['serve', '--store', 's.db', '--port', port, '--lease', '2', '--attempts', '100'])
  const work = (): ChildProcess => start(['work', '--slots', '1', ...at])
  const processes = [serve(), work(), work()]
  const again = [serve, work, work]
  const stream = random(11)
  let killed = 0,
    suites = 0
  for (; killed < deaths; suites++) {
    const jobs = Array.from({ length: perSuite }, (_, i) => ({
      kind: 'fuzz',
      program: { text },
      targets: ['wgsl'],
      seeds: { from: 2 * (suites * perSuite + i), count: 2 },
    }))
    writeFileSync(join(folder, 'suite.json'), JSON.stringify({ schema: 'tesela.suite/1', jobs }))
    const suite = start(['run', 'suite.json', '-o', `results${suites}`, ...at])
    const over = ended(suite).then((code) => ({ code }))
    while (killed < deaths && !(await Promise.race([over, pause(stream.int(300, 1500))]))) {
      const who = stream.int(0, 2)
      processes[who]!.kill('SIGKILL')
      await ended(processes[who]!)
      processes[who] = again[who]!()
      killed++
    }
    expect((await over).code).toBe(0)
    const results = resultsIn(`results${suites}`)
    expect(results).toHaveLength(perSuite)
    for (const { job, result } of results.slice(0, 6)) expect((await runJob(job, tools)).result).toEqual(result)
  }
  for (const child of processes) child.kill('SIGKILL')
  await Promise.all(processes.map(ended))
  const store = await openStore(join(folder, 's.db'))
  const [row] = await store.database.all("SELECT COUNT(*) AS n FROM jobs WHERE state = 'done'")
  const all = suites * perSuite
  expect([Number(row!['n']), (await store.counts()).results]).toEqual([all, all])
  await store.close()
})
