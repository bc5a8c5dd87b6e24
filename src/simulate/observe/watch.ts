// In: every request of a run, lane by lane, and its barriers. Out: races and reads of memory that nothing has written,
// where the language zeroes it too, but for sums that a thread begins there.
// The one idea: each granule of memory (the largest piece that every access to its resource is made of) remembers its
// last writer and two readers, each with thread, statement and interval between barriers; two accesses of different
// threads in one interval (or of different blocks since all blocks last met), one of them a write and not both atomic,
// are a race; so are atomic loads and stores that are one update in two steps. Two threads that write the same value
// race too. Only the last writer and two readers are remembered, of two warps where there are such, which take more to
// order: a race may go unseen behind another.
import {
  orderedSpaces,
  type Hazard,
  type HazardExample,
  type Kernel,
  type OrderedSpace,
  type Resource,
  type Stmt,
} from '../../ir/index.ts'
import type { Hazards } from './hazards.ts'
import { splitUpdates } from './lost-updates.ts'
import { CommonValues } from './common-values.ts'
import { FenceOrder } from './fence-order.ts'
import type { Site } from './sites.ts'
import { giveTraces, takeTraces, type Traces } from './traces.ts'

export interface Checks {
  readonly races: boolean
  readonly uninitialized: boolean
  /** Threads that returned before a barrier that others of their block pass. */
  readonly returned: boolean
  /** Atomic reads and writes of shared memory that no barrier orders with other threads' updates, as harmless races. */
  readonly unordered: boolean
  /** Reads of shared memory that begins as 0 and that no thread of the block has written, as harmless. */
  readonly zeroed: boolean
}

/**
 * Who touched each granule last is 15 of 16 numbers side by side: the last writer and two readers, each as the interval
 * (0 for nobody), and in it the rank of the thread in the block, the interval of its warp, the block and the site.
 */
const perGranule = 16
/** Where the three begin, five numbers apart. */
const writer = 0,
  reader = 5,
  second = 10
/** Places in one of the three, after its interval. */
const thread = 1,
  warpInterval = 2,
  block = 3,
  by = 4

/** What a block keeps while another has its turn. */
interface Turn {
  /** By kind of memory, as `orderedSpaces` lists them. */
  readonly intervals: Int32Array
  readonly warpIntervals: Int32Array
  readonly shadowOf: readonly (Shadow | undefined)[]
}

interface Shadow {
  /** Bytes of a granule are 2^shift. */
  readonly shift: number
  /** Its kind of memory, as `orderedSpaces` lists them. */
  readonly kind: number
  /** Every block has memory of its own: what blocks before did there is nothing to this one. */
  readonly own: boolean
  /** The last writer and two readers; null when races are not looked for. */
  readonly races: Pages | null
  /** 1 where something has been written; null when nobody needs to. */
  readonly written: Uint8Array | null
  /** Of memory that begins as 0: who first read a granule that nothing had been written to; 2 in `written`. */
  readonly unwritten: Map<number, Reading> | null
}

/** A read by a thread in an interval, and the byte of the resource where it began. */
interface Reading {
  readonly interval: number
  readonly site: Site
  readonly rank: number
  readonly byte: number
}

/** Traces of 2^`shift` granules each; large resources have a page only where something is touched. */
interface Pages {
  readonly shift: number
  readonly pages: Traces[]
  /**
   * By granule, where there is one page: the interval in which reads of it say nothing new, since two threads have read
   * it and nobody has written to it. Most reads ask for that alone, so it lies apart from the rest, in few cache lines.
   */
  readonly settled: Traces | null
}
/** Numbers beyond which traces are made page by page, and granules of such a page. */
const mostWhole = 2 ** 26,
  pageShift = 9,
  onePage = 31

