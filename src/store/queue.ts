// In: a store. Out: jobs that wait, are leased, done or dead. The one idea: a lease is a row, and a result is written
// in the transaction that ends its job; whoever is killed, and whenever, a job is done once in effect. Time is given.
import type { Row, Statements } from './database.ts'
import type { ResultRecord } from './records.ts'
import { addTo, type RecordStore } from './store.ts'

export interface QueuedJob {
  readonly key: string
  readonly kind: string
  readonly compiler: string
  readonly body: unknown
  /** The key of a job that must be done before; where that one is given up, this one is, too. */
  readonly needs?: string
}

export interface LeasedJob extends QueuedJob {
  /** What the worker shows to renew or end it. */
  readonly lease: string
  /** 1 for the first. */
  readonly attempt: number
}

/** `dead`: given up after too many attempts. */
export type JobState = 'waiting' | 'leased' | 'done' | 'dead'
export const jobStates: readonly JobState[] = ['waiting', 'leased', 'done', 'dead']

export interface QueueOptions {
  /** Milliseconds after which a lease that nobody renews is over. */
  readonly leaseMs: number
  /** A job that failed so often is dead. */
  readonly attempts: number
  /** Milliseconds before the second attempt; before each further one twice as many. */
  readonly backOffMs: number
}

/** What a worker can do. */
export interface Wanted {
  readonly worker: string
  readonly kinds: readonly string[]
  readonly compiler: string
}

export interface JobOutcome {
  readonly key: string
  readonly kind: string
  readonly state: JobState
  readonly attempts: number
  readonly why: string | null
  readonly worker: string | null
  readonly result?: unknown
}

const places = (list: readonly unknown[]): string => list.map(() => '?').join(', ')
/** Parameters of one statement; SQLite takes 32,766, and plans of long lists are slow. */
const keysAtOnce = 200
const whatItNeedsIsDone = '(needs IS NULL OR needs IN (SELECT key FROM results WHERE results.key = needs))'

export class Queue {
  private readonly store: RecordStore
  private readonly options: QueueOptions

  constructor(store: RecordStore, options: QueueOptions) {
    this.store = store
    this.options = options
  }

