// In: a plan, sizes and a seed. Out: arrays to run it on. Inputs are uniform in [−1, 1) (integers −8 … 8, or inside of
// what they choose subscripts and ends of loops from), outputs are poisoned, so that what a kernel leaves unwritten
// shows.
import { random } from '../base/index.ts'
import {
  elementsOf,
  hostArray,
  isFloat,
  isWideInteger,
  planValue,
  type ElementRange,
  type Expr,
  type HostArray,
  type Link,
  type MemoryType,
  type PlanArray,
  type PlanValues,
  type Sentinel,
} from '../ir/index.ts'

export type ArrayData = Record<string, HostArray>

/**
 * Fresh data for every array that the caller of a plan gives; `temp` arrays are left out. f16 is not supported. `tame`:
 * for programs that divide: floats of arrays are divided by the last extent, and 1 is added on the diagonal of square
 * ones, so that a matrix has a dominant diagonal and pivots are near 1. `names`: only these arrays.
 */
export function freshArrays(
  arrays: readonly PlanArray[],
  values: PlanValues,
  seed: number,
  tame = false,
  names?: ReadonlySet<string>,
): ArrayData {
  return Object.fromEntries(
    arrays.flatMap((a, i): [string, HostArray][] => {
      if (a.role === 'temp' || names?.has(a.name) === false) return []
      const data = filled(a, elementsOf(a, values), seed + i)
      if (a.elements && a.role !== 'out') choosing(a, a.elements, data, values, seed + i)
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
function choosing(a: PlanArray, range: ElementRange, data: HostArray, values: PlanValues, seed: number): void {
  const r = random(seed)
  const most = largestOf[a.type] ?? 2 ** 31 - 1,
    low = planValue(range.low, values),
    high = Math.max(low, Math.min(planValue(range.high, values) - 1, most))
  const placeOf = range.link && placesIn(a, range.link, values),
    lastAt = range.last && lastIn(range.last, { link: range.link, shape: a.shape }, values)
  const oneIn = placeOf ? linksOfWalk : elementsOfWalk
  const chosen = Int32Array.from({ length: data.length }, (_, i) => {
    const place = placeOf?.(i),
      last = lastAt?.(i),
      least = place === undefined ? low : Math.max(low, place + 1),
      isLast = least > high || (last !== undefined && r.bits() % oneIn === 0)
    if (last !== undefined && isLast) return last
    return least > high ? high : least + (r.bits() % (high - least + 1))
  })
  if (range.sorted && chosen.length > 0) {
    chosen.sort()
    chosen[0] = low
    chosen[chosen.length - 1] = high
  }
  for (const [i, x] of chosen.entries()) data[i] = isWideInteger(a.type) ? BigInt(x) : x
}

/** Largest values of narrow integers. */
export const largestOf: Partial<Record<MemoryType, number>> = { i8: 127, u8: 255, i16: 32767, u16: 65535 }

/** One of so many links ends a walk, and one of so many elements of what is looked through. */
const linksOfWalk = 4,
  elementsOfWalk = 8

/** The place of an element, as the links of its array count places. */
function placesIn(a: PlanArray, { dimension, step, row }: Link, values: PlanValues): (i: number) => number {
  const shape = a.shape.map((e) => planValue(e, values)),
    behind = shape.slice(dimension + 1).reduce((n, x) => n * x, 1),
    extent = shape[dimension] ?? 1,
    length = row ? Math.max(1, planValue(row, values)) : extent
  return (i) => Math.floor(((Math.floor(i / behind) % extent) % length) / step)
}

/** What ends a walk where it may stand. */
function lastIn(
  { value, offset }: Sentinel,
  { link, shape }: { readonly link: Link | undefined; readonly shape: readonly Expr[] },
  values: PlanValues,
): (i: number) => number | undefined {
  const last = planValue(value, values)
  if (offset === undefined || !link) return () => last
  const place = shape.slice(link.dimension + 1).reduce((n, e) => n * planValue(e, values), link.step)
  return (i) => (i % place === offset ? last : undefined)
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
