// What a farm gains where a device measures. In: the command line (`dist/cli.js`), a folder, a budget, processes,
// seconds, programs. Out: figures as JSON: `optimize --measure` of the programs one by one; then of the same programs
// by several clients of a farm with workers that predict and one that measures; what each chose, and how long all took.
//   node measuring.mjs CLI FOLDER BUDGET PROCESSES SECONDS webgpu|cuda FILE.c …      (bundled, on a machine with a GPU)
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { countFrom, secondsFrom } from '../arguments.ts'

const [cli = 'dist/cli.js', folder = 'out/measuring', ...rest] = process.argv.slice(2)
const budget = countFrom(rest[0], 8, 'the budget')
const processes = countFrom(rest[1], 8, 'the number of processes')
const most = secondsFrom(rest[2], 300)
const on = rest[3] ?? 'webgpu'
const files = rest.slice(4)
const address = 'http://127.0.0.1:7399'
const environment = { ...process.env, TESELA_FARM_TOKEN: 'm'.repeat(32) }

/** What a report says. */
interface Report {
  readonly lowerBound: { readonly ns: number; readonly distance: number; readonly of: string }
  readonly search: { readonly measured: number }
  readonly measuredOn: string | null
}

interface Ran {
  readonly file: string
  readonly seconds: number
  /** Of the chosen plan, measured; null where there is none, with the reason. */
  readonly ns: number | null
  readonly measured: number
  readonly why?: string
}

const argumentsOf = (file: string, way: string): readonly string[] => [
  ...[cli, 'optimize', file, '--target', on === 'cuda' ? 'cuda' : 'wgsl', '--measure', on, '--budget', `${budget}`],
  ...['--json', '-o', join(folder, way, basename(file, '.c'))],
  ...(way === 'farm' ? ['--farm', address] : []),
]

function ranFrom(file: string, seconds: number, out: string, error: string): Ran {
  try {
    const { lowerBound, search } = JSON.parse(out) as Report
    const ns = lowerBound.of === 'measured' ? lowerBound.ns * lowerBound.distance : null
    return { file, seconds, ns, measured: search.measured }
  } catch {
    return { file, seconds, ns: null, measured: 0, why: error.trim().split('\n').at(-1) ?? 'nothing is said' }
  }
}

function oneByOne(): readonly Ran[] {
  const begun = performance.now()
  const done: Ran[] = []
  for (const file of files) {
    if (performance.now() - begun > most * 1000) break
    const start = performance.now()
    const { stdout, stderr } = spawnSync(process.execPath, argumentsOf(file, 'alone'), {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    done.push(ranFrom(file, (performance.now() - start) / 1000, stdout, stderr))
  }
  return done
}

/** The output of a process that ends. */
async function output(args: readonly string[]): Promise<{ readonly out: string; readonly error: string }> {
  const child = spawn(process.execPath, args, { env: environment })
  let out = '',
    error = ''
  child.stdout.on('data', (text) => (out += String(text)))
  child.stderr.on('data', (text) => (error += String(text)))
  await new Promise((done) => child.on('close', done))
  return { out, error }
}

/** A process that goes on until it is killed, once it says something; `lines`: what it says. */
async function started(args: readonly string[], lines: string[], isWaited = true): Promise<ChildProcess> {
  const child = spawn(process.execPath, [cli, 'farm', ...args], { env: environment })
  child.stderr.on('data', (text) => lines.push(String(text)))
  await new Promise<void>((done) => {
    child.stdout.on('data', (text) => {
      lines.push(String(text))
      done()
    })
    if (!isWaited) done()
  })
  return child
}

async function throughFarm(programs: readonly string[]) {
  const place = join(folder, 'farm.db')
  for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true })
  const serverSays: string[] = [],
    predicting: string[] = [],
    measuring: string[] = []
  const children = [await started(['serve', '--store', place, '--port', new URL(address).port], serverSays)]
  const at = ['--url', address]
  children.push(await started(['work', ...at, '--slots', `${processes}`], predicting, false))
  children.push(await started(['work', ...at, '--slots', '0', '--device', on], measuring, false))
  const begun = performance.now()
  const waiting = [...programs]
  const done: Ran[] = []
  const client = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const start = performance.now()
      const { out, error } = await output(argumentsOf(file, 'farm'))
      done.push(ranFrom(file, (performance.now() - start) / 1000, out, error))
    }
  }
  await Promise.all(Array.from({ length: processes }, client))
  const seconds = (performance.now() - begun) / 1000
  for (const child of children) child.kill()
  return { done, seconds, jobs: jobsIn(predicting), measureJobs: jobsIn(measuring) }
}

/** Jobs and their seconds, as workers say them. */
function jobsIn(lines: readonly string[]): { readonly jobs: number; readonly seconds: number } {
  const all = [...lines.join('').matchAll(/: ([\d.]+) s$/gm)].map((m) => Number(m[1]))
  return { jobs: all.length, seconds: round(all.reduce((a, b) => a + b, 0)) }
}

const round = (x: number): number => Number(x.toPrecision(4))
const geometricMean = (list: readonly number[]): number =>
  Math.exp(list.reduce((sum, x) => sum + Math.log(x), 0) / list.length)

mkdirSync(folder, { recursive: true })
const start = performance.now()
const alone = oneByOne()
const aloneSeconds = (performance.now() - start) / 1000
console.error(`one by one: ${alone.length} programs, ${aloneSeconds.toFixed(0)} s`)
const farm = await throughFarm(alone.map((r) => r.file))
console.error(`through a farm: ${farm.done.length} programs, ${farm.seconds.toFixed(0)} s`)
const rows = alone.map((a) => {
  const f = farm.done.find((r) => r.file === a.file)! // the same files
  const why = a.why ?? f.why
  return {
    program: a.file,
    seconds: [round(a.seconds), round(f.seconds)],
    measured: [a.measured, f.measured],
    ns: [a.ns, f.ns].map((ns) => ns && round(ns)),
    ...(why !== undefined && { why }),
  }
})
const ratios = rows.flatMap(({ ns: [a, f] }) => (a && f ? [a / f] : []))
const isMeasured = alone.length > 0 && ratios.length > 0
console.log(
  JSON.stringify(
    {
      what: 'bench/farm/measuring.ts: optimize --measure one by one, and through a farm with one worker that measures',
      machine: `${cpus().length} processors (${cpus()[0]?.model}), Node ${process.version}`,
      device: isMeasured ? deviceOf(alone[0]!.file) : null,
      on,
      budget,
      processes,
      programs: rows.length,
      seconds: { oneByOne: round(aloneSeconds), farm: round(farm.seconds), ratio: round(aloneSeconds / farm.seconds) },
      chosen: {
        both: ratios.length,
        geometricMean: round(geometricMean(ratios)),
        least: round(Math.min(...ratios)),
        most: round(Math.max(...ratios)),
        within3Percent: ratios.filter((r) => Math.abs(r - 1) <= 0.03).length,
      },
      predicting: farm.jobs,
      measuring: farm.measureJobs,
      rows,
    },
    null,
    1,
  ),
)

/** The device, as the report of this program names it. */
function deviceOf(file: string): string | null {
  const path = join(folder, 'farm', basename(file, '.c'), 'report.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as Report).measuredOn
}
