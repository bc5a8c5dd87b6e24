// The shape of a GPU profile: what rules a GPU follows and its numbers, each with its source. Profiles are data
// (`profiles/NAME.ts`); the rules that data selects are code (`coalescing.ts`, `banks.ts`, `occupancy.ts`).

/**
 * A number and where it comes from: read in a source, recalled, inferred from such, or measured by this project. What
 * nobody documents is `unknown`: its value is the one that adds nothing to a prediction (an infinite rate, a latency of
 * 0).
 */
export interface Sourced {
  readonly value: number
  readonly basis: 'found' | 'measured' | 'recalled' | 'inferred' | 'unknown'
  readonly source: string
}

/** How global accesses of a warp become memory transactions. */
export type GlobalRule =
  /** cc 1.0–1.1: half-warps; all in order in one segment or 16 separate transactions. */
  | 'segments-strict'
  /** cc 1.2–1.3: half-warps; segments that shrink from 128 to 64 to 32 bytes. */
  | 'segments-shrinking'
  /** cc 2.x with L1: whole 128-byte lines. */
  | 'lines'
  /** everything later: 128-byte lines of four 32-byte sectors. */
  | 'sectors'
  /** other vendors: distinct aligned units of `sectorBytes`, each moved whole. */
  | 'units'

/** How shared accesses of a warp become passes. */
export type BankRule =
  | 'half-warp' /** cc 1.x: 16 banks, one broadcast word */
  | 'fermi' /** cc 2.x */
  | 'kepler' /** cc 3.x: 8-byte banks */
  | 'modern' /** cc ≥ 5 */
  | 'grouped' /** as many lanes at a time as the banks have bytes for; no merging */
  | 'gfx942' /** CDNA 3: `grouped`, but 16-byte reads in eight groups of lanes that are not adjacent */
  | 'none' /** no banks: memory of a block lives in a cache (Mali) */
  | 'unknown' /** not documented: conflicts are not counted, and reports say so */

/** What a multiprocessor can hold. Infinity: not documented, or no limit; `GpuProfile.sources.occupancy` says which. */
export interface OccupancyLimits {
  readonly maxWarps: number
  readonly maxBlocks: number
  readonly maxThreadsPerBlock: number
  readonly registers: number
  readonly maxRegistersPerThread: number
  readonly registerUnit: number
  /** Registers per thread for which twice `registerUnit` is allocated (cc 2.x). */
  readonly doubledUnitAt?: readonly number[]
  readonly registerAllocation: 'block' | 'warp'
  /** Warps of a block are rounded up to a multiple of this (cc 1.x: 2). */
  readonly warpUnit: number
  readonly subPartitions: number
  /** A block must also fit when the registers are split this many ways (cc 6.0: 4). */
  readonly mustFitPartitions?: number
  readonly shared: number
  readonly sharedPerBlock: number
  readonly sharedUnit: number
  /** Bytes the system takes of each block's shared memory (1024 from cc 8). */
  readonly sharedReserved: number
  /** Sizes that shared memory can be configured to, ascending; empty when fixed. */
  readonly carveOuts: readonly number[]
}

