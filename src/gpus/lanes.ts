// In: one warp access. Out: its active addresses in ascending order, and how many aligned units of a given size they
// touch. The one idea: all lanes have the same width, so after sorting, distinct units of any size fall out of one
// walk. The order lives in scratch memory that the next call overwrites; nothing here allocates.
import type { WarpAccess } from './profile.ts'

/** Ascending byte addresses of the lanes taken by the last `sortLanes`; only the first `count` (its result) hold. */
export const sorted = new Float64Array(32)

/**
 * Fills `sorted` with the addresses of the active lanes in `[from, to)` and returns how many there are. Addresses are
 * taken as they are (any non-negative safe integer). Insertion sort: linear on what is nearly in order, as it mostly
 * is.
 */
export function sortLanes(access: WarpAccess, from: number, to: number): number {
  const { addresses, active } = access
  let count = 0
  for (let lane = from; lane < to; lane++) {
    if (((active >>> lane) & 1) === 0) continue
    const address = addresses[lane]!
    let i = count++
    while (i > 0 && sorted[i - 1]! > address) {
      sorted[i] = sorted[i - 1]!
      i--
    }
    sorted[i] = address
  }
  return count
}

/**
 * Distinct aligned units of `unit` bytes that the first `count` sorted lanes touch, each `bytes` wide. `unit` 1:
 * distinct bytes.
 */
export function distinctUnits(count: number, bytes: number, unit: number): number {
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
