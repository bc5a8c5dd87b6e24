// In: a store. Out: invitations to measure in a browser, and the trials that were given to them. The one idea: what
// strangers say stands in tables of its own, and becomes a result of a job only when somebody decides so, in one
// transaction with the answer that decided it (volunteer computing, as BOINC keeps results until a quorum is there).
import { fail } from '../base/index.ts'
import type { Row, Statements } from './database.ts'
import { completeIn, jobOf, type QueuedJob } from './queue.ts'
import type { ResultRecord } from './records.ts'
import type { RecordStore } from './store.ts'

export interface Invite {
  /** A hash of its token; the token itself is kept nowhere. */
  readonly key: string
  readonly name: string
  /** The kind of device that it may measure on, as jobs name it. */
  readonly device: string
  /** A browser of the farm's owner, whose reading counts without others'. */
  readonly own: boolean
  /** Milliseconds since 1970. */
  readonly expires: number
  /** Answers that were wrong. */
  readonly faults: number
  /** Why it may not go on; null where it may. */
  readonly blocked: string | null
}

/** `unbuilt`: the device could not run it; `wrong`: a wrong result, or a time that cannot be. */
export type TrialState = 'leased' | 'timed' | 'wrong' | 'unbuilt'

export interface TrialRecord {
  readonly key: string
  readonly job: string
  /** Position in the job's candidates. */
  readonly candidate: number
  readonly invite: string
  readonly own: boolean
  readonly state: TrialState
  /** Milliseconds since 1970: when it was leased, and until when. */
  readonly began: number
  readonly ready: number
  /** What was answered. */
  readonly body: unknown
}

/** A job that browsers measure, with the result of the job that it needs. */
export interface MeasurableJob extends QueuedJob {
  readonly needs: string
}

/** Jobs that one browser is offered to choose from. */
const jobsAtOnce = 50

/** What happens to trials within one transaction. */
export class Trials {
  private readonly db: Statements

  constructor(db: Statements) {
    this.db = db
  }

  /** Waiting jobs of a kind of which all is there that they need, the oldest first. */
  async jobs(kind: string): Promise<readonly MeasurableJob[]> {
    const rows = await this.db.all(
      `SELECT j.key, j.kind, j.compiler, j.body, j.needs FROM jobs j JOIN results r ON r.key = j.needs
       WHERE j.state = 'waiting' AND j.kind = ? ORDER BY j.added, j.key LIMIT ${jobsAtOnce}`,
      [kind],
    )
    return rows.map((row) => ({ ...jobOf(row), needs: String(row['needs']) }))
  }

  /** The job with that key, unless it has ended. */
  async job(key: string): Promise<MeasurableJob | undefined> {
    const rows = await this.db.all(
      `SELECT key, kind, compiler, body, needs FROM jobs WHERE key = ? AND state = 'waiting'`,
      [key],
    )
    return rows.map((row) => ({ ...jobOf(row), needs: String(row['needs']) }))[0]
  }

  async result(key: string): Promise<unknown> {
    const [row] = await this.db.all('SELECT body FROM results WHERE key = ?', [key])
    return row ? (JSON.parse(String(row['body'])) as unknown) : undefined
  }

  /** Trials of a job, in the order in which they were given. */
  async of(job: string): Promise<readonly TrialRecord[]> {
    const rows = await this.db.all(
      `SELECT t.key, t.job, t.candidate, t.invite, t.state, t.began, t.ready, t.body, i.own FROM trials t
       JOIN invites i ON i.key = t.invite WHERE t.job = ? ORDER BY t.began, t.key`,
      [job],
    )
    return rows.map(trialOf)
  }

  async named(key: string): Promise<TrialRecord | undefined> {
    const rows = await this.db.all(
      `SELECT t.key, t.job, t.candidate, t.invite, t.state, t.began, t.ready, t.body, i.own FROM trials t
       JOIN invites i ON i.key = t.invite WHERE t.key = ?`,
      [key],
    )
    return rows.map(trialOf)[0]
  }

