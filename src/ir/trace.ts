// A value that crosses seams: which sectors the warps of some blocks asked of global memory, in order. The simulator
// records it, the model's caches read it. Warps are apart and cut at block barriers, because only between two barriers
// is the order of their requests open.

/**
 * The requests of one warp in one interval, flat: for each the site's index, how many sectors, and their numbers
 * (byte address ÷ sector size, buffers one after the other). Distinct sectors, ascending within a request.
 */
export type WarpTrace = readonly number[]

export interface BlockTrace {
  readonly block: readonly [number, number, number]
  /** By interval, then by warp. */
  readonly intervals: readonly (readonly WarpTrace[])[]
}

export interface Trace {
  readonly blocks: readonly BlockTrace[]
  /** False when recording stopped at its limit: the last block is not whole. */
  readonly whole: boolean
  /** By site: how much longer DRAM takes because its channels share the site's traffic unevenly; absent: evenly. */
  readonly unevenness?: ReadonlyMap<number, number>
}

/** One request as its lanes made it: bytes into the resource by lane, −1 where a lane is not active. */
export interface LaneRequest {
  readonly block: readonly [number, number, number]
  readonly warp: number
  readonly active: number
  readonly addresses: readonly number[]
}
