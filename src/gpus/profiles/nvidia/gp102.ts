// GeForce GTX 1080 Ti, cc 6.1.
import { inferred, maxwellLimits, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const gp102: GpuProfile = {
  name: 'gp102',
  title: 'GeForce GTX 1080 Ti (GP102)',
  computeCapability: [6, 1],
  ...sectored,
  occupancy: maxwellLimits(96),
  multiprocessors: 28,
  schedulersPerSm: 4,
  clockHz: recalled(1.582e9, 'data sheet'),
  throughput: rates({ fp32: 128, fp64: 4, int32: 64, sfu: 32, l2: inferred(32, 'between Maxwell and Volta') }),
  memory: {
    dramBytesPerSecond: recalled(484e9, 'data sheet'),
    l2Bytes: recalled(2816 * 1024, 'data sheet'),
    l1Bytes: recalled(48 * 1024, 'unified L1 and texture cache'),
  },
  latency: {
    l1: recalled(82, 'microbenchmarks of Pascal'),
    shared: recalled(24, 'microbenchmarks of Pascal'),
    l2: recalled(216, 'microbenchmarks of Pascal'),
    dram: recalled(400, 'microbenchmarks of Pascal'),
    alu: recalled(6, 'microbenchmarks of Pascal'),
    sfu: recalled(14, 'microbenchmarks of Pascal'),
  },
  launchNs: recalled(3500, 'order of magnitude'),
}
