// Schedules of transposes: the tile that was fastest on an H200 (bench/data/h200-examples.json). Elements are 32 bits,
// whatever they mean.
import type { Spec } from '../spec.ts'

const tile = { tile: 32, rows: 8, pad: 1, vector: 4 }
const common = { defines: { T: 'unsigned' }, hooks: [] }
/**
 * Where vectors divide the rows, and where they do not: there neighbours read neighbours, and two sectors of 64
 * elements written are shared with others instead of two of 32 (8191 × 8193: 155 instead of 164 µs, in fours 380).
 */
const plans = (name: string): Spec[string] => ({
  [name]: { ...common, file: `${name}.c`, points: [tile], keep: ['vector'] },
  [`${name}-odd`]: {
    ...common,
    file: `${name}.c`,
    points: [{ ...tile, wide: 64, rows: 4, vector: 1 }],
    keep: ['general'],
  },
})

export const spec: Spec = { transpose: { ...plans('turn'), ...plans('swap') } }
