// In: a GPU profile and what a block takes (threads, registers, shared memory). Out: how many blocks and warps are in
// flight on one multiprocessor, every limit, and what would lift it. The one idea: four independent limits, the
// smallest wins; the formula is that of NVIDIA's occupancy calculator, the granularities are the profile's.
// It does not model the barrier limit of cc 9 or the partitioned caching mode of cc 5.2 and 6.1 (off by default).
import { fail } from '../base/index.ts'
import type { GpuProfile, OccupancyLimits } from './profile.ts'

export type OccupancyLimit = 'warps' | 'blocks' | 'registers' | 'shared'

/** What one block takes. */
export interface BlockUse {
  readonly threads: number
  /** Registers per thread; 0: unknown or none, no limit. */
  readonly registers: number
  /** Bytes of shared memory per block, static. */
  readonly shared: number
  /** Bytes asked for at launch, on top. */
  readonly dynamicShared?: number
  /** Bytes per multiprocessor that the program prefers for shared memory; absent: as much as there is. */
  readonly sharedPreference?: number
}

/** The `occupancy` object of docs/contracts.md. */
export interface Occupancy {
  readonly activeBlocks: number
  readonly activeWarps: number
  readonly maxWarps: number
  /** activeWarps ÷ maxWarps, 0…1. */
  readonly occupancy: number
  /**
   * Blocks that each limit alone would let in; what is not used (no registers, no shared) stands as `blocks`. 0: such a
   * block cannot start.
   */
  readonly limits: Readonly<Record<OccupancyLimit, number>>
  /** Every limit that equals the smallest. */
  readonly limitedBy: readonly OccupancyLimit[]
}

const roundUp = (x: number, unit: number): number => Math.ceil(x / unit) * unit

/**
 * Blocks and warps in flight per multiprocessor (`cuda_occupancy.h`; for cc 1.x its first version). Numbers must be
 * integers in range: threads ≥ 1, the others ≥ 0; otherwise a `DiagnosticError`. A block too large for the GPU is no
 * error: 0 blocks, and `limitedBy` says why.
 *
 * The thesis's equations for GT200 agree with it but for two: 3.7 rounds shared memory down (2,300 bytes would then
 * fit 8 times, against its own table 3.2, which has 6), and 3.8 takes the warps of a block as they are, where they are
 * handed out in pairs (blocks of 129 to 160 threads: 5 fit, not 6).
 */
export function occupancy(profile: GpuProfile, use: BlockUse): Occupancy {
  checkUse(use)
  const limits = profile.occupancy
  const warps = Math.ceil(use.threads / profile.warpSize)
  const allocated = roundUp(warps, limits.warpUnit)
  const byLimit = {
    warps: use.threads > limits.maxThreadsPerBlock ? 0 : Math.floor(limits.maxWarps / allocated),
    blocks: limits.maxBlocks,
    registers: registerLimit(profile, use.registers, allocated),
    shared: sharedLimit(profile, use),
  }
  const activeBlocks = Math.min(...Object.values(byLimit))
  const activeWarps = activeBlocks * warps
  return {
    activeBlocks,
    activeWarps,
    maxWarps: limits.maxWarps,
    occupancy: activeWarps / limits.maxWarps,
    limits: byLimit,
    limitedBy: limitNames.filter((name) => byLimit[name] === activeBlocks && matters(name, profile, use)),
  }
}

const limitNames: readonly OccupancyLimit[] = ['warps', 'blocks', 'registers', 'shared']

/** Whether a limit can limit at all: what is not used does not. */
function matters(name: OccupancyLimit, profile: GpuProfile, use: BlockUse): boolean {
  if (name === 'registers') return use.registers > 0
  if (name === 'shared') return sharedBytes(profile.occupancy, use) > 0
  return true
}

