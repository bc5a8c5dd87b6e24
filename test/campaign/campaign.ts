// In: functions of C with calls. Out: how many of them compute the same in gcc and in what Tesela emits for them, and
// every one that does not. The one idea: nothing of Tesela's own judges: gcc runs the source under its sanitizers; the
// emitted TypeScript wrapper runs its WGSL on a WebGPU device, and the emitted CUDA file runs through a C++ compiler.
import { mkdirSync } from 'node:fs'
import { DiagnosticError } from '../../src/base/index.ts'
import { emitCudaLauncher, emitTypeScript } from '../../src/emit/index.ts'
import { parseC, type ParserFiles } from '../../src/frontend/c/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { hostArray, elementsOf } from '../../src/ir/index.ts'
import type { WebGpu } from '../../src/run/index.ts'
import { optimize, type Optimized } from '../../src/tune/index.ts'
import { lengthOf, runCuda, runSource, typed, type BatchResults, type Results, type SourceResults } from './native.ts'
import type { RandomFunction } from './random-function.ts'

export interface CampaignOptions {
  readonly wasm: ParserFiles
  /** A folder of its own for programs and results. */
  readonly folder: string
  /** Where `blocks.h` is. */
  readonly headers: string
  /** Runs WGSL where there is one. */
  readonly webgpu: WebGpu | undefined
  /**
   * JavaScript of a TypeScript module, as CommonJS: the emitted wrappers run the WGSL. Without it the plans run it,
   * where no such tool is at hand.
   */
  readonly javascript?: (text: string) => string
  /** Where emitted CUDA runs. */
  readonly cuda: readonly ('host' | 'device')[]
}

/** What became of a call on one target. */
export interface Finding {
  readonly seed: number
  readonly call: number
  readonly on: 'wgsl' | 'host' | 'device' | 'compiler'
  /**
   * `different`: another result; `refused`: no kernel, or the host function refused a call that C defines; `failed`: a
   * crash.
   */
  readonly kind: 'different' | 'refused' | 'failed'
  readonly why: string
}

/** Totals of what was really compared. */
export interface Tally {
  functions: number
  accepted: number
  /** Calls whose source is undefined or leaves its arrays: nothing to compare with. */
  undefinedCalls: number
  /** Calls whose results were compared, by where they ran. */
  readonly compared: Record<'wgsl' | 'host' | 'device', number>
  /** Arrays that were not compared, as the last bits of the inputs decide their first ones. */
  unstable: number
  /**
   * Arrays in WGSL that were not compared: the source leaves infinities or NaN in them, which a WGSL compiler may
   * assume away (WGSL 15.7.2), so that x - x is 0.
   */
  open: number
  /** Numbers that were compared. */
  numbers: number
  readonly findings: Finding[]
}

export const emptyTally = (): Tally => ({
  functions: 0,
  accepted: 0,
  undefinedCalls: 0,
  compared: { wgsl: 0, host: 0, device: 0 },
  unstable: 0,
  open: 0,
  numbers: 0,
  findings: [],
})

/** A function with its kernels. */
interface Compiled {
  readonly of: RandomFunction
  readonly index: number
  readonly made: Optimized
}

/** Adds `functions` to `tally`. */
export async function campaign(
  functions: readonly RandomFunction[],
  options: CampaignOptions,
  tally: Tally,
): Promise<void> {
  mkdirSync(options.folder, { recursive: true })
  const expected = runSource(functions, options.folder)
  const compiled: Compiled[] = []
  for (const [index, of] of functions.entries()) {
    tally.functions++
    const made = await compile(of, options, tally)
    if (made) compiled.push({ of, index, made })
  }
  tally.accepted += compiled.length
  tally.undefinedCalls += expected.exact.flat().filter((r) => typeof r === 'string').length
  for (const on of options.cuda) {
    const given = compiled.flatMap(({ of, made }) =>
      made.cudaPlan ? [{ of, plan: made.cudaPlan, text: emitCudaLauncher(made.cudaPlan).text }] : [],
    )
    compareAll(compiled, expected, runCuda(given, options.folder, on, options.headers), on, tally)
  }
  if (options.webgpu) compareAll(compiled, expected, await runWgsl(compiled, options.webgpu, options), 'wgsl', tally)
}

