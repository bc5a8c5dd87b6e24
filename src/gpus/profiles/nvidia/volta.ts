// Tesla V100, cc 7.0.
import { found, inferred, rates, recalled, sectored, voltaLimits } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const volta: GpuProfile = {
  name: 'volta',
  title: 'Tesla V100 (GV100)',
  computeCapability: [7, 0],
  ...sectored,
  occupancy: voltaLimits,
  multiprocessors: 80,
  schedulersPerSm: 4,
  clockHz: found(1.38e9, 'te42kyfo/gpu-benches'),
  throughput: rates({ fp32: 64, fp64: 32, int32: 64, sfu: 16, l2: inferred(35, 'as measured on A100') }),
  memory: {
    dramBytesPerSecond: found(814e9, 'te42kyfo/gpu-benches: triad; 802 scale, 866 read'),
    l2Bytes: recalled(6 * 1024 * 1024, 'data sheet'),
    l1Bytes: recalled(128 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: found(30, 'te42kyfo/gpu-benches'),
    shared: recalled(19, 'Jia et al., Volta'),
    l2: found(215, 'te42kyfo/gpu-benches'),
    dram: found(431, 'te42kyfo/gpu-benches: 425 to 437'),
    alu: recalled(4, 'Jia et al., Volta'),
    sfu: recalled(18, 'Jia et al., Volta'),
  },
  launchNs: recalled(3000, 'order of magnitude'),
}
