// The report of what ran. In: a function that uses the library. Out: for each kernel that it launched, at the sizes it
// had, what `tesela explain` says of it, beside its measured time. The one idea: the core has the text, the grid, the
// parameters and the buffers of every launch, which is all that `explain` needs. Loaded only when asked for: the
// compiler's front end comes along.
import { explain, explainPortable, type ExplainReport } from '../explain/index.ts'
import { gpu, gpuIn, type GpuProfile } from '../gpus/index.ts'
import { explainLines, plain } from '../report/index.ts'
import type { Core, LaunchStep } from './device/core.ts'
import type { Cost } from './device/prepared-launches.ts'
import { units } from './matmul/problem.ts'
import { bound, timed } from './device/profiling.ts'

export interface ExplainWorkOptions {
  /**
   * The profile to predict for (`h200`), or `portable`; when absent that of the device, by its name, else `portable`.
   */
  readonly gpu?: string
  /** Counts and prediction only: no search for hazards, no findings. */
  readonly brief?: boolean
}

/** A kernel that ran, at one size. */
export interface ExplainedWork extends Cost {
  readonly kernel: string
  /** How often it ran at this size. */
  readonly times: number
  /** The least of its measured times in nanoseconds; `null` where the device has no timestamps. */
  readonly ns: number | null
  /** Nanoseconds that memory and arithmetic need at least at the device's peaks; `null` when those are not known. */
  readonly boundNs: number | null
  /** The text that was compiled. */
  readonly wgsl: string
  /** `tesela.explain/1`. Buffers hold zeros where contents do not matter, random numbers elsewhere. */
  readonly report: ExplainReport
  /** The report as the terminal shows it, with the measured time. */
  readonly text: string
}

/**
 * Runs `f`, and explains what it launched. Products stay off matrix units meanwhile, whose kernels cannot be read.
 * Throws a `DiagnosticError` where a kernel cannot be read or is too much to run.
 */
export async function explainWork(
  core: Core,
  f: () => unknown,
  options: ExplainWorkOptions = {},
): Promise<readonly ExplainedWork[]> {
  const submissions = await withoutUnits(core, () => timed(core, f, true))
  const runs = new Map<string, { readonly step: LaunchStep; readonly ns: (number | null)[] }>()
  for (const { steps, ns } of submissions) {
    for (const [i, step] of steps.entries()) {
      const key = JSON.stringify([step.launch.key, step.launch.grid, paramsOf(step), step.buffers.map((b) => b.size)])
      const known = runs.get(key) ?? { step, ns: [] }
      known.ns.push(ns?.[i] ?? null)
      runs.set(key, known)
    }
  }
  return [...runs.values()].map(({ step, ns }) => explained(core, step, ns, options))
}

async function withoutUnits<T>(core: Core, run: () => Promise<T>): Promise<T> {
  const own = units.get(core)
  units.delete(core)
  try {
    return await run()
  } finally {
    if (own) units.set(core, own)
  }
}

/** The profile of a device, by its name. */
export const profileOf = (core: Core): GpuProfile | null =>
  gpuIn(`${core.info?.architecture} ${core.info?.device} ${core.info?.description}`)

function explained(
  core: Core,
  step: LaunchStep,
  ns: readonly (number | null)[],
  { gpu: name, brief = false }: ExplainWorkOptions,
): ExplainedWork {
  const profile = name === 'portable' ? null : name !== undefined ? gpu(name) : profileOf(core)
  const { name: kernel, grid } = step.launch,
    wgsl = step.launch.text(step.hooks),
    source = { text: wgsl, file: `${kernel}.wgsl` }
  const launch = { grid, buffers: buffersOf(step, wgsl), args: argumentsOf(step, wgsl) }
  const report = profile
    ? explain(source, launch, { gpu: profile, brief, maxBytes: mostBytes })
    : explainPortable(source, launch, { brief, maxBytes: mostBytes })
  const measured = ns.filter((n) => n !== null),
    least = measured.length > 0 ? Math.min(...measured) : null
  const runs = ns.length === 1 ? 'once' : `${ns.length} times`
  const fastest = least === null ? '' : `, measured ${(least / 1000).toFixed(1)} µs at least`
  const head = `${kernel}: ran ${runs}${fastest}`
  return {
    kernel,
    times: ns.length,
    ns: least,
    ...step.cost,
    boundNs: bound(core, step.cost),
    wgsl,
    report,
    text: [head, ...explainLines(report, plain)].join('\n'),
  }
}

/** Bytes of all buffers of a launch that are simulated. */
const mostBytes = 2 ** 32

/** Bytes of every binding that the text uses, by name. */
function buffersOf(step: LaunchStep, wgsl: string): Readonly<Record<string, { readonly bytes: number }>> {
  const names = [...wgsl.matchAll(/@binding\((\d+)\) var<(?:storage[^>]*|uniform)> (?!params\b)(\w+)/g)]
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map((m) => m[2] ?? '')
  return Object.fromEntries(
    names.flatMap((name, i) =>
      wgsl.includes(`${name}[`) ? [[name, { bytes: step.buffers[i]?.size ?? 0 }] as const] : [],
    ),
  )
}

/** Values of the parameters, in order. */
const paramsOf = ({ launch, hooks }: LaunchStep): readonly number[] => [
  ...launch.sizes,
  ...hooks.flatMap((h) => h.fields.map((f) => f.value)),
  ...launch.wanted,
]

/** Values of the parameters, by member. */
function argumentsOf(step: LaunchStep, wgsl: string): Readonly<Record<string, number>> {
  const members = [...(/struct Params \{\n([^}]*)\}/.exec(wgsl)?.[1] ?? '').matchAll(/(\w+):/g)].map(
    (m) => `params.${m[1]}`,
  )
  const params = paramsOf(step)
  return Object.fromEntries(members.map((name, i) => [name, params[i] ?? 0]))
}
