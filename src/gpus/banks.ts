// In: a GPU profile and one shared access of a warp. Out: in how many passes the banks deliver it. The one idea: split
// the warp into the groups that the generation serves together; a group takes as many passes as the busiest bank has
// distinct words. L1 serves global loads by the same rule, so `countWords` is shared with it.
import { unreachable } from '../base/index.ts'
import { distinctUnits, laneMask, popcount, sortLanes } from './lanes.ts'
import type { GpuProfile, SharedCount, WarpAccess } from './profile.ts'

/**
 * Counts one shared access. `conflictDegree` 1 is free of conflicts; `idealWavefronts` is the same access with every
 * degree 1. Lanes of an atomic that meet in a bank are served one after the other, same word or not.
 */
export function countShared(profile: GpuProfile, access: WarpAccess): SharedCount {
  const usefulBytes = distinctUnits(sortLanes(access, 0, 32), access.bytesPerLane, 1)
  const { passes, groups, degree } = byRule(profile, access)
  return { wavefronts: passes, idealWavefronts: groups, conflictDegree: degree, usefulBytes }
}

/** Passes in all, groups with an active lane (= passes without conflicts), and the largest degree of a group. */
interface Passes {
  readonly passes: number
  readonly groups: number
  readonly degree: number
}

function byRule(profile: GpuProfile, access: WarpAccess): Passes {
  switch (profile.bankRule) {
    case 'half-warp':
      return halfWarps(access)
    case 'fermi':
      return fermi(access)
    case 'kepler':
      return countWords(access, access.bytesPerLane <= 8 ? 32 : 16, 64)
    case 'modern':
      return modern(access)
    case 'grouped':
      return grouped(access, profile.banks)
    case 'gfx942':
      return access.bytesPerLane > 8 && access.op === 'load'
        ? bySets(access, gfx942Sets)
        : grouped(access, profile.banks)
    case 'none':
    case 'unknown':
      return unbanked(access)
    default:
      return unreachable(profile.bankRule)
  }
}

/** Banks of shared memory of NVIDIA GPUs since Fermi, each a word wide. */
const wordBanks = 32
/**
 * Distinct rows seen in bank b of the current group: `rows[b * 32 … + filled[b]]`. A lane adds at most one row per
 * bank.
 */
const rows = new Float64Array(wordBanks * 32)
const filled = new Int32Array(wordBanks)

/**
 * Passes over `banks` banks of 4 bytes, lanes taken `lanes` at a time. A row of a bank is `rowWords` words of memory:
 * 32 where a bank delivers one word per pass; 64 on cc 3.x, whose 8-byte banks also deliver the word 32 further on.
 */
export function countWords(access: WarpAccess, lanes: number, rowWords = 32, banks = wordBanks): Passes {
  let passes = 0,
    groups = 0,
    degree = 0
  for (let from = 0; from < 32; from += lanes) {
    const set = laneMask(from, from + lanes)
    if ((access.active & set) === 0) continue
    const ways = groupDegree(access, set, rowWords, banks)
    passes += ways
    groups++
    if (ways > degree) degree = ways
  }
  return { passes, groups, degree }
}

/** The same for groups of lanes given as masks. */
function bySets(access: WarpAccess, sets: readonly number[]): Passes {
  const ways = sets
    .filter((set) => (access.active & set) !== 0)
    .map((set) => groupDegree(access, set, wordBanks, wordBanks))
  return { passes: ways.reduce((a, b) => a + b, 0), groups: ways.length, degree: Math.max(0, ...ways) }
}

/**
 * Composable Kernel's notes on gfx942: ds_read_b128 serves {0–3, 20–23}, {4–7, 16–19}, {8–11, 28–31}, {12–15, 24–27},
 * and the same of lanes 32–63.
 */
const gfx942Sets = [0x00f0000f, 0x000f00f0, 0xf0000f00, 0x0f00f000] as const

/** As many lanes at a time as `banks` words of 4 bytes serve. */
const grouped = (access: WarpAccess, banks: number): Passes =>
  countWords(
    access,
    Math.max(1, Math.min(32, Math.floor((banks * 4) / Math.max(4, access.bytesPerLane)))),
    banks,
    banks,
  )

function groupDegree(access: WarpAccess, set: number, rowWords: number, banks: number): number {
  const { addresses, bytesPerLane, op } = access
  const active = access.active & set
  filled.fill(0)
  let worst = 1
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue
    const address = addresses[lane]!
    const last = Math.floor((address + bytesPerLane - 1) / 4)
    for (let word = Math.floor(address / 4); word <= last; word++) {
      const bank = word - Math.floor(word / banks) * banks // % is slow for numbers beyond small integers
      const ways = addRow(bank, Math.floor(word / rowWords), op === 'atomic' && !access.merges)
      if (ways > worst) worst = ways
    }
  }
  return worst
}

