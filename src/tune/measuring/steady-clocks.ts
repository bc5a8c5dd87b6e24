// In: a measurement, and who can say what the clocks of the device are. Out: the measurement with its clocks before and
// after, taken again while they were not the same. The one idea: a time belongs to a clock; one that was taken while
// the device sped up, or was held back by heat or power, belongs to none.
import { fail } from '../../base/index.ts'
import type { Timing } from '../../run/index.ts'

/** Of a device, as its driver says. */
export interface Clocks {
  /** Of the multiprocessors and of the memory, in MHz. */
  readonly processorMhz: number
  readonly memoryMhz: number
  /** Of the chip, in degrees Celsius. */
  readonly celsius: number
}

export interface ClockedTiming extends Timing {
  readonly clocks?: { readonly before: Clocks; readonly after: Clocks }
}

/** Measures, again while the clocks change. */
export type Steady = (measure: () => Promise<Timing>) => Promise<ClockedTiming>

/** What clocks may differ by, before and after, relative to the faster; and how much warmer the chip may become. */
export const steadyLimits = { clock: 0.05, celsius: 10 } as const
/** Measurements after which a device is called unsteady. */
const mostTimes = 4

/** What changed by more than the limits, in words; undefined where nothing did. */
export function unsteady(before: Clocks, after: Clocks): string | undefined {
  for (const [name, words] of [
    ['processorMhz', 'its clock'],
    ['memoryMhz', "its memory's clock"],
  ] as const) {
    const [a, b] = [before[name], after[name]]
    if (Math.abs(a - b) > steadyLimits.clock * Math.max(a, b)) return `${words} went from ${a} to ${b} MHz`
  }
  return Math.abs(after.celsius - before.celsius) > steadyLimits.celsius
    ? `its temperature went from ${before.celsius} to ${after.celsius} °C`
    : undefined
}

/**
 * Measures with the same clocks before and after: again, up to four times, while they differ. Throws a
 * `DiagnosticError` (`measure.unsteady`) where they always do.
 */
export async function steadily(measure: () => Promise<Timing>, read: () => Promise<Clocks>): Promise<ClockedTiming> {
  let why: string | undefined
  for (let n = 0; n < mostTimes; n++) {
    const before = await read()
    const timing = await measure()
    const after = await read()
    why = unsteady(before, after)
    if (why === undefined) return { ...timing, clocks: { before, after } }
  }
  return fail('measure.unsteady', `the device was not steady in ${mostTimes} measurements: in the last one ${why}`)
}
