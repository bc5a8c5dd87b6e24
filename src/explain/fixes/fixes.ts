// Mends a source step by step. In: a source and a launch as `explain` takes them. Out: `tesela.fixes/1`: what was
// changed, what each change gains, and the text. The one idea: a change counts only when it was made: the changed text
// is read, run on the same launch and explained again; what it gains is time before ÷ time after, outputs are compared,
// and a change that gains nothing or raises a hazard is left out.
import { attempted, isInapplicable } from '../../base/index.ts'
import { explain } from '../explain.ts'
import type { ExplainLaunch, ExplainOptions, ExplainReport, ExplainSource, Finding } from '../types.ts'
import { sharedAppends } from './appends.ts'
import { wholeUpdates } from './atomics.ts'
import { missedBarriers, missingBarriers } from './barriers.ts'
import type { FixCandidate, FixCase } from './candidate.ts'
import { guards } from './guards.ts'
import { exchangedAxes, largerBlocks } from './launches.ts'
import { paddedRows } from './padding.ts'
import { privateSums } from './private-sums.ts'
import { codeOf, edited } from './source-text.ts'
import { compared, sizedAs, type OutputComparison, type TrialRun } from './trial.ts'

type HazardJson = ExplainReport['hazards'][number]

export interface Fix {
  readonly mends: Finding['rule'] | HazardJson['kind']
  readonly at: HazardJson['at']
  /** What was done, in the imperative. */
  readonly does: string
  /** Predicted nanoseconds before and after. */
  readonly before: number
  readonly after: number
  /** Hazards that are gone. */
  readonly gone: number
  /** Values of buffers that were written, and how many differ: of hazards alone some may. */
  readonly outputs: OutputComparison | null
}

/** `tesela.fixes/1`. */
export interface FixReport {
  readonly schema: 'tesela.fixes/1'
  readonly file: string
  readonly gpu: string
  readonly before: ExplainReport
  readonly after: ExplainReport
  readonly fixes: readonly Fix[]
  /** The whole source with all of them. */
  readonly text: string
  /** The launch that the text needs. */
  readonly launch: Pick<ExplainReport['launch'], 'grid' | 'block'>
}

const limits = { rounds: 8, trials: 64 } as const
/** What a change must gain. */
const worthwhile = 1.03

/** `compiled`: a text of CUDA as a source; without it only WGSL is mended. Throws what `explain` throws. */
export function explainFixes(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: ExplainOptions,
  compiled?: (text: string) => ExplainSource,
): FixReport {
  const before = explain(source, launch, options)
  const mender = new Mender({ source, launch: sizedAs(launch, before) }, before, options, compiled)
  const fixes = mender.all()
  return {
    schema: 'tesela.fixes/1',
    file: source.file,
    gpu: before.gpu,
    before,
    after: mender.report,
    fixes,
    text: mender.now.source.text,
    launch: { grid: mender.report.launch.grid, block: mender.report.launch.block },
  }
}

/** A change that mends one hazard or finding of a report by itself, in the text that was explained. */
export interface Remedy {
  /** What of the report it mends, and its position there. */
  readonly of: 'hazard' | 'finding'
  readonly index: number
  readonly does: string
  readonly before: number
  readonly after: number
  /** Places in lines and columns from 1; `to` is behind the last character. */
  readonly edits: readonly { readonly from: Position; readonly to: Position; readonly text: string }[]
}

export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * For each hazard and finding of a report the first change of the text alone that mends it. What needs another launch
 * is left out. `compiled` as in `explainFixes`.
 */
export function explainRemedies(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: ExplainOptions,
  compiled?: (text: string) => ExplainSource,
): { readonly report: ExplainReport; readonly remedies: readonly Remedy[] } {
  const report = explain(source, launch, options)
  return {
    report,
    remedies: new Mender({ source, launch: sizedAs(launch, report) }, report, options, compiled).each(),
  }
}

