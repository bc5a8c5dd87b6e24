// L40, cc 8.9.
import { found, rates, recalled, sectored, smallAmpereLimits } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const ada: GpuProfile = {
  name: 'ada',
  title: 'L40 (AD102)',
  computeCapability: [8, 9],
  ...sectored,
  occupancy: smallAmpereLimits(24),
  multiprocessors: 142,
  schedulersPerSm: 4,
  clockHz: found(2.49e9, 'te42kyfo/gpu-benches'),
  throughput: rates({
    fp32: 128,
    fp64: 2,
    int32: 64,
    sfu: 16,
    l2: found(15, 'te42kyfo/gpu-benches: 5.2 TB/s over 142 multiprocessors'),
  }),
  memory: {
    dramBytesPerSecond: found(768e9, 'te42kyfo/gpu-benches: triad; 770 scale, 844 read'),
    l2Bytes: recalled(96 * 1024 * 1024, 'data sheet'),
    l1Bytes: recalled(128 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: found(36, 'te42kyfo/gpu-benches'),
    shared: recalled(30, 'Luo et al., RTX 4090'),
    l2: found(276, 'te42kyfo/gpu-benches'),
    dram: found(632, 'te42kyfo/gpu-benches'),
    alu: recalled(4, 'as A100'),
    sfu: recalled(23, 'as on Hopper'),
  },
  launchNs: recalled(2500, 'order of magnitude'),
}
