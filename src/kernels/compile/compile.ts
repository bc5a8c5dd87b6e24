// `compile`: a C function becomes an operation on tensors. In: its text. Out: the operation, proved, when the
// compiler's thread has made it. The one idea: what was made is kept by everything that it depends on (text, options,
// device, compiler), here and on disk or in IndexedDB, so that a program compiles on its first run only.
import { setLast } from '../../base/index.ts'
import type { Core } from '../device/core.ts'
import { checkOptions } from '../checks.ts'
import { refuse, TeselaError } from '../error.ts'
import type { OperationArguments } from '../operation/argument-sizes.ts'
import { operation, type Operation, type OperationResults } from '../operation/operation.ts'
import { storeHere, type Store } from '../tune/store.ts'
import type { CompileAnswer, CompileProblem, CompileReport, CompileRequest, Compiled } from './protocol.ts'
import type { WorkerMaker } from './thread.ts'

export interface CompileOptions {
  /** Which function, where the text has several that could be meant. */
  readonly function?: string
  /** The text's name in messages; `operation.c` when absent. */
  readonly file?: string
  /** Macros by name. */
  readonly defines?: Readonly<Record<string, string | number>>
  /** Sizes to plan for, where `#pragma tesela sizes(…)` does not say them. Any others run, too. */
  readonly sizes?: Readonly<Record<string, number>>
  /** `f32`: doubles are computed as floats; without it they are refused. */
  readonly precision?: 'f32'
  /** The GPU profile to plan for (`tesela gpus`); that of the device when absent. */
  readonly gpu?: string
  /** Candidates that the model looks at for each loop nest; 24 when absent. */
  readonly budget?: number
  /** Of the search and of the proof's data. */
  readonly seed?: number
  /** Kernels for other shapes than the planned one, too: few or short rows. Takes three to four times as long. */
  readonly shapes?: boolean
  /** Where to keep what was made; `null`: nowhere. A file in Node and IndexedDB in pages when absent. */
  readonly store?: Store | null
  /** `compiler` of `tesela/compile`, in pages that a bundler makes; elsewhere the package's own worker is found. */
  readonly worker?: WorkerMaker
  readonly signal?: AbortSignal
}

/** What `compile` gives. */
export interface CompiledOperation<A = OperationArguments, R = OperationResults> extends Operation<A, R> {
  readonly report: CompileReport
}

/** What is wrong with the source, each with its place; the message has all of it. */
export class CompileError extends TeselaError {
  readonly problems: readonly CompileProblem[]

  constructor(problems: readonly CompileProblem[]) {
    const [first] = problems
    super(first?.code ?? 'compile.error', problems.map(said).join('\n'), first?.hint ?? undefined)
    this.name = 'CompileError'
    this.problems = problems
  }
}

const said = ({ file, line, column, message }: CompileProblem): string =>
  line === null ? message : `${file}:${line}:${column}: ${message}`

/**
 * Compiles a C function away from this thread. Array parameters are tensors, `const` ones inputs; sizes follow from
 * shapes. Throws a `CompileError` with the places of what is wrong, or a `TeselaError`.
 */
export async function compile<A = OperationArguments, R = OperationResults>(
  core: Core,
  source: string,
  options: CompileOptions = {},
): Promise<CompiledOperation<A, R>> {
  const request = requestOf(core, source, options),
    key = await keyOf(request)
  const known = recent.get(key) ?? madeOf(key, request, options)
  setLast(recent, key, known, mostRecent)
  try {
    const { data, report } = await known
    return Object.assign(operation<A, R>(data, core), { report })
  } catch (e) {
    recent.delete(key)
    throw e
  }
}

/** What was compiled last, or is being compiled. */
const recent = new Map<string, Promise<Compiled>>(),
  mostRecent = 64

const optionNames: readonly (keyof CompileOptions)[] = [
  'function',
  'file',
  'defines',
  'sizes',
  'precision',
  'gpu',
  'budget',
  'seed',
  'shapes',
  'store',
  'worker',
  'signal',
]

function requestOf(core: Core, source: string, options: CompileOptions): CompileRequest {
  if (typeof source !== 'string') refuse('compile.source', 'compile takes the text of a C function')
  if (/@compute\b|\b__global__\b|\b__kernel\b|#version\b/.test(source))
    refuse(
      'compile.source',
      'compile takes the text of a C function, and this is a shader or a kernel',
      'write what it computes as plain loops over all elements',
    )
  checkOptions('compile', options, optionNames)
  const { precision, budget, seed, shapes, info } = { ...options, info: core.info }
  if (precision !== undefined && precision !== 'f32')
    refuse('compile.option', `precision is 'f32' or left out, not ${String(precision)}`)
  if (budget !== undefined && !(Number.isInteger(budget) && budget > 0))
    refuse('compile.option', `budget must be an integer from 1, not ${budget}`)
  if (shapes !== undefined && typeof shapes !== 'boolean')
    refuse('compile.option', `shapes is true or false, not ${String(shapes)}`)
  const all = Object.entries({ ...options.defines, ...options.sizes })
  return {
    source,
    file: options.file ?? 'operation.c',
    function: options.function ?? null,
    defines: Object.fromEntries(all.map(([name, value]) => [name, String(value)])),
    precision: precision ?? null,
    gpu: options.gpu ?? null,
    device: [info?.vendor, info?.architecture, info?.device, info?.description].filter((w) => w).join(' '),
    budget: budget ?? null,
    seed: seed ?? null,
    shapes: shapes ?? false,
  }
}

/** Of everything that the compiler is made of; set when the package is built. */
declare const TESELA_COMPILER: string | undefined
const compiler = typeof TESELA_COMPILER === 'string' ? TESELA_COMPILER : null

async function keyOf(request: CompileRequest): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([compiler, request]))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return `operation-${[...hash.subarray(0, 16)].map((b) => b.toString(16).padStart(2, '0')).join('')}`
}

async function madeOf(key: string, request: CompileRequest, options: CompileOptions): Promise<Compiled> {
  const store = compiler === null ? null : options.store === undefined ? await storeHere() : options.store
  const stored = compiledIn((await store?.read(key)) ?? null)
  if (stored) return stored
  const { ask } = await import('./thread.ts')
  const made = madeBy(await ask(request, options.worker, options.signal))
  // what cannot be kept is compiled again
  await store?.write(key, JSON.stringify(made)).catch(() => {})
  return made
}

function madeBy(answer: CompileAnswer): Compiled {
  switch (answer.kind) {
    case 'made':
      return { data: answer.data, report: answer.report }
    case 'refused':
      throw new CompileError(answer.problems)
    case 'failed':
      return refuse('compile.internal', `the compiler failed, which is a fault of Tesela: ${answer.message}`)
  }
}

/** What a store holds under a key of this compiler; nothing where the text is not whole. */
function compiledIn(text: string | null): Compiled | null {
  if (text === null) return null
  try {
    const { data, report } = JSON.parse(text) as Partial<Compiled> // looked at below
    return data?.format === 1 && report ? { data, report } : null
  } catch {
    return null
  }
}
