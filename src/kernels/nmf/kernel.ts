// Schedules of NMF's updates (bench/data/h200-library-tiles.json). `above`: both products with the other factor in one
// launch, its tile as large as two blocks' workgroup memory on a multiprocessor allow; `last`: what divides by the Gram
// matrix times the factor.
import { tiles } from '../matmul/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'

const numerator = { ...tiles.any, bk: 16, unrollK: 16 }
/** As many threads. */
const gram = { ...numerator, bn: 64, tm: 4 }
/** Eight rows a block: 1.85 ms for ten iterations of 4096 × 8192 with rank 64 where 32 rows took 1.91. */
const divided = { ...tiles.quick, bm: 8, tm: 1 }
const above = (whole: 0 | 1): PlanSpec => ({
  file: 'above.c',
  points: [
    { ...numerator, whole },
    { ...gram, whole },
  ],
  together: true,
  keep: ['exact'],
  hooks: [],
})

export const spec: Spec = {
  nmf: {
    above: above(0),
    'above-whole': above(1),
    last: {
      file: '../matmul/split.c',
      defines: { TA: '0', TB: '0' },
      points: [divided],
      keep: ['exact', 'vector'],
      hooks: ['A', 'C'],
    },
  },
}
