// In: a plan with WGSL texts, sizes and arrays. Out: the arrays it writes, or how long it takes. The one idea: one
// object per device keeps pipelines; every creation stands in an error scope, so nothing invalid runs in silence. Works
// in browsers and with Dawn in Node. It neither emits nor checks results.
import { DiagnosticError, fail } from '../base/index.ts'
import {
  allVariants,
  bindingsOf,
  chooseVariant,
  executions,
  hostArray,
  needsBeyond,
  needsWords,
  planValue,
  runsOn,
  type HostArray,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanVariant,
  type PlanValues,
} from '../ir/index.ts'
import {
  checkInputs,
  gridOf,
  initialBytes,
  transferredBytes,
  parametersOf,
  summarize,
  type PlanArrays,
  type Timing,
  type TimingOptions,
} from './host.ts'

export interface WebGpuOptions {
  /** A device to use as it is. */
  readonly device?: GPUDevice
  /** Where to ask for an adapter; `navigator.gpu` when absent. */
  readonly gpu?: GPU
  /** Dawn's `create` (npm `webgpu`), for Node. */
  readonly create?: (options: string[]) => GPU
  /** Options for `create`, for instance `enable-dawn-features=allow_unsafe_apis`. */
  readonly toggles?: readonly string[]
}

/** What `create` returned: collected, Dawn would crash. */
const kept: GPU[] = []

const wantedFeatures = ['timestamp-query', 'subgroups', 'shader-f16'] as const
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxUniformBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
] as const

/**
 * Opens a device with all that the adapter offers of what kernels can use. Throws a `DiagnosticError` when there is
 * none.
 */
export async function openWebGpu(options: WebGpuOptions = {}): Promise<WebGpu> {
  if (options.device) return new WebGpu(options.device, null)
  // absent in Node
  const gpu = options.gpu ?? fromCreate(options) ?? (globalThis.navigator as Navigator | undefined)?.gpu
  if (!gpu)
    return fail(
      'webgpu.missing',
      'there is no WebGPU here',
      undefined,
      'use a browser that has it, or in Node install the package webgpu and pass its create',
    )
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter)
    return fail(
      'webgpu.adapter',
      'WebGPU found no adapter',
      undefined,
      'a driver may be missing; tesela doctor says what is there',
    )
  const features = wantedFeatures.filter((f) => adapter.features.has(f))
  const limits = Object.fromEntries(wantedLimits.map((name) => [name, adapter.limits[name]]))
  return new WebGpu(await adapter.requestDevice({ requiredFeatures: features, requiredLimits: limits }), adapter.info)
}

function fromCreate(options: WebGpuOptions): GPU | undefined {
  if (!options.create) return undefined
  const gpu = options.create([...(options.toggles ?? [])])
  kept.push(gpu)
  return gpu
}

interface Pipeline {
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
}
interface Step {
  readonly pipeline: GPUComputePipeline
  readonly bindings: GPUBindGroup
  readonly grid: readonly [number, number, number] /** Where its parameters begin; empty when it has none. */
  readonly offsets: readonly number[]
}
interface Prepared {
  readonly steps: readonly Step[]
  readonly buffers: ReadonlyMap<string, GPUBuffer>
  readonly own: readonly GPUBuffer[]
}

/** A device and the pipelines made on it. */
export class WebGpu {
  readonly device: GPUDevice
  readonly info: GPUAdapterInfo | null
  private readonly pipelines = new Map<string, Pipeline>()
  private problem: string | null = null
  private readonly inputs = new WeakMap<HostArray, GPUBuffer>()
  /**
   * Whether read-only arrays stay on the device between calls; the caller must not change them. For measuring many
   * variants.
   */
  keepInputs = false

  constructor(device: GPUDevice, info: GPUAdapterInfo | null) {
    this.device = device
    this.info = info
    device.addEventListener?.('uncapturederror', (event) => {
      this.problem ??= event.error.message
    })
    void device.lost.then((lost) => {
      if (lost.reason !== 'destroyed') this.problem ??= `the device was lost: ${lost.message}`
    })
  }

  /** Runs the plan once and returns every `out` and `inout` array, in new memory. */
  async runPlan(plan: Plan, values: PlanValues, arrays: PlanArrays): Promise<Record<string, HostArray>> {
    checkInputs(plan, values, arrays)
    const prepared = await this.prepare(plan, values, arrays)
    try {
      await this.checked(() => {
        const encoder = this.device.createCommandEncoder()
        this.encode(encoder, prepared.steps, 1)
        this.device.queue.submit([encoder.finish()])
      })
      return await this.readBack(plan, values, arrays, prepared)
    } finally {
      for (const buffer of prepared.own) buffer.destroy()
    }
  }

