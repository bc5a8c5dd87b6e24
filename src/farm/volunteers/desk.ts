// Where browsers get trials and bring answers. In: an invitation and what the browser says. Out: a trial, or a refusal
// with its reason; ended jobs. The one idea: nothing that a browser says is believed that can be checked: whose trial
// it is, for which kind of device, whether the time can be, and elements of the result, which it is not told.
import { createHash, randomUUID } from 'node:crypto'
import { wrongSample, type CheckedTrial } from '../../tune/index.ts'
import type { Invite, MeasurableJob, TrialRecord, Trials, Volunteers } from '../../store/index.ts'
import { kindInBrowsers } from '../job/key.ts'
import type { EmittedCandidate } from '../job/run.ts'
import type { MeasureJob } from '../job/types.ts'
import { Refusal } from '../serve/guard.ts'
import { decide, wantsMore, type Decided, type Quorum, type Timed } from './quorum.ts'

/** What a page is given to do. */
export interface GivenTrial {
  readonly key: string
  readonly trial: CheckedTrial['trial']
  /** Elements of the result that it is asked for. */
  readonly check: readonly { readonly array: string; readonly index: number }[]
}

/** What a page is told of its link. */
export interface Welcome {
  readonly name: string
  readonly device: string
  readonly own: boolean
  readonly expires: number
  /** Browsers of strangers that must agree. */
  readonly needed: number
  /** A trial that is not heard of for so long is given to others. */
  readonly leaseMs: number
}

export interface DeskOptions {
  readonly volunteers: Volunteers
  readonly quorum: Quorum
  readonly leaseMs: number
}

type Body = Readonly<Record<string, unknown>>

/** A link whose answers were wrong so often is blocked. */
const mostFaults = 3
/** A link that let a trial of a candidate lapse so often does not get it again. */
const mostLapses = 3
/** Of the known elements, so many are asked for, each time others. */
const askedElements = 16
/** No device is so many times faster than the bound of the GPU that the job is for. */
const mostTimesTheBound = 20
/** Nobody has a trial for longer, milliseconds. */
const longestTrialMs = 600_000
/** A clock of the page and ours may differ, milliseconds. */
const slackMs = 1000
/** Characters of a device's name that are kept of what a browser says. */
const longestName = 200

export class Desk {
  private readonly options: DeskOptions
  /** What emitting gave, by its key: large, and asked for often. */
  private readonly emitted = new Map<string, readonly EmittedCandidate[]>()

  constructor(options: DeskOptions) {
    this.options = options
  }

  /** What the link is for. Throws a `Refusal` where that is not this browser's device. */
  welcome(invite: Invite, body: Body): Welcome {
    checkDevice(invite, body)
    const { name, device, own, expires } = invite
    return { name, device, own, expires, needed: this.options.quorum.needed, leaseMs: this.options.leaseMs }
  }

  /** The page is still at it. Throws a `Refusal` where the trial is not its own any more. */
  async renew(invite: Invite, body: Body, now: number): Promise<{ readonly held: true }> {
    await this.options.volunteers.transaction(async (trials) => {
      const trial = await heldTrial(trials, invite, body, now)
      const ready = Math.min(now + this.options.leaseMs, trial.began + longestTrialMs)
      await trials.renew(trial.key, ready)
    })
    return { held: true }
  }

  /** The next trial for this invitation; null where there is none. Throws a `Refusal`. */
  async lease(invite: Invite, body: Body, now: number): Promise<GivenTrial | null> {
    checkDevice(invite, body)
    return this.options.volunteers.transaction(async (trials) => {
      for (const job of await trials.jobs(kindInBrowsers(invite.device))) {
        const candidates = await this.candidatesOf(trials, job)
        const before = await trials.of(job.key)
        const index = candidates.findIndex((_, i) => this.isWanted(candidates, before, i, invite, now))
        const emitted = candidates[index]
        if (!emitted || 'how' in emitted) {
          await this.conclude(trials, job, candidates, before, now)
          continue
        }
        const key = randomUUID()
        const ready = now + this.options.leaseMs
        await trials.lease({ key, job: job.key, candidate: index, invite: invite.key, began: now, ready })
        const check = askedOf(emitted, key).map(({ array, index: at }) => ({ array, index: at }))
        return { key, trial: emitted.trial, check }
      }
      return null
    })
  }

