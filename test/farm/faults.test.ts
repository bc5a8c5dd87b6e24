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

test('a suite survives the deaths of its server and of its workers', async () => {
  const [deaths, count] = isLong ? [100, 400] : [4, 24]
  const port = await freePort()
  writeFileSync(join(folder, 'token'), 'f'.repeat(32))
  const jobs = Array.from({ length: count }, (_, i) => ({
    kind: 'fuzz',
    program: { text },
    targets: ['wgsl'],
    seeds: { from: 2 * i, count: 2 },
  }))
  writeFileSync(join(folder, 'suite.json'), JSON.stringify({ schema: 'tesela.suite/1', jobs }))
  const serve = (): ChildProcess =>
    start(['serve', '--store', 's.db', '--port', `${port}`, '--lease', '2', '--attempts', '100'])
  const url = ['--url', `http://127.0.0.1:${port}`]
  const work = (): ChildProcess => start(['work', '--slots', '1', ...url])
  const processes = [serve(), work(), work()]
  const again = [serve, work, work]
  const suite = start(['run', 'suite.json', '-o', 'results', ...url])
  const over = ended(suite).then((code) => ({ code }))
  let killed = 0
  const stream = random(11)
  for (; killed < deaths; killed++) {
    if (await Promise.race([over, pause(stream.int(300, 1500))])) break
    const who = stream.int(0, 2)
    processes[who]!.kill('SIGKILL')
    await ended(processes[who]!)
    processes[who] = again[who]!()
  }
  expect((await over).code).toBe(0)
  expect(killed).toBeGreaterThan(0)
  for (const child of processes) child.kill('SIGKILL')
  const files = readdirSync(join(folder, 'results')).sort()
  const results = files.map((f) => JSON.parse(readFileSync(join(folder, 'results', f), 'utf8')) as JobResult)
  expect(results).toHaveLength(count)
  for (const { job, result } of results.slice(0, 6)) expect((await runJob(job, tools)).result).toEqual(result)
  await Promise.all(processes.map(ended))
  const store = await openStore(join(folder, 's.db'))
  const [row] = await store.database.all("SELECT COUNT(*) AS n FROM jobs WHERE state = 'done'")
  expect([Number(row!['n']), (await store.counts()).results]).toEqual([count, count])
  await store.close()
})
