// In: a compiled kernel and a launch. Out: a machine that runs single blocks and counts. The one idea: one WebAssembly
// memory holds tables, frames, arrays and the launch's buffers; the host fills it, runs blocks, answers the questions
// of compiled code (new shapes, bounds), and copies written buffers back.
import { fail, InternalError, type Span } from '../base/index.ts'
import {
  allStatements,
  bytesOf,
  isBound,
  type Dim3,
  type Kernel,
  type Launch,
  type Resource,
  type Stmt,
  type Verified,
} from '../ir/index.ts'
import { popcount, type GpuProfile } from '../gpus/index.ts'
import type { CompiledModule } from './jit/driver.ts'
import { at, entry, frame, rec } from './jit/layout.ts'
import { boundBytes, checkLaunch, paramValues } from './launch.ts'
import type { MachineOptions, RawCounts } from './machine-options.ts'
import { mathFunctions } from './math.ts'
import { clearMargins, margin, takeMargins, type Margins } from './jit/margins.ts'
import { passingRoomOf, release, roomOf, type Room } from './memory.ts'
import { Hazards } from './observe/hazards.ts'
import { maxEntries, Shapes } from './observe/shapes.ts'
import { longestLoop } from './observe/longest-loop.ts'
import { canReachFar, farSite, indexRange, sitesOf, type Site, type SiteSums } from './observe/sites.ts'
import { Watch } from './observe/watch.ts'

/** Of WebAssembly memory. */
const pageBytes = 65536
const alignUp = (n: number, to: number): number => Math.ceil(n / to) * to

/** Whether 32 bits are a difference that fell below 0, and no index that is large on purpose. */
const isBelowZero = (bits: number): boolean => bits < 0 && bits >= -farBelow
/** Differences are not so far below 0: no buffer of 32-bit elements below 1 GiB has so many. */
const farBelow = 2 ** 28

/** The largest index of 64 bits that runs; the code has 32 (`saturate` in `jit/region.ts`). */
const mostIndex = 2 ** 31 - 2
/** Steps that may be owed: a ten thousandth of what any search has. */
const mostOwed = 10_000
/** Steps that a request outside of its buffer counts as: about what it costs, so that their limit bounds time. */
const stepsOutside = 300
/** Bytes that may lie before a resource among the addresses of its kernel. */
const mostBase = 2 ** 26

/** Indices that a buffer without end has: not those that wrapped below 0. */
function endlessRange(site: Site): { readonly low: number; readonly high: number } {
  const { low, high } = indexRange(site, Number.MAX_SAFE_INTEGER)
  return { low, high: site.address.index.type === 'u32' ? Math.min(high, 2 ** 32 - 1 - farBelow) : high }
}

/** The index that runs for one that the kernel computed; none where that is no multiple of the steps. */
function running({ shift, address }: Site, index: number): number {
  if (shift === 0) return index
  const steps = (index + address.offset) / 2 ** shift
  return Number.isInteger(steps) ? steps : NaN
}

/** The kernel's own index for one that ran. */
const written = ({ shift, address }: Site, index: number): number =>
  shift === 0 ? index : index * 2 ** shift - address.offset

export class Machine {
  readonly sites: readonly Site[]
  hazards = new Hazards()
  private readonly kernel: Verified<Kernel>
  private readonly compiled: CompiledModule
  private launch: Launch
  private readonly options: MachineOptions
  private readonly memory: WebAssembly.Memory
  private readonly words: Int32Array
  private readonly wide: BigInt64Array
  private readonly bases = new Map<string, number>()
  private readonly shapes: Shapes
  private readonly watch: Watch | null
  private readonly runBlock: () => void
  private readonly limits: { readonly low: number; readonly high: number }[] = []
  private readonly warpSize: number
  private readonly weights: number[] = []
  private blockIdx: Dim3 = [0, 0, 0]
  /** Distance of the first block's frames and arrays from the layout's, and from one block's to the next one's. */
  private readonly firstShift: number
  private readonly turnBytes: number
  private readonly turnSites: readonly Site[]
  /** Warp instructions of each block that has had a turn, and who has it. */
  private turnWork = new Float64Array()
  private turnBegan = 0
  private turnOf = -1
  private fuel: WebAssembly.Global | null = null
  /** Steps that the host took and that `fuel` does not know of yet: to change a number of 64 bits is slow. */
  private owed = 0
  /** Steps beyond the limit. */
  private allowed = 0
  /** Sites that had lanes out of bounds. */
  private readonly outside = new Set<number>()