interface Tried {
  readonly candidate: FixCandidate
  readonly run: TrialRun
  readonly report: ExplainReport
  readonly outputs: OutputComparison | null
}

class Mender {
  now: TrialRun
  report: ExplainReport
  private readonly options: ExplainOptions
  private readonly compiled: ((text: string) => ExplainSource) | undefined
  private readonly futile = new Set<string>()
  private left: number = limits.trials

  constructor(
    now: TrialRun,
    report: ExplainReport,
    options: ExplainOptions,
    compiled: ((text: string) => ExplainSource) | undefined,
  ) {
    this.now = now
    this.report = report
    this.options = options
    this.compiled = compiled
  }

  all(): readonly Fix[] {
    const fixes: Fix[] = []
    const { language } = this.now.source
    if (language === 'ptx' || (language === 'cuda' && !this.compiled)) return fixes
    for (let round = 0; round < limits.rounds; round++) {
      const fix = this.mendedHazard() ?? this.mendedFinding()
      if (!fix) break
      fixes.push(fix)
    }
    return fixes
  }

  each(): readonly Remedy[] {
    const { source } = this.now,
      here = this.case()
    if (source.language === 'ptx' || (source.language === 'cuda' && !this.compiled)) return []
    const remedy = (
      of: Remedy['of'],
      index: number,
      candidates: readonly FixCandidate[],
      holds: (t: Tried) => boolean,
    ): readonly Remedy[] => {
      for (const candidate of candidates.filter((c) => !c.launch)) {
        const tried = this.trial(candidate, of === 'finding')
        if (!tried || !holds(tried)) continue
        const edits = candidate.edits.map((e) => ({
          from: positionOf(source.text, e.from),
          to: positionOf(source.text, e.to),
          text: e.text,
        }))
        const before = this.report.prediction.ns
        return [{ of, index, does: candidate.does, before, after: tried.report.prediction.ns, edits }]
      }
      return []
    }
    return [
      ...this.report.hazards.flatMap((h, i) =>
        h.level === 'error' ? remedy('hazard', i, hazardCandidates(here, h), (t) => this.removes(t, h)) : [],
      ),
      ...this.report.findings.flatMap((f, i) => remedy('finding', i, findingCandidates(here, f), (t) => this.gains(t))),
    ]
  }

  private case(): FixCase {
    const { source } = this.now
    return { code: codeOf(source.text, source.language === 'cuda' ? 'cuda' : 'wgsl'), report: this.report }
  }

  private mendedHazard(): Fix | null {
    const here = this.case()
    for (const h of this.report.hazards) {
      const key = `${h.kind} ${JSON.stringify([h.at, h.other])} ${this.now.source.text.length}`
      if (h.level !== 'error' || this.futile.has(key)) continue
      for (const candidate of hazardCandidates(here, h)) {
        const tried = this.trial(candidate, false)
        if (tried && this.removes(tried, h)) return this.take(tried, h.kind, h.at)
      }
      this.futile.add(key)
    }
    return null
  }

  private mendedFinding(): Fix | null {
    const here = this.case()
    for (const f of this.report.findings) {
      const key = `${f.rule} ${JSON.stringify(f.at)} ${this.now.source.text.length}`
      if (this.futile.has(key)) continue
      const good = findingCandidates(here, f).flatMap((c) => {
        const tried = this.trial(c, true)
        return tried && this.gains(tried) ? [tried] : []
      })
      const [best] = good.sort((a, b) => a.report.prediction.ns - b.report.prediction.ns)
      if (best) return this.take(best, f.rule, f.at)
      this.futile.add(key)
    }
    return null
  }

