// In: one warp access. Out: its active addresses in ascending order, and how many aligned units of a given size they
// touch. The one idea: all lanes have the same width, so after sorting, distinct units of any size fall out of one
// walk. The order lives in scratch memory that the next call overwrites; nothing here allocates.
import type { WarpAccess } from './profile.ts'

/** Ascending byte addresses of the lanes taken by the last `sortLanes`; only the first `count` (its result) hold. */
export const sorted = new Float64Array(32)

/**
 * Fills `sorted` with the addresses of the active lanes in `[from, to)` and returns how many there are. Addresses are
 * taken as they are (any non-negative safe integer). They mostly rise as they stand; those that do not are sorted by
 * insertion in two passes (Shell).
 */
export function sortLanes(access: WarpAccess, from: number, to: number): number {
  const { addresses, active } = access
  let count = 0,
    isRising = true,
    last = -1
  for (let lane = from; lane < to; lane++) {
    if (((active >>> lane) & 1) === 0) continue
    const address = addresses[lane]!
    if (address < last) isRising = false
    sorted[count++] = last = address
  }
  if (!isRising) {
    insert(count, firstGap)
    insert(count, 1)
  }
  return count
}

/** Two passes need the fewest moves of 32 numbers with about 1.72 ∛32 (Knuth, volume 3, §5.2.1). */
const firstGap = 5

/** Sorts each list of numbers `gap` apart. */
function insert(count: number, gap: number): void {
  for (let k = gap; k < count; k++) {
    const address = sorted[k]!
    let i = k
    for (; i >= gap && sorted[i - gap]! > address; i -= gap) sorted[i] = sorted[i - gap]!
    sorted[i] = address
  }
}

/**
 * Distinct aligned units of `unit` bytes that the first `count` sorted lanes touch, each `bytes` wide. `unit` 1:
 * distinct bytes.
 */
export function distinctUnits(count: number, bytes: number, unit: number): number {
  if (unit === 1) return distinctBytes(count, bytes)
  let units = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    const first = Math.max(next, Math.floor(sorted[i]! / unit))
    const after = Math.floor((sorted[i]! + bytes - 1) / unit) + 1
    if (after > first) {
      units += after - first
      next = after
    }
  }
  return units
}

function distinctBytes(count: number, bytes: number): number {
  let found = 0,
    next = 0
  for (let i = 0; i < count; i++) {
    const first = sorted[i]!,
      after = first + bytes
    if (after <= next) continue
    found += after - (first > next ? first : next)
    next = after
  }
  return found
}

/** Number of set bits of a 32-bit mask. */
export function popcount(mask: number): number {
  let v = mask - ((mask >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Bits of the lanes in `[from, to)`. */
export function laneMask(from: number, to: number): number {
  const width = to - from
  return width >= 32 ? 0xffffffff : (((1 << width) - 1) << from) >>> 0
}
