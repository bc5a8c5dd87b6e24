// How many readings there are of each program on each device, and when the last was taken. In: readings that were
// added. Out: rows of a small table. The one idea: a sum that everyone asks for is kept with what it is a sum of, in
// the same transaction, so that no list counts millions of rows.
import type { Statements } from './database.ts'

interface NewReading {
  readonly candidate: string
  readonly device: string
  readonly taken: string
}

/**
 * Makes all of them, in an empty table. Candidates are the outer loop, an order that SQLite keeps of a cross join: the
 * readings of one were written together, while candidates are all over their table.
 */
export const talliesOfAll = `INSERT INTO tallies (program, device, readings, last)
  SELECT c.program, r.device, COUNT(*), MAX(r.taken) FROM candidates c CROSS JOIN readings r
  WHERE r.candidate = c.key GROUP BY c.program, r.device`

/** Parameters of one statement; SQLite takes 32,766, and plans of long lists are slow. */
const keysAtOnce = 200

/** Counts readings that are new. */
export async function count(db: Statements, readings: readonly NewReading[]): Promise<void> {
  const programs = await programsOf(db, [...new Set(readings.map((r) => r.candidate))])
  const sums = new Map<string, { program: string; device: string; readings: number; last: string }>()
  for (const { candidate, device, taken } of readings) {
    const program = programs.get(candidate)!
    const key = `${program} ${device}`
    const sum = sums.get(key) ?? { program, device, readings: 0, last: taken }
    sums.set(key, { ...sum, readings: sum.readings + 1, last: taken > sum.last ? taken : sum.last })
  }
  for (const sum of sums.values())
    await db.run(
      `INSERT INTO tallies (program, device, readings, last) VALUES (?, ?, ?, ?)
       ON CONFLICT (program, device) DO UPDATE SET readings = tallies.readings + excluded.readings,
       last = CASE WHEN excluded.last > tallies.last THEN excluded.last ELSE tallies.last END`,
      [sum.program, sum.device, sum.readings, sum.last],
    )
}

/** The programs of candidates, which are there: readings name them. */
async function programsOf(db: Statements, candidates: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; from < candidates.length; from += keysAtOnce) {
    const some = candidates.slice(from, from + keysAtOnce)
    const places = some.map(() => '?').join(', ')
    for (const row of await db.all(`SELECT key, program FROM candidates WHERE key IN (${places})`, some))
      found.set(String(row['key']), String(row['program']))
  }
  return found
}