  constructor(
    kernel: Verified<Kernel>,
    compiled: CompiledModule,
    module: WebAssembly.Module,
    launch: Launch,
    profile: GpuProfile,
    options: MachineOptions,
  ) {
    checkLaunch(kernel, launch)
    this.kernel = kernel
    this.compiled = compiled
    this.launch = launch
    this.options = options
    this.warpSize = Math.min(32, profile.warpSize)
    this.sites = sitesOf(kernel, compiled.siteOf).map((s) => (this.isFar(s) ? farSite(s) : s))
    const { layout } = compiled,
      entries = alignUp(layout.entries, 256),
      tables = alignUp(entries + entry.bytes * maxEntries(this.sites.length), 256)
    this.turnBytes = alignUp(layout.entries - layout.frames, 256)
    this.firstShift = options.together > 1 ? tables - 256 * Math.floor(layout.frames / 256) : 0
    this.turnSites = this.sites.filter((s) => layout.arrays.has(s.resource.name))
    const room = this.room(
      tables + (options.together > 1 ? alignUp(this.turnBytes * options.together + 256, 256) : 0),
      this.placeBuffers(0),
    )
    this.memory = room.memory
    this.placeBuffers(room.from)
    this.placeElsewhere()
    this.words = new Int32Array(this.memory.buffer)
    this.wide = new BigInt64Array(this.memory.buffer)
    this.shapes = new Shapes(profile, this.sites, this.memory.buffer, layout.records, entries)
    this.watch =
      compiled.observing && (options.check.races || options.check.uninitialized)
        ? new Watch(
            kernel,
            this.sites,
            options.check,
            (r) => this.sizeOf(r),
            (x) => this.threadName(x),
            (n) => this.blockName(n),
            () => this.hazards,
          )
        : null
    this.fillTables()
    this.fillRecords()
    if (options.copies) this.copyIn()
    this.runBlock = this.instantiate(module)
  }

  /**
   * Whether `restart` would do as well as a new machine: memory of buffers is written over, and what shapes cost is not
   * asked.
   */
  fits(compiled: CompiledModule, launch: Launch, options: MachineOptions): boolean {
    if (this.compiled !== compiled) return false
    const own = this.options,
      alike =
        own.maxSteps === options.maxSteps &&
        own.maxBytes === options.maxBytes &&
        own.copies &&
        options.copies &&
        own.counted === options.counted &&
        own.together === options.together &&
        !own.recorder &&
        !options.recorder &&
        [own, options].every(({ slow }) => slow.resolved + slow.measured + slow.observed === 0)
    return (
      alike &&
      this.kernel.resources.every(
        (r) => !isBound(r) || this.launch.buffers[r.name]?.byteLength === launch.buffers[r.name]?.byteLength,
      )
    )
  }

  /**
   * Begins another launch of the kernel as a new machine would, after one that ended and was collected. Shapes that
   * were met stay known.
   */
  restart(launch: Launch): void {
    checkLaunch(this.kernel, launch)
    this.launch = launch
    this.hazards = new Hazards()
    this.watch?.restart()
    this.words.set(launch.grid, at.gridDim >> 2)
    this.fillParams()
    this.copyIn()
    this.owed = 0
    this.allowed = 0
    if (this.fuel) this.fuel.value = BigInt(Math.min(this.options.maxSteps, Number.MAX_SAFE_INTEGER))
  }

  /** Whether a buffer is, or may be, so large that indices of bytes do not reach its end. */
  private isFar(s: Site): boolean {
    if (!isBound(s.resource) || !canReachFar(s)) return false
    return this.options.endless?.has(s.resource.name)
      ? this.options.far === true
      : this.sizeOf(s.resource) > mostIndex - mostBase
  }

