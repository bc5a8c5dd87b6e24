// In: a kernel, a launch, a GPU whose DRAM channels are known. Out: by site, how much longer its traffic takes because
// channels share it unevenly (partition camping). The one idea: blocks that run side by side drift apart by some rounds
// of their loops, so that a channel is crowded only where all that they ask of a site lies on few of them.
import type { GpuProfile } from '../gpus/index.ts'
import type { Dim3, Kernel, Launch, Trace, Verified } from '../ir/index.ts'
import { tracer } from './simulate.ts'
import { neighbours } from './trace.ts'

/** Blocks that are looked at side by side. */
const sideBySide = 32
/** Sectors of theirs that are recorded at most: it bounds memory and time. */
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
  const trace = tracer(kernel, profile)(launch, neighbours(launch.grid, profile), limit, { blind })
  if (!profile.dramChannels) return trace
  const together = sideBySideOf(kernel, profile, launch, blind)
  if (!together.whole) return trace // fewer blocks than run side by side would look uneven
  return { ...trace, unevenness: unevennessOf(together, profile.dramChannels, profile.sectorBytes) }
}

/** What blocks that are dealt out one after the other ask for. */
export const sideBySideOf = (kernel: Verified<Kernel>, profile: GpuProfile, launch: Launch, blind: boolean): Trace =>
  tracer(kernel, profile)(launch, consecutive(launch.grid), recorded, { blind })

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

/** By site: the pieces that its busiest channel serves ÷ those of an even share. */
function unevennessOf(
  trace: Trace,
  { count, bytes }: NonNullable<GpuProfile['dramChannels']>,
  sectorBytes: number,
): ReadonlyMap<number, number> {
  const loads = new Map<number, number[]>()
  for (const warp of trace.blocks.flatMap((b) => b.intervals.flat()))
    for (let at = 0; at < warp.length; at += 2 + warp[at + 1]!) {
      const load = loads.get(warp[at]!) ?? Array<number>(count).fill(0)
      loads.set(warp[at]!, load)
      for (let i = 0; i < warp[at + 1]!; i++)
        load[Math.floor((warp[at + 2 + i]! * sectorBytes) / bytes.value) % count]!++
    }
  const uneven = (load: readonly number[]): number =>
    Math.max(...load) / Math.ceil(load.reduce((a, b) => a + b, 0) / count)
  return new Map([...loads].map(([site, load]) => [site, uneven(load)]))
}
