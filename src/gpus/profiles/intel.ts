// Intel UHD Graphics 630 (Gen 9) and Arc A770 (Xe HPG). Subgroups are 8, 16 or 32 wide as the compiler chooses: 16
// here. A hardware thread has a fixed set of registers, so that registers do not limit how many run.
import { found, inferred, noLatencies, recalled, unknownRate, unknownSize } from './parts.ts'
import type { GpuProfile } from '../profile.ts'

const guide = "Intel's optimization guides"
const benchmarks = 'philipturner/metal-benchmarks'
const specification = "Intel's specifications"

const common = {
  vendor: 'intel',
  warpSize: 16,
  globalRule: 'units',
  sectorBytes: 64,
  lineBytes: 64,
  bankRule: 'grouped',
  banks: 16,
  bankBytes: 4,
  ...noLatencies,
} as const satisfies Partial<GpuProfile>

const limits = {
  maxThreadsPerBlock: 1024,
  registers: Infinity,
  registerUnit: 1,
  registerAllocation: 'warp',
  warpUnit: 1,
  subPartitions: 1,
  sharedPerBlock: 64 * 1024,
  sharedUnit: 1024,
  sharedReserved: 0,
  carveOuts: [],
} as const

export const gen9: GpuProfile = {
  ...common,
  name: 'intel-gen9',
  title: 'UHD Graphics 630 (Gen 9, 24 units)',
  multiprocessors: 3,
  schedulersPerSm: 8,
  sources: {
    architecture:
      `${benchmarks}: 64-byte lines, shared local memory of 16 banks × 4 bytes; three sub-slices of eight units ` +
      `from ${specification}; the width of 16 is the compiler's choice`,
    occupancy:
      `${guide}: 16 workgroups and 64 KB of shared local memory a sub-slice; seven threads on each of eight ` +
      `units; registers are fixed (4 KB a thread) and limit nothing; units of shared memory recalled`,
  },
  occupancy: {
    ...limits,
    maxWarps: 56,
    maxBlocks: 16,
    maxThreadsPerBlock: 256,
    maxRegistersPerThread: 64,
    shared: 64 * 1024,
  },
  clockHz: recalled(1.15e9, `${specification}: highest clock`),
  throughput: {
    fp32: recalled(64, 'two pipes of four lanes on each of eight units'),
    fp64: recalled(16, 'a quarter'),
    int32: recalled(32, 'one of the two pipes'),
    sfu: recalled(16, 'a quarter'),
    sharedBytes: found(64, benchmarks),
    l1Bytes: recalled(64, 'the data port of a sub-slice'),
    l2Bytes: recalled(64, 'L3, a line a clock'),
  },
  memory: {
    dramBytesPerSecond: recalled(41.6e9, 'two channels of DDR4-2666, shared with the processor'),
    l2Bytes: recalled(512 * 1024, 'L3, what is not shared local memory'),
    l1Bytes: unknownSize(),
  },
}

export const xeHpg: GpuProfile = {
  ...common,
  name: 'intel-xe',
  title: 'Arc A770 (Xe HPG)',
  multiprocessors: 32,
  schedulersPerSm: 16,
  sources: {
    architecture:
      `${guide}: shared local memory of each Xe-core, 16 banks × 4 bytes; 32 Xe-cores of 16 units from ` +
      `${specification}; lines of 64 bytes as Gen 9 (inferred); the width of 16 is the compiler's choice`,
    occupancy:
      `Intel's occupancy calculator: 16 units a core; eight threads a unit, 128 KB of shared local memory a ` +
      `core and 64 KB a workgroup recalled; workgroups a core not documented; registers are fixed and limit nothing`,
  },
  occupancy: { ...limits, maxWarps: 128, maxBlocks: Infinity, maxRegistersPerThread: 64, shared: 128 * 1024 },
  clockHz: recalled(2.1e9, `${specification}: graphics clock`),
  throughput: {
    fp32: recalled(128, 'eight lanes on each of 16 units'),
    fp64: unknownRate('emulated'),
    int32: inferred(128, 'a pipe beside that for floats'),
    sfu: unknownRate(),
    sharedBytes: recalled(128, 'oneAPI guide'),
    l1Bytes: unknownRate(),
    l2Bytes: unknownRate(),
  },
  memory: {
    dramBytesPerSecond: recalled(560e9, specification),
    l2Bytes: recalled(16 * 1024 * 1024, specification),
    l1Bytes: recalled(192 * 1024, 'unified with shared local memory'),
  },
}
