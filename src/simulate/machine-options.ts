// What a machine is told when it is made, and what it gives when blocks have run: the seam between `simulate.ts` and
// `machine.ts`.
import type { Checks } from './observe/watch.ts'
import type { Observer } from './trace.ts'

export interface MachineOptions {
  readonly maxSteps: number
  readonly maxBytes: number
  readonly check: Checks
  /** Whether the launch's buffers are copied in. */
  readonly copies: boolean
  /** Whether counts are collected after each launch: otherwise those of many add up where nobody asks. */
  readonly counted: boolean
  /**
   * Blocks that run together, with frames and arrays of their own: 1 unless those of the kernel meet and all of them
   * run.
   */
  readonly together: number
  /**
   * Steps that a request costs on top when compiled code cannot count it alone, when its shape is new, and when it is
   * observed.
   */
  readonly slow: { readonly resolved: number; readonly measured: number; readonly observed: number }
  /** Buffers that accesses may leave: they are as large as indices reach. None when absent. */
  readonly endless?: ReadonlySet<string>
  /** Whether those are as large as indices in steps of their accesses' width reach (`farSite`). */
  readonly far?: boolean
  /** Sees every request and barrier. */
  readonly recorder?: Observer
}

/** What a run has counted so far, raw, by the compiler's numbers. */
export interface RawCounts {
  /** Warps and active lanes by block of statements, divergent executions by branch. */
  readonly warps: Float64Array
  readonly lanes: Float64Array
  readonly divergent: Float64Array
  barriers: number
  /** Barriers of the grid, once for every block that ran. */
  meetings: number
}
