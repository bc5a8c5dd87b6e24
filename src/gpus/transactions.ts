// In: a GPU profile and one global access of a warp. Out: the pieces of memory that are moved for it, as a list to be
// drawn. The one idea: the same four rules as `countGlobal`, which counts without a list; a test holds both together.
import { groupLanes, isInWordOrder, shrunk } from './coalescing.ts'
import { distinctUnits, laneMask, popcount, sorted, sortLanes } from './lanes.ts'
import type { GpuProfile, WarpAccess } from './profile.ts'

/** Bytes `[start, start + bytes)`. */
export interface Transaction {
  readonly start: number
  readonly bytes: number
  /** The lanes that are served at once, those from the first to before the last: half a warp, say. */
  readonly lanes: readonly [number, number]
}

type Piece = Omit<Transaction, 'lanes'>

/**
 * What is moved, in ascending order within each part of the warp that the GPU serves at once. Their bytes add up to
 * `transferredBytes`.
 */
export function transactionsOf(profile: GpuProfile, access: WarpAccess): readonly Transaction[] {
  const served = (lanes: number, pieces: (from: number, to: number) => readonly Piece[]): readonly Transaction[] =>
    parts(lanes).flatMap((own) => pieces(...own).map((p) => ({ ...p, lanes: own })))
  switch (profile.globalRule) {
    case 'sectors':
    case 'units':
      return served(32, (from, to) => unitsOf(access, from, to, profile.sectorBytes))
    case 'lines':
      return served(groupLanes(access.bytesPerLane), (from, to) =>
        unitsOf(access, from, to, access.op === 'load' ? 128 : 32),
      )
    case 'segments-shrinking':
      return served(16, (from, to) => shrinking(access, from, to))
    case 'segments-strict':
      return served(16, (from, to) => strict(access, from, to))
  }
}

const parts = (lanes: number): [number, number][] =>
  Array.from({ length: 32 / lanes }, (_, i) => [i * lanes, (i + 1) * lanes])

/** Distinct aligned units of `unit` bytes. */
function unitsOf(access: WarpAccess, from: number, to: number, unit: number): Piece[] {
  const count = sortLanes(access, from, to),
    all = new Set<number>()
  for (let i = 0; i < count; i++) {
    const first = sorted[i] ?? 0
    for (let u = Math.floor(first / unit); u * unit < first + access.bytesPerLane; u++) all.add(u)
  }
  return [...all].sort((a, b) => a - b).map((u) => ({ start: u * unit, bytes: unit }))
}

function shrinking(access: WarpAccess, from: number, to: number): Piece[] {
  const { bytesPerLane } = access
  const segment = bytesPerLane === 1 ? 32 : bytesPerLane === 2 ? 64 : 128
  const count = sortLanes(access, from, to),
    all: Piece[] = []
  for (let i = 0; i < count; ) {
    const first = sorted[i] ?? 0
    const base = Math.floor(first / segment) * segment
    let last = first
    while (i < count && (sorted[i] ?? 0) < base + segment) last = sorted[i++] ?? 0
    const bytes = shrunk(base, segment, first, last + bytesPerLane - 1)
    all.push({ start: Math.floor(first / bytes) * bytes, bytes })
  }
  return all
}

/** One or two segments when lanes are in order, else 32 bytes for each lane. */
function strict(access: WarpAccess, from: number, to: number): Piece[] {
  const { bytesPerLane, addresses, active } = access
  if (popcount(active & laneMask(from, to)) === 0) return []
  const count = sortLanes(access, from, to)
  if (
    (bytesPerLane === 4 || bytesPerLane === 8 || bytesPerLane === 16) &&
    distinctUnits(count, bytesPerLane, 16 * bytesPerLane) === 1 &&
    isInWordOrder(access, from)
  ) {
    const start = Math.floor((sorted[0] ?? 0) / (16 * bytesPerLane)) * 16 * bytesPerLane
    const size = Math.min(128, 16 * bytesPerLane)
    return Array.from({ length: (16 * bytesPerLane) / size }, (_, i) => ({ start: start + i * size, bytes: size }))
  }
  return Array.from({ length: to - from }, (_, i) => from + i)
    .filter((l) => (active >>> l) & 1)
    .map((l) => ({ start: Math.floor((addresses[l] ?? 0) / 32) * 32, bytes: 32 }))
}