/** Notes `row` of `bank` and returns how many rows the bank has by now. `always`: even when it has that row already. */
function addRow(bank: number, row: number, always: boolean): number {
  const start = bank * 32
  const count = filled[bank]!
  if (!always) for (let i = count - 1; i >= 0; i--) if (rows[start + i] === row) return count
  rows[start + Math.min(count, 31)] = row
  filled[bank] = count + 1
  return count + 1
}

/**
 * cc ≥ 5: whole warp up to 4 bytes, half-warps of 8, quarter-warps of 16. A load whose lanes agree pairwise (lane n
 * with n xor 1, or all with n xor 2) is served in groups twice as large (stated for cc 7.x, taken for all).
 */
function modern(access: WarpAccess): Passes {
  const { bytesPerLane } = access
  if (bytesPerLane <= 4) return countWords(access, 32)
  const lanes = bytesPerLane <= 8 ? 16 : 8
  const all = countWords(access, lanes)
  // Few lanes that lie in several groups could be served together.
  const plain = { ...all, groups: Math.min(all.groups, Math.ceil((popcount(access.active) * bytesPerLane) / 128)) }
  if (access.op !== 'load' || !(pairsAgree(access, 1) || pairsAgree(access, 2))) return plain
  const merged = countWords(access, lanes * 2)
  return merged.passes < plain.passes ? merged : plain
}

/** Whether every active lane whose partner `lane ^ bit` is active too has its partner's address. */
function pairsAgree(access: WarpAccess, bit: number): boolean {
  const { addresses, active } = access
  for (let lane = 0; lane < 32; lane++) {
    const both = (active >>> lane) & 1 & ((active >>> (lane ^ bit)) & 1)
    if (both === 1 && addresses[lane] !== addresses[lane ^ bit]) return false
  }
  return true
}

/**
 * cc 2.x: as cc ≥ 5 without the merging. For 16-byte words the guide counts degrees as 1 + the busiest bank of a
 * quarter-warp; passes are still what the banks must deliver, four for a full warp.
 */
function fermi(access: WarpAccess): Passes {
  const { bytesPerLane } = access
  if (bytesPerLane <= 4) return countWords(access, 32)
  if (bytesPerLane <= 8) return countWords(access, 16)
  const quarters = countWords(access, 8)
  return { ...quarters, degree: quarters.degree + (quarters.groups > 0 ? 1 : 0) }
}

/** No banks, or none documented: as many passes as 128 bytes at a time take. */
function unbanked(access: WarpAccess): Passes {
  const { groups } = countWords(access, access.bytesPerLane <= 4 ? 32 : access.bytesPerLane <= 8 ? 16 : 8)
  return { passes: groups, groups, degree: groups > 0 ? 1 : 0 }
}

/**
 * cc 1.x: half-warps over 16 banks; words of 8 and 16 bytes become 2 and 4 requests of 4 bytes, one after the other.
 */
function halfWarps(access: WarpAccess): Passes {
  const parts = Math.ceil(access.bytesPerLane / 4)
  let passes = 0,
    groups = 0,
    degree = 0
  for (let from = 0; from < 32; from += 16) {
    if ((access.active & laneMask(from, from + 16)) === 0) continue
    for (let part = 0; part < parts; part++) {
      const steps = access.op === 'load' ? broadcastSteps(access, from, part) : storeSteps(access, from, part)
      passes += steps
      groups++
      if (steps > degree) degree = steps
    }
  }
  return { passes, groups, degree }
}

const wordOf = (access: WarpAccess, lane: number, part: number): number =>
  Math.floor(access.addresses[lane]! / 4) + part

/**
 * Steps of a read of 16 lanes: each step serves all lanes of one broadcast word and one lane of every other bank. The
 * hardware's choice of word is unspecified; here it is the lowest waiting lane's, and lanes of a bank go in order.
 */
function broadcastSteps(access: WarpAccess, from: number, part: number): number {
  let waiting = (access.active >>> from) & 0xffff
  let steps = 0
  while (waiting !== 0) {
    const word = wordOf(access, from + 31 - Math.clz32(waiting & -waiting), part)
    let busy = 1 << (word % 16)
    for (let k = 0; k < 16; k++) {
      if (((waiting >>> k) & 1) === 0) continue
      const own = wordOf(access, from + k, part)
      const bank = 1 << (own % 16)
      if (own !== word && (busy & bank) !== 0) continue
      busy |= bank
      waiting &= ~(1 << k)
    }
    steps++
  }
  return steps
}

/**
 * Steps of a write of 16 lanes: lanes of one word cost one step (one of them wins), except atomics, which all count.
 */
function storeSteps(access: WarpAccess, from: number, part: number): number {
  filled.fill(0)
  let worst = 1
  for (let lane = from; lane < from + 16; lane++) {
    if (((access.active >>> lane) & 1) === 0) continue
    const word = wordOf(access, lane, part)
    worst = Math.max(worst, addRow(word % 16, word, access.op === 'atomic'))
  }
  return worst
}
