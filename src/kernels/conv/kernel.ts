// Schedules of convolutions. `planes`, `rows`, `columns`: a tile with its halo in workgroup memory, eight outputs of a
// thread in registers, as measured fastest on an H200 (conv2d and separable in bench/data/h200-examples.json); `low`: half
// of the tile, for devices with 16 KiB of workgroup memory. `gemm`: sums over channels as products of matrices, whose right factor is
// gathered from the image as it is loaded: the tiles of matmul.
import type { PlanSpec, Spec } from '../spec.ts'
import { lines, squares } from './windows.ts'

const stencil = { tx: 32, ty: 8, points: 8, staged: 1, open: 1, fast: 1 }
const medium = { bm: 64, bn: 128, bk: 8, tm: 8, tn: 8, lanesI: 8, lanesJ: 4, vector: 4, pad: 4, prefetch: 1, buffers: 2, unrollK: 8 }
const tiles = {
  medium, square: { ...medium, bm: 128 }, slim: { ...medium, bn: 64, bk: 16, buffers: 1, unrollK: 16 },
  small: { bm: 32, bn: 32, bk: 16, tm: 2, tn: 2, lanesI: 4, lanesJ: 8, vector: 1, pad: 1, prefetch: 0, buffers: 1, unrollK: 1 },
}

const one = (file: string, k: number, each: number, points: number): PlanSpec =>
  ({ file, defines: { K: `${k}`, EACH: `${each}` }, points: [{ ...stencil, points }], hooks: ['y'] })

const windows = (file: string, name: string, widths: readonly number[], each: readonly number[]): readonly (readonly [string, PlanSpec])[] =>
  widths.flatMap((k) => each.map((e) => [`${name}-${e ? 'each' : 'one'}-${k}`, one(file, k, e, k === 3 ? 4 : 8)] as const))

export const spec: Spec = {
  planes: Object.fromEntries([...windows('planes.c', 'planes', squares, [0, 1]), ...[0, 1].map((e) => [`planes-${e ? 'each' : 'one'}-17-low`, one('planes.c', 17, e, 4)] as const)]),
  lines: Object.fromEntries([...windows('rows.c', 'rows', lines, [0, 1]), ...windows('columns.c', 'columns', lines, [0])]),
  convolution: Object.fromEntries(Object.entries(tiles).map(([name, tile]) => [
    `gemm-${name}`, { file: '../matmul/batch.c', defines: { TA: '0', TB: '0' }, points: [tile], hooks: ['A', 'B', 'C'], keep: name === 'small' ? ['general'] : ['exact', 'vector', 'general'] },
  ])),
}
