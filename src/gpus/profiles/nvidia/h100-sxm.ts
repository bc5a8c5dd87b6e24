// H100 SXM with 80 GB, cc 9.0: the H200's chip with less L2 and slower DRAM; what was read on one is in
// bench/data/h100-micro.json.
import { measured } from '../parts.ts'
import type { GpuProfile } from '../../profile.ts'
import { hbm3 } from '../surroundings.ts'
import { h200 } from './h200.ts'

const micro = 'bench/data/h100-micro.json, one H100 SXM, driver 580, CUDA 13.0'

export const h100Sxm: GpuProfile = {
  ...h200,
  name: 'h100-sxm',
  title: 'H100 SXM (GH100)',
  clockHz: measured(1.98e9, `${micro}: clock counter against events, all multiprocessors busy`),
  throughput: { ...h200.throughput, l2Bytes: measured(28.3, `${micro}: 7.4 TB/s read from 8 to 44 MB`) },
  memory: {
    dramBytesPerSecond: measured(3.09e12, `${micro}: 1 GiB read; 2.82 copied, 3.14 written`),
    l2Bytes: measured(50 * 1024 * 1024, `${micro}: as the CUDA runtime reports; reads fall beyond 44 MB`),
    l1Bytes: h200.memory.l1Bytes,
  },
  dramChips: hbm3,
  latency: { ...h200.latency, l2: measured(277, `${micro}: pointer chase of up to 20 MiB; the far partition 524`) },
}
