// Several launches of one source as one report. In: launches, each with its entry. Out: `tesela.frame/1`, the dearest
// first. The one idea: what is given for all of them may be meant for some: a scalar or buffer that one kernel does not
// have is left out there, and refused only where no kernel has it.
import { diagnosticLine, DiagnosticError } from '../base/index.ts'
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
}

/** Explains each. Throws what `explain` throws where a name that is given fits no launch, or where none can be run. */
export function explainSeveral(
  source: ExplainSource,
  launches: readonly NamedLaunch[],
  options: Omit<ExplainOptions, 'entry'>,
): FrameReport {
  const refusals = new Map<string, { count: number; error: DiagnosticError }>()
  let position = 0
  const kernels = launches.map((l): FrameKernel => {
    const dispatches = Array.from({ length: l.times ?? 1 }, () => position++)
    const common = { dispatches, shader: l.entry, pass: l.place ?? '', grid: l.launch.grid }
    try {
      const report = fitting(source, l, options, refusals)
      const { ns } = report.prediction
      return { ...common, ns, total: ns * dispatches.length, report }
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      return {
        ...common,
        ns: null,
        total: null,
        report: null,
        refused: error.diagnostics.map(diagnosticLine).join('; '),
      }
    }
  })
  const explained = kernels.filter((k) => k.report !== null).length
  for (const { count, error } of refusals.values()) if (count >= Math.max(1, explained)) throw error
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

/** Explains one launch without the names that its kernel does not have. */
function fitting(
  source: ExplainSource,
  { entry, launch }: NamedLaunch,
  options: Omit<ExplainOptions, 'entry'>,
  refusals: Map<string, { count: number; error: DiagnosticError }>,
): ExplainReport {
  let now = launch
  for (;;) {
    try {
      return explain(source, now, { ...options, entry })
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      const name = foreign(error)
      const less = name === null ? null : withoutName(now, name)
      if (less === null || name === null) throw error
      const before = refusals.get(name)
      refusals.set(name, { count: (before?.count ?? 0) + 1, error })
      now = less
    }
  }
}

const unknownNames = ['explain.arg', 'explain.buffer', 'explain.override', 'explain.sampler']

/** The name that the kernel does not know. */
function foreign({ diagnostics: [first] }: DiagnosticError): string | null {
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
