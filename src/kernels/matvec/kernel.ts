// Schedules of products with a vector: along rows as measured fastest on an H200 (gemv in bench/data/h200-examples.json),
// along columns like sums of columns.
import type { Spec } from '../spec.ts'

export const spec: Spec = {
  matvec: {
    rows: { file: 'rows.c', points: [{ threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }], hooks: ['y'] },
    'rows-short': { file: 'rows.c', points: [{ threads: 32, rows: 8, vector: 4, unroll: 1, blocks: 1, warp: 0 }], hooks: ['y'] },
    columns: { file: 'columns.c', points: [{ threads: 64, vector: 4, unroll: 4, blocks: 128 }], hooks: ['y'] },
    'columns-short': { file: 'columns.c', points: [{ threads: 64, vector: 4, unroll: 4, blocks: 1 }], hooks: ['y'] },
  },
}
