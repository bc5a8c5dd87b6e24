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
  /** For instance "C" or "LoopIR". */
  readonly name: string
  print(p: P): string
  /** Throws when `p` is not well formed. */
  verify(p: P): void
  /** Whether two values are one program; the same object when absent. */
  isSame?(a: P, b: P): boolean
}

/** What every pass is given besides its program. */
export interface PassContext {
  /** Records what each pass does. */
  readonly trace?: PassTrace | undefined
  /** The GPU that the program is planned for; `measuredChip` when absent. */
  readonly chip?: Chip | undefined
  /** No loop in blocks of its iterations, whose kernels copy what they share: for devices with few buffers. */
  readonly isUnblocked?: boolean | undefined
}

export interface Pass<P, C = PassContext> {
  readonly kind: 'pass'
  /** Its name in the literature, in lower case with hyphens. */
  readonly name: string
  /** One sentence: what it changes, and when. */
  readonly summary: string
  /** The names of the analyses that it uses. */
  readonly needs: readonly string[]
  readonly of: Representation<P>
  /** The pass as it was declared, where this one is the same pass lifted to another representation. */
  readonly declared?: AnyPass
  /** The same object when nothing changed. */
  run(p: P, context: C): P
}

/** A step from one representation of a program to another: reading, lowering. */
export interface Translation<A, B, C = PassContext> {
  readonly kind: 'translation'
  readonly name: string
  /** One sentence: what it translates into what. */
  readonly summary: string
  /** The names of the analyses that it uses. */
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

/** A step of a sequence and the reason for its position; no reason where another position would do as well. */
export interface Placed<P, C> {
  readonly step: PipelineStep<P, C>
  readonly because?: string
}

export type PipelineStep<P, C = PassContext> = Pass<P, C> | Sequence<P, C>

/** Alternative ways to transform a program, of which the cheapest is taken. */
export interface Alternatives<W extends string> {
  readonly kind: 'alternatives'
  readonly name: string
  readonly summary: string
  /** What each way does, by its name. */
  readonly ways: Readonly<Record<W, string>>
  /** What is compared, in words with its unit. */
  readonly cost: string
}

/** Declares a pass. `needs` may be left out when it uses no analysis. */
export const pass = <P, C = PassContext>(
  declared: Omit<Pass<P, C>, 'kind' | 'needs'> & { readonly needs?: readonly string[] },
): Pass<P, C> => ({ kind: 'pass', needs: [], ...declared })

export const translation = <A, B, C = PassContext>(
  declared: Omit<Translation<A, B, C>, 'kind' | 'needs'> & { readonly needs?: readonly string[] },
): Translation<A, B, C> => ({ kind: 'translation', needs: [], ...declared })

/** A pipeline from an input through several representations. */
export interface Route<A, B, C = PassContext> {
  readonly kind: 'route'
  readonly name: string
  readonly summary: string
  /** Steps in their order; each takes what the one before gave, which `through` and `to` have checked. */
  readonly steps: readonly { readonly step: RouteStep; readonly because?: string }[]
  /** Appends a step on the last representation. */
  through(step: PipelineStep<B, C>, because?: string): Route<A, B, C>
  /** Appends a translation of the last representation into another one. */
  to<D>(step: Translation<B, D, C>, because?: string): Route<A, D, C>
}

type RouteStep = AnyTranslation | PipelineStep<unknown, unknown>

/** A route without steps, to which `through` and `to` add. */
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

/** Steps without a fixed order, which others apply one by one: the vocabulary of schedules. */
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

/** A step with the reason for its position in a sequence. */
export const because = <P, C>(reason: string, step: PipelineStep<P, C>): Placed<P, C> => ({ step, because: reason })

export const alternatives = <W extends string>(declared: Omit<Alternatives<W>, 'kind'>): Alternatives<W> => ({
  kind: 'alternatives',
  ...declared,
})

/**
 * `f`, except that it returns its argument where its result is equal to it: for passes that rebuild what they do not
 * change.
 */
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