  /** Measures the plan: the median over samples, each of enough executions for the timer. */
  async timePlan(plan: Plan, values: PlanValues, arrays: PlanArrays, options: TimingOptions = {}): Promise<Timing> {
    checkInputs(plan, values, arrays)
    const prepared = await this.prepare(plan, values, arrays)
    const stopwatch = this.device.features.has('timestamp-query') ? await this.timestamps() : null
    try {
      return await this.measure(prepared.steps, options, stopwatch)
    } finally {
      for (const buffer of prepared.own) buffer.destroy()
      stopwatch?.destroy()
    }
  }

  /** Ends the device. */
  close(): void {
    this.device.destroy()
  }

  /** Does `work` and throws what the device found wrong with it. */
  private async checked<T>(work: () => T): Promise<T> {
    this.device.pushErrorScope('out-of-memory')
    this.device.pushErrorScope('validation')
    const result = work()
    const [invalid, memory] = await Promise.all([this.device.popErrorScope(), this.device.popErrorScope()])
    const message = invalid?.message ?? memory?.message ?? this.problem
    this.problem = null
    if (message) throw new DiagnosticError([{ severity: 'error', code: 'webgpu.error', message }])
    return result
  }

  /** The first variant that the device runs. */
  private variantOf(plan: Plan, values: PlanValues): PlanVariant {
    const { limits } = this.device
    const asked = chooseVariant(plan, values),
      others = allVariants(plan).filter((v) => runsOn(v, limits))
    if (runsOn(asked, limits)) return asked
    return others.some((v) => v.when === null || planValue(v.when, values) !== 0)
      ? chooseVariant(plan, values, undefined, (v) => runsOn(v, limits))
      : fail('webgpu.limits', `${plan.name} needs ${needsWords(needsBeyond(asked))}, and this device has fewer`)
  }

  private async prepare(plan: Plan, values: PlanValues, arrays: PlanArrays): Promise<Prepared> {
    const variant = this.variantOf(plan, values)
    const pipelines = await Promise.all(variant.launches.map((launch) => this.pipelineOf(launch)))
    return this.checked(() => {
      const own: GPUBuffer[] = []
      const buffers = new Map(
        plan.arrays.map((array) => {
          return [array.name, this.bufferOf(array, values, arrays[array.name], own)] as const
        }),
      )
      const runs = [...executions(variant, values)].flatMap((x) => {
        const grid = gridOf(x.launch, x.values, this.mostBlocks())
        return grid ? [{ ...x, grid }] : []
      })
      const { bytes, offsets } = this.parameters(runs)
      const parameters = bytes.length > 0 ? this.uniform(bytes) : null
      if (parameters) own.push(parameters)
      const used = new Set(runs.map((x) => x.position))
      const groups = variant.launches.map((launch, i) =>
        used.has(i) ? this.bind(launch, pipelines[i]!.layout, buffers, parameters) : null,
      ) // one pipeline per launch
      const steps = runs.map(
        ({ launch, position, grid }, i): Step => ({
          pipeline: pipelines[position]!.pipeline,
          bindings: groups[position]!,
          grid,
          offsets: launch.kernel.params.length > 0 ? [offsets[i]!] : [],
        }),
      ) // one offset per run
      return { steps, buffers, own }
    })
  }

  /**
   * The parameters of all runs, one after the other as dynamic offsets want them; runs with the same parameters share
   * them.
   */
  private parameters(runs: readonly { readonly launch: PlanLaunch; readonly values: PlanValues }[]): {
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly offsets: readonly number[]
  } {
    const unit = this.device.limits.minUniformBufferOffsetAlignment
    const known = new Map<string, number>()
    const parts: { readonly at: number; readonly bytes: Uint8Array }[] = []
    let size = 0
    const offsets = runs.map(({ launch, values }) => {
      const bytes = parameterBytes(launch, values),
        key = bytes.join()
      const at = known.get(key) ?? size
      if (at < size || bytes.length === 0) return at
      known.set(key, at)
      parts.push({ at, bytes })
      size += Math.ceil(bytes.length / unit) * unit
      return at
    })
    const bytes = new Uint8Array(size)
    for (const p of parts) bytes.set(p.bytes, p.at)
    return { bytes, offsets }
  }

  /** Arrays that plans only read stay on the device as long as their host array lives; all others are new and `own`. */
  private bufferOf(array: PlanArray, values: PlanValues, given: HostArray | undefined, own: GPUBuffer[]): GPUBuffer {
    const known = array.role === 'in' && given ? this.inputs.get(given) : undefined
    if (known && known.size >= transferredBytes(array, values, given)) return known
    const buffer = this.upload(initialBytes(array, values, given), array.name)
    if (array.role === 'in' && given && this.keepInputs) this.inputs.set(given, buffer)
    else own.push(buffer)
    return buffer
  }

