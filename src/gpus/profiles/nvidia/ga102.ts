// GeForce RTX 3090, cc 8.6: 128 lanes, of which half also do integers.
import { inferred, rates, recalled, sectored, smallAmpereLimits } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const ga102: GpuProfile = {
  name: 'ga102',
  title: 'GeForce RTX 3090 (GA102)',
  computeCapability: [8, 6],
  ...sectored,
  occupancy: smallAmpereLimits(16),
  multiprocessors: 82,
  schedulersPerSm: 4,
  clockHz: recalled(1.695e9, 'data sheet'),
  throughput: rates({ fp32: 128, fp64: 2, int32: 64, sfu: 16, l2: inferred(20, 'between A100 and L40') }),
  memory: {
    dramBytesPerSecond: recalled(936e9, 'data sheet'),
    l2Bytes: recalled(6 * 1024 * 1024, 'data sheet'),
    l1Bytes: recalled(128 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: inferred(36, 'as A100'),
    shared: inferred(29, 'as A100'),
    l2: recalled(240, 'microbenchmarks of GA102'),
    dram: recalled(550, 'microbenchmarks of GA102'),
    alu: recalled(4, 'as A100'),
    sfu: recalled(23, 'as on Hopper'),
  },
  launchNs: recalled(2500, 'order of magnitude'),
}