export class Watch {
  private readonly sites: readonly Site[]
  private readonly checks: Checks
  private readonly hazards: () => Hazards
  private readonly shadows = new Map<string, Shadow>()
  private shadowOf: readonly (Shadow | undefined)[]
  private readonly kernel: Kernel
  private readonly sizeOf: (r: Resource) => number
  private readonly threadName: (rank: number) => string
  private readonly blockName: (number: number) => string
  private readonly threads: number
  private warpIntervals: Int32Array
  /**
   * Rises at every barrier and every block, so that no two blocks have one in common; `last`: the highest so far;
   * `first`: that with which the block began. A barrier for one kind of memory begins an interval of that kind alone;
   * `interval`: that of the memory which is looked at.
   */
  private interval = 0
  private intervals: Int32Array = new Int32Array(orderedSpaces.length)
  /** Atomic loads and stores that are one update in two steps. */
  private readonly splitUpdates: ReadonlySet<Stmt>
  private common: CommonValues | undefined
  private readonly fences = new FenceOrder()
  private last = 0
  private first = 0
  /**
   * What was touched in intervals up to this one was touched by another launch, or before all blocks met: by nobody.
   */
  private before = 0
  private block = 0
  /** Threads of a warp have met somewhere: a read again, behind such a place, is another one. */
  private warpsMeet = false
  /** Blocks that run together, by number. */
  private readonly turns: Turn[] = []

  constructor(
    kernel: Kernel,
    sites: readonly Site[],
    checks: Checks,
    sizeOf: (r: Resource) => number,
    threadName: (rank: number) => string,
    blockName: (number: number) => string,
    hazards: () => Hazards,
  ) {
    this.kernel = kernel
    this.sites = sites
    this.checks = checks
    this.hazards = hazards
    this.sizeOf = sizeOf
    this.threadName = threadName
    this.blockName = blockName
    this.splitUpdates = checks.races ? splitUpdates(kernel) : new Set()
    this.threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
    this.warpIntervals = new Int32Array(1024)
    for (const r of kernel.resources) this.add(r, this.shadows, (count) => this.known(count))
    this.shadowOf = sites.map((s) => this.shadows.get(s.resource.name))
  }

  /** `traces`: so many numbers, all of intervals up to `before`. */
  private add(r: Resource, shadows: Map<string, Shadow>, traces: (count: number) => Traces): void {
    const used = this.sites.filter((s) => s.resource === r)
    const readOnly = used.every((s) => s.stmt.kind === 'load')
    const watched =
      (this.checks.races && r.space !== 'local' && !readOnly) ||
      (this.checks.uninitialized && this.ownMemory(r)) ||
      this.beginsAsZero(r)
    if (!watched || used.length === 0) return
    const granule = Math.min(
      ...used.map((s) => granuleOf(s)),
      ...(r.space === 'local' ? [powerIn(this.sizeOf(r))] : []),
    )
    const n = Math.ceil((this.sizeOf(r) * (r.space === 'local' ? this.threads : 1)) / granule) + 1
    const own = this.checks.uninitialized && this.ownMemory(r),
      isZeroed = this.beginsAsZero(r)
    const races = this.checks.races && r.space !== 'local' ? pagesOf(n, traces) : null
    shadows.set(r.name, {
      shift: Math.log2(granule),
      own: r.space === 'shared',
      kind: Math.max(0, orderedSpaces.indexOf(r.space as OrderedSpace)), // of one thread's memory nobody asks
      races,
      written: own || isZeroed ? new Uint8Array(n) : null,
      unwritten: isZeroed ? new Map() : null,
    })
  }

  /** Traces before the first block: what stands in them was touched by nobody. */
  private known(count: number): Traces {
    const { traces, until } = takeTraces(count)
    this.before = this.last = Math.max(this.last, until)
    return traces
  }

  /** Memory that starts undefined in every block. */
  private ownMemory(r: Resource): boolean {
    return (r.space === 'shared' || r.space === 'local') && !r.zeroed
  }

  /** Shared memory that starts as 0 in every block, where reads of what nobody writes are looked for. */
  private beginsAsZero(r: Resource): boolean {
    return this.checks.zeroed && r.space === 'shared' && r.zeroed === true
  }

  /** Gives its traces to others: it watches no more. */
  end(): void {
    for (const { races } of this.shadows.values())
      if (races?.settled) for (const page of [...races.pages, races.settled]) giveTraces(page, this.last)
    this.shadows.clear()
  }

  /** A new launch, on other data. */
  restart(): void {
    this.before = this.last
    this.fences.restart()
    this.warpIntervals.fill(0)
    this.turns.length = 0
  }

