// In: what was measured (`cases.ts`, `bench/device/collection.ts`, `collection.py`). Out: rows of
// bench/data/h100-collection.json, each with what the compiler says of an H100 SXM. What was measured again takes the
// place of the older row; DATE is kept with each.
//   npx tsx bench/collection/record.ts CASES.json OURS.json TORCH.json DATE
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileOperation } from '../../src/compile/index.ts'
import { includesOf, parserFiles } from '../../src/cli/files.ts'
import { gpu, type GpuProfile } from '../../src/gpus/index.ts'
import type { CompileReport } from '../../src/kernels/index.ts'
import { opsFolder, readings, readingsFile, rooms, rowsOf, type Reading } from '../../tools/ops.ts'
import type { Cases } from './cases.ts'

const nameInC = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

const roomOf = (name: string): string =>
  rooms()
    .flatMap(rowsOf)
    .find((r) => r.name === name)!.room // it is a case

/**
 * An H100 SXM: multiprocessors and clocks are the H200's, its memory moves 3.35 TB/s for 4.8 (the profile `h100` is the
 * card for PCIe, with less of everything).
 */
const h200 = gpu('h200')! // a profile of ours
const dram = h200.memory.dramBytesPerSecond
const h100Sxm: GpuProfile = {
  ...h200,
  title: 'H100 SXM',
  memory: {
    ...h200.memory,
    dramBytesPerSecond: { ...dram, value: (dram.value * 3.35) / 4.8 },
    l2Bytes: { ...h200.memory.l2Bytes, value: 50 * 2 ** 20 },
  },
}

/** What the compiler says of an operation there. */
async function reportFor(room: string, name: string): Promise<CompileReport> {
  const file = join(opsFolder, room, `${room}.c`)
  const { report } = await compileOperation(readFileSync(file, 'utf8'), {
    file,
    function: nameInC(name),
    gpu: h100Sxm,
    seed: 1,
    defines: {},
    include: includesOf(file, []),
    wasm: parserFiles(),
  })
  return report
}

interface Ours {
  readonly device: string
  readonly rows: readonly { name: string; us: number; spread: number; callUs: number; failed?: string }[]
}
interface Torch {
  readonly device: string
  readonly torch: string
  readonly rows: readonly {
    readonly name: string
    readonly eager_us: number
    readonly replayed_us: number | null
    readonly compiled_us: number | null
    readonly error: number
    readonly ok: boolean
  }[]
}

const short = (x: number): number => Number(x.toPrecision(4))

async function record(casesFile: string, oursFile: string, torchFile: string, date: string): Promise<void> {
  const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
  const cases = read<Cases>(casesFile),
    ours = read<Ours>(oursFile),
    torch = read<Torch>(torchFile)
  const fresh: Reading[] = []
  for (const c of cases) {
    const row = ours.rows.find((r) => r.name === c.name),
      theirs = torch.rows.find((r) => r.name === c.name)
    if (!row || row.failed || !theirs?.ok) {
      console.error(`${c.name} is left out: ${row?.failed ?? (theirs ? `error ${theirs.error}` : 'not measured')}`)
      continue
    }
    const { predictedNs, boundNs } = await reportFor(roomOf(c.name), c.name)
    fresh.push({
      name: c.name,
      sizes: c.sizes,
      kernels: c.kernels,
      us: short(row.us),
      spread: short(row.spread),
      callUs: short(row.callUs),
      eagerUs: short(theirs.eager_us),
      ...(theirs.replayed_us !== null && { replayedUs: short(theirs.replayed_us) }),
      ...(theirs.compiled_us !== null && { compiledUs: short(theirs.compiled_us) }),
      predictedUs: short(predictedNs / 1000),
      boundUs: short(boundNs / 1000),
      error: Number(theirs.error.toPrecision(2)),
      date,
    })
    console.log(c.name)
  }
  const kept = existsSync(readingsFile) ? readings().filter((r) => !fresh.some((f) => f.name === r.name)) : []
  const provenance = {
    what: 'Operations of tesela/ops at their planned sizes beside PyTorch, single precision, no TF32',
    device: `${torch.device}; through WebGPU: ${ours.device}; Dawn without toggles`,
    torch: torch.torch,
    protocol:
      'us: timestamp queries around samples of 15 ms of calls, median of 7 after 150 ms of warm-up; spread: ' +
      '(greatest − least) ÷ median; callUs: wall time of a call in such a batch. eagerUs, compiledUs: CUDA events ' +
      'around as many calls, median of 7; replayedUs: the eager call recorded in a CUDA graph, which takes the ' +
      'host out. error: largest |ours − PyTorch| ÷ max(1, |PyTorch|) of 160 elements of each result. predictedUs, ' +
      'boundUs: what the compiler says of an H200 whose memory moves 3.35 TB/s for 4.8, which is an H100 SXM.',
  }
  const rows = [...kept, ...fresh].sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines = rows.map((r) => JSON.stringify(r)).join(',\n')
  writeFileSync(readingsFile, `{"provenance": ${JSON.stringify(provenance)}, "rows": [\n${lines}\n]}\n`)
  console.log(`${rows.length} rows`)
}

const [cases, ours, torch, date] = process.argv.slice(2)
if (!cases || !ours || !torch || !date) {
  console.error('record.ts CASES.json OURS.json TORCH.json DATE')
  process.exit(2)
}
await record(cases, ours, torch, date)
process.exit(0)
