// In: a GPU profile and what a kernel takes. Out: the memories of the machine from the nearest to the farthest: who
// sees them, how long what is in them lives, their size, how long an access takes, how much all multiprocessors move a
// second, and what of it the kernel takes.
import type { GpuProfile, Sourced } from '../../gpus/index.ts'
import { groupedWhole } from '../what-if.ts'
import type { LanguageWords } from '../wording.ts'

export interface MachineMemory {
  readonly name: string
  /** Who sees what is in it. */
  readonly scope: string
  readonly lifetime: string
  /** Bytes on each multiprocessor, or of the whole GPU; null: not documented, or as large as memory allows. */
  readonly bytes: number | null
  readonly of: 'multiprocessor' | 'cluster' | 'GPU'
  /** Clocks until a value that was asked for is there; null: not documented. */
  readonly clocks: number | null
  /** Bytes a second that all multiprocessors move together; null: not documented. */
  readonly bytesPerSecond: number | null
  /** What the kernel takes of it, in words; empty where nothing can be said. */
  readonly taken: string
}

export interface Taken {
  /** Registers of a thread. */
  readonly registers: number
  readonly threads: number
  /** Bytes of a block. */
  readonly shared: number
  /** Blocks that a multiprocessor holds. */
  readonly resident: number
  /** Bytes of all buffers. */
  readonly buffers: number
  /** Bytes of the arrays of a thread. */
  readonly local: number
  /** Bytes of constants and textures. */
  readonly readOnly: number
}

const known = ({ value, basis }: Sourced): number | null =>
  basis === 'unknown' || !Number.isFinite(value) || value <= 0 ? null : value

/** The memories of `profile`, with what a kernel takes of each. */
export function memoriesOf(profile: GpuProfile, taken: Taken, words: LanguageWords): readonly MachineMemory[] {
  const perSecond = (perClock: Sourced): number | null => {
    const each = known(perClock)
    return each === null ? null : each * profile.multiprocessors * profile.clockHz.value
  }
  const { latency, throughput, memory, occupancy } = profile
  const finite = (n: number): number | null => (Number.isFinite(n) ? n : null)
  const rows: (MachineMemory | null)[] = [
    {
      name: 'registers',
      scope: `one ${words.thread}`,
      lifetime: `the ${words.thread}`,
      bytes: Number.isFinite(occupancy.registers) && occupancy.registers > 0 ? 4 * occupancy.registers : null,
      of: 'multiprocessor',
      clocks: known(latency.alu),
      bytesPerSecond: null,
      taken:
        `${taken.registers} of each ${words.thread}, ` +
        `${groupedWhole(4 * taken.registers * taken.threads * taken.resident)} bytes`,
    },
    profile.bankRule === 'none'
      ? null
      : {
          name: words.shared,
          scope: `one ${words.block}`,
          lifetime: `the ${words.block}`,
          bytes: finite(occupancy.shared),
          of: 'multiprocessor',
          clocks: known(latency.shared),
          bytesPerSecond: perSecond(throughput.sharedBytes),
          taken: `${groupedWhole(taken.shared)} bytes of each ${words.block}`,
        },
    profile.readOnlyCaches
      ? {
          name: 'cache of constants',
          scope: 'one multiprocessor',
          lifetime: 'until something else needs its place',
          bytes: profile.readOnlyCaches.constantBytes.value,
          of: 'multiprocessor',
          clocks: known(latency.shared),
          bytesPerSecond: null,
          taken: '',
        }
      : null,
    profile.readOnlyCaches
      ? {
          name: 'cache of textures',
          scope: `a cluster of ${profile.readOnlyCaches.textureSharers} multiprocessors`,
          lifetime: 'until something else needs its place',
          bytes: profile.readOnlyCaches.textureBytes.value,
          of: 'cluster',
          clocks: null,
          bytesPerSecond: null,
          taken: '',
        }
      : null,
    known(memory.l1Bytes) === null
      ? null
      : {
          name: 'first cache (L1)',
          scope: 'one multiprocessor',
          lifetime: 'until something else needs its place',
          bytes: known(memory.l1Bytes),
          of: 'multiprocessor',
          clocks: known(latency.l1),
          bytesPerSecond: perSecond(throughput.l1Bytes),
          taken: '',
        },
    known(memory.l2Bytes) === null
      ? null
      : {
          name: 'second cache (L2)',
          scope: `the whole ${words.dispatch}`,
          lifetime: 'until something else needs its place',
          bytes: known(memory.l2Bytes),
          of: 'GPU',
          clocks: known(latency.l2),
          bytesPerSecond: perSecond(throughput.l2Bytes),
          taken: '',
        },
    {
      name: 'local memory (DRAM)',
      scope: `one ${words.thread}`,
      lifetime: `the ${words.thread}`,
      bytes: null,
      of: 'GPU',
      clocks: known(memory.l1Bytes) === null ? known(latency.dram) : known(latency.l1),
      bytesPerSecond: null,
      taken: taken.local === 0 ? '' : `${groupedWhole(taken.local)} bytes of each ${words.thread}`,
    },
    {
      name: 'constants, textures (DRAM)',
      scope: `all ${words.threads}, to read`,
      lifetime: 'until the host frees it',
      bytes: null,
      of: 'GPU',
      clocks: known(latency.dram),
      bytesPerSecond: null,
      taken: taken.readOnly === 0 ? '' : `${groupedWhole(taken.readOnly)} bytes`,
    },
    {
      name: `${words.global} (DRAM)`,
      scope: `all ${words.threads}, and the host by copies`,
      lifetime: 'until the host frees it',
      bytes: null,
      of: 'GPU',
      clocks: known(latency.dram),
      bytesPerSecond: known(memory.dramBytesPerSecond),
      taken: `${groupedWhole(taken.buffers)} bytes of buffers`,
    },
  ]
  return rows.filter((r) => r !== null)
}
