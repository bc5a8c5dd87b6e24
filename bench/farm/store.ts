// How large a store of readings is and how long it takes to ask. In: how many readings, a folder, the command line
// that asks (`dist/cli.js`). Out: figures as JSON: bytes and seconds to write, seconds of commands, each a process of
// its own. A store of the folder that has as many readings already is asked as it is; what removes comes last.
//   npx tsx bench/farm/store.ts 10000000 FOLDER dist/cli.js
import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { random } from '../../src/base/index.ts'
import {
  candidateRecord,
  deviceRecord,
  openStore,
  programRecord,
  readingRecord,
  type RecordStore,
} from '../../src/store/index.ts'

const count = Number(process.argv[2] ?? 100_000)
const folder = process.argv[3] ?? 'out/store'
const readingsOfCandidate = 10,
  candidatesOfProgram = 100,
  devicesInAll = 20,
  readingsAtOnce = 10_000,
  rateEvery = 500_000

const cli = process.argv[4] ?? 'dist/cli.js'
const path = join(folder, 'store.db')
mkdirSync(folder, { recursive: true })

const devices = Array.from({ length: devicesInAll }, (_, i) => deviceRecord({ name: `device ${i}`, driver: '1' }))
const stream = random(1)

/** Readings from `from` on, with what they are of. */
function recordsFrom(from: number, many: number) {
  const all = Array.from({ length: many }, (_, n) => {
    const i = from + n,
      place = Math.floor(i / readingsOfCandidate)
    const program = programRecord({
      language: 'c',
      name: `program ${Math.floor(place / candidatesOfProgram)}`,
      body: null,
    })
    const candidate = candidateRecord({ program: program.key, target: 'wgsl', choice: [{ tile: place }] })
    const reading = readingRecord({
      candidate: candidate.key,
      device: devices[stream.int(0, devicesInAll - 1)]!.key, // of the list
      ns: 1e6 * stream.unit(),
      spread: 0.01,
      samples: 9,
      taken: new Date(1.7e12 + 1000 * i).toISOString(),
      body: { timer: 'timestamps', quantumNs: 32, repeats: 10 },
    })
    return { program, candidate, reading }
  })
  const once = <T extends { readonly key: string }>(list: readonly T[]): readonly T[] => [
    ...new Map(list.map((x) => [x.key, x])).values(),
  ]
  return {
    programs: once(all.map((a) => a.program)),
    candidates: once(all.map((a) => a.candidate)),
    devices,
    readings: all.map((a) => a.reading),
  }
}

/** Readings a second, for each `rateEvery`. */
async function fill(store: RecordStore): Promise<readonly number[]> {
  const rates: number[] = []
  let start = performance.now()
  for (let from = 0; from < count; from += readingsAtOnce) {
    await store.add(recordsFrom(from, Math.min(readingsAtOnce, count - from)))
    const done = from + readingsAtOnce
    if (done % rateEvery !== 0) continue
    rates.push(Math.round((rateEvery / (performance.now() - start)) * 1000))
    console.error(`${done} readings, the last ${rateEvery} at ${rates.at(-1)} a second`)
    start = performance.now()
  }
  return rates
}

/** Says on standard error, when a process ends, for how long it had a processor. */
const cpuAtExit = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write('cpu ' + (user + system) / 1e6)
})`

const round = (x: number): number => Number(x.toPrecision(3))

/** Seconds that a command takes as a process of its own, of the processor too, and its first line. */
function asked(...args: readonly string[]) {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'store', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(cpuAtExit)}` },
  })
  const seconds = round((performance.now() - start) / 1000)
  const command = ['tesela store', ...args.map((a) => (a === path ? 'store.db' : a.startsWith(folder) ? 'FILE' : a))]
  const found = {
    command: command.join(' '),
    seconds,
    cpuSeconds: round(Number(/cpu ([\d.]+)/.exec(stderr)?.[1])),
    ...(status !== 0 && { failed: stderr.slice(0, 200) }),
    bytes: stdout.length,
    says: stdout.split('\n')[0]!.slice(0, 100),
  }
  console.error(`${found.command}: ${seconds} s, ${found.cpuSeconds} of a processor${status === 0 ? '' : ' FAILED'}`)
  return found
}

async function written(store: RecordStore) {
  const start = performance.now()
  const cpu = process.cpuUsage()
  const perSecond = await fill(store)
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: round((performance.now() - start) / 1000), cpuSeconds: round((user + system) / 1e6), perSecond }
}

const opening = performance.now()
const store = await openStore(path)
const openedSeconds = round((performance.now() - opening) / 1000)
const [{ n: have } = {}] = await store.database.all('SELECT COUNT(*) AS n FROM readings')
const writing = Number(have) >= count ? null : await written(store)
const one = recordsFrom(Math.floor(count / 2), 1)
const [candidate, program, reading] = [one.candidates[0]!, one.programs[0]!, one.readings[0]!]
const adding = performance.now()
await store.add({ readings: [readingRecord({ ...reading, taken: new Date(1.6e12).toISOString() })] })
const addedMs = round(performance.now() - adding)
await store.close()
const bytes = statSync(path).size
console.error(`opened in ${openedSeconds} s, ${(bytes / count).toFixed(0)} bytes a reading, one more in ${addedMs} ms`)

const early = new Date(1.7e12 + 1000 * (count / 100)).toISOString()
const commands = [
  asked('list', join(folder, 'empty.db')),
  asked('show', path, candidate.key.slice(0, 12)),
  asked('list', path),
  asked('diff', path, 'device 3', 'device 4'),
  asked('export', path, '--program', program.name, '-o', join(folder, 'program.jsonl')),
  asked('export', path, '--t4', '--device', 'device 7', '-o', join(folder, 'table.json')),
  asked('prune', path, '--before', early),
  asked('prune', path, '--keep', '1'),
]
console.log(
  JSON.stringify(
    {
      what: 'bench/farm/store.ts: a store in a file (SQLite), its size, and commands, each a process of its own',
      readings: count,
      candidates: count / readingsOfCandidate,
      programs: count / readingsOfCandidate / candidatesOfProgram,
      devices: devicesInAll,
      machine: `${cpus().length} shared processors (${cpus()[0]?.model}), Node ${process.version}`,
      bytes,
      bytesOfReading: Math.round(bytes / count),
      openedSeconds,
      writing,
      addedMs,
      commands,
    },
    null,
    2,
  ),
)
