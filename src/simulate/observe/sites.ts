// In: a kernel's memory statements and the shapes of requests that were seen. Out: `SiteCounters`. The one idea: the
// GPU profile's rules depend on a request only through its shape (active lanes, place within 256 bytes, relative
// addresses), so each distinct shape is put to the rules once and multiplied by how often it came.
import {
  bytesOf,
  type Address,
  type Kernel,
  type MemoryType,
  type Pattern,
  type Resource,
  type SiteCounters,
  type Stmt,
} from '../../ir/index.ts'
import {
  accessPattern,
  type AccessPattern,
  countGlobal,
  countShared,
  type GlobalCount,
  type GpuProfile,
  popcount,
  type SharedCount,
  type WarpAccess,
} from '../../gpus/index.ts'

export type MemoryStmt = Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>

/** What is fixed about a site. */
export interface Site {
  readonly index: number
  readonly stmt: MemoryStmt
  readonly resource: Resource
  readonly address: Address
  readonly type: MemoryType
  /** Consecutive elements per lane. */
  readonly width: number
  readonly bytesPerLane: number
  /** Bytes that an address must be a multiple of. */
  readonly alignment: number
  /** How the indices that run lead to bytes: as the address says, or in larger steps (`farSite`). */
  readonly steps: Pick<Address, 'stride' | 'offset'>
  /** Bits by which the kernel's index, with the address's offset, is shifted to one that runs; 0: neither is done. */
  readonly shift: number
}

/** Byte addresses of a large buffer in steps of the site's alignment, so that 31 bits reach farther. */
export const farSite = (s: Site): Site => ({
  ...s,
  steps: { stride: s.alignment, offset: 0 },
  shift: Math.log2(s.alignment),
})

/** Whether `farSite` may be made of it: indices are bytes of 64 bits, all of them multiples of the alignment. */
export const canReachFar = ({ address, alignment }: Site): boolean =>
  address.index.type === 'u64' && address.stride === 1 && alignment > 1 && Number.isInteger(Math.log2(alignment))

export function sitesOf(kernel: Kernel, siteOf: ReadonlyMap<Stmt, number>): Site[] {
  const resources = new Map(kernel.resources.map((r) => [r.name, r]))
  return [...siteOf].map(([s, index]) => {
    const stmt = s as MemoryStmt // only memory statements are numbered
    const width = stmt.kind === 'load' ? stmt.dst.length : stmt.kind === 'store' ? stmt.src.length : 1
    const bytesPerLane = width * bytesOf[stmt.type]
    const alignment = width === 3 ? bytesOf[stmt.type] : bytesPerLane
    return {
      index,
      stmt,
      resource: resources.get(stmt.address.resource)!,
      address: stmt.address,
      type: stmt.type,
      width,
      bytesPerLane,
      alignment,
      steps: stmt.address,
      shift: 0,
    }
  })
}

/** Counts of one request. */
export interface Metrics {
  readonly threads: number
  readonly usefulBytes: number
  readonly transferredBytes: number
  readonly sectors: number
  readonly idealSectors: number
  readonly lines: number
  readonly wavefronts: number
  readonly idealWavefronts: number
  readonly conflict: number
  readonly pattern: Pattern
  readonly stride: number | undefined
  /** Pattern and stride in one. */
  readonly key: string
  /** Lanes whose address is not a multiple of the site's alignment. */
  readonly misaligned: number
}

const addresses = new Float64Array(32)
/** Bytes after which places repeat: every unit of a profile's rules (sectors, lines, a row of banks) divides it. */
const period = 256

/**
 * Puts one request to the profile's rules. `place` is the first active lane's address modulo 256, `relative` each
 * lane's index minus that lane's. Lanes out of `active` are ignored.
 */
