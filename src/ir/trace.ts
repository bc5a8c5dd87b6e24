// A memory trace as data: the sectors of global memory that the warps of some blocks request, in order. The simulator
// records it, and the model's caches replay it. The requests of each warp are kept apart and divided at barriers, since
// only between two barriers is the order of different warps' requests undetermined.

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
  /** How much longer DRAM takes for all of it than its pins would, 1 or more; absent: as `unevenness` says. */
  readonly dramStretch?: number
}

/** One request as its lanes made it: bytes into the resource by lane, −1 where a lane is not active. */
export interface LaneRequest {
  readonly block: readonly [number, number, number]
  readonly warp: number
  readonly active: number
  readonly addresses: readonly number[]
}

/** The requests of a warp in order: the site, and from where to where its sectors are in `warp`. */
export function eachRequest(warp: WarpTrace, f: (site: number, from: number, to: number) => void): void {
  for (let at = 0; at < warp.length; ) {
    const from = at + 2,
      to = from + warp[at + 1]!
    f(warp[at]!, from, to)
    at = to
  }
}
