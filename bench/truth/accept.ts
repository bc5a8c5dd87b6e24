// In: folders of PTX (made from any CUDA programs with `nvcc -ptx -lineinfo`). Out: a table of what the PTX front end
// accepts: file × entries × accepted × what was refused, by the name of the feature; with --run, each accepted kernel
// is also compiled and two blocks of it are run on buffers of zeros. Nothing of the programs is kept in the repository.
// Usage: npx tsx bench/truth/accept.ts [--run] FOLDER…
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DiagnosticError } from '../../src/base/index.ts'
import { bindPtx, parsePtx, ptxEntries, type PtxKernel } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { compileKernel } from '../../src/simulate/index.ts'
import { someOf } from '../arguments.ts'

const runs = process.argv.includes('--run')
const folders = someOf(
  process.argv.slice(2).filter((a) => !a.startsWith('--')),
  'folder of PTX',
)

interface Row {
  readonly file: string
  entries: number
  accepted: number
  ran: number
  readonly refused: Map<string, number>
}

const bump = (m: Map<string, number>, key: string): void => {
  m.set(key, (m.get(key) ?? 0) + 1)
}

/** The first sentence of a failure, without names, so that equal causes are one line; a crash is a crash. */
function reason(error: unknown): string {
  const text =
    error instanceof DiagnosticError
      ? error.diagnostics[0]!.message
      : `CRASH: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  return text.replace(/'[^']*'/g, "'…'").slice(0, 120)
}

/** With the launch's shared memory and block guessed. */
function read(text: string, file: string, entry: string): PtxKernel {
  try {
    return parsePtx(text, file, { entry, shared: 16384, block: [128, 1, 1] })
  } catch (error) {
    const block = error instanceof DiagnosticError && error.diagnostics[0]!.code === 'ptx.block'
    if (!block) throw error
    return parsePtx(text, file, { entry, shared: 16384 })
  }
}

function run(ptx: PtxKernel): void {
  const args = ptx.params.map((p) => {
    const a = new ArrayBuffer(Math.max(8, p.bytes))
    new DataView(a).setInt32(0, p.type === 'f32' ? 0x3f800000 : 64, true)
    return a
  })
  const { launch } = bindPtx(
    ptx,
    [2, 1, 1],
    args,
    ptx.pointers.map(() => new ArrayBuffer(65536)),
  )
  compileKernel(ptx.kernel, gpu('h200')).run(launch, { exact: true, maxSteps: 2e6 })
}

function table(file: string, text: string): Row {
  const row: Row = { file, entries: 0, accepted: 0, ran: 0, refused: new Map() }
  for (const entry of ptxEntries(text, file)) {
    row.entries++
    try {
      const ptx = read(text, file, entry)
      row.accepted++
      if (!runs) continue
      run(ptx)
      row.ran++
    } catch (error) {
      bump(row.refused, reason(error))
    }
  }
  return row
}

const started = process.cpuUsage()
let bytes = 0
const rows = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.ptx'))
    .sort()
    .map((f) => {
      const text = readFileSync(join(folder, f), 'utf8')
      bytes += text.length
      return table(f, text)
    }),
)
for (const r of rows)
  console.log(
    [
      r.file.replace(/\.ptx$/, '').padEnd(70),
      String(r.entries).padStart(4),
      String(r.accepted).padStart(4),
      runs ? String(r.ran).padStart(4) : '',
      [...r.refused].map(([k, n]) => `${n} × ${k}`).join('; '),
    ].join(' '),
  )
const sum = (key: 'entries' | 'accepted' | 'ran'): number => rows.reduce((n, r) => n + r[key], 0)
const all = new Map<string, number>()
for (const r of rows) for (const [k, n] of r.refused) all.set(k, (all.get(k) ?? 0) + n)
const used = process.cpuUsage(started)
console.log(
  `\n${rows.length} files, ${sum('entries')} entries, ${sum('accepted')} accepted ` +
    `(${((100 * sum('accepted')) / Math.max(1, sum('entries'))).toFixed(1)} ` +
    `%)${runs ? `, ${sum('ran')} ran` : ''}; ${(bytes / 1e6).toFixed(1)} MB, ` +
    `${((used.user + used.system) / 1e6).toFixed(1)} CPU s`,
)
for (const [k, n] of [...all].sort((a, b) => b[1] - a[1])) console.log(`${String(n).padStart(5)} × ${k}`)
