// Decimal spellings of literals that parse back to the same value, shared by the C-like targets.

/** The largest finite f32. */
const largestSingle = 3.4028234663852886e38

/** The shortest decimal that rounds to `value` (finite) in single precision, always with a point or an exponent. */
export function shortFloat(value: number, isSame: (x: number) => boolean): string {
  // The shortest decimal of the largest number is above it, which WGSL refuses.
  if (Math.abs(value) === largestSingle) return String(value)
  for (let digits = 1; digits <= 17; digits++) {
    const text = value.toPrecision(digits)
    if (isSame(Number(text))) return withPoint(tidy(value, text, isSame))
  }
  return withPoint(String(value))
}

/** JavaScript's own spelling when it is as exact and shorter to read. */
function tidy(value: number, text: string, isSame: (x: number) => boolean): string {
  const plain = String(Number(text))
  return isSame(Number(plain)) ? plain : String(value)
}

const withPoint = (text: string): string => (/[.e]/.test(text) ? text : `${text}.0`)

/** Bits of a single-precision number. */
export function floatBits(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0]! // one element
}
