// Schedules of products with a vector: along rows as measured fastest on an H200 (gemv in bench/data/h200-examples.json),
// along columns: bench/device/schedules.ts.
// They are part of matmul's module: only it uses them, and their texts are like its own.
import type { PlanSpec } from '../spec.ts'

const rows = '../matvec/rows.c', columns = '../matvec/columns.c'

export const vectors: Readonly<Record<string, PlanSpec>> = {
  rows: { file: rows, points: [{ threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }], hooks: ['y'], keep: ['vector'] },
  'rows-short': { file: rows, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1, warp: 0 }], hooks: ['y'] },
  columns: { file: columns, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 32 }], hooks: ['y'], keep: ['vector'] },
  'columns-one': { file: columns, points: [{ threads: 8, rows: 128, vector: 4, unroll: 2, blocks: 1 }], hooks: ['y'] },
  'columns-short': { file: columns, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1 }], hooks: ['y'] },
}
