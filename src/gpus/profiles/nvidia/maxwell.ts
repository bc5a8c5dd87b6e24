// GeForce GTX 980, cc 5.2: banks of 4 bytes again; 32-bit integer products are made of several instructions.
import { inferred, maxwellLimits, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const maxwell: GpuProfile = {
  name: 'maxwell',
  title: 'GeForce GTX 980 (GM204)',
  computeCapability: [5, 2],
  ...sectored,
  occupancy: maxwellLimits(96),
  multiprocessors: 16,
  schedulersPerSm: 4,
  clockHz: recalled(1.216e9, 'data sheet'),
  throughput: rates({ fp32: 128, fp64: 4, int32: 64, sfu: 32, l2: inferred(32, 'between GT200 and Volta') }),
  memory: {
    dramBytesPerSecond: recalled(224e9, 'data sheet'),
    l2Bytes: recalled(2048 * 1024, 'data sheet'),
    l1Bytes: recalled(24 * 1024, 'unified L1 and texture cache'),
  },
  latency: {
    l1: recalled(82, 'microbenchmarks of GM204'),
    shared: recalled(23, 'microbenchmarks of GM204'),
    l2: recalled(207, 'microbenchmarks of GM204'),
    dram: recalled(368, 'microbenchmarks of GM204'),
    alu: recalled(6, 'microbenchmarks of GM204'),
    sfu: recalled(13, 'microbenchmarks of GM204'),
  },
  launchNs: recalled(4000, 'order of magnitude'),
}