  /** Whether the module touches what the buffer holds: the others have addresses, but no memory. */
  private isHeld(name: string): boolean {
    return this.compiled.slice === null || this.compiled.slice.arrays.has(name)
  }

  /** Gives buffers that nothing is read from addresses behind all others, which may lie outside of the memory. */
  private placeElsewhere(): void {
    let next = 2 ** 32
    for (const r of this.kernel.resources) {
      if (!isBound(r) || this.isHeld(r.name)) continue
      this.bases.set(r.name, next)
      next = alignUp(next + this.launch.buffers[r.name]!.byteLength, 256)
    }
  }

  /** Buffers one after the other from `from` on. The bytes that they take. */
  private placeBuffers(from: number): number {
    let next = from
    for (const r of this.kernel.resources) {
      const buffer = this.launch.buffers[r.name]
      if (!buffer || !isBound(r) || !this.isHeld(r.name)) continue
      this.bases.set(r.name, next)
      next = alignUp(next + buffer.byteLength, 256)
    }
    return next - from
  }

  private room(tables: number, buffers: number): Room {
    const bytes = tables + buffers
    if (bytes > Math.min(this.options.maxBytes, 2 ** 32 - pageBytes))
      fail(
        'simulate.memory',
        `kernel ${this.kernel.name}: the launch needs ${bytes} bytes, more than the limit of ` +
          `${this.options.maxBytes} (option maxBytes)`,
      )
    try {
      return (this.options.copies ? roomOf : passingRoomOf)(tables, buffers)
    } catch {
      return fail('simulate.memory', `kernel ${this.kernel.name}: ${bytes} bytes of memory are not to be had here`)
    }
  }

  private instantiate(module: WebAssembly.Module): () => void {
    const {
      watch,
      options: { recorder, slow },
    } = this
    const env = {
      ...mathFunctions,
      memory: this.memory,
      resolve: (at: number, site: number, indices: number, mask: number) => {
        this.spend(slow.resolved)
        return this.resolve(this.firstRank(at), site, indices, mask)
      },
      observe: (at: number, site: number, indices: number, mask: number) => {
        this.spend(slow.observed)
        watch?.request(site, this.firstRank(at), this.words, indices >> 2, mask)
        recorder?.request(
          this.sites[site]!,
          this.firstRank(at),
          this.bases.get(this.sites[site]!.resource.name) ?? 0,
          this.words,
          indices >> 2,
          mask,
        )
      },
      shuffled: (statement: number, lanes: number) => this.shuffled(statement, lanes),
      diverged: (statement: number, warp: number, mask: number, alive: number) =>
        this.diverged(statement, warp, mask, alive),
      returned: (statement: number, warp: number, lanes: number) => this.returned(statement, warp, lanes),
      passed: (warp: number) => {
        watch?.barrier(warp)
        recorder?.barrier(warp)
      },
      turn: (block: number, works: number) => this.turn(block, works !== 0),
      exhausted: () =>
        fail(
          'simulate.steps',
          `kernel ${this.kernel.name}: more than ${this.options.maxSteps} steps (option maxSteps); the kernel ` +
            `may never end`,
          firstPlace(longestLoop(this.kernel.body, this.executions())),
          'a loop that data end wants such data in the buffers; one that waits for earlier blocks wants all ' +
            'blocks (--exact), which run in order',
        ),
    }
    const { exports } = new WebAssembly.Instance(module, { env })
    const { fuel, run } = exports
    if (!(fuel instanceof WebAssembly.Global) || typeof run !== 'function')
      throw new InternalError('simulate', 'the module lacks its exports')
    this.fuel = fuel
    fuel.value = BigInt(Math.min(this.options.maxSteps, Number.MAX_SAFE_INTEGER))
    return run as () => void // exported by driver.ts with this type
  }

  /** Gives its memory to other machines: it runs no more. */
  end(): void {
    if (this.options.copies) release(this.memory)
    this.watch?.end()
  }

  /** Whether a request was met whose lanes are not where their width wants them. */
  meetsFaulty(): boolean {
    return this.shapes.faulty
  }

  /** Steps taken so far. */
  steps(): number {
    this.settle()
    return this.options.maxSteps + this.allowed - Number(this.fuel?.value ?? 0)
  }

