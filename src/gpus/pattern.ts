// In: the addresses of one access by a warp. Out: one word for reports: coalesced, strided, broadcast … The one idea:
// the commonest difference between neighbouring lanes names the pattern, even if some lanes are idle or a row of a
// two-dimensional block ends in the warp. Counters do not depend on it (`countGlobal`, `countShared`).
import type { Pattern } from '../ir/index.ts'
import { distinctUnits, popcount, sorted, sortLanes } from './lanes.ts'
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
 * and three steps in four must agree; idle lanes between them count as if they went along. `touched`: what is known of
 * the access already.
 */
export function accessPattern(
  access: WarpAccess,
  unitBytes = 32,
  touched: Touched = touchedBy(access, unitBytes),
): AccessPattern {
  const { bytesPerLane } = access,
    { useful, units } = touched
  const count = popcount(access.active)
  const ideal = Math.ceil(useful / unitBytes)
  if (count > 1 && useful <= bytesPerLane) return { pattern: 'broadcast' }
  const step = commonStep(access)
  if (step === 0) return { pattern: 'broadcast' }
  if (step !== undefined && Math.abs(step) !== bytesPerLane) return { pattern: 'strided', stride: step / bytesPerLane }
  if (units <= ideal) return { pattern: 'coalesced' }
  const whole = step === undefined ? access : filled(access, step)
  if (whole !== access) return accessPattern(whole, unitBytes)
  if (count === 1) return { pattern: 'misaligned' }
  // no number of pieces can be between: what is scattered wide need not be sorted
  if ((units - ideal) * unitBytes > useful) return { pattern: 'scattered' }
  const pieces = contiguousPieces(sortLanes(access, 0, 32), bytesPerLane)
  const isWhole = units <= ideal + pieces && useful >= pieces * unitBytes
  return { pattern: isWhole ? 'misaligned' : 'scattered' }
}

/** Distinct bytes and units that an access touches. */
interface Touched {
  readonly useful: number
  readonly units: number
}

function touchedBy(access: WarpAccess, unitBytes: number): Touched {
  const count = sortLanes(access, 0, 32)
  return {
    useful: distinctUnits(count, access.bytesPerLane, 1),
    units: distinctUnits(count, access.bytesPerLane, unitBytes),
  }
}

const along = new Float64Array(32)

/**
 * The same access with the inactive lanes between active ones that the step leads to: who is idle does not change where
 * the others go. Its addresses hold until the next call.
 */
function filled(access: WarpAccess, step: number): WarpAccess {
  const { addresses } = access
  let active = access.active,
    previous = -1
  for (let lane = 0; lane < 32; lane++) {
    if (((access.active >>> lane) & 1) === 0) continue
    const gap = lane - previous
    if (previous >= 0 && gap > 1 && addresses[lane]! - addresses[previous]! === step * gap) {
      // both lanes are active
      for (let k = 1; k < gap; k++) {
        along[previous + k] = addresses[previous]! + k * step
        active |= 1 << (previous + k)
      }
    }
    along[lane] = addresses[lane]!
    previous = lane
  }
  return active === access.active ? access : { ...access, addresses: along, active: active >>> 0 }
}

const steps = new Float64Array(31)

/**
 * Bytes per lane from one active lane to the next that at least three pairs in four have; undefined when none, or one
 * lane.
 */
function commonStep({ addresses, active }: WarpAccess): number | undefined {
  let pairs = 0,
    previous = -1
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
  let candidate: number | undefined,
    lead = 0
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
