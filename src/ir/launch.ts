// Data types that several stages exchange: what is launched (`Launch`), what the simulator counted (`Counters`), what
// the emitters produced (`Emitted`). No behaviour. docs/contracts.md defines the counters.
import type { Span } from '../base/index.ts'
import type { InstructionClass } from './ops.ts'
import type { Space, Stmt } from './kernel/kernel.ts'

export type Dim3 = readonly [number, number, number]

/** One launch of a kernel. Buffers are written in place. */
export interface Launch {
  readonly grid: Dim3
  /** Value of every launch parameter by name. */
  readonly params: Readonly<Record<string, number | bigint>>
  /** Memory of every global and constant resource by name. */
  readonly buffers: Readonly<Record<string, ArrayBuffer>>
}

export type Pattern = 'coalesced' | 'misaligned' | 'strided' | 'broadcast' | 'scattered'

/**
 * Counts of one memory instruction (site), summed over the launch; scaled up when blocks were sampled. A free site has
 * no requests and threads of its own.
 */
export interface SiteCounters {
  /** Position among the kernel's memory statements in program order, from 0. */
  readonly site: number
  readonly at?: Span
  readonly resource: string
  readonly space: Space
  readonly op: 'load' | 'store' | 'atomic'
  readonly bytesPerLane: number
  requests: number
  threads: number
  bytes: number
  /** Distinct bytes per request, summed: the numerator of `efficiency`. */
  usefulBytes: number
  /**
   * Bytes that cross to the next level by the GPU's transactions: the denominator of `efficiency`; 0 in shared memory.
   */
  movedBytes: number
  sectors: number
  idealSectors: number
  lines: number
  wavefronts: number
  idealWavefronts: number
  worstConflict: number
  pattern: Pattern
  /** Elements (of bytesPerLane) between neighbouring lanes, when `pattern` is `strided`. */
  stride?: number
}

export interface BranchCounters {
  readonly at?: Span
  /** Warp-level executions of the branch, and those where active lanes disagreed. */
  executed: number
  divergent: number
}

export type HazardKind =
  | 'race'
  | 'out-of-bounds'
  | 'uninitialized'
  | 'barrier-divergence'
  | 'misaligned'
  | 'division-by-zero'
  | 'shift-too-far'

/** Bytes of a resource, from the first one to before the last. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The first event of a hazard, in words and as data. */
export interface HazardExample {
  readonly text: string
  readonly resource?: string
  /** What the access touches of the resource, as its index says; none of a texture. */
  readonly bytes?: ByteRange
  /** Of a race: the smallest group that has both threads. */
  readonly within?: 'warp' | 'block' | 'grid'
  /** Of a barrier: threads that are missing have returned. */
  readonly returned?: true
}

export interface Hazard extends Omit<HazardExample, 'text'> {
  readonly kind: HazardKind
  readonly at?: Span
  /** The other statement of a race. */
  readonly other?: Span
  /** What the statement, and the other one, do to memory; nothing of barriers. */
  readonly ops: readonly SiteCounters['op'][]
  readonly message: string
  readonly example: string
  count: number
  /** Of accesses out of bounds: the farthest byte behind the buffer that one reached for. */
  farthest?: number
  /**
   * Of a race that the languages may allow: both statements write one value that the source fixes, so that every order
   * leaves the same; or both are atomic and one reads or sets what the other updates, before or after it. Of a read of
   * memory that nothing has written: it begins as 0. Of a read out of bounds: nothing follows from its value. Of a
   * division by 0: the language says what it gives.
   */
  readonly harmless?: 'same value' | 'unordered atomics' | 'zeroed' | 'discarded' | 'defined'
}

/** Statements that the same lanes execute every time, and how often: by warps, and by lanes. Scaled like all counts. */
export interface Executions {
  readonly statements: readonly Stmt[]
  readonly warps: number
  readonly lanes: number
}

/** Blocks were drawn at random: half widths of 95 % confidence intervals. */
export interface Sampling {
  /** By site: of sectors and of wavefronts a request. */
  readonly sites: readonly { readonly sectors: number; readonly wavefronts: number }[]
  /** Of the warp instructions of all blocks together. */
  readonly instructions: number
}

/** What running (some blocks of) a launch counted. */
export interface Counters {
  readonly grid: Dim3
  readonly block: Dim3
  /** `exact`: the counts are those of all blocks, run or shown to count as one that ran. */
  readonly coverage: { readonly blocks: number; readonly simulated: number; readonly exact: boolean }
  /** How far counts that are not exact may be off; null where nothing is known of that, or they are exact. */
  readonly sampling: Sampling | null
  /**
   * Warp instructions of each block that ran, unscaled. `blocks` says which; `null`: all, x fastest (and none listed
   * when there are more than 2²⁰).
   */
  readonly work: { readonly blocks: readonly Dim3[] | null; readonly instructions: Float64Array }
  readonly instructions: {
    warp: number
    thread: number
    readonly warpByClass: Record<InstructionClass, number>
    readonly byClass: Record<InstructionClass, number>
  }
  /**
   * The same by statement: every statement of the kernel is in exactly one entry; a loop runs once for each of its
   * iterations.
   */
  readonly executions: readonly Executions[]
  readonly sites: readonly SiteCounters[]
  readonly branches: readonly BranchCounters[]
  readonly hazards: readonly Hazard[]
  /** Block-wide barriers executed, per block on average. */
  readonly barriersPerBlock: number
  /** Barriers of the grid that a block passes, on average. */
  readonly gridBarriers: number
}

/** Text made from a kernel for one target. `entry` is the function's name in the text. */
export interface Emitted {
  readonly target: 'wgsl' | 'cuda' | 'typescript'
  readonly entry: string
  readonly text: string
}
