// In: candidates, best first, and what builds and verifies one. Out: the first that is proved, and what became of those
// before it. The one idea: a candidate that fails its proof is never handed over, and never passed over in silence: it
// is a fault of the compiler that the user should see, above all where the plainest schedule is what is left.
import { attempted, fail, isInapplicable, whyInapplicable, type Inapplicable, type Span } from '../../base/index.ts'
import type { Verification } from './verify.ts'

/** A candidate that was not taken because of what it does. */
export interface Failed {
  /**
   * `wrong`: other results, a race or an access out of bounds; `unbuilt`: no kernel could be made or run; `device`:
   * other results on the device that measures.
   */
  readonly how: 'wrong' | 'unbuilt' | 'device'
  /** A sentence, with numbers. */
  readonly why: string
  /** Its choices, in words. */
  readonly schedule: string
  /** The place in the source that it is about, and a way out. */
  readonly at?: Span
  readonly hint?: string
}

export interface Proof<T> {
  readonly made: readonly T[]
  /** Position of what was proved. */
  readonly position: number
  readonly verified: Verification
  readonly failed: readonly Failed[]
}

/** What it takes to prove a candidate. */
export interface Prover<C, T> {
  /** Its plans, one per target. Throws a `DiagnosticError` when there can be none. */
  readonly make: (candidate: C) => readonly T[]
  /** What became of each of them. */
  readonly verify: (made: readonly T[]) => readonly Verification[]
  /** Its choices, in words. */
  readonly words: (candidate: C) => string
  readonly progress?: (done: number, total: number) => void
}

/**
 * The first candidate whose plans are all proved. Throws a `DiagnosticError` that says why the last one was not when
 * none is.
 */
export function firstProved<C, T>(name: string, candidates: readonly C[], prover: Prover<C, T>): Proof<T> {
  const failed: Failed[] = []
  for (const [position, candidate] of candidates.entries()) {
    prover.progress?.(position, candidates.length)
    const outcome = attempt(candidate, prover)
    if ('verified' in outcome) return { made: outcome.made, position, verified: outcome.verified, failed }
    failed.push(outcome)
  }
  const last = failed[failed.length - 1]
  return fail(
    last?.how === 'wrong' ? 'optimize.wrong' : 'optimize.unproved',
    `no kernel for ${name} could be proved: ${last?.why ?? 'no candidate could be built'}`,
    last?.at,
    last?.hint,
  )
}

/** What the user can do where the source itself stops on the data of the proof. */
const wayOut: Readonly<Record<string, string>> = {
  'interpret.out-of-bounds':
    'the proof makes up sizes and data: declare parameters with their lengths (float a[n + 2]), and keep ' +
    'subscripts that come from data or other parameters inside with if or a clamp',
  'interpret.uninitialised': 'give the variable a first value where it is declared',
  'interpret.steps':
    'the proof makes up data, which may never end a loop: give the loop a bound besides (i < n && …), or make ' +
    'constant sizes parameters so that the proof can take small ones',
}

/**
 * Its first message without its place, on one line; the lines below of a device that says what it was doing are left
 * out.
 */
export const sentenceOf = (refused: Inapplicable): string =>
  whyInapplicable(refused)
    .trim()
    .replace(/\s*\n[\s\S]*/, '')

/** What two plans of one program are proved with, at the sizes of the first. */
export function worseOf(a: Verification, b: Verification): Verification {
  const loose = [...new Set([...(a.loose ?? []), ...(b.loose ?? [])])],
    unreached = [...new Set([...(a.unreached ?? []), ...(b.unreached ?? [])])]
  return {
    ...a,
    maxRelativeError: Math.max(a.maxRelativeError, b.maxRelativeError),
    bound: Math.max(a.bound, b.bound),
    ...(loose.length > 0 && { loose }),
    ...(unreached.length > 0 && { unreached }),
  }
}

/** What becomes of one candidate: its plans, proved, or why it is not taken. */
export function attempt<C, T>(
  candidate: C,
  { make, verify, words }: Prover<C, T>,
): Failed | { readonly made: readonly T[]; readonly verified: Verification } {
  const outcome = attempted(() => {
    const made = make(candidate)
    return { made, checks: verify(made) }
  })
  if (isInapplicable(outcome)) return unbuilt(outcome, words(candidate))
  const { made, checks } = outcome
  const wrong = checks.find((v) => !v.ok)
  if (wrong) return { how: 'wrong', why: wrong.why ?? 'it computes something else', schedule: words(candidate) }
  return { made, verified: checks.reduce(worseOf) }
}

function unbuilt(refused: Inapplicable, schedule: string): Failed {
  const { at, hint, code } = refused.inapplicable[0] ?? {},
    way = hint ?? (code === undefined ? undefined : wayOut[code])
  return {
    how: 'unbuilt',
    why: sentenceOf(refused),
    schedule,
    ...(at && { at }),
    ...(way !== undefined && { hint: way }),
  }
}
