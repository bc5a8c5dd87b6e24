// In: what a machine sees while it runs some blocks. Out: a `Trace` of them. The one idea: caches are a matter of
// order, so they are simulated on a short true trace, not on counts. It stops when it has recorded enough.
import type { GpuProfile } from '../gpus/index.ts'
import { isCached, type Dim3, type LaneRequest, type Launch, type Trace } from '../ir/index.ts'
import type { Site } from './observe/sites.ts'

/** Thrown when the recorder is full. */
export class Full extends Error {}

/** What a machine tells while it runs. */
export interface Observer {
  beginBlock(block: readonly [number, number, number]): void
  /** A warp, all of the block (−1; from −3 on for one kind of memory) or of the grid (−2), passed a barrier. */
  barrier(warp: number): void
  /** One request; `base` is where its resource begins, its lanes' indices stand in `words` from `at` on. */
  request(site: Site, firstRank: number, base: number, words: Int32Array, at: number, active: number): void
}

/** The lanes of some requests of each site. */
export class LaneRecorder implements Observer {
  readonly seen = new Map<number, LaneRequest[]>()
  private block: Dim3 = [0, 0, 0]
  private readonly most: number
  private readonly warpSize: number
  /** Of the request that is looked at, by lane. */
  private readonly addresses = new Float64Array(lanes)

  /** `most`: requests of each site, of different shapes. */
  constructor(most: number, warpSize: number) {
    this.most = most
    this.warpSize = warpSize
  }

  private isNews = true
  private quiet = 0
  /** Blocks in a row, up to the one that ran last, of which no request was kept. */
  get blocksWithoutNews(): number {
    return this.isNews ? 0 : this.quiet + 1
  }

  beginBlock(block: Dim3): void {
    this.quiet = this.blocksWithoutNews
    this.isNews = false
    this.block = block
  }
  barrier(): void {
    /* order does not matter here */
  }

  request(site: Site, firstRank: number, _base: number, words: Int32Array, at: number, active: number): void {
    const list = this.seen.get(site.index) ?? this.begin(site.index)
    if (list.length >= this.most) return
    const { stride, offset } = site.steps,
      { type } = site.address.index
    const { addresses } = this
    for (let lane = 0; lane < lanes; lane++) {
      const index = type === 'u32' ? words[at + lane]! >>> 0 : words[at + lane]! // one for each lane
      addresses[lane] = (active >>> lane) & 1 ? index * stride + offset : -1
    }
    if (list.some((r) => r.active === active && isAlike(r.addresses, addresses))) return
    this.isNews = true
    list.push({ block: this.block, warp: firstRank / this.warpSize, active, addresses: [...addresses] })
  }

  private begin(site: number): LaneRequest[] {
    const list: LaneRequest[] = []
    this.seen.set(site, list)
    return list
  }
}

/** Lanes of a request at most. */
const lanes = 32

/**
 * Whether requests of the same lanes look alike: the addresses as far from the first, which lies at the same place in a
 * line of 128 bytes. Lanes that ask for nothing have −1 in both.
 */
function isAlike(a: readonly number[], b: Float64Array): boolean {
  let from = -1
  for (let i = 0; i < lanes; i++) {
    const x = a[i]!,
      y = b[i]! // both have an entry for each lane
    if (x < 0) continue
    if (from < 0) {
      if (x % 128 !== y % 128) return false
      from = i
    } else if (x - a[from]! !== y - b[from]!) return false
  }
  return true
}

/** Puts a number into an ascending list, unless it is there. */
function include(list: number[], n: number): void {
  let i = list.length
  while (i > 0 && list[i - 1]! > n) i--
  if (i > 0 && list[i - 1] === n) return
  list.push(n)
  if (i === list.length - 1) return
  list.copyWithin(i + 1, i, -1)
  list[i] = n
}

/** Collects what a machine sees. */
export class TraceRecorder implements Observer {
  readonly blocks: { block: readonly [number, number, number]; intervals: number[][][] }[] = []
  private current: number[][] = []
  private recorded = 0
  /** Of the request that is looked at, ascending. */
  private readonly sectors: number[] = []
  private readonly limit: number
  private readonly sectorBytes: number
  private readonly warpSize: number

  /** `limit`: sectors, after which `request` throws `Full`. */
  constructor(limit: number, sectorBytes: number, warpSize: number) {
    this.limit = limit
    this.sectorBytes = sectorBytes
    this.warpSize = warpSize
  }

  beginBlock(block: readonly [number, number, number]): void {
    this.current = []
    this.blocks.push({ block, intervals: [this.current] })
  }

  barrier(warp: number): void {
    if (warp >= 0) return
    this.current = []
    this.blocks.at(-1)?.intervals.push(this.current)
  }

  request(site: Site, firstRank: number, base: number, words: Int32Array, at: number, active: number): void {
    if (!isCached(site.resource)) return
    if (this.recorded > this.limit) throw new Full()
    const { stride, offset } = site.steps,
      { type } = site.address.index
    const { sectors } = this
    sectors.length = 0
    for (let bits = active; bits !== 0; bits &= bits - 1) {
      const lane = 31 - Math.clz32(bits & -bits)
      const raw = words[at + lane]!
      const byte = base + (type === 'u32' ? raw >>> 0 : raw) * stride + offset
      const last = Math.floor((byte + site.bytesPerLane - 1) / this.sectorBytes)
      for (let s = Math.floor(byte / this.sectorBytes); s <= last; s++) include(sectors, s)
    }
    const list = (this.current[firstRank / this.warpSize] ??= [])
    list.push(site.index, sectors.length)
    for (const s of sectors) list.push(s)
    this.recorded += sectors.length
  }

  finish(whole: boolean): Trace {
    return {
      whole,
      blocks: this.blocks.map(({ block, intervals }) => ({
        block,
        intervals: intervals.map((warps) => Array.from(warps, (w) => w ?? [])),
      })),
    }
  }
}

/**
 * Records the given blocks, one after the other, until about `limit` sectors are seen. `blind`: buffers hold nothing
 * that matters and are not copied in.
 */
export type Tracer = (
  launch: Launch,
  blocks: readonly Dim3[],
  limit: number,
  options?: { readonly blind?: boolean },
) => Trace

/**
 * Blocks that share a multiprocessor: one in the middle of the grid and those whole rounds of multiprocessors further.
 */
export function neighbours([x, y, z]: Dim3, { multiprocessors }: Pick<GpuProfile, 'multiprocessors'>): readonly Dim3[] {
  const total = x * y * z
  const first = Math.floor(total / 2)
  return [0, 1, 2, 3]
    .map((i) => first + i * multiprocessors)
    .filter((b) => b < total)
    .map((b): Dim3 => [b % x, Math.floor(b / x) % y, Math.floor(b / (x * y))])
}
