// Schedules of products with a vector: along rows as measured fastest on an H200 (gemv in
// bench/data/h200-examples.json), along columns: bench/data/h200-library-tiles.json (`columns-one`: one launch of 1024
// threads a block, 20.2 instead of 22.1 µs for 4096²; `columns`: many blocks for few columns; `columns-short` for any
// size). They are part of matmul's module: only it uses them, and their texts are like its own.
import type { PlanSpec } from '../spec.ts'

const rows = '../matvec/rows.c',
  columns = '../matvec/columns.c'

export const vectors: Readonly<Record<string, PlanSpec>> = {
  rows: {
    file: rows,
    halves: true,
    points: [{ threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }],
    hooks: ['y'],
    keep: ['vector'],
  },
  'rows-short': {
    file: rows,
    halves: true,
    points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1, warp: 0 }],
    hooks: ['y'],
  },
  columns: {
    file: columns,
    halves: true,
    points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 32 }],
    hooks: ['y'],
    keep: ['vector'],
  },
  'columns-one': {
    file: columns,
    halves: true,
    points: [{ threads: 8, rows: 128, vector: 4, unroll: 2, blocks: 1 }],
    hooks: ['y'],
  },
  'columns-short': {
    file: columns,
    halves: true,
    points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1 }],
    hooks: ['y'],
  },
}