export function measureRequest(
  profile: GpuProfile,
  site: Site,
  active: number,
  place: number,
  relative: ArrayLike<number>,
): Metrics {
  const { stride } = site.steps,
    { alignment } = site
  let low = 0
  for (let l = 0; l < 32; l++) if ((active >>> l) & 1) low = Math.min(low, relative[l]! * stride)
  const start = place + Math.ceil(-low / period) * period
  let misaligned = 0
  for (let l = 0; l < 32; l++) {
    const address = start + relative[l]! * stride
    addresses[l] = address
    // not %, which calls a function for each number that is no small integer
    if ((active >>> l) & 1 && Math.floor(address / alignment) * alignment !== address) misaligned++
  }
  if (site.resource.space === 'local') interleave(site.bytesPerLane)
  const space = site.resource.space,
    isShared = space === 'shared'
  const access: WarpAccess = {
    addresses,
    active,
    bytesPerLane: site.bytesPerLane,
    op: moves(site.stmt),
    merges: isShared && countsUp(site.stmt),
  }
  const banks = isShared ? countShared(profile, access) : null,
    moved = banks ? withinBlock(banks) : countGlobal(profile, access)
  const { pattern, stride: step } = isShared ? sharedPattern(access) : globalPattern(profile, access, moved)
  const passes = space === 'constant' ? constantPasses(profile, active) : moved
  // each by its name: a million requests come here, and spreading objects takes longer than counting
  return {
    threads: popcount(active),
    usefulBytes: moved.usefulBytes,
    transferredBytes: moved.transferredBytes,
    sectors: moved.sectors,
    idealSectors: moved.idealSectors,
    lines: moved.lines,
    wavefronts: passes.wavefronts,
    idealWavefronts: passes.idealWavefronts,
    conflict: banks?.conflictDegree ?? 0,
    pattern,
    stride: step,
    key: step === undefined ? pattern : `${pattern} ${step}`,
    misaligned,
  }
}

/** Shared memory moves nothing to the next level. */
const withinBlock = ({ usefulBytes, wavefronts, idealWavefronts }: SharedCount): GlobalCount => ({
  sectors: 0,
  idealSectors: 0,
  lines: 0,
  usefulBytes,
  wavefronts,
  idealWavefronts,
  transferredBytes: 0,
})

/** What an access does to memory: an atomic load or store is one like others, for which no lane waits. */
export const moves = (s: MemoryStmt): MemoryStmt['kind'] =>
  s.kind === 'atomic' && (s.op === 'load' || s.op === 'store') ? s.op : s.kind

/** An atomic that adds 1 and gives nothing back: shared memory counts the lanes of a place at once (ATOMS.POPC.INC). */
export const countsUp = (s: Stmt): boolean =>
  s.kind === 'atomic' &&
  s.op === 'add' &&
  s.dst === null &&
  (s.type === 'u32' || s.type === 'i32') &&
  s.args[0]?.kind === 'const' &&
  Number(s.args[0].value) === 1

/** Where a transaction is a sector, how many are touched is known from counting them. */
function globalPattern(profile: GpuProfile, access: WarpAccess, { usefulBytes, sectors }: GlobalCount): AccessPattern {
  const { globalRule, sectorBytes } = profile
  return globalRule === 'sectors' || globalRule === 'units'
    ? accessPattern(access, sectorBytes, { useful: usefulBytes, units: sectors })
    : accessPattern(access, sectorBytes)
}

/** Shared memory has rows of banks instead of sectors, and nothing is lost where an access begins within one. */
function sharedPattern(access: WarpAccess): AccessPattern {
  const found = accessPattern(access, 128)
  return found.pattern === 'misaligned' ? { pattern: 'coalesced' } : found
}

/** Local memory is laid out so that one element of all lanes is adjacent. */
function interleave(bytesPerLane: number): void {
  for (let l = 0; l < 32; l++)
    addresses[l] =
      Math.floor(addresses[l]! / bytesPerLane) * 32 * bytesPerLane + l * bytesPerLane + (addresses[l]! % bytesPerLane)
}

/** A constant cache serves one address at a time: of a warp, on cc 1.x of each half (CUDA guide 4.2, §5.3.2). */
function constantPasses({ bankRule }: GpuProfile, active: number): Pick<Metrics, 'wavefronts' | 'idealWavefronts'> {
  const parts = (bankRule === 'half-warp' ? [active & 0xffff, active & ~0xffff] : [active]).filter((part) => part !== 0)
  return { wavefronts: parts.reduce((n, part) => n + distinct(part), 0), idealWavefronts: parts.length }
}

/** Distinct addresses of active lanes. */
function distinct(active: number): number {
  const seen = new Set<number>()
  for (let l = 0; l < 32; l++) if ((active >>> l) & 1) seen.add(addresses[l]!)
  return seen.size
}