export interface GpuProfile {
  /** Name on the command line, lower case: `h200`, `gt200`. */
  readonly name: string
  readonly title: string
  readonly vendor: 'nvidia' | 'amd' | 'apple' | 'intel' | 'arm' | 'qualcomm' | 'portable'
  /** `[9, 0]` for cc 9.0; absent elsewhere. */
  readonly computeCapability?: readonly [number, number]
  readonly warpSize: number
  readonly globalRule: GlobalRule
  /** Bytes of one transaction unit in the `sectors` counter: 32 on NVIDIA. */
  readonly sectorBytes: number
  readonly lineBytes: number
  readonly bankRule: BankRule
  readonly banks: number
  readonly bankBytes: number
  readonly occupancy: OccupancyLimits
  /** Where the plain numbers come from: sizes and counts of units, and the rows of `occupancy`. */
  readonly sources: { readonly architecture: string; readonly occupancy: string }
  /** Streaming multiprocessors (compute units, cores). */
  readonly multiprocessors: number
  /**
   * Warp instructions that a multiprocessor begins per clock: a quarter on cc 1.x, whose eight lanes take four clocks
   * for each.
   */
  readonly schedulersPerSm: number
  /** Clock under load, Hz. */
  readonly clockHz: Sourced
  /** Results per clock per multiprocessor. */
  readonly throughput: {
    readonly fp32: Sourced
    readonly fp64: Sourced
    readonly int32: Sourced
    readonly sfu: Sourced
    /** Of multiplications that stand beside other arithmetic, the part that another pipe takes at once (dual issue). */
    readonly pairedProducts?: Sourced
    /**
     * Slots of the issue that an operand straight from shared memory adds to an operation; absent: it is loaded by an
     * instruction of its own.
     */
    readonly sharedOperand?: Sourced
    /** Products of 32-bit integers; absent: half of `int32`. */
    readonly product32?: Sourced
    /** Texels that the texture units of a multiprocessor fetch per clock; absent: not known, as L1 serves loads. */
    readonly texels?: Sourced
    /** Bytes per clock per SM. */
    readonly sharedBytes: Sourced
    readonly l1Bytes: Sourced
    readonly l2Bytes: Sourced
  }
  readonly memory: {
    readonly dramBytesPerSecond: Sourced
    readonly l2Bytes: Sourced
    readonly l1Bytes: Sourced
  }
  /** Channels of DRAM and how many bytes lie on one before the next begins, where that is known and simple. */
  readonly dramChannels?: { readonly count: number; readonly bytes: Sourced }
  /** Caches of constants and textures where those of global memory are not; absent: theirs are those of all reads. */
  readonly readOnlyCaches?: {
    /** Bytes of constants that a multiprocessor keeps. */
    readonly constantBytes: Sourced
    readonly textureBytes: Sourced
    /** Multiprocessors that share the cache of textures (a TPC). */
    readonly textureSharers: number
  }
  /** What stands behind the channels; absent where it is not documented. */
  readonly dramChips?: DramChips
  /** The host that such a card stood in; absent where none is typical. */
  readonly host?: Host
  /** Clocks. */
  readonly latency: {
    readonly l1: Sourced
    readonly shared: Sourced
    readonly l2: Sourced
    readonly dram: Sourced
    readonly alu: Sourced
    readonly sfu: Sourced
  }
  /** Nanoseconds that a launch adds to what its blocks take, back to back. */
  readonly launchNs: Sourced
  /** Bytes of workgroup memory that a multiprocessor has under WebGPU, where its driver gives less than CUDA's. */
  readonly webgpuShared?: Sourced
  /** What the compilers of its time leave undone; absent: nothing that today's do. */
  readonly compiler?: CompilerHabits
  /** What only microbenchmarks tell; `overheadsOf` gives every GPU some. */
  readonly overheads?: Overheads
}

/** The memory chips: banks that each open one row at a time, and pins that are faster than they are. */
export interface DramChips {
  readonly kind: string
  readonly channels: Sourced
  /** Of each channel. */
  readonly banks: Sourced
  /** Bytes of a row of a bank, in all chips of the channel together. */
  readonly rowBytes: Sourced
  /** Bytes that one burst of a channel moves, the least that can be asked for. */
  readonly burstBytes: Sourced
  /** Nanoseconds until a bank that has another row open sends the first burst of a new one (tRP + tRCD). */
  readonly openNs: Sourced
  /** Nanoseconds between two openings of rows of one bank (tRC). */
  readonly cycleNs: Sourced
  /** The same of two banks (tRRD); this and the next are there where channels are simulated in time. */
  readonly betweenNs?: Sourced
  /** Nanoseconds from the last data written to a row until it may be closed (tWR). */
  readonly writtenNs?: Sourced
  /** Nanoseconds from the last data written to the first that are read (tWTR and the latency of reading). */
  readonly turnNs?: Sourced
}

