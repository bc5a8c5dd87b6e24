// Shorthand for profile files: numbers with their source, and what all GPUs of a generation have in common. Nothing
// here is specific to one card. The occupancy rows are the CUDA programming guide's table of compute
// capabilities (S2) and `cuda_occupancy.h` (S3).
import type { CompilerHabits, GpuProfile, OccupancyLimits, Sourced } from '../profile.ts'

const sourced =
  (basis: Sourced['basis']) =>
  (value: number, source: string): Sourced => ({ value, basis, source })
/** Read in the named source. */
export const found = sourced('found')
/** Measured by this project. */
export const measured = sourced('measured')
/** From memory of the literature or data sheets, not opened again. */
export const recalled = sourced('recalled')
/** Derived from such. */
export const inferred = sourced('inferred')

/** Documented nowhere that was found; `neutral` adds nothing to a prediction. */
const unknown =
  (neutral: number) =>
  (what = 'not documented'): Sourced => ({ value: neutral, basis: 'unknown', source: what })
export const unknownRate = unknown(Infinity)
const unknownLatency = unknown(0)
/** A cache that may be there, but counts as none. */
export const unknownSize = unknown(0)
/** None of it is there: 0, and known to be. */
export const none = (source: string): Sourced => found(0, source)

/** All latencies and overheads unknown. */
export const noLatencies = {
  latency: {
    l1: unknownLatency(),
    shared: unknownLatency(),
    l2: unknownLatency(),
    dram: unknownLatency(),
    alu: unknownLatency(),
    sfu: unknownLatency(),
  },
  launchNs: unknownLatency(),
  overheads: {
    hostLaunchNs: unknownLatency(),
    blockNs: unknownLatency(),
    barrierClocks: unknownLatency(),
    constantClocks: unknownLatency(),
    farL2: unknown(1)(),
    gridBarrier: unknownLatency(),
    linesPerClock: unknownRate(),
    partialSectorsPerClock: unknownRate(),
    atomicSectorNs: unknownLatency(),
    atomicWarpNs: unknownLatency(),
    atomicSameNs: unknownLatency(),
  },
} as const satisfies Partial<GpuProfile>

const nvidiaSources = {
  architecture: 'CUDA programming guide, compute capabilities; counts of multiprocessors from data sheets',
  occupancy:
    'CUDA programming guide, table of compute capabilities, and cuda_occupancy.h; units of cc 1.x and 2.x and ' +
    'all of cc 10 and 12 recalled or inferred',
} as const

/** Bytes. */
const KiB = 1024
const kib = (...sizes: readonly number[]): readonly number[] => sizes.map((size) => size * KiB)

/** cc 1.x: registers per block, warps in pairs. */
export const tesla = (minor: number): OccupancyLimits => ({
  maxWarps: minor < 2 ? 24 : 32,
  maxBlocks: 8,
  maxThreadsPerBlock: 512,
  registers: minor < 2 ? 8192 : 16384,
  maxRegistersPerThread: 124,
  registerUnit: minor < 2 ? 256 : 512,
  registerAllocation: 'block',
  warpUnit: 2,
  subPartitions: 1,
  shared: 16 * KiB,
  sharedPerBlock: 16 * KiB,
  sharedUnit: 512,
  sharedReserved: 0,
  carveOuts: [],
})

export const fermiLimits: OccupancyLimits = {
  maxWarps: 48,
  maxBlocks: 8,
  maxThreadsPerBlock: 1024,
  registers: 32768,
  maxRegistersPerThread: 63,
  registerUnit: 64,
  doubledUnitAt: [21, 22, 29, 30, 37, 38, 45, 46],
  registerAllocation: 'warp',
  warpUnit: 1,
  subPartitions: 2,
  shared: 48 * KiB,
  sharedPerBlock: 48 * KiB,
  sharedUnit: 128,
  sharedReserved: 0,
  carveOuts: kib(16, 48),
}

/** cc 3.5; the later rows vary it. */
export const keplerLimits: OccupancyLimits = {
  maxWarps: 64,
  maxBlocks: 16,
  maxThreadsPerBlock: 1024,
  registers: 65536,
  maxRegistersPerThread: 255,
  registerUnit: 256,
  registerAllocation: 'warp',
  warpUnit: 1,
  subPartitions: 4,
  shared: 48 * KiB,
  sharedPerBlock: 48 * KiB,
  sharedUnit: 256,
  sharedReserved: 0,
  carveOuts: kib(16, 32, 48),
}

/** cc 5.x and 6.x with `shared` KiB per multiprocessor. */
export const maxwellLimits = (shared: number): OccupancyLimits => ({
  ...keplerLimits,
  maxBlocks: 32,
  shared: shared * KiB,
  carveOuts: [],
})

