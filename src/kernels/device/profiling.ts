// What the device did while `f` ran. In: work. Out: its launches, each with its time, or the time of all of them. The
// one idea: a clock on the core sees every submission; where there is none, nothing is measured and nothing is paid.
import type { Clock, Core, Peaks, LaunchStep } from './core.ts'
import type { Cost } from './prepared-launches.ts'
import { described } from '../checks.ts'
import { refuse } from '../error.ts'
import { usage } from './buffer-pool.ts'

/** One launch as `profile` saw it. */
export interface Profiled extends Cost {
  readonly kernel: string
  /** Nanoseconds; `null` where the device has no timestamps. */
  readonly ns: number | null
  /** Nanoseconds that memory and arithmetic need at least at the device's peaks; `null` when those are not known. */
  readonly boundNs: number | null
}

/** The launches of one submission, and their nanoseconds: of each, or of all of them in the first. */
export interface Submission {
  readonly steps: readonly LaunchStep[]
  readonly ns: readonly number[] | null
}

/** Runs `f` and returns the launches it made, in order, each timed alone. */
export async function profile(core: Core, f: () => unknown): Promise<readonly Profiled[]> {
  const times = await timed(core, f, true)
  return times.flatMap(({ steps, ns }) =>
    steps.map(
      (s, i): Profiled => ({
        kernel: s.launch.name,
        ns: ns?.[i] ?? null,
        ...s.cost,
        boundNs: bound(core, s.cost, onUnits(s.launch.name)),
      }),
    ),
  )
}

/**
 * Runs `f` and returns the nanoseconds that the device took for all its launches together; `null` where it has no
 * timestamps.
 */
export async function time(core: Core, f: () => unknown): Promise<number | null> {
  const times = await timed(core, f, false)
  return times.reduce<number | null>((sum, { ns }) => (sum === null || ns === null ? null : sum + (ns[0] ?? 0)), 0)
}

/** Runs `f` and returns its submissions; with `each`, every launch is a pass of its own. */
export async function timed(core: Core, f: () => unknown, each: boolean): Promise<readonly Submission[]> {
  if (typeof f !== 'function') refuse('profile.function', `what is timed is a function, not ${described(f)}`)
  if (core.clock) refuse('profile.nested', 'profile and time cannot run inside of each other')
  core.checkWaits('profile')
  core.flush()
  const seen: { readonly steps: readonly LaunchStep[]; readonly ns: Promise<readonly number[] | null> }[] = []
  const clock: Clock = {
    each,
    start: (device, steps, passes) => {
      if (!device.features.has('timestamp-query')) {
        seen.push({ steps, ns: Promise.resolve(null) })
        return null
      }
      const queries = device.createQuerySet({ type: 'timestamp', count: 2 * passes })
      return {
        writes: (i) => ({ querySet: queries, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 }),
        stop: (encoder) => {
          seen.push({ steps, ns: resolved(device, encoder, queries, passes) })
        },
      }
    },
  }
  core.clock = clock
  try {
    await f()
    await core.sync()
  } finally {
    core.clock = null
  }
  return Promise.all(seen.map(async ({ steps, ns }) => ({ steps, ns: await ns })))
}

// NVIDIA's data sheet; units without sparsity
const h200: Peaks = { bytesPerSecond: 4.8e12, flopPerSecond: 66.9e12, unitFlopPerSecond: 989e12 }

/** Whether a launch multiplies on matrix units (`matrices/`): three products of f16 for one of f32. */
export const onUnits = (kernel: string): boolean => kernel.startsWith('matrices ')

/**
 * Nanoseconds that memory and arithmetic (of matrix `units`) need at least at the device's peaks; `null` when those are
 * not known.
 */
export function bound(core: Core, { bytes, flop }: Cost, units = false): number | null {
  const peaks = core.peaks ?? (/h200/i.test(`${core.info?.description} ${core.info?.device}`) ? h200 : null)
  return (
    peaks &&
    1e9 *
      Math.max(
        bytes / peaks.bytesPerSecond,
        units ? (3 * flop) / (peaks.unitFlopPerSecond ?? Infinity) : flop / peaks.flopPerSecond,
      )
  )
}

/** Encodes the resolve; the nanoseconds of each pass once it has run. */
function resolved(
  device: GPUDevice,
  encoder: GPUCommandEncoder,
  queries: GPUQuerySet,
  count: number,
): Promise<readonly number[] | null> {
  const size = 16 * count
  const resolve = device.createBuffer({ size, usage: usage.queryResolve | usage.copySource })
  const staging = device.createBuffer({ size, usage: usage.mapRead | usage.copyTarget })
  encoder.resolveQuerySet(queries, 0, 2 * count, resolve, 0)
  encoder.copyBufferToBuffer(resolve, 0, staging, 0, size)
  const collect = async (): Promise<readonly number[] | null> => {
    await Promise.resolve() // the encoder is submitted by then
    await staging.mapAsync(1)
    const raw = new BigUint64Array(staging.getMappedRange().slice(0))
    for (const b of [resolve, staging, queries]) b.destroy()
    return Array.from({ length: count }, (_, i) => Math.max(0, Number((raw[2 * i + 1] ?? 0n) - (raw[2 * i] ?? 0n))))
  }
  return collect().catch(() => null) // the batch failed, which is said elsewhere
}
