// In: one access of a warp. Out: its shape in one word, for people. The one idea: look at the step from lane to lane;
// most steps equal names the pattern even where rows of a two-dimensional block meet. It counts nothing: the counts
// of `countGlobal` and `countShared` do not depend on it.
import type { Pattern } from '../ir/index.ts'
import { distinctUnits, sorted, sortLanes } from './lanes.ts'
import type { WarpAccess } from './profile.ts'

export interface AccessPattern {
  readonly pattern: Pattern
  /** Elements of `bytesPerLane` from lane to lane, when `strided`; negative when addresses descend. */
  readonly stride?: number
}

/**
 * `broadcast`: neighbours share an address. `coalesced`: neighbours are adjacent, or in any order within as few units
 * of `unitBytes` (32: a sector) as the bytes need. `misaligned`: adjacent, but starting inside a unit, so that one more
 * is touched. `strided`: a constant other step. `scattered`: the rest. "Neighbours" are active lanes in lane order,
 * and three steps in four must agree.
 */
export function accessPattern(access: WarpAccess, unitBytes = 32): AccessPattern {
  const { bytesPerLane } = access
  const count = sortLanes(access, 0, 32)
  const useful = distinctUnits(count, bytesPerLane, 1)
  const units = distinctUnits(count, bytesPerLane, unitBytes)
  const ideal = Math.ceil(useful / unitBytes)
  if (count > 1 && useful <= bytesPerLane) return { pattern: 'broadcast' }
  const step = commonStep(access)
  if (step === 0) return { pattern: 'broadcast' }
  if (step !== undefined && Math.abs(step) !== bytesPerLane) return { pattern: 'strided', stride: step / bytesPerLane }
  if (units <= ideal) return { pattern: 'coalesced' }
  const pieces = contiguousPieces(count, bytesPerLane)
  if (units <= ideal + pieces && useful >= pieces * unitBytes) return { pattern: 'misaligned' }
  return count === 1 ? { pattern: 'misaligned' } : { pattern: 'scattered' }
}

const steps = new Float64Array(31)

/** Bytes per lane from one active lane to the next that at least three pairs in four have; undefined when none, or one lane. */
function commonStep({ addresses, active }: WarpAccess): number | undefined {
  let pairs = 0, previous = -1
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue
    if (previous >= 0) steps[pairs++] = (addresses[lane]! - addresses[previous]!) / (lane - previous)
    previous = lane
  }
  const candidate = majority(pairs)
  let votes = 0
  for (let i = 0; i < pairs; i++) if (steps[i] === candidate) votes++
  return votes > 0 && votes * 4 >= pairs * 3 ? candidate : undefined
}

/** The one value that more than half of the steps can have (Boyer and Moore's vote). */
function majority(pairs: number): number | undefined {
  let candidate: number | undefined, lead = 0
  for (let i = 0; i < pairs; i++) {
    if (lead === 0) candidate = steps[i]
    lead += steps[i] === candidate ? 1 : -1
  }
  return candidate
}

/** Runs of adjacent bytes among the sorted lanes. */
function contiguousPieces(count: number, bytesPerLane: number): number {
  let pieces = 1
  for (let i = 1; i < count; i++) if (sorted[i]! > sorted[i - 1]! + bytesPerLane) pieces++
  return pieces
}
