// A device with what all operations share: buffers that come back, pipelines made once, work recorded and submitted in
// batches, problems that no one else would see. In: plans and buffers. Out: work on the queue. The one idea: an operation
// only notes its launches; everything that talks to the device happens in `flush`, inside error scopes. What these find belongs
// to the results that depend on it (`fate.ts`); everything else goes on.
import { folded, hookWidth, withHook, withParams, type Hook } from './adapt.ts'
import { refuse, TeselaError } from './error.ts'
import { decide, Fates, inherited, type Fate } from './fate.ts'
import { Pool, usage } from './pool.ts'
import { evaluate, plansOf, type Kind, type Recipe, type RecipeLaunch, type RecipePlan, type RecipeVariant, type Sizes } from './recipe.ts'

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

/** A launch with everything it needs. */
export interface Step {
  readonly name: string
  readonly key: string
  readonly text: () => string
  readonly entry: string
  readonly kinds: readonly Kind[]
  readonly buffers: readonly GPUBuffer[]
  readonly params: readonly (readonly [type: string, value: number])[]
  readonly grid: readonly [number, number, number]
  readonly cost: Cost
  readonly fate: Fate
}

interface Pipeline { readonly pipeline: GPUComputePipeline; readonly layout: GPUBindGroupLayout; readonly number: number }

/** What sees every submission: with `each`, its launches are passes of their own. */
export interface Clock {
  readonly each: boolean
  start(device: GPUDevice, steps: readonly Step[], passes: number): { writes(pass: number): GPUComputePassTimestampWrites; stop(encoder: GPUCommandEncoder): void } | null
}

/** f16, where it is used (`half.ts`): buffers that hold it, texts with arrays of it, its numbers. */
export interface Half {
  readonly buffers: WeakSet<GPUBuffer>
  text(text: string, names: readonly string[]): string
  numbers(bytes: ArrayBuffer): Float32Array<ArrayBuffer>
}

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

export class Core {
  readonly device: GPUDevice
  /** What the adapter says of itself. */
  readonly info: GPUAdapterInfo | null
  readonly tuning: Tuning
  /** Set by the first tensor of f16 (`half.ts`). */
  half: Half | null = null
  /** Choices measured on this device, by point (`tune`). */
  readonly tuned = new Map<string, string>()
  /** While tuning: the answer to try at a point, and what was asked. */
  trial: readonly [point: string, choice: string] | null = null
  asked: Map<string, readonly string[]> | null = null
  readonly peaks: Peaks | undefined
  private readonly longestGrid: number
  private readonly storage: Pool
  private readonly staging: Pool
  private readonly uniforms: Pool
  private readonly pipelines = new Map<string, Pipeline>()
  private steps: Step[] = []
  private checks: Promise<void> = Promise.resolve()
  private lost: TeselaError | null = null
  private unsaid: TeselaError | null = null
  private readonly fates = new Fates()
  /** Counts what later work may have changed, and launches that were repeated. */
  private era = 0
  private repeated = 0
  private readonly groups = new Map<string, GPUBindGroup>()
  private readonly numbers = new WeakMap<GPUBuffer, number>()
  private named = 0
  /** Set while something is measured (`profile.ts`). */
  clock: Clock | null = null
  private closed = false
  private spare: GPUBuffer | undefined

  constructor(device: GPUDevice, info: GPUAdapterInfo | null, options: CoreOptions = {}) {
    this.device = device
    this.info = info
    this.tuning = options.tuning ?? tuningOf(info)
    this.peaks = options.peaks
    this.longestGrid = Math.min(options.longestGrid ?? Infinity, device.limits.maxComputeWorkgroupsPerDimension)
    this.storage = new Pool(device, usage.storage | usage.uniform | usage.copySource | usage.copyTarget, options.keepBytes ?? 2 ** 30)
    this.staging = new Pool(device, usage.mapRead | usage.copyTarget, 1 << 26)
    this.uniforms = new Pool(device, usage.uniform | usage.copyTarget, 1 << 22)
    void device.lost.then((lost) => { if (!this.closed) this.lost ??= new TeselaError('device.lost', `the device was lost: ${lost.message}`, 'open another; what was on this one is gone') })
  }

  // ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A buffer for `bytes`. Throws when the device cannot bind so many. */
  take(bytes: number, what: string): GPUBuffer {
    this.alive()
    const most = Math.min(this.device.limits.maxStorageBufferBindingSize, this.device.limits.maxBufferSize)
    if (bytes > most) refuse('device.size', `${what} has ${bytes} bytes, and this device binds at most ${most}`, 'work on parts of it')
    const buffer = this.taken(this.storage, bytes, what)
    this.half?.buffers.delete(buffer)
    return buffer
  }

  /** A buffer of a pool; where the device has no memory for it, its fate says so. */
  private taken(pool: Pool, bytes: number, what: string): GPUBuffer {
    let made = false
    const buffer = pool.take(bytes, (make) => {
      made = true
      return this.scoped(make, (error, created) => {
        if (error) pool.lose(created)
        decide(fate, error && new TeselaError('device.memory', `the device has no memory for ${what} of ${bytes} bytes: ${error.message}`, 'dispose of tensors, or work on parts'))
      })
    })
    this.fates.forget(buffer)
    const fate = this.fates.open([], made ? [buffer] : [])
    return buffer
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
    const fate = this.fates.open([buffer], [buffer])
    this.era++
    this.scoped(() => this.device.queue.writeBuffer(buffer, 0, data.buffer, data.byteOffset, data.byteLength), (error) => decide(fate, error && refused('a copy to the device', error)))
  }

