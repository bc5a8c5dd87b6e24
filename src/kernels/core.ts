// A device with what all operations share: buffers that come back, pipelines made once, work recorded and submitted in
// batches, problems that no one else would see. In: plans and buffers. Out: work on the queue. The one idea: an operation
// only notes its launches; everything that talks to the device happens in `flush`, inside error scopes.
import { folded, hookWidth, withHook, withParams, type Hook } from './adapt.ts'
import { refuse, TeselaError } from './error.ts'
import { Pool, usage } from './pool.ts'
import { evaluate, unpack, type Kind, type Recipe, type RecipeLaunch, type RecipePlan, type RecipeVariant, type Sizes } from './recipe.ts'

/** Kinds of devices that schedules differ for. */
export type Tuning = 'nvidia' | 'generic' | 'software'

/** Streaming multiprocessors or their like, guessed: WebGPU does not say. An H200 has 132. */
export const coresOf: Readonly<Record<Tuning, number>> = { nvidia: 132, generic: 32, software: 4 }

export interface Peaks { readonly bytesPerSecond: number; readonly flopPerSecond: number }

export interface CoreOptions {
  readonly tuning?: Tuning
  /** What the device can do at most, for rooflines; known for an H200. */
  readonly peaks?: Peaks
  /** Workgroups along an axis of a grid; the device's limit when absent. Longer grids are folded. */
  readonly longestGrid?: number
  /** Bytes of free buffers that are kept for later results; 1 GiB when absent. */
  readonly keepBytes?: number
}

/** What a launch must do at least: bytes moved to and from memory, floating-point operations. */
export interface Cost { readonly bytes: number; readonly flop: number }

/** One launch as `profile` saw it. */
export interface Profiled extends Cost {
  readonly kernel: string
  /** Nanoseconds; `null` where the device has no timestamps. */
  readonly ns: number | null
  /** Nanoseconds that memory and arithmetic need at least at the device's peaks; `null` when those are not known. */
  readonly boundNs: number | null
}

interface Step {
  readonly name: string
  readonly key: string
  readonly text: () => string
  readonly entry: string
  readonly kinds: readonly Kind[]
  readonly buffers: readonly GPUBuffer[]
  readonly params: readonly (readonly [type: string, value: number])[]
  readonly grid: readonly [number, number, number]
  readonly cost: Cost
}

interface Pipeline { readonly pipeline: GPUComputePipeline; readonly layout: GPUBindGroupLayout; readonly number: number }

interface Timed { readonly steps: readonly Step[]; readonly ns: Promise<readonly number[] | null> }

/** What is measured: each launch in a pass of its own, or all of a submission in one. */
interface Clock { readonly each: boolean; readonly times: Timed[] }

export interface Work {
  /** The recipe's name: pipelines are kept under it. */
  readonly module: string
  readonly recipe: Recipe
  readonly plan: string
  readonly sizes: Sizes
  readonly arrays: Readonly<Record<string, GPUBuffer>>
  readonly cost: Cost
  readonly hooks?: readonly Hook[]
  /** Stands for the hooks' texts in the cache of pipelines. */
  readonly hookKey?: string
}

/** Launches recorded before they are submitted without being asked for. */
const batch = 256
const slot = 256
/** Bind groups kept for launches with the same kernel and buffers. */
const mostGroups = 1024
/** Bytes of buffers to be destroyed for which a batch is submitted early. */
const unswept = 1 << 28
const h200: Peaks = { bytesPerSecond: 4.8e12, flopPerSecond: 66.9e12 } // NVIDIA's data sheet

export class Core {
  readonly device: GPUDevice
  readonly tuning: Tuning
  private readonly peaks: Peaks | undefined
  private readonly longestGrid: number
  private readonly storage: Pool
  private readonly staging: Pool
  private readonly uniforms: Pool
  private readonly pipelines = new Map<string, Pipeline>()
  private readonly texts = new Map<Recipe, readonly string[]>()
  private steps: Step[] = []
  private checks: Promise<void> = Promise.resolve()
  private problem: TeselaError | null = null
  private readonly groups = new Map<string, GPUBindGroup>()
  private readonly numbers = new WeakMap<GPUBuffer, number>()
  private named = 0
  private clock: Clock | null = null
  private closed = false
  private spare: GPUBuffer | undefined

