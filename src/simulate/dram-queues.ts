// In: what blocks ask of memory, and a GPU whose memory chips and channels are known. Out: how much longer DRAM takes
// for it than the pins of all its channels would. The one idea: a closed system of queues. Half-warps take turns, one
// of each multiprocessor, at channels that look at a few transactions each and serve the one that can start first
// (FR-FCFS, Rixner et al. 2000); opening a row, its recovery from a write and turning from writes to reads cost what
// data sheets say. So channels that all blocks want at once (partition camping), and rows that multiprocessors close
// for each other, show as time. Latency and arithmetic are left out: they are terms of their own.
import type { DramChips, GpuProfile } from '../gpus/index.ts'
import type { Trace } from '../ir/index.ts'

/**
 * Transactions among which a channel chooses. Not published; of 4, 8, 12 and 16 the one that agrees best with the
 * copy and the transposes by columns, through a padded tile and along diagonals of docs/gt200.md.
 */
const looked = 12
/** Bytes that a half-warp of neighbours asks for. */
const halfWarpBytes = 64

export interface SiteKind {
  readonly writes: boolean
  /** Whether its traffic goes to DRAM as it is asked for: that of textures is cached. */
  readonly counts: boolean
}

interface Transaction {
  readonly channel: number
  readonly bank: number
  readonly row: number
  readonly bursts: number
  readonly write: boolean
  readonly warp: Warp
  /** Transactions of one half-warp go one after the other. */
  readonly half: number
  arrived: number
}

interface Warp {
  readonly block: Block
  /** By interval between barriers: site, how many sectors, their numbers, again and again. */
  readonly intervals: readonly (readonly number[])[]
  at: number
  /** Transactions of its request that have not come, or not left when it stores. */
  pending: number
}

interface Block {
  readonly multiprocessor: number
  readonly warps: Warp[]
  interval: number
  /** Warps that have not come to the interval's end. */
  running: number
}

interface Bank {
  row: number
  opened: number
  /** When its row may be closed. */
  free: number
}

interface Channel {
  readonly queue: Transaction[]
  readonly banks: Bank[]
  /** Multiprocessors whose next transaction finds no room here. */
  readonly waiting: Set<number>
  /** Whose turn was last, and of which of its half-warps. */
  last: number
  half: number
  pins: number
  wrote: boolean
  activated: number
  serving: boolean
}

/** Times that the data sheet gives, in nanoseconds. */
interface Times {
  readonly burst: number
  readonly precharge: number
  readonly open: number
  readonly cycle: number
  readonly between: number
  readonly written: number
  readonly turn: number
}

/**
 * Time of DRAM ÷ the time that its pins need, 1 or more, for blocks of which `resident` run on each multiprocessor at
 * once. Undefined where the chips are not known so far or nothing goes to memory.
 */
export function dramStretch(
  trace: Trace,
  sites: readonly SiteKind[],
  profile: GpuProfile,
  resident: number,
): number | undefined {
  const { dramChannels: channels, dramChips: chips } = profile
  if (!channels || !chips?.betweenNs || !chips.writtenNs || !chips.turnNs) return undefined
  const burst = (chips.burstBytes.value * channels.count * 1e9) / profile.memory.dramBytesPerSecond.value
  const queues = new Queues(trace, sites, profile, resident, {
    burst,
    precharge: chips.openNs.value / 2,
    open: chips.openNs.value / 2,
    cycle: chips.cycleNs.value,
    between: chips.betweenNs.value,
    written: chips.writtenNs.value,
    turn: chips.turnNs.value,
  })
  const { ns, bursts } = queues.run()
  return bursts === 0 ? undefined : Math.max(1, (ns * channels.count) / (bursts * burst))
}

class Queues {
  private readonly trace: Trace
  private readonly sites: readonly SiteKind[]
  private readonly times: Times
  private readonly chips: DramChips
  private readonly piece: number
  private readonly sectorBytes: number
  private readonly multiprocessors: number
  private readonly resident: number
  private readonly channels: Channel[]
  /** By multiprocessor: what its half-warps ask for, in order. */
  private readonly leaving: readonly Line[]
  private readonly events = new Events()
  private next = 0
  private halves = 0
  private bursts = 0
  /** What was served, and when, while blocks were left to start. */
  private full: { readonly ns: number; readonly bursts: number } | undefined

