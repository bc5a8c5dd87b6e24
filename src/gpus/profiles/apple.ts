// Apple M1 and M2 (Apple 7 and 8): 32-wide SIMD groups, no double precision, threadgroup memory whose banks nobody has
// determined. Cores share what is left of registers, so that occupancy by registers cannot be computed.
import { found, inferred, none, noLatencies, recalled, unknownRate, unknownSize } from './parts.ts'
import type { GpuProfile } from '../profile.ts'

const benchmarks = 'philipturner/metal-benchmarks'

const common = {
  vendor: 'apple',
  warpSize: 32,
  globalRule: 'units',
  sectorBytes: 128,
  lineBytes: 128,
  bankRule: 'unknown',
  banks: 32,
  bankBytes: 4,
  sources: {
    architecture:
      `${benchmarks}: 32-wide SIMD groups, 128-byte lines, four schedulers; cores from Apple's specifications; ` +
      `banks of threadgroup memory not determined`,
    occupancy:
      `${benchmarks}: 768 to 3,072 threads a core, about 60 KB of threadgroup memory; 32 KB a threadgroup from ` +
      `the Metal feature set tables; the register file is shared in ways that are not documented, so it ` +
      `limits nothing here`,
  },
  occupancy: {
    maxWarps: 96,
    maxBlocks: Infinity,
    maxThreadsPerBlock: 1024,
    registers: Infinity,
    maxRegistersPerThread: 128,
    registerUnit: 1,
    registerAllocation: 'warp',
    warpUnit: 1,
    subPartitions: 1,
    shared: 60 * 1024,
    sharedPerBlock: 32 * 1024,
    sharedUnit: 16,
    sharedReserved: 0,
    carveOuts: [],
  },
  schedulersPerSm: 4,
  throughput: {
    fp32: found(128, benchmarks),
    fp64: none(`${benchmarks}: no double precision`),
    int32: found(128, `${benchmarks}: additions; multiplications take two to four times as long`),
    sfu: unknownRate(),
    sharedBytes: unknownRate(),
    l1Bytes: found(64, `${benchmarks}: L1 to core`),
    l2Bytes: found(32, `${benchmarks}: about 32 bytes a clock and core`),
  },
  ...noLatencies,
} as const satisfies Partial<GpuProfile>

export const appleM1: GpuProfile = {
  ...common,
  name: 'apple-m1',
  title: 'Apple M1 (8 cores)',
  multiprocessors: 8,
  clockHz: found(1.278e9, `${benchmarks}`),
  memory: {
    dramBytesPerSecond: recalled(68.25e9, "Apple's specification, shared with the processor"),
    l2Bytes: unknownSize(),
    l1Bytes: found(8 * 1024, benchmarks),
  },
}

export const appleM2: GpuProfile = {
  ...common,
  name: 'apple-m2',
  title: 'Apple M2 (10 cores)',
  multiprocessors: 10,
  clockHz: recalled(1.398e9, 'as reported for Apple 8'),
  memory: {
    dramBytesPerSecond: recalled(100e9, "Apple's specification, shared with the processor"),
    l2Bytes: unknownSize(),
    l1Bytes: inferred(8 * 1024, 'as Apple 7'),
  },
}