  /** Lets it take so many steps more than its limit: blocks that ended say that others will. */
  allow(more: number): void {
    if (!this.fuel) return
    this.allowed += more
    this.fuel.value += BigInt(more)
  }

  /** The limit itself is checked by compiled code, at the next statements. */
  private spend(steps: number): void {
    this.owed += steps
    if (this.owed >= mostOwed) this.settle()
  }

  private settle(): void {
    if (this.owed > 0 && this.fuel) this.fuel.value -= BigInt(this.owed)
    this.owed = 0
  }

  private fillTables(): void {
    const {
      words,
      kernel,
      compiled: { layout },
    } = this
    for (let l = 0; l < 32; l++) {
      words[(at.laneBits >> 2) + l] = 1 << l
      words[(at.lanes >> 2) + l] = l
    }
    words.set(this.launch.grid, at.gridDim >> 2)
    for (const [i, value] of [this.options.together, this.firstShift, this.turnBytes].entries())
      words[(at.turns >> 2) + i] = value
    const [bx, by, bz] = kernel.block
    const threads = bx * by * bz
    for (let turn = 0; turn < this.options.together; turn++)
      for (let w = 0; w < layout.warps; w++) {
        const base = layout.frames + this.firstShift + this.turnBytes * turn + layout.frameBytes * w
        const count = Math.min(this.warpSize, threads - w * this.warpSize)
        words[(base + frame.warp) >> 2] = w
        words[(base + frame.first) >> 2] = count === 32 ? -1 : (1 << count) - 1
        for (let l = 0; l < 32; l++) {
          const rank = w * this.warpSize + l
          words[((base + frame.rank) >> 2) + l] = rank
          words[((base + frame.threadX) >> 2) + l] = rank % bx
          words[((base + frame.threadY) >> 2) + l] = Math.floor(rank / bx) % by
          words[((base + frame.threadZ) >> 2) + l] = Math.floor(rank / (bx * by))
        }
      }
    this.fillParams()
  }

  private fillParams(): void {
    const view = new DataView(this.memory.buffer)
    const values = paramValues(this.kernel, this.launch)
    this.kernel.params.forEach((p, i) => {
      const value = values.get(p.name)!
      const address = at.params + 8 * i
      switch (p.type) {
        case 'bool':
          view.setInt32(address, value ? -1 : 0, true)
          return
        case 'i32':
        case 'u32':
          view.setInt32(address, Number(value) | 0, true)
          return
        case 'f16':
        case 'f32':
          view.setFloat32(address, Number(value), true)
          return
        case 'f64':
          view.setFloat64(address, Number(value), true)
          return
        case 'i64':
        case 'u64':
          view.setBigInt64(address, BigInt.asIntN(64, BigInt(value)), true)
      }
    })
  }

  private sizeOf(r: Resource): number {
    const buffer = this.launch.buffers[r.name]
    return isBound(r) ? boundBytes(r, buffer!) : (r.count ?? 0) * bytesOf[r.type]
  }

  private fillRecords(): void {
    const view = new DataView(this.memory.buffer)
    const { layout, decisions } = this.compiled
    for (let i = 0; i < (decisions?.size ?? 0); i++) clearMargins(this.words, layout.margins + margin.bytes * i)
    for (const site of this.sites) {
      const address = layout.records + rec.bytes * site.index
      const { name, space, count, type } = site.resource
      const base = this.bases.get(name) ?? layout.arrays.get(name)!
      view.setInt32(address + rec.base, (base + site.steps.offset) | 0, true)
      view.setInt32(address + rec.stride, site.steps.stride, true)
      view.setBigInt64(address + rec.bias, BigInt(site.shift > 0 ? site.address.offset : 0), true)
      view.setBigInt64(address + rec.turn, BigInt(site.shift), true)
      view.setInt32(
        address + rec.looks,
        this.options.recorder || this.options.slow.observed > 0 || this.watch?.watches(site.index) ? 1 : 0,
        true,
      )
      view.setInt32(address + rec.laneStride, space === 'local' ? alignUp((count ?? 0) * bytesOf[type], 16) : 0, true)
      const range = this.options.endless?.has(name) ? endlessRange(site) : indexRange(site, this.sizeOf(site.resource))
      this.limits[site.index] = range
      view.setBigInt64(address + rec.low, BigInt(range.low), true)
      view.setBigInt64(address + rec.high, BigInt(range.high), true)
      this.clearIndices(site.index)
      view.setBigInt64(address + rec.indexMask, site.address.index.type === 'u32' ? 0xffffffffn : -1n, true)
    }
  }

