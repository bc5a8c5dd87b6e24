// In: plain data. Out: a text that no other data have. The one idea: JSON, with what it would lose (0 and −0, what is no finite number,
// 64-bit integers) spelled out, so that a cache may be asked by it.

/** Data with equal texts are equal; the order of keys counts. No cycles, no instances of classes. */
export const keyOf = (x: unknown): string => JSON.stringify(x, spelled)

function spelled(_: string, x: unknown): unknown {
  if (typeof x === 'number') return Number.isFinite(x) && !Object.is(x, -0) ? x : { number: Object.is(x, -0) ? '-0' : String(x) }
  return typeof x === 'bigint' ? { bigint: String(x) } : x
}
