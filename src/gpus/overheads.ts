// In: a GPU profile. Out: fixed costs (a launch, a barrier, starting a block), as opposed to costs of instructions. The
// one idea: a GPU on which nobody has measured them takes the H200's, and the report says so. They are not scaled.
import type { GpuProfile, Overheads, Sourced } from './profile.ts'

const here = (value: number, what: string): Sourced => ({
  value,
  basis: 'measured',
  source: `bench/micro on one H200, driver 580, CUDA 13.0: ${what}`,
})

/** Measured on the H200. */
export const h200Overheads: Overheads = {
  hostLaunchNs: here(3900, 'empty kernels and small ones, one stream, launched by a loop of the driver API'),
  blockNs: here(0.604, '2²⁰ empty blocks of 32 to 256 threads'),
  barrierClocks: here(14, 'one block of 32 to 1024 threads: 13.6 + 2 for each warp'),
  constantClocks: here(2.07, 'a WebGPU uniform table read at 2 to 32 distinct places'),
  farL2: here(1.75, 'pointer chase: 280 clocks up to 24 MiB, 465 to 531 from 32 to 56 MiB'),
  gridBarrier: {
    value: 9,
    basis: 'inferred',
    source:
      'writes made visible, an addition, and waiting blocks that look again, each a trip to L2 or more; ' +
      'sweeps of 132 blocks on one H200 that met by hand-written code took about 1.2 µs for it',
  },
  linesPerClock: here(80, 'random reads of 4 MiB: 161 a nanosecond'),
  partialSectorsPerClock: here(36, 'stores of 4 bytes to every 32nd to 8192nd byte: 62 to 70 sectors per nanosecond'),
  atomicSectorNs: here(0.59, 'coalesced float additions over 1 KiB: 27.2 per nanosecond'),
  atomicWarpNs: here(0.73, 'integer additions of whole warps to one address: 1.37 warps per nanosecond'),
  atomicSameNs: here(1.76, 'float additions to one address: 0.569 per nanosecond'),
}

const inferred = (s: Sourced): Sourced => ({
  value: s.value,
  basis: 'inferred',
  source: 'as measured on H200; not measured on this GPU',
})

const assumed = Object.fromEntries(
  Object.entries(h200Overheads).map(([k, v]: [string, Sourced]) => [k, inferred(v)]),
) as unknown as Overheads // the same keys

/** The profile's own overheads, or the H200's marked as inferred. */
export const overheadsOf = (profile: Pick<GpuProfile, 'overheads'>): Overheads => profile.overheads ?? assumed
