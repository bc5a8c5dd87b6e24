// What stands around a GPU's chip: memory chips behind its channels, and the host with the bus between them. Data of
// standards and data sheets. They draw the machine (`explain/machine`); chips whose times between rows are known are in
// predicted times too (`simulate/dram-queues.ts`).
import type { DramChips, Host } from '../profile.ts'
import { found, inferred, recalled } from './parts.ts'

/** GeForce GTX 280: eight partitions of 64 bits, each two chips of 32 bits. */
export const gddr3: DramChips = {
  kind: 'GDDR3',
  channels: recalled(8, 'GTX 280: 512 bits in partitions of 64'),
  banks: recalled(8, 'GDDR3 of 512 Mbit and 1 Gbit'),
  rowBytes: recalled(4096, 'GDDR3: rows of 2 KiB in each of two chips'),
  burstBytes: recalled(32, 'GDDR3: bursts of 4 on 64 bits'),
  openNs: recalled(28, 'GDDR3 at 1.1 GHz: tRP and tRCD of about 14 ns each'),
  cycleNs: recalled(40, 'GDDR3 at 1.1 GHz: tRC'),
  betweenNs: found(10, 'Qimonda HYB18H512321AF data sheet, 512 Mbit GDDR3, -12: tRRD of 8 clocks at 800 MHz'),
  writtenNs: recalled(13, 'GDDR3: tWR of 11 clocks at 800 MHz, so also in GPGPU-Sim for the Quadro FX 5800'),
  turnNs: inferred(16, 'Qimonda HYB18H512321AF data sheet: tWTR of 6 clocks and a latency of 11, at 1.1 GHz'),
}

/** H200: six stacks, each 16 channels of 64 bits in two halves that work alone. */
export const hbm3e: DramChips = {
  kind: 'HBM3e',
  channels: inferred(192, 'HBM3: 32 pseudo channels a stack; six stacks'),
  banks: recalled(16, 'HBM3: four groups of four, of each pseudo channel'),
  rowBytes: recalled(1024, 'HBM3: a page of a pseudo channel'),
  burstBytes: inferred(64, 'strided reads on H200 cost the same for 32 and 64 bytes apart (bench/micro)'),
  openNs: recalled(28, 'tRP and tRCD of about 14 ns each'),
  cycleNs: recalled(45, 'HBM3: tRC'),
}

/** H100: five stacks. */
export const hbm3: DramChips = {
  ...hbm3e,
  kind: 'HBM3',
  channels: inferred(160, 'HBM3: 32 pseudo channels a stack; five stacks'),
}

/** What a GeForce GTX 280 was sold with in 2008. */
export const host2008: Host = {
  title: 'Core i7-920 (2008)',
  cores: 4,
  threads: 8,
  flops: recalled(85.1e9, '4 cores × 2.66 GHz × 8 operations of SSE'),
  memoryBytesPerSecond: recalled(25.6e9, 'three channels of DDR3-1066'),
  bus: 'PCI Express 2.0 ×16',
  busBytesPerSecond: recalled(8e9, '16 lanes × 5 GT/s, 8 bits in 10'),
}

/** What H100 and H200 stand in. */
export const host2023: Host = {
  title: 'Xeon Platinum 8480+ (2023)',
  cores: 56,
  threads: 112,
  flops: recalled(7.17e12, '56 cores × 2.0 GHz × 64 operations of AVX-512'),
  memoryBytesPerSecond: recalled(307e9, 'eight channels of DDR5-4800'),
  bus: 'PCI Express 5.0 ×16',
  busBytesPerSecond: recalled(63e9, '16 lanes × 32 GT/s, 128 bits in 130'),
}