  constructor(trace: Trace, sites: readonly SiteKind[], profile: GpuProfile, resident: number, times: Times) {
    this.trace = trace
    this.sites = sites
    this.times = times
    this.chips = profile.dramChips! // asked by the caller, as are the channels
    this.piece = profile.dramChannels!.bytes.value
    this.sectorBytes = profile.sectorBytes
    this.multiprocessors = profile.multiprocessors
    this.resident = resident
    this.leaving = Array.from({ length: profile.multiprocessors }, () => new Line())
    this.channels = Array.from({ length: profile.dramChannels!.count }, () => ({
      queue: [],
      banks: Array.from({ length: this.chips.banks.value }, () => ({ row: -1, opened: -1e9, free: 0 })),
      waiting: new Set<number>(),
      last: 0,
      half: -1,
      pins: 0,
      wrote: false,
      activated: -1e9,
      serving: false,
    }))
  }

  /** Time and bursts while all multiprocessors had blocks, or of all. */
  run(): { readonly ns: number; readonly bursts: number } {
    for (let round = 0; round < this.resident; round++)
      for (let m = 0; m < this.multiprocessors; m++) this.start(m, round === 0 ? m * 1e-3 : 0)
    this.events.run()
    const ns = Math.max(...this.channels.map((c) => c.pins))
    return this.full && this.full.bursts > 0 ? this.full : { ns, bursts: this.bursts }
  }

  private start(multiprocessor: number, after = 0): void {
    const traced = this.trace.blocks[this.next++]
    if (!traced) {
      if (this.next > this.multiprocessors * this.resident + 1)
        this.full ??= { ns: Math.max(...this.channels.map((c) => c.pins)), bursts: this.bursts }
      return
    }
    const warps = Math.max(0, ...traced.intervals.map((i) => i.length))
    const block: Block = { multiprocessor, warps: [], interval: 0, running: warps }
    for (let w = 0; w < warps; w++)
      block.warps.push({ block, intervals: traced.intervals.map((i) => i[w] ?? []), at: 0, pending: 0 })
    for (const warp of block.warps) this.events.at(this.events.now + after, () => this.ask(warp))
  }

  /** The warp's next request: it waits for what it loads, and until what it stores has left. */
  private ask(warp: Warp): void {
    const list = warp.intervals[warp.block.interval] ?? []
    while (warp.at < list.length) {
      const site = list[warp.at]!,
        count = list[warp.at + 1]!,
        first = warp.at + 2
      warp.at = first + count
      const kind = this.sites[site]
      if (!kind?.counts) continue
      return this.send(warp, list, first, count, kind.writes)
    }
    this.arrive(warp.block)
  }

  /** A warp has come to a barrier or the end. */
  private arrive(block: Block): void {
    if (--block.running > 0) return
    block.interval++
    if (block.interval >= (block.warps[0]?.intervals.length ?? 0)) return this.start(block.multiprocessor)
    block.running = block.warps.length
    for (const warp of block.warps) {
      warp.at = 0
      this.events.at(this.events.now, () => this.ask(warp))
    }
  }

  /** Asks for `count` sectors whose numbers begin at `list[first]`, one half-warp after the other. */
  private send(warp: Warp, list: readonly number[], first: number, count: number, write: boolean): void {
    const middle = first + Math.ceil(count / 2)
    this.sendHalf(warp, list, first, middle, write)
    this.sendHalf(warp, list, middle, first + count, write)
    this.leave(warp.block.multiprocessor)
  }

  /** Runs of neighbours are one transaction, of at most what a half-warp of neighbours asks for. */
  private sendHalf(warp: Warp, list: readonly number[], from: number, to: number, write: boolean): void {
    if (from === to) return
    const line = this.leaving[warp.block.multiprocessor]!,
      half = ++this.halves,
      most = halfWarpBytes / this.sectorBytes
    for (let at = from; at < to; ) {
      const first = list[at]!
      let count = 1
      while (at + count < to && list[at + count] === first + count && (first + count) % most !== 0) count++
      at += count
      line.push(this.transaction(warp, first * this.sectorBytes, count, write, half))
      warp.pending++
    }
  }

  private transaction(warp: Warp, byte: number, sectors: number, write: boolean, half: number): Transaction {
    const n = Math.floor(byte / this.piece),
      channels = this.channels.length,
      banks = this.chips.banks.value
    const row = Math.floor((Math.floor(n / channels) * this.piece + (byte % this.piece)) / this.chips.rowBytes.value)
    return {
      channel: n % channels,
      bank: row % banks,
      row: Math.floor(row / banks),
      bursts: (sectors * this.sectorBytes) / this.chips.burstBytes.value,
      write,
      warp,
      half,
      arrived: 0,
    }
  }

