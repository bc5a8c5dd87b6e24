// What a pass is: a named rewrite of one representation of a program, with a sentence and the analyses that it asks. A
// translation makes another representation. Orders of passes are data, with the reason for each place that matters; so
// are ways that are compared by a cost. The one idea: what a compiler does in which order can be read, listed and
// traced. Passes are pure, and give back the same object when they changed nothing; `run.ts` runs them. In front of
// each declaration stands an example in a comment, `Before:` and `After:`, which tests run (`tools/pass-examples.ts`)
// and bundles leave out.
import { same } from '../../base/index.ts'
import type { Chip } from '../chip.ts'
import type { PassTrace } from './trace.ts'

/** A representation of programs: what its values look like as text, and when one is well formed. */
export interface Representation<P> {
  /** As in "C" or "LoopIR". */
  readonly name: string
  print(p: P): string
  /** Throws when `p` is not well formed. */
  verify(p: P): void
  /** Whether two values are one program; the same object when absent. */
  isSame?(a: P, b: P): boolean
}

/** What every pass is given beside its program. */
export interface PassContext {
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace | undefined
  /** The GPU that the program is planned for; `measuredChip` when absent. */
  readonly chip?: Chip | undefined
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

/** A step from one representation of a program to another: reading, lowering. */
export interface Translation<A, B, C = PassContext> {
  readonly kind: 'translation'
  readonly name: string
  /** One sentence: what it makes of what. */
  readonly summary: string
  /** Analyses that it asks. */
  readonly needs: readonly string[]
  readonly from: Representation<A>
  readonly to: Representation<B>
  run(a: A, context: C): B
}

/** Any pass or translation, for lists of them. */
export type AnyPass = Pass<unknown, unknown>
export type AnyTranslation = Translation<unknown, unknown, unknown>

/** Passes one after the other. */
export interface Sequence<P, C = PassContext> {
  readonly kind: 'sequence'
  readonly name: string
  readonly summary: string
  readonly steps: readonly Placed<P, C>[]
}

/** A step of a sequence, and why it stands where it stands; absent where another place would do as well. */
export interface Placed<P, C> {
  readonly step: PipelineStep<P, C>
  readonly because?: string
}

export type PipelineStep<P, C = PassContext> = Pass<P, C> | Sequence<P, C>

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

export const translation = <A, B, C = PassContext>(
  declared: Omit<Translation<A, B, C>, 'kind' | 'needs'> & { readonly needs?: readonly string[] },
): Translation<A, B, C> => ({ kind: 'translation', needs: [], ...declared })

/** The whole way of an input through several representations. */
export interface Route<A, B, C = PassContext> {
  readonly kind: 'route'
  readonly name: string
  readonly summary: string
  /** Steps in their order; each takes what the one before gave, which `through` and `to` have checked. */
  readonly steps: readonly { readonly step: RouteStep; readonly because?: string }[]
  /** The route with a step more on its last representation. */
  through(step: PipelineStep<B, C>, because?: string): Route<A, B, C>
  /** The route with its last representation made another. */
  to<D>(step: Translation<B, D, C>, because?: string): Route<A, D, C>
}

type RouteStep = AnyTranslation | PipelineStep<unknown, unknown>

/** A route without steps; a reason may stand with each step that is added. */
export const route = <A, C = PassContext>(name: string, summary: string): Route<A, A, C> => routeOf(name, summary, [])

function routeOf<A, B, C>(name: string, summary: string, steps: Route<A, B, C>['steps']): Route<A, B, C> {
  // what a step takes and gives is checked where it is added, and forgotten in the list
  const plus = (step: unknown, because?: string): Route<A, B, C>['steps'] => [
    ...steps,
    { step: step as RouteStep, ...(because !== undefined && { because }) },
  ]
  return {
    kind: 'route',
    name,
    summary,
    steps,
    through: (step, because) => routeOf(name, summary, plus(step, because)),
    to: (step, because) => routeOf(name, summary, plus(step, because)),
  }
}

/** Steps that are taken one by one, where and in which order others decide: the vocabulary of schedules. */
export interface Vocabulary {
  readonly kind: 'vocabulary'
  readonly name: string
  readonly summary: string
  /** What each does, by its name. */
  readonly words: Readonly<Record<string, string>>
}

/** Steps with the reasons for their places: a step stands alone or in `because(reason, step)`. */
export const sequence = <P, C = PassContext>(
  name: string,
  summary: string,
  steps: readonly (PipelineStep<P, C> | Placed<P, C>)[],
): Sequence<P, C> => ({
  kind: 'sequence',
  name,
  summary,
  steps: steps.map((s) => ('step' in s ? s : { step: s })),
})

/** `step` with the reason why it stands where it stands. */
export const because = <P, C>(reason: string, step: PipelineStep<P, C>): Placed<P, C> => ({ step, because: reason })

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
export function passesIn<P, C>(step: PipelineStep<P, C>): readonly Pass<P, C>[] {
  return step.kind === 'pass' ? [step] : step.steps.flatMap((s) => passesIn(s.step))
}
