// In: a `postgres://` address. Out: a `Database` on that server, through the optional package `pg`. The one idea: the
// same statements with numbered values; transactions that another one stands in the way of are tried again.
import { fail } from '../base/index.ts'
import { refuseFailure, type Database, type Row, type Statements, type SqlValue } from './database.ts'

interface Answer {
  readonly rows: readonly Row[]
  readonly rowCount: number | null
}
interface Client {
  query(sql: string, values?: readonly SqlValue[]): Promise<Answer>
  release(): void
}
interface Pool {
  query(sql: string, values?: readonly SqlValue[]): Promise<Answer>
  connect(): Promise<Client>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
}

async function load(place: string): Promise<new (options: object) => Pool> {
  const name = 'pg' // a variable, so that bundlers leave the optional package alone
  try {
    const module = (await import(/* @vite-ignore */ name)) as {
      readonly default: { readonly Pool: new (options: object) => Pool }
    }
    return module.default.Pool
  } catch {
    return fail('store.missing', `the store ${place} needs the package pg`, undefined, 'npm install pg')
  }
}

/** The address without name and password. */
const placeOf = (url: string): string => {
  try {
    const { host, pathname } = new URL(url)
    return `postgres://${host}${pathname}`
  } catch {
    return fail('store.address', 'the address of the store is not of the form postgres://user@host/database')
  }
}

/** `?` as PostgreSQL counts them. None of our statements has one in a text. */
const numbered = (sql: string): string => {
  let n = 0
  return sql.replace(/\?/g, () => `$${++n}`)
}

/** Serialization failures and deadlocks: the same again will do. */
const again = /^(40001|40P01)$/
/** Times that a transaction is tried when others interfere with it. */
const mostTries = 8

/** Opens the store on a server. Throws a `DiagnosticError`: `store.*`. */
export async function openPostgres(url: string): Promise<Database> {
  const place = placeOf(url)
  const Pool = await load(place)
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => undefined) // an idle connection that is cut is opened anew
  const on = (client: Pick<Client, 'query'>): Statements => ({
    all: async (sql, values = []) => (await client.query(numbered(sql), values)).rows,
    run: async (sql, values = []) => (await client.query(numbered(sql), values)).rowCount ?? 0,
  })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      return refuseFailure(place, error)
    }
  }
  const attempt = async <T>(work: (db: Statements) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock(7451)') // one writer at a time, as SQLite has it
      const result = await work(on(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }
  const transaction = async <T>(work: (db: Statements) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work)
      } catch (error) {
        if (tries >= mostTries || !again.test(String((error as { readonly code?: unknown }).code))) throw error
      }
    }
  }
  const statements = on(pool)
  return {
    place,
    kind: 'postgres',
    all: (sql, values) => guarded(() => statements.all(sql, values)),
    run: (sql, values) => guarded(() => statements.run(sql, values)),
    transaction: (work) => guarded(() => transaction(work)),
    close: () => pool.end(),
  }
}
