// In: how many numbers a watch needs to trace accesses. Out: an array for them, with the highest interval that stands
// in it. The one idea: a proof watches hundreds of launches, and engines take long to make large arrays and to find out
// that nobody has them any more. What is used again is not cleared: a watch begins above the intervals of those before.

/** Intervals and what goes with them, as `watch.ts` lays them out. */
export type Traces = Int32Array

/**
 * Numbers in all arrays that wait together, and in one from which on it is worth it; intervals from which on an array
 * is given up.
 */
const mostSpare = 2 ** 25,
  leastKept = 2 ** 12,
  lastInterval = 2 ** 29
const spare: { readonly traces: Traces; readonly until: number }[] = []

/**
 * At least `count` numbers, all 0 or written in intervals up to `until`. Of those that wait the smallest, if it is not
 * much too large.
 */
export function takeTraces(count: number): { readonly traces: Traces; readonly until: number } {
  let best = -1
  // in range
  for (const [
    i,
    {
      traces: { length },
    },
  ] of spare.entries())
    if (length >= count && length <= 4 * count && (best < 0 || length < spare[best]!.traces.length)) best = i
  return spare.splice(best, best < 0 ? 0 : 1)[0] ?? { traces: new Int32Array(count), until: 0 }
}

/** Takes back what nobody uses any more, written in intervals up to `until`; those that wait longest make room. */
export function giveTraces(traces: Traces, until: number): void {
  if (traces.length < leastKept || traces.length > mostSpare || until > lastInterval) return
  spare.push({ traces, until })
  // there is more than one
  for (let all = spare.reduce((n, s) => n + s.traces.length, 0); all > mostSpare; ) all -= spare.shift()!.traces.length
}
