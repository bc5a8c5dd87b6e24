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
  /** `true`: its connection is not used again. */
  release(broken?: boolean): void
  on(event: 'error', listener: (error: Error) => void): void
}
interface Pool {
  query(sql: string, values?: readonly SqlValue[]): Promise<Answer>
  connect(): Promise<Client>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'connect', listener: (client: Client) => void): void
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

/** The server ended or begins anew (class 57), or the connection did. */
const lost = /^(57P0[123]|08...|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/
const lostInWords = /connection (?:terminated|ended|error|timeout)|not queryable/i
/** How long a server that was there once is waited for, and at most between two tries. */
const patienceMs = 30_000
const mostPauseMs = 1000

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? '')
const isLost = (error: unknown): boolean =>
  lost.test(codeOf(error)) || lostInWords.test((error as { readonly message?: string }).message ?? '')
/** A server that is there and takes no sessions yet: it looks through its log. */
const isBeginning = (error: unknown): boolean => codeOf(error) === '57P03'

/**
 * What is tried again when the server went away: every statement here may run twice, as its rows are named by what is
 * in them and steps of jobs by who has them.
 */
async function patiently<T>(work: () => Promise<T>, isPassing: (error: unknown) => boolean): Promise<T> {
  const end = performance.now() + patienceMs
  for (let pause = 50; ; pause = Math.min(2 * pause, mostPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() > end) throw error
    }
    await new Promise((done) => setTimeout(done, pause))
  }
}

/** Opens the store on a server. Throws a `DiagnosticError`: `store.*`. */
export async function openPostgres(url: string): Promise<Database> {
  const place = placeOf(url)
  const Pool = await load(place)
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => undefined) // an idle connection that is cut is opened anew
  pool.on('connect', (client) => client.on('error', () => undefined)) // one in use tells its next statement
  let wasThere = false
  const isPassing = (error: unknown): boolean => (wasThere ? isLost(error) : isBeginning(error))
  const on = (client: Pick<Client, 'query'>): Statements => ({
    all: async (sql, values = []) => (await client.query(numbered(sql), values)).rows,
    run: async (sql, values = []) => (await client.query(numbered(sql), values)).rowCount ?? 0,
  })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await patiently(work, isPassing)
      wasThere = true
      return result
    } catch (error) {
      return refuseFailure(place, error)
    }
  }
  const attempt = async <T>(work: (db: Statements) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let isBroken = false
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock(7451)') // one writer at a time, as SQLite has it
      const result = await work(on(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      isBroken = isLost(error)
      if (!isBroken) await client.query('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  const transaction = async <T>(work: (db: Statements) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work)
      } catch (error) {
        if (tries >= mostTries || !again.test(codeOf(error))) throw error
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
