// Radeon RX 6900 XT (RDNA 2) and RX 7900 XTX (RDNA 3), in waves of 32 and with one compute unit as the multiprocessor:
// two SIMDs of 16 waves. Work-group processors of two units, dual issue and the Infinity Cache are not told apart.
import { found, inferred, noLatencies, recalled, unknownRate } from './parts.ts'
import type { GpuProfile, OccupancyLimits } from '../profile.ts'

const llvm = 'LLVM, AMDGPUBaseInfo.cpp'
const benchmarks = 'philipturner/metal-benchmarks'
const cards = "AMD's specifications"

const common = {
  vendor: 'amd',
  warpSize: 32,
  globalRule: 'units',
  sectorBytes: 128,
  lineBytes: 128,
  bankRule: 'grouped',
  banks: 32,
  bankBytes: 4,
  schedulersPerSm: 2,
  sources: {
    architecture: `${benchmarks}: 128-byte lines, LDS of 32 banks × 4 bytes; compute units from ${cards}`,
    occupancy:
      `${llvm}: registers a lane and their unit, 16 waves a SIMD; 64 KB of LDS a workgroup; workgroups a unit ` +
      `and LDS units of 512 bytes recalled`,
  },
  ...noLatencies,
} as const satisfies Partial<GpuProfile>

/** Two SIMDs of `perLane` registers for each of 32 lanes, handed out in units of `unit` a lane. */
const limits = (perLane: number, unit: number): OccupancyLimits => ({
  maxWarps: 32,
  maxBlocks: 16,
  maxThreadsPerBlock: 1024,
  registers: 2 * 32 * perLane,
  maxRegistersPerThread: 256,
  registerUnit: 32 * unit,
  registerAllocation: 'warp',
  warpUnit: 1,
  subPartitions: 2,
  shared: 64 * 1024,
  sharedPerBlock: 64 * 1024,
  sharedUnit: 512,
  sharedReserved: 0,
  carveOuts: [],
})

export const rdna2: GpuProfile = {
  ...common,
  name: 'rdna2',
  title: 'Radeon RX 6900 XT (RDNA 2)',
  occupancy: limits(1024, 16),
  multiprocessors: 80,
  clockHz: recalled(2.25e9, `${cards}: boost clock`),
  throughput: {
    fp32: found(64, benchmarks),
    fp64: found(4, `${benchmarks}: 1/16`),
    int32: inferred(64, 'additions at the rate of floats; multiplications a quarter'),
    sfu: found(16, `${benchmarks}: 1/8 of the operations`),
    sharedBytes: found(128, `${benchmarks}: 32 banks × 4 bytes`),
    l1Bytes: recalled(128, 'RDNA white paper: one line a clock'),
    l2Bytes: inferred(12.8, '16 channels × 64 bytes over 80 units'),
  },
  memory: {
    dramBytesPerSecond: recalled(512e9, `${cards}; 128 MB of Infinity Cache not counted`),
    l2Bytes: found(4 * 1024 * 1024, 'te42kyfo/gpu-benches'),
    l1Bytes: found(16 * 1024, 'te42kyfo/gpu-benches: L0'),
  },
}

export const rdna3: GpuProfile = {
  ...common,
  name: 'rdna3',
  title: 'Radeon RX 7900 XTX (RDNA 3)',
  occupancy: limits(1536, 24),
  multiprocessors: 96,
  clockHz: recalled(2.5e9, `${cards}: boost clock`),
  throughput: {
    fp32: found(128, `${benchmarks}: with dual issue`),
    fp64: found(8, `${benchmarks}: 1/16`),
    int32: inferred(64, 'dual issue is for floats'),
    sfu: unknownRate(),
    sharedBytes: found(128, `${benchmarks}: 32 banks × 4 bytes`),
    l1Bytes: recalled(128, 'RDNA white paper: one line a clock'),
    l2Bytes: unknownRate(),
  },
  memory: {
    dramBytesPerSecond: recalled(960e9, `${cards}; 96 MB of Infinity Cache not counted`),
    l2Bytes: recalled(6 * 1024 * 1024, cards),
    l1Bytes: found(32 * 1024, `${benchmarks}: L0`),
  },
}