  private isWanted(
    candidates: readonly EmittedCandidate[],
    all: readonly TrialRecord[],
    index: number,
    invite: Invite,
    now: number,
  ): boolean {
    if ('how' in candidates[index]!) return false
    const trials = all.filter((t) => t.candidate === index)
    const own = trials.filter((t) => t.invite === invite.key)
    if (own.some((t) => t.state !== 'leased') || own.length >= mostLapses) return false
    const others = trials.filter((t) => t.invite !== invite.key)
    if (decide(trials, this.options.quorum)) return false
    return invite.own || wantsMore(others, this.options.quorum, now)
  }

  /** Takes the answer of a trial. Throws a `Refusal` that says what is wrong with it. */
  async answer(invite: Invite, body: Body, now: number): Promise<{ readonly taken: true }> {
    const refusal = await this.options.volunteers.transaction(async (trials) => {
      const trial = await heldTrial(trials, invite, body, now)
      const job = await trials.job(trial.job)
      if (!job) throw new Refusal(409, 'the job of this trial has ended')
      const candidates = await this.candidatesOf(trials, job)
      const emitted = candidates[trial.candidate] as CheckedTrial // it was given out
      const taken = new Date(now).toISOString()
      const claimed = { adapter: namesIn(body['adapter']), browser: nameIn(body['browser']), invite: invite.name }
      const wrong = (why: string): Promise<void> => trials.end(trial.key, 'wrong', { why, taken, claimed })
      let refused: string | undefined
      if (typeof body['failed'] === 'string')
        await trials.end(trial.key, 'unbuilt', { why: body['failed'].slice(0, 500), taken, claimed })
      else {
        const timed = timedOf(body)
        refused =
          timed === undefined
            ? "'ns', 'min', 'spread', 'samples', 'repeats' and 'quantumNs' are numbers that a timer can give"
            : (impossible(timed, emitted, now - trial.began) ?? flaw(emitted, trial.key, body, invite))
        if (refused === undefined) await trials.end(trial.key, 'timed', { ...timed, taken, claimed })
        else await wrong(refused)
      }
      if (refused !== undefined) await trials.fault(invite.key, refused, mostFaults)
      await this.conclude(trials, job, candidates, await trials.of(job.key), now)
      return refused
    })
    if (refusal !== undefined) throw new Refusal(422, `this answer is not taken: ${refusal}`)
    return { taken: true }
  }

  /** Ends the job when all of its candidates are decided. */
  private async conclude(
    trials: Trials,
    job: MeasurableJob,
    candidates: readonly EmittedCandidate[],
    all: readonly TrialRecord[],
    now: number,
  ): Promise<void> {
    const { candidates: points, device } = job.body as MeasureJob & { readonly on: 'browser' } // of its kind
    const measured: object[] = []
    for (const [i, emitted] of candidates.entries()) {
      const outcome: Omit<Decided, 'taken'> | undefined =
        'how' in emitted
          ? emitted
          : decide(
              all.filter((t) => t.candidate === i),
              this.options.quorum,
            )
      if (!outcome) return
      measured.push({ points: points[i], taken: new Date(now).toISOString(), ...outcome })
    }
    const { key, kind, compiler } = job
    const seconds = (now - Math.min(now, ...all.map((t) => t.began))) / 1000
    const who = `${new Set(all.map((t) => t.invite)).size} browsers`
    await trials.complete({ key, kind, compiler, body: { device, target: 'wgsl', measured } }, who, seconds)
  }

  private async candidatesOf(trials: Trials, job: MeasurableJob): Promise<readonly EmittedCandidate[]> {
    const known = this.emitted.get(job.needs)
    if (known) return known
    const { candidates } = (await trials.result(job.needs)) as { readonly candidates: readonly EmittedCandidate[] }
    for (const old of [...this.emitted.keys()].slice(0, Math.max(0, this.emitted.size - 7))) this.emitted.delete(old)
    this.emitted.set(job.needs, candidates)
    return candidates
  }
}

