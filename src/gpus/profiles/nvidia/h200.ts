// H200 SXM, cc 9.0: the GPU that predictions are made for unless told otherwise. L2 is two partitions, and the far one
// costs 465 to 531 clocks (`overheads.ts`); the latency here is the near one's.
import { h200Overheads } from '../../overheads.ts'
import { found, hopperLimits, measured, rates, sectored } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'
import { hbm3e, host2023 } from '../surroundings.ts'

const micro = 'bench/micro on one H200, driver 580, CUDA 13.0'

export const h200: GpuProfile = {
  name: 'h200',
  title: 'H200 SXM (GH100)',
  computeCapability: [9, 0],
  ...sectored,
  occupancy: hopperLimits,
  multiprocessors: 132,
  schedulersPerSm: 4,
  clockHz: measured(1.98e9, `${micro}: clock counter against events, all multiprocessors busy`),
  throughput: {
    ...rates({ fp32: 128, fp64: 64, int32: 64, sfu: 16, l2: measured(32.6, `${micro}: 8.5 TB/s read from 50 MB`) }),
    texels: measured(5.5, 'one H100 SXM through Dawn: convolve-texture.wgsl, radius 8 (bench/data/h100-study.json)'),
    l1Bytes: measured(128, `${micro}: requests take as many clocks as their larger count of data and tag passes`),
  },
  memory: {
    dramBytesPerSecond: measured(4.49e12, `${micro}: 1 GiB read; 3.94 copied, 4.29 written`),
    l2Bytes: found(60 * 1024 * 1024, 'as the CUDA runtime reports; two partitions, reads fall beyond 50 MB'),
    l1Bytes: measured(
      256 * 1024,
      `${micro}: a pointer chase hits to 128 KiB and half of the time at 224 KiB; unified with shared memory`,
    ),
  },
  dramChips: hbm3e,
  host: host2023,
  latency: {
    l1: measured(32, `${micro}: pointer chase in L1`),
    shared: measured(29, `${micro}: pointer chase in shared memory`),
    l2: measured(280, `${micro}: pointer chase of up to 24 MiB`),
    dram: measured(690, `${micro}: pointer chase of 0.5 to 2 GiB`),
    alu: measured(4, `${micro}: dependent FFMA, IMAD, LOP3 4.3 clocks with their loop`),
    sfu: measured(17, `${micro}: MUFU 17 clocks, sine 23`),
  },
  launchNs: measured(1800, 'a WebGPU dispatch of one small block through Dawn, one after the other in one pass'),
  webgpuShared: measured(
    48 * 1024,
    'bench/data/h200-webgpu-shared.json: ⌊48 KiB ÷ their size⌋ workgroups of 3 to 48 KiB run at once, nothing ' +
      'reserved beside; so in the study of occupancy',
  ),
  overheads: h200Overheads,
}
