// In: SQL that SQLite and PostgreSQL both read, `?` for values. Out: rows. The one idea: the store is written once for
// both; what differs (opening, transactions, the words of failures) is behind this interface.
import { fail } from '../base/index.ts'

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

/** What runs statements; within a transaction it is that transaction's. */
export interface Statements {
  /** The rows of a query. */
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
  /** How many rows a statement changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>
}

export interface Database extends Statements {
  /** Where it is, in words, without secrets. */
  readonly place: string
  readonly kind: 'sqlite' | 'postgres'
  /** All of it happens, or nothing; others see it whole. One at a time writes. */
  transaction<T>(work: (db: Statements) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What went wrong, by the codes that databases have for it. */
const failures: readonly (readonly [pattern: RegExp, code: string, sentence: string])[] = [
  [/SQLITE_NOTADB|SQLITE_CORRUPT|^XX00[12]$/, 'corrupt', 'is no store, or a damaged one'],
  [/SQLITE_FULL|^53100$/, 'full', 'cannot be written: the disk is full'],
  [/SQLITE_BUSY|SQLITE_LOCKED|^55P03$/, 'busy', 'is in use by another process for too long'],
  [/SQLITE_READONLY|^25006$/, 'readonly', 'cannot be written'],
  [/SQLITE_CANTOPEN|ConnectionFailed|^ECONNREFUSED$|^ENOTFOUND$|^ENOENT$|^28|^3D000$/, 'open', 'cannot be opened'],
  [/SQLITE_IOERR|^58/, 'io', 'cannot be read or written'],
]

/** Throws the failure as one sentence about the store; what is no failure of the database as it is. */
export function refuseFailure(place: string, error: unknown): never {
  const { code = '', message = String(error) } = error as { readonly code?: unknown; readonly message?: string }
  const found = failures.find(([pattern]) => pattern.test(String(code)) || pattern.test(message))
  if (!found) throw error
  const [, name, sentence] = found
  const detail = message.split('\n')[0]!.slice(0, 160)
  return fail(`store.${name}`, `the store ${place} ${sentence} (${detail})`)
}
