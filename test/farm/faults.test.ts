// A farm of processes whose server (with the store in it), workers and clients are killed at random moments (SIGKILL)
// while two clients ask for overlapping suites: these come out as they are without faults, and each of their jobs has
// one result. The same with a store on PostgreSQL where one is installed, which is killed, too, and the processes that
// serve its sessions.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { runJob, type JobResult } from '../../src/farm/index.ts'
import { openStore } from '../../src/store/index.ts'
import { root } from '../cli/run.ts'
import { isLong } from '../support/long.ts'
import { postgresHere } from './postgres.ts'
import { tools } from './support.ts'

const text = 'void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'

/** What each process wrote to standard error. */
const said = new Map<ChildProcess, string>()
function startIn(folder: string, args: readonly string[]): ChildProcess {
  const cli = [join(root, 'dist/cli.js'), 'farm', ...args, '--token-file', join(folder, 'token')]
  const child = spawn(process.execPath, cli, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.on('data', (text) => said.set(child, `${said.get(child) ?? ''}${text}`))
  return child
}
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
const resultsIn = (folder: string, name: string): readonly JobResult[] =>
  readdirSync(join(folder, name))
    .sort()
    .map((f) => JSON.parse(readFileSync(join(folder, name, f), 'utf8')) as JobResult)

const postgres = await postgresHere()
afterAll(() => postgres?.stop())
if (!postgres) console.warn('no PostgreSQL server is installed: deaths of a store of its own are not tested')

const stores = ['a file', ...(postgres ? ['PostgreSQL'] : [])]
test.each(stores)('suites survive the deaths of their server, of their workers and of clients: %s', async (kind) => {
  const deaths = isLong ? 100 : 5
  const perSuite = 24
  const shared = 12
  const folder = mkdtempSync(join(tmpdir(), 'tesela-faults-'))
  const place = kind === 'PostgreSQL' ? await postgres!.fresh() : join(folder, 's.db') // it is there then
  const start = (args: readonly string[]): ChildProcess => startIn(folder, args)
  writeFileSync(join(folder, 'token'), 'f'.repeat(32))
  const at = await url()
  const port = new URL(at[1]!).port
  const serve = (): ChildProcess =>
    start(['serve', '--store', place, '--port', port, '--lease', '2', '--attempts', '100'])
  const work = (): ChildProcess => start(['work', '--slots', '1', ...at])
  const processes = [serve(), work(), work()]
  const again = [serve, work, work]
  const stream = random(11)
  const killed = { server: 0, worker: 0, client: 0, store: 0 }
  const all = (): number => killed.server + killed.worker + killed.client + killed.store
  const seeds = new Set<number>()
  /** A client that is started again whenever it is killed; ends with its exit code. */
  const client = (name: string, from: number) => {
    const numbers = Array.from({ length: perSuite }, (_, i) => 2 * (from + i))
    for (const seed of numbers) seeds.add(seed)
    const jobs = numbers.map((seed) => ({
      kind: 'fuzz',
      program: { text },
      targets: ['wgsl'],
      seeds: { from: seed, count: 2 },
    }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ schema: 'tesela.suite/1', jobs }))
    const run = (): ChildProcess => start(['run', `${name}.json`, '-o', `results-${name}`, ...at])
    return { name, run, child: run() }
  }
  for (let suite = 0; all() < deaths; suite++) {
    const clients = ['a', 'b'].map((c, i) => client(`${suite}${c}`, suite * 2 * perSuite + i * (perSuite - shared)))
    const isOver = async (): Promise<boolean> => {
      const codes = clients.map(({ child }) => child.exitCode)
      return codes.every((code) => code !== null)
    }
    while (all() < deaths && !(await isOver())) {
      await pause(stream.int(200, 1000))
      // nobody has ended but by our hand, and a server that was begun while there was no store
      const [server] = processes
      if (server!.exitCode === 2 && said.get(server!)?.includes('[store.open]')) processes[0] = serve()
      const gone = processes.filter((p) => p.exitCode !== null || p.signalCode !== null).map((p) => said.get(p))
      expect(gone).toEqual([])
      const who = stream.int(0, kind === 'PostgreSQL' ? 6 : 4)
      if (who > 4) {
        await postgres!.kill(who === 5 ? 'server' : 'session') // it is there then
        killed.store++
      } else if (who < processes.length) {
        processes[who]!.kill('SIGKILL')
        await ended(processes[who]!)
        processes[who] = again[who]!()
        killed[who === 0 ? 'server' : 'worker']++
      } else {
        const own = clients[who - processes.length]!
        if (own.child.exitCode !== null) continue
        own.child.kill('SIGKILL')
        await ended(own.child)
        own.child = own.run()
        killed.client++
      }
    }
    for (const { child } of clients) expect(await ended(child)).toBe(0)
    const [a, b] = clients.map(({ name }) => resultsIn(folder, `results-${name}`))
    for (const results of [a!, b!]) expect(results).toHaveLength(perSuite)
    expect(a!.slice(perSuite - shared)).toEqual(b!.slice(0, shared)) // jobs of both
    for (const { job, result } of a!.slice(0, 6)) expect((await runJob(job, tools)).result).toEqual(result)
  }
  console.log(`${kind}: killed ${JSON.stringify(killed)}; jobs: ${seeds.size}`)
  for (const child of processes) child.kill('SIGKILL')
  await Promise.all(processes.map(ended))
  const store = await openStore(place)
  const [row] = await store.database.all("SELECT COUNT(*) AS n FROM jobs WHERE state = 'done'")
  expect([Number(row!['n']), (await store.counts()).results]).toEqual([seeds.size, seeds.size])
  await store.close()
})