  /** Records nothing but the copy, submits, and waits for the bytes. Throws what went wrong with the work that they depend on. */
  async read(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    this.alive()
    this.flush()
    const before = this.repeated
    const staging = this.taken(this.staging, bytes, 'a result')
    const fate = this.fates.open([buffer], [staging])
    this.scoped(() => {
      const encoder = this.device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, Math.ceil(bytes / 4) * 4)
      this.device.queue.submit([encoder.finish()])
    }, (error) => decide(fate, error && refused('a copy to the host', error)))
    const { checks } = this
    const mapped = await staging.mapAsync(1).then(() => true, () => false)
    await checks
    this.alive()
    if (mapped && !fate.error && before === this.repeated) {
      const data = staging.getMappedRange(0, Math.ceil(bytes / 4) * 4).slice(0, bytes)
      staging.unmap()
      this.staging.give(staging)
      return data
    }
    staging.destroy()
    this.unsaid = null
    if (fate.error) throw fate.error
    if (!mapped) refuse('device.map', 'results cannot be read: the device did not map them')
    return this.read(buffer, bytes) // what it holds was computed once more
  }

  /** Waits until all work recorded so far is done. Throws when any of it failed and no one has read that yet. */
  async sync(): Promise<void> {
    this.flush()
    const { checks } = this
    await this.device.queue.onSubmittedWorkDone().catch(() => {}) // rejected when the device is lost, which is said elsewhere
    await checks
    this.alive()
    const error = this.unsaid
    this.unsaid = null
    if (error) throw error
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
    if (this.lost) throw this.lost
  }

  // ── recording ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether this device can run every launch of a plan for these sizes. */
  fits(recipe: Recipe, plan: string, sizes: Sizes): boolean {
    const made = plansOf(recipe)[plan]
    return made !== undefined && made.variants.some((v) => this.possible(v, sizes))
  }

  private possible(v: RecipeVariant, sizes: Sizes): boolean {
    const { maxComputeInvocationsPerWorkgroup: threads, maxComputeWorkgroupSizeX: x, maxComputeWorkgroupStorageSize: shared } = this.device.limits
    return (v.when === null || evaluate(v.when, sizes) !== 0) && v.launches.every((l) => l.threads <= Math.min(threads, x) && l.shared <= shared)
  }

  private readonly kept: Record<string, readonly string[]> = {}
  /** What `make` gave the first time for this key. */
  once(key: string, make: () => readonly string[]): readonly string[] {
    return (this.kept[key] ??= make())
  }

  /** Which of several plans to take at a point of choice: the one that was measured to be fastest, else the first, or on software devices `small`. */
  pick(point: string, options: Iterable<string>, small?: string): string {
    const known = this.trial?.[0] === point ? this.trial[1] : this.tuned.get(point)
    if (this.tuning === 'software' && small !== undefined) options = new Set([small, ...options])
    if (known === undefined && !this.asked) for (const first of options) return first
    const all = [...options]
    this.asked?.set(point, all)
    return known !== undefined && all.includes(known) ? known : all[0]! // there is one
  }

  /** Records the launches of a plan. */
  record(work: Work): void {
    this.alive()
    const plan = plansOf(work.recipe)[work.plan] ?? refuse('internal.plan', `there is no plan ${work.plan}`)
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
    const plain = launch.text
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
    const buffers = [...own, ...extra.map((b) => b.buffer)]
    const halves = [...launch.bind.map(([name]) => name), ...extra.map((b) => b.name)].filter((_, i) => this.half?.buffers.has(buffers[i]!)) // a buffer for each
    const text = (): string => {
      let at = launch.bind.length + (uniform ? 1 : 0)
      let fused = uniform && !given ? withParams(plain, launch.bind.length) : plain
      for (const h of hooks) { fused = withHook(fused, h, at); at += h.bindings.length }
      if (halves.length > 0) fused = this.half!.text(fused, halves) // halves are known by it
      return fold ? folded(fused) : fused
    }
    const count = own.length + extra.length, mostBuffers = this.device.limits.maxStorageBuffersPerShaderStage
    const fields = launch.params.length + hooks.reduce((n, h) => n + h.fields.length, 0) + 3
    if (count > mostBuffers || fields > slot / 4) {
      refuse('device.operands', `${work.module} would need ${count} arrays and ${fields} parameters at once, and this device allows ${mostBuffers} and ${slot / 4}`, 'split the expression')
    }
    return {
      name: `${work.module} ${work.plan}${launch.name === work.module ? '' : ` ${launch.name}`}`, entry: launch.name, text,
      key: `${work.module}/${launch.number}/${hooks.length > 0 ? work.hookKey : ''}/${fold}/${halves}`,
      kinds: [...launch.bind.map(([, kind]) => kind), ...(uniform ? ['uniform' as const] : []), ...extra.map((b) => (b.constant ? 'constant' as const : 'read' as const))],
      buffers, fate: this.fates.open(buffers, own.filter((_, i) => launch.bind[i]![1] === 'read-write')), // a buffer for each
      params: [
        ...launch.params.map((name) => ['i32', evaluate(name, work.sizes)] as const),
        ...hooks.flatMap((h) => h.fields.map((f) => [f.type, f.value] as const)),
        ...(fold ? wanted.map((n) => ['u32', n] as const) : []),
      ],
      grid: fold ? [Math.min(total, most), rows, 1] : wanted, cost,
    }
  }

  // ── submitting ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Submits what is recorded. Problems show where results are read, and at the next `sync`. */
  flush(): void {
    const { steps } = this
    this.steps = []
    if (steps.length > 0 && !this.lost) this.checked(steps, this.clock)
    for (const pool of [this.storage, this.staging, this.uniforms]) pool.sweep()
  }

  /** Submits launches. Where the device refuses them, none ran: unless something else came after, each is tried by itself. */
  private checked(steps: readonly Step[], clock: Clock | null): void {
    const era = ++this.era, known = new Set(this.pipelines.keys())
    this.scoped(() => this.submit(steps.filter((s) => s.grid.every((n) => n > 0)), clock), async (error, uniform) => {
      if (error) this.forget(known, uniform)
      for (const step of error && steps.length > 1 ? steps : []) if (era === this.era) await this.alone(step)
      const wrong = error && refused(steps.length > 1 ? 'an earlier operation' : steps[0]!.name, error) // there is one
      for (const { fate } of steps) if (fate.from) decide(fate, wrong)
      this.unsaid ??= steps.find((s) => s.fate.error)?.fate.error ?? null
    })
  }

  /** A launch of a batch that was refused, once more. */
  private alone(step: Step): Promise<void> {
    const known = new Set(this.pipelines.keys())
    return new Promise((done) => {
      if (inherited(step.fate)) { decide(step.fate, null); done(); return }
      this.scoped(() => this.submit(step.grid.every((n) => n > 0) ? [step] : [], null), (error, uniform) => {
        if (error) this.forget(known, uniform)
        else this.repeated++
        decide(step.fate, error && refused(step.name, error))
        done()
      }, false)
    })
  }

  /** Keeps nothing that a refused submission made. */
  private forget(known: ReadonlySet<string>, uniform: GPUBuffer): void {
    for (const key of this.pipelines.keys()) if (!known.has(key)) this.pipelines.delete(key)
    this.groups.clear()
    this.uniforms.lose(uniform)
  }

  /** The parameters' buffer is given back at once: whoever takes it writes after this. */
  private submit(steps: readonly Step[], clock: Clock | null): GPUBuffer {
    const uniform = this.parameters(steps)
    const encoder = this.device.createCommandEncoder()
    const passes = clock?.each ? steps.map((step, n) => [n, [step]] as const) : [[0, steps] as const]
    const stamps = clock?.start(this.device, steps, passes.length)
    for (const [i, [first, own]] of passes.entries()) {
      const pass = encoder.beginComputePass(stamps ? { timestampWrites: stamps.writes(i) } : undefined)
      this.encode(pass, own, uniform, first)
      pass.end()
    }
    stamps?.stop(encoder)
    this.device.queue.submit([encoder.finish()])
    this.uniforms.give(uniform)
    return uniform
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
    const types = { uniform: 'uniform', constant: 'uniform', read: 'read-only-storage', 'read-write': 'storage' } as const
    const layout = this.device.createBindGroupLayout({ entries: step.kinds.map((kind, binding) => ({ binding, visibility: 4, buffer: { type: types[kind], hasDynamicOffset: kind === 'uniform' } })) })
    const module = this.device.createShaderModule({ code: step.text(), label: step.name })
    const pipeline = this.device.createComputePipeline({ label: step.name, layout: this.device.createPipelineLayout({ bindGroupLayouts: [layout] }), compute: { module, entryPoint: step.entry } })
    const made = { pipeline, layout, number: this.pipelines.size }
    this.pipelines.set(step.key, made)
    return made
  }

  /** Does `work`; `after` gets what the device finds wrong with it, in the order of calls unless `inOrder` is false. */
  private scoped<T>(work: () => T, after: (error: GPUError | null, result: T) => void | Promise<void>, inOrder = true): T {
    const filters = ['internal', 'out-of-memory', 'validation'] as const
    for (const f of filters) this.device.pushErrorScope(f)
    const before = inOrder ? this.checks : null
    let popped: readonly Promise<GPUError | null>[] = []
    const end = (): void => { popped = filters.map(() => this.device.popErrorScope().catch(() => null)) } // rejected when the device is lost, which is said elsewhere
    let result: T
    try { result = work() } finally { end() }
    const check = Promise.all(popped).then(async (errors) => { await before; await after(errors.find((e) => e) ?? null, result) })
    if (inOrder) this.checks = check
    return result
  }
}

const refused = (what: string, error: GPUError): TeselaError => new TeselaError('device.error', `the device refused ${what}: ${error.message}`)

/** The name of a choice for sizes that are alike: to the next power of two. */
export const pointOf = (name: string, ...sizes: readonly number[]): string => `${name} ${sizes.map((n) => (n > 0 ? 2 ** Math.round(Math.log2(n)) : 0)).join('×')}`

/** Which schedules suit an adapter. */
function tuningOf(info: GPUAdapterInfo | null): Tuning {
  if (/swiftshader|llvmpipe/i.test(`${info?.architecture} ${info?.description} ${info?.device}`)) return 'software'
  return info?.vendor === 'nvidia' ? 'nvidia' : 'generic'
}
