// In: a step of an experiment and the bytes of its buffers. Out: the kernel with its buffers bound, as a launch for the
// simulator or a plan for a device; and how many channels of DRAM its warps address at once. No contents matter here
// but those of `plan`.
import { parseWgsl, type WgslKernel } from '../frontend/wgsl/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import { bytesOf, eachRequest, int, type Dim3, type Launch, type Plan } from '../ir/index.ts'
import { tracer } from '../simulate/index.ts'
import type { Step } from './types.ts'

/** Bytes by variable, as a report of `explain` says. */
export type BytesByBuffer = ReadonlyMap<string, number>

/** WGSL with each override as a constant. */
export const fixOverrides = (text: string, overrides: Readonly<Record<string, number>> = {}): string =>
  text.replace(
    /^override (\w+): (\w+) = ([^;]+);/gm,
    (_, name: string, type: string, value: string) => `const ${name}: ${type} = ${overrides[name] ?? value};`,
  )

/** Devices get the text that was counted. */
const fixed = ({ text, launch }: Step): string => fixOverrides(text, launch.overrides)

const read = (step: Step): WgslKernel => parseWgsl(fixed(step), `${step.name}.wgsl`, {})

/** A plan of one launch. */
export function planOf(step: Step, bytes: BytesByBuffer): Plan {
  const wgsl = read(step),
    [x, y, z] = step.launch.grid
  const named = new Map(wgsl.bindings.map((b) => [b.resource, bytes.get(b.name) ?? 16]))
  const bound = wgsl.kernel.resources.filter((r) => named.has(r.name))
  return {
    name: wgsl.entry,
    sizes: [],
    scalars: [],
    arrays: bound.map((r) => ({
      name: r.name,
      type: r.type,
      shape: [int(Math.ceil((named.get(r.name) ?? 16) / bytesOf[r.type]))],
      role: r.access === 'read' ? 'in' : 'inout',
    })),
    variants: [
      {
        when: null,
        launches: [
          {
            kernel: wgsl.kernel,
            grid: [int(x), int(y), int(z)],
            arguments: Object.fromEntries(bound.map((r) => [r.name, r.name])),
            params: {},
            emitted: { wgsl: { target: 'wgsl', entry: wgsl.entry, text: fixed(step) } },
          },
        ],
      },
    ],
  }
}

/** Blocks that are looked at together. */
const mostBlocks = 64

/**
 * Distinct channels that the first requests of neighbouring blocks address together, of the access that uses fewest.
 * Null where a GPU's channels are not known, or nothing is read.
 */
export function channelsOf(step: Step, bytes: BytesByBuffer, gpu: GpuProfile): number | null {
  if (!gpu.dramChannels) return null
  const wgsl = read(step)
  const buffers = Object.fromEntries([
    ...wgsl.bindings.map((b) => [b.resource, new ArrayBuffer(bytes.get(b.name) ?? 16)] as const),
    ...wgsl.tables.map((t) => [t.resource, t.bytes] as const),
  ])
  const launch: Launch = {
    grid: step.launch.grid,
    params: Object.fromEntries(wgsl.sizes.map((s) => [s.param, buffers[s.resource]?.byteLength ?? 0])),
    buffers,
  }
  const blocks = Array.from({ length: Math.min(mostBlocks, step.launch.grid[0]) }, (_, i): Dim3 => [i, 0, 0])
  const trace = tracer(wgsl.kernel, gpu)(launch, blocks, 1e6, { blind: true })
  const {
    count,
    bytes: { value: run },
  } = gpu.dramChannels
  const used = new Map<number, Set<number>>()
  for (const warp of trace.blocks.flatMap((b) => b.intervals.flat())) {
    const seen = new Set<number>()
    eachRequest(warp, (site, from, to) => {
      if (seen.has(site)) return
      seen.add(site)
      const channels = used.get(site) ?? new Set()
      used.set(site, channels)
      for (let i = from; i < to; i++) channels.add(Math.floor((warp[i]! * gpu.sectorBytes) / run) % count)
    })
  }
  return used.size === 0 ? null : Math.min(...[...used.values()].map((s) => s.size))
}
