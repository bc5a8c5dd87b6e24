// GeForce RTX 2080 Ti, cc 7.5: half the warps of its neighbours.
import { inferred, rates, recalled, sectored, turingLimits } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const turing: GpuProfile = {
  name: 'turing',
  title: 'GeForce RTX 2080 Ti (TU102)',
  computeCapability: [7, 5],
  ...sectored,
  occupancy: turingLimits,
  multiprocessors: 68,
  schedulersPerSm: 4,
  clockHz: recalled(1.545e9, 'data sheet'),
  throughput: rates({ fp32: 64, fp64: 2, int32: 64, sfu: 16, l2: inferred(35, 'as measured on A100') }),
  memory: {
    dramBytesPerSecond: recalled(616e9, 'data sheet'),
    l2Bytes: recalled(5632 * 1024, 'data sheet'),
    l1Bytes: recalled(96 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: recalled(32, 'microbenchmarks of Turing'),
    shared: recalled(19, 'microbenchmarks of Turing'),
    l2: recalled(188, 'microbenchmarks of Turing'),
    dram: recalled(434, 'microbenchmarks of Turing'),
    alu: recalled(4, 'microbenchmarks of Turing'),
    sfu: recalled(18, 'microbenchmarks of Turing'),
  },
  launchNs: recalled(3000, 'order of magnitude'),
}
