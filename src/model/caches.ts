// In: a trace of blocks that share a multiprocessor, and how much L1 they have. Out: by site, the sectors that L1 did
// not hold, and how many bytes of DRAM a block touches. The one idea: least recently used lines of four sectors, filled
// sector by sector, asked by the warps in turn as a scheduler would between two barriers. Stores go through and leave
// L1 as it is.
import { eachRequest, type Trace, type WarpTrace } from '../ir/index.ts'

export interface CacheCounts {
  readonly sites: ReadonlyMap<number, SiteCache>
  /** By site: distinct DRAM granules × their size, per block on average; empty when the trace was cut short. */
  readonly granuleBytes: ReadonlyMap<number, number>
}

/** Of the loads of a site. */
export interface SiteCache {
  /** Sectors asked for and, of these, those that went to L2. */
  readonly sectors: number
  readonly misses: number
  /**
   * By warp, request by request: how often it waits for L2, for a sector of its own or one that another warp just
   * missed, 0…1.
   */
  readonly waits: ReadonlyMap<number, readonly number[]>
}

/** Of `count` requests of a warp that wait together, how often L2 decides: as often as for the one that most waits. */
export function waitRate({ waits }: SiteCache, count: number): number {
  let groups = 0,
    waiting = 0
  for (const warp of waits.values())
    for (let from = 0; from < warp.length; from += count) {
      groups++
      let most = warp[from]!
      for (let i = from + 1; i < from + count && i < warp.length; i++) most = Math.max(most, warp[i]!)
      waiting += most
    }
  return groups > 0 ? waiting / groups : 1
}

export interface CacheShape {
  /** Bytes of L1 for all traced blocks together. */
  readonly l1Bytes: number
  readonly lineBytes: number
  readonly sectorBytes: number
  /** Bytes that DRAM moves at least. */
  readonly granuleBytes: number
  /**
   * The part of all blocks that come to empty caches, as the traced ones do: those of the first round. What they share
   * is there when the others come.
   */
  readonly firstRound: number
}

/** Runs the trace through the cache. `stores` tells which sites write. */
export function simulateCaches(trace: Trace, shape: CacheShape, stores: ReadonlySet<number>): CacheCounts {
  const perLine = shape.lineBytes / shape.sectorBytes
  const cache = new Lines(Math.max(1, Math.floor(shape.l1Bytes / shape.lineBytes)), perLine)
  const sites = new Map<number, { sectors: number; misses: number; waits: Map<number, number[]> }>()
  /** Sectors missed in the turn that now runs, and how often: who asks for them waits as long as the first. */
  const coming = new Map<number, number>()
  // where all blocks come to empty caches, it is all one who shares what
  const shared = shape.firstRound < 1 ? sharedSectors(trace) : new Set<number>(),
    met = new Set<number>()
  const intervals = Math.max(0, ...trace.blocks.map((b) => b.intervals.length))
  for (let i = 0; i < intervals; i++) {
    interleave(
      trace.blocks.flatMap((b) => b.intervals[i] ?? []),
      (site, trace, from, to, warp) => {
        if (stores.has(site)) return
        const c = sites.get(site) ?? { sectors: 0, misses: 0, waits: new Map() }
        if (!sites.has(site)) sites.set(site, c)
        c.sectors += to - from
        let waits = 0
        for (let i = from; i < to; i++) {
          const sector = trace[i]!
          if (!cache.touch(Math.floor(sector / perLine), sector % perLine)) {
            c.misses++
            coming.set(sector, shared.has(sector) && !met.has(sector) ? shape.firstRound : 1)
            met.add(sector)
          }
          waits = Math.max(waits, coming.get(sector) ?? 0)
        }
        const own = c.waits.get(warp)
        if (own) own.push(waits)
        else c.waits.set(warp, [waits])
      },
      () => coming.clear(),
    )
  }
  return { sites, granuleBytes: trace.whole ? granules(trace, shape) : new Map() }
}

/** Sectors that more than one of the blocks ask for. */
function sharedSectors(trace: Trace): ReadonlySet<number> {
  const by = new Map<number, number>(),
    shared = new Set<number>()
  for (const [n, { intervals }] of trace.blocks.entries())
    for (const warp of intervals.flat())
      eachRequest(warp, (_, from, to) => {
        for (let i = from; i < to; i++) {
          const sector = warp[i]!
          const first = by.get(sector)
          if (first === undefined) by.set(sector, n)
          else if (first !== n) shared.add(sector)
        }
      })
  return shared
}

/** One request of each warp in turn until all are done. */
function interleave(
  warps: readonly WarpTrace[],
  touch: (site: number, trace: WarpTrace, from: number, to: number, warp: number) => void,
  turn: () => void,
): void {
  const at = warps.map(() => 0)
  for (let open = warps.length; open > 0; ) {
    open = 0
    turn()
    for (let w = 0; w < warps.length; w++) {
      const trace = warps[w]!,
        from = at[w]!
      if (from >= trace.length) continue
      const site = trace[from]!,
        count = trace[from + 1]!
      touch(site, trace, from + 2, from + 2 + count, w)
      at[w] = from + 2 + count
      if (at[w]! < trace.length) open++
    }
  }
}

/** Lines by when they were used last; each knows which of its sectors are there. */
class Lines {
  private readonly lines = new Map<number, number>()
  private last = -1
  private readonly most: number
  readonly perLine: number

  constructor(most: number, perLine: number) {
    this.most = most
    this.perLine = perLine
  }

  /** Whether the sector was there; it is there now. */
  touch(line: number, sector: number): boolean {
    const held = this.lines.get(line)
    const bit = 1 << sector
    if (line === this.last) {
      // it is the newest already
    } else if (held !== undefined) this.lines.delete(line)
    else if (this.lines.size >= this.most) this.lines.delete(this.lines.keys().next().value!) // not empty: most ≥ 1
    this.lines.set(line, (held ?? 0) | bit)
    this.last = line
    return held !== undefined && (held & bit) !== 0
  }
}

/** Distinct granules by site over the traced blocks together, divided by the blocks. */
function granules(trace: Trace, { granuleBytes, sectorBytes }: CacheShape): ReadonlyMap<number, number> {
  const ratio = granuleBytes / sectorBytes
  const seen = new Map<number, Set<number>>()
  for (const b of trace.blocks)
    for (const warps of b.intervals)
      for (const w of warps)
        eachRequest(w, (site, from, to) => {
          const set = seen.get(site) ?? new Set()
          if (!seen.has(site)) seen.set(site, set)
          for (let i = from; i < to; i++) set.add(Math.floor(w[i]! / ratio))
        })
  return new Map([...seen].map(([site, set]) => [site, (set.size * granuleBytes) / Math.max(1, trace.blocks.length)]))
}
