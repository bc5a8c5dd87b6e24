// In: C files, and for each what an unharmed compiler made of it. Out: one line of JSON: whether this compiler, which
// may have a fault planted, hands over other texts, and whether its own proof saw the fault. The one idea: it stops at
// the first sign of the fault, so that most of several hundred runs are short. An unharmed compiler then judges what
// survived: at sizes and on data that no proof has tried, do the plans and their texts still compute the program?
//   node subject.mjs BASELINE.json|- PLANS.json|- FILE.c…       (- prints the baseline; survivors' plans go to PLANS)
//   node subject.mjs judge PLANS.json FILE.c…
import { createHash } from 'node:crypto'
import { isFixed } from '../../src/ir/index.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parserFiles } from '../../src/cli/files.ts'
import { emitCudaLauncher, emitPlan, emitTypeScript } from '../../src/emit/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { ptxOfText } from '../../src/cli/nvcc.ts'
import { random } from '../../src/base/index.ts'
import { analyse, build, type Analysed } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import type { Plan, Program } from '../../src/ir/index.ts'
import {
  optimize,
  ptxRunner,
  textRunner,
  verifyPlans,
  wgslRunner,
  wrongText,
  type Optimized,
} from '../../src/tune/index.ts'

/** What was made of a program. */
export interface Made {
  /** Candidates that the proof refused, or why nothing was made. */
  readonly refused: number | string
  /** Hashes of the wrapper with its WGSL, and of the CUDA file, without comments. */
  readonly texts: readonly string[]
  /** A hash of all that the proof is about: kernels, their texts, conditions, grids and parameters. */
  readonly plans: string
  /** The schedule that was found, which the harmed compiler is asked for, and a hash of what is built of it. */
  readonly points: readonly Point[]
  readonly built: string
}

/** What became of a planted fault. */
export interface Verdict {
  readonly outcome: 'unchanged' | 'proof' | 'refusal' | 'survived'
  /** The program that showed it, or those that have other texts. */
  readonly programs: readonly string[]
  readonly why?: string
}

/** What an unharmed compiler says of a survivor's plans. */
export interface Judgement {
  /**
   * `same`: right wherever it was run; `host`: only text of host functions differs, which nothing here runs;
   * `unjudged`: the judge itself ended before it could say.
   */
  readonly outcome: 'same' | 'host' | 'wrong' | 'unjudged'
  readonly runs: number
  readonly why?: string
}

/** The plans of a program; `kernels`: whether texts of kernels, conditions or grids are other than the baseline's. */
interface Handed {
  readonly plan: Plan
  readonly cudaPlan: Plan
  /** The CUDA file, and the name in it of each launch's kernel, variant by variant. */
  readonly cuda: string
  readonly entries: readonly (readonly string[])[]
  readonly kernels: boolean
}

/** So many sets of sizes that no proof has tried, none above the limit. */
const furtherSizes = 10
const largestSize = 90
const largestFixed = 1024

const candidates = 3
const withoutComments = (text: string): string =>
  text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/[ \t]+$/gm, '')
const hashOf = (text: string): string => createHash('sha256').update(withoutComments(text)).digest('hex').slice(0, 16)

const profile = gpu('h200')
const withCuda = process.env['WITHOUT_NVCC'] === undefined

const read = (file: string): Promise<Program> =>
  parseC(readFileSync(file, 'utf8'), basename(file), { wasm: parserFiles() })

/** Numbers that JSON has not (64-bit integers, infinities, NaN, -0) are strings that nothing else looks like. */
const bigMark = '\u0000i64:'
const floatMark = '\u0000f64:'
const isInJson = (x: number): boolean => Number.isFinite(x) && !Object.is(x, -0)
const written = (value: unknown): string =>
  JSON.stringify(value, (_, x: unknown) => {
    if (typeof x === 'bigint') return `${bigMark}${x}`
    if (typeof x === 'number' && !isInJson(x)) return `${floatMark}${Object.is(x, -0) ? '-0' : x}`
    return x
  })
const parsed = (text: string): unknown =>
  JSON.parse(text, (_, x: unknown) => {
    if (typeof x !== 'string') return x
    if (x.startsWith(bigMark)) return BigInt(x.slice(bigMark.length))
    return x.startsWith(floatMark) ? Number(x.slice(floatMark.length)) : x
  })

const plansOf = (r: Optimized): string => hashOf(written([r.plan, r.cudaPlan]))

/** A hash of what is built of a schedule, before any proof; why nothing is, otherwise. */
function builtOf(analysed: Analysed, points: readonly Point[]): string {
  try {
    const plans = [build(analysed, points).plan, build(analysed, points, { warp: 32 }).plan] as const
    return hashOf(
      written(plans) + emitTypeScript(emitPlan(plans[0], { targets: ['wgsl'] })).text + emitCudaLauncher(plans[1]).text,
    )
  } catch (e) {
    return String(e)
  }
}