  constructor(device: GPUDevice, info: GPUAdapterInfo | null, options: CoreOptions = {}) {
    this.device = device
    this.tuning = options.tuning ?? tuningOf(info)
    this.peaks = options.peaks ?? (/H200/.test(`${info?.description} ${info?.device}`) ? h200 : undefined)
    this.longestGrid = Math.min(options.longestGrid ?? Infinity, device.limits.maxComputeWorkgroupsPerDimension)
    this.storage = new Pool(device, usage.storage | usage.copySource | usage.copyTarget, options.keepBytes ?? 2 ** 30)
    this.staging = new Pool(device, usage.mapRead | usage.copyTarget, 1 << 26)
    this.uniforms = new Pool(device, usage.uniform | usage.copyTarget, 1 << 22)
    void device.lost.then((lost) => { if (!this.closed) this.fail('device.lost', `the device was lost: ${lost.message}`) })
  }

  // ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A buffer for `bytes`. Throws when the device cannot bind so many. */
  take(bytes: number, what: string): GPUBuffer {
    this.alive()
    const most = Math.min(this.device.limits.maxStorageBufferBindingSize, this.device.limits.maxBufferSize)
    if (bytes > most) refuse('device.size', `${what} has ${bytes} bytes, and this device binds at most ${most}`, 'work on parts of it')
    return this.storage.take(bytes, (make) => this.scoped(make))
  }

  /** A small buffer for bindings that a fused kernel does not read. */
  get unused(): GPUBuffer {
    return (this.spare ??= this.take(256, 'a spare buffer'))
  }

  give(buffer: GPUBuffer): void {
    if (this.closed) return
    this.storage.give(buffer)
    if (this.storage.doomedBytes > unswept) this.flush()
  }

  /** Copies host memory to a buffer, after all work recorded before. */
  write(buffer: GPUBuffer, data: ArrayBufferView<ArrayBuffer>): void {
    this.flush()
    this.device.queue.writeBuffer(buffer, 0, data.buffer, data.byteOffset, data.byteLength)
  }

