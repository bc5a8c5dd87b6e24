// Tesla C2050, cc 2.0: the first with L1 and L2 for global memory, in whole 128-byte lines.
import { fermiLimits, fermiMemory, inferred, rates, recalled } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'
import { host2008 } from '../surroundings.ts'

export const fermi: GpuProfile = {
  name: 'fermi',
  title: 'Tesla C2050 (GF100)',
  computeCapability: [2, 0],
  ...fermiMemory,
  occupancy: fermiLimits,
  multiprocessors: 14,
  schedulersPerSm: 2,
  clockHz: recalled(1.15e9, 'data sheet'),
  throughput: rates({
    fp32: 32,
    fp64: 16,
    int32: 32,
    sfu: 4,
    shared: 64,
    l1: 64,
    l2: inferred(32, 'between GT200 and Volta'),
  }),
  memory: {
    dramBytesPerSecond: recalled(144e9, 'data sheet'),
    l2Bytes: recalled(768 * 1024, 'data sheet'),
    l1Bytes: recalled(16 * 1024, 'default split 48 shared / 16 L1'),
  },
  host: host2008,
  latency: {
    l1: recalled(45, 'microbenchmarks of GF100'),
    shared: recalled(33, 'microbenchmarks of GF100'),
    l2: recalled(250, 'microbenchmarks of GF100'),
    dram: recalled(450, 'microbenchmarks of GF100'),
    alu: recalled(18, 'microbenchmarks of GF100'),
    sfu: recalled(22, 'microbenchmarks of GF100'),
  },
  launchNs: recalled(6000, '2010-era driver, order of magnitude'),
}
