// Schedules of convolutions. `planes`, `rows`, `columns`: a tile with its halo in workgroup memory, eight outputs of a
// thread in registers, near the fastest measured on an H200 (conv2d and separable in bench/data/h200-examples.json;
// writing the window out gained nothing there and makes long texts); `low`: half of the tile, for devices with 16 KiB
// of workgroup memory. `gemm`: sums over channels as products of matrices, whose right factor is gathered from the
// image as it is loaded: the tiles of matmul.
import { tiles } from '../matmul/kernel.ts'
import type { PlanSpec, Spec } from '../spec.ts'
import { lines, squares } from './windows.ts'

const stencil = { tx: 32, ty: 8, points: 8, staged: 1, open: 0, fast: 1 }
/**
 * More threads with fewer sums each than in products: more loads wait at once, and gathering is slow to answer (59
 * instead of 73 µs for 8 × 64 × 56² by 64 × 3², bench/data/h200-library-tiles.json).
 */
const slim = { ...tiles.any, bn: 64, tn: 4 }
/** For few places: 43 instead of 55 µs for a quarter of them. */
const narrow = { ...tiles.slim, bn: 32, tn: 4 }

const one = (file: string, k: number, each: number, points: number): PlanSpec => ({
  file,
  defines: { K: `${k}`, ...(each === 1 && { EACH: '1' }) },
  points: [{ ...stencil, points }],
  hooks: ['y'],
})

const windows = (
  file: string,
  name: string,
  widths: Readonly<Partial<Record<'one' | 'each', readonly number[]>>>,
): readonly (readonly [string, PlanSpec])[] =>
  Object.entries(widths).flatMap(([kind, list]) =>
    list.map((k) => [`${name}-${kind}-${k}`, one(file, k, kind === 'each' ? 1 : 0, k === 3 ? 4 : 8)] as const),
  )

export const spec: Spec = {
  planes: Object.fromEntries([
    ...windows('planes.c', 'planes', squares),
    ['planes-one-17-low', one('planes.c', 17, 0, 4)],
  ]),
  lines: Object.fromEntries([
    ...windows('rows.c', 'rows', lines),
    ...windows('columns.c', 'columns', { one: lines.one }),
  ]),
  convolution: Object.fromEntries(
    Object.entries({ slim, narrow, small: tiles.small }).map(([name, tile]) => [
      `gemm-${name}`,
      {
        file: '../matmul/batch.c',
        defines: { TA: '0', TB: '0' },
        points: [tile],
        hooks: ['A', 'B', 'C'],
        keep: name === 'small' ? ['general'] : ['exact', 'general'],
      },
    ]),
  ),
}
