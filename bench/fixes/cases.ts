// Kernels as their owners would write them, and the launches that they are mended and timed with. In: nothing. Out: the
// list; texts lie in kernels/. Sizes stand in the texts, so that parameters are pointers only.
import type { Dim3 } from '../../src/ir/index.ts'

export interface MendedCase {
  readonly file: string
  readonly grid: Dim3
  /** Of CUDA. */
  readonly block?: Dim3
  /** Buffers of which the text does not say how long they are, or that hold bytes, one in each word. */
  readonly bytes?: Readonly<Record<string, number>>
  readonly words?: readonly string[]
}

const square = (n: number): Dim3 => [n, n, 1]
const million = 2 ** 20

export const mendedCases: readonly MendedCase[] = [
  { file: 'transpose-image.wgsl', grid: square(256) },
  { file: 'heat-rows.wgsl', grid: [128, 256, 1] },
  { file: 'add-rows.wgsl', grid: [128, 512, 1] },
  { file: 'matmul-columns.wgsl', grid: [32, 128, 1] },
  { file: 'blur-columns.wgsl', grid: square(128) },
  { file: 'transpose-tile.wgsl', grid: square(128) },
  { file: 'row-sums.wgsl', grid: [16384, 1, 1] },
  { file: 'reduce-interleaved.wgsl', grid: [16384, 1, 1] },
  { file: 'scale-tiny-groups.wgsl', grid: [32768, 16, 1] },
  { file: 'gamma-single.wgsl', grid: [8192, 64, 1] },
  { file: 'mandelbrot-4x4.wgsl', grid: square(512) },
  { file: 'blur-3x3-small.wgsl', grid: [512, 1024, 1] },
  { file: 'histogram-storage.wgsl', grid: [16384, 1, 1], words: ['pixels'], bytes: { pixels: 16 * million } },
  { file: 'count-bright.wgsl', grid: [16384, 1, 1] },
  { file: 'sum-atomic.wgsl', grid: [16384, 1, 1], words: ['values'], bytes: { values: 16 * million } },
  { file: 'largest.wgsl', grid: [32768, 1, 1], words: ['values'], bytes: { values: 16 * million } },
  { file: 'transpose-rows.cu', grid: [128, 512, 1], block: [32, 8, 1] },
  { file: 'add-columns.cu', grid: [256, 256, 1], block: [16, 16, 1] },
  { file: 'product-rows.cu', grid: [32, 128, 1], block: [32, 8, 1] },
  { file: 'laplace-rows.cu', grid: [128, 512, 1], block: [32, 8, 1] },
  { file: 'transpose-shared.cu', grid: square(128), block: [32, 8, 1] },
  { file: 'product-tile.cu', grid: square(32), block: [32, 32, 1] },
  { file: 'patch-means.cu', grid: [16384, 1, 1], block: [32, 1, 1] },
  { file: 'gray-rows.cu', grid: [128, 256, 1], block: [16, 16, 1] },
]
