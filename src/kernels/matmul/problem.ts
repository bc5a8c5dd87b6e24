// A product to be recorded, and who may record it instead of `multiply`.
import type { Core } from '../device/core.ts'
import type { Fused } from '../fusion/hooks.ts'
import type { Cost } from '../device/prepared-launches.ts'
import type { Shape, Tensor } from '../tensor.ts'

/** [m, k] · [k, n] for each of a batch, to `out`. */
export interface Problem {
  readonly core: Core
  readonly a: Tensor
  readonly b: Tensor
  readonly ta: boolean
  readonly tb: boolean
  readonly batch: number
  readonly m: number
  readonly n: number
  readonly k: number
  readonly shape: Shape
  readonly out: Tensor
  /** What is fused into the store to an array. */
  readonly end: (array: string) => Fused | null
  /** What it costs at least, when it stands for something else. */
  readonly cost?: Cost
}

/** What a device with matrix units does on them (`matrices/`). */
export interface Units {
  /** Records the product, or says that it is for others. */
  multiply(p: Problem): boolean
  /** What updates of factors of V [m, n] need; `null` where that is for others. */
  updates(v: Tensor, rank: number): Updates | null
}

/** Half of NMF's updates, for one V [m, n]. */
export interface Updates {
  /**
   * Of a factor F [r, p] and V, whose rows or (`tb`) columns are p: F V [slices, r, n] or F Vᵀ [slices, r, m], to be
   * summed up, and F Fᵀ [1, r, r].
   */
  with(f: Tensor, tb: boolean): { readonly above: Tensor; readonly square: Tensor }
  dispose(): void
}

/** Of devices that have them. */
export const units = new WeakMap<Core, Units>()