async function made(file: string, points?: readonly Point[]): Promise<Made & { readonly result?: Optimized }> {
  try {
    const program = await read(file)
    const result = await optimize(program, {
      ...(points && { points }),
      gpu: profile,
      targets: ['wgsl', 'cuda'],
      budget: candidates,
      readWgsl: parseWgsl,
      ...(withCuda && { readCuda: ptxRunner(ptxOfText) }),
    })
    return {
      refused: result.failed.filter((f) => f.how === 'wrong').length,
      texts: [emitTypeScript(result.plan).text, emitCudaLauncher(result.cudaPlan!).text].map(hashOf), // it is a target
      plans: plansOf(result),
      points: result.points,
      built: builtOf(analyse(program), result.points),
      result,
    }
  } catch (e) {
    const refused = e instanceof Error ? `${e.name}: ${e.message.slice(0, 200)}` : String(e)
    return { refused, texts: [], plans: '', points: [], built: '' }
  }
}

const [mode = '-', plansFile = '-', ...files] = process.argv.slice(2)
if (mode === 'judge') console.log(JSON.stringify(await judgement()))
else if (mode === '-') {
  const all: Record<string, Made> = {}
  for (const f of files) {
    const { points } = await made(f)
    const { result: _, ...plain } = await made(f, points)
    all[basename(f)] = plain
  }
  console.log(JSON.stringify(all))
} else {
  const baseline = JSON.parse(readFileSync(mode, 'utf8')) as Record<string, Made> // written above
  console.log(JSON.stringify(await verdict(baseline)))
}

async function verdict(baseline: Readonly<Record<string, Made>>): Promise<Verdict> {
  const handed: Record<string, Handed> = {}
  for (const file of files) {
    const name = basename(file)
    const before = baseline[name]! // it is of these files
    if (await isAsBefore(file, before)) continue
    const now = await made(file, before.points)
    if (typeof now.refused === 'string') {
      const outcome = /could be proved|text leaves/.test(now.refused) ? 'proof' : 'refusal'
      return { outcome, programs: [name], why: now.refused }
    }
    if (now.refused > Number(before.refused)) return { outcome: 'proof', programs: [name] }
    if (now.texts.join() === before.texts.join() || !now.result) continue
    const { plan } = now.result
    const cudaPlan = now.result.cudaPlan! // it is a target
    const { text: cuda, entries: named } = emitCudaLauncher(cudaPlan, { takesFixed: true })
    const entries = cudaPlan.variants.map((v) => v.launches.map((l) => named.get(l.kernel) ?? ''))
    handed[name] = { plan, cudaPlan, cuda, entries, kernels: now.plans !== before.plans }
  }
  const programs = Object.keys(handed)
  if (programs.length > 0) writeFileSync(plansFile, written(handed))
  return { outcome: programs.length > 0 ? 'survived' : 'unchanged', programs }
}

/** Whether what the harmed compiler builds is what the unharmed one did: then there is nothing to prove. */
async function isAsBefore(file: string, before: Made): Promise<boolean> {
  try {
    return builtOf(analyse(await read(file)), before.points) === before.built
  } catch {
    return false
  }
}

async function judgement(): Promise<Judgement> {
  const handed = parsed(readFileSync(plansFile, 'utf8')) as Record<string, Handed> // written by `verdict`
  let runs = 0
  for (const file of files) {
    const given = handed[basename(file)]
    if (!given?.kernels) continue
    const program = await read(file)
    if (program.sizes.some((s) => isFixed(s) && s.planned > largestFixed)) continue // the reference takes too long
    const r = random(7)
    const sizes = Array.from({ length: furtherSizes }, () =>
      Object.fromEntries(
        program.sizes.map((s) => [s.name, isFixed(s) ? s.planned : Math.max(s.min, r.int(1, largestSize))]),
      ),
    )
    const claims = [
      { plan: given.plan, sizes, target: 'wgsl' },
      { plan: given.cudaPlan, sizes, target: 'cuda' },
    ] as const
    for (const [i, v] of verifyPlans(program, claims, profile, 4711).entries()) {
      runs += v.sizes.length
      if (!v.ok) return { outcome: 'wrong', runs, why: `${basename(file)} ${claims[i]!.target}: ${v.why}` }
      const { plan } = claims[i]! // one of each
      const named = given.cudaPlan.variants.flatMap((x, n) =>
        x.launches.map((l, k) => [l.kernel, given.entries[n]![k]!] as const),
      )
      const cuda = withCuda ? textRunner({ text: given.cuda, entries: new Map(named) }, ptxOfText, profile) : undefined
      const runner = i === 0 ? wgslRunner(parseWgsl, profile) : cuda
      const why = runner && wrongText(program, plan, v.sizes, runner, 4712, profile)
      if (why !== undefined) return { outcome: 'wrong', runs, why: `${basename(file)}: ${why}` }
    }
  }
  return { outcome: runs > 0 ? 'same' : 'host', runs }
}
