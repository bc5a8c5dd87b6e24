// In: a kernel, a launch, a GPU whose DRAM channels are known. Out: by site, how much longer its traffic takes because
// channels share it unevenly (partition camping). The one idea: blocks that run side by side are about as far as each
// other, so that what counts is which channels one step of all of them asks for together, not the sum over the launch.
import type { GpuProfile } from '../gpus/index.ts'
import type { Dim3, Kernel, Launch, Trace, Verified } from '../ir/index.ts'
import { tracer } from './simulate.ts'
import { neighbours } from './trace.ts'

/** Blocks that are looked at side by side, and the sectors of theirs that are recorded. */
const sideBySide = 32
const recorded = 1e5

export interface TraceOptions {
  /** Sectors that the trace for the caches holds. */
  readonly limit: number
  readonly blind: boolean
}

/** What some blocks that share a multiprocessor ask for; where channels are known, with their uneven share. */
export function traceOf(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
  launch: Launch,
  { limit, blind }: TraceOptions,
): Trace {
  const record = tracer(kernel, profile)
  const trace = record(launch, neighbours(launch.grid, profile), limit, { blind })
  if (!profile.dramChannels) return trace
  const together = record(launch, consecutive(launch.grid), recorded, { blind })
  return { ...trace, unevenness: unevennessOf(together, profile.dramChannels, profile.sectorBytes) }
}

/** Blocks from the middle of the grid on, in the order in which they are dealt out. */
function consecutive([x, y, z]: Dim3): readonly Dim3[] {
  const total = x * y * z
  const count = Math.min(sideBySide, total)
  const first = count * Math.floor(total / count / 2)
  return Array.from({ length: count }, (_, i): Dim3 => {
    const b = first + i
    return [b % x, Math.floor(b / x) % y, Math.floor(b / (x * y))]
  })
}

/** By site: the pieces that the busiest channel of each step serves ÷ those of an even share, over all steps. */
function unevennessOf(
  trace: Trace,
  { count, bytes }: NonNullable<GpuProfile['dramChannels']>,
  sectorBytes: number,
): ReadonlyMap<number, number> {
  const steps = new Map<string, { readonly site: number; readonly loads: number[] }>()
  for (const { intervals } of trace.blocks)
    for (const [interval, warps] of intervals.entries())
      for (const warp of warps) {
        const turns = new Map<number, number>()
        for (let at = 0; at < warp.length; at += 2 + warp[at + 1]!) {
          const site = warp[at]!
          const turn = turns.get(site) ?? 0
          turns.set(site, turn + 1)
          const key = `${site} ${interval} ${turn}`
          const step = steps.get(key) ?? { site, loads: Array<number>(count).fill(0) }
          steps.set(key, step)
          for (let i = 0; i < warp[at + 1]!; i++)
            step.loads[Math.floor((warp[at + 2 + i]! * sectorBytes) / bytes.value) % count]!++
        }
      }
  const sums = new Map<number, { busiest: number; even: number }>()
  for (const { site, loads } of steps.values()) {
    const sum = sums.get(site) ?? { busiest: 0, even: 0 }
    sums.set(site, {
      busiest: sum.busiest + Math.max(...loads),
      even: sum.even + Math.ceil(loads.reduce((a, b) => a + b, 0) / count),
    })
  }
  return new Map([...sums].map(([site, { busiest, even }]) => [site, busiest / even]))
}