/** The trial that is answered for. Throws a `Refusal` where it is not this link's, or over. */
async function heldTrial(trials: Trials, invite: Invite, body: Body, now: number): Promise<TrialRecord> {
  const trial = typeof body['trial'] === 'string' ? await trials.named(body['trial']) : undefined
  if (!trial || trial.invite !== invite.key) throw new Refusal(404, 'this trial was not given to this link')
  if (trial.state !== 'leased') throw new Refusal(409, 'this trial has been answered already')
  if (trial.ready <= now) throw new Refusal(409, 'this trial took too long and was given to others')
  return trial
}

// ── what is checked ───────────────────────────────────────────────────────────────────────────────────────────────

/** Every word of the kind must stand in what the adapter says of itself. */
function checkDevice({ device }: Invite, body: Body): void {
  const adapter = namesIn(body['adapter'])
  const words = Object.values(adapter).join(' ').toLowerCase()
  if (device.split(/\s+/).every((word) => words.includes(word))) return
  const own = words.trim() === '' ? 'does not say what it is' : `calls itself '${words.trim()}'`
  throw new Refusal(403, `this link is for '${device}', and the GPU of this browser ${own}`)
}

const nameIn = (value: unknown): string => (typeof value === 'string' ? value.slice(0, longestName) : '')

function namesIn(value: unknown): Readonly<Record<string, string>> {
  const given = typeof value === 'object' && value !== null ? (value as Body) : {}
  return Object.fromEntries(
    ['vendor', 'architecture', 'device', 'description'].map((name) => [name, nameIn(given[name])]),
  )
}

/** The elements that a trial asks for: which, its key decides. */
function askedOf({ samples }: CheckedTrial, key: string): CheckedTrial['samples'] {
  const rank = (i: number): string => createHash('sha256').update(`${key} ${i}`).digest('hex')
  const order = samples.map((_, i) => [rank(i), i] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  return order.slice(0, askedElements).map(([, i]) => samples[i]!) // of the list
}

function timedOf(body: Body): Omit<Timed, 'taken' | 'claimed'> | undefined {
  const number = (name: string, least: number, most: number): number | undefined => {
    const x = body[name]
    return typeof x === 'number' && Number.isFinite(x) && x >= least && x <= most ? x : undefined
  }
  const [ns, min] = [number('ns', 0, 1e13), number('min', 0, 1e13)]
  const [samples, repeats] = [number('samples', 1, 1000), number('repeats', 1, 1e6)]
  const [spread, quantumNs] = [number('spread', 0, 100), number('quantumNs', 0, 1e9)]
  const timer = (['timestamps', 'wall clock'] as const).find((t) => t === body['timer'])
  if (!ns || min === undefined || min > ns || !timer) return undefined
  if (samples === undefined || repeats === undefined || spread === undefined || quantumNs === undefined)
    return undefined
  return { ns, min, spread, samples, repeats, timer, quantumNs }
}

/** Why a time cannot be, in words: faster than any device, or longer than the page had the trial. */
function impossible(
  { min, ns, samples, repeats }: Omit<Timed, 'taken' | 'claimed'>,
  { boundNs }: CheckedTrial,
  heldMs: number,
): string | undefined {
  const least = boundNs / mostTimesTheBound
  if (min < least) return `${min} ns is faster than any device can be: it takes ${least.toFixed(0)} ns at least`
  const claimedMs = ((ns * samples * repeats) / 2) * 1e-6 // half of the samples took the median or longer
  return claimedMs > heldMs + slackMs
    ? `it says that it measured for ${claimedMs.toFixed(0)} ms, and had the trial for ${heldMs.toFixed(0)} ms`
    : undefined
}

/** What is wrong with the elements of the result. */
function flaw(emitted: CheckedTrial, key: string, body: Body, invite: Invite): string | undefined {
  const asked = askedOf(emitted, key)
  const { values } = body
  if (!Array.isArray(values) || values.length !== asked.length)
    return `'values' is a list of the ${asked.length} elements that were asked for`
  return wrongSample(asked, (_, i) => (typeof values[i] === 'number' ? values[i] : Number.NaN), invite.name)
}
