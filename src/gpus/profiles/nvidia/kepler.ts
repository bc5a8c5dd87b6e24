// Tesla K40, cc 3.5: global loads go to L2 in sectors, shared memory has banks of 8 bytes.
import { inferred, keplerLimits, keplerMemory, rates, recalled } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const kepler: GpuProfile = {
  name: 'kepler',
  title: 'Tesla K40 (GK110B)',
  computeCapability: [3, 5],
  ...keplerMemory,
  occupancy: keplerLimits,
  multiprocessors: 15,
  schedulersPerSm: 4,
  clockHz: recalled(745e6, 'data sheet'),
  throughput: rates({
    fp32: 192,
    fp64: 64,
    int32: 160,
    sfu: 32,
    shared: 256,
    l2: inferred(32, 'between GT200 and Volta'),
  }),
  memory: {
    dramBytesPerSecond: recalled(288e9, 'data sheet'),
    l2Bytes: recalled(1536 * 1024, 'data sheet'),
    l1Bytes: recalled(16 * 1024, 'default split 48 shared / 16 L1'),
  },
  latency: {
    l1: recalled(35, 'microbenchmarks of GK110'),
    shared: recalled(26, 'microbenchmarks of GK110'),
    l2: recalled(220, 'microbenchmarks of GK110'),
    dram: recalled(300, 'microbenchmarks of GK110'),
    alu: recalled(9, 'microbenchmarks of GK110'),
    sfu: recalled(18, 'microbenchmarks of GK110'),
  },
  launchNs: recalled(5000, 'order of magnitude'),
}
