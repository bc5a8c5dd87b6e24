// In: an open database. Out: what is in it, and what is added, in one transaction. The one idea: records are never
// changed, only added and pruned; adding one that is there does nothing.
import type { Database, Row, Statements, Value } from './database.ts'
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

function toValue(column: string, value: unknown): Value {
  if (asJson.has(column)) return JSON.stringify(value ?? null)
  return typeof value === 'boolean' ? Number(value) : (value as Value) // texts, numbers and null
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

async function addRows(db: Statements, table: Table, records: readonly object[]): Promise<number> {
  const columns = tables[table]
  let added = 0
  for (let from = 0; from < records.length; from += rowsAtOnce) {
    const some = records.slice(from, from + rowsAtOnce)
    const places = some.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')
    const values = some.flatMap((r) => columns.map((c) => toValue(c, (r as Readonly<Record<string, unknown>>)[c])))
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places} ON CONFLICT DO NOTHING`
    added += await db.run(sql, values)
  }
  return added
}

/** A reading with what it is of. */
export interface FullReading {
  readonly reading: ReadingRecord
  readonly candidate: CandidateRecord
  readonly program: ProgramRecord
}

export interface PruneOptions {
  /** Readings taken before this (ISO 8601) go. */
  readonly before?: string
  /** So many readings of a candidate on a device stay, the newest. */
  readonly keep?: number
  /** Results of other compilers than this go. */
  readonly compiler?: string
}

export class Store {
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
      const [row] = await this.database.all(`SELECT COUNT(*) AS n FROM ${table}`)
      counts[table] = Number(row?.['n'] ?? 0)
    }
    return counts
  }

  /** Devices with how many readings they have, and when the last was taken. */
  async devices(): Promise<readonly (DeviceRecord & { readonly readings: number; readonly last: string | null })[]> {
    const rows = await this.database.all(
      `SELECT d.key, d.name, d.body, COALESCE(r.n, 0) AS readings, r.last FROM devices d LEFT JOIN
       (SELECT device, COUNT(*) AS n, MAX(taken) AS last FROM readings GROUP BY device) r ON r.device = d.key
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
      `SELECT p.key, p.language, p.name, COUNT(c.key) AS candidates, COALESCE(SUM(r.n), 0) AS readings
       FROM programs p LEFT JOIN candidates c ON c.program = p.key LEFT JOIN
       (SELECT candidate, COUNT(*) AS n FROM readings GROUP BY candidate) r ON r.candidate = c.key
       GROUP BY p.key, p.language, p.name ORDER BY p.language, p.name, p.key`,
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

  /** All records of a table, a page at a time, in the order of their keys. */
  async *records(table: Table): AsyncGenerator<object> {
    const sql = `SELECT ${tables[table].join(', ')} FROM ${table} WHERE key > ? ORDER BY key LIMIT 1000`
    for (let last = ''; ; ) {
      const rows = await this.database.all(sql, [last])
      if (rows.length === 0) return
      last = String(rows[rows.length - 1]!['key']) // there is one
      for (const row of rows) yield fromRow(row)
    }
  }

  /** Removes what is asked for, and candidates and programs that nothing is left of; how many records went. */
  async prune({ before, keep, compiler }: PruneOptions): Promise<number> {
    return this.database.transaction(async (db) => {
      let gone = 0
      if (before !== undefined) gone += await db.run('DELETE FROM readings WHERE taken < ?', [before])
      if (keep !== undefined)
        gone += await db.run(
          `DELETE FROM readings WHERE key IN (SELECT key FROM (SELECT key, ROW_NUMBER() OVER
           (PARTITION BY candidate, device ORDER BY taken DESC, key) AS place FROM readings) AS placed
           WHERE place > ?)`,
          [keep],
        )
      if (compiler !== undefined) gone += await db.run('DELETE FROM results WHERE compiler <> ?', [compiler])
      if (before === undefined && keep === undefined) return gone
      gone += await db.run(
        `DELETE FROM candidates WHERE key NOT IN (SELECT candidate FROM readings)
         AND key NOT IN (SELECT candidate FROM verdicts)`,
      )
      gone += await db.run('DELETE FROM programs WHERE key NOT IN (SELECT program FROM candidates)')
      return gone + (await db.run('DELETE FROM devices WHERE key NOT IN (SELECT device FROM readings)'))
    })
  }

  close(): Promise<void> {
    return this.database.close()
  }
}

/** Adds records within a transaction of the caller. */
export async function addTo(db: Statements, records: Records): Promise<number> {
  let added = 0
  for (const table of tableNames) added += await addRows(db, table, records[table] ?? [])
  return added
}
