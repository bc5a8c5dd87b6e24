// How the work is dealt out: lanes of a warp, blocks over multiprocessors, the last round.
// In: a setting. Out: findings. The one idea: instructions were counted block by block, so that unequal blocks are
// dealt out to the multiprocessors as the hardware does (the next block to the least loaded) and the longest is
// compared with the mean.
import { areEqual, sink } from '../machine/dealing.ts'
import { allStatements, listsOf, type Dim3, type Kernel, type Stmt } from '../../ir/index.ts'
import { occupancyOf, predict } from '../../model/index.ts'
import { branchesByDivergence, sourcePlace, warpEfficiency } from '../accesses.ts'
import { branchesOnData, dependsOnData, fetchesWork } from '../data-dependence.ts'
import type { Finding } from '../types.ts'
import { launchedBlocks, gain, groupedWhole, round, typed, withWarps, type Setting } from '../what-if.ts'
import { blockSizeFindings } from './block-size.ts'

export function workFindings(s: Setting): Finding[] {
  return [...divergence(s), ...imbalance(s), ...blockSizeFindings(s), ...idle(s), ...sparse(s), ...tail(s)]
}

function divergence(s: Setting): Finding[] {
  const {
    input: { counters, profile },
    words,
  } = s
  const lanes = Math.min(32, profile.warpSize)
  const efficiency = warpEfficiency(counters, profile.warpSize)
  const [worst] = branchesByDivergence(counters)
  if (!worst || efficiency > 0.9 || worst.divergent < 0.05 * worst.executed) return []
  const kernel = gain(s, withWarps(s.input, efficiency))
  const message =
    `on average ${round(efficiency * lanes)} of ${lanes} ${words.threads} of a ${words.warp} are active; the ` +
    `branch that splits most does so in ${Math.round((100 * worst.divergent) / worst.executed)} % of ` +
    `${groupedWhole(worst.executed)} executions`
  return [
    {
      rule: 'ThreadDivergence',
      at: sourcePlace(worst.at),
      ...typed(kernel, 1 / efficiency),
      message,
      fix:
        `let whole ${words.warps} take the same side: condition on a value that is equal for ${lanes} ` +
        `neighbouring ${words.threads}, or renumber them so that the active ones are adjacent`,
    },
  ]
}

/** Blocks beyond this many are not dealt out one by one: the longest against the mean is then bound enough. */
const mostDealt = 1 << 16

/** The load of the busiest of `units`, and what it would be with equal blocks; in instructions. */
export function deal(
  perBlock: ArrayLike<number>,
  blocks: number,
  units: number,
): { readonly longest: number; readonly equal: number } {
  const total = sumOf(perBlock) * (blocks / perBlock.length)
  const equal = Math.ceil(blocks / units) * (total / blocks)
  if (areEqual(perBlock)) return { longest: equal, equal }
  if (blocks > mostDealt) return { longest: Math.max(equal, largest(perBlock)), equal }
  const loads = new Float64Array(Math.min(units, blocks))
  for (let b = 0; b < blocks; b++) {
    loads[0]! += perBlock[Math.floor((b * perBlock.length) / blocks)]!
    sink(loads, (a, b) => a < b)
  }
  return { longest: Math.max(...loads), equal }
}

const sumOf = (list: ArrayLike<number>): number => {
  let n = 0
  for (let i = 0; i < list.length; i++) n += list[i]!
  return n
}
const largest = (list: ArrayLike<number>): number => list[indexOfLargest(list)] ?? 0
function indexOfLargest(list: ArrayLike<number>): number {
  let best = 0
  for (let i = 1; i < list.length; i++) if (list[i]! > list[best]!) best = i
  return best
}

function imbalance(s: Setting): Finding[] {
  const {
    input: { counters, profile },
    words,
    work,
  } = s
  const blocks = launchedBlocks(s)
  if (work.instructions.length < 2 || fetchesWork(s.input.kernel)) return []
  const { longest, equal } = deal(work.instructions, blocks, profile.multiprocessors)
  const ratio = equal === 0 ? 1 : longest / equal
  if (ratio < 1.1) return []
  const launch = profile.launchNs.value
  const kernel = ((s.now - launch) * ratio + launch) / s.now
  const at = indexOfLargest(work.instructions)
  const mean = sumOf(work.instructions) / work.instructions.length
  const which = (work.blocks?.[at] ?? placeIn(counters.grid, at)).join(', ')
  const message =
    `${words.blocks} do unequal work: (${which}) executes ${groupedWhole(largest(work.instructions))} ${words.warp} ` +
    `instructions where the mean is ${groupedWhole(mean)}, and the busiest multiprocessor has ${round(ratio)} ` +
    `times the work of equal ${words.blocks} (not in the predicted time)`
  return [
    {
      rule: 'WorkloadImbalance',
      at: null,
      ...typed(kernel, ratio),
      message,
      fix:
        `cut the work into smaller, equal pieces: more and smaller ${words.blocks}, the long ones first, or let ` +
        `each ${words.thread} fetch its next piece from an atomic counter`,
    },
  ]
}

const placeIn = ([x, y]: Dim3, n: number): Dim3 => [n % x, Math.floor(n / x) % y, Math.floor(n / (x * y))]

/** Fewer blocks than multiprocessors. */
function idle(s: Setting): Finding[] {
  const {
    input: { counters, profile },
    words,
  } = s
  const blocks = launchedBlocks(s)
  if (blocks >= profile.multiprocessors) return []
  const spread = { ...s.input, counters: { ...counters, grid: [profile.multiprocessors, 1, 1] as const } }
  const kernel = Math.max(gain(s, spread), shorterLoops(s, blocks) ?? smallerBlocks(s, blocks))
  if (kernel < 1.02) return []
  return [
    {
      rule: 'LaunchConfiguration',
      at: null,
      ...typed(kernel, kernel),
      message:
        `${blocks} ${blocks === 1 ? words.block : words.blocks} on ${profile.multiprocessors} multiprocessors: ` +
        `${profile.multiprocessors - blocks} stand idle`,
      fix: `${words.dispatch} more, smaller ${words.blocks}: give each ${words.thread} less to do`,
    },
  ]
}