  /**
   * The source with the change, explained on its launch; null where it cannot be, or where outputs must be equal and
   * are not.
   */
  private trial(candidate: FixCandidate, equal: boolean): Tried | null {
    const { source, launch } = this.now
    const text = candidate.edits.length === 0 ? source.text : edited(source.text, candidate.edits)
    if (text === null || (candidate.edits.length === 0 && !candidate.launch) || this.left-- <= 0) return null
    const changed = candidate.launch ?? ((l: ExplainLaunch): ExplainLaunch => l)
    const tried = attempted((): Tried => {
      const after = source.language === 'cuda' ? this.compiled!(text) : { ...source, text }
      const run = { source: after, launch: changed(launch) }
      const report = explain(after, run.launch, this.options)
      const outputs = compared(this.now, run, changed, candidate, this.report, this.options)
      return { candidate, run, report, outputs }
    })
    return isInapplicable(tried) || (equal && tried.outputs?.different !== 0) ? null : tried
  }

  /** Whether a hazard is gone and no other came. */
  private removes(tried: Tried, h: HazardJson): boolean {
    const left = errorsOf(tried.report, tried.run.source.text)
    const had = errorsOf(this.report, this.now.source.text)
    const own = keyOf(h, this.now.source.text)
    return !left.includes(own) && left.every((k) => had.includes(k))
  }

  private gains({ report, run }: Tried): boolean {
    const had = errorsOf(this.report, this.now.source.text)
    return (
      this.report.prediction.ns >= worthwhile * report.prediction.ns &&
      errorsOf(report, run.source.text).every((k) => had.includes(k))
    )
  }

  private take({ candidate, run, report, outputs }: Tried, mends: Fix['mends'], at: Fix['at']): Fix {
    const fix: Fix = {
      mends,
      at,
      does: candidate.does,
      before: this.report.prediction.ns,
      after: report.prediction.ns,
      gone: Math.max(0, errorCount(this.report) - errorCount(report)),
      outputs,
    }
    this.now = run
    this.report = report
    return fix
  }
}

/** Line and column of an offset, both from 1. */
function positionOf(text: string, at: number): Position {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

const errorCount = (r: ExplainReport): number => r.hazards.filter((h) => h.level === 'error').length

/** A hazard by its kind and the text of its lines, which move. */
function keyOf(h: HazardJson, text: string): string {
  const lines = text.split('\n')
  const said = [h.at, h.other].map((p) => (p ? statementText(lines[p.line - 1] ?? '', p.column) : ''))
  return [h.kind, ...said.sort()].join('\n')
}

/** What stands at a place up to the end of its statement, without blanks. */
const statementText = (line: string, column: number): string =>
  (line.slice(column - 1).split(';')[0] ?? '').replace(/\s+/g, '')

const errorsOf = (r: ExplainReport, text: string): readonly string[] =>
  r.hazards.filter((h) => h.level === 'error').map((h) => keyOf(h, text))

function hazardCandidates(c: FixCase, h: HazardJson): readonly FixCandidate[] {
  switch (h.kind) {
    case 'race':
      return [...wholeUpdates(c, h), ...(h.within === 'grid' ? [] : missingBarriers(c, h))]
    case 'uninitialized':
      return missingBarriers(c, h)
    case 'barrier-divergence':
      return missedBarriers(c, h)
    case 'out-of-bounds':
      return guards(c, h)
    case 'misaligned':
    case 'division-by-zero':
    case 'shift-too-far':
      return []
  }
}

function findingCandidates(c: FixCase, f: Finding): readonly FixCandidate[] {
  switch (f.rule) {
    case 'UncoalescedGlobalAccess':
      return exchangedAxes(c)
    case 'SharedMemoryConflicts':
    case 'UncoalescedSharedAccess':
      return paddedRows(c, f)
    case 'AtomicContention':
      return [...privateSums(c, f), ...sharedAppends(c, f)]
    case 'LaunchConfiguration':
      return largerBlocks(c)
    case 'MemoryCacheAccessPattern':
    case 'ThreadDivergence':
    case 'WorkloadImbalance':
    case 'Occupancy':
    case 'HighPipeUtilization':
    case 'SOLBottleneck':
      return []
  }
}
