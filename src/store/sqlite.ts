// In: the path of a file. Out: a `Database` on it: SQLite in this process, through the optional package `libsql`. The
// one idea: the log is written ahead (WAL), so that readers see what was there and a killed process leaves nothing half
// done; transactions take the right to write when they begin, and wait for it.
import { resolve } from 'node:path'
import { fail } from '../base/index.ts'
import { refuseFailure, type Database, type Row, type Statements, type SqlValue } from './database.ts'

/** The part of the package that is used. */
interface Driver {
  prepare(sql: string): {
    all(...values: readonly SqlValue[]): readonly Row[]
    run(...values: readonly SqlValue[]): { readonly changes: number }
  }
  exec(sql: string): unknown
  pragma(text: string): unknown
  close(): void
}

/** Milliseconds that a process waits for another's transaction, and how long of that it stands still at a time. */
const patienceMs = 60_000,
  stillMs = 50,
  openingMs = 20_000

/** Pages of a file that are kept: keys are hashes, so that what is added goes everywhere in its indexes. */
const cacheKibibytes = 65_536

/** Work on a file waits for other work of this process on it, by whichever of its connections. */
const lastOn = new Map<string, Promise<unknown>>()

async function load(path: string): Promise<new (path: string) => Driver> {
  const name = 'libsql' // a variable, so that bundlers leave the optional package alone
  try {
    const module = (await import(/* @vite-ignore */ name)) as { readonly default: new (path: string) => Driver }
    return module.default
  } catch {
    return fail('store.missing', `a store in ${path} needs the package libsql`, undefined, 'npm install libsql')
  }
}

/** Opens or makes the file. Throws a `DiagnosticError`: `store.*`. */
export async function openSqlite(path: string): Promise<Database> {
  const Driver = await load(path)
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      return refuseFailure(path, error)
    }
  }
  const db = guarded(() => {
    const opened = new Driver(path)
    opened.pragma(`busy_timeout = ${openingMs}`)
    opened.pragma('journal_mode = WAL')
    opened.pragma('synchronous = FULL') // what is done stays done when the power fails, too
    opened.pragma(`cache_size = -${cacheKibibytes}`)
    opened.prepare('SELECT name FROM sqlite_master').all()
    opened.pragma(`busy_timeout = ${stillMs}`)
    return opened
  })
  const statements: Statements = {
    all: async (sql, values = []) => guarded(() => db.prepare(sql).all(...values)),
    run: async (sql, values = []) => guarded(() => db.prepare(sql).run(...values).changes),
  }
  const file = resolve(path)
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const next = (lastOn.get(file) ?? Promise.resolve()).then(work, work)
    lastOn.set(
      file,
      next.catch(() => undefined),
    )
    return next
  }
  return {
    place: path,
    kind: 'sqlite',
    all: (sql, values) => queued(() => statements.all(sql, values)),
    run: (sql, values) => queued(() => statements.run(sql, values)),
    transaction: (work) => queued(() => transaction(db, guarded, statements, work)),
    close: () =>
      queued(async () => {
        try {
          db.pragma('wal_checkpoint(TRUNCATE)') // one file is left, where nobody else has it open
        } catch {
          // the log beside it is read by whoever opens it next
        }
        db.close()
      }),
  }
}

async function transaction<T>(
  db: Driver,
  guarded: <R>(work: () => R) => R,
  statements: Statements,
  work: (db: Statements) => Promise<T>,
): Promise<T> {
  await begun(db, guarded)
  try {
    const result = await work(statements)
    guarded(() => db.exec('COMMIT'))
    return result
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // a full disk has rolled back by itself
    }
    throw error
  }
}

/** Waits until no other process writes. */
async function begun(db: Driver, guarded: <R>(work: () => R) => R): Promise<void> {
  for (const start = performance.now(); ; ) {
    try {
      db.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      const busy = /SQLITE_BUSY/.test(String((error as { readonly code?: unknown }).code))
      if (!busy || performance.now() - start > patienceMs)
        guarded(() => {
          throw error
        })
      await new Promise((done) => setTimeout(done, 5 + 20 * Math.random()))
    }
  }
}