  /**
   * The turn of a block of those that run together, which goes on where it was. Traces tell whose they are: no interval
   * is one block's from some time on.
   */
  turn(number: number): void {
    const turn = (this.turns[number] ??= this.newTurn())
    if (turn.intervals.some((i) => i <= this.before)) turn.intervals.fill(++this.last)
    this.block = number
    this.intervals = turn.intervals
    this.first = 2 ** 31 - 1
    this.warpIntervals = turn.warpIntervals
    this.shadowOf = turn.shadowOf
  }

  private newTurn(): Turn {
    const shadows = new Map(this.shadows)
    for (const r of this.kernel.resources)
      if (r.space === 'shared' || r.space === 'local') this.add(r, shadows, (count) => new Int32Array(count))
    return {
      intervals: new Int32Array(orderedSpaces.length),
      warpIntervals: new Int32Array(1024),
      shadowOf: this.sites.map((s) => shadows.get(s.resource.name)),
    }
  }

  /** A new block: its own arrays are new, and no thread of it has met another block's. */
  beginBlock(number: number): void {
    this.block = number
    this.fences.begin()
    this.first = ++this.last
    this.intervals.fill(this.last)
    for (const r of this.kernel.resources) {
      const shadow = this.shadows.get(r.name)
      if (!shadow || (r.space !== 'shared' && r.space !== 'local')) continue
      shadow.written?.fill(0)
      shadow.unwritten?.clear()
    }
  }

  /** The block has ended: what its threads read and none of them wrote is known. */
  endBlock(): void {
    for (const { unwritten, written } of this.shadows.values())
      for (const [granule, { site, rank, byte }] of unwritten ?? [])
        if (written?.[granule] !== 1) this.unwritten(site, rank, byte, 'zeroed')
  }

  /** The threads of the block (−1; from −3 on for one kind of memory), of all blocks (−2), or of one warp have met. */
  barrier(warp: number): void {
    if (warp >= 0) {
      this.warpsMeet = true
      this.warpIntervals[warp]!++
      return
    }
    if (warp === -2) this.before = this.last
    this.last++
    if (warp <= -3) this.intervals[-3 - warp] = this.last
    else this.intervals.fill(this.last)
  }

  /** Whether requests of a site say anything. */
  watches(index: number): boolean {
    return this.shadowOf[index] !== undefined
  }

  /**
   * One request: `firstRank` is the rank of lane 0 in its block; `indices` by lane, from `at` on. All active lanes are
   * in bounds.
   */
  request(index: number, firstRank: number, indices: Int32Array, at: number, active: number): void {
    const shadow = this.shadowOf[index]
    if (!shadow) return
    this.interval = this.intervals[shadow.kind]!
    const site = this.sites[index]!,
      { stride, offset } = site.steps,
      { type } = site.address.index
    const own = site.resource.space === 'local' ? this.sizeOf(site.resource) : 0
    const unsigned = type === 'u32',
      isLoad = site.stmt.kind === 'load'
    const warp = this.warpIntervals[firstRank >> 5] ?? 0
    const quick = isLoad && shadow.races?.shift === onePage ? shadow.races.pages[0]! : null // the one page
    const { shift } = shadow,
      { interval } = this,
      inside = (1 << shift) - 1,
      more = site.bytesPerLane - 1,
      isFenced = site.stmt.kind === 'atomic' && site.stmt.fenced === true
    const known = this.warpsMeet || !quick ? null : (shadow.races?.settled ?? null)
    let last = -1,
      alike = 0
    for (let bits = active; bits !== 0; bits &= bits - 1) {
      const lane = 31 - Math.clz32(bits & -bits)
      const raw = indices[at + lane]!
      const rank = firstRank + lane,
        start = (unsigned ? raw >>> 0 : raw) * stride + offset + rank * own
      // Two readers are remembered: of lanes side by side that read one place, the third says nothing new.
      alike = start === last ? alike + 1 : 0
      last = start
      if (isLoad && alike > 1) continue
      // Devices refuse what is not aligned; the counts tell of it.
      if ((start & inside) !== 0) continue
      if (isFenced) this.fences.update(`${site.resource.name} ${start >>> shift}`, this.block, interval)
      const to = (start + more) >>> shift
      for (let g = start >>> shift; g <= to; g++) {
        if (known && known[g] === interval) continue
        if (quick && this.isKnownRead(quick, shadow, g, warp, rank)) continue
        if (!this.access(site, shadow, g, warp, rank, start - rank * own)) last = -1
      }
    }
  }