  /** Gives a trial to an invite; what it had before and did not answer is over. */
  async lease(trial: Pick<TrialRecord, 'key' | 'job' | 'candidate' | 'invite' | 'began' | 'ready'>): Promise<void> {
    const { key, job, candidate, invite, began, ready } = trial
    await this.db.run(`UPDATE trials SET ready = ? WHERE invite = ? AND state = 'leased' AND ready > ?`, [
      began,
      invite,
      began,
    ])
    await this.db.run(
      `INSERT INTO trials (key, job, candidate, invite, state, began, ready, body)
       VALUES (?, ?, ?, ?, 'leased', ?, ?, 'null')`,
      [key, job, candidate, invite, began, ready],
    )
  }

  async renew(key: string, ready: number): Promise<void> {
    await this.db.run('UPDATE trials SET ready = ? WHERE key = ?', [ready, key])
  }

  async end(key: string, state: TrialState, body: unknown): Promise<void> {
    await this.db.run('UPDATE trials SET state = ?, body = ? WHERE key = ?', [state, JSON.stringify(body), key])
  }

  /** Notes a wrong answer; after `most` of them the invite is blocked, for the reason of the last. */
  async fault(invite: string, why: string, most: number): Promise<void> {
    await this.db.run('UPDATE invites SET faults = faults + 1 WHERE key = ?', [invite])
    await this.db.run('UPDATE invites SET blocked = ? WHERE key = ? AND blocked IS NULL AND faults >= ?', [
      why.slice(0, 500),
      invite,
      most,
    ])
  }

  /** Ends the job with what was decided. */
  async complete(result: ResultRecord, who: string, seconds: number): Promise<void> {
    await completeIn(this.db, result, who, seconds)
  }
}

export class Volunteers {
  private readonly store: RecordStore

  constructor(store: RecordStore) {
    this.store = store
  }

  /** Throws a `DiagnosticError` where the name is taken. */
  async add({ key, name, device, own, expires }: Omit<Invite, 'faults' | 'blocked'>): Promise<void> {
    await this.store.database.transaction(async (db) => {
      const known = await db.all('SELECT key FROM invites WHERE name = ?', [name])
      if (known.length > 0) fail('farm.invite', `there is an invitation called '${name}' already`)
      await db.run(
        'INSERT INTO invites (key, name, device, own, expires, faults, blocked) VALUES (?, ?, ?, ?, ?, 0, NULL)',
        [key, name, device, Number(own), expires],
      )
    })
  }

  async find(key: string): Promise<Invite | undefined> {
    return (await this.store.database.all('SELECT * FROM invites WHERE key = ?', [key])).map(inviteOf)[0]
  }

  async all(): Promise<readonly Invite[]> {
    return (await this.store.database.all('SELECT * FROM invites ORDER BY name')).map(inviteOf)
  }

  /** Ends an invitation. Throws a `DiagnosticError` where there is none of that name. */
  async revoke(name: string): Promise<void> {
    const changed = await this.store.database.run(
      `UPDATE invites SET blocked = COALESCE(blocked, 'it was revoked') WHERE name = ?`,
      [name],
    )
    if (changed === 0) fail('farm.invite', `there is no invitation called '${name}'`)
  }

  transaction<T>(work: (trials: Trials) => Promise<T>): Promise<T> {
    return this.store.database.transaction((db) => work(new Trials(db)))
  }
}

const inviteOf = (row: Row): Invite => ({
  key: String(row['key']),
  name: String(row['name']),
  device: String(row['device']),
  own: Number(row['own']) === 1,
  expires: Number(row['expires']),
  faults: Number(row['faults']),
  blocked: row['blocked'] === null ? null : String(row['blocked']),
})

const trialStates: readonly TrialState[] = ['leased', 'timed', 'wrong', 'unbuilt']

const trialOf = (row: Row): TrialRecord => ({
  key: String(row['key']),
  job: String(row['job']),
  candidate: Number(row['candidate']),
  invite: String(row['invite']),
  own: Number(row['own']) === 1,
  state: trialStates.find((s) => s === row['state']) ?? 'leased',
  began: Number(row['began']),
  ready: Number(row['ready']),
  body: JSON.parse(String(row['body'])) as unknown,
})
