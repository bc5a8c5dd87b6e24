// How long work takes on this device, by the timer that it has. In: functions that record work. Out: nanoseconds of
// each. The one idea: a timer counts in quanta (browsers make them coarse on purpose), so the quantum is found first, a
// sample is as many repetitions as twenty quanta need, and what is compared is measured in turns on a device that is
// warm and kept busy.
import type { Core } from '../device/core.ts'
import { time } from '../device/profiling.ts'

export interface Meter {
  /** `timestamps`: of the device. `clock`: the host's, around whole submissions, where the device has none. */
  readonly timer: 'timestamps' | 'clock'
  /** Nanoseconds between the times that the timer can tell. */
  readonly quantumNs: number
  /** Nanoseconds of everything that `f` records, as one sample. */
  sample(f: () => void): Promise<number>
}

/** Samples are this many quanta at least, and this many nanoseconds (a clock also times the submission). */
const quanta = 20
const leastNs = { timestamps: 2e6, clock: 2e7 }
/**
 * A device that has been idle for half a second needs about a second to reach its clocks again (seen on an H200):
 * submissions of 20 ms, one after the other, until four take the same.
 */
const warmNs = 1e9,
  idleNs = 5e8,
  busyNs = 2e7

/** The timer of a device. */
export async function meterOf(core: Core, work: () => void): Promise<Meter> {
  work()
  await core.sync()
  const stamped = await time(core, work)
  const clocked = async (f: () => void): Promise<number> => {
    const start = performance.now()
    f()
    await core.sync()
    return (performance.now() - start) * 1e6
  }
  if (stamped === null) return { timer: 'clock', quantumNs: clockQuantum(), sample: clocked }
  const seen: number[] = [stamped]
  for (let n = 1; n <= 256; n = Math.ceil(1.4 * n))
    seen.push(
      (await time(core, () => {
        for (let i = 0; i < n; i++) work()
      })) ?? 0,
    )
  return { timer: 'timestamps', quantumNs: seen.reduce(gcd, 0) || 1, sample: async (f) => (await time(core, f)) ?? 0 }
}

const gcd = (a: number, b: number): number => (b < 1 ? a : gcd(b, a % b))

/** The least step of `performance.now`. */
function clockQuantum(): number {
  let least = Infinity
  for (let i = 0, last = performance.now(); i < 50; ) {
    const now = performance.now()
    if (now > last) {
      least = Math.min(least, (now - last) * 1e6)
      last = now
      i++
    }
  }
  return least
}

export interface Compared {
  /** The median over samples, of one execution; NaN for what was given up. */
  readonly ns: number
  /** Half the distance between the first and third quartile, relative to the median. */
  readonly spread: number
  readonly samples: number
}

/** Keeps a device warm from one comparison to the next. */
export class Bench {
  readonly meter: Meter
  private readonly least: number
  private last = -Infinity

  /**
   * `least`: nanoseconds of a sample. Long ones hold a device at its clocks, short ones tell candidates apart sooner.
   */
  constructor(meter: Meter, least = leastNs[meter.timer]) {
    this.meter = meter
    this.least = least
  }

  /**
   * Times candidates in turns; what is far behind the fastest after two turns is given up and keeps its samples so far.
   * What comes near the fastest is timed again by samples so long that the device keeps its clocks, and has the median
   * of those: short samples misjudged 3 of 23 by more than 5 %.
   */
  async compare(candidates: readonly (() => void)[], turns = 7): Promise<readonly Compared[]> {
    const { meter } = this
    const enough = Math.max(quanta * meter.quantumNs, this.least)
    const counts: number[] = []
    for (const f of candidates) counts.push(await this.repeats(f, enough))
    const long = Math.max(1, busyNs / enough)
    await this.warm(candidates[0], Math.ceil((counts[0] ?? 1) * long))
    const seen = await this.inTurns(candidates, counts, turns),
      best = Math.min(...seen.map(median).filter((v) => !Number.isNaN(v)))
    const near = candidates.flatMap((_, i) => (median(seen[i]!) <= close * best ? [i] : []))
    if (long > 1 && near.length > 1) {
      const again = await this.inTurns(
        near.map((i) => candidates[i]!),
        near.map((i) => Math.min(mostRepeats, Math.ceil(counts[i]! * long))),
        finals,
      ) // i is a candidate
      near.forEach((i, n) => {
        seen[i] = again[n]!
      }) // as many
    }
    this.last = performance.now()
    return seen.map((samples) => ({ ns: median(samples), spread: spreadOf(samples), samples: samples.length }))
  }

  /** Nanoseconds of an execution: samples of every candidate, the first of a turn another each time. */
  private async inTurns(
    candidates: readonly (() => void)[],
    counts: readonly number[],
    turns: number,
  ): Promise<number[][]> {
    const seen = candidates.map((): number[] => [])
    for (let turn = 0; turn < turns; turn++) {
      const best = Math.min(...seen.map(median).filter((v) => !Number.isNaN(v)))
      for (let c = 0; c < candidates.length; c++) {
        const at = (c + turn) % candidates.length,
          f = candidates[at]!,
          n = counts[at]! // at is below their number
        if (turn >= 2 && median(seen[at]!) > farBehind * best) continue
        seen[at]!.push(
          (await this.meter.sample(() => {
            for (let i = 0; i < n; i++) f()
          })) / n,
        )
      }
    }
    return seen
  }

  /** Executions of `f` that take long enough. */
  private async repeats(f: () => void, enough: number): Promise<number> {
    for (let n = 1; ; ) {
      const ns = await this.meter.sample(() => {
        for (let i = 0; i < n; i++) f()
      })
      if (ns >= enough || n >= mostRepeats) return n
      n = Math.min(mostRepeats, Math.max(2 * n, Math.ceil((1.2 * n * enough) / Math.max(ns, this.meter.quantumNs))))
    }
  }

  private async warm(f: (() => void) | undefined, n: number): Promise<void> {
    if (!f || performance.now() - this.last < idleNs / 1e6) return
    const seen: number[] = [],
      start = performance.now(),
      spent = (): number => (performance.now() - start) * 1e6
    const steady = (): boolean => {
      const last = seen.slice(-4)
      return last.length === 4 && Math.max(...last) <= 1.02 * Math.min(...last)
    }
    while (spent() < warmNs || (!steady() && spent() < 2 * warmNs))
      seen.push(
        await this.meter.sample(() => {
          for (let i = 0; i < n; i++) f()
        }),
      )
  }
}

/** What takes so many times as long as the fastest after two turns is measured no more. */
const farBehind = 1.3
/** Executions of one sample at most: it bounds what is recorded where the timer does not tell so few apart. */
const mostRepeats = 4096

/** What is so close to the fastest may be it; turns in which that is found out. */
const close = 1.1,
  finals = 5

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b),
    middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2 // NaN of none
}

function spreadOf(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]! // NaN of none
  return (at(0.75) - at(0.25)) / (2 * median(list))
}
