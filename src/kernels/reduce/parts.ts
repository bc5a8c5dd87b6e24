/** A power of two up to `most` that divides n, pieces being multiples of 4 where n is. */
export function partsOf(n: number, most: number): number {
  let parts = 1
  while (2 * parts <= most && n % (8 * parts) === 0) parts *= 2
  return parts
}
