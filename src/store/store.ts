// In: an open database. Out: what is in it, and what is added, in one transaction. The one idea: records are never
// changed, only added and pruned; adding one that is there does nothing.
import type { Database, Row, Statements, SqlValue } from './database.ts'
import { count } from './tallies.ts'
import type { CandidateRecord, Device, DeviceRecord, ProgramRecord, ReadingRecord, Records } from './records.ts'

/** The tables in the order in which they name each other, with their columns. */
const tables = {
  programs: ['key', 'language', 'name', 'body'],
  candidates: ['key', 'program', 'target', 'choice'],
  devices: ['key', 'name', 'body'],
  verdicts: ['key', 'candidate', 'ok', 'body'],
  readings: ['key', 'candidate', 'device', 'ns', 'spread', 'samples', 'taken', 'body'],
  results: ['key', 'kind', 'compiler', 'body'],
} as const satisfies Record<keyof Records, readonly string[]>

export type Table = keyof Records
export const tableNames = Object.keys(tables) as readonly Table[] // the keys of a record

/** Columns that hold JSON. */
const asJson = new Set(['body', 'choice'])

function toValue(column: string, value: unknown): SqlValue {
  if (asJson.has(column)) return JSON.stringify(value ?? null)
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue) // texts, numbers and null
}

function fromRow(row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (asJson.has(column)) return [column, JSON.parse(String(value)) as unknown]
      return [column, column === 'ok' ? value === 1 : value]
    }),
  )
}

/** Rows of one statement; both databases take more values than this needs. */
const rowsAtOnce = 200