  private copyIn(): void {
    for (const [name, base] of this.bases)
      if (this.isHeld(name)) new Uint8Array(this.memory.buffer, base).set(new Uint8Array(this.launch.buffers[name]!))
  }

  /** Copies what the kernel may have written back to the launch's buffers. */
  copyBack(): void {
    if (this.compiled.slice) return
    for (const [name, base] of this.bases) {
      const r = this.kernel.resources.find((x) => x.name === name)
      if (r?.access === 'read') continue
      const buffer = this.launch.buffers[name]!
      new Uint8Array(buffer).set(new Uint8Array(this.memory.buffer, base, buffer.byteLength))
    }
  }

  /** Runs one block. */
  run(x: number, y: number, z: number): void {
    this.begin([x, y, z])
    this.watch?.beginBlock(x + this.launch.grid[0] * (y + this.launch.grid[1] * z))
    this.options.recorder?.beginBlock([x, y, z])
    this.settle()
    this.runBlock()
    this.watch?.endBlock()
  }

  private begin(block: Dim3): void {
    this.blockIdx = block
    this.words.set(block, at.blockIdx >> 2)
  }

  /**
   * Runs all blocks of a kernel whose blocks meet. Warp instructions of each, x fastest; what control flow around
   * barriers of the grid takes is shared out evenly.
   */
  runTogether(): Float64Array<ArrayBuffer> {
    const work = new Float64Array(this.options.together),
      before = this.executed()
    this.turnWork = work
    this.turnOf = -1
    this.runBlock()
    this.endTurn()
    const rest = this.executed() - before - work.reduce((a, b) => a + b, 0)
    return work.map((n) => n + rest / work.length)
  }

  /** Gives the turn to a block of those that run together; one that runs alone always has it. */
  private turn(number: number, works: boolean): void {
    if (this.options.together === 1) return
    this.endTurn()
    const [gx, gy] = this.launch.grid,
      { records, arrays } = this.compiled.layout
    this.begin([number % gx, Math.floor(number / gx) % gy, Math.floor(number / (gx * gy))])
    this.watch?.turn(number)
    if (!works) return
    const shift = this.firstShift + this.turnBytes * number
    // laid out
    for (const { index, address, resource } of this.turnSites)
      this.words[(records + rec.bytes * index + rec.base) >> 2] = arrays.get(resource.name)! + address.offset + shift
    this.turnOf = number
    this.turnBegan = this.executed()
  }

  private endTurn(): void {
    if (this.turnOf >= 0) this.turnWork[this.turnOf]! += this.executed() - this.turnBegan
    this.turnOf = -1
  }

  /** Instructions that one execution of a counted block of statements stands for. */
  private instructionsOf(id: number): number {
    let n = this.weights[id]
    if (n === undefined) {
      n = this.compiled.blocks[id]!.statements.reduce(
        (sum, s) => sum + (s.counts ? Object.values(s.counts).reduce((a, b) => a + b, 0) : s.free ? 0 : 1),
        0,
      )
      this.weights[id] = n
    }
    return n
  }

  /** Warp instructions counted since the last `collect`. */
  executed(): number {
    const unsigned = (i: number): number => this.words[i]! >>> 0
    return this.compiled.blocks.reduce((n, { id }) => {
      const i = (this.compiled.layout.counters + 16 * id) >> 2
      return n + (unsigned(i) + unsigned(i + 1) * 2 ** 32) * this.instructionsOf(id)
    }, 0)
  }

