// What a farm costs. In: a budget for each search, how many programs, a folder, the command line (`dist/cli.js`), and
// the folder of PolyBench/C where there is one. Out: figures as JSON: a suite of `optimize` jobs done by one worker and
// by several, whether their answers are the same, processor seconds of each; and, from the times of the jobs, a
// discrete-event simulation of up to 1,000 workers. Only the first part is measured. `WORKERS=1,2,12` says how many
// workers each pass over the suite has: on a machine with as many processors as all of them together, they work at the
// same time, each on the whole suite; on another, chunks of the suite alternate between them, since processors are
// shared.
//   npx tsx bench/farm/workers.ts 2 100 FOLDER dist/cli.js [POLYBENCH] > bench/data/farm.json
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import {
  FarmClient,
  jobKey,
  kindsOfProcessor,
  readJob,
  serveFarm,
  Slot,
  workOn,
  type Job,
  type SlotResult,
  withIncludes,
} from '../../src/farm/index.ts'
import { contentKey, openStore } from '../../src/store/index.ts'
import { includesOf } from '../../src/cli/files.ts'
import { files, tools } from '../../test/farm/support.ts'
import { countFrom } from '../arguments.ts'
import { headerSizes, macrosOf, sourcesIn } from '../polybench/sources.ts'

const budget = Number(process.argv[2] ?? 2)
const most = Number(process.argv[3] ?? 100)
const folder = process.argv[4] ?? 'out/farm'
const cli = process.argv[5] ?? 'dist/cli.js'
const token = 'b'.repeat(32)
const atOnce = 10
/** After so many seconds no further chunk is begun: the suite is then what has been done. */
const mostSeconds = Number(process.env['SECONDS_AT_MOST'] ?? 3600)
const ticksPerSecond = 100 // of Linux' /proc
mkdirSync(folder, { recursive: true })

/** Workers of each pass over the suite. */
const counts = (process.env['WORKERS'] ?? '1,2').split(',').map((text) => countFrom(text, 1, 'a number of workers'))
const isTogether = counts.reduce((a, b) => a + b, 0) <= cpus().length

/** What a job says of a program. */
interface Suited {
  readonly name: string
  readonly program: object
}

const inFolder = (at: string): readonly Suited[] =>
  readdirSync(at)
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => ({ name: join(at, name), program: { file: join(at, name) } }))

/** PolyBench's programs at its large sizes, in single precision, with what they include. */
async function polybenchIn(folder: string): Promise<readonly Suited[]> {
  return Promise.all(
    sourcesIn(folder).map(async (source) => {
      const defines = { ...macrosOf(source, 'LARGE', 'float'), ...definesOf(headerSizes(source, 'LARGE')) }
      const given = { name: `${source.name}.c`, text: readFileSync(source.path, 'utf8'), defines }
      const program = await withIncludes(given, includesOf(source.path, source.folders), tools.wasm)
      return { name: `polybench/${source.name}.c`, program }
    }),
  )
}

const definesOf = (sizes: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, String(value)]))

/** Those of each folder spread over the whole list. */
const programs = [
  inFolder('bench/everyday'),
  inFolder('examples'),
  process.argv[6] === undefined ? [] : await polybenchIn(process.argv[6]),
]
  .flatMap((list) => list.map((of, i) => ({ of, place: (i + 0.5) / list.length })))
  .sort((a, b) => a.place - b.place)
  .map(({ of }) => of)
  .slice(0, most)

/** Processor seconds of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ') // after the name
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** An `optimize` job, or what wakes a worker that waits. */
interface JobBody {
  readonly end?: true
  readonly program: { readonly text: string }
}

interface Ran {
  readonly cpuSeconds: number
  readonly seconds: number
  readonly outcome: SlotResult
}

class Workers {
  readonly slots: readonly Slot[]
  readonly ran = new Map<string, Ran>()
  seconds = 0

  constructor(count: number) {
    this.slots = Array.from({ length: count }, () => new Slot([process.execPath, cli, 'farm', 'slot']))
  }

  /** Does the jobs on a farm of their own; those that are not begun when time is over are left out. */
  async run(jobs: ReadonlyMap<string, Job>): Promise<void> {
    const place = join(folder, `farm${this.slots.length}.db`)
    for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true })
    const store = await openStore(place)
    const farm = await serveFarm(store, { token, host: '127.0.0.1', port: 0, queue: { leaseMs: 120_000 } })
    const client = new FarmClient({ url: farm.url, token })
    const start = performance.now()
    let isDone = false
    const loops = this.slots.map((slot, i) =>
      workOn({
        client,
        name: `w${i}`,
        compiler: 'bench',
        kinds: kindsOfProcessor,
        run: (body) => this.timed(slot, body as JobBody),
        isOver: () => isDone,
      }),
    )
    const queued = [...jobs].map(([key, body]) => ({ key, kind: body.kind, compiler: 'bench', body }))
    await client.run(queued)
    isDone = true // a job that failed is tried again: only the client knows when all are done
    this.seconds += (performance.now() - start) / 1000
    // wakes those that wait for a job
    await client.add(loops.map((_, i) => ({ key: `end ${i}`, kind: 'fuzz', compiler: 'bench', body: { end: true } })))
    await Promise.all(loops)
    await farm.close()
    await store.close()
  }

  private async timed(slot: Slot, body: JobBody): Promise<SlotResult> {
    if (body.end || isLate()) return { result: null }
    const before = slot.pid === undefined ? 0 : cpuOf(slot.pid)
    const start = performance.now()
    const outcome = await slot.run(body)
    const seconds = (performance.now() - start) / 1000
    const cpuSeconds = (slot.pid === undefined ? 0 : cpuOf(slot.pid)) - before
    const name = nameOf.get(body.program.text)! // every job has a program of the suite
    this.ran.set(name, { cpuSeconds, seconds, outcome })
    return outcome
  }

  /** Of these programs. */
  cpuSeconds(of: readonly string[]): number {
    return of.reduce((sum, name) => sum + this.ran.get(name)!.cpuSeconds, 0)
  }
}

