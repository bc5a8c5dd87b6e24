// In: numbers and names. Out: how reports spell them: three significant digits with a unit, thousands by commas, and
// text from outside made safe to print. It knows nothing of what the numbers mean.

/** Thousands separated by commas: `134,217,728`. */
export const grouped = (n: number): string =>
  Number.isInteger(n) ? String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',') : String(n)

/** About three significant digits, no exponent: `0.0123`, `1.23`, `12.3`, `123`, `1230`. */
export function digits(x: number, significant = 3): string {
  if (!Number.isFinite(x)) return String(x)
  const rounded = Math.abs(Number(x.toPrecision(significant)))
  const whole = rounded === 0 ? 1 : Math.floor(Math.log10(rounded)) + 1
  return x.toFixed(Math.max(0, Math.min(12, significant - whole)))
}

const scales = [
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
] as const

/** A count: `999`, `12.3 k`, `4.12 G`. */
export function amount(n: number): string {
  if (Math.abs(n) < 1000) return Number.isInteger(n) ? String(n) : digits(n)
  const [unit, scale] = [...scales].reverse().find(([, s]) => Math.abs(n) >= s * 0.9995) ?? scales[0]
  return `${digits(n / scale)} ${unit}`
}

/** Bytes of a memory: `48 KiB`, `50 MiB`; below 1 KiB and between whole ones as they are. */
export function bytesWords(bytes: number): string {
  const [unit, scale] =
    bytes >= 2 ** 20
      ? (['MiB', 2 ** 20] as const)
      : bytes >= 2 ** 10
        ? (['KiB', 2 ** 10] as const)
        : (['bytes', 1] as const)
  return `${digits(bytes / scale, 3).replace(/\.0+$/, '')} ${unit}`
}

/** Nanoseconds as `870 ns`, `12.3 µs`, `4.56 ms`, `1.20 s`. */
export function duration(ns: number): string {
  const [unit, scale] =
    ns < 999.5
      ? (['ns', 1] as const)
      : ns < 999.5e3
        ? (['µs', 1e3] as const)
        : ns < 999.5e6
          ? (['ms', 1e6] as const)
          : (['s', 1e9] as const)
  return `${digits(ns / scale)} ${unit}`
}

/** 0…1 as `75 %`. */
export const percent = (x: number): string => `${Math.round(x * 100)} %`

/** A gain: `1.00×`, `12.3×`, `1,230×`. */
export const times = (x: number): string => `${x >= 1000 ? grouped(Math.round(x)) : digits(x)}×`

/** A relative error: `2.1e-7`; 0 as `0`. */
export const error = (x: number): string => (x === 0 ? '0' : x.toExponential(1))

/** `one file`, `3 files`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  n === 1 ? `1 ${one}` : `${grouped(n)} ${many}`

/** `a`, `a and b`, `a, b and c`. */
export const list = (items: readonly string[], last = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items[items.length - 1]}`

/**
 * Text from outside with control characters made visible, so that no file can steer a terminal. Tabs become one blank.
 */
export const printable = (text: string): string =>
  text.replace(/\t/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')
