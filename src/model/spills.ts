// In: a kernel, how many registers a thread may have, how often statements ran. Out: how often warps store and load
// what did not fit. The one idea is Chaitin's: while more values are live somewhere than there are registers, of those
// live there the one that is touched least goes to local memory, so that a few spills cost little and many cost much.
import type { Kernel, Stmt } from '../ir/index.ts'
import { liveAt, liveRanges, type LiveRange } from './registers.ts'

/** Values that stay in registers however few there are: what one instruction needs. */
const fewestValues = 4

/** Warp-level accesses to local memory when a thread has room for `most` values, by how often each statement runs. */
export function spillAccesses(kernel: Kernel, most: number, executed: (s: Stmt) => number): number {
  const room = Math.max(fewestValues, Math.floor(most))
  const ranges = liveRanges(kernel).filter((r) => r.words > 0)
  const pressure = liveAt(ranges)
  const cost = new Map(ranges.map((r) => [r, r.touches.reduce((n, s) => n + executed(s), 0) * r.words]))
  const kept = new Set(ranges)
  let accesses = 0
  for (;;) {
    const at = pressure.reduce((most_, p, i) => (p > pressure[most_]! ? i : most_), 0)
    if (pressure[at]! <= room) return accesses
    const cheapest = [...kept]
      .filter((r) => r.from <= at && at <= r.to && r.to > r.from + 1)
      .reduce<LiveRange | undefined>((a, b) => (a && cost.get(a)! <= cost.get(b)! ? a : b), undefined)
    if (!cheapest) return accesses
    kept.delete(cheapest)
    accesses += cost.get(cheapest)!
    for (let i = cheapest.from; i <= cheapest.to; i++) pressure[i]! -= cheapest.words
  }
}
