// Schedules of transposes: the tile that was fastest on an H200 (bench/data/h200-examples.json). Elements are 32 bits,
// whatever they mean.
import type { Spec } from '../spec.ts'

const tile = { tile: 32, rows: 8, pad: 1, vector: 4 }
const common = { defines: { T: 'unsigned' }, points: [tile], hooks: [] }

export const spec: Spec = { transpose: { turn: { ...common, file: 'turn.c' }, swap: { ...common, file: 'swap.c' } } }
