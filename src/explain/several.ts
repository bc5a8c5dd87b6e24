// Several launches of one source as one report. In: launches, each with its entry. Out: `tesela.frame/1`, the dearest
// first. The one idea: what is given for all of them may be meant for some: a scalar or buffer that one kernel does not
// have is left out there, and refused only where no kernel has it.
import {
  applied,
  attempted,
  diagnosticLine,
  isInapplicable,
  type Diagnostic,
  type Inapplicable,
  type Span,
} from '../base/index.ts'
import { explain } from './explain.ts'
import type { FrameKernel, FrameReport } from './frame.ts'
import type { ExplainLaunch, ExplainOptions, ExplainReport, ExplainSource } from './types.ts'

export interface NamedLaunch {
  readonly entry: string
  readonly launch: ExplainLaunch
  /** How often it is launched; 1 when absent. */
  readonly times?: number
  /** Where the launch stands, for people. */
  readonly place?: string
  /** The same for programs: what a refusal of the launch points to. */
  readonly at?: Span
  /** Why it cannot be explained, where its text says so already. */
  readonly refused?: Diagnostic
}

/** Explains each. Throws what `explain` throws where a name that is given fits no launch, or where none can be run. */
export function explainSeveral(
  source: ExplainSource,
  launches: readonly NamedLaunch[],
  options: Omit<ExplainOptions, 'entry'>,
): FrameReport {
  const refusals: Refusals = new Map()
  let position = 0
  const kernels = launches.map((l): FrameKernel => {
    const dispatches = Array.from({ length: l.times ?? 1 }, () => position++)
    const common = { dispatches, shader: l.entry, pass: l.place ?? '', grid: l.launch.grid, contents: 1, explained: 1 }
    const report = l.refused ? { inapplicable: [l.refused] } : fitting(source, l, options, refusals)
    if (isInapplicable(report))
      return {
        ...common,
        explained: 0,
        ns: null,
        total: null,
        report: null,
        refused: report.inapplicable.map(diagnosticLine).join('; '),
      }
    const { ns } = report.prediction
    return { ...common, ns, total: ns * dispatches.length, report }
  })
  const explained = kernels.filter((k) => k.report !== null).length
  for (const { count, why } of refusals.values()) if (count >= Math.max(1, explained)) applied<never>(why)
  return {
    schema: 'tesela.frame/1',
    gpu: options.gpu.name,
    recorded: '',
    ns: kernels.reduce((n, k) => n + (k.total ?? 0), 0),
    dispatches: position,
    left: 0,
    kernels: kernels.sort((a, b) => (b.total ?? -1) - (a.total ?? -1)),
  }
}

/** Of each name that some kernel does not have: how often it was refused, and the first time in what words. */
type Refusals = Map<string, { readonly count: number; readonly why: Inapplicable }>

/** Explains one launch without the names that its kernel does not have. */
function fitting(
  source: ExplainSource,
  { entry, launch }: NamedLaunch,
  options: Omit<ExplainOptions, 'entry'>,
  refusals: Refusals,
): ExplainReport | Inapplicable {
  let now = launch
  for (;;) {
    const report = attempted(() => explain(source, now, { ...options, entry }))
    const name = isInapplicable(report) ? foreign(report) : null
    const less = name === null ? null : withoutName(now, name)
    if (!isInapplicable(report) || less === null || name === null) return report
    const before = refusals.get(name)
    refusals.set(name, { count: (before?.count ?? 0) + 1, why: report })
    now = less
  }
}

const unknownNames = ['explain.arg', 'explain.buffer', 'explain.override', 'explain.sampler']

/** The name that the kernel does not know. */
function foreign({ inapplicable: [first] }: Inapplicable): string | null {
  if (!first || !unknownNames.includes(first.code)) return null
  return /\bno (?:scalar|buffer|override|sampler|texture) '([^']+)'/.exec(first.message)?.[1] ?? null
}

function withoutName(launch: ExplainLaunch, name: string): ExplainLaunch | null {
  const parts = ['args', 'buffers', 'overrides', 'samplers'] as const
  const part = parts.find((p) => launch[p] && Object.hasOwn(launch[p], name))
  if (part === undefined) return null
  const left = Object.entries(launch[part] ?? {}).filter(([key]) => key !== name)
  return { ...launch, [part]: Object.fromEntries(left) }
}
