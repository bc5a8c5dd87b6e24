// GeForce RTX 5090, cc 12.0. Integer products run at half the rate of sums. Allocation units are taken from Ada.
import { inferred, rates, recalled, sectored, smallAmpereLimits } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const gb202: GpuProfile = {
  name: 'gb202',
  title: 'GeForce RTX 5090 (GB202)',
  computeCapability: [12, 0],
  ...sectored,
  occupancy: smallAmpereLimits(24),
  multiprocessors: 170,
  schedulersPerSm: 4,
  clockHz: recalled(2.407e9, 'data sheet'),
  throughput: rates({ fp32: 128, fp64: 2, int32: 128, sfu: 16, l2: inferred(20, 'between Ada and Hopper') }),
  memory: {
    dramBytesPerSecond: recalled(1.792e12, 'data sheet: peak'),
    l2Bytes: recalled(96 * 1024 * 1024, 'data sheet'),
    l1Bytes: recalled(128 * 1024, 'unified with shared memory'),
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
