// Tables of tuning results (T4) that a program is given or makes. In: what was tried on a device, or a table. Out: the
// table, or the choice at each point. The one idea: what was compared with each other at a point, and last, decides;
// tables of other devices say nothing here.
import { nanosecondsOf, tableFlaw, tuningTable, type TuningTable } from '../../base/index.ts'
import { refuse } from '../error.ts'
import type { TunedDevice } from './known-choices.ts'

/** One plan that was tried. */
export interface Candidate {
  readonly choice: string
  /** Nanoseconds of the case; NaN of what is wrong. */
  readonly ns: number
  /** Half the distance between the first and third quartile, relative to the median. */
  readonly spread: number
  readonly samples: number
  /** Why it may not be taken. */
  readonly wrong?: string
}

/** What was tried for a case at one point of choice, and what is taken from now on. */
export interface Tuned {
  readonly point: string
  readonly case: string
  readonly choice: string
  readonly ns: number
  /** What is taken without tuning, and its nanoseconds. */
  readonly otherwise: string
  readonly otherwiseNs: number
  /** When, in ISO 8601: candidates of one time were compared with each other. */
  readonly taken: string
  readonly timer: 'timestamps' | 'clock'
  readonly candidates: readonly Candidate[]
}

/** All that was tried on this device, ties and failures too. */
export const tableOf = (device: TunedDevice, entries: readonly Tuned[]): TuningTable =>
  tuningTable(
    { ...device, runtime: 'WebGPU' },
    entries.flatMap(({ point, case: name, taken, candidates, timer }) =>
      candidates.map(({ choice, ns, spread, samples, wrong }, place) => ({
        language: 'library',
        program: point,
        target: 'wgsl' as const,
        choice,
        taken,
        ns: Number.isNaN(ns) ? null : ns,
        spread: Number.isNaN(ns) ? null : spread,
        samples,
        more: { reading: { case: name, timer, place, ...(wrong !== undefined && { wrong }) } },
      })),
    ),
  )

/** Throws a `TeselaError` with a sentence unless it is a list of tables. */
export function checkTables(tables: unknown): void {
  if (!Array.isArray(tables)) refuse('open.tables', "'tables' of open is a list of tables of tuning results")
  for (const table of tables as readonly unknown[]) {
    const flaw = tableFlaw(table)
    if (flaw) refuse('open.tables', flaw)
  }
}

/** A reading that may decide at a point. */
interface Reading {
  readonly choice: string
  readonly ns: number
  readonly taken: string
  /** Where it stood among those that it was compared with. */
  readonly place: number
}

const isBetter = (a: Reading, b: Reading): boolean => {
  if (a.taken !== b.taken) return a.taken > b.taken
  return a.ns < b.ns || (a.ns === b.ns && a.place < b.place)
}

/** The fastest choice at each point that the table has for this device; the first of equal ones. */
export function choicesIn(table: TuningTable, device: TunedDevice): ReadonlyMap<string, string> {
  const own = table.metadata?.tesela?.device
  const best = new Map<string, Reading>()
  if (own?.name !== device.name || own['limits'] !== device.limits) return new Map()
  for (const result of table.results) {
    const { language, program, choice } = result.tesela ?? {}
    const ns = nanosecondsOf(table, result)
    if (language !== 'library' || program === undefined || typeof choice !== 'string' || ns === null) continue
    const { place } = Object(result.tesela?.['reading']) as { readonly place?: unknown } // looked at below
    const found = { choice, ns, taken: result.timestamp ?? '', place: typeof place === 'number' ? place : Infinity }
    const before = best.get(program)
    if (!before || isBetter(found, before)) best.set(program, found)
  }
  return new Map([...best].map(([point, { choice }]) => [point, choice]))
}
