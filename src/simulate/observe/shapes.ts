// In: requests whose shape compiled code has not met. Out: shape entries in WebAssembly memory, and sums per site. The
// one idea: an entry is found by a hash of the shape on this side and by a short chain per site and address place on
// the other; when a site's shapes are endless (random gathers), they are counted one by one and not kept.
import type { GpuProfile } from '../../gpus/index.ts'
import { rulesOf, type Rules } from './rules.ts'
import { addRequests, emptySums, type Metrics, type Site, type SiteSums } from './sites.ts'
import { entry, kinds, rec } from '../jit/layout.ts'

/** Entries kept for a kernel of so many sites; beyond them, and beyond `maxPerSite`, shapes are counted one by one. */
export const maxEntries = (sites: number): number => Math.max(8192, Math.min(65536, 32 * sites))
/** Shapes of addresses that are kept for one site, of which random gathers have no end. */
const maxPerSite = 2048
/** Shapes that compiled code compares a request with before it asks here: the last that a site met at a place. */
const maxChain = 4

interface Kept {
  readonly address: number
  readonly site: number
  readonly metrics: Metrics
  hits: number
}

export class Shapes {
  /** Requests of shapes that were new here so far: the expensive part. */
  measured = 0
  /** Whether one of them was misaligned. */
  faulty = false
  private readonly rules: Rules
  private readonly traits: readonly number[]
  private readonly sites: readonly Site[]
  private readonly words: Int32Array
  private readonly wide: BigInt64Array
  private readonly records: number
  private readonly base: number
  private readonly most: number
  private readonly byHash = new Map<number, Kept[]>()
  /** The first entry of each family, by a hash of site, lanes and relative indices. */
  private readonly families = new Map<number, Kept[]>()
  private readonly kept: Kept[] = []
  private readonly perSite: number[]
  /** Of requests counted one by one, by site. */
  private sums: (SiteSums | undefined)[] = []
  private readonly relative = new Int32Array(32)

  constructor(profile: GpuProfile, sites: readonly Site[], memory: ArrayBuffer, records: number, base: number) {
    this.rules = rulesOf(profile)
    this.traits = sites.map((s) => this.rules.traitsOf(s))
    this.sites = sites
    this.words = new Int32Array(memory)
    this.wide = new BigInt64Array(memory)
    this.records = records
    this.base = base
    this.most = maxEntries(sites.length)
    this.perSite = sites.map(() => 0)
  }

  /**
   * Counts one request whose active lanes are all in bounds. Returns the address of its entry, 0 when it was not kept.
   */
  count(site: number, active: number, place: number, indices: number): number {
    const first = this.words[(indices >> 2) + (31 - Math.clz32(active & -active))]!
    let shape = Math.imul(active, 0x85ebca6b) ^ Math.imul(place & 255, 0xc2b2ae35)
    for (let l = 0; l < 32; l++) {
      const r = (active >>> l) & 1 ? (this.words[(indices >> 2) + l]! - first) | 0 : 0
      this.relative[l] = r
      shape = Math.imul(shape ^ r, 0x01000193) ^ (shape >>> 15)
    }
    const hash = shape ^ Math.imul(site, 0x9e3779b1)
    const known = this.byHash.get(hash)?.find((k) => k.site === site && this.same(k, active, place & 255))
    if (known) {
      known.hits++
      this.link(known, place)
      return known.address
    }
    return this.add(site, active, place & 255, hash, shape)
  }

  private same(k: Kept, active: number, place: number): boolean {
    return this.words[(k.address + entry.align) >> 2] === place && this.isAlike(k, active)
  }

  /** Whether lanes and relative indices are those of the request under way. */
  private isAlike(k: Kept, active: number): boolean {
    const at = k.address >> 2
    if (this.words[at + (entry.mask >> 2)] !== active) return false
    for (let l = 0; l < 32; l++) if (this.words[at + (entry.relative >> 2) + l] !== this.relative[l]) return false
    return true
  }

  /** The address of the first entry of the site with the same lanes and relative indices; its own where it is that. */
  private familyOf(kept: Kept, active: number): number {
    let hash = Math.imul(active, 0x85ebca6b) ^ Math.imul(kept.site, 0x9e3779b1)
    for (let l = 0; l < 32; l++) hash = Math.imul(hash ^ this.relative[l]!, 0x01000193) ^ (hash >>> 15)
    const bucket = this.families.get(hash) ?? [],
      found = bucket.find((k) => k.site === kept.site && this.isAlike(k, active))
    if (found) return found.address
    this.families.set(hash, [...bucket, kept])
    return kept.address
  }

