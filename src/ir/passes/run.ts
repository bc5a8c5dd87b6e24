// Runs passes. In: a step, a program, a context. Out: the program after the step. The one idea: without a trace a
// sequence is a fold over functions and nothing else happens; with one, each pass is timed, its change is noted, and
// its program is verified when the trace asks for it. The compiler's tests do so always.
import { InternalError } from '../../base/index.ts'
import type { Alternatives, Pass, PassContext, Route, PipelineStep, Translation } from './pass.ts'
import { Stopped, type PassTrace } from './trace.ts'

/** Defined as true where the compiler's own tests are built: every pass is verified there, traced or not. */
declare const TESELA_VERIFY_EACH: boolean | undefined
const isVerifiedAlways = typeof TESELA_VERIFY_EACH !== 'undefined' && TESELA_VERIFY_EACH

/** Runs all passes of `step` on `given`, in their order. */
export function runPasses<P, C extends PassContext>(step: PipelineStep<P, C>, given: P, context: C): P {
  if (step.kind === 'pass') return runPass(step, given, context)
  let p = given
  for (const s of step.steps) p = runPasses(s.step, p, context)
  return p
}

/** Runs one pass on `given`. */
export function runPass<P, C extends PassContext>(pass: Pass<P, C>, given: P, context: C): P {
  const { trace } = context
  if (!trace && !isVerifiedAlways) return pass.run(given, context)
  const started = performance.now(),
    first = trace?.records.length ?? 0,
    made = pass.run(given, context),
    ms = performance.now() - started
  const changed = made !== given && pass.of.isSame?.(given, made) !== true
  if (changed && (isVerifiedAlways || trace?.options.verifyEach)) verified(pass, given, made)
  trace?.note({
    pass: pass.name,
    summary: pass.summary,
    first,
    representation: pass.of.name,
    ms,
    changed,
    before: () => pass.of.print(given),
    after: () => pass.of.print(made),
  })
  if (trace?.options.stopAfter === pass.name) throw new Stopped(pass.name, pass.of.print(made))
  return made
}

/**
 * Translates `given` into another representation, which is verified whenever passes are. The trace keeps both texts.
 */
export function translate<A, B, C extends PassContext>(step: Translation<A, B, C>, given: A, context: C): B {
  const { trace } = context
  if (!trace && !isVerifiedAlways) return step.run(given, context)
  const started = performance.now(),
    made = step.run(given, context),
    ms = performance.now() - started
  if (isVerifiedAlways || trace?.options.verifyEach) verifiedAs(step, made, () => step.from.print(given))
  trace?.note({
    pass: step.name,
    summary: step.summary,
    first: trace.records.length,
    representation: step.to.name,
    translatedFrom: step.from.name,
    ms,
    changed: true,
    before: () => step.from.print(given),
    after: () => step.to.print(made),
  })
  if (trace?.options.stopAfter === step.name) throw new Stopped(step.name, step.to.print(made))
  return made
}

/** Runs a route from its start to its end. */
export function runRoute<A, B, C extends PassContext>(of: Route<A, B, C>, given: A, context: C): B {
  let at: unknown = given
  for (const { step } of of.steps)
    at = step.kind === 'translation' ? translate(step, at, context) : runPasses(step, at, context)
  return at as B // the last step gives it
}

/**
 * Verifies what a pass made. Throws an `InternalError` with the pass's name and the program before it, so that the
 * fault can be reproduced.
 */
function verified<P, C>(pass: Pass<P, C>, before: P, after: P): void {
  verifiedAs({ name: pass.name, to: pass.of }, after, () => pass.of.print(before))
}

function verifiedAs<B>(
  { name, to }: { readonly name: string; readonly to: Pick<Translation<never, B>['to'], 'verify'> },
  made: B,
  before: () => string,
): void {
  try {
    to.verify(made)
  } catch (e) {
    const why = e instanceof Error ? e.message : String(e)
    throw new InternalError(name, `it leaves a program that is not well formed: ${why}`, before())
  }
}

/** One of several ways to do something, made. */
export interface Way<W extends string, R> {
  readonly way: W
  readonly result: R
  /** What passes did on this way. */
  readonly trace?: PassTrace | undefined
}

/** The cheapest of the ways, the first of several that are equally cheap. The trace records the cost of each. */
export function cheapest<W extends string, R>(
  of: Alternatives<W>,
  subject: () => string,
  [first, ...others]: readonly [Way<W, R>, ...Way<W, R>[]],
  cost: (result: R) => number,
  trace?: PassTrace,
): Way<W, R> {
  if (others.length === 0) {
    if (first.trace) trace?.take(first.trace)
    return first
  }
  let best = first,
    least = cost(first.result)
  const costs = [{ way: first.way as string, cost: least }]
  for (const w of others) {
    const c = cost(w.result)
    costs.push({ way: w.way, cost: c })
    if (c < least) [best, least] = [w, c]
  }
  trace?.chose({
    alternatives: of.name,
    subject: subject(),
    taken: best.way,
    summary: of.ways[best.way],
    ways: costs,
  })
  if (best.trace) trace?.take(best.trace)
  return best
}
