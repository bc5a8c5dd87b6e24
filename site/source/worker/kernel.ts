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
import { explainInSteps, explainPage, type ExplainPage, type ExplainSteps } from 'tesela/html'
import type { Program } from './protocol.ts'

export const most = { bytes: 2 ** 30, steps: 6e7 } as const
export const files = { c: 'program.c', wgsl: 'kernel.wgsl', ptx: 'kernel.ptx' } as const

/** Throws a `DiagnosticError` where a launch has no grid. */
function gridOf({ grid }: Partial<ExplainLaunch>): ExplainLaunch['grid'] {
  if (grid) return grid
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'site.grid',
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

/** Throws a `DiagnosticError`. `step` hears what lines cost; what it waits for is waited for. */
export async function explainedPage(
  { text, options }: Pick<Program, 'text' | 'options'>,
  language: 'wgsl' | 'ptx',
  name: string,
  step: (lines: ExplainSteps['lines']) => Promise<void> = async () => {},
): Promise<ExplainPage> {
  const [source, launch, how] = asked(text, language, options, name)
  const { lines, rest } = explainInSteps(source, launch, how)
  await step(lines)
  const { report, view } = rest()
  return explainPage(report, view, how.gpu)
}