function checkUse(use: BlockUse): void {
  const fields = {
    threads: use.threads,
    registers: use.registers,
    shared: use.shared,
    dynamicShared: use.dynamicShared ?? 0,
  }
  for (const [name, value] of Object.entries(fields)) {
    const least = name === 'threads' ? 1 : 0
    if (!Number.isSafeInteger(value) || value < least) {
      fail('occupancy.value', `${name} must be an integer of at least ${least}, not ${value}`)
    }
  }
}

function registerLimit(profile: GpuProfile, registers: number, warps: number): number {
  const limits = profile.occupancy
  if (registers === 0) return limits.maxBlocks
  if (registers > limits.maxRegistersPerThread) return 0
  const unit = limits.registerUnit * (limits.doubledUnitAt?.includes(registers) ? 2 : 1)
  if (limits.registerAllocation === 'block') {
    return Math.floor(limits.registers / roundUp(registers * profile.warpSize * warps, unit))
  }
  const perWarp = roundUp(registers * profile.warpSize, unit)
  if (limits.mustFitPartitions && perWarpLimit(limits, perWarp, warps, limits.mustFitPartitions) === 0) return 0
  return perWarpLimit(limits, perWarp, warps, limits.subPartitions)
}

/**
 * Blocks whose warps fit when registers and warps are dealt out to `parts` partitions; 0 when one block is too large.
 */
function perWarpLimit(limits: OccupancyLimits, perWarp: number, warps: number, parts: number): number {
  if (perWarp * roundUp(warps, parts) > limits.registers) return 0
  const warpsPerPart = Math.floor(limits.registers / parts / perWarp)
  return Math.floor((warpsPerPart * parts) / warps)
}

/** Bytes that one block really takes. */
const sharedBytes = (limits: OccupancyLimits, use: BlockUse): number =>
  roundUp(use.shared + (use.dynamicShared ?? 0) + limits.sharedReserved, limits.sharedUnit)

function sharedLimit(profile: GpuProfile, use: BlockUse): number {
  const limits = profile.occupancy
  if (use.shared + (use.dynamicShared ?? 0) > limits.sharedPerBlock) return 0
  const perBlock = sharedBytes(limits, use)
  return perBlock === 0
    ? limits.maxBlocks
    : Math.floor(sharedCapacity(profile, perBlock, use.sharedPreference) / perBlock)
}

/**
 * Bytes of shared memory that a multiprocessor is configured to: the preference rounded up, or what one block needs.
 */
function sharedCapacity(profile: GpuProfile, perBlock: number, preference: number | undefined): number {
  const { shared, carveOuts } = profile.occupancy
  if (preference === undefined) return shared
  const sizeFor = (bytes: number): number => carveOuts.find((size) => size >= bytes) ?? shared
  if (perBlock <= sizeFor(preference)) return sizeFor(preference)
  const picksSmallest = (profile.computeCapability?.[0] ?? 0) >= 7
  return picksSmallest ? sizeFor(perBlock) : shared
}

/** Why no multiprocessor has room for such a block; null where one has. */
export function refusalOf(profile: GpuProfile, use: BlockUse): string | null {
  const { activeBlocks, limitedBy } = occupancy(profile, use)
  if (activeBlocks > 0) return null
  const { maxThreadsPerBlock, maxRegistersPerThread, registers, sharedPerBlock } = profile.occupancy
  const wanted: Readonly<Record<OccupancyLimit, string>> = {
    warps: `${use.threads} threads a block, of at most ${maxThreadsPerBlock}`,
    blocks: 'no block fits',
    registers:
      use.registers > maxRegistersPerThread
        ? `${use.registers} registers a thread, of at most ${maxRegistersPerThread}`
        : `${use.threads} × ${use.registers} registers a block, of ${registers}`,
    shared: `${use.shared + (use.dynamicShared ?? 0)} bytes of shared memory a block, of at most ${sharedPerBlock}`,
  }
  return limitedBy.map((limit) => wanted[limit]).join('; ')
}