  /** How often warps executed a statement since the last `collect`. */
  private executions(): (s: Stmt) => number {
    const times = new Map<Stmt, number>()
    for (const { id, statements } of this.compiled.blocks) {
      const n = Number(this.wide[(this.compiled.layout.counters + 16 * id) >> 3]!)
      for (const s of statements) times.set(s, (times.get(s) ?? 0) + n)
    }
    return (s) => times.get(s) ?? 0
  }

  /** Statements executed since the last `collect`; all that are not counted on their own are taken as executed. */
  executedStatements(): (s: Stmt) => boolean {
    const idle = new Set<Stmt>()
    for (const { id, statements } of this.compiled.blocks)
      if (this.wide[(this.compiled.layout.counters + 16 * id) >> 3] === 0n) for (const s of statements) idle.add(s)
    if (idle.size === 0) return () => true
    // A statement may stand in several blocks of code.
    for (const { id, statements } of this.compiled.blocks)
      if (this.wide[(this.compiled.layout.counters + 16 * id) >> 3] !== 0n) for (const s of statements) idle.delete(s)
    return (s) => !idle.has(s)
  }

  /** How near decisions came to fall otherwise since the last call, by their numbers. */
  takeMargins(): readonly Margins[] {
    const { decisions, layout } = this.compiled
    return Array.from({ length: decisions?.size ?? 0 }, (_, i) =>
      takeMargins(this.words, layout.margins + margin.bytes * i),
    )
  }

  /** Indices that each site has seen in bounds since the last call, and whether some were out of them. */
  takeIndices(): readonly { readonly low: number; readonly high: number; readonly left: boolean }[] {
    return this.sites.map((site) => {
      const { index } = site,
        at = (this.compiled.layout.records + rec.bytes * index) >> 3
      const found = {
        low: written(site, this.long(at + (rec.seenLow >> 3))),
        high: written(site, this.long(at + (rec.seenHigh >> 3))),
        left: this.outside.has(index),
      }
      this.clearIndices(index)
      return found
    })
  }

  /** Bytes of each resource up to the end of the farthest access in bounds since the last `takeIndices`. */
  reached(): ReadonlyMap<string, number> {
    const ends = new Map<string, number>()
    this.takeIndices().forEach(({ low, high }, i) => {
      const { address, bytesPerLane, resource } = this.sites[i]! // one for each site
      if (low > high) return
      const end = high * address.stride + address.offset + bytesPerLane
      ends.set(resource.name, Math.max(ends.get(resource.name) ?? 0, end))
    })
    return ends
  }

  /** Indices of the site that are in bounds. */
  boundsOf(site: number): { readonly low: number; readonly high: number } {
    const { low, high } = this.limits[site]!,
      of = this.sites[site]! // there are limits for each
    return { low: written(of, low), high: written(of, high) }
  }

  private clearIndices(index: number): void {
    const at = (this.compiled.layout.records + rec.bytes * index) >> 3
    const low = 2 * (at + (rec.seenLow >> 3)),
      high = 2 * (at + (rec.seenHigh >> 3))
    this.words[low] = -1
    this.words[low + 1] = 2 ** 31 - 1
    this.words[high] = 0
    this.words[high + 1] = -(2 ** 31)
    this.outside.delete(index)
  }

  /** A number of 64 bits, signed, to the nearest that a double has: numbers without end are slow to look at. */
  private long(at: number): number {
    return this.words[2 * at + 1]! * 2 ** 32 + (this.words[2 * at]! >>> 0)
  }

  /** Adds what was counted since the last call, `weight` times, and starts again from zero. */
  collect(raw: RawCounts, sums: readonly SiteSums[], weight: number): void {
    const { layout, blocks } = this.compiled
    // as two halves: a number of 64 bits is slow to look at, and most of them are 0
    const take = (address: number): number => {
      const half = address >> 2,
        value = this.words[half + 1]! * 2 ** 32 + (this.words[half]! >>> 0)
      this.words[half] = this.words[half + 1] = 0
      return value * weight
    }
    for (const { id } of blocks) {
      raw.warps[id]! += take(layout.counters + 16 * id)
      raw.lanes[id]! += take(layout.counters + 16 * id + 8)
    }
    for (let b = 0; b < raw.divergent.length; b++) raw.divergent[b]! += take(layout.branches + 8 * b)
    raw.barriers += take(layout.barriers)
    raw.meetings += this.options.together * take(layout.meetings)
    this.shapes.collect(sums, weight)
  }

