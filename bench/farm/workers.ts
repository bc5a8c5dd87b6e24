// What a farm costs. In: a budget for each search, how many programs, a folder, the command line (`dist/cli.js`). Out:
// figures as JSON: a suite of `optimize` jobs done by one worker and by two, whether their answers are the same,
// processor seconds of each; and, from the times of the jobs, a discrete-event simulation of up to 1,000 workers. Only
// the first part is measured. Chunks of the suite alternate between one and two workers, since processors are shared.
//   npx tsx bench/farm/workers.ts 2 100 FOLDER > bench/data/farm.json
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
} from '../../src/farm/index.ts'
import { contentKey, openStore } from '../../src/store/index.ts'
import { files, tools } from '../../test/farm/support.ts'

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

/** Programs in C, those of each folder spread over the whole list; of KernelBench those that are one small loop. */
const folders = ['bench/everyday', 'examples', 'bench/kernelbench/level1'].map((at) =>
  readdirSync(at)
    .filter((name) => name.endsWith('.c') && (!at.endsWith('level1') || (name >= '019' && name < '034')))
    .sort()
    .map((name, i, all) => ({ file: join(at, name), place: (i + 0.5) / all.length })),
)
let programs = folders
  .flat()
  .sort((a, b) => a.place - b.place)
  .map((p) => p.file)
  .slice(0, most)

/** Processor seconds of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ') // after the name
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

interface Ran {
  readonly program: string
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

  /** Does the jobs on a farm of their own. */
  async run(jobs: ReadonlyMap<string, Job>): Promise<void> {
    const place = join(folder, 'farm.db')
    for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true })
    const store = await openStore(place)
    const farm = await serveFarm(store, { token, host: '127.0.0.1', port: 0, queue: { leaseMs: 120_000 } })
    const client = new FarmClient({ url: farm.url, token })
    const start = performance.now()
    let left = jobs.size
    const loops = this.slots.map((slot, i) =>
      workOn({
        client,
        name: `w${i}`,
        compiler: 'bench',
        kinds: kindsOfProcessor,
        run: (body) => this.timed(slot, body as { program: { name: string } }),
        isOver: () => left <= 0,
        told: () => left--,
      }),
    )
    const queued = [...jobs].map(([key, body]) => ({ key, kind: body.kind, compiler: 'bench', body }))
    await client.run(queued)
    this.seconds += (performance.now() - start) / 1000
    // wakes those that wait for a job
    await client.add(loops.map((_, i) => ({ key: `end ${i}`, kind: 'fuzz', compiler: 'bench', body: { end: true } })))
    await Promise.all(loops)
    await farm.close()
    await store.close()
  }

  private async timed(slot: Slot, body: { readonly end?: true; readonly program: { readonly name: string } }) {
    if (body.end) return { result: null }
    const before = slot.pid === undefined ? 0 : cpuOf(slot.pid)
    const start = performance.now()
    const outcome = await slot.run(body)
    const seconds = (performance.now() - start) / 1000
    const cpuSeconds = (slot.pid === undefined ? 0 : cpuOf(slot.pid)) - before
    this.ran.set(body.program.name, { program: body.program.name, cpuSeconds, seconds, outcome })
    return outcome
  }

  get cpuSeconds(): number {
    return [...this.ran.values()].reduce((sum, r) => sum + r.cpuSeconds, 0)
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

const one = new Workers(1)
const two = new Workers(2)
const begun = performance.now()
for (let from = 0; from < programs.length; from += atOnce) {
  if (performance.now() - begun > 1000 * mostSeconds) {
    programs = programs.slice(0, from)
    break
  }
  const jobs = new Map<string, Job>()
  for (const file of programs.slice(from, from + atOnce)) {
    const wanted = { schema: 'tesela.job/1', kind: 'optimize', program: { file }, targets: ['wgsl'], budget }
    const job = await readJob(wanted, files, '.', tools.wasm)
    jobs.set(jobKey(job, 'bench'), job)
  }
  for (const workers of from % (2 * atOnce) === 0 ? [one, two] : [two, one]) await workers.run(jobs)
  console.error(`${from + jobs.size} programs: ${one.cpuSeconds.toFixed(0)} and ${two.cpuSeconds.toFixed(0)} CPU s`)
}
for (const slot of [...one.slots, ...two.slots]) slot.close()

const answerOf = ({ outcome }: Ran): string => contentKey(outcome)
const differing = programs.filter((p) => answerOf(one.ran.get(p)!) !== answerOf(two.ran.get(p)!))
const times = programs.map((p) => one.ran.get(p)!.cpuSeconds)
const request = (await serverSeconds()) / 2
const nights = Array.from({ length: 100 }, () => times).flat()
console.log(
  JSON.stringify(
    {
      what: 'bench/farm/workers.ts: optimize jobs (WGSL, H200) on a farm, one worker against two; then a simulation',
      machine: `${cpus().length} shared processors (${cpus()[0]?.model}), Node ${process.version}`,
      budget,
      programs: programs.length,
      answers: {
        same: programs.length - differing.length,
        differing,
        found: [...one.ran.values()].filter((r) => 'result' in r.outcome).length,
        failed: [...one.ran.values()].flatMap((r) => ('why' in r.outcome ? [`${r.program}: ${r.outcome.why}`] : [])),
      },
      measured: [one, two].map((w) => ({
        workers: w.slots.length,
        seconds: round(w.seconds),
        cpuSeconds: round(w.cpuSeconds),
      })),
      efficiencyInCpuSeconds: round(one.cpuSeconds / two.cpuSeconds),
      requestSeconds: round(request),
      simulated: {
        note: 'discrete events: cpuSeconds of each job with one worker; one server, a request at a time',
        suite: simulated(times, request, [1, 2, 4, 8, 16, 32, 64, 100]),
        hundredSuites: simulated(nights, request, [1, 2, 10, 100, 200, 500, 1000]),
      },
      jobs: programs.map((program) => {
        const [a, b] = [one.ran.get(program)!, two.ran.get(program)!]
        return { program, cpuSeconds: [round(a.cpuSeconds), round(b.cpuSeconds)] }
      }),
    },
    null,
    1,
  ),
)
