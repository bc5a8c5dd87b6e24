// A device with what all operations share: buffers that come back, pipelines made once, work recorded and submitted in
// batches, problems that no one else would see. In: plans and buffers. Out: work on the queue. The one idea: an
// operation only notes its launches; everything that talks to the device happens in `flush`, inside error scopes. What
// these find belongs to the results that depend on it (`launch-errors.ts`); everything else goes on.
import type { Hook } from '../fusion/adapted-text.ts'
import { refuse, TeselaError } from '../error.ts'
import { settleFate, Fates, inherited, type Fate } from './launch-errors.ts'
import {
  emptyList,
  slot,
  type Cost,
  type Half,
  type PreparedJob,
  type PreparedLaunch,
  type Recipe,
  type Work,
} from './prepared-launches.ts'
import { Pipelines, type Pipeline } from './pipelines.ts'
import { Pool, roomFor, usage } from './buffer-pool.ts'
import { bufferOf, offsetOf, type Memory } from './memory.ts'
import type { Recordings } from './recording.ts'
import { bindable } from './shared-buffers.ts'
import type { Sizes } from '../recipe.ts'

/** Kinds of devices that schedules differ for. */
export type Tuning = 'nvidia' | 'generic' | 'software'

/** Streaming multiprocessors or their like, guessed: WebGPU does not say. An H200 has 132. */
export const coresOf: Readonly<Record<Tuning, number>> = { nvidia: 132, generic: 32, software: 4 }

export interface Peaks {
  readonly bytesPerSecond: number
  /** In f32. */
  readonly flopPerSecond: number
  /** Of matrix units, on f16 with sums of f32; absent: not known, and memory alone bounds what is done there. */
  readonly unitFlopPerSecond?: number
}

export interface CoreOptions {
  readonly tuning?: Tuning
  /** What the device can do at most, for rooflines; known for an H200. */
  readonly peaks?: Peaks
  /** Workgroups along an axis of a grid; the device's limit when absent. Longer grids are folded. */
  readonly longestGrid?: number
  /** Bytes of free buffers that are kept for later results; 1 GiB when absent. */
  readonly keepBytes?: number
}

/** Launches of one operation, with their scratch memory and the arrays that they name. */
export interface Run extends Pick<PreparedJob, 'launches' | 'temps'> {
  readonly name: string
  readonly arrays: Work['arrays']
  /** Of all of them together. */
  readonly cost: Cost
  readonly hooks?: readonly Hook[]
}

/** A launch with everything it needs. */
export interface LaunchStep {
  readonly launch: PreparedLaunch
  readonly hooks: readonly Hook[]
  readonly buffers: readonly Memory[]
  readonly cost: Cost
  readonly fate: Fate
}

/** A tensor, which is told that a submission has come. */
export interface Settling {
  settle(): void
}

/** What sees every submission: with `each`, its launches are passes of their own. */
export interface Clock {
  readonly each: boolean
  start(
    device: GPUDevice,
    steps: readonly LaunchStep[],
    passes: number,
  ): { writes(pass: number): GPUComputePassTimestampWrites; stop(encoder: GPUCommandEncoder): void } | null
}

/**
 * Launches recorded before they are submitted without being asked for: few after whoever waited, so that the device
 * begins, then twice as many each time.
 */
const fewestLaunches = 16,
  mostLaunches = 256
/** Bytes of buffers to be destroyed for which a batch is submitted early. */
const unswept = 1 << 28