  /** Answers compiled code: which lanes are in bounds. Counts the request for those. */
  private resolve(firstRank: number, index: number, indices: number, mask: number): number {
    const site = this.sites[index]!
    const { low, high } = this.limits[index]!
    let ok = 0,
      least = Infinity,
      most = -Infinity
    const { type } = site.address.index,
      isWide = type === 'i64' || type === 'u64',
      isUnsigned = type === 'u32',
      from = indices >> 2
    for (let l = 0; l < 32; l++) {
      if (((mask >>> l) & 1) === 0) continue
      let value = this.words[from + l]!
      if (isWide) value = running(site, this.indexOf(site, indices, l))
      else if (isUnsigned) value >>>= 0
      if (!(value >= low && value <= high)) continue
      ok |= 1 << l
      if (value < least) least = value
      if (value > most) most = value
    }
    if (this.compiled.decisions && ok !== 0) this.noteIndices(index, least, most)
    if (ok !== mask) this.outside.add(index)
    if (ok !== mask && !dropped(site)) {
      this.spend(stepsOutside)
      this.outOfBounds(site, firstRank, indices, mask & ~ok)
    }
    this.words[at.entry >> 2] = 0
    if (ok === 0) return 0
    const first = 31 - Math.clz32(ok & -ok)
    const address =
      this.words[(this.compiled.layout.records + rec.bytes * index + rec.base) >> 2]! +
      Math.imul(this.words[(indices >> 2) + first]!, site.steps.stride)
    const before = this.shapes.measured
    this.words[at.entry >> 2] = this.shapes.count(index, ok, address, indices)
    if (this.shapes.measured > before) this.spend(this.options.slow.measured)
    return ok
  }

  /** Notes that the site has seen indices from `least` to `most`. */
  private noteIndices(index: number, least: number, most: number): void {
    const at = (this.compiled.layout.records + rec.bytes * index) >> 3
    const low = at + (rec.seenLow >> 3),
      high = at + (rec.seenHigh >> 3)
    if (least < this.long(low)) this.wide[low] = BigInt(least)
    if (most > this.long(high)) this.wide[high] = BigInt(most)
  }

  /** The index of a lane as the kernel computed it; one of 64 bits is a difference where it is above 2⁶³. */
  private indexOf(site: Site, indices: number, lane: number): number {
    const { type } = site.address.index
    if (type === 'i64' || type === 'u64') {
      const from = this.words[at.wide >> 2]!
      return Number(this.wide[from === 0 ? at.wideIndex >> 3 : (from >> 3) + lane]!)
    }
    const bits = this.words[(indices >> 2) + lane]!
    return type === 'u32' ? bits >>> 0 : bits
  }

  private outOfBounds(site: Site, firstRank: number, indices: number, lanes: number): void {
    const { type } = site.address.index,
      isUnsigned = type === 'u32',
      isWide = (type === 'u64' || type === 'i64') && !this.options.endless?.has(site.resource.name),
      size = this.sizeOf(site.resource),
      byteOf = (index: number): number => index * site.address.stride + site.address.offset
    // an index that wraps is wrong whatever the buffer has
    const meantOf = (index: number): number => (isUnsigned && isBelowZero(index | 0) ? index | 0 : index)
    let farthest = 0
    for (let bits = lanes; bits !== 0; bits &= bits - 1) {
      const meant = meantOf(this.indexOf(site, indices, 31 - Math.clz32(bits & -bits)))
      if (meant >= 0) farthest = Math.max(farthest, byteOf(meant))
      if (isWide && byteOf(meant) >= 0 && byteOf(meant) + site.bytesPerLane <= size) this.refuseFar(site, byteOf(meant))
    }
    const lane = 31 - Math.clz32(lanes & -lanes),
      value = this.indexOf(site, indices, lane),
      meant = meantOf(value)
    const wrapped = meant === value ? '' : ` (index ${meant}, which wraps to ${value})`
    const place = (): string =>
      site.resource.space === 'texture'
        ? `outside texture '${site.resource.name}'`
        : `byte ${byteOf(value)} of '${site.resource.name}'${wrapped}, which has ${size}`
    const hazard = this.hazards.add('out-of-bounds', site.stmt, null, popcount(lanes), () => ({
      text: `${this.threadName(firstRank + lane)}: ${place()}`,
      resource: site.resource.name,
      ...(site.resource.space !== 'texture' && {
        bytes: { from: byteOf(value), to: byteOf(value) + site.bytesPerLane },
      }),
    }))
    hazard.farthest = Math.max(hazard.farthest ?? 0, farthest)
  }

