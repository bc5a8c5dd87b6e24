// In: a proved plan with its emitted texts, and what runs a text. Out: what is wrong with the texts, if anything. The
// one idea (translation validation; Pnueli, Siegel and Singerman 1998): the proof runs KernelIR, so that a fault of the
// emitter would pass it; here each text is read back as any stranger's kernel is, run at the smallest sizes that were
// proved, and compared with the reference; where that is further away than it may be (data of another run may be
// ill-conditioned), with what KernelIR leaves, bit for bit. WGSL is run here, CUDA in `ptx-texts.ts`. It does not judge
// steps on matrices, nor CUDA's blocks that meet.
import type { GpuProfile } from '../../gpus/index.ts'
import {
  bindingsOf,
  variantAt,
  executions,
  meets,
  planValue,
  type Dim3,
  type Emitted,
  type HostArray,
  type Kernel,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type PlanVariant,
  type Program,
  type Verified,
} from '../../ir/index.ts'
import { compileKernel, type Simulation } from '../../simulate/index.ts'
import type { ArrayData } from '../run-data.ts'
import { preparedFor, promisesOf, runSimulated } from './verify.ts'

/** What a reader of WGSL says of an entry point; `frontend/wgsl` makes it. */
export interface ReadText {
  readonly kernel: Verified<Kernel>
  readonly bindings: readonly { readonly resource: string; readonly binding: number }[]
  /** Parameters that hold the bytes of a buffer. */
  readonly sizes: readonly { readonly param: string; readonly resource: string }[]
  /** Constant arrays of the module. */
  readonly tables: readonly { readonly resource: string; readonly bytes: ArrayBuffer }[]
}

export type TextReader = (text: string, file: string, options: { readonly entry: string }) => ReadText

/** Runs the emitted text of a launch of one plan on `memory`, in place; all blocks. */
export interface TextRunner {
  readonly target: 'wgsl' | 'cuda'
  run(launch: PlanLaunch, grid: Dim3, at: PlanValues, memory: ArrayData): void
}

type Sizes = Readonly<Record<string, number>>

/** Bytes that a binding of WGSL must be a multiple of, where it holds vectors. */
const vectorBytes = 16

/**
 * What the texts of `plan` do else than the source, in a sentence; `undefined` when nothing. `sizes`: where the plan
 * was proved. A variant that none of them takes is not run.
 */
export function wrongText(
  program: Program,
  plan: Plan,
  sizes: readonly Sizes[],
  runner: TextRunner,
  seed: number,
  profile: GpuProfile,
): string | undefined {
  const promises = promisesOf(plan, runner.target)
  for (const variant of plan.variants) {
    const taking = sizes.filter((s) => taken(plan, s) === variant)
    const [least] = [...taking].sort((a, b) => elementsIn(a) - elementsIn(b))
    if (!least || meets(variant) || variant.launches.some((l) => l.matrices)) continue
    const { values, memory, expected } = preparedFor(program, plan, least, seed)
    if (taken(plan, values.sizes) !== variant) continue
    runTexts(variant, values, memory, runner)
    let ofKernels: ArrayData | undefined
    const isAsProved = (name: string): boolean => {
      ofKernels ??= memoryOfKernels(program, plan, least, seed, profile)
      return sameBits(memory[name]!, ofKernels[name]!) // plans have every parameter
    }
    for (const a of program.arrays) {
      if (a.role !== 'out' && a.role !== 'inout') continue
      const { error, allowed } = expected.error(a, memory[a.name]!, promises) // plans have every parameter
      if (error <= allowed || isAsProved(a.name)) continue
      const language = runner.target === 'wgsl' ? 'WGSL' : 'CUDA'
      return (
        `the ${language} text leaves ${a.name} off by ${error.toExponential(2)} at ${JSON.stringify(values.sizes)}; ` +
        `${allowed.toExponential(2)} is allowed`
      )
    }
  }
  return undefined
}