  private uniform(bytes: Uint8Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.device.createBuffer({
      label: 'parameters',
      size: bytes.length,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    })
    this.device.queue.writeBuffer(buffer, 0, bytes)
    return buffer
  }

  private mostBlocks(): readonly [number, number, number] {
    const n = this.device.limits.maxComputeWorkgroupsPerDimension
    return [n, n, n]
  }

  private upload(bytes: Uint8Array<ArrayBuffer>, label: string): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes.length / 16) * 16)
    if (size > this.device.limits.maxStorageBufferBindingSize) {
      fail(
        'webgpu.size',
        `${label} has ${bytes.length} bytes, and this device binds at most ` +
          `${this.device.limits.maxStorageBufferBindingSize}`,
      )
    }
    const usage =
      GPUBufferUsage.STORAGE |
      GPUBufferUsage.COPY_SRC |
      GPUBufferUsage.COPY_DST |
      (size <= 65536 ? GPUBufferUsage.UNIFORM : 0)
    const buffer = this.device.createBuffer({ label, size, usage })
    const whole = Math.floor(bytes.length / 4) * 4
    this.device.queue.writeBuffer(buffer, 0, bytes, 0, whole)
    if (whole < bytes.length) {
      const rest = new Uint8Array(4)
      rest.set(bytes.subarray(whole))
      this.device.queue.writeBuffer(buffer, whole, rest)
    }
    return buffer
  }

  private bind(
    launch: PlanLaunch,
    layout: GPUBindGroupLayout,
    buffers: ReadonlyMap<string, GPUBuffer>,
    parameters: GPUBuffer | null,
  ): GPUBindGroup {
    const bindings = bindingsOf(launch.kernel)
    const entries: GPUBindGroupEntry[] = bindings.map(({ resource, binding }) => {
      const buffer = buffers.get(launch.arguments[resource.name] ?? '')
      return {
        binding,
        resource: {
          buffer:
            buffer ??
            fail('run.argument', `kernel ${launch.kernel.name} has no array for its resource ${resource.name}`),
        },
      }
    })
    if (launch.kernel.params.length > 0 && parameters)
      entries.push({
        binding: bindings.length,
        resource: { buffer: parameters, size: Math.ceil(launch.kernel.params.length / 4) * 16 },
      })
    return this.device.createBindGroup({ layout, entries })
  }

  private async pipelineOf(launch: PlanLaunch): Promise<Pipeline> {
    const wgsl = launch.emitted?.wgsl ?? fail('run.text', `kernel ${launch.kernel.name} has no WGSL text`)
    const known = this.pipelines.get(wgsl.text)
    if (known) return known
    const made = await this.checked(() => this.createPipeline(launch, wgsl))
    this.pipelines.set(wgsl.text, made)
    return made
  }

  private createPipeline(launch: PlanLaunch, wgsl: { readonly text: string; readonly entry: string }): Pipeline {
    const bindings = bindingsOf(launch.kernel)
    const types = { uniform: 'uniform', read: 'read-only-storage', 'read-write': 'storage' } as const
    const entries: GPUBindGroupLayoutEntry[] = bindings.map(({ binding, kind }) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: types[kind] },
    }))
    if (launch.kernel.params.length > 0)
      entries.push({
        binding: bindings.length,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: 'uniform', hasDynamicOffset: true },
      })
    const layout = this.device.createBindGroupLayout({ entries })
    const module = this.device.createShaderModule({ code: wgsl.text, label: launch.kernel.name })
    const pipelineLayout = this.device.createPipelineLayout({ bindGroupLayouts: [layout] })
    return {
      layout,
      pipeline: this.device.createComputePipeline({
        layout: pipelineLayout,
        compute: { module, entryPoint: wgsl.entry },
      }),
    }
  }

  private encode(
    encoder: GPUCommandEncoder,
    steps: readonly Step[],
    repeats: number,
    timestampWrites?: GPUComputePassTimestampWrites,
  ): void {
    const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {})
    for (let i = 0; i < repeats; i++) {
      for (const step of steps) {
        pass.setPipeline(step.pipeline)
        pass.setBindGroup(0, step.bindings, step.offsets)
        pass.dispatchWorkgroups(...step.grid)
      }
    }
    pass.end()
  }

  private async readBack(
    plan: Plan,
    values: PlanValues,
    given: PlanArrays,
    prepared: Prepared,
  ): Promise<Record<string, HostArray>> {
    const results: Record<string, HostArray> = {}
    for (const array of plan.arrays) {
      if (array.role === 'in' || array.role === 'temp') continue
      const bytes = transferredBytes(array, values, given[array.name])
      const data = await this.readBuffer(prepared.buffers.get(array.name)!, bytes) // made from plan.arrays
      results[array.name] = hostArray(array.type, data)
    }
    return results
  }

  private async readBuffer(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    const size = Math.max(4, Math.ceil(bytes / 4) * 4)
    const staging = this.device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ })
    await this.checked(() => {
      const encoder = this.device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, size)
      this.device.queue.submit([encoder.finish()])
    })
    await staging.mapAsync(GPUMapMode.READ)
    const data = staging.getMappedRange().slice(0, bytes)
    staging.destroy()
    return data
  }

  private async timestamps(): Promise<Stopwatch> {
    return this.checked(() => ({
      ...timestampObjects(this.device),
      destroy() {
        this.queries.destroy()
        this.resolve.destroy()
      },
    }))
  }

  /** Nanoseconds that `repeats` executions take; with the raw end time, to find the timer's quantum. */
  private async sample(
    steps: readonly Step[],
    repeats: number,
    stopwatch: Stopwatch | null,
  ): Promise<{ readonly ns: number; readonly end: bigint }> {
    const start = performance.now()
    await this.checked(() => {
      const encoder = this.device.createCommandEncoder()
      const writes = stopwatch
        ? { querySet: stopwatch.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 }
        : undefined
      this.encode(encoder, steps, repeats, writes)
      if (stopwatch) encoder.resolveQuerySet(stopwatch.queries, 0, 2, stopwatch.resolve, 0)
      this.device.queue.submit([encoder.finish()])
    })
    if (!stopwatch) {
      await this.device.queue.onSubmittedWorkDone()
      return { ns: (performance.now() - start) * 1e6, end: 0n }
    }
    const [begin = 0n, end = 0n] = new BigUint64Array(await this.readBuffer(stopwatch.resolve, 16))
    return { ns: Number(end - begin), end }
  }

  private async measure(steps: readonly Step[], options: TimingOptions, stopwatch: Stopwatch | null): Promise<Timing> {
    const ends: bigint[] = []
    const take = async (repeats: number): Promise<number> => {
      const { ns, end } = await this.sample(steps, repeats, stopwatch)
      ends.push(end)
      return ns
    }
    for (let i = 0; i < (options.warmup ?? 3); i++) await take(1)
    let repeats = 1,
      quantum = stopwatch ? quantumOf(ends) : 0
    const long = (): number => Math.max(options.minSampleNs ?? 1e6, 20 * quantum)
    for (let ns = await take(1); ns < long() && repeats < maxRepeats; ns = await take(repeats)) {
      repeats = Math.min(
        maxRepeats,
        ns > 0 ? Math.ceil(repeats * Math.min(16, Math.max(1.2, (1.2 * long()) / ns))) : repeats * 16,
      )
      quantum = stopwatch ? quantumOf(ends) : 0
    }
    for (let busy = 0; busy < (options.warmupNs ?? 5e7); ) busy += Math.max(1e5, await take(repeats))
    const samples: number[] = []
    for (let i = 0; i < (options.samples ?? 9); i++) samples.push(await take(repeats))
    return summarize(samples, repeats, stopwatch ? 'timestamps' : 'wall clock', stopwatch ? quantumOf(ends) : 0)
  }
}

