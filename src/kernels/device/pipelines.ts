// In: launches and the buffers that they bind. Out: their pipelines and bind groups, made once. What a refused
// submission made is forgotten, as a device may refuse it again.
import type { Hook } from '../fusion/adapted-text.ts'
import { BufferRange, type Memory } from './memory.ts'
import { slot, type PreparedLaunch } from './prepared-launches.ts'

/** Bind groups by the buffers in them. */
interface Groups {
  readonly next: Map<Memory, Groups>
  group?: GPUBindGroup
}

export interface Pipeline {
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
  groups: Groups
}

/** Bind groups kept for launches with the same kernel and buffers. */
const mostGroups = 1024

export class Pipelines {
  readonly #device: GPUDevice
  readonly #made = new Map<string, Pipeline>()
  #grouped = 0

  constructor(device: GPUDevice) {
    this.#device = device
  }

  get size(): number {
    return this.#made.size
  }

  /** Keys of all that are made so far. */
  known(): ReadonlySet<string> {
    return new Set(this.#made.keys())
  }

  /** Keeps these alone, and no bind group. */
  keep(known: ReadonlySet<string>): void {
    for (const key of this.#made.keys()) if (!known.has(key)) this.#made.delete(key)
    this.#ungroup()
  }

  /** Of a launch with these hooks in its text. */
  of(launch: PreparedLaunch, hooks: readonly Hook[]): Pipeline {
    const known = this.#made.get(launch.key)
    if (known) return known
    const { layout, descriptor } = this.#described(launch, hooks)
    const made = { pipeline: this.#device.createComputePipeline(descriptor), layout, groups: groups() }
    this.#made.set(launch.key, made)
    return made
  }

  /** Makes the pipeline of a launch beside other work. What the device refuses is refused again where it is used. */
  async warm(launch: PreparedLaunch, hooks: readonly Hook[]): Promise<void> {
    if (this.#made.has(launch.key)) return
    const { layout, descriptor } = this.#described(launch, hooks)
    const pipeline = await this.#device.createComputePipelineAsync(descriptor).catch(() => null)
    if (pipeline && !this.#made.has(launch.key)) this.#made.set(launch.key, { pipeline, layout, groups: groups() })
  }

  #described(
    { kinds, name: label, entry, text }: PreparedLaunch,
    hooks: readonly Hook[],
  ): { readonly layout: GPUBindGroupLayout; readonly descriptor: GPUComputePipelineDescriptor } {
    const types = {
      uniform: 'uniform',
      constant: 'uniform',
      read: 'read-only-storage',
      'read-write': 'storage',
    } as const
    const layout = this.#device.createBindGroupLayout({
      entries: kinds.map((kind, binding) => ({
        binding,
        visibility: 4,
        buffer: { type: types[kind], hasDynamicOffset: kind === 'uniform' },
      })),
    })
    const module = this.#device.createShaderModule({ code: text(hooks), label })
    const all = this.#device.createPipelineLayout({ bindGroupLayouts: [layout] })
    return { layout, descriptor: { label, layout: all, compute: { module, entryPoint: entry } } }
  }

  /** The bind group of a launch with these buffers. */
  groupOf(pipeline: Pipeline, launch: PreparedLaunch, buffers: readonly Memory[], uniform: GPUBuffer): GPUBindGroup {
    if (this.#grouped >= mostGroups) this.#ungroup()
    let at = launch.uniform ? within(pipeline.groups, uniform) : pipeline.groups,
      own = 0
    for (const b of buffers) at = within(at, b)
    if (at.group) return at.group
    const entries = launch.kinds.map(
      (kind, binding): GPUBindGroupEntry => ({
        binding,
        resource: kind === 'uniform' ? { buffer: uniform, size: slot } : bound(buffers[own++]!),
      }),
    ) // one buffer per storage binding
    this.#grouped++
    return (at.group = this.#device.createBindGroup({ layout: pipeline.layout, entries }))
  }

  #ungroup(): void {
    for (const p of this.#made.values()) p.groups = groups()
    this.#grouped = 0
  }
}

const bound = (m: Memory): GPUBufferBinding => (m instanceof BufferRange ? m : { buffer: m })

const groups = (): Groups => ({ next: new Map() })

function within(all: Groups, buffer: Memory): Groups {
  let found = all.next.get(buffer)
  if (!found) all.next.set(buffer, (found = groups()))
  return found
}
