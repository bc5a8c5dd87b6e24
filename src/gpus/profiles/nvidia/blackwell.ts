// B200, cc 10.0. Allocation units are taken from Hopper.
import { hopperLimits, inferred, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const blackwell: GpuProfile = {
  name: 'blackwell',
  title: 'B200 (GB100)',
  computeCapability: [10, 0],
  ...sectored,
  occupancy: hopperLimits,
  multiprocessors: 148,
  schedulersPerSm: 4,
  clockHz: recalled(1.965e9, 'data sheet'),
  throughput: rates({ fp32: 128, fp64: 64, int32: 64, sfu: 16, l2: inferred(37, 'as H200') }),
  memory: {
    dramBytesPerSecond: recalled(8.0e12, 'data sheet: peak'),
    l2Bytes: recalled(126 * 1024 * 1024, 'data sheet'),
    l1Bytes: recalled(256 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: inferred(34, 'as H100'),
    shared: inferred(29, 'as H100'),
    l2: recalled(280, 'microbenchmarks of Blackwell'),
    dram: recalled(800, 'microbenchmarks of Blackwell'),
    alu: recalled(4, 'as H100'),
    sfu: inferred(23, 'as H100'),
  },
  launchNs: inferred(2500, 'as H200'),
}
