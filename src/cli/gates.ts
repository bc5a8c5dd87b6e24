// The gates of `tesela explain`: `--deny`, `--require`, `--baseline`. In: flags; later a report. Out: nothing, or one
// `Gate` with a sentence for all that failed. Flags are read before any work, so that a typo costs nothing.
import { fail } from '../base/index.ts'
import {
  hazardTexts,
  parseBaseline,
  parseRequirement,
  ruleTexts,
  unmet,
  worseThan,
  type ExplainReport,
  type Requirement,
} from '../explain/index.ts'
import { printable } from '../report/index.ts'
import { readSource } from './files.ts'
import { Gate } from './gate.ts'

export interface Gates {
  readonly deny: readonly string[]
  readonly requirements: readonly Requirement[]
  readonly baseline: { readonly file: string; readonly text: string; readonly tolerance: number } | null
}

const levels = ['note', 'warning', 'error'] as const
const rules = [...Object.keys(ruleTexts), ...Object.keys(hazardTexts)]

/** Throws `explain.deny` and `explain.require` for what is no gate, `cli.file` for a missing baseline. */
export function parseGates(flags: {
  readonly deny?: readonly string[]
  readonly require?: readonly string[]
  readonly baseline?: string
  readonly tolerance?: number
}): Gates {
  const deny = flags.deny ?? []
  const unknown = deny.find((d) => !levels.some((l) => l === d) && !rules.includes(d))
  if (unknown !== undefined)
    fail(
      'explain.deny',
      `--deny ${unknown} is no rule and no level`,
      undefined,
      `levels: ${levels.join(', ')}; rules: ${rules.join(', ')}`,
    )
  if (flags.tolerance !== undefined && flags.baseline === undefined)
    fail('explain.baseline', '--tolerance is of a --baseline, and there is none')
  return {
    deny,
    requirements: (flags.require ?? []).map(parseRequirement),
    baseline:
      flags.baseline === undefined
        ? null
        : { file: flags.baseline, text: readSource(flags.baseline), tolerance: flags.tolerance ?? 0.02 },
  }
}

/** What does not hold, if anything. Throws `explain.baseline` for a file that is no report. */
export function gate(gates: Gates, report: ExplainReport): Gate | undefined {
  const { baseline } = gates
  const failed = [
    ...gates.deny.flatMap((d) => denied(d, report)),
    ...gates.requirements.flatMap((q) => unmet(q, report).map((why) => `--require '${q.text}': ${why}`)),
    ...(baseline
      ? worseThan(parseBaseline(baseline.text, baseline.file, report), report, baseline.tolerance).map(
          (why) => `--baseline: ${why}`,
        )
      : []),
  ]
  return failed.length === 0 ? undefined : new Gate(failed.map((f) => `tesela: ${printable(f)}`).join('\n'))
}

/**
 * `note` denies every finding, `warning` warnings and worse, `error` hazards; what bounds the kernel is no finding of a
 * level.
 */
function denied(d: string, report: ExplainReport): string[] {
  const least = levels.findIndex((l) => l === d)
  const ofLevel = (f: ExplainReport['findings'][number]): boolean =>
    least >= 0 && f.rule !== 'SOLBottleneck' && f.rule !== 'HighPipeUtilization' && levels.indexOf(f.level) >= least
  const found =
    report.findings.filter((f) => f.rule === d || ofLevel(f)).length +
    report.hazards.filter((h) => h.kind === d || (least >= 0 && levels.indexOf(h.level) >= least)).length
  return found > 0 ? [`--deny ${d}: ${found} found`] : []
}
