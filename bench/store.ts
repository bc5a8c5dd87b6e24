// How large a store of readings is and how long it takes to ask. In: how many readings, a folder. Out: figures: bytes
// and seconds to write, milliseconds of the questions that commands ask.
//   npx tsx bench/store.ts 1000000 FOLDER
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../src/base/index.ts'
import {
  candidateRecord,
  deviceRecord,
  openStore,
  programRecord,
  readingRecord,
  type Store,
} from '../src/store/index.ts'

const count = Number(process.argv[2] ?? 100_000)
const folder = process.argv[3] ?? 'out/store'
const readingsOfCandidate = 10,
  candidatesOfProgram = 100,
  devicesInAll = 20,
  readingsAtOnce = 10_000,
  rateEvery = 500_000

const path = join(folder, 'store.db')
mkdirSync(folder, { recursive: true })
for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })

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

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await work()
  console.log(`${what}: ${(performance.now() - start).toFixed(1)} ms`)
}

async function fill(store: Store): Promise<void> {
  let start = performance.now()
  for (let from = 0; from < count; from += readingsAtOnce) {
    await store.add(recordsFrom(from, Math.min(readingsAtOnce, count - from)))
    const done = from + readingsAtOnce
    if (done % rateEvery !== 0) continue
    const seconds = (performance.now() - start) / 1000
    console.error(`${done} readings, the last ${rateEvery} at ${(rateEvery / seconds).toFixed(0)} a second`)
    start = performance.now()
  }
}

const store = await openStore(path)
await timed(`${count} readings written`, () => fill(store))
const { candidates, readings } = recordsFrom(Math.floor(count / 2), 1)
await timed('one more reading', () =>
  store.add({ readings: [readingRecord({ ...readings[0]!, taken: new Date().toISOString() })] }),
)
await timed('a record by the beginning of its key', () => store.find(candidates[0]!.key.slice(0, 12)))
await timed('readings of one candidate', () =>
  store.database.all('SELECT ns FROM readings WHERE candidate = ?', [candidates[0]!.key]),
)
await timed('all devices with their numbers of readings', () => store.devices())
await store.close()
console.log(`${(statSync(path).size / count).toFixed(0)} bytes a reading`)
