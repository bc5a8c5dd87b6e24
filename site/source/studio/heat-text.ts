// A figure of the heat, short enough for a gutter.
import { amount } from 'tesela/html'

/** `1.2 MB`, `34 k`. */
export function heatText(value: number, unit: string): string {
  const text = amount(Math.round(value))
  return unit === '' ? text : `${text} ${unit}`.replace(/ ([kMGT]) B$/, ' $1B')
}
