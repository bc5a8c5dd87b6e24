// In: a store. Out: all that is in it as lines of JSON (`tesela.store/1`), and back. The one idea: a line is a record
// with its table, in the order in which records name each other, so that stores of any size go through.
import { fail } from '../base/index.ts'
import { contentKey } from './key.ts'
import type { Records } from './records.ts'
import { tableNames, type RecordStore, type Table } from './store.ts'

/**
 * The lines of a store, the first of which says what it is; or of one program (its key) with its candidates, verdicts,
 * readings and their devices.
 */
export async function* storeLines(store: RecordStore, program?: string): AsyncGenerator<string> {
  yield JSON.stringify({ schema: 'tesela.store/1' })
  for (const table of tableNames)
    for await (const record of store.records(table, program)) yield JSON.stringify({ table, record })
}

/** Records of one transaction. */
const recordsAtOnce = 5000

/**
 * Adds lines to a store; how many records are new. Throws a `DiagnosticError` with the number of a line that is wrong.
 */
export async function addLines(
  store: RecordStore,
  lines: Iterable<string> | AsyncIterable<string>,
  file: string,
): Promise<number> {
  let number = 0,
    added = 0,
    waiting = 0
  let batch: Partial<Record<Table, object[]>> = {}
  const flush = async (): Promise<void> => {
    added += await store.add(batch as Records) // looked at line by line
    batch = {}
    waiting = 0
  }
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const wrong = (why: string): never => fail('store.line', `${file}:${number}: ${why}`)
    const value = parsed(line) ?? wrong('this is no line of JSON')
    if (number === 1) {
      if (value['schema'] !== 'tesela.store/1') wrong('this is no export of a store (tesela.store/1)')
      continue
    }
    const table = tableNames.find((t) => t === value['table']) ?? wrong(`there is no table '${String(value['table'])}'`)
    const record = value['record'] as Readonly<Record<string, unknown>> | undefined
    const why = flaw(table, record)
    if (why) wrong(why)
    ;(batch[table] ??= []).push(record!) // has no flaw
    if (++waiting >= recordsAtOnce) await flush()
  }
  await flush()
  return added
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(line) as unknown
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** Why a record cannot be taken; keys of contents are worked out again, so that no line claims another's. */
function flaw(table: Table, record: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (typeof record !== 'object' || record === null || typeof record['key'] !== 'string') return 'a record has a key'
  if (table === 'results')
    return typeof record['kind'] === 'string' && typeof record['compiler'] === 'string'
      ? undefined
      : 'a result has a kind and a compiler'
  const { key, ...content } = record
  const own = contentKey(table === 'devices' ? content['body'] : content)
  return own === key ? undefined : `the key of this record is not that of its contents`
}
