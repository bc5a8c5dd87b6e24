// What `explain --fix` changes in the kernels of this folder, as jobs for bench/device/sources.ts. In: cases.ts. Out:
// JOBS.json, two jobs a case (before, after), and PREDICTED.json with what each change is said to gain. Run on any
// machine with nvcc; the device runs sources.mjs on the jobs, and rows.ts puts both beside each other.
//   npx tsx bench/fixes/jobs.ts FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCudaText, cudaSource } from '../../src/cli/nvcc.ts'
import { explainFixes, type ExplainLaunch, type ExplainSource, type FixReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { PtxJob, WgslJob } from '../device/sources.ts'
import { mendedCases, type MendedCase } from './cases.ts'

const out = process.argv[2] ?? 'out/fixes'
const profile = gpu('h200')
const bytesInWords = { words: 'bytes' } as const

const cuda = (text: string, file: string): ExplainSource => cudaSource(text, file, compileCudaText(text, file))

/** Bytes 0 to 255 in words, as sources.ts fills them. */
function wordsOf(bytes: number): ArrayBuffer {
  const words = new Uint32Array(bytes / 4)
  let state = 7
  for (let i = 0; i < words.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    words[i] = state >>> 24
  }
  return words.buffer
}

function launchOf({ grid, block, bytes = {}, words = [] }: MendedCase): ExplainLaunch {
  const buffers = Object.fromEntries(
    Object.entries(bytes).map(([name, n]) => [name, { bytes: n, ...(words.includes(name) && { fill: wordsOf(n) }) }]),
  )
  return { grid, buffers, ...(block && { block }) }
}

/** One job; buffers are as large as the report before the change says. */
function jobOf(c: MendedCase, report: FixReport, after: boolean): WgslJob | PtxJob {
  const { entry, ptx } = after ? entryOf(c, report.text, report) : entryOf(c, textOf(c), report)
  const name = `${c.file} ${after ? 'after' : 'before'}`
  const grid = after ? report.launch.grid : c.grid
  const block = after ? report.launch.block : (c.block ?? [1, 1, 1])
  if (ptx === null) {
    const buffers = Object.fromEntries(
      report.before.buffers.map((b) => [
        b.name,
        { bytes: b.bytes, ...(c.words?.includes(b.name) && { fill: bytesInWords }) },
      ]),
    )
    return { name, language: 'wgsl', text: after ? report.text : textOf(c), entry, launch: { grid, buffers } }
  }
  const pointers = report.before.buffers.map(({ bytes }, i) => ({ at: 8 * i, bytes, floats: true }))
  const parameters = Buffer.alloc(8 * pointers.length).toString('base64')
  return { name, language: 'ptx', text: ptx, entry, grid, block, shared: 0, parameters, pointers }
}

const textOf = ({ file }: MendedCase): string => readFileSync(join(import.meta.dirname, 'kernels', file), 'utf8')

function entryOf(c: MendedCase, text: string, report: FixReport): { entry: string; ptx: string | null } {
  if (!c.file.endsWith('.cu')) return { entry: report.before.kernel.name, ptx: null }
  const { ptx } = compileCudaText(text, c.file)
  return { entry: /\.entry\s+(\w+)/.exec(ptx)?.[1] ?? '', ptx }
}

mkdirSync(out, { recursive: true })
const jobs: (WgslJob | PtxJob)[] = []
const predicted: object[] = []
for (const c of mendedCases) {
  const isCuda = c.file.endsWith('.cu')
  const source = isCuda ? cuda(textOf(c), c.file) : { text: textOf(c), file: c.file }
  const options = { gpu: profile }
  const report = explainFixes(source, launchOf(c), options, isCuda ? (text) => cuda(text, c.file) : undefined)
  const { fixes, before, after } = report
  const times = [before.prediction.ns, after.prediction.ns].map(Math.round)
  console.log(c.file, times.join(' → '), fixes.map((f) => `${f.mends}: ${f.does}`).join('; ') || 'nothing')
  if (fixes.length === 0) continue
  jobs.push(jobOf(c, report, false), jobOf(c, report, true))
  predicted.push({
    kernel: c.file,
    language: isCuda ? 'cuda' : 'wgsl',
    rules: fixes.map((f) => f.mends),
    does: fixes.map((f) => f.does),
    grid: c.grid,
    predicted: times,
  })
}
writeFileSync(join(out, 'JOBS.json'), JSON.stringify(jobs))
writeFileSync(join(out, 'PREDICTED.json'), JSON.stringify(predicted))
console.log(`${predicted.length} of ${mendedCases.length} are changed`)
