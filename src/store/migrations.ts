// In: an open database. Out: the same with the tables of today. The one idea: tables change by a list of steps that
// only grows; a store knows how many it has seen, and two processes that open it at once take turns.
import { fail } from '../base/index.ts'
import type { Database, Statements } from './database.ts'
import { talliesOfAll } from './tallies.ts'

/** Each step once, in this order. A step that was published is never changed. */
const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE programs (key TEXT PRIMARY KEY, language TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL)`,
    `CREATE TABLE candidates (key TEXT PRIMARY KEY, program TEXT NOT NULL REFERENCES programs (key),
      target TEXT NOT NULL, choice TEXT NOT NULL)`,
    `CREATE TABLE devices (key TEXT PRIMARY KEY, name TEXT NOT NULL, body TEXT NOT NULL)`,
    `CREATE TABLE verdicts (key TEXT PRIMARY KEY, candidate TEXT NOT NULL REFERENCES candidates (key),
      ok INTEGER NOT NULL, body TEXT NOT NULL)`,
    `CREATE TABLE readings (key TEXT PRIMARY KEY, candidate TEXT NOT NULL REFERENCES candidates (key),
      device TEXT NOT NULL REFERENCES devices (key), ns DOUBLE PRECISION NOT NULL, spread DOUBLE PRECISION,
      samples INTEGER NOT NULL, taken TEXT NOT NULL, body TEXT NOT NULL)`,
    `CREATE TABLE results (key TEXT PRIMARY KEY, kind TEXT NOT NULL, compiler TEXT NOT NULL, body TEXT NOT NULL)`,
    `CREATE INDEX candidates_of ON candidates (program)`,
    `CREATE INDEX verdicts_of ON verdicts (candidate)`,
    `CREATE INDEX readings_of ON readings (candidate, device)`,
    `CREATE INDEX readings_on ON readings (device, taken)`,
  ],
  [
    `CREATE TABLE jobs (key TEXT PRIMARY KEY, kind TEXT NOT NULL, compiler TEXT NOT NULL, body TEXT NOT NULL,
      state TEXT NOT NULL, attempts INTEGER NOT NULL, ready DOUBLE PRECISION NOT NULL, worker TEXT, lease TEXT,
      why TEXT, added DOUBLE PRECISION NOT NULL, seconds DOUBLE PRECISION)`,
    `CREATE INDEX jobs_ready ON jobs (state, ready, added)`,
  ],
  [
    `ALTER TABLE jobs ADD COLUMN needs TEXT`,
    `CREATE INDEX jobs_needing ON jobs (needs)`,
    `CREATE TABLE invites (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, device TEXT NOT NULL, own INTEGER NOT NULL,
      expires DOUBLE PRECISION NOT NULL, faults INTEGER NOT NULL, blocked TEXT)`,
    `CREATE TABLE trials (key TEXT PRIMARY KEY, job TEXT NOT NULL REFERENCES jobs (key), candidate INTEGER NOT NULL,
      invite TEXT NOT NULL REFERENCES invites (key), state TEXT NOT NULL, began DOUBLE PRECISION NOT NULL,
      ready DOUBLE PRECISION NOT NULL, body TEXT NOT NULL)`,
    `CREATE INDEX trials_of ON trials (job, candidate)`,
    `CREATE INDEX trials_by ON trials (invite, state)`,
  ],
  // Of ten million readings: how many there are is kept, and one index has all that devices are compared by. It begins
  // with the candidate, whose readings come together, so that adding them touches few of its pages.
  [
    `CREATE TABLE tallies (program TEXT NOT NULL, device TEXT NOT NULL, readings INTEGER NOT NULL, last TEXT NOT NULL,
      PRIMARY KEY (program, device))`,
    `DROP INDEX readings_of`,
    `DROP INDEX readings_on`,
    `CREATE INDEX readings_in_order ON readings (candidate, device, taken, ns)`,
    talliesOfAll,
  ],
]

async function versionOf(db: Statements): Promise<number> {
  const [row] = await db.all('SELECT version FROM tesela_store')
  return Number(row?.['version'] ?? 0)
}

/** Brings the tables up to date. Throws a `DiagnosticError` where a newer Tesela has made them. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await db.run('CREATE TABLE IF NOT EXISTS tesela_store (version INTEGER NOT NULL)')
    const version = await versionOf(db)
    if (version > steps.length)
      fail('store.newer', `the store ${database.place} was made by a newer Tesela (tables of version ${version})`)
    if (version === steps.length) return
    for (const step of steps.slice(version)) for (const sql of step) await db.run(sql)
    await db.run('DELETE FROM tesela_store')
    await db.run('INSERT INTO tesela_store (version) VALUES (?)', [steps.length])
  })
}
