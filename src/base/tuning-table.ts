// Results of auto-tuning in the shared form T4 (version 1.0.0, as Kernel Tuner writes and validates it), with what
// Tesela adds under `tesela`. In: readings of candidates on one device, or JSON. Out: the table, or a sentence about
// what is wrong with it. The one idea: every candidate that was tried is there, with its spread and its failures; who
// reads chooses.
export interface TableDevice {
  /** As it names itself. */
  readonly name: string
  /** Driver, browser, runtime and whatever else tells two of that name apart. */
  readonly [property: string]: unknown
}

/** One candidate that was tried. */
export interface TableResult {
  /** When, in ISO 8601: what is compared with each other has the same time. */
  readonly timestamp?: string
  readonly configuration: Readonly<Record<string, unknown>>
  readonly times: { readonly runtimes?: readonly unknown[]; readonly [name: string]: unknown }
  readonly invalidity: (typeof invalidities)[number]
  readonly correctness: number
  readonly objectives?: readonly unknown[]
  readonly measurements?: readonly { readonly name?: string; readonly value?: unknown; readonly unit?: string }[]
  /** What Tesela adds. */
  readonly tesela?: {
    readonly language: string
    /** The program's name: a point of choice of the library, a function in C. */
    readonly program: string
    /** A hash of what the program is made of; absent for the library's. */
    readonly kernel?: string
    readonly target: 'wgsl' | 'cuda'
    readonly choice: unknown
    readonly samples: number
    readonly [property: string]: unknown
  }
}

export interface TuningTable {
  readonly schema_version: string
  readonly metadata: {
    readonly timeunit?: string
    readonly tesela?: { readonly schema: string; readonly device: TableDevice }
    readonly [property: string]: unknown
  }
  readonly results: readonly TableResult[]
}

const invalidities = ['timeout', 'compile', 'runtime', 'correctness', 'constraints', 'correct'] as const
const tableSchema = 'tesela.table/1'

/** A candidate as it goes into a table; `ns` is null where it has no time because it is wrong. */
export interface TableEntry {
  readonly language: string
  readonly program: string
  readonly kernel?: string
  readonly target: 'wgsl' | 'cuda'
  readonly choice: unknown
  readonly taken: string
  readonly ns: number | null
  readonly spread: number | null
  readonly samples: number
  readonly more?: Readonly<Record<string, unknown>>
}

/** The table of candidates on a device. Times are nanoseconds. */
export const tuningTable = (device: TableDevice, entries: readonly TableEntry[]): TuningTable => ({
  schema_version: '1.0.0',
  metadata: { timeunit: 'nanoseconds', tesela: { schema: tableSchema, device } },
  results: entries.map(resultOf),
})

function resultOf({ taken, ns, spread, more, ...entry }: TableEntry): TableResult {
  const measured = (name: string, value: number | null, unit: string): NonNullable<TableResult['measurements']> =>
    value === null ? [] : [{ name, value, unit }]
  return {
    timestamp: taken,
    configuration: configurationOf(entry.program, entry.choice),
    times: { runtimes: ns === null ? [] : [ns] },
    invalidity: ns === null ? 'correctness' : 'correct',
    correctness: ns === null ? 0 : 1,
    objectives: ['time'],
    measurements: [...measured('time', ns, 'ns'), ...measured('spread', spread, '')],
    tesela: { ...entry, ...more },
  }
}

/** Choices by name, part by part, as tuners write parameters: one value for each name. */
function configurationOf(program: string, choice: unknown): Readonly<Record<string, unknown>> {
  const parts = Array.isArray(choice) ? (choice as readonly unknown[]) : [{ choice }]
  const named = parts.flatMap((part, i) =>
    Object.entries(Object(part) as Readonly<Record<string, unknown>>).map(
      ([name, value]) => [parts.length > 1 ? `${name}.${i}` : name, value] as const,
    ),
  )
  return { program, ...Object.fromEntries(named) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with a value that should be a table, as a sentence; nothing when it is one. */
export function tableFlaw(value: unknown): string | undefined {
  if (!isObject(value)) return 'a table of tuning results is an object'
  if (typeof value['schema_version'] !== 'string' || !/^\d+\.\d+\.\d+$/.test(value['schema_version']))
    return 'schema_version of a table is three numbers, as in 1.0.0'
  if (!Array.isArray(value['results'])) return 'results of a table is a list'
  if (value['metadata'] !== undefined && !isObject(value['metadata'])) return 'metadata of a table is an object'
  for (const [i, result] of (value['results'] as readonly unknown[]).entries()) {
    const flaw = resultFlaw(result)
    if (flaw) return `results[${i}] of the table: ${flaw}`
  }
  return undefined
}

function resultFlaw(result: unknown): string | undefined {
  if (!isObject(result)) return 'a result is an object'
  if (!isObject(result['configuration'])) return 'configuration is an object'
  if (!isObject(result['times'])) return 'times is an object'
  if (!invalidities.some((i) => i === result['invalidity'])) return `invalidity is one of ${invalidities.join(', ')}`
  if (typeof result['correctness'] !== 'number') return 'correctness is a number'
  const { measurements, tesela, timestamp } = result
  if (timestamp !== undefined && typeof timestamp !== 'string') return 'timestamp is a text'
  if (measurements !== undefined && !(Array.isArray(measurements) && measurements.every(isObject)))
    return 'measurements is a list of objects'
  if (tesela === undefined) return undefined
  const texts = isObject(tesela) && typeof tesela['program'] === 'string' && typeof tesela['language'] === 'string'
  return texts ? undefined : 'tesela has the language and the name of a program'
}

const nsPerUnit: Readonly<Record<string, number>> = {
  ns: 1,
  nanoseconds: 1,
  us: 1e3,
  microseconds: 1e3,
  ms: 1e6,
  milliseconds: 1e6,
  s: 1e9,
  seconds: 1e9,
}

/** A number among a result's measurements; null where there is none. */
export function measurementOf(result: TableResult, name: string): number | null {
  const value = result.measurements?.find((m) => m.name === name)?.value
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Nanoseconds of a candidate by what the table says of units; null of one that is wrong or has no time. */
export function nanosecondsOf(table: TuningTable, result: TableResult): number | null {
  const objective = typeof result.objectives?.[0] === 'string' ? result.objectives[0] : 'time'
  const value = result.invalidity === 'correct' ? measurementOf(result, objective) : null
  if (value === null) return null
  const unit = result.measurements?.find((m) => m.name === objective)?.unit || (table.metadata.timeunit ?? 'ms')
  return value * (nsPerUnit[unit] ?? nsPerUnit['ms']!)
}