  /** Adds jobs that are not there; one whose result is known is done at once. Dead ones are tried again. */
  async add(jobs: readonly QueuedJob[], now: number): Promise<void> {
    await this.store.database.transaction(async (db) => {
      for (const { key, kind, compiler, body, needs = null } of jobs) {
        const [known] = await db.all('SELECT key FROM results WHERE key = ?', [key])
        const state: JobState = known ? 'done' : 'waiting'
        await db.run(
          `INSERT INTO jobs (key, kind, compiler, body, state, attempts, ready, added, needs)
           VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
          [key, kind, compiler, JSON.stringify(body), state, now, now, needs],
        )
        await db.run(`UPDATE jobs SET state = 'waiting', attempts = 0, ready = ? WHERE key = ? AND state = 'dead'`, [
          now,
          key,
        ])
      }
    })
  }

  /** The job that waits longest of those that the worker can do, for `leaseMs`. */
  async lease(wanted: Wanted, lease: string, now: number): Promise<LeasedJob | null> {
    return this.store.database.transaction(async (db) => {
      await this.endOverdue(db, now)
      const [row] = await db.all(
        `SELECT key, kind, compiler, body, attempts FROM jobs WHERE state = 'waiting' AND ready <= ? AND compiler = ?
         AND kind IN (${places(wanted.kinds)}) AND ${whatItNeedsIsDone} ORDER BY added, key LIMIT 1`,
        [now, wanted.compiler, ...wanted.kinds],
      )
      if (!row) return null
      const attempt = Number(row['attempts']) + 1
      await db.run(`UPDATE jobs SET state = 'leased', attempts = ?, ready = ?, worker = ?, lease = ? WHERE key = ?`, [
        attempt,
        now + this.options.leaseMs,
        wanted.worker,
        lease,
        row['key']!,
      ])
      return { ...jobOf(row), lease, attempt }
    })
  }

  /** Leases that nobody renewed: their jobs wait again, or are dead. */
  private async endOverdue(db: Statements, now: number): Promise<void> {
    const rows = await db.all(
      `SELECT key, attempts, worker FROM jobs WHERE state = 'leased' AND ready <= ? ORDER BY key LIMIT 100`,
      [now],
    )
    for (const row of rows) await this.failed(db, row, `${row['worker']} was not heard of any more`, now)
  }

  private async failed(db: Statements, row: Row, why: string, now: number): Promise<void> {
    const attempts = Number(row['attempts'])
    const { attempts: most, backOffMs } = this.options
    const state: JobState = attempts >= most ? 'dead' : 'waiting'
    const ready = now + backOffMs * 2 ** (attempts - 1)
    await db.run('UPDATE jobs SET state = ?, ready = ?, lease = NULL, why = ? WHERE key = ?', [
      state,
      ready,
      why.slice(0, 2000),
      row['key']!,
    ])
    if (state === 'dead')
      await db.run(`UPDATE jobs SET state = 'dead', why = ? WHERE needs = ? AND state = 'waiting'`, [
        `what it needs was given up: ${why}`.slice(0, 2000),
        row['key']!,
      ])
  }

  /** Whether the lease still holds; then for another `leaseMs`. */
  async renew(key: string, lease: string, now: number): Promise<boolean> {
    const ready = now + this.options.leaseMs
    const sql = `UPDATE jobs SET ready = ? WHERE key = ? AND lease = ? AND state = 'leased'`
    return (await this.store.database.run(sql, [ready, key, lease])) > 0
  }

  /**
   * Ends a job with its result. One whose lease is over is taken too, unless the job has ended: results are functions
   * of jobs. False where the job has ended, or was never there.
   */
  async complete(result: ResultRecord, worker: string, seconds: number): Promise<boolean> {
    return this.store.database.transaction((db) => completeIn(db, result, worker, seconds))
  }

  /** The job could not be done: it waits for its next attempt, or is dead. `final`: another attempt fails as well. */
  async fail(key: string, lease: string, why: string, final: boolean, now: number): Promise<boolean> {
    return this.store.database.transaction(async (db) => {
      const [row] = await db.all(`SELECT key, attempts FROM jobs WHERE key = ? AND lease = ? AND state = 'leased'`, [
        key,
        lease,
      ])
      if (!row) return false
      await this.failed(db, final ? { ...row, attempts: this.options.attempts } : row, why, now)
      return true
    })
  }

  /** What became of jobs, with the results of those that are done. */
  async outcomes(keys: readonly string[]): Promise<readonly JobOutcome[]> {
    const found: JobOutcome[] = []
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const some = keys.slice(from, from + keysAtOnce)
      const rows = await this.store.database.all(
        `SELECT j.key, j.kind, j.state, j.attempts, j.why, j.worker, r.body FROM jobs j
         LEFT JOIN results r ON r.key = j.key AND j.state = 'done' WHERE j.key IN (${places(some)})`,
        some,
      )
      found.push(...rows.map(outcomeOf))
    }
    return found
  }

  /** How many jobs are in each state, by kind. */
  async counts(): Promise<readonly { readonly kind: string; readonly state: JobState; readonly jobs: number }[]> {
    const rows = await this.store.database.all(
      'SELECT kind, state, COUNT(*) AS n FROM jobs GROUP BY kind, state ORDER BY kind, state',
    )
    return rows.map((r) => ({ kind: String(r['kind']), state: stateOf(r), jobs: Number(r['n']) }))
  }

  /** Jobs that were given up, with the reason, and those that are being done. */
  async named(state: 'dead' | 'leased', most: number): Promise<readonly JobOutcome[]> {
    const rows = await this.store.database.all(
      `SELECT key, kind, state, attempts, why, worker FROM jobs WHERE state = ? ORDER BY added, key LIMIT ${most}`,
      [state],
    )
    return rows.map(outcomeOf)
  }
}

/** Ends a job within a transaction of the caller (`Queue.complete`). */
export async function completeIn(
  db: Statements,
  result: ResultRecord,
  worker: string,
  seconds: number,
): Promise<boolean> {
  const changed = await db.run(
    `UPDATE jobs SET state = 'done', lease = NULL, why = NULL, worker = ?, seconds = ?
     WHERE key = ? AND kind = ? AND compiler = ? AND state IN ('waiting', 'leased', 'dead')`,
    [worker, seconds, result.key, result.kind, result.compiler],
  )
  if (changed > 0) await addTo(db, { results: [result] })
  return changed > 0
}

const stateOf = (row: Row): JobState => jobStates.find((s) => s === row['state']) ?? 'waiting'

export const jobOf = (row: Row): QueuedJob => ({
  key: String(row['key']),
  kind: String(row['kind']),
  compiler: String(row['compiler']),
  body: JSON.parse(String(row['body'])) as unknown,
})

function outcomeOf(row: Row): JobOutcome {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  const body = row['body'] ?? null
  return {
    key: String(row['key']),
    kind: String(row['kind']),
    state: stateOf(row),
    attempts: Number(row['attempts']),
    why: text('why'),
    worker: text('worker'),
    ...(body !== null && { result: JSON.parse(String(body)) as unknown }),
  }
}
