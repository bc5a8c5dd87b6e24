// In: a GPU profile and one global access of a warp. Out: how many transactions, lines and L1 passes it takes, and how
// few would do. The one idea: four rules cover every NVIDIA generation, one more the other vendors,
// and a profile names one. It knows no caches: what crosses to the next level is counted as if every request missed.
import { unreachable } from '../base/index.ts'
import { countWords } from './banks.ts'
import { distinctUnits, laneMask, popcount, sorted, sortLanes } from './lanes.ts'
import type { GlobalCount, GpuProfile, WarpAccess } from './profile.ts'

/**
 * Counts one global access. `sectors` are the transactions of the profile's rule: 32-byte sectors from cc 3, 128-byte
 * lines on cc 2.x, segments of 32 to 128 bytes on cc 1.x; `transferredBytes` is what those move, so efficiency is
 * `usefulBytes / transferredBytes` everywhere. `idealSectors` is the fewest that the same distinct bytes could need.
 * No active lane counts as nothing.
 */
export function countGlobal(profile: GpuProfile, access: WarpAccess): GlobalCount {
  if ((access.active | 0) === 0) return nothing
  switch (profile.globalRule) {
    case 'segments-strict':
      return bySegments(access, strictHalf)
    case 'segments-shrinking':
      return bySegments(access, shrinkingHalf)
    case 'lines':
      return byLines(access)
    case 'sectors':
      return bySectors(profile, access)
    case 'units':
      return byUnits(profile, access)
    default:
      return unreachable(profile.globalRule)
  }
}

const nothing: GlobalCount = {
  sectors: 0,
  idealSectors: 0,
  lines: 0,
  usefulBytes: 0,
  wavefronts: 0,
  idealWavefronts: 0,
  transferredBytes: 0,
}

/** cc ≥ 3: distinct 32-byte sectors; L1 takes max(data, tag) passes. */
function bySectors(profile: GpuProfile, access: WarpAccess): GlobalCount {
  const { bytesPerLane } = access
  const count = sortLanes(access, 0, 32)
  const unit = profile.sectorBytes
  const sectors = distinctUnits(count, bytesPerLane, unit)
  const lines = distinctUnits(count, bytesPerLane, profile.lineBytes)
  const usefulBytes = distinctUnits(count, bytesPerLane, 1)
  const data = countWords(access, groupLanes(bytesPerLane))
  return {
    sectors,
    lines,
    usefulBytes,
    idealSectors: Math.ceil(usefulBytes / unit),
    transferredBytes: sectors * unit,
    wavefronts: Math.max(data.passes, tagWavefronts(lines)),
    idealWavefronts: data.groups,
  }
}

/** Other vendors: distinct units, each moved whole, 128 bytes a pass. */
function byUnits(profile: GpuProfile, access: WarpAccess): GlobalCount {
  const { bytesPerLane } = access
  const unit = profile.sectorBytes
  const count = sortLanes(access, 0, 32)
  const sectors = distinctUnits(count, bytesPerLane, unit)
  const usefulBytes = distinctUnits(count, bytesPerLane, 1)
  const idealSectors = Math.ceil(usefulBytes / unit)
  return {
    sectors,
    usefulBytes,
    idealSectors,
    lines: distinctUnits(count, bytesPerLane, profile.lineBytes),
    transferredBytes: sectors * unit,
    wavefronts: (sectors * unit) / 128,
    idealWavefronts: (idealSectors * unit) / 128,
  }
}

/** Lanes whose data leave L1 in one conflict-free pass of 128 bytes: 32, 16 or 8. */
export const groupLanes = (bytesPerLane: number): number => (bytesPerLane <= 4 ? 32 : bytesPerLane <= 8 ? 16 : 8)

/**
 * Passes of L1's tag stage: four lines a pass. Measured on H200 (bench/micro, strides of 4 to 1,024 bytes): loads that
 * hit take max(data passes, ⌈lines / 4⌉) clocks; a few strides take up to a quarter more, by a hash of tags that is not
 * known.
 */
export const tagWavefronts = (lines: number): number => Math.max(1, Math.ceil(lines / 4))

/**
 * cc 2.x through L1: 128-byte lines; 8-byte words go as two half-warps, 16-byte words as four quarter-warps, each on
 * its own. Stores pass L1 by, so what they move is counted in 32-byte pieces (recalled).
 */
