// GeForce GTX 280, cc 1.3: the generation that the thesis studies (30 multiprocessors of 8 scalar processors).
// No cache for global memory.
import { inferred, nvcc2, rates, recalled, tesla, teslaMemory } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'
import { gddr3, host2008 } from '../surroundings.ts'

export const gt200: GpuProfile = {
  name: 'gt200',
  title: 'GeForce GTX 280 (GT200)',
  computeCapability: [1, 3],
  ...teslaMemory,
  globalRule: 'segments-shrinking',
  occupancy: tesla(3),
  compiler: nvcc2,
  multiprocessors: 30,
  schedulersPerSm: 0.25,
  clockHz: recalled(1.296e9, 'data sheet'),
  throughput: {
    ...rates({ fp32: 8, fp64: 1, int32: 8, sfu: 2, shared: 32, l1: 0, l2: recalled(0, 'no L2') }),
    pairedProducts: recalled(0.57, 'Wong et al., ISPASS 2010, GT200: 11.2 multiply-adds and multiplications a clock'),
    sharedOperand: recalled(
      0.5,
      'Volkov and Demmel, SC 2008: multiply-adds with an operand in shared memory take 6 clocks and not 4',
    ),
    texels: inferred(
      1.24,
      'data sheet: 48.2 billion texels a second, 80 units at 602 MHz, over 30 multiprocessors at 1.296 GHz',
    ),
    product32: recalled(1.7, 'Wong et al., ISPASS 2010, GT200: made of products of 24 bits'),
  },
  memory: {
    dramBytesPerSecond: recalled(141.7e9, 'data sheet'),
    l2Bytes: recalled(0, 'no L2 for global memory'),
    l1Bytes: recalled(0, 'no L1'),
  },
  dramChannels: {
    count: 8,
    bytes: recalled(
      256,
      'Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009: eight partitions of 256 bytes',
    ),
  },
  readOnlyCaches: {
    constantBytes: recalled(8 * 1024, 'CUDA programming guide 2.3: working set of a multiprocessor'),
    textureBytes: recalled(24 * 1024, 'CUDA programming guide 2.3: 6 to 8 KB a multiprocessor, of three in a TPC'),
    textureSharers: 3,
  },
  dramChips: gddr3,
  host: host2008,
  latency: {
    l1: recalled(440, 'Wong et al., ISPASS 2010, GT200: no L1, a global access'),
    shared: recalled(38, 'Wong et al., ISPASS 2010, GT200'),
    l2: recalled(440, 'Wong et al., ISPASS 2010, GT200: no L2'),
    dram: recalled(440, 'Wong et al., ISPASS 2010, GT200'),
    alu: recalled(24, 'Wong et al., ISPASS 2010, GT200'),
    sfu: recalled(28, 'Wong et al., ISPASS 2010, GT200'),
  },
  launchNs: recalled(7000, '2009-era driver, order of magnitude'),
}