/** Sums of one site under way, with how often each pattern came. */
export interface SiteSums {
  readonly totals: Omit<SiteCounters, 'pattern' | 'stride'>
  readonly patterns: Map<string, { readonly pattern: Pattern; readonly stride: number | undefined; weight: number }>
  misaligned: number
  /** The site belongs to a neighbouring instruction: what it moves counts, that it was executed does not. */
  readonly free: boolean
  /** Nothing of it counts. */
  readonly silent: boolean
}

export function emptySums(site: Site): SiteSums {
  const at = site.stmt.at
  return {
    totals: {
      site: site.index,
      ...(at && { at }),
      resource: site.resource.name,
      space: site.resource.space,
      op: site.stmt.kind,
      bytesPerLane: site.bytesPerLane,
      requests: 0,
      threads: 0,
      bytes: 0,
      usefulBytes: 0,
      movedBytes: 0,
      sectors: 0,
      idealSectors: 0,
      lines: 0,
      wavefronts: 0,
      idealWavefronts: 0,
      worstConflict: 0,
    },
    patterns: new Map(),
    misaligned: 0,
    free: site.stmt.free === true,
    silent: site.stmt.free === true && site.stmt.counts !== undefined,
  }
}

/** Adds `times` requests (a real number when blocks are sampled) of one shape. */
export function addRequests(sums: SiteSums, m: Metrics, times: number): void {
  if (sums.silent) return
  const t = sums.totals
  t.requests += times
  t.threads += times * m.threads
  t.bytes += times * m.threads * t.bytesPerLane
  t.usefulBytes += times * m.usefulBytes
  t.movedBytes += times * m.transferredBytes
  t.sectors += times * m.sectors
  t.idealSectors += times * m.idealSectors
  t.lines += times * m.lines
  t.wavefronts += times * m.wavefronts
  t.idealWavefronts += times * m.idealWavefronts
  t.worstConflict = Math.max(t.worstConflict, m.conflict)
  sums.misaligned += times * m.misaligned
  const known = sums.patterns.get(m.key)
  if (known) known.weight += times
  else sums.patterns.set(m.key, { pattern: m.pattern, stride: m.stride, weight: times })
}

/**
 * The site's counters; the pattern is the one that most requests had, of several as many the first by its name,
 * whatever order blocks ran in. A site that never ran is `coalesced` with zeros.
 */
export function finishSums(sums: SiteSums): SiteCounters {
  let best: { pattern: Pattern; stride: number | undefined; weight: number } = {
    pattern: 'coalesced',
    stride: undefined,
    weight: 0,
  }
  let bestKey = ''
  for (const [key, p] of sums.patterns) {
    if (p.weight < best.weight || (p.weight === best.weight && key > bestKey)) continue
    best = p
    bestKey = key
  }
  const t = sums.totals
  const whole = (x: number): number => Math.round(x)
  return {
    ...t,
    requests: sums.free ? 0 : whole(t.requests),
    threads: sums.free ? 0 : whole(t.threads),
    bytes: whole(t.bytes),
    usefulBytes: whole(t.usefulBytes),
    movedBytes: whole(t.movedBytes),
    sectors: whole(t.sectors),
    idealSectors: whole(t.idealSectors),
    lines: whole(t.lines),
    idealWavefronts: whole(t.idealWavefronts),
    // L1's tag stage gives fractions; six digits after the point are free of the order of summing.
    wavefronts: Math.round(t.wavefronts * 1e6) / 1e6,
    pattern: best.pattern,
    ...(best.pattern === 'strided' && best.stride !== undefined && { stride: best.stride }),
  }
}

/**
 * Indices for which the whole access lies in `size` bytes. 64-bit indices are saturated to 2³¹−1, which is kept out.
 */
export function indexRange(site: Site, size: number): { low: number; high: number } {
  const { stride, offset } = site.steps,
    { index } = site.address
  const last = size - site.bytesPerLane - offset
  const [least, most] =
    index.type === 'u32' ? [0, 2 ** 32 - 1] : [-(2 ** 31), index.type === 'i32' ? 2 ** 31 - 1 : 2 ** 31 - 2]
  if (stride === 0) return offset >= 0 && last >= 0 ? { low: least, high: most } : { low: 1, high: 0 }
  return { low: Math.max(least, Math.ceil(-offset / stride)), high: Math.min(most, Math.floor(last / stride)) }
}
