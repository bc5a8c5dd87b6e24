// Products of factors scaled for f16, and the scales. `nn` … `tt`: a product in slices along k, on matrix units; `top`, `power`: the powers of two of a
// factor, those of two factors at once in `tops` and `powers`; `gram` and `whole`: what an update of NMF needs of a factor, with its powers of two.
import { tiles } from '../matmul/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'

/** Eight warps of 64 × 32; rows of the factors' pieces padded by 16 bytes. 98 TFLOP/s on an H200; of 13 other tiles none has more than 86. */
const onUnits = { bm: 128, bn: 128, bk: 32, tm: 8, tn: 8, lanesI: 8, lanesJ: 4, vector: 4, pad: 8, prefetch: 1, buffers: 1, unrollK: 1, units: 1, whole: 0 }
/** Eight warps of 32 × 32, for few rows: NMF's 64 × 8192 with k = 4096 in 61 µs; scaled on the way, in 88. */
const slim = { ...onUnits, bm: 64, tm: 4, units: 2 }

type Tile = PlanSpec['points'][number]

const product = (tile: Tile, ta: 0 | 1, tb: 0 | 1, scaled: 0 | 1 = 1): PlanSpec => ({ file: 'product.c', defines: { TA: `${ta}`, TB: `${tb}`, SCALED: `${scaled}` }, points: [tile], keep: ['exact'], hooks: scaled ? ['C'] : [] })

/** The products with other tiles: large ones, those of factors that are scaled already and have few rows, and what is checked first. */
export const products = (large: Tile, few: Tile, first: Tile): Readonly<Record<string, PlanSpec>> => ({
  nn: product(large, 0, 0), nt: product(large, 0, 1), tn: product(large, 1, 0), tt: product(large, 1, 1),
  'scaled-nn': product(few, 0, 0, 0), 'scaled-nt': product(few, 0, 1, 0), 'check-nn': product(first, 0, 0), 'check-tt': product(first, 1, 1),
})

/** One warp: compiled in a moment. */
const quick = { ...onUnits, bm: 32, bn: 32, tm: 4 }

/** Long rows, a block each. */
const long = { threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }
const pair = { defines: { GRAM: '0', SUM: '0', TWO: '1' }, points: [long, long], together: true, hooks: [] } as const
const one = { defines: { GRAM: '0', SUM: '0', TWO: '0' }, points: [long], hooks: [] } as const

/** A tile of `threads` threads for a small result, and the rows beside it. */
const square = { ...tiles.any, bk: 16, unrollK: 16, bn: 64, tm: 4, whole: 0 }

export const spec: Spec = {
  matrices: {
    ...products(onUnits, slim, quick), scaled: { file: 'scaled.c', points: [{ threads: 256, vector: 4, run: 1, blocks: 1056 }], hooks: [] },
    top: { ...one, file: 'top.c' }, tops: { ...pair, file: 'top.c' }, power: { ...one, file: 'power.c' }, powers: { ...pair, file: 'power.c' },
    gram: { file: 'top.c', defines: { GRAM: '1' }, points: [square, { ...long, threads: 128 }], together: true, keep: ['exact'], hooks: [] },
    whole: { file: 'power.c', defines: { SUM: '1' }, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1 }, long], together: true, hooks: [] },
  },
}