  /** Records nothing but the copy, submits, and waits for the bytes. Throws when anything before it failed. */
  async read(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    this.alive()
    const staging = this.staging.take(bytes, (make) => this.scoped(make))
    this.flush()
    this.scoped(() => {
      const encoder = this.device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, Math.ceil(bytes / 4) * 4)
      this.device.queue.submit([encoder.finish()])
    })
    const checks = this.checks
    try { await staging.mapAsync(1) } catch (e) { this.fail('device.map', `results cannot be read: ${(e as Error).message}`) } // mapAsync rejects with errors
    await checks
    this.alive()
    const data = staging.getMappedRange(0, Math.ceil(bytes / 4) * 4).slice(0, bytes)
    staging.unmap()
    this.staging.give(staging)
    return data
  }

  /** Waits until all work recorded so far is done. Throws when any of it failed. */
  async sync(): Promise<void> {
    this.flush()
    await this.device.queue.onSubmittedWorkDone().catch(() => {}) // rejected when the device is lost, which is said elsewhere
    await this.checks
    this.alive()
  }

  /** Buffers created so far, free bytes, and pipelines. */
  get statistics(): Sizes {
    return { ...this.storage.statistics, pipelines: this.pipelines.size }
  }

  /** Ends the device's use; a device that the caller gave stays alive when `keep` is set. */
  close(keep = false): void {
    if (this.closed) return
    this.flush()
    this.closed = true
    if (!keep) this.device.destroy()
  }

  private alive(): void {
    if (this.closed) refuse('device.closed', 'the device is closed')
    if (this.problem) throw this.problem
  }

  private fail(code: string, message: string): void {
    this.problem ??= new TeselaError(code, message)
  }

  // ── recording ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether this device can run every launch of a plan for these sizes. */
  fits(recipe: Recipe, plan: string, sizes: Sizes): boolean {
    const made = recipe.plans[plan]
    return made !== undefined && made.variants.some((v) => this.possible(v, sizes))
  }

  private possible(v: RecipeVariant, sizes: Sizes): boolean {
    const { maxComputeInvocationsPerWorkgroup: threads, maxComputeWorkgroupSizeX: x, maxComputeWorkgroupStorageSize: shared } = this.device.limits
    return (v.when === null || evaluate(v.when, sizes) !== 0) && v.launches.every((l) => l.threads <= Math.min(threads, x) && l.shared <= shared)
  }

  /** Records the launches of a plan. */
  record(work: Work): void {
    this.alive()
    const plan = work.recipe.plans[work.plan] ?? refuse('internal.plan', `there is no plan ${work.plan}`)
    const variant = plan.variants.find((v) => this.possible(v, work.sizes)) ?? refuse('device.limits', `this device cannot run ${work.module}: its workgroups are too small`)
    const temps = this.temporaries(plan, work)
    const arrays = { ...work.arrays, ...temps }
    const cost = { bytes: work.cost.bytes / variant.launches.length, flop: work.cost.flop / variant.launches.length }
    for (const launch of variant.launches) this.steps.push(this.stepOf(work, launch, arrays, cost))
    for (const buffer of Object.values(temps)) this.give(buffer)
    if (this.steps.length >= batch) this.flush()
  }

  private temporaries(plan: RecipePlan, work: Work): Record<string, GPUBuffer> {
    return Object.fromEntries(plan.temps.map(([name, elements]) => [name, this.take(4 * evaluate(elements, work.sizes), `scratch memory of ${work.module}`)]))
  }

  private stepOf(work: Work, launch: RecipeLaunch, arrays: Readonly<Record<string, GPUBuffer>>, cost: Cost): Step {
    const plain = this.textsOf(work.recipe)[launch.text] ?? ''
    const hooks = (work.hooks ?? []).filter((h) => hookWidth(plain, h.array) > 0)
    const wanted = launch.grid.map((v) => evaluate(v, work.sizes)) as [number, number, number] // three axes
    const most = this.longestGrid
    const fold = wanted.some((n) => n > most)
    const total = wanted[0] * wanted[1] * wanted[2]
    const rows = Math.ceil(total / most)
    if (rows > most) refuse('device.grid', `${work.module} needs ${total} workgroups, and this device allows ${most} × ${most}`, 'work on parts of the arrays')
    const extra = hooks.flatMap((h) => h.bindings)
    const own = launch.bind.map(([name]) => arrays[name] ?? refuse('internal.array', `${work.module} has no array ${name}`))
    const given = launch.params.length > 0, uniform = given || fold || hooks.some((h) => h.fields.length > 0)
    const text = (): string => {
      let at = launch.bind.length + (uniform ? 1 : 0)
      let fused = uniform && !given ? withParams(plain, launch.bind.length) : plain
      for (const h of hooks) { fused = withHook(fused, h, at); at += h.bindings.length }
      return fold ? folded(fused) : fused
    }
    const count = own.length + extra.length, mostBuffers = this.device.limits.maxStorageBuffersPerShaderStage
    const fields = launch.params.length + hooks.reduce((n, h) => n + h.fields.length, 0) + 3
    if (count > mostBuffers || fields > slot / 4) {
      refuse('device.operands', `${work.module} would need ${count} arrays and ${fields} parameters at once, and this device allows ${mostBuffers} and ${slot / 4}`, 'split the expression')
    }
    return {
      name: `${work.module} ${work.plan}${launch.name === work.module ? '' : ` ${launch.name}`}`, entry: launch.name, text,
      key: `${work.module}/${launch.text}/${hooks.length > 0 ? work.hookKey : ''}/${fold}`,
      kinds: [...launch.bind.map(([, kind]) => kind), ...(uniform ? ['uniform' as const] : []), ...extra.map(() => 'read' as const)],
      buffers: [...own, ...extra.map((b) => b.buffer)],
      params: [
        ...launch.params.map(([type, v]) => [type, evaluate(v, work.sizes)] as const),
        ...hooks.flatMap((h) => h.fields.map((f) => [f.type, f.value] as const)),
        ...(fold ? wanted.map((n) => ['u32', n] as const) : []),
      ],
      grid: fold ? [Math.min(total, most), rows, 1] : wanted, cost,
    }
  }

  private textsOf(recipe: Recipe): readonly string[] {
    const known = this.texts.get(recipe)
    if (known) return known
    const texts = unpack(recipe)
    this.texts.set(recipe, texts)
    return texts
  }

  // ── submitting ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Submits what is recorded. Problems show at the next `read` or `sync`. */
  flush(): void {
    const steps = this.steps.filter((s) => s.grid.every((n) => n > 0))
    this.steps = []
    if (steps.length > 0 && !this.problem) this.scoped(() => this.submit(steps))
    for (const pool of [this.storage, this.staging, this.uniforms]) pool.sweep()
  }

  private submit(steps: readonly Step[]): void {
    const uniform = this.parameters(steps)
    const encoder = this.device.createCommandEncoder()
    const passes = this.clock?.each ? steps.map((step, n) => [n, [step]] as const) : [[0, steps] as const]
    const queries = this.clock && this.device.features.has('timestamp-query') ? this.device.createQuerySet({ type: 'timestamp', count: 2 * passes.length }) : null
    for (const [i, [first, own]] of passes.entries()) {
      const pass = encoder.beginComputePass(queries ? { timestampWrites: { querySet: queries, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 } } : undefined)
      this.encode(pass, own, uniform, first)
      pass.end()
    }
    this.clock?.times.push({ steps, ns: queries ? this.resolved(encoder, queries, passes.length) : Promise.resolve(null) })
    this.device.queue.submit([encoder.finish()])
    this.uniforms.give(uniform)
  }

  /** Launches of `steps`, the first of which is number `first` of its submission. */
  private encode(pass: GPUComputePassEncoder, steps: readonly Step[], uniform: GPUBuffer, first: number): void {
    let current: Pipeline | undefined
    steps.forEach((step, i) => {
      const pipeline = this.pipelineOf(step)
      if (pipeline !== current) pass.setPipeline((current = pipeline).pipeline)
      pass.setBindGroup(0, this.groupOf(pipeline, step, uniform), step.kinds.includes('uniform') ? [slot * (first + i)] : [])
      pass.dispatchWorkgroups(...step.grid)
    })
  }

  private groupOf(pipeline: Pipeline, step: Step, uniform: GPUBuffer): GPUBindGroup {
    let own = 0
    const buffers = step.kinds.map((kind) => (kind === 'uniform' ? uniform : step.buffers[own++]!)) // one buffer per storage binding
    const key = `${pipeline.number}/${buffers.map((b) => this.numberOf(b)).join()}`
    const known = this.groups.get(key)
    if (known) return known
    const entries = buffers.map((buffer, binding): GPUBindGroupEntry => ({ binding, resource: step.kinds[binding] === 'uniform' ? { buffer, size: slot } : { buffer } }))
    const made = this.device.createBindGroup({ layout: pipeline.layout, entries })
    if (this.groups.size >= mostGroups) this.groups.clear()
    this.groups.set(key, made)
    return made
  }

  private numberOf(buffer: GPUBuffer): number {
    const number = this.numbers.get(buffer) ?? this.named++
    this.numbers.set(buffer, number)
    return number
  }

  /** The parameters of all steps in one buffer, a slot each. */
  private parameters(steps: readonly Step[]): GPUBuffer {
    const view = new DataView(new ArrayBuffer(slot * steps.length))
    steps.forEach((step, n) => step.params.forEach(([type, value], i) => {
      const at = slot * n + 4 * i
      if (type === 'f32') view.setFloat32(at, value, true)
      else view.setInt32(at, value, true)
    }))
    const buffer = this.uniforms.take(view.byteLength)
    this.device.queue.writeBuffer(buffer, 0, view.buffer)
    return buffer
  }

  private pipelineOf(step: Step): Pipeline {
    const known = this.pipelines.get(step.key)
    if (known) return known
    const types = { uniform: 'uniform', read: 'read-only-storage', 'read-write': 'storage' } as const
    const layout = this.device.createBindGroupLayout({ entries: step.kinds.map((kind, binding) => ({ binding, visibility: 4, buffer: { type: types[kind], hasDynamicOffset: kind === 'uniform' } })) })
    const module = this.device.createShaderModule({ code: step.text(), label: step.name })
    const pipeline = this.device.createComputePipeline({ label: step.name, layout: this.device.createPipelineLayout({ bindGroupLayouts: [layout] }), compute: { module, entryPoint: step.entry } })
    const made = { pipeline, layout, number: this.pipelines.size }
    this.pipelines.set(step.key, made)
    return made
  }

  /** Does `work`; what the device finds wrong with it is kept until someone reads. */
  private scoped<T>(work: () => T): T {
    const filters = ['internal', 'out-of-memory', 'validation'] as const
    for (const f of filters) this.device.pushErrorScope(f)
    try { return work() } finally {
      const popped = filters.map(() => this.device.popErrorScope().catch(() => null)) // rejected when the device is lost, which is said elsewhere
      const check = Promise.all(popped).then((errors) => {
        const error = errors.find((e) => e)
        if (error) this.fail('device.error', `the device refused an earlier operation: ${error.message}`)
      })
      this.checks = Promise.all([this.checks, check]).then(() => {})
    }
  }

  // ── profiling ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs `f` and returns the launches it made, in order, each timed alone. */
  async profile(f: () => unknown): Promise<readonly Profiled[]> {
    const times = await this.timed(f, true)
    return times.flatMap(({ steps, ns }) => steps.map((s, i): Profiled => ({ kernel: s.name, ns: ns?.[i] ?? null, ...s.cost, boundNs: this.bound(s.cost) })))
  }

  /** Runs `f` and returns the nanoseconds that the device took for all its launches together; `null` where it has no timestamps. */
  async time(f: () => unknown): Promise<number | null> {
    const times = await this.timed(f, false)
    return times.reduce<number | null>((sum, { ns }) => (sum === null || ns === null ? null : sum + (ns[0] ?? 0)), 0)
  }

  private async timed(f: () => unknown, each: boolean): Promise<readonly { readonly steps: readonly Step[]; readonly ns: readonly number[] | null }[]> {
    if (this.clock) refuse('profile.nested', 'profile and time cannot run inside of each other')
    this.flush()
    const clock: Clock = (this.clock = { each, times: [] })
    try { await f(); await this.sync() } finally { this.clock = null }
    return Promise.all(clock.times.map(async ({ steps, ns }) => ({ steps, ns: await ns })))
  }

  private bound({ bytes, flop }: Cost): number | null {
    return this.peaks ? 1e9 * Math.max(bytes / this.peaks.bytesPerSecond, flop / this.peaks.flopPerSecond) : null
  }

  /** Encodes the resolve; the nanoseconds of each step once it has run. */
  private resolved(encoder: GPUCommandEncoder, queries: GPUQuerySet, count: number): Promise<readonly number[] | null> {
    const size = 16 * count
    const resolve = this.device.createBuffer({ size, usage: usage.queryResolve | usage.copySource })
    const staging = this.device.createBuffer({ size, usage: usage.mapRead | usage.copyTarget })
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
}

/** Which schedules suit an adapter. */
function tuningOf(info: GPUAdapterInfo | null): Tuning {
  if (/swiftshader|llvmpipe/i.test(`${info?.architecture} ${info?.description} ${info?.device}`)) return 'software'
  return info?.vendor === 'nvidia' ? 'nvidia' : 'generic'
}
