// In: two trees of plain data. Out: whether they hold the same. The one idea: parts that are one object are the same
// without a look inside, so that trees made from the same pieces compare in no time.

/**
 * Whether `a` and `b` are equal in all that they hold: records, arrays and primitive values (NaN is NaN, 0 is not −0).
 * No cycles; other objects equal only themselves.
 */
export const same = (a: unknown, b: unknown): boolean => alike(a, b, true)

/** The same for data that may differ in their places in a text (`at`, a `Span`). */
export const sameWithoutPlaces = (a: unknown, b: unknown): boolean => alike(a, b, false)

function alike(a: unknown, b: unknown, places: boolean): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!alike(a[i], b[i], places)) return false
    return true
  }
  return isRecord(a) && isRecord(b) && alikeRecords(a, b, places)
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (x: object): x is Fields => Object.getPrototypeOf(x) === Object.prototype

/** A place is left out of what is compared, also where only one of the two has it. */
const isPlace = (name: string, x: unknown): boolean =>
  name === 'at' && typeof x === 'object' && x !== null && 'line' in x && 'column' in x

function alikeRecords(a: Fields, b: Fields, places: boolean): boolean {
  let count = 0
  for (const name in a) {
    const x = a[name]
    if (!places && isPlace(name, x)) continue
    if (!Object.hasOwn(b, name) || !alike(x, b[name], places)) return false
    count++
  }
  for (const name in b) if (places || !isPlace(name, b[name])) count--
  return count === 0
}
