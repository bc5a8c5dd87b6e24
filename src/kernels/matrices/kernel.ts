// Products of factors scaled for f16, and the scales. `nn` … `tt`: a product in slices along k, on matrix units; `top`, `power`: the powers of two of a
// factor, those of two factors at once in `tops` and `powers`; `gram` and `whole`: what an update of NMF needs of a factor, with its powers of two.
import { tiles } from '../matmul/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'

/** Four warps of 32 × 64; rows of the factors' pieces padded by 16 bytes. */
const onUnits = { bm: 64, bn: 128, bk: 32, tm: 4, tn: 16, lanesI: 8, lanesJ: 4, vector: 4, pad: 8, prefetch: 1, buffers: 1, unrollK: 1, units: 1, whole: 0 }

/** The products with another tile. */
export const products = (tile: PlanSpec['points'][number]): Readonly<Record<'nn' | 'nt' | 'tn' | 'tt', PlanSpec>> => {
  const product = (ta: 0 | 1, tb: 0 | 1): PlanSpec => ({ file: 'product.c', defines: { TA: `${ta}`, TB: `${tb}` }, points: [tile], keep: ['exact'], hooks: ['C'] })
  return { nn: product(0, 0), nt: product(0, 1), tn: product(1, 0), tt: product(1, 1) }
}

/** Long rows, a block each. */
const long = { threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }
const pair = { defines: { GRAM: '0', SUM: '0', TWO: '1' }, points: [long, long], together: true, hooks: [] } as const
const one = { defines: { GRAM: '0', SUM: '0', TWO: '0' }, points: [long], hooks: [] } as const

/** A tile of `threads` threads for a small result, and the rows beside it. */
const square = { ...tiles.any, bk: 16, unrollK: 16, bn: 64, tm: 4, whole: 0 }

export const spec: Spec = {
  matrices: {
    ...products(onUnits),
    top: { ...one, file: 'top.c' }, tops: { ...pair, file: 'top.c' }, power: { ...one, file: 'power.c' }, powers: { ...pair, file: 'power.c' },
    gram: { file: 'top.c', defines: { GRAM: '1' }, points: [square, { ...long, threads: 128 }], together: true, keep: ['exact'], hooks: [] },
    whole: { file: 'power.c', defines: { SUM: '1' }, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 1 }, long], together: true, hooks: [] },
  },
}