/** Seconds of this process for a job that takes no time: the server's and the client's share. */
async function serverSeconds(): Promise<number> {
  const jobs = 1000
  const place = join(folder, 'empty.db')
  for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true })
  const store = await openStore(place)
  const farm = await serveFarm(store, { token, host: '127.0.0.1', port: 0 })
  const client = new FarmClient({ url: farm.url, token })
  await client.add(Array.from({ length: jobs }, (_, i) => ({ key: `${i}`, kind: 'fuzz', compiler: 'b', body: i })))
  const before = process.cpuUsage()
  for (let i = 0; i < jobs; i++) {
    const { job } = await client.lease({ worker: 'w', kinds: ['fuzz'], compiler: 'b' })
    await client.complete(job!, 'w', i, 0)
  }
  const { user, system } = process.cpuUsage(before)
  await farm.close()
  await store.close()
  return (user + system) / 1e6 / jobs
}

/**
 * Discrete-event simulation: so many workers ask a server that answers one request at a time for the next of these
 * jobs, do it, and tell the server. Seconds until the last is told.
 */
function makespan(jobs: readonly number[], workers: number, requestSeconds: number): number {
  // when each worker asks next, or tells; the earliest event is served first
  const events: { at: number; tells: boolean }[] = Array.from({ length: workers }, () => ({ at: 0, tells: false }))
  let free = 0,
    next = 0,
    told = 0,
    last = 0
  while (told < jobs.length) {
    events.sort((a, b) => a.at - b.at)
    const event = events[0]!
    free = Math.max(free, event.at) + requestSeconds
    if (event.tells) {
      told++
      last = free
      event.tells = false
      event.at = free
    } else if (next < jobs.length) {
      event.tells = true
      event.at = free + jobs[next++]!
    } else event.at = Number.POSITIVE_INFINITY
  }
  return last
}

const round = (x: number): number => Number(x.toPrecision(4))

function simulated(jobs: readonly number[], requestSeconds: number, counts: readonly number[]) {
  const work = jobs.reduce((a, b) => a + b, 0)
  return counts.map((workers) => {
    const seconds = makespan(jobs, workers, requestSeconds)
    return { workers, seconds: round(seconds), efficiency: round(work / (workers * seconds)) }
  })
}

const pools = counts.map((count) => new Workers(count))
const begun = performance.now()
const isLate = (): boolean => performance.now() - begun > 1000 * mostSeconds
const nameOf = new Map<string, string>()
const jobs: [string, Job][] = []
for (const { name, program } of programs) {
  const wanted = { schema: 'tesela.job/1', kind: 'optimize', program, targets: ['wgsl'], budget }
  const job = await readJob(wanted, files, '.', tools.wasm)
  if (job.kind === 'optimize') nameOf.set(job.program.text, name)
  jobs.push([jobKey(job, 'bench'), job])
}
if (isTogether) await Promise.all(pools.map((pool) => pool.run(new Map(jobs))))
else
  for (let from = 0; from < jobs.length && !isLate(); from += atOnce) {
    const some = new Map(jobs.slice(from, from + atOnce))
    for (const pool of from % (2 * atOnce) === 0 ? pools : [...pools].reverse()) await pool.run(some)
    console.error(`${from + some.size} programs in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
for (const pool of pools) for (const slot of pool.slots) slot.close()

const done = programs.map((p) => p.name).filter((name) => pools.every((pool) => pool.ran.has(name)))
const [one, ...others] = pools
const ranOf = (name: string): readonly Ran[] => pools.map((pool) => pool.ran.get(name)!) // `done` has those of all
const differing = done.filter((name) => new Set(ranOf(name).map(({ outcome }) => contentKey(outcome))).size > 1)
const times = done.map((name) => one!.ran.get(name)!.cpuSeconds) // there is one
const request = (await serverSeconds()) / 2
const nights = Array.from({ length: 100 }, () => times).flat()
console.log(
  JSON.stringify(
    {
      what: 'bench/farm/workers.ts: optimize jobs (WGSL, H200) on farms with different workers; then a simulation',
      machine: `${cpus().length} processors (${cpus()[0]?.model}), Node ${process.version}`,
      budget,
      programs: done.length,
      leftOut: programs.length - done.length,
      answers: {
        same: done.length - differing.length,
        differing,
        found: done.filter((name) => 'result' in ranOf(name)[0]!.outcome).length,
        failed: done.flatMap((name) => {
          const { outcome } = ranOf(name)[0]! // of the first pool
          return 'why' in outcome ? [`${name}: ${outcome.why}`] : []
        }),
      },
      measured: pools.map((pool) => ({
        workers: pool.slots.length,
        programs: pool.ran.size,
        seconds: round(pool.seconds),
        cpuSeconds: round(pool.cpuSeconds(done)),
      })),
      efficiencyInCpuSeconds: others.map((pool) => round(one!.cpuSeconds(done) / pool.cpuSeconds(done))),
      requestSeconds: round(request),
      simulated: {
        note: 'discrete events: cpuSeconds of each job with one worker; one server, a request at a time',
        suite: simulated(times, request, [1, 2, 4, 8, 16, 32, 64, 100]),
        hundredSuites: simulated(nights, request, [1, 2, 10, 100, 200, 500, 1000]),
      },
      jobs: done.map((program) => ({ program, cpuSeconds: ranOf(program).map((r) => round(r.cpuSeconds)) })),
    },
    null,
    1,
  ),
)