  private add(index: number, active: number, place: number, hash: number, shape: number): number {
    const site = this.sites[index]!
    this.measured++
    const metrics = this.rules.measure(site, this.traits[index]!, active, place, this.relative, shape)
    this.faulty ||= metrics.misaligned > 0
    if (this.kept.length >= this.most || this.perSite[index]! >= maxPerSite) {
      addRequests((this.sums[index] ??= emptySums(site)), metrics, 1)
      return 0
    }
    this.perSite[index]!++
    const kept: Kept = { address: this.base + entry.bytes * this.kept.length, site: index, metrics, hits: 1 }
    this.kept.push(kept)
    this.write(kept, site, active, place)
    const bucket = this.byHash.get(hash)
    if (bucket) bucket.push(kept)
    else this.byHash.set(hash, [kept])
    this.link(kept, place)
    return kept.address
  }

  private write(kept: Kept, site: Site, active: number, place: number): void {
    const at = kept.address >> 2
    this.words[at + (entry.mask >> 2)] = active
    this.words[at + (entry.align >> 2)] = place
    this.words[at + (entry.kind >> 2)] = this.kind(site, active)
    this.words.set(this.relative, at + (entry.relative >> 2))
    let low = 0,
      high = 0
    for (let l = 0; l < 32; l++) {
      low = Math.min(low, this.relative[l]!)
      high = Math.max(high, this.relative[l]!)
    }
    this.wide[(kept.address + entry.low) >> 3] = BigInt(low)
    this.wide[(kept.address + entry.high) >> 3] = BigInt(high)
    this.wide[(kept.address + entry.count) >> 3] = 0n
    this.words[(kept.address + entry.family) >> 2] = this.familyOf(kept, active)
  }

  private kind(site: Site, active: number): number {
    if (active !== -1) return kinds.any
    if (this.relative.every((r) => r === 0)) return kinds.equal
    return site.steps.stride === site.bytesPerLane && this.relative.every((r, l) => r === l)
      ? kinds.adjacent
      : kinds.any
  }

  /** Puts the entry at the head of its chain and cuts the chain's tail. */
  private link(kept: Kept, place: number): void {
    const head = (this.records + rec.bytes * kept.site + rec.table + (place & 252)) >> 2
    const next = (e: number): number => (e + entry.next) >> 2
    for (let at = head, n = 0; ; n++) {
      const e = this.words[at]!
      if (e === 0) break
      if (e === kept.address) {
        this.words[at] = this.words[next(e)]!
        break
      }
      if (n === maxChain - 2) {
        this.words[next(e)] = 0
        break
      }
      at = next(e)
    }
    this.words[next(kept.address)] = this.words[head]!
    this.words[head] = kept.address
  }

  /** Adds everything counted since the last call to `into`, `weight` times, and starts again from zero. */
  collect(into: readonly SiteSums[], weight: number): void {
    for (const k of this.kept) {
      const half = (k.address + entry.count) >> 2
      // most shapes were in none of these requests, and a number of 64 bits is slow to look at
      if (k.hits === 0 && this.words[half] === 0 && this.words[half + 1] === 0) continue
      addRequests(into[k.site]!, k.metrics, (k.hits + Number(this.wide[half >> 1]!)) * weight)
      k.hits = 0
      this.wide[half >> 1] = 0n
    }
    this.sums.forEach((s, i) => {
      if (s) mergeSums(into[i]!, s, weight)
    })
    this.sums = []
  }
}

/** Adds sums of requests counted apart, `weight` times. */
export function mergeSums(into: SiteSums, from: SiteSums, weight: number): void {
  const [a, b] = [into.totals, from.totals]
  if (b.requests === 0) return
  a.requests += weight * b.requests
  a.threads += weight * b.threads
  a.bytes += weight * b.bytes
  a.usefulBytes += weight * b.usefulBytes
  a.movedBytes += weight * b.movedBytes
  a.sectors += weight * b.sectors
  a.idealSectors += weight * b.idealSectors
  a.lines += weight * b.lines
  a.wavefronts += weight * b.wavefronts
  a.idealWavefronts += weight * b.idealWavefronts
  a.worstConflict = Math.max(a.worstConflict, b.worstConflict)
  into.misaligned += weight * from.misaligned
  for (const [key, p] of from.patterns) {
    const known = into.patterns.get(key)
    if (known) known.weight += weight * p.weight
    else into.patterns.set(key, { ...p, weight: weight * p.weight })
  }
}
