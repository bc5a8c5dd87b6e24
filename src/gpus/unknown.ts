// In: a profile. Out: what of it nobody has documented, in words, and the profile as the simulator counts. The one
// idea: an unknown number is neutral in every formula, so whoever shows a result says which parts are missing from it.
import type { GpuProfile, Sourced } from './profile.ts'

export const isUnknown = (s: Sourced): boolean => s.basis === 'unknown'

/**
 * Parts of a prediction that are absent because their numbers are unknown. The names are those of the model's terms.
 */
export function unknowns(p: GpuProfile): readonly string[] {
  const t = p.throughput
  const rates: readonly (readonly [string, Sourced])[] = [
    ['fp32', t.fp32],
    ['fp64', t.fp64],
    ['int', t.int32],
    ['sfu', t.sfu],
    ['shared', t.sharedBytes],
    ['l1', t.l1Bytes],
    ['l2', t.l2Bytes],
    ['dram', p.memory.dramBytesPerSecond],
    ['latency', p.latency.dram],
    ['launch', p.launchNs],
    ...(p.overheads
      ? ([
          ['blocks', p.overheads.blockNs],
          ['atomics', p.overheads.atomicSectorNs],
        ] as const)
      : []),
  ]
  return [
    ...rates.filter(([, s]) => isUnknown(s)).map(([name]) => name),
    ...(p.bankRule === 'unknown' ? ['bank conflicts'] : []),
    ...(Number.isFinite(p.occupancy.maxWarps)
      ? Number.isFinite(p.occupancy.registers) || p.vendor === 'intel'
        ? []
        : ['occupancy by registers']
      : ['occupancy']),
  ]
}

/** The profile in warps of at most 32 lanes, in which wider ones are counted: twice as many, each half as large. */
export function asCounted(p: GpuProfile): GpuProfile {
  if (p.warpSize <= 32) return p
  const parts = p.warpSize / 32
  const { occupancy: o } = p
  return {
    ...p,
    warpSize: 32,
    schedulersPerSm: p.schedulersPerSm * parts,
    occupancy: {
      ...o,
      maxWarps: o.maxWarps * parts,
      registerUnit: o.registerUnit / parts,
      warpUnit: o.warpUnit * parts,
    },
  }
}