async function compile(of: RandomFunction, options: CampaignOptions, tally: Tally): Promise<Optimized | undefined> {
  const fault = (kind: Finding['kind'], why: string): undefined => {
    tally.findings.push({ seed: of.seed, call: -1, on: 'compiler', kind, why })
    return undefined
  }
  try {
    const program = await parseC(of.text, `${of.seed}.c`, { wasm: options.wasm, function: of.name })
    return await optimize(program, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1, readWgsl: parseWgsl })
  } catch (e) {
    if (e instanceof DiagnosticError) return fault('refused', e.message)
    return fault('failed', e instanceof Error ? (e.stack ?? e.message) : String(e))
  }
}

/** The wrapper's functions by name. */
type Wrapper = Record<string, (given: object, options: object) => Promise<Record<string, ArrayLike<number>>>>
type Call = RandomFunction['calls'][number]
type Runner = (of: RandomFunction, call: Call) => Promise<Results>

async function runWgsl(compiled: readonly Compiled[], webgpu: WebGpu, options: CampaignOptions): Promise<BatchResults> {
  const all: (Results | string)[][] = []
  for (const { of, made } of compiled) {
    const results: (Results | string)[] = []
    try {
      const run = options.javascript ? wrapperRunner(made, webgpu, options.javascript) : planRunner(made, webgpu)
      for (const c of of.calls) results.push(await run(of, c).catch(sentenceOf))
    } catch (e) {
      results.push(...of.calls.slice(results.length).map(() => sentenceOf(e)))
    }
    all.push(results)
  }
  return all
}

const sentenceOf = (e: unknown): string => `WebGPU: ${e instanceof Error ? e.message : String(e)}`

function wrapperRunner(made: Optimized, webgpu: WebGpu, javascript: (text: string) => string): Runner {
  const { text, entry } = emitTypeScript(made.plan)
  const module: { exports: Wrapper } = { exports: {} }
  new Function('module', 'exports', javascript(text))(module, module.exports)
  const wrapper = module.exports[entry]! // declared by every wrapper
  return async (of, call) => {
    const arrays = arraysOf(of, call)
    const given = { ...lengthsOf(call), ...call.values, ...arrays, ...resultsGiven(of, made) }
    const results = await wrapper(given, { device: webgpu.device })
    return { ...arrays, ...results }
  }
}

const planRunner =
  (made: Optimized, webgpu: WebGpu): Runner =>
  async (of, call) => {
    const named = (list: readonly { readonly name: string }[]): Record<string, number> =>
      Object.fromEntries(list.map((x) => [x.name, call.values[x.name] ?? lengthOf(call, x.name) ?? 0]))
    const values = { sizes: named(made.plan.sizes), scalars: named(made.plan.scalars) }
    const arrays: Record<string, ReturnType<typeof hostArray>> = { ...arraysOf(of, call) }
    const result = made.plan.arrays.find((a) => a.name === 'result')
    if (of.result && result) arrays['result'] = hostArray(result.type, elementsOf(result, values))
    const found = await webgpu.runPlan(made.plan, values, arrays)
    // What is longer than what is reached comes back as long as that.
    return Object.fromEntries(
      Object.entries(arrays).map(([k, a]) => [
        k,
        [...Array.from(found[k] ?? [], Number), ...Array.from(a, Number).slice(found[k]?.length ?? 0)],
      ]),
    )
  }

const lengthsOf = (call: Call): Record<string, number> =>
  Object.fromEntries(Object.entries(call.arrays).map(([name, values]) => [`${name}_length`, values.length]))

/** A result that some paths do not write is the caller's before. */
function resultsGiven(of: RandomFunction, made: Optimized): Record<string, ReturnType<typeof typed>> {
  const isKept = made.plan.arrays.some((a) => a.name === 'result' && a.role === 'inout')
  return of.result && isKept ? { result: typed(of.result.type, [0]) } : {}
}

