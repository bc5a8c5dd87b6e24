// H200 SXM, cc 9.0: the GPU that predictions are made for unless told otherwise. L2 is two partitions, and the far one
// costs 403 to 484 clocks; the latency here is the near one's.
import { found, hopperLimits, measured, rates, recalled, sectored } from './parts.ts'
import type { GpuProfile } from '../profile.ts'

export const h200: GpuProfile = {
  name: 'h200', title: 'H200 SXM (GH100)', computeCapability: [9, 0],
  ...sectored,
  occupancy: hopperLimits,
  multiprocessors: 132, schedulersPerSm: 4,
  clockHz: found(1.98e9, 'Accel-Sim SM90 configuration: boost clock'),
  throughput: rates({ fp32: 128, fp64: 64, int32: 64, sfu: 16, l2: found(37, 'te42kyfo/gpu-benches, 132 multiprocessors at 1.98 GHz: 9.6 to 10.2 TB/s') }),
  memory: {
    dramBytesPerSecond: measured(4.17e12, 'device copy on one H200, driver 580, CUDA 13.0'),
    l2Bytes: found(60 * 1024 * 1024, 'as the CUDA runtime reports; two partitions, reads fall beyond 44 MB'),
    l1Bytes: recalled(256 * 1024, 'unified with shared memory'),
  },
  latency: {
    l1: found(34, 'te42kyfo/gpu-benches, H100 PCIe'), shared: recalled(29, 'Luo et al., H100 PCIe'),
    l2: found(266, 'te42kyfo/gpu-benches, H100 PCIe: near partition; the far one 403 to 484'), dram: found(650, 'te42kyfo/gpu-benches, H100 PCIe: 644 to 657'),
    alu: found(4, 'dependent FMA 4.01 clocks, H200 probe'), sfu: found(23, 'Accel-Sim SM90 configuration'),
  },
  launchNs: found(2500, 'te42kyfo/gpu-benches, GH200: back-to-back stream launches'),
}
