// In: lists of right kernels (kernels.txt here, and others of a folder of fetched repositories), each a file and the
// flags of its launch. Out: by kind of fault how many were planted and how many a default `explain` names at the right
// line; false positives on the kernels as they are; every miss. A list names plants that leave a kernel right, or that
// only reach another element, as `FILE ! FAULT ! LINE ! WHY`. Nothing of the folder is kept.
//   npx tsx bench/planted/planted.ts [LIST FOLDER] [--only TEXT]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explain, launchOfFlags } from '../../src/explain/index.ts'
import { DiagnosticError } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { compileCudaText, cudaSource } from '../../src/cli/nvcc.ts'
import { someOf } from '../arguments.ts'
import { plants, type Outcome, type Plant } from './faults.ts'
import { equivalents, type Equivalent } from './equivalents.ts'
import { subjectOf } from './text.ts'

export interface Kernel {
  readonly file: string
  readonly path: string
  readonly flags: string
}

/** Lines `FILE | FLAGS`. */
export const kernelsOf = (list: string, folder: string): readonly Kernel[] =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((l) => l.includes('|') && !l.startsWith('#'))
    .map((l) => {
      const [file, flags] = l.split('|') as [string, string] // it has a bar
      return { file: file.trim(), path: join(folder, file.trim()), flags: flags.trim() }
    })

const languageOf = (file: string): 'wgsl' | 'cuda' => (file.endsWith('.wgsl') ? 'wgsl' : 'cuda')

/** Explains a text as the command line would, with so many blocks more along x; `maxSteps` as in `explain`. */
export function outcomeOf(text: string, { path, file, flags }: Kernel, surplus = 0, maxSteps?: number): Outcome {
  const { launch, entry, exact } = launchOfFlags(flags)
  const [x, y, z] = launch.grid ?? [0, 0, 0]
  if (x === 0) throw new Error(`${file}: the grid is missing`)
  const grid: readonly [number, number, number] = [x + surplus, y, z]
  const options = {
    gpu: gpu('h200'),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(entry !== undefined && { entry }),
    ...(exact && { exact }),
  }
  try {
    if (languageOf(file) === 'wgsl') return { report: explain({ text, file }, { ...launch, grid }, options) }
    return { report: explain(cudaSource(text, file, compileCudaText(text, path)), { ...launch, grid }, options) }
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
    const [first] = e.diagnostics
    return { refusal: { code: first?.code ?? '', line: first?.at?.line } }
  }
}

const said = ({ report, refusal }: Outcome): string =>
  refusal
    ? `${refusal.code} at ${refusal.line}`
    : [
        ...report!.hazards.map((h) => `${h.level} ${h.kind} ${h.at?.line}/${h.other?.line}`),
        ...report!.findings.map((f) => `${f.rule} ${f.at?.line ?? ''} ${f.speedup.toFixed(2)}`),
      ].join('; ')

/** What a right kernel must not be told: hazards that are errors. */
export const falsePositives = ({ report, refusal }: Outcome): readonly string[] =>
  refusal
    ? [`${refusal.code} at ${refusal.line}`]
    : report!.hazards.filter((h) => h.level === 'error').map((h) => `${h.kind} at ${h.at?.line}: ${h.message}`)

/** The text with the fault in it. */
export function planted(text: string, { line, text: changed, next, first }: Plant): string {
  const lines = text.split('\n')
  lines[line - 1] = changed
  if (next !== undefined) lines[line] = next
  if (first !== undefined) lines[0] = first
  return lines.join('\n')
}

/** Lines `FILE ! FAULT ! LINE ! WHY`. */
const equivalentsOf = (list: string): readonly Equivalent[] =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((l) => l.includes(' ! ') && !l.startsWith('#'))
    .map((l) => {
      const [file, fault, line, why] = l.split(' ! ') as [string, string, string, string] // it has three marks
      return { file: file.trim(), fault, line: Number(line), why }
    })

/** Faults of a kernel that change what it computes or how fast. */
export const plantsOf = (text: string, kernel: Kernel, same: readonly Equivalent[] = equivalents): readonly Plant[] => {
  const { entry } = launchOfFlags(kernel.flags)
  return plants(subjectOf(text, languageOf(kernel.file), entry)).filter(
    (p) => !same.some((e) => kernel.file.endsWith(e.file) && e.fault === p.fault && e.line === p.line),
  )
}

/** Refusals of what is no kernel any more, or no launch of it. */
const notKernels = ['cuda.compile', 'wgsl.syntax', 'wgsl.type', 'explain.buffer', 'explain.arg']

function main(): void {
  const argv = process.argv.slice(2),
    position = argv.indexOf('--only'),
    only = position < 0 ? null : argv[position + 1]!,
    [list, folder] = argv.filter((_, i) => position < 0 || (i !== position && i !== position + 1))
  const all = list && folder ? kernelsOf(list, folder) : kernelsOf('bench/planted/kernels.txt', '.')
  const same = list && folder ? equivalentsOf(list) : equivalents
  const kinds = new Map<string, { planted: number; named: number }>()
  let wrong = 0
  for (const kernel of someOf(
    all.filter((k) => only === null || k.file.includes(only)),
    'kernels',
  )) {
    const text = readFileSync(kernel.path, 'utf8')
    const began = process.cpuUsage()
    const twin = outcomeOf(text, kernel)
    const bad = falsePositives(twin)
    wrong += bad.length > 0 ? 1 : 0
    for (const b of bad) console.log(`FALSE ${kernel.file}: ${b}`)
    let own = 0
    for (const p of plantsOf(text, kernel, same)) {
      const row = kinds.get(p.fault) ?? { planted: 0, named: 0 }
      kinds.set(p.fault, row)
      let outcome: Outcome
      try {
        outcome = outcomeOf(planted(text, p), kernel, p.surplus)
      } catch (e) {
        console.log(`CRASH ${kernel.file}:${p.line} ${p.fault}: ${String(e).slice(0, 200)}`)
        row.planted++
        continue
      }
      if (outcome.refusal && notKernels.includes(outcome.refusal.code)) continue
      row.planted++
      own++
      if (p.isNamed(outcome)) row.named++
      else console.log(`MISS ${kernel.file}:${p.line} ${p.fault}: \`${p.text.trim()}\` → ${said(outcome)}`)
    }
    const used = process.cpuUsage(began)
    console.log(`${kernel.file}: ${own} planted, ${((used.user + used.system) / 1e6).toFixed(1)} CPU s`)
  }
  const sum = [...kinds.values()].reduce((a, b) => ({ planted: a.planted + b.planted, named: a.named + b.named }), {
    planted: 0,
    named: 0,
  })
  for (const [kind, { planted: n, named }] of kinds)
    console.log(`${String(named).padStart(4)} of ${String(n).padStart(3)}  ${kind}`)
  console.log(
    `${kinds.size} kinds, ${sum.planted} planted, ${sum.named} named; ${wrong} right kernels with a false report`,
  )
}

if (process.argv[1]?.endsWith('planted.ts')) main()