/** A processor of the GPU's time and the bus between the two. */
export interface Host {
  readonly title: string
  readonly cores: number
  readonly threads: number
  /** Single-precision operations a second of all cores, a multiplication and an addition counted as two. */
  readonly flops: Sourced
  readonly memoryBytesPerSecond: Sourced
  readonly bus: string
  /** Bytes a second in each direction. */
  readonly busBytesPerSecond: Sourced
}

/** What compilers for a GPU do with loops. */
export interface CompilerHabits {
  /** Loads of neighbouring words of shared memory in successive rounds become one of 16 bytes. */
  readonly joinsSharedLoads: boolean
  /** Loops whose count is not a constant are unrolled, too. */
  readonly unrollsOpenLoops: boolean
  /** Loads of buffers are put before stores to shared memory that stand before them. */
  readonly liftsLoads: boolean
  /** Addresses have 32 bits: an index is one, and a constant that is added to it is part of the instruction. */
  readonly narrowAddresses: boolean
  /** Loops that choose components of vectors in uniform memory are unrolled as others are. */
  readonly unrollsChoices: boolean
  readonly source: string
}

/** Costs beside those of the instructions themselves. */
export interface Overheads {
  /** Nanoseconds between two launches that a host can make. */
  readonly hostLaunchNs: Sourced
  /** Nanoseconds between the starts of two blocks, anywhere on the GPU. */
  readonly blockNs: Sourced
  /** Clocks that a block barrier takes, without the two clocks that each warp adds. */
  readonly barrierClocks: Sourced
  /** Clocks for each further address of a uniform access. */
  readonly constantClocks: Sourced
  /** Clocks of L2 when the data take more than one of its partitions, as a multiple of its latency. */
  readonly farL2: Sourced
  /** A barrier of the grid, as a multiple of L2's latency. */
  readonly gridBarrier: Sourced
  /** Lines per clock of the GPU that L2 looks up. */
  readonly linesPerClock: Sourced
  /** Sectors per clock of the GPU that stores can fill in part. */
  readonly partialSectorsPerClock: Sourced
  /** Nanoseconds of an atomic in L2 per sector of a request; requests within 512 bytes take turns. */
  readonly atomicSectorNs: Sourced
  /** Nanoseconds for each warp that adds a sum to one address. */
  readonly atomicWarpNs: Sourced
  /** Nanoseconds for each further lane on the same address. */
  readonly atomicSameNs: Sourced
}

/** One warp-level access: byte address of each lane (only lanes in `active` count) and bytes per lane. */
export interface WarpAccess {
  /** Byte addresses by lane; length ≥ the warp size. */
  readonly addresses: ArrayLike<number>
  /** Bit l is set when lane l is active (warps of up to 32; wider warps are counted as halves by the caller). */
  readonly active: number
  /** 1, 2, 4, 8, 12 or 16. */
  readonly bytesPerLane: number
  readonly op: 'load' | 'store' | 'atomic'
  /** Of an atomic: lanes at one place are done at once. */
  readonly merges?: boolean
}

/** Counts of one global access (docs/contracts.md). */
export interface GlobalCount {
  readonly sectors: number
  readonly idealSectors: number
  readonly lines: number
  /** Distinct bytes asked for. */
  readonly usefulBytes: number
  /** max(data, tag) passes of L1, ≥ 1. */
  readonly wavefronts: number
  readonly idealWavefronts: number
  /** Bytes that cross to the next level, by the unit's transactions. */
  readonly transferredBytes: number
}

/** Counts of one shared access. */
export interface SharedCount {
  readonly wavefronts: number
  readonly idealWavefronts: number
  /** Largest number of distinct words that one bank must deliver within one pass group. */
  readonly conflictDegree: number
  readonly usefulBytes: number
}
