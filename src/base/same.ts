// In: two trees of plain data. Out: whether they hold the same. The one idea: parts that are one object are the same
// without a look inside, so that trees made from the same pieces compare in no time.

/**
 * Whether `a` and `b` are equal in all that they hold: records, arrays and primitive values (NaN is NaN, 0 is not −0).
 * No cycles; other objects equal only themselves.
 */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => same(x, b[i]))
  return isRecord(a) && isRecord(b) && sameRecords(a, b)
}

const isRecord = (x: object): x is Readonly<Record<string, unknown>> => Object.getPrototypeOf(x) === Object.prototype

function sameRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
}
