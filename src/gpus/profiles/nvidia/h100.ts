// H100 PCIe, cc 9.0.
import { found, hopperLimits, rates, recalled, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'
import { host2023 } from '../surroundings.ts'

export const h100: GpuProfile = {
  name: 'h100',
  title: 'H100 PCIe (GH100)',
  computeCapability: [9, 0],
  ...sectored,
  occupancy: hopperLimits,
  multiprocessors: 114,
  schedulersPerSm: 4,
  clockHz: found(1.755e9, 'te42kyfo/gpu-benches'),
  throughput: rates({
    fp32: 128,
    fp64: 64,
    int32: 64,
    sfu: 16,
    l2: found(35, 'te42kyfo/gpu-benches: 6.9 TB/s over 114 multiprocessors'),
  }),
  memory: {
    dramBytesPerSecond: found(1832e9, 'te42kyfo/gpu-benches: triad; 1704 scale, 1942 read'),
    l2Bytes: recalled(50 * 1024 * 1024, 'two partitions; reads fall beyond 37 MB'),
    l1Bytes: recalled(256 * 1024, 'unified with shared memory'),
  },
  host: host2023,
  latency: {
    l1: found(34, 'te42kyfo/gpu-benches, H100 PCIe'),
    shared: recalled(29, 'Luo et al., H100 PCIe'),
    l2: found(266, 'te42kyfo/gpu-benches, H100 PCIe: near partition; the far one 403 to 484'),
    dram: found(650, 'te42kyfo/gpu-benches, H100 PCIe: 644 to 657'),
    alu: found(4, 'dependent FMA 4.01 clocks, H200 probe'),
    sfu: found(23, 'Accel-Sim SM90 configuration'),
  },
  launchNs: found(2500, 'te42kyfo/gpu-benches, GH200: back-to-back stream launches'),
}
