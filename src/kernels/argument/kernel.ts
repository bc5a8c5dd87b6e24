// Schedules of searches for the greatest, like those of reductions: many blocks for few long rows. Everything is
// compared as i32 in an order that hooks make: `fusion/ordered-bits.ts`.
import type { PlanSpec, Spec } from '../spec.ts'

const long = { threads: 256, unroll: 4, vector: 4, blocks: 1056, rows: 1 }
const rows: Pick<PlanSpec, 'file' | 'hooks'> = { file: 'rows.c', hooks: ['x'] },
  keep = ['vector', 'general'] as const

export const spec: Spec = {
  argmax: {
    long: { ...rows, points: [long] },
    medium: { ...rows, points: [{ ...long, blocks: 64 }], keep },
    rows: { ...rows, points: [{ ...long, blocks: 1 }], keep },
    short: { ...rows, points: [{ ...long, threads: 32, unroll: 1, blocks: 1, rows: 8 }], keep },
    columns: { ...rows, file: 'columns.c', points: [{ threads: 64 }] },
  },
}
