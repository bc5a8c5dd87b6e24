// Arm Mali-G78 and Qualcomm Adreno 740. Mali keeps workgroup memory in its cache, so that it has no banks; of Adreno
// hardly anything is documented, and what is not stands as unknown.
import { inferred, noLatencies, recalled, unknownRate, unknownSize } from './parts.ts'
import type { GpuProfile } from '../profile.ts'

export const mali: GpuProfile = {
  name: 'mali-g78',
  title: 'Mali-G78 MP14 (Valhall)',
  vendor: 'arm',
  warpSize: 16,
  globalRule: 'units',
  sectorBytes: 64,
  lineBytes: 64,
  bankRule: 'none',
  banks: 32,
  bankBytes: 4,
  sources: {
    architecture:
      "Arm's developer guides 100614 and 101574: 64-byte cache lines, local memory in the cache; warps of 16 " +
      'and the 14 cores of one product recalled',
    occupancy:
      "Arm's best practices: a fixed number of registers a core, dealt to 1,024 threads of 32 or 512 of 64 " +
      '(recalled); workgroups a core not documented',
  },
  occupancy: {
    maxWarps: 64,
    maxBlocks: Infinity,
    maxThreadsPerBlock: 512,
    registers: 32 * 1024,
    maxRegistersPerThread: 64,
    registerUnit: 32 * 16,
    registerAllocation: 'warp',
    warpUnit: 1,
    subPartitions: 1,
    shared: Infinity,
    sharedPerBlock: 32 * 1024,
    sharedUnit: 1,
    sharedReserved: 0,
    carveOuts: [],
  },
  multiprocessors: 14,
  schedulersPerSm: 2,
  clockHz: recalled(0.854e9, 'Exynos 2100'),
  throughput: {
    fp32: recalled(64, 'Valhall: two engines of 16 lanes, two pipes'),
    fp64: unknownRate('not offered to WebGPU'),
    int32: inferred(64, 'at the rate of floats'),
    sfu: recalled(8, 'one special-function lane for four threads of an engine'),
    sharedBytes: inferred(64, 'through the load/store cache'),
    l1Bytes: inferred(64, 'a line a clock'),
    l2Bytes: unknownRate(),
  },
  memory: {
    dramBytesPerSecond: recalled(51.2e9, 'LPDDR5 of Exynos 2100, shared with the processor'),
    l2Bytes: unknownSize('differs from product to product'),
    l1Bytes: recalled(16 * 1024, 'load/store cache'),
  },
  ...noLatencies,
}

export const adreno: GpuProfile = {
  name: 'adreno-740',
  title: 'Adreno 740',
  vendor: 'qualcomm',
  warpSize: 64,
  globalRule: 'units',
  sectorBytes: 64,
  lineBytes: 64,
  bankRule: 'unknown',
  banks: 32,
  bankBytes: 4,
  sources: {
    architecture:
      "Qualcomm's OpenCL guide: waves of 64 or 128, on-chip local memory; lines of 64 bytes recalled from " +
      'what OpenCL reports; six shader processors recalled; banks not documented',
    occupancy:
      'waves, registers and workgroups a shader processor are not documented and limit nothing here; 32 KB of ' +
      'local memory a workgroup recalled',
  },
  occupancy: {
    maxWarps: Infinity,
    maxBlocks: Infinity,
    maxThreadsPerBlock: 1024,
    registers: Infinity,
    maxRegistersPerThread: Infinity,
    registerUnit: 1,
    registerAllocation: 'warp',
    warpUnit: 1,
    subPartitions: 1,
    shared: Infinity,
    sharedPerBlock: 32 * 1024,
    sharedUnit: 1,
    sharedReserved: 0,
    carveOuts: [],
  },
  multiprocessors: 6,
  schedulersPerSm: 2,
  clockHz: recalled(0.68e9, 'Snapdragon 8 Gen 2'),
  throughput: {
    fp32: unknownRate(),
    fp64: unknownRate('not offered to WebGPU'),
    int32: unknownRate(),
    sfu: unknownRate(),
    sharedBytes: unknownRate(),
    l1Bytes: unknownRate(),
    l2Bytes: unknownRate(),
  },
  memory: {
    dramBytesPerSecond: recalled(67.2e9, 'LPDDR5X of Snapdragon 8 Gen 2, shared with the processor'),
    l2Bytes: unknownSize(),
    l1Bytes: unknownSize(),
  },
  ...noLatencies,
}
