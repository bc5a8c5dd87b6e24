// In: plain data. Out: a name that no other data have. The one idea: contents are known by a hash of their JSON with
// keys in order, so that who spells the same thing differently finds the same.
import { createHash } from 'node:crypto'

/** 64 hexadecimal digits (SHA-256). The order of keys does not count, and fields that are absent are not there. */
export const contentKey = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

/** JSON with the keys of every object in order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, x: unknown) =>
    typeof x === 'object' && x !== null && !Array.isArray(x)
      ? Object.fromEntries(Object.entries(x).sort(([a], [b]) => (a < b ? -1 : 1)))
      : x,
  )
}
