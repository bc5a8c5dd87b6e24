// In: a kernel, a launch, a GPU whose DRAM channels are known. Out: by site, how much longer its traffic takes because
// channels share it unevenly (partition camping). The one idea: blocks that run side by side drift apart by some rounds
// of their loops, so that a channel is crowded only where all that they ask of a site lies on few of them.
import { occupancy, type GpuProfile } from '../gpus/index.ts'
import {
  allStatements,
  eachRequest,
  isCached,
  sharedBytesOf,
  type Dim3,
  type Kernel,
  type Launch,
  type Trace,
  type Verified,
} from '../ir/index.ts'
import { dramStretch, type SiteKind } from './dram-queues.ts'
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
  /** Whether DRAM's queues are simulated where its chips are known, half a second a launch; else channels count. */
  readonly queues: boolean
}

/** What some blocks that share a multiprocessor ask for; where channels are known, with their uneven share. */
export function traceOf(
  kernel: Verified<Kernel>,
  profile: GpuProfile,
  launch: Launch,
  { limit, blind, queues }: TraceOptions,
): Trace {
  const trace = tracer(kernel, profile)(launch, neighbours(launch.grid, profile), limit, { blind })
  if (!profile.dramChannels) return trace
  const stretch = queues ? stretchOf(kernel, profile, launch, blind) : undefined
  if (stretch !== undefined) return { ...trace, dramStretch: stretch }
  const together = sideBySideOf(kernel, profile, launch, blind)
  if (!together.whole) return trace // fewer blocks than run side by side would look uneven
  return { ...trace, unevenness: unevennessOf(together, profile.dramChannels, profile.sectorBytes) }
}

/** Sectors that are recorded for the queues of DRAM, and how many times the blocks that run at once. */
const queued = 8e5
const rounds = 5

/** How much longer DRAM takes than its pins; undefined where its chips are not known or blocks ask for too much. */
function stretchOf(kernel: Verified<Kernel>, profile: GpuProfile, launch: Launch, blind: boolean): number | undefined {
  if (!profile.dramChips?.betweenNs) return undefined
  const threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
  const { activeBlocks } = occupancy(profile, { threads, registers: 1, shared: sharedBytesOf(kernel) })
  const resident = Math.max(1, activeBlocks)
  const blocks = consecutive(launch.grid, rounds * resident * profile.multiprocessors)
  const trace = (some: readonly Dim3[]): Trace => tracer(kernel, profile)(launch, some, queued, { blind })
  const [middle] = blocks.slice(blocks.length >> 1)
  if (!middle || sectorsOf(trace([middle])) * blocks.length > queued) return undefined
  const asked = trace(blocks)
  return asked.whole ? dramStretch(asked, sitesOf(kernel), profile, resident) : undefined
}

/** Sectors that a trace holds. */
function sectorsOf({ blocks }: Trace): number {
  let sum = 0
  for (const warp of blocks.flatMap((b) => b.intervals.flat()))
    eachRequest(warp, (_, from, to) => {
      sum += to - from
    })
  return sum
}

/** Memory statements in program order: a site's number is its place. */
function sitesOf(kernel: Kernel): readonly SiteKind[] {
  const cached = new Set(kernel.resources.filter((r) => isCached(r) && r.space !== 'texture').map((r) => r.name))
  return allStatements(kernel.body).flatMap((s) =>
    s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'
      ? [{ writes: s.kind !== 'load', counts: cached.has(s.address.resource) }]
      : [],
  )
}

/** What blocks that are dealt out one after the other ask for. */
export const sideBySideOf = (kernel: Verified<Kernel>, profile: GpuProfile, launch: Launch, blind: boolean): Trace =>
  tracer(kernel, profile)(launch, consecutive(launch.grid, sideBySide), recorded, { blind })

/** Blocks from the middle of the grid on, in the order in which they are dealt out. */
function consecutive([x, y, z]: Dim3, most: number): readonly Dim3[] {
  const total = x * y * z
  const count = Math.min(most, total)
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
    eachRequest(warp, (site, from, to) => {
      const load = loads.get(site) ?? Array<number>(count).fill(0)
      loads.set(site, load)
      for (let i = from; i < to; i++) load[Math.floor((warp[i]! * sectorBytes) / bytes.value) % count]!++
    })
  const uneven = (load: readonly number[]): number =>
    Math.max(...load) / Math.ceil(load.reduce((a, b) => a + b, 0) / count)
  return new Map([...loads].map(([site, load]) => [site, uneven(load)]))
}
