// Instinct MI300X (CDNA 3): waves of 64, counted as halves of 32 lanes. Each 64-byte piece that a wave touches is one
// transaction. Matrix cores, packed arithmetic beyond its rate, and the Infinity Cache are not told apart.
import { found, inferred, noLatencies, recalled } from './parts.ts'
import type { GpuProfile } from '../profile.ts'

const cards = "AMD's specifications"
const profiler = 'rocprofiler-compute documentation'

export const cdna3: GpuProfile = {
  name: 'cdna3',
  title: 'Instinct MI300X (CDNA 3)',
  vendor: 'amd',
  warpSize: 64,
  globalRule: 'units',
  sectorBytes: 64,
  lineBytes: 128,
  bankRule: 'gfx942',
  banks: 32,
  bankBytes: 4,
  sources: {
    architecture:
      `ROCm GPU specifications: 304 compute units, waves of 64; ${profiler}: LDS of 32 banks; Composable ` +
      `Kernel's notes: one transaction for each 64 bytes; lines of 128 bytes recalled`,
    occupancy:
      `${profiler}: four SIMDs with 8 waves each; LLVM, AMDGPUBaseInfo.cpp: 512 registers a lane in units of 8; ` +
      `ROCm GPU specifications: 64 KB of LDS; workgroups a unit and LDS units of 512 bytes recalled`,
  },
  occupancy: {
    maxWarps: 32,
    maxBlocks: 16,
    maxThreadsPerBlock: 1024,
    registers: 4 * 512 * 64,
    maxRegistersPerThread: 512,
    registerUnit: 8 * 64,
    registerAllocation: 'warp',
    warpUnit: 1,
    subPartitions: 4,
    shared: 64 * 1024,
    sharedPerBlock: 64 * 1024,
    sharedUnit: 512,
    sharedReserved: 0,
    carveOuts: [],
  },
  multiprocessors: 304,
  schedulersPerSm: 1,
  clockHz: recalled(2.1e9, `${cards}: peak engine clock`),
  throughput: {
    fp32: inferred(128, `${cards}: 163.4 TFLOP/s over units and clock`),
    fp64: inferred(64, `${cards}: 81.7 TFLOP/s over units and clock`),
    int32: inferred(64, 'one wave over 16 lanes in four clocks, four SIMDs'),
    sfu: inferred(16, 'a quarter of the rate'),
    sharedBytes: found(128, profiler),
    l1Bytes: recalled(64, 'CDNA 3 white paper'),
    l2Bytes: inferred(54, '16 channels × 128 bytes for the 38 units of a die'),
  },
  memory: {
    dramBytesPerSecond: recalled(5.3e12, `${cards}; 256 MB of Infinity Cache not counted`),
    l2Bytes: found(32 * 1024 * 1024, 'ROCm GPU specifications: 4 MB a die'),
    l1Bytes: found(32 * 1024, 'ROCm GPU specifications'),
  },
  ...noLatencies,
}