  /** What a multiprocessor asks for goes in order, as far as there is room and nobody waits for it. */
  private leave(multiprocessor: number): void {
    const list = this.leaving[multiprocessor]!
    for (let mayPass = true; ; mayPass = false) {
      const t = list.first
      if (!t) return
      const c = this.channels[t.channel]!
      if (c.queue.length >= looked || (!mayPass && c.waiting.size > 0)) {
        c.waiting.add(multiprocessor)
        return
      }
      list.shift()
      t.arrived = this.events.now
      c.queue.push(t)
      c.half = t.half
      if (t.write) this.done(t.warp)
      if (c.serving) continue
      c.serving = true
      this.events.at(Math.max(this.events.now, c.pins), () => this.serve(c))
    }
  }

  private done(warp: Warp): void {
    if (--warp.pending === 0) this.events.at(this.events.now, () => this.ask(warp))
  }

  /** The next multiprocessor in turn, or the same until its half-warp is through. */
  private letIn(c: Channel): void {
    if (c.waiting.size === 0) return
    const same = c.waiting.has(c.last) && this.leaving[c.last]!.first?.half === c.half
    for (let k = same ? 0 : 1; k <= this.multiprocessors; k++) {
      const m = (c.last + k) % this.multiprocessors
      if (!c.waiting.delete(m)) continue
      c.last = m
      return this.leave(m)
    }
  }

  /** Serves the transaction that can start first. */
  private serve(c: Channel): void {
    if (c.queue.length === 0) {
      c.serving = false
      return
    }
    const { times } = this
    let best = 0,
      start = Infinity,
      opens: number | null = null
    for (let i = 0; i < c.queue.length; i++) {
      const t = c.queue[i]!,
        bank = c.banks[t.bank]!,
        open = bank.row === t.row
      const act = open
        ? 0
        : Math.max(t.arrived, bank.opened + times.cycle, bank.free + times.precharge, c.activated + times.between)
      const turn = c.wrote && !t.write ? times.turn : 0
      const ready = Math.max(c.pins + turn, open ? Math.max(t.arrived, bank.opened + times.open) : act + times.open)
      if (ready >= start) continue
      best = i
      start = ready
      opens = open ? null : act
    }
    const [t] = c.queue.splice(best, 1) as [Transaction] // there is one
    const bank = c.banks[t.bank]!,
      end = start + t.bursts * times.burst
    if (opens !== null) {
      bank.opened = c.activated = opens
      bank.row = t.row
    }
    bank.free = end + (t.write ? times.written : 0)
    c.pins = end
    c.wrote = t.write
    this.bursts += t.bursts
    this.events.at(end, () => {
      if (!t.write) this.done(t.warp)
      this.letIn(c)
      this.serve(c)
    })
  }
}

/** What waits in line: who came first goes first. */
class Line {
  private list: Transaction[] = []
  private gone = 0

  get first(): Transaction | undefined {
    return this.list[this.gone]
  }

  push(t: Transaction): void {
    this.list.push(t)
  }

  shift(): void {
    if (++this.gone * 2 <= this.list.length) return
    this.list = this.list.slice(this.gone)
    this.gone = 0
  }
}

/** What happens at a time, in order (a binary heap); what is of one time, in the order in which it was planned. */
class Events {
  now = 0
  private readonly heap: { readonly time: number; readonly order: number; readonly run: () => void }[] = []
  private order = 0

  at(time: number, run: () => void): void {
    const { heap } = this
    let i = heap.length
    heap.push({ time, order: this.order++, run })
    for (let up = (i - 1) >> 1; i > 0 && this.before(i, up); up = (i - 1) >> 1) {
      this.swap(i, up)
      i = up
    }
  }

  run(): void {
    const { heap } = this
    while (heap.length > 0) {
      const first = heap[0]!,
        last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        this.sink()
      }
      this.now = first.time
      first.run()
    }
  }

  private sink(): void {
    for (let i = 0; ; ) {
      let least = i
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < this.heap.length && this.before(child, least)) least = child
      if (least === i) return
      this.swap(i, least)
      i = least
    }
  }

  private before(a: number, b: number): boolean {
    const x = this.heap[a]!,
      y = this.heap[b]!
    return x.time < y.time || (x.time === y.time && x.order < y.order)
  }

  private swap(a: number, b: number): void {
    const { heap } = this
    ;[heap[a], heap[b]] = [heap[b]!, heap[a]!]
  }
}
