// GeForce 8800 GTX, cc 1.0: the first CUDA GPU. No cache for global memory, no double precision (`fp64` 0).
// Latencies are those measured on its successor.
import { nvcc2, rates, recalled, tesla, teslaMemory } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const g80: GpuProfile = {
  name: 'g80',
  title: 'GeForce 8800 GTX (G80)',
  computeCapability: [1, 0],
  ...teslaMemory,
  globalRule: 'segments-strict',
  occupancy: tesla(0),
  compiler: nvcc2,
  multiprocessors: 16,
  schedulersPerSm: 0.25,
  clockHz: recalled(1.35e9, 'data sheet'),
  throughput: rates({ fp32: 8, fp64: 0, int32: 8, sfu: 2, shared: 32, l1: 0, l2: recalled(0, 'no L2') }),
  memory: {
    dramBytesPerSecond: recalled(86.4e9, 'data sheet'),
    l2Bytes: recalled(0, 'no L2 for global memory'),
    l1Bytes: recalled(0, 'no L1'),
  },
  dramChannels: {
    count: 6,
    bytes: recalled(
      256,
      'Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009: six partitions of 256 bytes',
    ),
  },
  latency: {
    l1: recalled(440, 'Wong et al., ISPASS 2010, GT200: no L1, a global access'),
    shared: recalled(38, 'Wong et al., ISPASS 2010, GT200'),
    l2: recalled(440, 'Wong et al., ISPASS 2010, GT200: no L2'),
    dram: recalled(440, 'Wong et al., ISPASS 2010, GT200'),
    alu: recalled(24, 'Wong et al., ISPASS 2010, GT200'),
    sfu: recalled(28, 'Wong et al., ISPASS 2010, GT200'),
  },
  launchNs: recalled(10000, '2007-era driver, order of magnitude'),
}
