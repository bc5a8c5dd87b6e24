// Products of factors scaled for f16, and the scales. `nn` … `tt`: a product in slices along k, on matrix units; `top`,
// `power`: the powers of two of a factor, those of two factors at once in `tops` and `powers`; `update`: what an update
// of NMF needs.
import type { PlanSpec, Spec } from '../spec.ts'

/**
 * Eight warps of 64 × 32; rows of the factors' pieces padded by 16 bytes. 98 TFLOP/s on an H200; no other tile that was
 * tried has more than 87 (bench/data/h200-matrices.json).
 */
const onUnits = {
  bm: 128,
  bn: 128,
  bk: 32,
  tm: 8,
  tn: 8,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 8,
  prefetch: 1,
  buffers: 1,
  unrollK: 1,
  units: 1,
  whole: 0,
}
/**
 * Eight warps of 32 × 32, for few rows: NMF's 64 × 8192 with k = 4096 in 60 µs on an H200. Twice as many terms at once
 * gain nothing.
 */
const slim = { ...onUnits, bm: 64, tm: 4 }

type Tile = PlanSpec['points'][number]

const product = (tile: Tile, ta: 0 | 1, tb: 0 | 1): PlanSpec => ({
  file: 'product.c',
  defines: { TA: `${ta}`, TB: `${tb}` },
  points: [tile],
  keep: ['exact'],
  hooks: ['C'],
})
const update = (tiles: readonly Tile[], tb: 0 | 1): PlanSpec => ({
  file: 'update.c',
  defines: { TB: `${tb}` },
  points: tiles,
  together: true,
  keep: ['exact'],
  hooks: [],
})

/**
 * The products with other tiles: of any factors, of NMF's factors with the data and with themselves, and what is
 * checked first.
 */
export const products = (
  any: Tile,
  updates: readonly [data: Tile, square: Tile],
  first: Tile,
): Readonly<Record<string, PlanSpec>> => ({
  nn: product(any, 0, 0),
  nt: product(any, 0, 1),
  tn: product(any, 1, 0),
  tt: product(any, 1, 1),
  'update-nn': update(updates, 0),
  'update-nt': update(updates, 1),
  'check-nn': product(first, 0, 0),
  'check-tt': product(first, 1, 1),
})

/** One warp and one matrix: compiled in a moment. */
const quick = { ...onUnits, bm: 16, bn: 16, bk: 16, tm: 2, tn: 4 }

/** Long rows, a block each. */
const long = { threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }
/** A few parts: a row each of what is asked of them. */
const few = { ...long, threads: 128, vector: 1, unroll: 1 }
const pair = { defines: { TWO: '1' }, points: [long, long], together: true, hooks: [] } as const
const one = { defines: { TWO: '0' }, points: [long], hooks: [] } as const

export const spec: Spec = {
  matrices: {
    ...products(onUnits, [slim, { ...slim, bn: 64, tm: 2 }], quick),
    top: { ...one, file: 'top.c' },
    tops: { ...pair, file: 'top.c' },
    power: { ...one, points: [few], file: 'power.c' },
    powers: { ...pair, points: [few, few], file: 'power.c' },
  },
}