  /**
   * Whether a read says nothing new of a granule that nobody wrote in this interval: two others have read it in this
   * one, whom this thread may not replace. Most reads are such; all else is `access`'s.
   */
  private isKnownRead(t: Traces, { written, own, races }: Shadow, g: number, warp: number, rank: number): boolean {
    const o = perGranule * g,
      w = t[o]!,
      { interval } = this
    if (t[o + reader] !== interval || t[o + second] !== interval || w === interval) return false
    if ((!own && w < this.first && w > this.before) || (written && written[g] === 0)) return false
    const a = t[o + reader + thread]!,
      b = t[o + second + thread]!
    if (a === rank || b === rank) return false
    const isWide = a >> 5 !== b >> 5 || this.threads <= 32
    const isKnown =
      (isWide || a >> 5 === rank >> 5) &&
      (a >> 5 !== rank >> 5 || t[o + reader + warpInterval] === warp) &&
      (b >> 5 !== rank >> 5 || t[o + second + warpInterval] === warp)
    if (isKnown && isWide && races?.settled) races.settled[g] = interval
    return isKnown
  }

  /** An access to the granule `g`, of what begins at `byte`. Whether nothing was amiss. */
  private access(
    site: Site,
    { written, unwritten, races, own: isOwn }: Shadow,
    g: number,
    warp: number,
    rank: number,
    byte: number,
  ): boolean {
    const isLoad = site.stmt.kind === 'load',
      { interval, first, before } = this
    let fine = true
    if (unwritten && written) this.noteUnwritten(site, unwritten, written, g, rank, byte)
    else if (written) fine = this.initialised(site, written, g, rank, byte)
    if (!races) return fine
    const t = (races.pages[g >>> races.shift] ??= new Int32Array(perGranule << pageShift))
    // What was touched in no interval that counts here needs no closer look: mostly before the last barrier, by the
    // same block.
    const o = perGranule * (races.shift === onePage ? g : g & ((1 << pageShift) - 1)),
      w = t[o]!,
      r = t[o + reader]!,
      s = t[o + second]!
    const late = isOwn ? -1 : first // of memory of its own, a block meets nothing that others did
    if (w !== interval && (w >= late || w <= before)) {
      if (isLoad) {
        if (r !== interval && (r >= late || r <= before)) {
          this.note(races, t, o + reader, site, rank, warp)
          return fine
        }
        if (r === interval) {
          // One that reads again stays where it was; another takes the second place, if that is free.
          if (!this.isOther(t, o + reader, rank, warp)) this.note(races, t, o + reader, site, rank, warp)
          else if (s !== interval || !this.isOther(t, o + second, rank, warp) || this.widens(t, o, rank))
            this.note(races, t, o + second, site, rank, warp)
          return fine
        }
      } else if (r !== interval && (r >= late || r <= before) && s !== interval && (s >= late || s <= before)) {
        this.note(races, t, o + writer, site, rank, warp)
        return fine
      }
    }
    return this.race(site, isOwn, races, t, o, warp, rank, byte) && fine
  }

  /** Whether a reader in this interval is another thread that this one may not replace. */
  private isOther(t: Traces, o: number, rank: number, warp: number): boolean {
    const other = t[o + thread]!
    return other !== rank && (other >> 5 !== rank >> 5 || t[o + warpInterval] === warp)
  }

  /**
   * Whether both readers are of one warp and this one is not: those of two warps say that no barrier of a warp is
   * enough.
   */
  private widens(t: Traces, o: number, rank: number): boolean {
    const a = t[o + reader + thread]! >> 5
    return a === t[o + second + thread]! >> 5 && a !== rank >> 5
  }

  private initialised(site: Site, written: Uint8Array, g: number, rank: number, byte: number): boolean {
    const fine = written[g] !== 0 || site.stmt.kind === 'store'
    if (!fine) this.unwritten(site, rank, byte)
    if (site.stmt.kind !== 'load') written[g] = 1
    return fine
  }