/** Fresh arrays of a call. */
const arraysOf = (of: RandomFunction, call: Call): Record<string, ReturnType<typeof typed>> =>
  Object.fromEntries(
    // every call has every array
    of.parameters.flatMap((p) => (p.kind === 'array' ? [[p.name, typed(p.type, call.arrays[p.name]!)]] : [])),
  )

function compareAll(
  compiled: readonly Compiled[],
  expected: SourceResults,
  found: BatchResults,
  on: 'wgsl' | 'host' | 'device',
  tally: Tally,
): void {
  for (const [i, { of, index }] of compiled.entries()) {
    for (const call of of.calls.keys()) {
      const want = expected.exact[index]![call]!, // one of each
        moved = expected.moved[index]![call]!
      const got = found[i]?.[call] ?? 'nothing came back'
      if (typeof want === 'string') continue
      const why =
        typeof got === 'string' ? got : differenceOf(of, want, typeof moved === 'string' ? want : moved, got, on, tally)
      if (typeof got !== 'string') tally.compared[on]++
      if (why === undefined) continue
      const kind =
        typeof got !== 'string'
          ? 'different'
          : /outside|crash|ends with|^nvcc:|^g\+\+:/.test(got)
            ? 'failed'
            : 'refused'
      tally.findings.push({ seed: of.seed, call, on, kind, why })
    }
  }
}

/** What rounded results may differ by, relative to the largest of their array. */
const roundedBound = 2e-4

function differenceOf(
  of: RandomFunction,
  want: Results,
  moved: Results,
  got: Results,
  on: 'wgsl' | 'host' | 'device',
  tally: Tally,
): string | undefined {
  for (const [name, expected] of Object.entries(want)) {
    const p = of.parameters.find((x) => x.name === name)
    const isRounded = p?.kind === 'array' ? p.isRounded : (of.result?.isRounded ?? false)
    const actual = got[name]
    if (!actual || actual.length < expected.length) return `${name} is missing or short`
    const values = Array.from(expected)
    const scale = values.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 1)
    const bound = isRounded ? roundedBound * scale : 0
    if (isRounded && values.some((v, i) => !near(v, moved[name]![i]!, bound))) {
      tally.unstable++ // both runs of the source write the same arrays
      continue
    }
    const isOpen = isRounded && on === 'wgsl' && values.some((v) => !Number.isFinite(v))
    if (isOpen) {
      tally.open++
      continue
    }
    tally.numbers += values.length
    // A sum of large numbers of both signs overflows in one order and not in another.
    const isOverflow = (i: number): boolean =>
      isRounded && !Number.isFinite(values[i]) && !Number.isFinite(moved[name]![i]) && !Number.isFinite(actual[i])
    const at = values.findIndex((v, i) => !near(v, actual[i]!, bound) && !isOverflow(i))
    if (at >= 0) return `${name}[${at}] is ${actual[at]} and should be ${values[at]}`
  }
  return undefined
}

const near = (want: number, got: number, bound: number): boolean =>
  want === got || (Number.isNaN(want) && Number.isNaN(got)) || Math.abs(want - got) <= bound

/** A line of figures: what was made, compared and found. */
export function tallyLine(t: Tally): string {
  const count = (kind: Finding['kind']): number =>
    new Set(t.findings.filter((f) => f.kind === kind).map((f) => f.seed)).size
  const { wgsl, host, device } = t.compared
  return (
    `${t.functions} functions, ${t.accepted} accepted; ${t.undefinedCalls} calls undefined; compared: ${wgsl} ` +
    `calls in WGSL, ${host} in CUDA on the host, ${device} in CUDA on the device, ${t.numbers} numbers; ` +
    `${t.unstable} arrays ` +
    `chaotic, ${t.open} with infinities in WGSL; ` +
    `functions different ${count('different')}, failed ${count('failed')}, refused ${count('refused')}`
  )
}
