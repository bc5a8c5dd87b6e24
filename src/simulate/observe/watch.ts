// In: every request of a run, lane by lane, and its barriers. Out: races and reads of memory that nothing has written.
// The one idea: each granule of memory (the smallest element that any site of its resource uses) remembers its last writer
// and two readers, each with thread, statement and interval between barriers; two accesses of different threads in one
// interval (or of different blocks at all), one of them a write and not both atomic, are a race. Two threads that write
// the same value race too. Only the last writer and two readers are remembered: a race may go unseen behind another.
import { bytesOf, type Kernel, type Resource } from '../../ir/index.ts'
import type { Hazards } from './hazards.ts'
import type { Site } from './sites.ts'

export interface Checks {
  readonly races: boolean
  readonly uninitialized: boolean
}

/** Who touched each granule last: interval (0 for nobody), and in it rank of the thread in the block, interval of its warp, block and site. */
interface Trace {
  readonly interval: Int32Array
  readonly thread: Int32Array
  readonly warpInterval: Int32Array
  readonly block: Int32Array
  readonly site: Int32Array
}

interface Shadow {
  /** Bytes of a granule are 2^shift. */
  readonly shift: number
  /** Every block has memory of its own: what blocks before did there is nothing to this one. */
  readonly own: boolean
  /** The last writer and two readers; null when races are not looked for. */
  readonly races: { readonly writer: Trace; readonly reader: Trace; readonly second: Trace } | null
  /** 1 where something has been written; null when nobody needs to. */
  readonly written: Uint8Array | null
}

const trace = (n: number): Trace => ({ interval: new Int32Array(n), thread: new Int32Array(n), warpInterval: new Int32Array(n), block: new Int32Array(n), site: new Int32Array(n) })

export class Watch {
  private readonly sites: readonly Site[]
  private readonly checks: Checks
  private readonly hazards: () => Hazards
  private readonly shadows = new Map<string, Shadow>()
  private readonly shadowOf: readonly (Shadow | undefined)[]
  private readonly kernel: Kernel
  private readonly sizeOf: (r: Resource) => number
  private readonly threadName: (rank: number) => string
  private readonly blockName: (number: number) => string
  private readonly threads: number
  private readonly warpIntervals: Int32Array
  /** Rises at every barrier and every block, so that no two blocks have one in common; `first`: that with which the block began. */
  private interval = 0
  private first = 0
  /** What was touched in intervals up to this one was touched by another launch: by nobody. */
  private before = 0
  private block = 0

  constructor(kernel: Kernel, sites: readonly Site[], checks: Checks, sizeOf: (r: Resource) => number, threadName: (rank: number) => string, blockName: (number: number) => string, hazards: () => Hazards) {
    this.kernel = kernel
    this.sites = sites
    this.checks = checks
    this.hazards = hazards
    this.sizeOf = sizeOf
    this.threadName = threadName
    this.blockName = blockName
    this.threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
    this.warpIntervals = new Int32Array(1024)
    for (const r of kernel.resources) this.add(r)
    this.shadowOf = sites.map((s) => this.shadows.get(s.resource.name))
  }

  private add(r: Resource): void {
    const used = this.sites.filter((s) => s.resource === r)
    const readOnly = used.every((s) => s.stmt.kind === 'load')
    const watched = (this.checks.races && r.space !== 'local' && !readOnly) || (this.checks.uninitialized && this.ownMemory(r))
    if (!watched || used.length === 0) return
    const granule = Math.min(...used.map((s) => granuleOf(s)))
    const n = Math.ceil((this.sizeOf(r) * (r.space === 'local' ? this.threads : 1)) / granule) + 1
    const own = this.checks.uninitialized && this.ownMemory(r)
    const races = this.checks.races && r.space !== 'local'
    this.shadows.set(r.name, { shift: Math.log2(granule), own: r.space === 'shared', races: races ? { writer: trace(n), reader: trace(n), second: trace(n) } : null, written: own ? new Uint8Array(n) : null })
  }

  /** Memory that starts undefined in every block. */
  private ownMemory(r: Resource): boolean { return (r.space === 'shared' || r.space === 'local') && !r.zeroed }

  /** A new launch, on other data. */
  restart(): void {
    this.before = this.interval
    this.warpIntervals.fill(0)
  }

  /** A new block: its own arrays are new, and no thread of it has met another block's. */
  beginBlock(number: number): void {
    this.block = number
    this.first = ++this.interval
    for (const r of this.kernel.resources) {
      const shadow = this.shadows.get(r.name)
      if (!shadow || (r.space !== 'shared' && r.space !== 'local')) continue
      shadow.written?.fill(0)
    }
  }

  /** All threads (−1), or those of one warp, have met. */
  barrier(warp: number): void {
    if (warp < 0) this.interval++
    else this.warpIntervals[warp]!++
  }