/** What is gained where more blocks each take a part of the loops that read; null where rounds may need each other. */
function shorterLoops(s: Setting, blocks: number): number | null {
  const { kernel, counters, profile, longer = 1 } = s.input,
    sms = profile.multiprocessors
  const isCut = loadsInLoop(kernel.body, globalsOf(kernel)) && !meetsInLoop(kernel.body) && !branchesOnData(kernel)
  if (!isCut) return null
  return gain(s, { ...s.input, longer: (longer * blocks) / sms, counters: { ...counters, grid: [sms, 1, 1] } })
}

/** What is gained where the warps of a block are blocks of their own; 1 where they meet or share memory. */
function smallerBlocks(s: Setting, blocks: number): number {
  const { kernel, counters, profile } = s.input,
    [x, y, z] = counters.block,
    pieces = Math.min(Math.floor((x * y * z) / profile.warpSize), Math.ceil(profile.multiprocessors / blocks))
  const isApart =
    !kernel.resources.some((r) => r.space === 'shared') && !allStatements(kernel.body).some((t) => t.kind === 'barrier')
  if (pieces < 2 || !isApart) return 1
  const block: Dim3 = [Math.ceil((x * y * z) / pieces), 1, 1]
  return gain(s, { ...s.input, counters: { ...counters, grid: [blocks * pieces, 1, 1], block } })
}

const globalsOf = ({ resources }: Pick<Kernel, 'resources'>): ReadonlySet<string> =>
  new Set(resources.filter((r) => r.space === 'global').map((r) => r.name))

/** Whether threads wait for each other in a loop. */
const meetsInLoop = (list: readonly Stmt[]): boolean =>
  allStatements(list).some((s) => s.kind === 'loop' && allStatements([s]).some((t) => t.kind === 'barrier'))

/**
 * More blocks would fit beside each other, and those that run wait for memory in loops: the same work in more and
 * shorter pieces would wait less. Only the model can say by how much, and only for loops that can be cut.
 */
function sparse(s: Setting): Finding[] {
  const { input, words } = s
  const { counters, profile, kernel } = input
  const blocks = launchedBlocks(s)
  const threads = counters.block[0] * counters.block[1] * counters.block[2]
  const room =
    profile.multiprocessors *
    occupancyOf(profile, threads, input.registers, input.shared, input.registerLimit, input.api ?? 'webgpu')
      .activeBlocks
  const factor = Math.floor(room / blocks)
  if (
    factor < 2 ||
    blocks < profile.multiprocessors ||
    dependsOnData(kernel) ||
    predict(input).boundBy !== 'latency' ||
    !loadsInLoop(kernel.body, globalsOf(kernel))
  )
    return []
  const [x, y, z] = counters.grid
  const better = gain(s, {
    ...input,
    longer: (input.longer ?? 1) / factor,
    counters: { ...counters, grid: [x * factor, y, z] },
  })
  if (better < 1.2) return []
  const inFlight = Math.ceil(blocks / profile.multiprocessors) * Math.ceil(threads / profile.warpSize)
  return [
    {
      rule: 'LaunchConfiguration',
      at: null,
      ...typed(better, better),
      message:
        `${groupedWhole(blocks)} ${words.blocks} keep ${inFlight} of ${profile.occupancy.maxWarps} ${words.warps} ` +
        `per multiprocessor in flight, too few to hide what they wait for`,
      fix:
        `${words.dispatch} up to ${groupedWhole(blocks * factor)} ${words.blocks} and let each ${words.thread} take ` +
        `${factor === 2 ? 'half' : `a ${ordinal(factor)}`} of the loop`,
    },
  ]
}

/** `1st`, `2nd`, `3rd`, `4th` …, `11th` to `13th` in every hundred. */
const ordinal = (n: number): string => {
  const isTeen = n % 100 >= 11 && n % 100 <= 13
  const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][n % 10]
  return `${n}${ending ?? 'th'}`
}

/** Whether some loop loads from one of the resources. */
function loadsInLoop(list: readonly Stmt[], from: ReadonlySet<string>, inside = false): boolean {
  return list.some(
    (x) =>
      (inside && x.kind === 'load' && from.has(x.address.resource)) ||
      listsOf(x).some((inner) => loadsInLoop(inner, from, inside || x.kind === 'loop')),
  )
}

/** The last round of blocks fills only some multiprocessors. */
function tail(s: Setting): Finding[] {
  const {
    input: { counters, profile },
    words,
  } = s
  const blocks = launchedBlocks(s),
    sms = profile.multiprocessors
  const rounds = Math.ceil(blocks / sms),
    last = blocks - (rounds - 1) * sms
  if (blocks <= sms || last === sms) return []
  const kernel = gain(s, { ...s.input, counters: { ...counters, grid: [rounds * sms, 1, 1] } })
  if (kernel < 1.05) return []
  return [
    {
      rule: 'WorkloadImbalance',
      at: null,
      ...typed(kernel, kernel),
      message:
        `${groupedWhole(blocks)} ${words.blocks} on ${sms} multiprocessors: the last of ${rounds} rounds keeps only ` +
        `${last} of them busy`,
      fix:
        `choose the size of the pieces so that the ${words.blocks} fill whole rounds ` +
        `(${groupedWhole((rounds - 1) * sms)} or ${groupedWhole(rounds * sms)}), or make them smaller`,
    },
  ]
}
