// A100 80 GB, cc 8.0.
import { ampere80Limits, found, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'

export const ampere: GpuProfile = {
  name: 'ampere',
  title: 'A100 80 GB (GA100)',
  computeCapability: [8, 0],
  ...sectored,
  occupancy: ampere80Limits,
  multiprocessors: 108,
  schedulersPerSm: 4,
  clockHz: found(1.41e9, 'te42kyfo/gpu-benches'),
  throughput: rates({
    fp32: 64,
    fp64: 32,
    int32: 64,
    sfu: 16,
    l2: found(35, 'te42kyfo/gpu-benches: 5.4 TB/s over 108 multiprocessors'),
  }),
  memory: {
    dramBytesPerSecond: found(1759e9, 'te42kyfo/gpu-benches: triad; 1732 scale, 1769 read'),
    l2Bytes: recalled(40 * 1024 * 1024, 'two halves; reads fall beyond 28 MB'),
    l1Bytes: recalled(192 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: found(36, 'te42kyfo/gpu-benches'),
    shared: recalled(29, 'Luo et al.'),
    l2: found(211, 'te42kyfo/gpu-benches'),
    dram: found(570, 'te42kyfo/gpu-benches: 568 to 571'),
    alu: recalled(4, 'Luo et al.'),
    sfu: recalled(23, 'as on Hopper'),
  },
  launchNs: recalled(2500, 'order of magnitude'),
}
