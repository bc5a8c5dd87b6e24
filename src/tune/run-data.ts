// In: a plan, sizes and a seed. Out: arrays to run it on. Inputs are uniform in [−1, 1) (integers −8 … 8, or inside of
// what they choose subscripts and ends of loops from), outputs are poisoned, so that what a kernel leaves unwritten
// shows.
import { random } from '../base/index.ts'
import {
  elementsOf,
  hostArray,
  isFloat,
  planValue,
  type ElementRange,
  type HostArray,
  type MemoryType,
  type PlanArray,
  type PlanValues,
} from '../ir/index.ts'

export type ArrayData = Record<string, HostArray>

/**
 * Fresh data for every array that the caller of a plan gives; `temp` arrays are left out. f16 is not supported. `tame`:
 * for programs that divide: floats of arrays are divided by the last extent, and 1 is added on the diagonal of square
 * ones, so that a matrix has a dominant diagonal and pivots are near 1.
 */
export function freshArrays(arrays: readonly PlanArray[], values: PlanValues, seed: number, tame = false): ArrayData {
  return Object.fromEntries(
    arrays.flatMap((a, i): [string, HostArray][] => {
      if (a.role === 'temp') return []
      const data = filled(a, elementsOf(a, values), seed + i)
      if (a.elements && a.role !== 'out') choosing(a.elements, data, a.type, values, seed + i)
      if (tame && a.role !== 'out' && isFloat(a.type))
        calm(
          data as Float32Array,
          a.shape.map((e) => planValue(e, values)),
        ) // float arrays take numbers
      return [[a.name, data]]
    }),
  )
}

function calm(data: Float32Array, shape: readonly number[]): void {
  const columns = shape[shape.length - 1] ?? 1,
    rows = shape[shape.length - 2]
  const diagonal = (i: number): boolean => rows === columns && (i % (columns * columns)) % (columns + 1) === 0
  for (let i = 0; i < data.length; i++) data[i] = data[i]! / columns + (diagonal(i) ? 1 : 0)
}

function filled(a: PlanArray, count: number, seed: number): HostArray {
  const data = hostArray(a.type, count)
  if (a.role === 'out') fillWithPoison(data, a.type)
  else if (a.type === 'i64' || a.type === 'u64')
    fillBig(data as BigInt64Array, seed) // both 64-bit integer arrays take bigints
  // every other host array takes numbers
  else fillNumbers(data as Float32Array, isFloat(a.type), a.type.startsWith('u'), seed)
  return data
}

/** Integers that choose subscripts or ends of loops, inside of what they choose from. */
function choosing(range: ElementRange, data: HostArray, type: MemoryType, values: PlanValues, seed: number): void {
  const r = random(seed)
  const most = type === 'i8' ? 127 : type === 'u8' ? 255 : type === 'i16' ? 32767 : type === 'u16' ? 65535 : 2 ** 31 - 1
  const low = planValue(range.low, values),
    high = Math.max(low, Math.min(planValue(range.high, values) - 1, most))
  const chosen = Int32Array.from({ length: data.length }, () => low + (r.bits() % (high - low + 1)))
  if (range.sorted && chosen.length > 0) {
    chosen.sort()
    chosen[0] = low
    chosen[chosen.length - 1] = high
  }
  for (const [i, x] of chosen.entries()) data[i] = type === 'i64' || type === 'u64' ? BigInt(x) : x
}

/** NaN in floats, a conspicuous pattern in integers. */
export function fillWithPoison(data: HostArray, type: MemoryType): void {
  if (type === 'f32' || type === 'f64')
    (data as Float32Array).fill(NaN) // f32 and f64 arrays take numbers
  else new Uint8Array(data.buffer, data.byteOffset, data.byteLength).fill(0xa5)
}

/** Numbers are made in arrays of one kind: engines store into arrays of many kinds several times slower. */
const together = 4096

function fillNumbers(data: Float32Array, float: boolean, unsigned: boolean, seed: number): void {
  const r = random(seed),
    numbers = new Float64Array(Math.min(together, data.length)),
    least = unsigned ? 0 : -8
  for (let from = 0; from < data.length; from += together) {
    const count = Math.min(together, data.length - from)
    if (float) for (let i = 0; i < count; i++) numbers[i] = r.unit() * 2 - 1
    else for (let i = 0; i < count; i++) numbers[i] = (r.bits() % 17) + least
    data.set(numbers.subarray(0, count), from)
  }
}

function fillBig(data: BigInt64Array, seed: number): void {
  const r = random(seed)
  for (let i = 0; i < data.length; i++) data[i] = BigInt(r.bits() % 17)
}
