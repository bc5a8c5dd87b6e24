// What advice gains when it is followed. In: findings whose change of the source is known, and a way to run a changed
// text. Out: the findings with the gain of that run. The one idea: counts with a cause removed say what could be
// gained; where the change can be made, only making it says what is, and advice that gains nothing is not given.
import type { ExplainReport, Finding } from '../types.ts'
import { gainLevel } from '../what-if.ts'
import { sharedAppends } from './appends.ts'
import type { FixCandidate, FixCase } from './candidate.ts'
import { paddedRows } from './padding.ts'
import { privateSums } from './private-sums.ts'
import { codeOf, edited } from './source-text.ts'

/** A gain below which the kernel is as fast as before. */
const nothing = 1.02

/** `run`: predicted nanoseconds of a text on the same launch; null where it cannot be run. */
export function withRunGains(
  report: ExplainReport,
  text: string,
  run: (text: string) => number | null,
): readonly Finding[] {
  const here: FixCase = { code: codeOf(text, 'wgsl'), report }
  return report.findings.flatMap((f) => {
    const runs = f.scope === 'global' ? proposals(here, f).flatMap((c) => timed(here, c, run)) : []
    const [best] = runs.sort((a, b) => a.ns - b.ns)
    if (!best) return [f]
    const speedup = report.prediction.ns / best.ns
    if (speedup < nothing) return []
    const ran = `run so, it takes ${microseconds(best.ns)}`,
      fix = f.fix.startsWith(best.does) ? `${f.fix}; ${ran}` : `${best.does}: ${ran}; ${f.fix}`
    return [{ ...f, speedup, level: gainLevel(speedup), fix }]
  })
}

const microseconds = (ns: number): string => `${Number((ns / 1000).toPrecision(3))} µs`

interface Timed {
  readonly does: string
  readonly ns: number
}

function timed(
  { code }: FixCase,
  { edits, does }: FixCandidate,
  run: (text: string) => number | null,
): readonly Timed[] {
  const text = edits.length > 0 ? edited(code.text, edits) : null
  const ns = text === null ? null : run(text)
  return ns === null ? [] : [{ does, ns }]
}

function proposals(c: FixCase, f: Finding): readonly FixCandidate[] {
  if (f.rule === 'AtomicContention') return [...privateSums(c, f), ...sharedAppends(c, f)]
  if (f.rule === 'SharedMemoryConflicts' || f.rule === 'UncoalescedSharedAccess') return paddedRows(c, f)
  return []
}