/** Repetitions of a launch in one measurement, for kernels far below the resolution of the timer. */
const maxRepeats = 4096

interface Stopwatch {
  readonly queries: GPUQuerySet
  readonly resolve: GPUBuffer
  destroy(): void
}

function timestampObjects(device: GPUDevice): { readonly queries: GPUQuerySet; readonly resolve: GPUBuffer } {
  return {
    queries: device.createQuerySet({ type: 'timestamp', count: 2 }),
    resolve: device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC }),
  }
}

/** Greatest common divisor of the times seen: 100 µs or 65,536 ns where a browser coarsens them, 1 where not. */
function quantumOf(times: readonly bigint[]): number {
  let divisor = 0n
  for (const t of times)
    for (let a = t, b = divisor; ; [a, b] = [b, a % b])
      if (b === 0n) {
        divisor = a
        break
      }
  return Number(divisor)
}

/** Parameters as the module's `Params` has them: four bytes each. */
function parameterBytes(launch: PlanLaunch, values: PlanValues): Uint8Array<ArrayBuffer> {
  const params = parametersOf(launch, values)
  const view = new DataView(new ArrayBuffer(params.length * 4))
  params.forEach(({ type, value }, i) => {
    if (type === 'f32' || type === 'f16') view.setFloat32(4 * i, value, true)
    else if (type === 'i32') view.setInt32(4 * i, value, true)
    else view.setUint32(4 * i, value, true)
  })
  return new Uint8Array(view.buffer)
}
