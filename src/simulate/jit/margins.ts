// In: decisions of a kernel that block indices can change. Out: code that keeps, for each of them, how near the
// differences that decided came to the other outcome. The one idea: d = a − b decided by its sign, so the largest
// negative and the smallest other d say by how much all of them may be shifted before one decides otherwise.
import { simd as v, type Func } from '../wasm.ts'
import type { Decision } from '../classes/decisions.ts'

/** A record, bytes: eight vectors of four words, of which the host takes the extremes. */
export const margin = {
  /** The greatest and least a, then b, that say whether either, or their difference, wraps when moved. */
  a: 0,
  b: 32,
  /** Largest negative and smallest other a − b. */
  below: 64,
  above: 80,
  /** The same of b − a where equality decides, of a where unsigned order does. */
  belowToo: 96,
  aboveToo: 112,
  bytes: 128,
} as const

const oddWords = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
const evenWords = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
/** The least i32: no margin is smaller. */
const leastInt = -2147483648
/** The greatest i32: no margin is larger. */
const mostInt = 2147483647
const words = (f: Func, w: number): Func => f.v128([w, w, w, w])

/**
 * Notes four executions of a decision. `sides`: v128 locals of a and b, two each of 64-bit types; `active`: a local
 * with the lane mask.
 */
export function noteMargins(
  f: Func,
  address: number,
  { kind, type }: Decision,
  sides: readonly [readonly number[], readonly number[]],
  active: number,
): void {
  const [a, b, d] = [f.local('v128'), f.local('v128'), f.local('v128')]
  const isTwo = kind === 'less' || kind === 'equal'
  take(f, address + margin.a, sides[0], a, active)
  if (isTwo) {
    take(f, address + margin.b, sides[1], b, active)
    f.get(a).get(b).simd(v.i32x4_sub).set(d)
  } else f.get(a).set(d)
  noteSign(f, address + margin.below, d, active)
  if (kind === 'equal') {
    f.get(d).simd(v.i32x4_neg).set(d)
    noteSign(f, address + margin.belowToo, d, active)
  } else if (kind === 'less' && (type === 'u32' || type === 'u64')) noteSign(f, address + margin.belowToo, a, active)
  for (const local of [a, b, d]) f.release('v128', local)
}

/** The low words of a chunk, among the numbers at `address`; what 32 bits do not hold is all numbers. */
function take(f: Func, address: number, chunk: readonly number[], out: number, active: number): void {
  const [low, high] = chunk
  if (high === undefined) f.get(low!).set(out)
  else {
    f.get(low!).get(high).shuffle(evenWords).set(out)
    const [wide, end] = [f.local('v128'), f.local('v128')]
    f.get(low!).get(high).shuffle(oddWords).get(out).i32(31).simd(v.i32x4_shr_s).simd(v.i32x4_ne)
    f.get(active).simd(v.and).set(wide)
    for (const w of [leastInt, mostInt]) {
      words(f, w).set(end)
      noteRange(f, address, end, wide)
    }
    f.release('v128', wide)
    f.release('v128', end)
  }
  noteRange(f, address, out, active)
}

/** Puts x among the greatest numbers at `address`, and the least behind them. */
function noteRange(f: Func, address: number, x: number, active: number): void {
  f.i32(address)
  f.i32(address).simdMem(v.load).get(x)
  words(f, leastInt).get(active).simd(v.bitselect).simd(v.i32x4_max_s).simdMem(v.store)
  f.i32(address)
  f.i32(address).simdMem(v.load, 16).get(x)
  words(f, mostInt).get(active).simd(v.bitselect).simd(v.i32x4_min_s).simdMem(v.store, 16)
}

/** Puts d among the largest negative numbers at `address`, or the smallest others behind them. */
function noteSign(f: Func, address: number, d: number, active: number): void {
  const negative = f.local('v128')
  f.get(d).i32(31).simd(v.i32x4_shr_s).set(negative)
  f.i32(address)
  f.i32(address).simdMem(v.load).get(d)
  words(f, leastInt).get(negative).get(active).simd(v.and).simd(v.bitselect)
  f.simd(v.i32x4_max_s).simdMem(v.store)
  f.i32(address)
  f.i32(address).simdMem(v.load, 16).get(d)
  words(f, mostInt).get(active).get(negative).simd(v.andnot).simd(v.bitselect)
  f.simd(v.i32x4_min_s).simdMem(v.store, 16)
  f.release('v128', negative)
}

/** A record as the host reads it. */
export interface Margins {
  /** Of all executions; of none, −∞ is the greatest and ∞ the least. */
  readonly a: Extremes
  readonly b: Extremes
  /** Largest negative difference, −∞ when there was none; smallest other, ∞. */
  readonly below: number
  readonly above: number
  readonly belowToo: number
  readonly aboveToo: number
}

export interface Extremes {
  readonly most: number
  readonly least: number
}

/** Reads the record at `address` (of 32-bit words) and makes it new. */
export function takeMargins(memory: Int32Array, address: number): Margins {
  const at = address >> 2
  const four = (offset: number): readonly number[] =>
    Array.from(memory.subarray(at + (offset >> 2), at + (offset >> 2) + 4))
  const largest = (offset: number): number => {
    const most = Math.max(...four(offset))
    return most === leastInt ? -Infinity : most
  }
  const smallest = (offset: number): number => {
    const least = Math.min(...four(offset))
    return least === mostInt ? Infinity : least
  }
  const extremes = (offset: number): Extremes => {
    const [most, least] = [Math.max(...four(offset)), Math.min(...four(offset + 16))]
    return least <= most ? { most, least } : { most: -Infinity, least: Infinity }
  }
  const found: Margins = {
    a: extremes(margin.a),
    b: extremes(margin.b),
    below: largest(margin.below),
    above: smallest(margin.above),
    belowToo: largest(margin.belowToo),
    aboveToo: smallest(margin.aboveToo),
  }
  clearMargins(memory, address)
  return found
}

/** A record that has seen nothing. */
export function clearMargins(memory: Int32Array, address: number): void {
  const at = address >> 2
  for (const offset of [margin.a, margin.b, margin.below, margin.belowToo]) {
    const begin = at + (offset >> 2)
    memory.fill(leastInt, begin, begin + 4)
    memory.fill(mostInt, begin + 4, begin + 8)
  }
}
