// In: the work of each block, how many multiprocessors there are and how many blocks one holds. Out: which block runs
// where, from when to when. The one idea: list scheduling (Graham 1966), which is what a GPU's block scheduler does: in
// the order of their numbers, each block goes to the first multiprocessor that has room, and where several have room
// to the one that holds the fewest. It knows nothing of what blocks on one multiprocessor do to each other: a block
// takes as long as the instructions that it executes, at the pace at which the whole launch takes the predicted time.
import type { Counters } from '../../ir/index.ts'

/** A block on a multiprocessor, in clocks of the launch. */
export interface Dealt {
  /** Its number in the grid, x fastest. */
  readonly block: number
  readonly multiprocessor: number
  /** Which of the multiprocessor's places for blocks it takes, from 0. */
  readonly slot: number
  readonly start: number
  readonly end: number
}

export interface Dealing {
  readonly blocks: number
  readonly multiprocessors: number
  /** Blocks that a multiprocessor holds at once; at least 1. */
  readonly resident: number
  /** Clocks until the last block is done. */
  readonly clocks: number
  /** Clocks that all places for blocks were taken, of all that there were, 0…1. */
  readonly busy: number
  /** Whether the work of each block is known; else all take the mean. */
  readonly known: boolean
  /** Blocks of the first multiprocessors, by their beginning. */
  readonly dealt: readonly Dealt[]
  /** How many multiprocessors `dealt` is of. */
  readonly drawn: number
}

/** Blocks that are dealt one by one; of larger grids only so many. */
const mostDealt = 2 ** 17
/** What is drawn. */
const mostDrawn = { multiprocessors: 8, blocks: 600 } as const

/** A place for a block, in a heap by when it is free, then by how full its multiprocessor was, then by number. */
interface Place {
  free: number
  readonly slot: number
  readonly multiprocessor: number
}

const isBefore = (a: Place, b: Place): boolean =>
  a.free !== b.free ? a.free < b.free : a.slot !== b.slot ? a.slot < b.slot : a.multiprocessor < b.multiprocessor

/** Restores a binary heap, the first by `isBefore` at its root, after that root has changed. */
export function sink<T>(heap: { [i: number]: T; readonly length: number }, isBefore: (a: T, b: T) => boolean): void {
  const root = heap[0]!
  let at = 0
  for (;;) {
    const left = 2 * at + 1,
      right = left + 1
    let least = left
    if (right < heap.length && isBefore(heap[right]!, heap[left]!)) least = right
    if (least >= heap.length || !isBefore(heap[least]!, root)) break
    heap[at] = heap[least]!
    at = least
  }
  heap[at] = root
}

/** Whether all blocks execute as many instructions. */
export function areEqual(work: ArrayLike<number>): boolean {
  for (let i = 1; i < work.length; i++) if (work[i] !== work[0]) return false
  return true
}

/** Instructions of block `b`: where only some blocks ran, of the one that stands for its part of the grid. */
function workOf({ instructions }: Counters['work'], blocks: number): (b: number) => number {
  if (instructions.length === 0) return () => 1
  return (b) => Math.max(1, instructions[Math.floor((b * instructions.length) / blocks)]!)
}

/**
 * Deals the blocks of a launch to `multiprocessors` with room for `resident` each. `clocks`: what the whole takes, by
 * which instructions become clocks; of grids above 2¹⁷ blocks the first are dealt, at the pace of all.
 */
export function dealBlocks(
  work: Counters['work'],
  blocks: number,
  multiprocessors: number,
  resident: number,
  clocks: number,
): Dealing {
  const of = workOf(work, blocks),
    taken = Math.min(blocks, mostDealt),
    drawn = Math.min(multiprocessors, mostDrawn.multiprocessors)
  const heap: Place[] = []
  const equal = areEqual(work.instructions)
  for (let slot = 0; slot < resident; slot++)
    for (let m = 0; m < multiprocessors; m++) heap.push({ free: 0, slot, multiprocessor: m })
  const dealt: Dealt[] = []
  let end = 0,
    sum = 0
  for (let block = 0; block < taken; block++) {
    // equal blocks go round: the place that was taken first is free first; there is room for one at least
    const place = heap[equal ? block % heap.length : 0]!,
      start = place.free
    place.free = start + of(block)
    sum += of(block)
    end = Math.max(end, place.free)
    if (place.multiprocessor < drawn && dealt.length < mostDrawn.blocks)
      dealt.push({ block, multiprocessor: place.multiprocessor, slot: place.slot, start, end: place.free })
    if (!equal) sink(heap, isBefore)
  }
  const whole = (end * blocks) / taken, // of the first blocks, the pace of all
    pace = clocks / whole
  return {
    blocks,
    multiprocessors,
    resident,
    clocks,
    busy: sum / (end * multiprocessors * resident),
    known: work.instructions.length > 0 && (work.blocks === null || work.blocks.length === blocks),
    dealt: dealt.map((d) => ({ ...d, start: d.start * pace, end: d.end * pace })),
    drawn,
  }
}
