// Errors as answers. In: work that may fail. Out: its value, or what is wrong in words; faults of our own say so.
import { DiagnosticError } from 'tesela/explain'
import type { Answer, Problem } from './protocol.ts'

/** A refusal that flags mend. */
export class Mendable extends DiagnosticError {
  readonly flags: string
  constructor(diagnostic: DiagnosticError['diagnostics'][number], flags: string) {
    super([diagnostic])
    this.flags = flags
  }
}

export async function answered<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (e) {
    return { ok: false, problems: problemsOf(e) }
  }
}

/** Flags that mend what a code says. */
const mending: Readonly<Record<string, string>> = { 'site.double': '--precision f32', 'site.grid': '--grid 64' }

function problemsOf(e: unknown): readonly Problem[] {
  if (e instanceof DiagnosticError)
    return e.diagnostics.map((d) => ({
      message: d.message,
      hint: d.hint ?? null,
      line: d.at?.line ?? null,
      column: d.at?.column ?? null,
      flags: e instanceof Mendable ? e.flags : (mending[d.code] ?? null),
    }))
  const said = e instanceof Error ? e.message : String(e)
  return [
    {
      message: `Tesela failed here, which is its own fault: ${said.split('\n')[0]}`,
      hint: 'The address of this page holds all that is needed to see it again.',
      line: null,
      column: null,
      flags: null,
    },
  ]
}
