// In: readings of a device in a store, or a table of tuning results (T4). Out: the table, or records. The one idea: a
// table carries every reading with its spread, and what it needs to be the same records again; tables of other tuners
// become programs of their own, named by who imports them.
import { fail, measurementOf, nanosecondsOf, tableFlaw, tuningTable } from '../base/index.ts'
import type { TableDevice, TableResult, TuningTable } from '../base/index.ts'
import {
  candidateRecord,
  deviceRecord,
  programRecord,
  readingRecord,
  type Device,
  type DeviceRecord,
  type ProgramRecord,
  type Records,
} from './records.ts'
import type { FullReading } from './store.ts'

/** The table of a device: a result for each of its readings. */
export const tableOfReadings = (device: DeviceRecord, readings: readonly FullReading[]): TuningTable =>
  tuningTable(
    device.body as Device & TableDevice,
    readings.map(({ reading, candidate, program }) => ({
      language: program.language,
      program: program.name,
      kernel: program.key,
      target: candidate.target,
      choice: candidate.choice,
      taken: reading.taken,
      ns: reading.ns,
      spread: reading.spread,
      samples: reading.samples,
      more: { source: program.body, reading: reading.body },
    })),
  )

/** What a table of another tuner does not say: whose readings they are, and of what. */
export interface TableOrigin {
  readonly device: string
  readonly program: string
}

/** The records of a table; candidates without a time are left out. Throws a `DiagnosticError` where it is none. */
export function recordsOfTable(value: unknown, file: string, origin?: TableOrigin): Required<TableRecords> {
  const flaw = tableFlaw(value)
  if (flaw) fail('store.table', `${file}: ${flaw}`)
  const table = value as TuningTable // has no flaw
  const name = table.metadata?.tesela?.device ?? (origin && { name: origin.device })
  if (!name)
    return fail(
      'store.table',
      `${file} does not say on what device it was measured`,
      undefined,
      'name it with --device, and what was tuned with --program',
    )
  const device = deviceRecord(name as Device) // whatever it says of itself
  const all = table.results.flatMap((result) => recordsOf(table, result, device, origin))
  return {
    programs: all.map((r) => r.program),
    candidates: all.map((r) => r.candidate),
    devices: [device],
    readings: all.map((r) => r.reading),
  }
}

type TableRecords = Pick<Records, 'programs' | 'candidates' | 'devices' | 'readings'>

function recordsOf(table: TuningTable, result: TableResult, device: DeviceRecord, origin: TableOrigin | undefined) {
  const ns = nanosecondsOf(table, result)
  if (ns === null) return []
  const own = result.tesela
  const program = programRecord({
    language: own ? languageOf(own.language) : 'other',
    name: own?.program ?? origin?.program ?? 'kernel',
    body: own?.['source'] ?? null,
  })
  const candidate = candidateRecord({
    program: program.key,
    target: own?.target ?? 'cuda',
    choice: own ? own.choice : result.configuration,
  })
  const reading = readingRecord({
    candidate: candidate.key,
    device: device.key,
    ns,
    spread: measurementOf(result, 'spread'),
    samples: own?.samples ?? Math.max(1, result.times.runtimes?.length ?? 1),
    taken: result.timestamp ?? '',
    body: own?.['reading'] ?? null,
  })
  return [{ program, candidate, reading }]
}

function languageOf(language: string): ProgramRecord['language'] {
  const known = (['c', 'wgsl', 'library'] as const).find((l) => l === language)
  return known ?? 'other'
}
