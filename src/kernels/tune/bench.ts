// The library on the device at hand. In: cases. Out: for each, its time by the protocol of `meter.ts`, the least that the device's peaks
// allow, and what the model says of the kernels that ran. A case whose result is wrong has no time.
import type { Core, Cost } from '../core.ts'
import { refuse } from '../error.ts'
import { fill } from '../map/map.ts'
import { bound, profile } from '../profile.ts'
import { cases } from './cases.ts'
import { Bench, meterOf } from './meter.ts'
import { describe, wanted, wrongElement, type TuneOptions } from './tune.ts'

export interface BenchOptions extends Pick<TuneOptions, 'only' | 'onProgress'> {
  /** No case is begun after so many seconds; 600 when absent. */
  readonly seconds?: number
  /** The GPU profile to predict for; `null`: nothing is predicted. That of the device, by its name, when absent. */
  readonly predict?: string | null
}

export interface BenchRow extends Cost {
  readonly name: string
  /** The median of the samples; `null` where the result is wrong. */
  readonly ns: number | null
  readonly samples: number
  /** Nanoseconds at the device's peaks; `null` when those are not known. */
  readonly boundNs: number | null
  /** Nanoseconds by the model; `null` where no profile fits or the kernels are too much to simulate. */
  readonly predictedNs: number | null
  readonly kernels: readonly string[]
  readonly wrong: string | null
}

export interface BenchReport {
  readonly device: string
  readonly timer: 'timestamps' | 'clock'
  readonly quantumNs: number
  readonly predictedFor: string | null
  /** Points of choice that were measured on this device before. */
  readonly tuned: number
  readonly rows: readonly BenchRow[]
  readonly left: number
}

/** Times the library's operations. Throws when no case is called like that. */
export async function bench(core: Core, options: BenchOptions = {}): Promise<BenchReport> {
  const named = cases(core.tuning === 'software'), all = named.filter((c) => wanted(c, core, options.only))
  if (all.length === 0) refuse('bench.name', `no case begins with ${options.only?.join(' or ')}`, `there are ${[...new Set(named.map((c) => c.name.split(' ')[0]))].join(', ')}`)
  const { explainWork, profileOf } = await import('../explained.ts')
  const start = performance.now(), meter = await meterOf(core, () => fill(core, [1 << 16], 1).dispose()), turns = new Bench(meter)
  const predictedFor = options.predict === undefined ? profileOf(core)?.name ?? null : options.predict
  const rows: BenchRow[] = []
  for (const [done, c] of all.entries()) {
    options.onProgress?.({ stage: c.name, done, total: all.length })
    if (performance.now() - start > 1000 * (options.seconds ?? 600)) break
    const prepared = c.prepare(core), once = (): void => prepared.run().dispose()
    const wrong = await wrongElement(core, prepared).catch((e: unknown) => (e as Error).message) // errors of the library and of the device
    const [timed] = wrong === null ? await turns.compare([once]) : []
    const { flop, bytes } = c
    const works = wrong === null && predictedFor !== null ? await explainWork(core, once, { gpu: predictedFor, brief: true }).catch(() => null) : null
    const kernels = (await profile(core, once)).map((k) => k.kernel)
    rows.push({ name: c.name, flop, bytes, ns: timed?.ns ?? null, samples: timed?.samples ?? 0, boundNs: bound(core, c), predictedNs: works && works.reduce((n, w) => n + w.times * w.report.prediction.ns, 0), kernels, wrong })
    prepared.dispose()
  }
  return { device: describe(core), timer: meter.timer, quantumNs: meter.quantumNs, predictedFor, tuned: core.tuned.size, rows, left: all.length - rows.length }
}
