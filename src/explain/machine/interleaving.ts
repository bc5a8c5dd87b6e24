// In: the steps of one warp alone, how many warps share a scheduler, clocks that it takes for an instruction. Out: when
// each step of each warp issues, when it waits, and how busy the scheduler is. The one idea: a scheduler begins one
// instruction at a time; whenever a warp waits for a result, it takes another that is ready, the one that has waited
// longest. What a warp waits for takes as long as alone: bandwidth that runs out is in the prediction, not here.
/** A step of one warp alone. */
export interface StepView {
  readonly line: number | null
  readonly what: 'compute' | 'load' | 'store' | 'atomic' | 'barrier' | 'rounds'
  /**
   * The access of the report that a load, store or atomic is; the rounds of a loop that are left out; statements of a
   * computation.
   */
  readonly access: number | null
  readonly count: number
  /** Clocks from the warp's beginning. */
  readonly start: number
  readonly issued: number
  readonly ready: number
}

/** A step of one of the warps, in clocks. */
export interface WarpStep {
  readonly warp: number
  /** Position in the steps of one warp. */
  readonly step: number
  readonly start: number
  /** The scheduler is free again. */
  readonly issued: number
}

export interface Interleaving {
  readonly warps: number
  /** Clocks until every warp has issued its last step. */
  readonly clocks: number
  /** Clocks in which an instruction was being issued, of all, 0…1. */
  readonly busy: number
  readonly steps: readonly WarpStep[]
}

interface Warp {
  at: number
  /** The clock from which its next step can issue. */
  ready: number
}

/** The part of a warp's steps that is not a repetition: until rounds of a loop are left out. */
export function windowOf(steps: readonly StepView[]): readonly StepView[] {
  const rounds = steps.findIndex((s) => s.what === 'rounds')
  return rounds < 0 ? steps : steps.slice(0, rounds)
}

/**
 * Runs `warps` warps of `steps` on one scheduler that takes `perInstruction` clocks for each instruction of a warp
 * (four on a GT200, whose eight lanes take four clocks; one on most others). `group`: so many warps of a block share
 * it, and wait for each other at barriers.
 */
export function interleave(
  steps: readonly StepView[],
  warps: number,
  group: number,
  perInstruction: number,
): Interleaving {
  const all = Array.from({ length: warps }, (): Warp => ({ at: 0, ready: 0 })),
    done: WarpStep[] = []
  /** Clocks from the end of issuing step `i - 1` until step `i` can issue, with no other warp in the way. */
  const gap = (i: number): number => {
    const before = steps[i - 1]
    return before ? Math.max(0, steps[i]!.start - (before.start + before.issued)) : steps[i]!.start
  }
  for (const w of all) w.ready = steps.length > 0 ? gap(0) : 0
  let clock = 0,
    busy = 0,
    lastTaken = -1
  for (;;) {
    const waiting = all.map((w, i) => ({ w, i })).filter(({ w }) => w.at < steps.length && w.ready < Infinity)
    if (waiting.length === 0) break
    // the one that has been ready longest; of several the next in turn
    const turn = (i: number): number => (i - lastTaken - 1 + warps) % warps
    const { w, i } = waiting.reduce((a, b) =>
      b.w.ready < a.w.ready || (b.w.ready === a.w.ready && turn(b.i) < turn(a.i)) ? b : a,
    )
    const start = Math.max(clock, w.ready),
      takes = Math.max(1, steps[w.at]!.issued) * perInstruction
    done.push({ warp: i, step: w.at, start, issued: start + takes })
    clock = start + takes
    busy += takes
    lastTaken = i
    const isBarrier = steps[w.at]!.what === 'barrier'
    w.at++
    w.ready = w.at < steps.length ? clock + gap(w.at) : clock
    if (isBarrier) meet(all, i, group)
  }
  return { warps, clocks: clock, busy: clock === 0 ? 0 : busy / clock, steps: done }
}

/** A warp that has come to a barrier waits until all of its block have; then each goes on at its own pace. */
function meet(all: readonly Warp[], came: number, group: number): void {
  const first = came - (came % group),
    block = all.slice(first, first + group),
    at = all[came]!.at
  if (block.some((w) => w.at < at)) {
    all[came]!.ready = Infinity
    return
  }
  const last = all[came]!.ready
  for (const w of block) if (w.at === at) w.ready = last
}