  /**
   * What is read and written in one interval is a sum that begins as 0 on purpose (`x += 1`), or, of two threads, a
   * race.
   */
  private noteUnwritten(
    site: Site,
    unwritten: Map<number, Reading>,
    written: Uint8Array,
    granule: number,
    rank: number,
    byte: number,
  ): void {
    if (site.stmt.kind === 'load') {
      if (written[granule] !== 0) return
      written[granule] = 2
      unwritten.set(granule, { interval: this.interval, site, rank, byte })
      return
    }
    const reading = written[granule] === 2 ? unwritten.get(granule) : undefined
    if (reading && reading.interval !== this.interval)
      this.unwritten(reading.site, reading.rank, reading.byte, 'zeroed')
    written[granule] = 1
  }

  // Apart, because a function that makes a closure pays for it on every call.
  private unwritten(site: Site, rank: number, byte: number, harmless?: 'zeroed'): void {
    this.hazards().add(
      'uninitialized',
      site.stmt,
      null,
      1,
      () => ({
        text: `${this.threadName(rank)}: byte ${byte} of '${site.resource.name}'`,
        resource: site.resource.name,
        bytes: { from: byte, to: byte + site.bytesPerLane },
      }),
      () => harmless ?? null,
    )
  }

  /** Whether the access to the granule whose traces begin at `g` is ordered with what they tell. */
  private race(
    site: Site,
    own: boolean,
    races: Pages,
    t: Traces,
    g: number,
    warp: number,
    rank: number,
    byte: number,
  ): boolean {
    const writes = site.stmt.kind !== 'load'
    const clashes = [writer, ...(writes ? [reader, second] : [])].filter((x) =>
      this.clashes(site, own, t, g + x, rank, warp),
    )
    const clash = clashes.find((x) => this.groupOf(t, g + x, rank) !== 'warp') ?? clashes[0]
    if (clash !== undefined) this.report(site, t, g + clash, rank, byte)
    const into = writes
      ? writer
      : this.replaceable(own, t, g + reader, rank, warp)
        ? reader
        : this.isForeign(t, g + second) ||
            this.replaceable(own, t, g + second, rank, warp) ||
            (t[g + reader] === this.interval && t[g + second] === this.interval && this.widens(t, g, rank))
          ? second
          : null
    if (into !== null) this.note(races, t, g + into, site, rank, warp)
    return clash === undefined
  }

  private isForeign(t: Traces, o: number): boolean {
    const at = t[o]!
    return at <= this.before || (at < this.first && t[o + block] !== this.block)
  }

  /**
   * Whether a reader may be forgotten for this one: nobody, the same thread, or one that can clash with less. One of
   * another block clashes with every later writer.
   */
  private replaceable(own: boolean, t: Traces, o: number, rank: number, warp: number): boolean {
    const at = t[o]!
    if (at !== this.interval) return at >= this.first || at <= this.before || own || t[o + block] === this.block
    return !this.isOther(t, o, rank, warp)
  }

  private note({ settled }: Pages, t: Traces, o: number, site: Site, rank: number, warp: number): void {
    t[o] = this.interval
    t[o + thread] = rank
    t[o + warpInterval] = warp
    t[o + block] = this.block
    t[o + by] = site.index
    if (settled && site.stmt.kind !== 'load') settled[Math.floor(o / perGranule)] = 0
  }

  /** Whether the traced access and this one are unordered. */
  private clashes(site: Site, own: boolean, t: Traces, o: number, rank: number, warp: number): boolean {
    const at = t[o]!
    if (at !== this.interval && (at >= this.first || at <= this.before || own || t[o + block] === this.block))
      return false
    if (t[o + block] !== this.block && this.fences.orders(t[o + block]!, at)) return false
    const other = this.sites[t[o + by]!]!.stmt
    const isOrdered = !this.losesUpdate(site.stmt, other) && !this.isUnordered(site, t, o)
    if (site.stmt.kind === 'atomic' && other.kind === 'atomic' && isOrdered) return false
    return at !== this.interval || this.isOther(t, o, rank, warp)
  }