  /** One request: `firstRank` is the rank of lane 0 in its block; `indices` by lane. All active lanes are in bounds. */
  request(index: number, firstRank: number, indices: Int32Array, active: number): void {
    const site = this.sites[index]!
    const shadow = this.shadowOf[index]
    if (!shadow) return
    const { stride, offset, index: { type } } = site.address
    const own = site.resource.space === 'local' ? this.sizeOf(site.resource) : 0
    const unsigned = type === 'u32'
    const warp = this.warpIntervals[firstRank >> 5] ?? 0
    for (let bits = active; bits !== 0; bits &= bits - 1) {
      const lane = 31 - Math.clz32(bits & -bits)
      const raw = indices[lane]!
      this.access(site, shadow, warp, firstRank + lane, (unsigned ? raw >>> 0 : raw) * stride + offset, own)
    }
  }

  /** `own`: bytes that each thread has of its own, 0 when memory is common. */
  private access(site: Site, shadow: Shadow, warp: number, rank: number, byte: number, own: number): void {
    const start = byte + rank * own, { shift, written, races } = shadow
    const to = (start + site.bytesPerLane - 1) >>> shift
    for (let g = start >>> shift; g <= to; g++) {
      if (written) this.initialised(site, written, g, rank, byte)
      if (races) this.race(site, shadow, races, warp, rank, g, byte)
    }
  }

  private initialised(site: Site, written: Uint8Array, g: number, rank: number, byte: number): void {
    if (written[g] === 0 && site.stmt.kind !== 'store') this.unwritten(site, rank, byte)
    if (site.stmt.kind !== 'load') written[g] = 1
  }

  // Apart, because a function that makes a closure pays for it on every call.
  private unwritten(site: Site, rank: number, byte: number): void {
    this.hazards().add('uninitialized', site.stmt, null, 1, () => `${this.threadName(rank)}: byte ${byte} of '${site.resource.name}'`)
  }

  private race(site: Site, { own }: Shadow, { writer, reader, second }: NonNullable<Shadow['races']>, warp: number, rank: number, g: number, byte: number): void {
    const writes = site.stmt.kind !== 'load'
    if (this.clashes(site, own, writer, g, rank, warp)) this.report(site, writer, g, rank, byte)
    else if (writes && this.clashes(site, own, reader, g, rank, warp)) this.report(site, reader, g, rank, byte)
    else if (writes && this.clashes(site, own, second, g, rank, warp)) this.report(site, second, g, rank, byte)
    const into = writes ? writer : this.replaceable(own, reader, g, rank, warp) ? reader : this.isForeign(second, g) || this.replaceable(own, second, g, rank, warp) ? second : null
    if (into) this.note(into, site, g, rank, warp)
  }

  private isForeign(t: Trace, g: number): boolean {
    const at = t.interval[g]!
    return at <= this.before || (at < this.first && t.block[g] !== this.block)
  }

  /** Whether a reader may be forgotten for this one: nobody, the same thread, or one that can clash with less. One of another block clashes with every later writer. */
  private replaceable(own: boolean, t: Trace, g: number, rank: number, warp: number): boolean {
    const at = t.interval[g]!
    if (at !== this.interval) return at >= this.first || at <= this.before || own || t.block[g] === this.block
    const other = t.thread[g]!
    return other === rank || (other >> 5 === rank >> 5 && t.warpInterval[g] !== warp)
  }

  private note(t: Trace, site: Site, g: number, rank: number, warp: number): void {
    t.interval[g] = this.interval
    t.thread[g] = rank
    t.warpInterval[g] = warp
    t.block[g] = this.block
    t.site[g] = site.index
  }

  /** Whether the traced access and this one are unordered. */
  private clashes(site: Site, own: boolean, t: Trace, g: number, rank: number, warp: number): boolean {
    const at = t.interval[g]!
    if (at !== this.interval && (at >= this.first || at <= this.before || own || t.block[g] === this.block)) return false
    if (site.stmt.kind === 'atomic' && this.sites[t.site[g]!]!.stmt.kind === 'atomic') return false
    if (at !== this.interval) return true
    const other = t.thread[g]!
    return other !== rank && (other >> 5 !== rank >> 5 || t.warpInterval[g] === warp)
  }

  private placeName(rank: number): string {
    const [bx, by] = this.kernel.block
    return `thread (${rank % bx}, ${Math.floor(rank / bx) % by}, ${Math.floor(rank / (bx * by))})`
  }

  private report(site: Site, t: Trace, g: number, rank: number, byte: number): void {
    const other = this.sites[t.site[g]!]!
    const there = t.block[g] === this.block ? this.placeName(t.thread[g]!) : `${this.placeName(t.thread[g]!)} of ${this.blockName(t.block[g]!)}`
    this.hazards().add('race', site.stmt, other.stmt, 1, () => `${this.threadName(rank)} and ${there}: byte ${byte} of '${site.resource.name}'`)
  }
}

const granuleOf = (s: Site): number => {
  const element = bytesOf[s.type]
  const steps = [element, s.address.stride % element, s.address.offset % element].filter((n) => n > 0).map((n) => n & -n)
  return Math.min(...steps)
}