  /** What is in bounds, but not for indices of 32 bits. */
  private refuseFar({ stmt, resource }: Site, byte: number): never {
    return fail(
      'simulate.memory',
      `kernel ${this.kernel.name}: byte ${byte} of '${resource.name}' cannot be run: an index here counts 2³¹ steps ` +
        'of the access',
      stmt.at,
      'explain a smaller launch, or one of its parts: the counts of its blocks are the same',
    )
  }

  /** Rank of lane 0 of the warp whose frame stands at `address`. */
  private firstRank(address: number): number {
    return this.words[(address + frame.warp) >> 2]! * this.warpSize
  }

  /** `block (x, y, z), thread (x, y, z)`; for a negative rank r, lane −1 − r of some warp. */
  private threadName(rank: number): string {
    const block = `block (${this.blockIdx.join(', ')})`
    if (rank < 0) return `${block}, lane ${-1 - rank}`
    const [bx, by] = this.kernel.block
    return `${block}, thread (${rank % bx}, ${Math.floor(rank / bx) % by}, ${Math.floor(rank / (bx * by))})`
  }

  /** The block with this number, x fastest. */
  private blockName(n: number): string {
    const [gx, gy] = this.launch.grid
    return `block (${n % gx}, ${Math.floor(n / gx) % gy}, ${Math.floor(n / (gx * gy))})`
  }

  private shuffled(statement: number, lanes: number): void {
    const lane = 31 - Math.clz32(lanes & -lanes)
    this.hazards.add('uninitialized', this.compiled.statements[statement]!, null, popcount(lanes), () => ({
      text: this.threadName(-1 - lane),
    }))
  }

  private returned(statement: number, warp: number, lanes: number): void {
    if (!this.options.check.returned) return
    const rank = warp * this.warpSize + 31 - Math.clz32(lanes & -lanes)
    this.hazards.add('barrier-divergence', this.compiled.statements[statement]!, null, popcount(lanes), () => ({
      text: `${this.threadName(rank)} has returned`,
      returned: true,
    }))
  }

  private diverged(statement: number, warp: number, mask: number, alive: number): void {
    const missing = alive & ~mask
    const rank = warp * this.warpSize + 31 - Math.clz32(missing & -missing)
    this.hazards.add('barrier-divergence', this.compiled.statements[statement]!, null, popcount(missing), () => ({
      text: `${this.threadName(rank)} does not arrive`,
    }))
  }
}

/** Stores outside a texture do nothing, by definition. */
const dropped = (site: Site): boolean => site.resource.space === 'texture' && site.stmt.kind === 'store'

/**
 * The place of a statement; of a loop that knows none, the first line, of its file, where it may be left, or else of
 * what is in it: what compilers move into a loop keeps the line that it comes from.
 */
function firstPlace(s: Stmt | undefined): Span | undefined {
  if (!s || s.at) return s?.at
  const all = allStatements([s]),
    placesOf = (list: readonly Stmt[]): readonly Span[] => list.flatMap(({ at }) => (at ? [at] : [])),
    isJump = ({ kind }: Stmt): boolean => kind === 'break' || kind === 'continue',
    exits = placesOf(all.filter((x) => x.kind === 'if' && [...x.then, ...x.else].some(isJump))),
    places = exits.length > 0 ? exits : placesOf(all),
    own = places.filter(({ file }) => file === places[0]?.file)
  return own.reduce<Span | undefined>((first, at) => (first && first.line <= at.line ? first : at), undefined)
}