/** One change that lifts one limit. */
export interface OccupancyAdvice {
  readonly limit: OccupancyLimit
  readonly change: 'threads' | 'registers' | 'shared'
  /** The value nearest to today's first; for `registers` and `shared` the largest that lifts the limit. */
  readonly to: readonly number[]
  /** Occupancy after the change with the first value, everything else as it is. */
  readonly after: Occupancy
  readonly message: string
}

/**
 * For each limit that holds the kernel back: which block sizes, register counts or shared sizes would lift it. Empty at
 * full occupancy. When two limits hold at once, each is listed and `after` shows that one change alone may not help.
 */
export function advise(profile: GpuProfile, use: BlockUse): readonly OccupancyAdvice[] {
  const now = occupancy(profile, use)
  if (now.activeWarps === now.maxWarps) return []
  const advice = [...now.limitedBy.flatMap((limit) => lift(profile, use, now, limit)), ...blockSizes(profile, use, now)]
  return advice.filter((a, i) => advice.findIndex((b) => b.change === a.change) === i)
}

function lift(profile: GpuProfile, use: BlockUse, now: Occupancy, limit: OccupancyLimit): OccupancyAdvice[] {
  if (limit !== 'registers' && limit !== 'shared') return []
  const lifted = (value: number): Occupancy => occupancy(profile, { ...use, [limit]: value })
  const enough = (value: number): boolean => lifted(value).limits[limit] > now.limits[limit]
  const value = [...smaller(profile, use, limit)].find(enough)
  if (value === undefined) return []
  const after = lifted(value)
  const unit = limit === 'registers' ? 'registers a thread' : 'bytes of shared memory a block'
  const message =
    `at most ${value} ${unit} (now ${use[limit]}) lift this limit from ${now.limits[limit]} to ` +
    `${after.limits[limit]} block${after.limits[limit] === 1 ? '' : 's'}; ${gain(now, after)}`
  return [{ limit, change: limit, to: [value], after, message }]
}

/** Smaller values to try, largest first: every register count, and shared sizes that fill their allocation unit. */
function* smaller(profile: GpuProfile, use: BlockUse, limit: 'registers' | 'shared'): Generator<number> {
  const { sharedUnit, sharedReserved } = profile.occupancy
  const taken = limit === 'registers' ? 0 : sharedReserved + (use.dynamicShared ?? 0)
  const step = limit === 'registers' ? 1 : sharedUnit
  const least = limit === 'registers' ? 1 : 0
  for (let value = roundUp(use[limit] + taken, step) - step - taken; value >= least; value -= step) yield value
}

/**
 * Other block sizes (multiples of a warp, same registers a thread and shared memory a block) with more warps in flight.
 */
function blockSizes(profile: GpuProfile, use: BlockUse, now: Occupancy): OccupancyAdvice[] {
  const sizes = Array.from(
    { length: profile.occupancy.maxThreadsPerBlock / profile.warpSize },
    (_, i) => (i + 1) * profile.warpSize,
  )
  const warpsAt = (threads: number): number => occupancy(profile, { ...use, threads }).activeWarps
  const best = Math.max(...sizes.map(warpsAt))
  if (best <= now.activeWarps) return []
  const to = sizes
    .filter((threads) => warpsAt(threads) === best)
    .sort((a, b) => Math.abs(a - use.threads) - Math.abs(b - use.threads))
  const after = occupancy(profile, { ...use, threads: to[0]! })
  const message = `blocks of ${to.slice(0, 6).join(', ')} threads (now ${use.threads}): ${gain(now, after)}`
  return [{ limit: now.limitedBy[0]!, change: 'threads', to, after, message }]
}

const percent = (x: number): string => `${Math.round(x * 100)} %`
const gain = (now: Occupancy, after: Occupancy): string =>
  after.activeWarps > now.activeWarps
    ? `occupancy ${percent(now.occupancy)} to ${percent(after.occupancy)}`
    : `occupancy stays at ${percent(after.occupancy)}, because ${after.limitedBy.join(' and ')} also ` +
      `limit${after.limitedBy.length > 1 ? '' : 's'} it`
