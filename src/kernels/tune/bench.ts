// The library on the device at hand. In: cases. Out: for each, its time by the protocol of `meter.ts`, the least that
// the device's peaks allow, and what the model says of the kernels that ran. A case whose result is wrong has no time.
import type { Core } from '../device/core.ts'
import type { Cost } from '../device/prepared-launches.ts'
import { checkOptions } from '../checks.ts'
import { refuse } from '../error.ts'
import { fill } from '../map/map.ts'
import { bound, onUnits, profile } from '../device/profiling.ts'
import { cases, type Case } from './cases.ts'
import { Bench, meterOf } from './meter.ts'
import { checkOnly, wanted, wrongElement, type TuneOptions } from './tune.ts'
import { describe } from './known-choices.ts'

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
  /**
   * Nanoseconds by the model; `null` where no profile fits, and of kernels that are too much to simulate or on matrix
   * units.
   */
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

/** A GPU that waits between samples of a few milliseconds falls to half of its clocks (seen on an H200). */
const sampleNs = 3e7

/** Times the library's operations. Throws when no case is called like that. */
export async function bench(core: Core, options: BenchOptions = {}): Promise<BenchReport> {
  checkOptions('bench', options, ['only', 'seconds', 'onProgress', 'predict'])
  checkOnly('bench', options)
  const named = cases(core.tuning === 'software'),
    all = named.filter((c) => wanted(c, core, options.only))
  if (all.length === 0)
    refuse(
      'bench.name',
      `no case begins with ${options.only?.join(' or ')}`,
      `there are ${[...new Set(named.map((c) => c.name.split(' ')[0]))].join(', ')}`,
    )
  const { explainWork, profileOf } = await import('../explained.ts')
  const start = performance.now(),
    meter = await meterOf(core, () => fill(core, [1 << 16], 1).dispose()),
    turns = new Bench(meter, sampleNs)
  const inTime = (): boolean => performance.now() - start <= 1000 * (options.seconds ?? 600)
  const predictedFor = options.predict === undefined ? (profileOf(core)?.name ?? null) : options.predict
  const rows: BenchRow[] = []
  for (const [done, c] of all.entries()) {
    options.onProgress?.({ stage: c.name, done, total: all.length })
    if (inTime()) rows.push(await measured(core, c, turns))
  }
  // Simulating takes the host's time, in which the device would lose its clocks: it comes after all measuring.
  for (const [done, row] of rows.entries()) {
    options.onProgress?.({ stage: `predicting ${row.name}`, done, total: rows.length })
    if (predictedFor === null || row.wrong !== null || !inTime()) continue
    const prepared = all[done]!.prepare(core) // a case for each row
    const works = await explainWork(core, () => prepared.run().dispose(), { gpu: predictedFor, brief: true }).catch(
      () => null,
    )
    prepared.dispose()
    const same = works?.every((w) => row.kernels.includes(w.kernel)) // what is explained stays off matrix units
    rows[done] = {
      ...row,
      predictedNs: works && same ? works.reduce((n, w) => n + w.times * w.report.prediction.ns, 0) : null,
    }
  }
  return {
    device: describe(core),
    timer: meter.timer,
    quantumNs: meter.quantumNs,
    predictedFor,
    tuned: core.tuned.size,
    rows,
    left: all.length - rows.length,
  }
}

async function measured(core: Core, c: Case, turns: Bench): Promise<BenchRow> {
  const prepared = c.prepare(core),
    once = (): void => prepared.run().dispose()
  // errors of the library and of the device
  const wrong = await wrongElement(core, prepared).catch((e: unknown) => (e as Error).message)
  const [timed] = wrong === null ? await turns.compare([once]) : []
  const kernels = (await profile(core, once)).map((k) => k.kernel)
  prepared.dispose()
  return {
    name: c.name,
    flop: c.flop,
    bytes: c.bytes,
    ns: timed?.ns ?? null,
    samples: timed?.samples ?? 0,
    boundNs: bound(core, c, kernels.some(onUnits)),
    predictedNs: null,
    kernels,
    wrong,
  }
}
