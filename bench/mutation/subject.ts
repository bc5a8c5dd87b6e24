// In: C files, and for each what an unharmed compiler made of it. Out: one line of JSON: whether this compiler, which
// may have a fault planted, hands over other texts, and whether its own proof saw the fault. The one idea: it stops at
// the first sign of the fault, so that most of several hundred runs are short.
//   node subject.mjs BASELINE.json|- FILE.c…        (- prints the baseline)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parserFiles } from '../../src/cli/files.ts'
import { emitCudaLauncher, emitTypeScript } from '../../src/emit/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'

/** What was made of a program. */
export interface Made {
  /** Candidates that the proof refused, or why nothing was made. */
  readonly refused: number | string
  /** Hashes of the wrapper with its WGSL, and of the CUDA file, without comments. */
  readonly texts: readonly string[]
}

/** What became of a planted fault. */
export interface Verdict {
  readonly outcome: 'unchanged' | 'proof' | 'refusal' | 'survived'
  /** The program that showed it, or those that have other texts. */
  readonly programs: readonly string[]
  readonly why?: string
}

const candidates = 3
const withoutComments = (text: string): string => text.replace(/^\s*\/\/.*$/gm, '').replace(/[ \t]+$/gm, '')
const hashOf = (text: string): string => createHash('sha256').update(withoutComments(text)).digest('hex').slice(0, 16)

async function made(file: string): Promise<Made> {
  try {
    const program = await parseC(readFileSync(file, 'utf8'), basename(file), { wasm: parserFiles() })
    const options = { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: candidates, readWgsl: parseWgsl } as const
    const result = await optimize(program, options)
    return {
      refused: result.failed.filter((f) => f.how === 'wrong').length,
      texts: [emitTypeScript(result.plan).text, emitCudaLauncher(result.cudaPlan!).text].map(hashOf), // it is a target
    }
  } catch (e) {
    return { refused: e instanceof Error ? `${e.name}: ${e.message.slice(0, 200)}` : String(e), texts: [] }
  }
}

const [baselineFile = '-', ...files] = process.argv.slice(2)
if (baselineFile === '-') {
  const all: Record<string, Made> = {}
  for (const f of files) all[basename(f)] = await made(f)
  console.log(JSON.stringify(all))
} else {
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Made> // written above
  console.log(JSON.stringify(await judge(baseline)))
}

async function judge(baseline: Readonly<Record<string, Made>>): Promise<Verdict> {
  const changed: string[] = []
  for (const file of files) {
    const name = basename(file)
    const now = await made(file)
    if (typeof now.refused === 'string') {
      const outcome = /could be proved|the WGSL text leaves/.test(now.refused) ? 'proof' : 'refusal'
      return { outcome, programs: [name], why: now.refused }
    }
    // it is of these files
    if (now.refused > Number(baseline[name]!.refused)) return { outcome: 'proof', programs: [name] }
    if (now.texts.join() !== baseline[name]!.texts.join()) changed.push(name)
  }
  return { outcome: changed.length > 0 ? 'survived' : 'unchanged', programs: changed }
}
