// In: a C function as text. Out: an operation as data, found and proved as `optimize` does it, with what a report
// needs of it. It knows no device and no thread: `worker.ts` runs it beside a page, the command line by itself.
import { parseC, type ParserFiles } from '../frontend/c/index.ts'
import { parseWgsl } from '../frontend/wgsl/index.ts'
import { gpu, gpuIn, type GpuProfile } from '../gpus/index.ts'
import type { CompileReport, OperationData } from '../kernels/index.ts'
import { optimize, type Optimized, type OptimizeOptions } from '../tune/index.ts'
import { operationData } from './operation-data.ts'
import { inPrecision } from './precision.ts'

export interface CompileSettings {
  /** Which function, where the text has several. */
  readonly function?: string
  /** The text's name in messages. */
  readonly file?: string
  /** Macros, and values of sizes to plan for. */
  readonly defines?: Readonly<Record<string, string>>
  /** The text of an included file by its path, or undefined. */
  readonly include?: (path: string) => string | undefined
  /** `f32`: doubles are computed as floats. */
  readonly precision?: 'f32'
  readonly gpu: GpuProfile
  readonly budget?: number
  readonly seed?: number
  /** Kernels for other shapes of the data than the planned one, too. */
  readonly shapes?: boolean
  readonly progress?: NonNullable<OptimizeOptions['progress']>
  readonly wasm?: ParserFiles
}

export interface PlannedOperation {
  readonly data: OperationData
  readonly report: CompileReport
  readonly optimized: Optimized
}

const hints = {
  wide: 'compute with int and unsigned',
  double: "compute in single precision with precision 'f32', or write float",
} as const

/** Throws a `DiagnosticError` with everything that is wrong with the text. */
export async function compileOperation(text: string, settings: CompileSettings): Promise<PlannedOperation> {
  const { file = 'operation.c', defines = {}, include, wasm, precision, budget, seed, shapes, progress } = settings
  const read = await parseC(text, file, {
    defines,
    ...(include && { include }),
    ...(wasm && { wasm }),
    ...(settings.function !== undefined && { function: settings.function }),
  })
  const program = inPrecision(read, { wgsl: true, single: precision === 'f32', hints })
  const optimized = await optimize(program, {
    gpu: settings.gpu,
    targets: ['wgsl'],
    readWgsl: parseWgsl,
    ...(budget !== undefined && { budget }),
    ...(seed !== undefined && { seed }),
    ...(shapes === true && { shapes: 'made' as const }),
    ...(progress && { progress }),
  })
  return { data: operationData(optimized.plan), report: reportOf(optimized, settings.gpu), optimized }
}

function reportOf(o: Optimized, profile: GpuProfile): CompileReport {
  const { verified } = o
  return {
    name: o.program.name,
    gpu: profile.name,
    planned: Object.fromEntries(o.program.sizes.map((s) => [s.name, s.planned])),
    predictedNs: o.kernels.reduce((ns, k) => ns + k.prediction.ns, 0),
    boundNs: o.lowerBound.ns,
    kernels: o.kernels.map((k) => ({ name: k.name, launches: k.launches, steps: k.steps })),
    verified: {
      sizes: verified.sizes,
      maxRelativeError: verified.maxRelativeError,
      bound: verified.bound,
    },
    notes: o.program.notes ?? [],
  }
}

/** The profile to plan for: that of the device, by its words, else one of its maker's, else an H200. */
export function profileFor(device: string): GpuProfile {
  const maker = Object.entries(makers).find(([word]) => device.toLowerCase().includes(word))
  return gpuIn(device) ?? gpu(maker?.[1] ?? 'h200')
}

const makers: Readonly<Record<string, string>> = {
  nvidia: 'h200',
  apple: 'apple-m1',
  intel: 'intel-xe',
  amd: 'rdna2',
  arm: 'mali-g78',
  qualcomm: 'adreno-740',
}
