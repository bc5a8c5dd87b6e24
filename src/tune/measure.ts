// In: the name of a way to run kernels. Out: a `Measurer`: runs and times plans on the device of this machine. The one
// idea: both targets behind two calls, so that the search does not know which it has.
import type { Arrays } from './run-data.ts'
import { fail } from '../base/index.ts'
import type { Plan, PlanValues } from '../ir/index.ts'
import { openCuda, openWebGpu, type Timing, type TimingOptions } from '../run/index.ts'

export interface Measurer {
  /** The device, as it names itself. */
  readonly name: string
  readonly target: 'wgsl' | 'cuda'
  run(plan: Plan, values: PlanValues, arrays: Arrays): Promise<Arrays>
  time(plan: Plan, values: PlanValues, arrays: Arrays): Promise<Timing>
  close(): void
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
 * compilers leave it idle for seconds.
 */
async function timed(warm: () => number, f: (options: TimingOptions) => Promise<Timing>): Promise<Timing> {
  const once = await f({ samples: 1, warmup: 0, minSampleNs: 1, warmupNs: 0 })
  if (once.ns > 8 * long) return once
  const result = await f(once.ns > long ? { samples: 3, warmup: 0 } : { ...protocol, warmupNs: warm() })
  warm()
  return result
}

/** Opens the device. Throws a `DiagnosticError` that says what is missing. */
export async function openMeasurer(on: 'webgpu' | 'cuda'): Promise<Measurer> {
  return on === 'cuda' ? openOnCuda() : openWebGpuMeasurer()
}

async function openOnCuda(): Promise<Measurer> {
  const cuda = await openCuda()
  const warm = warmup()
  return {
    name: `${cuda.name} (CUDA)`,
    target: 'cuda',
    run: async (plan, values, arrays) => cuda.runPlan(plan, values, arrays),
    time: (plan, values, arrays) => timed(warm, async (options) => cuda.timePlan(plan, values, arrays, options)),
    close: () => cuda.close(),
  }
}

/** The same for WebGPU alone, for pages. */
export async function openWebGpuMeasurer(): Promise<Measurer> {
  const gpu = await openWebGpu((await dawn()) ?? {})
  gpu.keepInputs = true
  const warm = warmup()
  return {
    name: `${gpu.info?.description || gpu.info?.device || gpu.info?.vendor || 'a GPU'} (WebGPU)`,
    target: 'wgsl',
    run: (plan, values, arrays) => gpu.runPlan(plan, values, arrays),
    time: (plan, values, arrays) => timed(warm, (options) => gpu.timePlan(plan, values, arrays, options)),
    close: () => gpu.close(),
  }
}

/**
 * Dawn for Node with timestamps as the device has them, when there is no `navigator.gpu`. Throws a `DiagnosticError`
 * when the package is missing.
 */
export async function dawn(): Promise<{ create: (options: string[]) => GPU; toggles: readonly string[] } | undefined> {
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
