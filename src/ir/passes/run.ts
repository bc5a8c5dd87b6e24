// Runs passes. In: a step, a program, a context. Out: the program after the step. The one idea: without a trace a
// sequence is a fold over functions and nothing else happens; with one, each pass is timed, its change is noted, and
// its program is verified when the trace asks for it. The compiler's tests do so always.
import { InternalError } from '../../base/index.ts'
import type { Alternatives, Pass, PassContext, Step } from './pass.ts'
import { Stopped, type PassTrace } from './trace.ts'

/** Defined as true where the compiler's own tests are built: every pass is verified there, traced or not. */
declare const TESELA_VERIFY_EACH: boolean | undefined
const isVerifiedAlways = typeof TESELA_VERIFY_EACH !== 'undefined' && TESELA_VERIFY_EACH

/** `given` after all passes of `step`, in their order. */
export function runPasses<P, C extends PassContext>(step: Step<P, C>, given: P, context: C): P {
  if (step.kind === 'pass') return runPass(step, given, context)
  let p = given
  for (const s of step.steps) p = runPasses(s.step, p, context)
  return p
}

/** `given` after one pass. */
export function runPass<P, C extends PassContext>(pass: Pass<P, C>, given: P, context: C): P {
  const { trace } = context
  if (!trace && !isVerifiedAlways) return pass.run(given, context)
  const started = performance.now(),
    made = pass.run(given, context),
    ms = performance.now() - started
  const changed = made !== given && pass.of.isSame?.(given, made) !== true
  if (changed && (isVerifiedAlways || trace?.options.verifyEach)) verified(pass, given, made)
  trace?.note({
    pass: pass.name,
    representation: pass.of.name,
    ms,
    changed,
    before: () => pass.of.print(given),
    after: () => pass.of.print(made),
  })
  if (trace?.options.stopAfter === pass.name) throw new Stopped(pass.name, pass.of.print(made))
  return made
}

/** Throws with the pass's name and the program before it, so that the fault can be run again. */
function verified<P, C>(pass: Pass<P, C>, before: P, after: P): void {
  try {
    pass.of.verify(after)
  } catch (e) {
    const why = e instanceof Error ? e.message : String(e)
    throw new InternalError(pass.name, `it leaves a program that is not well formed: ${why}`, pass.of.print(before))
  }
}

/** One of several ways to do something, made. */
export interface Way<W extends string, R> {
  readonly way: W
  readonly result: R
  /** What passes did on this way. */
  readonly trace?: PassTrace | undefined
}

/** The first of the ways that no other is cheaper than; the costs of all are noted. */
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
  trace?.chose({ alternatives: of.name, subject: subject(), taken: best.way, ways: costs })
  if (best.trace) trace?.take(best.trace)
  return best
}
