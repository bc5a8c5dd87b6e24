// What a pass is: a named rewrite of one representation of a program, with a sentence and the analyses that it asks.
// Orders of passes are data, with the reason for each place that matters; so are ways that are compared by a cost. The
// one idea: what a compiler does in which order can be read, listed and traced. Passes are pure, and give back the same
// object when they changed nothing; `run.ts` runs them. In front of each declaration stands an example in a comment,
// `Before:` and `After:`, which tests run (`tools/pass-examples.ts`) and bundles leave out.
import { same } from '../../base/index.ts'
import type { PassTrace } from './trace.ts'

/** A representation of programs: what its values look like as text, and when one is well formed. */
export interface Representation<P> {
  /** As in "C" or "LoopIR". */
  readonly name: string
  print(p: P): string
  /** Throws when `p` is not well formed. */
  verify(p: P): void
  /** The text of an example as a value, with what passes ask of their surroundings. */
  read(text: string): Opened<P> | Promise<Opened<P>>
  /** Whether two values are one program; the same object when absent. */
  isSame?(a: P, b: P): boolean
}

export interface Opened<P> {
  readonly value: P
  readonly context: PassContext
}

/** What every pass is given beside its program. */
export interface PassContext {
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace | undefined
}

export interface Pass<P, C = PassContext> {
  readonly kind: 'pass'
  /** Its name in the literature, in lower case with hyphens. */
  readonly name: string
  /** One sentence: what it changes, and when. */
  readonly summary: string
  /** Analyses that it asks. */
  readonly needs: readonly string[]
  readonly of: Representation<P>
  /** The pass that this one is, where it is one over another representation. */
  readonly declared?: AnyPass
  /** The same object when nothing changed. */
  run(p: P, context: C): P
}

/** Any pass, for lists of them. */
export type AnyPass = Pass<unknown, unknown>

/** Passes one after the other. */
export interface Sequence<P, C = PassContext> {
  readonly kind: 'sequence'
  readonly name: string
  readonly summary: string
  readonly steps: readonly Placed<P, C>[]
}

/** A step of a sequence, and why it stands where it stands; absent where another place would do as well. */
export interface Placed<P, C> {
  readonly step: Step<P, C>
  readonly because?: string
}

export type Step<P, C = PassContext> = Pass<P, C> | Sequence<P, C>

/** Ways to do one thing, of which the cheapest is taken. */
export interface Alternatives<W extends string> {
  readonly kind: 'alternatives'
  readonly name: string
  readonly summary: string
  /** What each way does, by its name. */
  readonly ways: Readonly<Record<W, string>>
  /** What is compared, in words with its unit. */
  readonly cost: string
}

/** A pass as declared; `needs` may be left out when it asks nothing. */
export const pass = <P, C = PassContext>(
  declared: Omit<Pass<P, C>, 'kind' | 'needs'> & { readonly needs?: readonly string[] },
): Pass<P, C> => ({ kind: 'pass', needs: [], ...declared })

/** Steps with the reasons for their places: a step stands alone or in `because(reason, step)`. */
export const sequence = <P, C = PassContext>(
  name: string,
  summary: string,
  steps: readonly (Step<P, C> | Placed<P, C>)[],
): Sequence<P, C> => ({
  kind: 'sequence',
  name,
  summary,
  steps: steps.map((s) => ('step' in s ? s : { step: s })),
})

/** `step` with the reason why it stands where it stands. */
export const because = <P, C>(reason: string, step: Step<P, C>): Placed<P, C> => ({ step, because: reason })

export const alternatives = <W extends string>(declared: Omit<Alternatives<W>, 'kind'>): Alternatives<W> => ({
  kind: 'alternatives',
  ...declared,
})

/** `f`, giving back what it was given where it made an equal value anew. For passes that rebuild what they keep. */
export const keeping =
  <P, C>(f: (p: P, context: C) => P) =>
  (p: P, context: C): P => {
    const made = f(p, context)
    return same(p, made) ? p : made
  }

/** All passes of a step, in their order. */
export function passesIn<P, C>(step: Step<P, C>): readonly Pass<P, C>[] {
  return step.kind === 'pass' ? [step] : step.steps.flatMap((s) => passesIn(s.step))
}
