// Schedules of matrix products, the best of 22 tiles over sizes from 512³ to 4096³ on an H200 (bench/data/h200-matmul-tiles.json).
// `medium`: 46 of 51 TFLOP/s; `square`: where whole tiles do not divide the sizes, its guards cost less; `slim`: for results of
// few rows or columns; `small`: 256 threads and 4 KiB of workgroup memory, for software devices.
import { vectors } from '../matvec/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'

const medium = { bm: 64, bn: 128, bk: 8, tm: 8, tn: 8, lanesI: 8, lanesJ: 4, vector: 4, pad: 4, prefetch: 1, buffers: 2, unrollK: 8 }
const square = { ...medium, bm: 128 }
const slim = { ...medium, bn: 64, bk: 16, buffers: 1, unrollK: 16 }
const small = { bm: 32, bn: 32, bk: 16, tm: 2, tn: 2, lanesI: 4, lanesJ: 8, vector: 1, pad: 1, prefetch: 0, buffers: 1, unrollK: 1 }

const layouts = [['nn', 0, 0], ['nt', 0, 1], ['tn', 1, 0], ['tt', 1, 1]] as const

/** Tiles of products cut along k; sizes that vectors do not divide are padded by the library, so no variant for any size is kept. */
const plans = layouts.flatMap(([layout, ta, tb]): readonly (readonly [string, PlanSpec])[] => {
  const common = { defines: { TA: `${ta}`, TB: `${tb}` }, hooks: ['C'] }
  return [
    [`split-${layout}-medium`, { ...common, file: 'split.c', points: [medium], keep: ['exact', 'vector'] }],
    [`split-${layout}-square`, { ...common, file: 'split.c', points: [square], keep: ['vector'] }],
    [`split-${layout}-slim`, { ...common, file: 'split.c', points: [slim], keep: ['exact'] }],
    [`batch-${layout}-medium`, { ...common, file: 'batch.c', points: [medium], keep: ['vector'] }],
    [`batch-${layout}-small`, { ...common, file: 'batch.c', points: [small], keep: ['general'] }],
  ]
})

export const spec: Spec = { matmul: { ...Object.fromEntries(plans), ...vectors } }
