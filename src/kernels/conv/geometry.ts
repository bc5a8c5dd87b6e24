// A convolution once its shapes are checked: what all ways to compute it need to know.
import type { Core } from '../device/core.ts'
import type { Cost } from '../device/prepared-launches.ts'
import type { Fused } from '../fusion/hooks.ts'
import type { Tensor } from '../tensor.ts'

/** A convolution as all paths see it: extents of image, window and result, and where windows start. */
export interface Convolution {
  readonly core: Core
  readonly x: Tensor
  readonly w: Tensor
  readonly n: number
  readonly c: number
  readonly h: number
  readonly width: number
  /** Output channels. */
  readonly o: number
  readonly r: number
  readonly s: number
  readonly p: number
  readonly q: number
  readonly top: number
  readonly left: number
  readonly stride: readonly [number, number]
  readonly dilation: readonly [number, number]
  readonly groups: number
  /** Channels lie together: [n, rows, columns, channels] and [rows, columns, channels ÷ groups, outputs]. */
  readonly last: boolean
  readonly out: Tensor<'f32' | 'f16'>
  /** What is fused into the store to an array. */
  readonly end: (array: string) => Fused | null
}

/** Bytes of image, windows and result; a multiplication and an addition for each element under a window. */
export const convolutionCost = (v: Convolution): Cost => ({
  bytes: v.x.bytes + v.w.bytes + v.out.bytes,
  flop: 2 * v.out.length * (v.c / v.groups) * v.r * v.s,
})
