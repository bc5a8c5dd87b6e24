// In: why a launch cannot be counted, and hazards of the blocks that ran before. Out: one refusal that says both. The
// one idea: what keeps a kernel from ending is often the hazard itself, and is there whether it ends or not.
import type { Diagnostic, Inapplicable } from '../base/index.ts'
import type { ExplainReport } from './types.ts'

/** The refusal first, then what is amiss: `explain.race` and so on, at the places of the accesses. */
export function withHazards(refusal: Inapplicable, hazards: ExplainReport['hazards']): Inapplicable {
  const found = hazards
    .filter((h) => h.level === 'error')
    .map(
      (h): Diagnostic => ({
        severity: 'error',
        code: `explain.${h.kind}`,
        message: `before that: ${h.message}; for example ${h.example}`,
        hint: h.fix,
        ...(h.at && { at: h.at }),
      }),
    )
  return { inapplicable: [...refusal.inapplicable, ...found] }
}
