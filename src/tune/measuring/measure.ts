// In: the name of a way to run kernels. Out: a `Measurer`: runs and times plans on the device of this machine. The one
// idea: both targets behind two calls, so that the search does not know which it has.
import type { ArrayData } from '../run-data.ts'
import { fail } from '../../base/index.ts'
import type { Plan, PlanValues } from '../../ir/index.ts'
import { openCuda, openWebGpu, type Timing, type TimingOptions } from '../../run/index.ts'
import type { ClockedTiming, Steady } from './steady-clocks.ts'

export interface Measurer {
  /** The device, as it names itself. */
  readonly name: string
  readonly target: 'wgsl' | 'cuda'
  /** Why clocks and temperature are not checked, in a sentence; absent where they are, or where nobody asked. */
  readonly unchecked?: string
  run(plan: Plan, values: PlanValues, arrays: ArrayData): Promise<ArrayData>
  time(plan: Plan, values: PlanValues, arrays: ArrayData): Promise<ClockedTiming>
  close(): void
}

export interface MeasurerOptions {
  /** Who measures with the same clocks before and after on the device of that name (`steadily`); or why nobody can. */
  readonly steadyOn?: (device: string) => Promise<Steady | { readonly unchecked: string }>
}

const protocol = { samples: 9, warmup: 2, minSampleNs: 3e6 } as const
/** Plans that take longer, nanoseconds, are measured three times; those that take eight times as long, once. */
const long = 5e8

/** A device that has been idle for half a second needs about a second to reach its clocks again (seen on an H200). */
function warmup(): () => number {
  let last = -Infinity
  return () => {
    const idle = performance.now() - last > 500
    last = performance.now()
    return idle ? 1e9 : 1.5e8
  }
}

/**
 * Runs `f` once, so that everything is compiled, then in earnest, and remembers when the device was last busy:
 * compilers leave it idle for seconds. Where its clocks can be known, they are looked at after the device is warm.
 */
async function timed(
  warm: () => number,
  f: (options: TimingOptions) => Promise<Timing>,
  steady?: Steady,
): Promise<ClockedTiming> {
  const once = await f(onceMore)
  const options = once.ns > 8 * long ? null : once.ns > long ? { samples: 3, warmup: 0 } : protocol
  const inEarnest = async (): Promise<Timing> => {
    const result = await f(options === protocol ? { ...protocol, warmupNs: warm() } : (options ?? onceMore))
    warm()
    return result
  }
  if (!steady) return options ? inEarnest() : once
  if (options === protocol) await f({ ...onceMore, warmupNs: warm() })
  warm()
  return steady(inEarnest)
}

const onceMore = { samples: 1, warmup: 0, minSampleNs: 1, warmupNs: 0 } as const

/** Opens the device. Throws a `DiagnosticError` that says what is missing. */
export async function openMeasurer(on: 'webgpu' | 'cuda', options: MeasurerOptions = {}): Promise<Measurer> {
  return on === 'cuda' ? openOnCuda(options) : openWebGpuMeasurer(options)
}

/** Who measures steadily, or why nobody does. */
async function steadyMeasurer({ steadyOn }: MeasurerOptions, name: string) {
  const found = await steadyOn?.(name)
  return typeof found === 'function' ? { steady: found } : { ...found }
}

async function openOnCuda(options: MeasurerOptions): Promise<Measurer> {
  const cuda = await openCuda()
  const warm = warmup()
  const name = `${cuda.name} (CUDA)`
  const { steady, ...unchecked } = await steadyMeasurer(options, name)
  return {
    name,
    target: 'cuda',
    ...unchecked,
    run: async (plan, values, arrays) => cuda.runPlan(plan, values, arrays),
    time: (plan, values, arrays) => timed(warm, async (how) => cuda.timePlan(plan, values, arrays, how), steady),
    close: () => cuda.close(),
  }
}

/** The same for WebGPU alone, for pages. */
export async function openWebGpuMeasurer(options: MeasurerOptions = {}): Promise<Measurer> {
  const gpu = await openWebGpu((await dawnForMeasuring()) ?? {})
  gpu.keepInputs = true
  const warm = warmup()
  const name = `${gpu.info?.description || gpu.info?.device || gpu.info?.vendor || 'a GPU'} (WebGPU)`
  const { steady, ...unchecked } = await steadyMeasurer(options, name)
  return {
    name,
    target: 'wgsl',
    ...unchecked,
    run: (plan, values, arrays) => gpu.runPlan(plan, values, arrays),
    time: (plan, values, arrays) => timed(warm, (how) => gpu.timePlan(plan, values, arrays, how), steady),
    close: () => gpu.close(),
  }
}

/**
 * Dawn for Node with timestamps as the device has them, when there is no `navigator.gpu`. Throws a `DiagnosticError`
 * when the package is missing.
 */
export async function dawnForMeasuring(): Promise<
  { create: (options: string[]) => GPU; toggles: readonly string[] } | undefined
> {
  if ((globalThis.navigator as Navigator | undefined)?.gpu) return undefined // browsers
  const name = 'webgpu' // a variable, so that bundlers leave the optional package alone
  try {
    // optional package, no types wanted
    const module = (await import(/* @vite-ignore */ name)) as { create: (options: string[]) => GPU; globals: object }
    Object.assign(globalThis, module.globals)
    return {
      create: module.create,
      toggles: ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization'],
    }
  } catch {
    return fail(
      'webgpu.missing',
      'measuring WebGPU from Node needs the package webgpu',
      undefined,
      'npm install webgpu',
    )
  }
}
