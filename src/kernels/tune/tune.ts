// Choices measured on the device at hand. In: a device. Out: for each point of choice (an operation at sizes of a
// bucket) the plan that was fastest, kept for the next time. The one idea: operations ask the core which of several
// plans to take; tuning runs a case, sees what was asked, and tries the answers, each compared with float64 before it
// may win.
import { random, type TuningTable } from '../../base/index.ts'
import type { Core } from '../device/core.ts'
import { checkNumber, checkOptions, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { fill, map } from '../map/map.ts'
import { sum } from '../reduce/sum.ts'
import type { Tensor } from '../tensor.ts'
import { cases, type Case, type Prepared } from './cases.ts'
import { Bench, meterOf } from './meter.ts'
import { storeHere, type Store } from './store.ts'
import { choicesIn, tableOf, type Candidate, type Tuned } from './table.ts'
import { describe, deviceFileName, restore, schema, stored, tunedDevice } from './known-choices.ts'

export interface TuneOptions {
  /** Beginnings of the names of cases (`matmul`, `sum rows`); all when absent. */
  readonly only?: readonly string[]
  /** No case is begun after so many seconds; 120 when absent. What is left is done by the next call. */
  readonly seconds?: number
  /** Measures again what is known. */
  readonly again?: boolean
  /**
   * Where results are kept; `null`: nowhere. A file in `~/.cache/tesela` in Node, IndexedDB in browsers, when absent.
   */
  readonly store?: Store | null
  readonly onProgress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void
}

export interface TuneReport {
  readonly device: string
  readonly timer: 'timestamps' | 'clock'
  readonly quantumNs: number
  readonly seconds: number
  /** Where it is kept; `null` where it could not be written. */
  readonly place: string | null
  readonly entries: readonly Tuned[]
  /** The same in the shared form T4, which `open` takes. */
  readonly table: TuningTable
  /** Cases that there was no time for. */
  readonly left: number
}

/** Most plans tried at a point, those that the model thinks best. */
const mostCandidates = 12
/**
 * Elements of a result that are computed again on the host, the last one among them: a plan that is wrong at a share of
 * p of its elements passes with (1 - p)^47, one in a hundred at a tenth.
 */
const sampledElements = 48

/**
 * Measures which plans are fastest on this device, and uses them from now on. Throws when something else is measured.
 */
export async function tune(core: Core, options: TuneOptions = {}): Promise<TuneReport> {
  checkOptions('tune', options, ['only', 'seconds', 'again', 'store', 'onProgress'])
  checkOnly('tune', options)
  if (core.clock || core.asked) refuse('tune.nested', 'tuning cannot run while something else is measured')
  const store = options.store === undefined ? await storeHere() : options.store
  await restore(core, store)
  const start = performance.now(),
    elapsed = (): number => (performance.now() - start) / 1000
  const all = cases(core.tuning === 'software').filter((c) => wanted(c, core, options.only)),
    entries: Tuned[] = []
  const meter = await meterOf(core, () => fill(core, [1 << 16], 1).dispose()),
    bench = new Bench(meter)
  let left = 0,
    place = store?.place ?? null
  for (const [done, c] of all.entries()) {
    options.onProgress?.({ stage: c.name, done, total: all.length })
    if (elapsed() > (options.seconds ?? 120)) {
      left++
      continue
    }
    entries.push(...(await tuned(core, c, bench, options.again ?? false)))
    if (place !== null && !(await kept(core, store, entries))) place = null
  }
  return {
    device: describe(core),
    timer: meter.timer,
    quantumNs: meter.quantumNs,
    seconds: elapsed(),
    place,
    entries,
    table: tableOf(tunedDevice(core), entries),
    left,
  }
}

/** Throws unless the options that `tune` and `bench` share are what they should be. */
export function checkOnly(what: string, { only, seconds, onProgress }: Omit<TuneOptions, 'again' | 'store'>): void {
  if (only !== undefined && !(Array.isArray(only) && only.every((name) => typeof name === 'string')))
    refuse(`${what}.options`, `'only' of ${what} is a list of names, not ${described(only)}`)
  checkNumber(what, 'seconds', seconds)
  if (onProgress !== undefined && typeof onProgress !== 'function')
    refuse(`${what}.options`, `'onProgress' of ${what} is a function, not ${described(onProgress)}`)
}

/** Whether a case is asked for and fits on the device: all of it in one binding, to be sure. */
export const wanted = (c: Case, core: Core, only: readonly string[] | undefined): boolean =>
  (!only || only.some((name) => c.name.startsWith(name))) && c.bytes <= core.device.limits.maxStorageBufferBindingSize

/**
 * Writes what is known, and what another process has written meanwhile, unless it is of what was measured here. Whether
 * that could be done.
 */
async function kept(core: Core, store: Store | null, own: readonly Tuned[]): Promise<boolean> {
  const entries = Object.fromEntries([
    ...core.tuned,
    ...(await stored(core, store)),
    ...own.map(({ point, choice }) => [point, choice] as const),
  ])
  return (
    store?.write(deviceFileName(core), JSON.stringify({ schema, device: describe(core), entries })).then(
      () => true,
      () => false,
    ) ?? false
  )
}

/** Takes the choices that tables have for this device; how many there are. Later tables go first. */
export function useTables(core: Core, tables: readonly TuningTable[]): number {
  const known = tables.flatMap((t) => [...choicesIn(t, tunedDevice(core))])
  for (const [point, choice] of known) core.tuned.set(point, choice)
  return new Set(known.map(([point]) => point)).size
}

/**
 * Points are asked for one after the other: what is taken at one of them decides which come after it. What answers near
 * the fastest ask is settled before they are compared for good, since each is as fast as the best that follows it.
 */
export async function tuned(core: Core, c: Case, bench: Bench, again: boolean): Promise<readonly Tuned[]> {
  const prepared = c.prepare(core),
    out: Tuned[] = [],
    seen = new Set<string>()
  const next = (): readonly [point: string, options: readonly string[]] | undefined => {
    const points = (core.asked = new Map<string, readonly string[]>())
    try {
      prepared.run().dispose()
    } finally {
      core.asked = null
    }
    return [...points].find(
      ([point, options]) => !seen.has(point) && options.length > 1 && (again || !core.tuned.has(point)),
    )
  }
  const settle = async (): Promise<void> => {
    for (let found = next(); found; found = next()) {
      const [point, options] = found,
        [otherwise = ''] = options,
        known = core.tuned.get(point),
        settled = out.length
      seen.add(point)
      const first = await tried(core, c, prepared, point, options.slice(0, mostCandidates), bench),
        { ns: least } = fastest(first)
      const near = first.filter((x) => x.ns <= (x.ns < cheap ? 2.5 : 1.5) * least)
      for (const { choice } of near) {
        core.tuned.set(point, choice)
        await settle()
      }
      if (known === undefined) core.tuned.delete(point)
      else core.tuned.set(point, known)
      const second =
        out.length > settled
          ? await tried(
              core,
              c,
              prepared,
              point,
              near.map((x) => x.choice),
              bench,
            )
          : []
      const candidates = first.map((x) => second.find((y) => y.choice === x.choice) ?? x),
        best = fastest(candidates)
      if (Number.isNaN(best.ns)) continue
      core.tuned.set(point, best.choice)
      out.push({
        point,
        case: c.name,
        choice: best.choice,
        ns: best.ns,
        otherwise,
        otherwiseNs: first[0]?.ns ?? NaN,
        taken: new Date().toISOString(),
        timer: bench.meter.timer,
        candidates,
      })
    }
  }
  await settle()
  prepared.dispose()
  return out
}

/**
 * Nanoseconds below which guesses of what follows are further off, and trying costs little: an answer 2.5 times as slow
 * as the fastest may be it then, 1.5 times above.
 */
const cheap = 5e5

const fastest = (candidates: readonly Candidate[]): Candidate =>
  candidates.reduce((a, b) => (b.ns < a.ns || Number.isNaN(a.ns) ? b : a))

/** Every answer at a point: compared with the reference, then timed with the others. */
async function tried(
  core: Core,
  c: Case,
  prepared: Prepared,
  point: string,
  choices: readonly string[],
  bench: Bench,
): Promise<readonly Candidate[]> {
  const as = (choice: string) => (): void => {
    core.trial = [point, choice]
    try {
      prepared.run().dispose()
    } finally {
      core.trial = null
    }
  }
  const reasons = new Map<string, string>()
  for (const choice of choices) {
    core.trial = [point, choice]
    try {
      const wrong = await wrongElement(core, prepared)
      if (wrong) reasons.set(choice, wrong)
    } catch (e) {
      reasons.set(choice, (e as Error).message) // errors of the library and of the device
    } finally {
      core.trial = null
    }
  }
  const good = choices.filter((choice) => !reasons.has(choice)),
    times = await bench.compare(good.map(as))
  return choices.map((choice) => ({
    choice,
    ns: times[good.indexOf(choice)]?.ns ?? NaN,
    spread: times[good.indexOf(choice)]?.spread ?? NaN,
    samples: times[good.indexOf(choice)]?.samples ?? 0,
    ...(reasons.has(choice) && { wrong: `${c.name}: ${reasons.get(choice)}` }),
  }))
}

/**
 * Why the result is not what it must be; nothing when it is. Its memory is poisoned before, so that an element that is
 * not written shows.
 */
export async function wrongElement(core: Core, { run, expected, depth }: Prepared): Promise<string | null> {
  const once = run(),
    { shape, length } = once
  once.dispose()
  fill(core, shape, poison).dispose() // the next result of this size gets this memory
  using result = run()
  const wrong = await poisoned(core, result as Tensor<'f32'>)
  if (wrong > 0) return `${wrong} elements were not written`
  const data = await result.read(),
    stream = random(depth + length)
  for (let i = 0; i < sampledElements; i++) {
    const place = i === 0 ? length - 1 : Math.floor(stream.unit() * length),
      { value, size } = expected(place),
      got = data[place]! // place is in range
    if (!(Math.abs(got - value) <= allowed(depth) * size)) return `element ${place} is ${got} and must be ${value}`
  }
  return null
}

/** What memory holds before a result is stored to it: no operation gives it. */
const poison = 3e38

async function poisoned(core: Core, result: Tensor<'f32'>): Promise<number> {
  using marks = map(core, 'abs(x) < 1e38 ? 0 : 1', { x: result })
  using count = sum(core, marks)
  return (await count.read())[0] ?? 0
}

/**
 * Rounding of n additions in any order, relative to the sizes of what is added: √n steps of 2⁻²⁴ are likely, a few
 * times that is wrong.
 */
const allowed = (n: number): number => 2 ** -23 * (4 + Math.sqrt(n))
