// Tesla P100, cc 6.0: two partitions of 32 lanes; a block must also fit a split into four.
import { inferred, pascal60Limits, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const pascal: GpuProfile = {
  name: 'pascal',
  title: 'Tesla P100 (GP100)',
  computeCapability: [6, 0],
  ...sectored,
  occupancy: pascal60Limits,
  multiprocessors: 56,
  schedulersPerSm: 2,
  clockHz: recalled(1.48e9, 'data sheet'),
  throughput: rates({ fp32: 64, fp64: 32, int32: 64, sfu: 16, l2: inferred(32, 'between Maxwell and Volta') }),
  memory: {
    dramBytesPerSecond: recalled(732e9, 'data sheet'),
    l2Bytes: recalled(4096 * 1024, 'data sheet'),
    l1Bytes: recalled(24 * 1024, 'unified L1 and texture cache'),
  },
  latency: {
    l1: recalled(82, 'microbenchmarks of P100'),
    shared: recalled(24, 'microbenchmarks of P100'),
    l2: recalled(234, 'microbenchmarks of P100'),
    dram: recalled(400, 'microbenchmarks of P100'),
    alu: recalled(6, 'microbenchmarks of P100'),
    sfu: recalled(14, 'microbenchmarks of P100'),
  },
  launchNs: recalled(3500, 'order of magnitude'),
}
