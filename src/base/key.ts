// In: plain data. Out: a text that no other data have. The one idea: JSON, with what it would lose (0 and −0, what is
// no finite number, 64-bit integers) spelled out, so that a cache may be asked by it, and what keeps such a cache
// small.

/** Data with equal texts are equal; the order of keys counts. No cycles, no instances of classes. */
export const keyOf = (x: unknown): string => JSON.stringify(x, spelled)

/** The same for data that differ in their places in a text alone (`at`, a `Span`). */
export const keyWithoutPlaces = (x: unknown): string =>
  JSON.stringify(x, (name, value: unknown) => (name === 'at' && isSpan(value) ? undefined : spelled(name, value)))

const isSpan = (x: unknown): boolean => typeof x === 'object' && x !== null && 'line' in x && 'column' in x

/** Sets `key` in a map that keeps the last `most` that were set. */
export function setLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  for (const old of map.keys()) {
    if (map.size <= most) break
    map.delete(old)
  }
}

function spelled(_: string, x: unknown): unknown {
  if (typeof x === 'number')
    return Number.isFinite(x) && !Object.is(x, -0) ? x : { number: Object.is(x, -0) ? '-0' : String(x) }
  return typeof x === 'bigint' ? { bigint: String(x) } : x
}