/** What the plan's kernels leave, whose text is judged; the proof has judged them on other data. */
function memoryOfKernels(program: Program, plan: Plan, at: Sizes, seed: number, profile: GpuProfile): ArrayData {
  const { values, memory } = preparedFor(program, plan, at, seed)
  runSimulated(plan, values, memory, profile)
  return memory
}

/** Whether two arrays of a kind hold the same bits. */
function sameBits(a: HostArray, b: HostArray): boolean {
  const [x, y] = [a, b].map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return x!.length === y!.length && x!.every((byte, i) => byte === y![i])
}

const elementsIn = (sizes: Sizes): number => Object.values(sizes).reduce((n, x) => n * Math.max(1, x), 1)

/** The variant at these sizes; undefined where a condition hangs on more than sizes. */
const taken = (plan: Plan, sizes: Sizes): PlanVariant | undefined => variantAt(plan, { sizes, scalars: {} })

/** Runs the texts of a variant on `memory`, in place. */
function runTexts(variant: PlanVariant, values: PlanValues, memory: ArrayData, runner: TextRunner): void {
  for (const { launch, values: at } of executions(variant, values)) {
    const grid = launch.grid.map((e) => planValue(e, at)) as unknown as Dim3 // three in, three out
    if (grid.every((g) => g > 0)) runner.run(launch, grid, at, memory)
  }
}

/** Runs WGSL as `read` understands it. */
export function wgslRunner(read: TextReader, profile: GpuProfile): TextRunner {
  const known = new Map<string, RunnableText>()
  const made = ({ text, entry }: Emitted): RunnableText => {
    const said = read(text, `${entry}.wgsl`, { entry })
    return { said, simulation: compileKernel(said.kernel, profile) }
  }
  return {
    target: 'wgsl',
    run: (launch, grid, at, memory) => {
      const emitted = launch.emitted!.wgsl! // a plan for WGSL has texts
      const text = known.get(emitted.text) ?? made(emitted)
      known.set(emitted.text, text)
      runText(text, launch, grid, at, memory)
    },
  }
}

/** A text as it was read, ready to run: hosts launch one again and again. */
interface RunnableText {
  readonly said: ReadText
  readonly simulation: Simulation
}

function runText(
  { said, simulation }: RunnableText,
  launch: PlanLaunch,
  grid: Dim3,
  at: PlanValues,
  memory: ArrayData,
): void {
  const bindings = bindingsOf(launch.kernel)
  const buffers: Record<string, ArrayBuffer> = {}
  const back: (() => void)[] = []
  for (const { resource, binding } of said.bindings) {
    const given = bindings.find((b) => b.binding === binding)?.resource.name
    if (given === undefined) {
      buffers[resource] = parameterBuffer(launch, at)
      continue
    }
    const array = memory[launch.arguments[given]!]! // every resource has its array, and memory has all
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    const padded = new Uint8Array(Math.max(1, Math.ceil(bytes.length / vectorBytes)) * vectorBytes)
    padded.set(bytes)
    buffers[resource] = padded.buffer
    back.push(() => bytes.set(padded.subarray(0, bytes.length)))
  }
  for (const t of said.tables) buffers[t.resource] = t.bytes
  const params = Object.fromEntries(said.sizes.map((s) => [s.param, buffers[s.resource]!.byteLength]))
  simulation.hazards({ grid, params, buffers }) // which nothing asks for: it runs all blocks, and counts nothing
  back.forEach((copy) => copy())
}

/** The parameters of a launch in a uniform buffer: four bytes each, in declared order. */
function parameterBuffer(launch: PlanLaunch, at: PlanValues): ArrayBuffer {
  const { params } = launch.kernel
  const bytes = new DataView(new ArrayBuffer(Math.ceil((params.length * 4) / vectorBytes) * vectorBytes))
  for (const [i, p] of params.entries()) {
    const value = planValue(launch.params[p.name]!, at) // every parameter has a value
    if (p.type === 'f32') bytes.setFloat32(4 * i, value, true)
    else bytes.setInt32(4 * i, value, true)
  }
  return bytes.buffer
}