function byLines(access: WarpAccess): GlobalCount {
  const { bytesPerLane, op } = access
  const lanes = groupLanes(bytesPerLane)
  let sectors = 0,
    idealSectors = 0,
    transferredBytes = 0
  for (let from = 0; from < 32; from += lanes) {
    const count = sortLanes(access, from, from + lanes)
    const lines = distinctUnits(count, bytesPerLane, 128)
    sectors += lines
    idealSectors += Math.ceil(distinctUnits(count, bytesPerLane, 1) / 128)
    transferredBytes += op === 'load' ? lines * 128 : distinctUnits(count, bytesPerLane, 32) * 32
  }
  return {
    sectors,
    idealSectors,
    transferredBytes,
    ...whole(access),
    wavefronts: sectors,
    idealWavefronts: idealSectors,
  }
}

/** What the warp as one request touches, whatever the rule. */
function whole(access: WarpAccess): { lines: number; usefulBytes: number } {
  const count = sortLanes(access, 0, 32)
  return {
    lines: distinctUnits(count, access.bytesPerLane, 128),
    usefulBytes: distinctUnits(count, access.bytesPerLane, 1),
  }
}

interface HalfCount {
  readonly transactions: number
  readonly ideal: number
  readonly bytes: number
}

/** cc 1.x: the two half-warps one after the other; without a cache, a transaction is a pass. */
function bySegments(access: WarpAccess, half: (access: WarpAccess, from: number) => HalfCount): GlobalCount {
  let sectors = 0,
    idealSectors = 0,
    transferredBytes = 0
  for (let from = 0; from < 32; from += 16) {
    if ((access.active & laneMask(from, from + 16)) === 0) continue
    const { transactions, ideal, bytes } = half(access, from)
    sectors += transactions
    idealSectors += ideal
    transferredBytes += bytes
  }
  return {
    sectors,
    idealSectors,
    transferredBytes,
    ...whole(access),
    wavefronts: sectors,
    idealWavefronts: idealSectors,
  }
}

/**
 * cc 1.0–1.1: 4-, 8- or 16-byte words in lane order from an aligned start make one 64-byte, one 128-byte or two
 * 128-byte transactions; anything else is one 32-byte transaction per active lane (the guide's 16, lanes all active).
 */
function strictHalf(access: WarpAccess, from: number): HalfCount {
  const { bytesPerLane } = access
  const lanes = popcount(access.active & laneMask(from, from + 16))
  const coalescible = bytesPerLane === 4 || bytesPerLane === 8 || bytesPerLane === 16
  const transactions = bytesPerLane === 16 ? 2 : 1
  const ideal = coalescible ? Math.min(transactions, lanes) : lanes
  if (coalescible && isInWordOrder(access, from)) {
    return { transactions, ideal: transactions, bytes: bytesPerLane * 16 }
  }
  return { transactions: lanes, ideal, bytes: lanes * 32 }
}

/**
 * Whether lane k of the half-warp takes word k of one segment aligned to its size. Inactive lanes may stand anywhere.
 */
export function isInWordOrder(access: WarpAccess, from: number): boolean {
  const { addresses, active, bytesPerLane } = access
  let base = -1
  for (let k = 0; k < 16; k++) {
    if (((active >>> (from + k)) & 1) === 0) continue
    const start = addresses[from + k]! - k * bytesPerLane
    if (base >= 0 ? start !== base : start < 0 || start % (16 * bytesPerLane) !== 0) return false
    base = start
  }
  return true
}

/**
 * cc 1.2–1.3: 128-byte segments (64 for 2-byte words, 32 for 1-byte) that hold active lanes, each shrunk to the half
 * that is used, down to 32 bytes. The guide's loop starts at the lowest lane; which segment goes first changes nothing.
 */
function shrinkingHalf(access: WarpAccess, from: number): HalfCount {
  const { bytesPerLane } = access
  const segment = bytesPerLane === 1 ? 32 : bytesPerLane === 2 ? 64 : 128
  const count = sortLanes(access, from, from + 16)
  const ideal = Math.ceil(distinctUnits(count, bytesPerLane, 1) / segment)
  let transactions = 0,
    bytes = 0
  for (let i = 0; i < count; ) {
    const first = sorted[i]!
    const base = Math.floor(first / segment) * segment
    let last = first
    while (i < count && sorted[i]! < base + segment) last = sorted[i++]!
    transactions++
    bytes += shrunk(base, segment, first, last + bytesPerLane - 1)
  }
  return { transactions, ideal, bytes }
}

/** Bytes of the smallest half, or half of a half, of the segment at `base` that holds `first` to `last`. */
export function shrunk(base: number, segment: number, first: number, last: number): number {
  let at = base,
    size = segment
  while (size > 32) {
    const middle = at + size / 2
    if (last < middle) size /= 2
    else if (first >= middle) {
      at = middle
      size /= 2
    } else break
  }
  return size
}