/** Adds what is not there; the records that are new. */
async function addRows(db: Statements, table: Table, records: readonly object[]): Promise<readonly object[]> {
  const columns = tables[table]
  const added: object[] = []
  for (let from = 0; from < records.length; from += rowsAtOnce) {
    const some = records.slice(from, from + rowsAtOnce) as readonly Readonly<Record<string, unknown>>[] // columns
    const places = some.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')
    const values = some.flatMap((r) => columns.map((c) => toValue(c, r[c])))
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places} ON CONFLICT DO NOTHING RETURNING key`
    const keys = new Set((await db.all(sql, values)).map((row) => row['key']))
    for (const record of some) if (keys.delete(record['key'] as string)) added.push(record)
  }
  return added
}

/** Where the records of one program are; results are of none. */
const ofProgram = {
  programs: ['programs', 'programs.key = ? AND '],
  candidates: ['candidates', 'candidates.program = ? AND '],
  devices: ['tallies JOIN devices ON devices.key = tallies.device', 'tallies.program = ? AND '],
  verdicts: ['candidates JOIN verdicts ON verdicts.candidate = candidates.key', 'candidates.program = ? AND '],
  readings: ['candidates JOIN readings ON readings.candidate = candidates.key', 'candidates.program = ? AND '],
  results: ['results', 'results.key = ? AND 1 = 0 AND '],
} as const satisfies Record<Table, readonly [string, string]>

/** A reading with what it is of. */
export interface FullReading {
  readonly reading: ReadingRecord
  readonly candidate: CandidateRecord
  readonly program: ProgramRecord
}

/** Times in nanoseconds and programs, by candidates. */
export type Newest = ReadonlyMap<string, { readonly program: string; readonly ns: number }>

export interface PruneOptions {
  /** Readings taken before this (ISO 8601) go. */
  readonly before?: string
  /** So many readings of a candidate on a device stay, the newest. */
  readonly keep?: number
  /** Results of other compilers than this go. */
  readonly compiler?: string
}

export class RecordStore {
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** Adds all of it, or nothing; how many records are new. */
  async add(records: Records): Promise<number> {
    if (tableNames.every((t) => (records[t] ?? []).length === 0)) return 0
    return this.database.transaction((db) => addTo(db, records))
  }

  /** Results by their keys, of those that are there. */
  async results(keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const found = new Map<string, unknown>()
    for (let from = 0; from < keys.length; from += rowsAtOnce) {
      const some = keys.slice(from, from + rowsAtOnce)
      const sql = `SELECT key, body FROM results WHERE key IN (${some.map(() => '?').join(', ')})`
      for (const row of await this.database.all(sql, some))
        found.set(String(row['key']), JSON.parse(String(row['body'])))
    }
    return found
  }

  /** All results of a kind, by their keys. */
  async resultsOf(kind: string, compiler: string): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.database.all('SELECT key, body FROM results WHERE kind = ? AND compiler = ?', [
      kind,
      compiler,
    ])
    return new Map(rows.map((r) => [String(r['key']), JSON.parse(String(r['body'])) as unknown]))
  }

  /** How many records each table has. */
  async counts(): Promise<Readonly<Record<Table, number>>> {
    const counts = {} as Record<Table, number>
    for (const table of tableNames) {
      const what = table === 'readings' ? 'COALESCE(SUM(readings), 0) AS n FROM tallies' : `COUNT(*) AS n FROM ${table}`
      const [row] = await this.database.all(`SELECT ${what}`)
      counts[table] = Number(row?.['n'] ?? 0)
    }
    return counts
  }

  /** Devices with how many readings they have, and when the last was taken. */
  async devices(): Promise<readonly (DeviceRecord & { readonly readings: number; readonly last: string | null })[]> {
    const rows = await this.database.all(
      `SELECT d.key, d.name, d.body, COALESCE(r.n, 0) AS readings, r.last FROM devices d LEFT JOIN
       (SELECT device, SUM(readings) AS n, MAX(last) AS last FROM tallies GROUP BY device) r ON r.device = d.key
       ORDER BY d.name, d.key`,
    )
    return rows.map((r) => ({
      key: String(r['key']),
      name: String(r['name']),
      body: JSON.parse(String(r['body'])) as Device, // as it was written
      readings: Number(r['readings']),
      last: r['last'] === null ? null : String(r['last']),
    }))
  }

  /** Programs with how many candidates and readings they have. */
  async programs(): Promise<
    readonly (Omit<ProgramRecord, 'body'> & { readonly candidates: number; readonly readings: number })[]
  > {
    const rows = await this.database.all(
      `SELECT p.key, p.language, p.name, COALESCE(c.n, 0) AS candidates, COALESCE(t.n, 0) AS readings FROM programs p
       LEFT JOIN (SELECT program, COUNT(*) AS n FROM candidates GROUP BY program) c ON c.program = p.key
       LEFT JOIN (SELECT program, SUM(readings) AS n FROM tallies GROUP BY program) t ON t.program = p.key
       ORDER BY p.language, p.name, p.key`,
    )
    return rows.map((r) => ({
      key: String(r['key']),
      language: r['language'] as ProgramRecord['language'], // as it was written
      name: String(r['name']),
      candidates: Number(r['candidates']),
      readings: Number(r['readings']),
    }))
  }

  /** The readings of a device, programs in the order of their names, the oldest reading first. */
  async readings(device: string): Promise<readonly FullReading[]> {
    const rows = await this.database.all(
      `SELECT r.key, r.candidate, r.device, r.ns, r.spread, r.samples, r.taken, r.body, c.program, c.target, c.choice,
       p.language, p.name, p.body AS source FROM readings r JOIN candidates c ON c.key = r.candidate
       JOIN programs p ON p.key = c.program WHERE r.device = ? ORDER BY p.language, p.name, r.taken, r.key`,
      [device],
    )
    return rows.map((row) => {
      const { program, target, choice, language, name, source, ...reading } = row
      return {
        reading: fromRow(reading) as unknown as ReadingRecord, // its columns
        candidate: fromRow({
          key: row['candidate']!,
          program: program!,
          target: target!,
          choice: choice!,
        }) as unknown as CandidateRecord, // its columns
        program: fromRow({
          key: program!,
          language: language!,
          name: name!,
          body: source!,
        }) as unknown as ProgramRecord, // its columns
      }
    })
  }

  /**
   * The newest time of each candidate, nanoseconds, with its program, for each of these devices: one walk along an
   * index of all readings.
   */
  async newest(devices: readonly string[]): Promise<readonly Newest[]> {
    const rows = await this.database.all(
      `SELECT r.candidate, r.device, c.program, r.ns FROM readings r JOIN candidates c ON c.key = r.candidate
       WHERE r.device IN (${devices.map(() => '?').join(', ')}) ORDER BY r.candidate, r.device, r.taken, r.ns`,
      devices,
    )
    const found = new Map(devices.map((d) => [d, new Map<string, { program: string; ns: number }>()]))
    // of one candidate on a device, the last stays
    for (const { candidate, device, program, ns } of rows)
      found.get(String(device))?.set(String(candidate), { program: String(program), ns: Number(ns) })
    return devices.map((d) => found.get(d)!) // one for each
  }

  /** Names of programs, by their keys. */
  async programNames(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.all('SELECT key, name FROM programs')
    return new Map(rows.map((r) => [String(r['key']), String(r['name'])]))
  }

  /** What candidates choose, by their keys. */
  async choices(candidates: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const found = new Map<string, unknown>()
    for (let from = 0; from < candidates.length; from += rowsAtOnce) {
      const some = candidates.slice(from, from + rowsAtOnce)
      const sql = `SELECT key, choice FROM candidates WHERE key IN (${some.map(() => '?').join(', ')})`
      for (const row of await this.database.all(sql, some))
        found.set(String(row['key']), JSON.parse(String(row['choice'])) as unknown)
    }
    return found
  }

  /** Records whose keys begin so, of any table. */
  async find(prefix: string): Promise<readonly { readonly table: Table; readonly record: object }[]> {
    const found: { readonly table: Table; readonly record: object }[] = []
    for (const table of tableNames) {
      const sql = `SELECT ${tables[table].join(', ')} FROM ${table} WHERE key >= ? AND key < ? ORDER BY key LIMIT 20`
      for (const row of await this.database.all(sql, [prefix, `${prefix}~`]))
        found.push({ table, record: fromRow(row) })
    }
    return found
  }

  /** All records of a table, or those of a program, a page at a time, in the order of their keys. */
  async *records(table: Table, program?: string): AsyncGenerator<object> {
    const [from, where] = program === undefined ? [table, ''] : ofProgram[table]
    const columns = tables[table].map((c) => `${table}.${c}`).join(', ')
    const key = `${table}.key`
    const sql = `SELECT ${columns} FROM ${from} WHERE ${where}${key} > ? ORDER BY ${key} LIMIT 1000`
    for (let last = ''; ; ) {
      const rows = await this.database.all(sql, [...(where === '' ? [] : [program!]), last])
      if (rows.length === 0) return
      last = String(rows[rows.length - 1]!['key']) // there is one
      for (const row of rows) yield fromRow(row)
    }
  }

  /** Removes what is asked for, and candidates, programs and devices that nothing is left of; how many records went. */
  async prune({ before, keep, compiler }: PruneOptions): Promise<number> {
    return this.database.transaction(async (db) => {
      let gone = 0
      if (before !== undefined) gone += await removeReadings(db, 'r.taken < ?', [before])
      if (keep !== undefined) gone += await removeReadings(db, `r.key IN (${beyondNewest})`, [keep, keep])
      if (compiler !== undefined) gone += await db.run('DELETE FROM results WHERE compiler <> ?', [compiler])
      return gone
    })
  }

  close(): Promise<void> {
    return this.database.close()
  }
}

/** Keys of readings that are not among so many newest of a candidate on a device. */
const beyondNewest = `SELECT key FROM (SELECT n.key, ROW_NUMBER() OVER
  (PARTITION BY n.candidate, n.device ORDER BY n.taken DESC, n.key) AS place FROM
  (SELECT candidate, device FROM readings GROUP BY candidate, device HAVING COUNT(*) > ?) many
  JOIN readings n ON n.candidate = many.candidate AND n.device = many.device) AS placed WHERE place > ?`

/**
 * Removes readings, and what is left of nothing by that; all of it costs as much as what goes, not as what stays. The
 * oldest of a candidate on a device go first, so that the last one changes only where none stays.
 */
async function removeReadings(db: Statements, which: string, values: readonly SqlValue[]): Promise<number> {
  await db.run(
    `CREATE TEMPORARY TABLE going AS SELECT r.key, r.candidate, r.device, c.program FROM readings r
     JOIN candidates c ON c.key = r.candidate WHERE ${which}`,
    values,
  )
  let gone = await db.run('DELETE FROM readings WHERE key IN (SELECT key FROM going)')
  await db.run(
    `INSERT INTO tallies (program, device, readings, last)
     SELECT program, device, -COUNT(*), '' FROM going WHERE 1 = 1 GROUP BY program, device
     ON CONFLICT (program, device) DO UPDATE SET readings = tallies.readings + excluded.readings`,
  )
  await db.run('DELETE FROM tallies WHERE readings = 0')
  gone += await db.run(
    `DELETE FROM candidates WHERE key IN (SELECT candidate FROM going)
     AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.candidate = candidates.key)
     AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.candidate = candidates.key)`,
  )
  gone += await db.run(
    `DELETE FROM programs WHERE key IN (SELECT program FROM going)
     AND NOT EXISTS (SELECT 1 FROM candidates c WHERE c.program = programs.key)`,
  )
  gone += await db.run(
    `DELETE FROM devices WHERE key IN (SELECT device FROM going)
     AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.device = devices.key)`,
  )
  await db.run('DROP TABLE going')
  return gone
}

/** Adds records within a transaction of the caller. */
export async function addTo(db: Statements, records: Records): Promise<number> {
  let added = 0
  for (const table of tableNames) {
    const rows = await addRows(db, table, records[table] ?? [])
    if (table === 'readings' && rows.length > 0) await count(db, rows as readonly ReadingRecord[]) // of that table
    added += rows.length
  }
  return added
}
