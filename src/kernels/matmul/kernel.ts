// Schedules of matrix products, chosen from some 40 tiles over sizes from 512³ to 8192³ on an H200
// (bench/data/h200-matmul-tiles.json). `any`: 45 of 51 TFLOP/s at any rows and columns (2 % less than where whole tiles
// are asked for); `large`: 49 TFLOP/s, for factors that have k outside (others are turned first, where that pays);
// `slim`: for results of few rows or columns; `quick`: small products in one launch (512³ in 12.9 instead of 13.5 µs,
// and 14.5 instead of 17.2 with the host's time); `small`: 256 threads and 4 KiB of workgroup memory, for software
// devices. Tiles that gain a few per cent at some sizes were left out: 25 kB.
import { vectors } from '../matvec/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'

const any = {
  bm: 64,
  bn: 128,
  bk: 8,
  tm: 8,
  tn: 8,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 4,
  prefetch: 1,
  buffers: 2,
  unrollK: 8,
}
const slim = { ...any, bn: 64, bk: 16, buffers: 1, unrollK: 16 }
const large = { ...slim, bm: 128, bn: 256, tn: 16 }
const quick = { ...any, bm: 32, bn: 64, bk: 16, tm: 4, tn: 4, lanesI: 4, lanesJ: 8, unrollK: 16 }
const small = {
  bm: 32,
  bn: 32,
  bk: 16,
  tm: 2,
  tn: 2,
  lanesI: 4,
  lanesJ: 8,
  vector: 1,
  pad: 1,
  prefetch: 0,
  buffers: 1,
  unrollK: 1,
}

export const tiles = { any, slim, large, quick, small }

const layouts = [
  ['nn', 0, 0],
  ['nt', 0, 1],
  ['tn', 1, 0],
  ['tt', 1, 1],
] as const

/**
 * Tiles of products cut along k; sizes that vectors do not divide are padded by the library, so no variant for any size
 * is kept.
 */
const plans = layouts.flatMap(([layout, ta, tb]): readonly (readonly [string, PlanSpec])[] => {
  const common = { defines: { TA: `${ta}`, TB: `${tb}` }, hooks: ['C'] }
  const split = (name: string, point: PlanSpec['points'][number], whole: 0 | 1): readonly [string, PlanSpec] => [
    `split-${layout}-${name}`,
    { ...common, file: 'split.c', points: [{ ...point, whole }], keep: ['exact'] },
  ]
  return [
    split('any', any, 0),
    ...(layout === 'nn' ? [split('quick', quick, 0)] : []),
    ...(tb ? [] : [split('slim', slim, 1)]),
    ...(layout === 'tn' ? [split('large', large, 0)] : []),
    [`batch-${layout}-any`, { ...common, file: 'batch.c', points: [any], keep: ['exact'] }],
    [`batch-${layout}-small`, { ...common, file: 'batch.c', points: [small], keep: ['general'] }],
  ]
})

/** A factor's copy with rows and columns changed, for `large`. */
const turn: PlanSpec = {
  file: '../transpose/turn.c',
  defines: { T: 'float' },
  points: [{ tile: 32, rows: 8, pad: 1, vector: 4 }],
  keep: ['vector'],
  hooks: [],
}

export const spec: Spec = { matmul: { ...Object.fromEntries(plans), turn, ...vectors } }
