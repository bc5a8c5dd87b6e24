// In: where a store is: a file, or `postgres://…`. Out: the store, its tables up to date.
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { RecordStore } from './store.ts'

/** Opens a store; a file that is not there is made. Throws a `DiagnosticError`: `store.*`. */
export async function openStore(place: string): Promise<RecordStore> {
  const database = await (/^postgres(ql)?:\/\//.test(place) ? openPostgres(place) : openSqlite(place))
  try {
    await migrate(database)
  } catch (error) {
    await database.close().catch(() => undefined)
    throw error
  }
  return new RecordStore(database)
}
