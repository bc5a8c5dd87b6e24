// In: a failure. Out: one of two kinds of error: `Diagnostic`, the user's, and `InternalError`, ours. The one idea: the
// user's errors carry a place, a code, one sentence and a hint; ours carry a stage and how to reproduce. Diagnostics
// are values that passes collect and searches ask for (`Inapplicable`); `DiagnosticError` carries them over calls that
// cannot return them.
import { formatSpan, type Span } from './span.ts'

export type Severity = 'error' | 'warning' | 'note'

/**
 * Something the user should know about the input. `message` is one sentence without the place; `hint` says what to do.
 */
export interface Diagnostic {
  readonly severity: Severity
  /** Stable dotted name, for instance `c.not-affine`. */
  readonly code: string
  readonly message: string
  readonly at?: Span
  readonly hint?: string
}

/** `file:line:column: error: message [code]`, and the hint on a second line. */
export function formatDiagnostic(d: Diagnostic): string {
  const place = d.at ? `${formatSpan(d.at)}: ` : ''
  const hint = d.hint ? `\n  hint: ${d.hint}` : ''
  return `${place}${d.severity}: ${d.message} [${d.code}]${hint}`
}

/** The same in one line, for lists of what was refused. */
export const diagnosticLine = (d: Diagnostic): string => formatDiagnostic(d).replace(/\n\s*/g, '; ')

/** The user's input is bad: exit 2. Carries one or more diagnostics, the first error first. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[]
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'))
    this.name = 'DiagnosticError'
    this.diagnostics = diagnostics
  }
}

/** Throws a `DiagnosticError` with one error. */
export function fail(code: string, message: string, at?: Span, hint?: string): never {
  throw new DiagnosticError([{ severity: 'error', code, message, ...(at && { at }), ...(hint && { hint }) }])
}

/**
 * Why there is nothing: what does not apply, is too large or was refused, as a value for callers that try something
 * else then. Functions that return it begin with `try` where another one of the same name throws.
 */
export interface Inapplicable {
  /** At least one, the first error first. */
  readonly inapplicable: readonly Diagnostic[]
}

/** Says that something does not apply; an error where a person asked for it (`applied`). */
export const inapplicable = (code: string, message: string, at?: Span, hint?: string): Inapplicable => ({
  inapplicable: [{ severity: 'error', code, message, ...(at && { at }), ...(hint && { hint }) }],
})

export const isInapplicable = (x: object): x is Inapplicable => 'inapplicable' in x

/** What was made. Throws a `DiagnosticError` where nothing was. */
export function applied<T extends object>(made: T | Inapplicable): T {
  if (isInapplicable(made)) throw new DiagnosticError(made.inapplicable)
  return made
}

/** What was made, or `otherwise` where nothing was. */
export const appliedOr = <T extends object, U>(made: T | Inapplicable, otherwise: U): T | U =>
  isInapplicable(made) ? otherwise : made

/** The first of its sentences, without place and code. */
export const whyInapplicable = ({ inapplicable: [first] }: Inapplicable): string => first?.message ?? ''

/**
 * What `f` makes, or why it makes nothing. This is the border between code in which a step that does not apply ends all
 * of the work (a script of primitives, a front end, a run with limits) and code for which that is one of two answers.
 * Errors of ours go on.
 */
export function attempted<T extends object>(f: () => T): T | Inapplicable {
  try {
    return f()
  } catch (e) {
    return inapplicableFrom(e)
  }
}

/** The same of what takes a while. */
export async function attemptedAsync<T extends object>(f: () => Promise<T>): Promise<T | Inapplicable> {
  try {
    return await f()
  } catch (e) {
    return inapplicableFrom(e)
  }
}

function inapplicableFrom(e: unknown): Inapplicable {
  if (e instanceof DiagnosticError) return { inapplicable: e.diagnostics }
  throw e
}

/** A bug in Tesela. `stage` is the pass, `detail` the IR text or values that reproduce it. */
export class InternalError extends Error {
  readonly stage: string
  readonly detail: string
  constructor(stage: string, message: string, detail = '') {
    super(`internal error in ${stage}: ${message}${detail ? `\n${detail}` : ''}`)
    this.name = 'InternalError'
    this.stage = stage
    this.detail = detail
  }
}

/** For the end of an exhaustive `switch`: a compile error when a case is forgotten. */
export function unreachable(x: never): never {
  throw new InternalError('switch', `unexpected value ${JSON.stringify(x)}`)
}