export class Core {
  readonly device: GPUDevice
  /** Says why, when the device is lost or destroyed. */
  readonly lost: Promise<TeselaError>
  /** What the adapter says of itself. */
  readonly info: GPUAdapterInfo | null
  readonly tuning: Tuning
  /** Choices measured on this device, by point (`tune`). */
  readonly tuned = new Map<string, string>()
  /** While tuning: the answer to try at a point, and what was asked. */
  trial: readonly [point: string, choice: string] | null = null
  asked: Map<string, readonly string[]> | null = null
  readonly peaks: Peaks | undefined
  readonly #storage: Pool
  readonly #staging: Pool
  readonly #uniforms: Pool
  readonly #pipelines: Pipelines
  #steps: LaunchStep[] = []
  #limit = fewestLaunches
  #young: Settling[] = []
  #checks: Promise<void> = Promise.resolve()
  #lost: TeselaError | null = null
  #unsaid: TeselaError | null = null
  readonly #fates = new Fates()
  /** Reading limits costs a microsecond in Dawn. */
  readonly #mostBytes: number
  /** Launches that are not recorded, while pipelines are made ahead. */
  #warming: (readonly [PreparedLaunch, readonly Hook[]])[] | null = null
  /** Counts what later work may have changed, and launches that were repeated. */
  #era = 0
  #repeated = 0
  /** Workgroups along an axis of a grid at most. */
  readonly longestGrid: number
  /** Set by the first tensor of f16 (`half-storage.ts`). */
  half: Half | null = null
  /** Tensors that were made inside of `tidy`, while it runs. */
  made: Set<Settling> | null = null
  /** Work in encoders of the caller (`recording.ts`), once there is some. */
  recordings: Recordings | null = null
  /** Set while something is measured (`profile.ts`). */
  clock: Clock | null = null
  #closed = false
  #spare: GPUBuffer | undefined

