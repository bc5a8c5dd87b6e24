// In: what browsers answered for one candidate. Out: what is taken for true, or nothing yet. The one idea is a quorum
// (BOINC: Anderson 2004): a stranger's word counts when enough others, each with a link of its own, say the same; a
// browser of the owner's needs no others.
import type { TrialRecord } from '../../store/index.ts'

export interface Quorum {
  /** So many browsers of strangers must agree; at least 2. */
  readonly needed: number
  /** Times agree when the largest is at most so many times the smallest; more than 1. */
  readonly within: number
}

export const usualQuorum: Quorum = { needed: 3, within: 1.25 }

/** After so many times the quorum of answers that do not agree, the candidate is given up. */
const mostQuorums = 3

/** What a browser says of a candidate that it timed. All times in nanoseconds. */
export interface Timed {
  readonly ns: number
  readonly min: number
  readonly spread: number
  readonly samples: number
  readonly repeats: number
  readonly timer: 'timestamps' | 'wall clock'
  readonly quantumNs: number
  readonly taken: string
  /** What the browser and its adapter call themselves. */
  readonly claimed: unknown
}

/** A time with how many said so, or why there is none. */
export type Decided =
  | (Timed & { readonly agreed: number; readonly of: number })
  | { readonly how: 'device' | 'unbuilt'; readonly why: string; readonly taken: string }

type Answered = TrialRecord & { readonly state: 'timed' | 'wrong' | 'unbuilt' }
const isAnswered = (t: TrialRecord): t is Answered => t.state !== 'leased'

/** What is known of a candidate from its trials; nothing where more answers are needed. */
export function decide(trials: readonly TrialRecord[], { needed, within }: Quorum): Decided | undefined {
  const answers = trials.filter(isAnswered)
  const counted = answers.some((a) => a.own) ? answers.filter((a) => a.own) : answers
  const enough = counted === answers ? needed : 1
  const isMajority = (some: number): boolean => some >= enough && 2 * some > counted.length
  const group = largestGroup(
    counted.flatMap((a) => (a.state === 'timed' ? [a.body as Timed] : [])),
    within,
  )
  if (isMajority(group.length)) {
    const middle = group[Math.floor((group.length - 1) / 2)]!
    return { ...middle, agreed: group.length, of: counted.length }
  }
  for (const state of ['wrong', 'unbuilt'] as const) {
    const same = counted.filter((a) => a.state === state)
    if (isMajority(same.length)) return failed(state === 'wrong' ? 'device' : 'unbuilt', same)
  }
  return answers.length >= mostQuorums * needed
    ? { how: 'unbuilt', why: `${answers.length} browsers do not agree on it`, taken: takenOf(answers) }
    : undefined
}

/** Whether another browser should try a candidate that is not decided: those that are at it may be enough. */
export function wantsMore(trials: readonly TrialRecord[], { needed }: Quorum, now: number): boolean {
  const answers = trials.filter(isAnswered).length
  const underWay = trials.filter((t) => t.state === 'leased' && t.ready > now).length
  return answers < needed ? answers + underWay < needed : underWay === 0
}

/** The most times of which none is more than `within` times another, in order. */
function largestGroup(times: readonly Timed[], within: number): readonly Timed[] {
  const sorted = [...times].sort((a, b) => a.ns - b.ns)
  const groups = sorted.map((first, i) => sorted.slice(i).filter((t) => t.ns <= within * first.ns))
  return groups.reduce((best, g) => (g.length > best.length ? g : best), [])
}

function failed(how: 'device' | 'unbuilt', answers: readonly Answered[]): Decided {
  const { why } = answers[0]!.body as { readonly why: string } // as `answer` keeps it
  return { how, why, taken: takenOf(answers) }
}

const takenOf = (answers: readonly Answered[]): string =>
  (answers[answers.length - 1]!.body as { readonly taken: string }).taken // as `answer` keeps it