  /** Whether the other thread has stored its update before or between the two steps of this one. */
  private losesUpdate(now: Stmt, before: Stmt): boolean {
    return (
      this.splitUpdates.has(now) && before.kind === 'atomic' && before.op === 'store' && this.splitUpdates.has(before)
    )
  }

  /**
   * Whether one of the two reads or sets shared memory that the other thread of the block updates. Both are atomic,
   * which orders nothing: what is read may lack updates, what is set may undo them.
   */
  private isUnordered({ stmt: a, resource }: Site, t: Traces, o: number): boolean {
    const { stmt: b } = this.sites[t[o + by]!]!
    return (
      this.checks.unordered &&
      resource.space === 'shared' &&
      t[o + block] === this.block &&
      a.kind === 'atomic' &&
      b.kind === 'atomic' &&
      isUpdate(a) !== isUpdate(b) &&
      !this.isLock(resource)
    )
  }

  /** Whether atomics of the array wait for each other: what is read there decides who goes on. */
  private isLock({ name }: Resource): boolean {
    return this.sites.some(
      ({ stmt: s, resource }) =>
        resource.name === name && s.kind === 'atomic' && (s.op === 'exchange' || s.op === 'compareExchange'),
    )
  }

  /** Made when two threads race: few kernels have any. */
  private get values(): CommonValues {
    return (this.common ??= new CommonValues(this.kernel))
  }

  /** Whether both store values that all threads of the block, or of the launch, have in common. */
  private sameValue({ stmt: a }: Site, { stmt: b }: Site, within: Hazard['within']): boolean {
    if (a.kind !== 'store' || b.kind !== 'store' || a.type !== b.type) return false
    const group = within === 'grid' ? 'launch' : 'block'
    const [x, y] = [a, b].map((s) => s.src.map((v) => this.values.of(v, group)))
    return x!.every((v, i) => v !== null && v === y![i]) // there are two
  }

  private placeName(rank: number): string {
    const [bx, by] = this.kernel.block
    return `thread (${rank % bx}, ${Math.floor(rank / bx) % by}, ${Math.floor(rank / (bx * by))})`
  }

  /** The smallest group that has both the traced thread and this one. */
  private groupOf(t: Traces, o: number, rank: number): NonNullable<Hazard['within']> {
    if (t[o + block] !== this.block) return 'grid'
    return t[o + thread]! >> 5 === rank >> 5 ? 'warp' : 'block'
  }

  private report(site: Site, t: Traces, o: number, rank: number, byte: number): void {
    const other = this.sites[t[o + by]!]!
    const there =
      t[o + block] === this.block
        ? this.placeName(t[o + thread]!)
        : `${this.placeName(t[o + thread]!)} of ${this.blockName(t[o + block]!)}`
    const within = this.groupOf(t, o, rank)
    const example = (): HazardExample => ({
      text: `${this.threadName(rank)} and ${there}: byte ${byte} of '${site.resource.name}'`,
      resource: site.resource.name,
      bytes: { from: byte, to: byte + site.bytesPerLane },
      within,
    })
    const hazards = this.hazards(),
      found = hazards.add('race', site.stmt, other.stmt, 1, example, () =>
        this.sameValue(site, other, within) ? 'same value' : this.isUnordered(site, t, o) ? 'unordered atomics' : null,
      )
    if (found.within === 'warp' && within !== 'warp') hazards.exemplify(found, example())
    else if (found.harmless === 'same value' && within === 'grid' && !this.sameValue(site, other, within))
      hazards.exemplify(found, example(), true)
  }
}

/** Whether an atomic reads and writes in one step. */
const isUpdate = ({ op }: Extract<Stmt, { kind: 'atomic' }>): boolean => op !== 'load' && op !== 'store'

function pagesOf(granules: number, traces: (count: number) => Traces): Pages {
  const count = perGranule * granules
  return count <= mostWhole
    ? { shift: onePage, pages: [traces(count)], settled: traces(granules) }
    : { shift: pageShift, pages: [], settled: null }
}

/** The largest power of two that divides `n`. */
const powerIn = (n: number): number => n & -n

/** What every access of the site is made of whole: bytes of a power of two. One that lies elsewhere is a fault. */
const granuleOf = ({ alignment }: Site): number => powerIn(alignment)