  constructor(device: GPUDevice, info: GPUAdapterInfo | null, options: CoreOptions = {}) {
    this.device = device
    this.#mostBytes = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize)
    this.info = info
    this.tuning = options.tuning ?? tuningOf(info)
    this.peaks = options.peaks
    this.longestGrid = Math.min(options.longestGrid ?? Infinity, device.limits.maxComputeWorkgroupsPerDimension)
    this.#pipelines = new Pipelines(device)
    this.#storage = new Pool(
      device,
      usage.storage | usage.uniform | usage.copySource | usage.copyTarget,
      options.keepBytes ?? 2 ** 30,
      this.#mostBytes,
    )
    this.#staging = new Pool(device, usage.mapRead | usage.copyTarget, 1 << 26, this.#mostBytes)
    this.#uniforms = new Pool(device, usage.uniform | usage.copyTarget, 1 << 22)
    this.lost = device.lost.then((lost) => {
      if (this.#closed) return new TeselaError('device.closed', 'the device is closed')
      return (this.#lost ??= new TeselaError(
        'device.lost',
        `the device was lost: ${lost.message}`,
        'open another; what was on this one is gone',
      ))
    })
  }

  // ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * A buffer for `bytes`; `what` is it for, a tensor where it is a shape? `filled`: the host writes it at once. Throws
   * when the device cannot bind so many.
   */
  take(bytes: number, what: string | readonly number[], filled = false): GPUBuffer {
    this.checkSize(bytes, what)
    const reused = filled ? undefined : this.recordings?.reuse(Math.min(roomFor(bytes), this.#mostBytes))
    const buffer = reused ?? this.#taken(this.#storage, bytes, what)
    this.half?.buffers.delete(buffer)
    return buffer
  }

  /** Throws unless the device can bind so many bytes. */
  checkSize(bytes: number, what: string | readonly number[]): void {
    this.#alive()
    const most = this.#mostBytes
    if (bytes > most)
      refuse(
        'device.size',
        `${said(what)} has ${bytes} bytes, and this device binds at most ${most}`,
        'work on parts of it',
      )
  }

  /** A buffer of a pool; where the device has no memory for it, its fate says so. */
  #taken(pool: Pool, bytes: number, what: string | readonly number[]): GPUBuffer {
    let fresh = false
    const buffer = pool.take(bytes, (make) => {
      fresh = true
      const made = this.#scoped(make, (error, created) => {
          if (error) pool.lose(created)
          settleFate(
            fate,
            error &&
              new TeselaError(
                'device.memory',
                `the device has no memory for ${said(what)} of ${bytes} bytes: ${error.message}`,
                'dispose of tensors, or work on parts',
              ),
          )
        }),
        fate = this.#fates.open([], [made])
      return made
    })
    if (!fresh) this.#fates.forget(buffer)
    return buffer
  }

  /** A small buffer for bindings that a fused kernel does not read. */
  get unused(): GPUBuffer {
    return (this.#spare ??= this.take(256, 'a buffer'))
  }

  give(buffer: GPUBuffer): void {
    if (this.#closed || this.recordings?.keeps(buffer)) return
    this.#storage.give(buffer)
    if (this.#storage.doomedBytes > unswept) this.flush()
  }

  /** What an encoder of the caller used, and does not any more. */
  release({
    free,
    parameters,
  }: {
    readonly free: readonly GPUBuffer[]
    readonly parameters: readonly GPUBuffer[]
  }): void {
    for (const buffer of free) this.give(buffer)
    for (const buffer of parameters) this.#uniforms.give(buffer)
  }

  /** Copies host memory to a buffer that was taken to be filled, after all work recorded before. */
  write(buffer: GPUBuffer, data: ArrayBufferView<ArrayBuffer>): void {
    this.flush()
    const fate = this.#fates.open([buffer], [buffer])
    this.#era++
    this.#scoped(
      () => this.device.queue.writeBuffer(buffer, 0, data.buffer, data.byteOffset, data.byteLength),
      (error) => settleFate(fate, error && refused('a copy to the device', error)),
    )
  }

  /**
   * Commands that read and write memory, behind all work recorded before; `isUpload`: at once, also inside of `record`,
   * into a buffer that was taken to be filled. `what` is what the device would refuse.
   */
  encode(
    from: readonly Memory[],
    to: readonly Memory[],
    what: string,
    isUpload: boolean,
    commands: (encoder: GPUCommandEncoder) => void,
  ): void {
    this.#alive()
    this.flush()
    if (!isUpload) this.recordings?.use([...from, ...to], [...from.map(() => false), ...to.map(() => true)])
    const into = isUpload ? null : this.recordings?.encoder
    if (into) {
      commands(into)
      return
    }
    const fate = this.#fates.open(from, to)
    this.#era++
    this.#scoped(
      () => {
        const encoder = this.device.createCommandEncoder()
        commands(encoder)
        this.device.queue.submit([encoder.finish()])
      },
      (error) => {
        settleFate(fate, error && refused(what, error))
        this.#unsaid ??= fate.error
      },
    )
  }

  /**
   * Records nothing but the copy, submits, and waits for the bytes from the one at `from`, a multiple of 4. Throws what
   * went wrong with the work that they depend on.
   */
  async read(buffer: Memory, bytes: number, from = 0): Promise<ArrayBuffer> {
    this.#alive()
    this.checkWaits('read')
    this.recordings?.use([buffer], emptyList)
    this.flush()
    const before = this.#repeated
    const staging = this.#taken(this.#staging, bytes, 'a result')
    const fate = this.#fates.open([buffer], [staging])
    this.#scoped(
      () => {
        const encoder = this.device.createCommandEncoder()
        encoder.copyBufferToBuffer(bufferOf(buffer), offsetOf(buffer) + from, staging, 0, Math.ceil(bytes / 4) * 4)
        this.device.queue.submit([encoder.finish()])
      },
      (error) => settleFate(fate, error && refused('a copy to the host', error)),
    )
    const checks = this.#checks
    const mapped = await staging.mapAsync(1).then(
      () => true,
      () => false,
    )
    await checks
    this.#alive()
    if (mapped && !fate.error && before === this.#repeated) {
      const data = staging.getMappedRange(0, Math.ceil(bytes / 4) * 4).slice(0, bytes)
      staging.unmap()
      this.#staging.give(staging)
      return data
    }
    this.#staging.end(staging)
    this.#unsaid = null
    if (fate.error) throw fate.error
    if (!mapped) refuse('device.map', 'the device did not map a result')
    return this.read(buffer, bytes, from) // what it holds was computed once more
  }

  /** Waits until all work recorded so far is done. Throws when any of it failed and no one has read that yet. */
  async sync(): Promise<void> {
    this.checkWaits('sync')
    this.flush()
    const checks = this.#checks
    // rejected when the device is lost, which is said elsewhere
    await this.device.queue.onSubmittedWorkDone().catch(() => {})
    await checks
    this.#alive()
    const error = this.#unsaid
    this.#unsaid = null
    if (error) throw error
  }

  /** Buffers of tensors created so far, their bytes that are there and those that wait to be used again; pipelines. */
  get statistics(): Sizes {
    return { ...this.#storage.statistics, pipelines: this.#pipelines.size }
  }

  /** Submits what is recorded, and destroys free buffers instead of keeping them for later results. */
  trim(): void {
    for (const pool of this.#pools) pool.trim()
    this.flush()
  }

  get #pools(): readonly Pool[] {
    return [this.#storage, this.#staging, this.#uniforms]
  }

  /**
   * Ends the device's use: every buffer that the library made is destroyed, tensors' too. A device that the caller gave
   * stays alive when `keep` is set.
   */
  close(keep = false): void {
    if (this.#closed) return
    this.flush()
    this.#closed = true
    for (const pool of this.#pools) pool.close()
    this.#pipelines.keep(new Set())
    if (!keep) this.device.destroy()
  }

  /** Throws inside of `record`, where nothing is submitted. */
  checkWaits(what: string): void {
    if (this.recordings?.encoder)
      refuse(
        'record.waits',
        `${what} inside of record would wait for work that nobody has submitted`,
        'do it afterwards',
      )
  }

  #alive(): void {
    if (this.#closed) refuse('device.closed', 'the device is closed')
    if (this.#lost) throw this.#lost
  }

  /**
   * Holds a tensor until the next submission: most are disposed by then, and the garbage collector need not know of
   * them.
   */
  hold(tensor: Settling): void {
    this.made?.add(tensor)
    if (this.#young.push(tensor) >= 4 * mostLaunches) this.flush()
  }

  // ── recording ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether this device can run every launch of a plan for these sizes. */
  fits(recipe: Recipe, plan: string, sizes: Sizes): boolean {
    return recipe.fits(this, plan, sizes)
  }

  readonly #kept: Record<string, readonly string[]> = {}
  /** What `make` gave the first time for this key. */
  once(key: string, make: () => readonly string[]): readonly string[] {
    return (this.#kept[key] ??= make())
  }

  /**
   * Which of several plans to take at a point of choice, a name and sizes that are alike: to the next power of two. The
   * one that was measured to be fastest, else the first, or on software devices `small`.
   */
  pick(name: string, sizes: readonly number[], options: readonly string[], small?: string): string {
    const all = this.tuning === 'software' && small !== undefined ? [...new Set([small, ...options])] : options
    if (this.tuned.size > 0 || this.trial || this.asked) {
      const point = `${name} ${sizes.map((n) => (n > 0 ? 2 ** Math.round(Math.log2(n)) : 0)).join('×')}`
      const known = this.trial?.[0] === point ? this.trial[1] : this.tuned.get(point)
      this.asked?.set(point, all)
      if (known !== undefined && all.includes(known)) return known
    }
    return all[0]! // there is one
  }

  /** Records the launches of a plan. */
  record(work: Work): void {
    this.#alive()
    const { hooks = emptyList, arrays, cost } = work
    this.run({ name: work.module, ...work.recipe.job(this, work, hooks), arrays, cost, hooks })
  }

  /** Records launches as they are, in order. */
  run({ name, launches, temps, arrays: given, cost: all, hooks = emptyList }: Run): void {
    this.#alive()
    const scratch = temps.map(([temp, bytes]) => [temp, this.take(bytes, `scratch memory of ${name}`)] as const)
    const arrays = scratch.length > 0 ? { ...given, ...Object.fromEntries(scratch) } : given
    const cost = launches.length > 1 ? { bytes: all.bytes / launches.length, flop: all.flop / launches.length } : all
    for (const launch of launches) {
      if (this.#steps.length >= mostLaunches) this.flush()
      this.#launch(
        launch,
        launch.hooked.every(Boolean) ? hooks : hooks.filter((_, i) => launch.hooked[i]),
        arrays,
        cost,
      )
    }
    for (const [, buffer] of scratch) this.give(buffer)
    const limit = this.clock ? mostLaunches : this.#limit // what is timed is not cut more often than it must be
    if (this.#steps.length < limit) return
    this.flush()
    this.#limit = Math.min(2 * limit, mostLaunches)
  }

  #launch(launch: PreparedLaunch, hooks: readonly Hook[], arrays: Work['arrays'], cost: Cost): void {
    if (this.#warming) {
      this.#warming.push([launch, hooks])
      return
    }
    const buffers: Memory[] = launch.arrays.map((name) => arrays[name]!) // plans name what works have
    for (const h of hooks) for (const b of h.bindings) buffers.push(b.buffer)
    this.recordings?.use(buffers, launch.writes)
    const fate = this.#fates.open(buffers, buffers, launch.writes)
    if (launch.grid.every((n) => n > 0))
      this.#steps.push({ launch: bindable(launch, buffers), hooks, buffers, cost, fate })
  }

  // ── submitting ──────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Makes the pipelines that `f` would launch, beside other work of the device, and launches nothing: what `f` makes
   * holds nothing.
   */
  async warm(f: () => void): Promise<void> {
    this.#alive()
    this.checkWaits('warm')
    const launches: (readonly [PreparedLaunch, readonly Hook[]])[] = []
    this.#warming = launches
    try {
      f()
    } finally {
      this.#warming = null
    }
    await Promise.all(launches.map(([launch, hooks]) => this.#pipelines.warm(launch, hooks)))
    this.#alive()
  }

  /**
   * Submits what is recorded, or puts it into the caller's encoder. Problems show where results are read, and at the
   * next `sync`.
   */
  flush(): void {
    const steps = this.#steps,
      young = this.#young
    this.#steps = []
    this.#young = []
    this.#limit = fewestLaunches
    for (const tensor of young) tensor.settle()
    if (steps.length > 0 && !this.#lost) this.#checked(steps, this.clock)
    for (const pool of this.#pools) pool.sweep()
  }

  /**
   * Submits launches. Where the device refuses them, none ran: unless something else came after, each is tried by
   * itself.
   */
  #checked(steps: readonly LaunchStep[], clock: Clock | null): void {
    const era = ++this.#era,
      isOwn = !this.recordings?.encoder,
      known = this.#pipelines.known()
    this.#scoped(
      () => this.#submit(steps, clock),
      async (error, uniform) => {
        if (error) this.#forget(known, uniform)
        for (const step of error && isOwn && steps.length > 1 ? steps : [])
          if (era === this.#era) await this.#alone(step)
        // there is one
        const wrong = error && refused(steps.length > 1 ? 'an earlier operation' : steps[0]!.launch.name, error)
        for (const { fate } of steps) if (fate.from) settleFate(fate, wrong)
        this.#unsaid ??= steps.find((s) => s.fate.error)?.fate.error ?? null
      },
    )
  }

  /** A launch of a batch that was refused, once more. */
  #alone(step: LaunchStep): Promise<void> {
    const known = this.#pipelines.known()
    return new Promise((done) => {
      if (inherited(step.fate)) {
        settleFate(step.fate, null)
        done()
        return
      }
      this.#scoped(
        () => this.#submit([step], null),
        (error, uniform) => {
          if (error) this.#forget(known, uniform)
          else this.#repeated++
          settleFate(step.fate, error && refused(step.launch.name, error))
          done()
        },
        false,
      )
    })
  }

  /** Keeps nothing that a refused submission made. */
  #forget(known: ReadonlySet<string>, uniform: GPUBuffer): void {
    this.#pipelines.keep(known)
    this.#uniforms.lose(uniform)
  }

  /** The parameters' buffer is given back at once: whoever takes it writes after this. */
  #submit(steps: readonly LaunchStep[], clock: Clock | null): GPUBuffer {
    const uniform = this.#parameters(steps)
    if (this.recordings?.encoder) return this.#into(this.recordings.encoder, steps, uniform)
    const encoder = this.device.createCommandEncoder()
    const passes = clock?.each ? steps.map((step, n) => [n, [step]] as const) : [[0, steps] as const]
    const stamps = clock?.start(this.device, steps, passes.length)
    for (const [i, [first, own]] of passes.entries()) {
      const pass = encoder.beginComputePass(stamps ? { timestampWrites: stamps.writes(i) } : undefined)
      this.#encode(pass, own, uniform, first)
      pass.end()
    }
    stamps?.stop(encoder)
    this.device.queue.submit([encoder.finish()])
    this.#uniforms.give(uniform)
    return uniform
  }

  #into(encoder: GPUCommandEncoder, steps: readonly LaunchStep[], uniform: GPUBuffer): GPUBuffer {
    const pass = encoder.beginComputePass()
    this.#encode(pass, steps, uniform, 0)
    pass.end()
    this.recordings?.keepParameters(uniform)
    return uniform
  }

  /** Launches of `steps`, the first of which is number `first` of its submission. */
  #encode(pass: GPUComputePassEncoder, steps: readonly LaunchStep[], uniform: GPUBuffer, first: number): void {
    let current: Pipeline | undefined
    steps.forEach((step, i) => {
      const { launch } = step,
        pipeline = this.#pipelines.of(launch, step.hooks),
        [x, y, z] = launch.grid
      if (pipeline !== current) pass.setPipeline((current = pipeline).pipeline)
      pass.setBindGroup(
        0,
        this.#pipelines.groupOf(pipeline, launch, step.buffers, uniform),
        launch.uniform ? [slot * (first + i)] : emptyList,
      )
      pass.dispatchWorkgroups(x, y, z)
    })
  }

  /** The parameters of all steps in one buffer, a slot each. */
  #parameters(steps: readonly LaunchStep[]): GPUBuffer {
    const data = new ArrayBuffer(slot * steps.length),
      ints = new Int32Array(data),
      floats = new Float32Array(data)
    steps.forEach(({ launch, hooks }, n) => {
      let at = (slot / 4) * n
      for (const v of launch.sizes) ints[at++] = v
      for (const h of hooks) for (const { type, value } of h.fields) (type === 'f32' ? floats : ints)[at++] = value
      for (const v of launch.wanted) ints[at++] = v
    })
    const buffer = this.#uniforms.take(data.byteLength)
    this.device.queue.writeBuffer(buffer, 0, data)
    return buffer
  }

  /** Does `work`; `after` gets what the device finds wrong with it, in the order of calls unless `inOrder` is false. */
  #scoped<T>(work: () => T, after: (error: GPUError | null, result: T) => void | Promise<void>, inOrder = true): T {
    const filters = ['internal', 'out-of-memory', 'validation'] as const
    for (const f of filters) this.device.pushErrorScope(f)
    const before = inOrder ? this.#checks : null
    let popped: readonly Promise<GPUError | null>[] = []
    const end = (): void => {
      popped = filters.map(() => this.device.popErrorScope().catch(() => null))
    } // rejected when the device is lost, which is said elsewhere
    let result: T
    try {
      result = work()
    } finally {
      end()
    }
    const check = Promise.all(popped).then(async (errors) => {
      await before
      await after(errors.find((e) => e) ?? null, result)
    })
    if (inOrder) this.#checks = check
    return result
  }
}

const said = (what: string | readonly number[]): string =>
  typeof what === 'string' ? what : `a tensor of shape [${what.join(', ')}]`

const refused = (what: string, error: GPUError): TeselaError =>
  new TeselaError('device.error', `the device refused ${what}: ${error.message}`)

/** Which schedules suit an adapter. */
function tuningOf(info: GPUAdapterInfo | null): Tuning {
  if (/swiftshader|llvmpipe/i.test(`${info?.architecture} ${info?.description} ${info?.device}`)) return 'software'
  return info?.vendor === 'nvidia' ? 'nvidia' : 'generic'
}
