// A change of a source that may mend a finding or a hazard. In: nothing. Out: types, and how its launch changes. The
// one idea: rules propose changes freely; `fixes/trial.ts` compiles and runs each, and only what holds is shown.
import type { Dim3 } from '../../ir/index.ts'
import type { ExplainLaunch, ExplainReport } from '../types.ts'
import { textOffset, pathTo, type SourceCode, type Edit, type BlockStep } from './source-text.ts'

export interface FixCandidate {
  /** In the imperative, with lines where that helps. */
  readonly does: string
  readonly edits: readonly Edit[]
  /** The launch that the changed source needs. */
  readonly launch?: (launch: ExplainLaunch) => ExplainLaunch
  /** Blocks along each axis that one block of the changed launch does the work of; 1 × 1 × 1 when absent. */
  readonly merges?: Dim3
  /** Blocks of which results are compared, at most, where rounding of more would hide what differs; all when absent. */
  readonly comparable?: number
}

/** What rules propose from. */
export interface FixCase {
  readonly code: SourceCode
  readonly report: ExplainReport
}

/** What is written at a place, of accesses of one kind where several stand there. */
export const accessesAt = (
  { report }: FixCase,
  at: ExplainReport['accesses'][number]['at'],
): readonly ExplainReport['accesses'][number][] =>
  report.accesses.filter((a) => at !== null && a.at?.line === at.line && a.at.column === at.column)

/** The array of an access as the source names it. */
export function arrayIn({ code }: FixCase, access: ExplainReport['accesses'][number]): string | null {
  if (/^\w+$/.test(access.resource) && new RegExp(`\\b${access.resource}\\b`).test(code.bare)) return access.resource
  return /([A-Za-z_]\w*)\s*\[/.exec(access.text)?.[1] ?? null
}

/**
 * The statements around a place of a report; empty in other files. Compilers of CUDA give columns that lie before the
 * statement: then the first statement of the line is meant.
 */
export function pathOf(
  { code, report }: FixCase,
  place: ExplainReport['accesses'][number]['at'],
): readonly BlockStep[] {
  const at = place?.file === report.kernel.file ? textOffset(code.text, place) : null
  if (at === null) return []
  const path = pathTo(code, at)
  if (path.length > 1) return path
  const end = code.bare.indexOf('\n', at)
  const rest = code.bare.slice(at, end < 0 ? undefined : end)
  const open = rest.indexOf('{')
  const first = open < 0 ? -1 : rest.slice(open + 1).search(/\S/)
  return first < 0 ? [] : pathTo(code, at + open + 1 + first)
}
