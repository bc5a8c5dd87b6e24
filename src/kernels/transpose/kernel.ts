// Schedules of transposes: the tile that was fastest on an H200 (bench/data/h200-examples.json). Elements are 32 bits,
// whatever they mean.
import type { Spec } from '../spec.ts'

const tile = { tile: 32, rows: 8, pad: 1, vector: 4 }
const common = { defines: { T: 'unsigned' }, hooks: [] }
/** Where vectors divide the rows, and where they do not: there neighbours read neighbours (8191 × 8193: 162 µs, in fours 380). */
const plans = (name: string): Spec[string] => ({
  [name]: { ...common, file: `${name}.c`, points: [tile], keep: ['vector'] },
  [`${name}-odd`]: { ...common, file: `${name}.c`, points: [{ ...tile, vector: 1 }], keep: ['general'] },
})

export const spec: Spec = { transpose: { ...plans('turn'), ...plans('swap') } }
