// A kernel explained. In: WGSL or PTX with the flags of its launch. Out: what the page of `explain` shows. Limits are
// lower than the command line's: a page has less memory.
import {
  DiagnosticError,
  gpu,
  launchOfFlags,
  type ExplainLaunch,
  type ExplainOptions,
  type ExplainSource,
} from 'tesela/explain'
import { explainPage, explainWithView, type ExplainPage } from 'tesela/html'

export const most = { bytes: 2 ** 30, steps: 6e7 } as const
export const files = { c: 'program.c', wgsl: 'kernel.wgsl', ptx: 'kernel.ptx' } as const

/** Throws a `DiagnosticError` where a launch has no grid. */
function gridOf({ grid }: Partial<ExplainLaunch>): ExplainLaunch['grid'] {
  if (grid) return grid
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'explain.grid',
      message: 'the launch does not say how many blocks there are',
      hint: 'write --grid 64, or --grid 64,64, into the field Flags',
    },
  ])
}

/** What `explain` is given for a text with the flags of its launch. Throws a `DiagnosticError`. */
export function asked(
  text: string,
  language: 'wgsl' | 'ptx',
  flags: string,
  name: string,
): readonly [ExplainSource, ExplainLaunch, ExplainOptions] {
  const { launch, entry, exact } = launchOfFlags(flags)
  return [
    { text, file: files[language], language },
    { ...launch, grid: gridOf(launch) },
    {
      gpu: gpu(name),
      maxBytes: most.bytes,
      maxSteps: most.steps,
      ...(entry !== undefined && { entry }),
      ...(exact && { exact }),
    },
  ]
}

/** Throws a `DiagnosticError`. */
export function explainedPage(text: string, language: 'wgsl' | 'ptx', flags: string, name: string): ExplainPage {
  const [source, launch, options] = asked(text, language, flags, name)
  const { report, view } = explainWithView(source, launch, options)
  return explainPage(report, view, options.gpu)
}
