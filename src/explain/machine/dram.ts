// DRAM at work on a kernel. In: what blocks that run side by side ask of memory, in turns, and a GPU's memory chips.
// Out: which channel, bank and row serves each burst, when, and how often a row had to be opened for it. The one idea:
// the array of cells is slow and the pins are fast. A bank copies one row at a time into its buffer; bursts of the open
// row follow each other at the pins' pace, another row costs an opening. Banks open rows while others send, and of the
// next requests one whose row is open goes first (FR-FCFS, Rixner et al. 2000). Refresh, turning round between reads
// and writes, and limits on openings of several banks are left out.
import type { GpuProfile } from '../../gpus/index.ts'
import type { Trace } from '../../ir/index.ts'

/** A burst of one channel, in nanoseconds from the first. */
export interface Burst {
  readonly channel: number
  readonly bank: number
  readonly row: number
  /** The site that asked for it. */
  readonly site: number
  /** When its row began to be opened; null: it was open. */
  readonly opens: number | null
  /** When the pins begin and end to send it. */
  readonly start: number
  readonly end: number
}

export interface ChannelLoad {
  readonly bursts: number
  /** Bursts for which a row was opened. */
  readonly opened: number
}

export interface DramView {
  readonly kind: string
  readonly banks: number
  readonly rowBytes: number
  readonly burstBytes: number
  /** Nanoseconds of a burst at the pins. */
  readonly burstNs: number
  readonly openNs: number
  /** Whether addresses are known to be dealt to channels in turns; else a hash stands for the one that nobody tells. */
  readonly known: boolean
  /** Blocks whose requests these are. */
  readonly blocks: number
  /** By channel. */
  readonly loads: readonly ChannelLoad[]
  /** Nanoseconds until the busiest channel is done. */
  readonly ns: number
  /** What all channels move in that time ÷ what their pins could, 0…1. */
  readonly busy: number
  /** The first bursts of the busiest channel. */
  readonly first: readonly Burst[]
  readonly busiest: number
}

/** Requests of a channel among which one whose row is open goes first. */
const queue = 32
/** Bursts that are drawn. */
const drawn = 64
/** Bytes that are taken to lie on one channel where nobody tells. */
const usualPiece = 256

interface Asked {
  readonly bank: number
  readonly row: number
  readonly site: number
}

/** Null where the chips are not documented or nothing was asked of them. */
export function dramOf(profile: GpuProfile, trace: Trace): DramView | null {
  const chips = profile.dramChips
  if (!chips) return null
  const channels = profile.dramChannels?.count ?? chips.channels.value,
    burstBytes = chips.burstBytes.value,
    burstNs = (burstBytes * channels * 1e9) / profile.memory.dramBytesPerSecond.value
  const asked = askedOf(trace, profile, channels)
  if (asked.every((a) => a.length === 0)) return null
  const served = asked.map((a, channel) => serve(a, channel, burstNs, chips.openNs.value, chips.cycleNs.value))
  const ends = served.map((s) => s.at(-1)?.end ?? 0),
    ns = Math.max(...ends),
    busiest = ends.indexOf(ns)
  const bursts = asked.reduce((n, a) => n + a.length, 0)
  return {
    kind: chips.kind,
    banks: chips.banks.value,
    rowBytes: chips.rowBytes.value,
    burstBytes,
    burstNs,
    openNs: chips.openNs.value,
    known: profile.dramChannels !== undefined,
    blocks: trace.blocks.length,
    loads: served.map((s) => ({ bursts: s.length, opened: s.filter((b) => b.opens !== null).length })),
    ns,
    busy: (bursts * burstNs) / (ns * channels),
    first: served[busiest]!.slice(0, drawn), // there is one
    busiest,
  }
}

/** Bursts by channel in the order in which warps, taking turns, ask for them; those that L2 has kept are not asked. */
function askedOf(trace: Trace, profile: GpuProfile, channels: number): Asked[][] {
  const chips = profile.dramChips!, // asked by the caller
    burst = chips.burstBytes.value,
    row = chips.rowBytes.value,
    banks = chips.banks.value,
    piece = profile.dramChannels?.bytes.value ?? usualPiece
  const asked = Array.from({ length: channels }, (): Asked[] => [])
  const ask = (byte: number, site: number): void => {
    const n = Math.floor(byte / piece),
      own = Math.floor(n / channels) * piece + (byte % piece),
      rowOf = Math.floor(own / row),
      channel = profile.dramChannels ? n % channels : Math.floor(hashed(n) * channels)
    asked[channel]!.push({ bank: rowOf % banks, row: Math.floor(rowOf / banks), site }) // channels are numbered so
  }
  const kept = profile.memory.l2Bytes.value > 0 ? new Set<number>() : null
  for (const { site, sectors } of inTurns(trace)) {
    const bursts = new Set<number>()
    for (const s of sectors)
      for (let byte = s * profile.sectorBytes; byte < (s + 1) * profile.sectorBytes; byte += burst)
        bursts.add(Math.floor(byte / burst))
    for (const b of bursts) {
      if (kept?.has(b)) continue
      kept?.add(b)
      ask(b * burst, site)
    }
  }
  return asked
}

/** Requests of all warps, one of each in turn. */
function* inTurns(trace: Trace): Generator<{ readonly site: number; readonly sectors: readonly number[] }> {
  const warps = trace.blocks.flatMap(({ intervals }) => {
    const most = Math.max(0, ...intervals.map((i) => i.length))
    return Array.from({ length: most }, (_, w) => intervals.flatMap((i) => i[w] ?? []))
  })
  const at = warps.map(() => 0)
  for (let left = true; left; ) {
    left = false
    for (const [w, warp] of warps.entries()) {
      const from = at[w]!
      if (from >= warp.length) continue
      left = true
      const count = warp[from + 1]!
      at[w] = from + 2 + count
      yield { site: warp[from]!, sectors: warp.slice(from + 2, from + 2 + count) }
    }
  }
}

/** A fraction 0…1 that depends on all bits of `n` (a multiplicative hash, Knuth, 6.4). */
const hashed = (n: number): number => {
  const mixed = Math.imul(n ^ (n >>> 15), 0x9e3779b1)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

/** Serves one channel's requests. */
function serve(
  asked: readonly Asked[],
  channel: number,
  burstNs: number,
  openNs: number,
  cycleNs: number,
): readonly Burst[] {
  const waiting = asked.slice(0, queue),
    served: Burst[] = []
  const banks: { row: number; opened: number; used: number }[] = []
  let next = queue,
    pins = 0
  while (waiting.length > 0) {
    let best = 0,
      start = Infinity,
      opens: number | null = null
    // by number: this is asked a hundred thousand times
    for (let i = 0; i < waiting.length; i++) {
      const { bank, row } = waiting[i]!,
        state = banks[bank],
        isOpen = state?.row === row
      const opening = isOpen ? null : Math.max(0, state?.used ?? 0, (state?.opened ?? -cycleNs) + cycleNs)
      const ready = Math.max(pins, opening === null ? state!.opened + openNs : opening + openNs) // open: has a state
      if (ready < start) [best, start, opens] = [i, ready, opening]
    }
    const [{ bank, row, site }] = waiting.splice(best, 1) as [Asked] // one was found
    const end = start + burstNs
    banks[bank] = { row, opened: opens ?? banks[bank]!.opened, used: end }
    served.push({ channel, bank, row, site, opens, start, end })
    pins = end
    const more = asked[next++]
    if (more) waiting.push(more)
  }
  return served
}