export const pascal60Limits: OccupancyLimits = { ...maxwellLimits(64), subPartitions: 2, mustFitPartitions: 4 }

export const voltaLimits: OccupancyLimits = {
  ...keplerLimits,
  maxBlocks: 32,
  shared: 96 * KiB,
  sharedPerBlock: 96 * KiB,
  carveOuts: kib(0, 8, 16, 32, 64, 96),
}

export const turingLimits: OccupancyLimits = {
  ...keplerLimits,
  maxWarps: 32,
  shared: 64 * KiB,
  sharedPerBlock: 64 * KiB,
  carveOuts: kib(32, 64),
}

/** cc ≥ 8: 1 KiB of a block's shared memory is the system's. */
const ampereOn = { ...keplerLimits, sharedUnit: 128, sharedReserved: KiB }

export const ampere80Limits: OccupancyLimits = {
  ...ampereOn,
  maxBlocks: 32,
  shared: 164 * KiB,
  sharedPerBlock: 163 * KiB,
  carveOuts: kib(0, 8, 16, 32, 64, 100, 132, 164),
}

/** cc 8.6, 8.9 and 12.0: `blocks` is 16, 24 and 24. */
export const smallAmpereLimits = (blocks: number): OccupancyLimits => ({
  ...ampereOn,
  maxWarps: 48,
  maxBlocks: blocks,
  shared: 100 * KiB,
  sharedPerBlock: 99 * KiB,
  carveOuts: kib(0, 8, 16, 32, 64, 100),
})

/** cc 9.0 and 10.0. */
export const hopperLimits: OccupancyLimits = {
  ...ampereOn,
  maxBlocks: 32,
  shared: 228 * KiB,
  sharedPerBlock: 227 * KiB,
  carveOuts: kib(0, 8, 16, 32, 64, 100, 132, 164, 196, 228),
}

/** What every NVIDIA GPU shares from cc 5 on. */
export const sectored = {
  vendor: 'nvidia',
  warpSize: 32,
  globalRule: 'sectors',
  sectorBytes: 32,
  lineBytes: 128,
  bankRule: 'modern',
  banks: 32,
  bankBytes: 4,
  sources: nvidiaSources,
} as const satisfies Partial<GpuProfile>

/** Compilers of cc 1.x, whose shared memory gives 16 threads a word each at a time however they ask. */
export const nvcc2: CompilerHabits = {
  joinsSharedLoads: false,
  unrollsOpenLoops: false,
  liftsLoads: false,
  narrowAddresses: true,
  unrollsChoices: true,
  source:
    'thesis, §3.3: loops are unrolled where their count is fixed; no pass of shared memory is wider than 64 bytes; ' +
    'PTX for cc 1.x: memory is addressed by 32 bits',
}

/** The same for cc 1.x. The unit of `sectors` is a transaction of 32 to 128 bytes. */
export const teslaMemory = {
  vendor: 'nvidia',
  warpSize: 32,
  sectorBytes: 32,
  lineBytes: 128,
  bankRule: 'half-warp',
  banks: 16,
  bankBytes: 4,
  sources: nvidiaSources,
} as const satisfies Partial<GpuProfile>

const guide = 'CUDA programming guide, throughput of native arithmetic instructions'

/** Results per clock per multiprocessor, and 128 bytes of shared memory and L1 unless told otherwise. */
export function rates(r: {
  readonly fp32: number
  readonly fp64: number
  readonly int32: number
  readonly sfu: number
  readonly shared?: number
  readonly l1?: number
  readonly l2: Sourced
}): GpuProfile['throughput'] {
  return {
    fp32: found(r.fp32, guide),
    fp64: found(r.fp64, guide),
    int32: found(r.int32, guide),
    sfu: found(r.sfu, guide),
    sharedBytes: found(r.shared ?? 128, 'CUDA programming guide: banks × bytes per clock'),
    l1Bytes: recalled(r.l1 ?? 128, 'one 128-byte line per clock'),
    l2Bytes: r.l2,
  }
}

/** cc 2.x: whole lines are the transactions. */
export const fermiMemory = {
  ...teslaMemory,
  globalRule: 'lines',
  sectorBytes: 128,
  bankRule: 'fermi',
  banks: 32,
} as const satisfies Partial<GpuProfile>

/** cc 3.x: 8-byte banks, in their default mode of 4-byte interleaving. */
export const keplerMemory = { ...sectored, bankRule: 'kepler', bankBytes: 8 } as const satisfies Partial<GpuProfile>
