// C explained. In: C, which rung of its ladder, which of that rung's kernels. Out: what the page of `explain` shows, by
// the lines of the C. What was read last is kept: people look at several rungs of one program.
import { DiagnosticError, gpu } from 'tesela/explain'
import { explainCompiled, explainPage } from 'tesela/html'
import { KnownLaunches, ladderRung, type FoundRung, type Program as Loops, type RungKernel } from 'tesela/optimize'
import { files, most } from './kernel.ts'
import { programOf } from './program.ts'
import type { Explained, Heard, Part, Program } from './protocol.ts'
import { heardRung } from './rung.ts'

/** What launches of the last texts cost: most keys leave the kernels that they become as they were. */
const known = new KnownLaunches(24)

let last: { readonly text: string; readonly options: string; readonly loops: Promise<Loops> } | undefined

function loopsOf(program: Program): Promise<Loops> {
  const { text, options } = program
  if (last?.text !== text || last.options !== options) last = { text, options, loops: programOf(program, files.c) }
  return last.loops
}

/** Tells `step` of the rung as soon as it is known, then explains its kernel. Throws a `DiagnosticError`. */
export async function explainedC(
  program: Program,
  name: string,
  { rung: position, kernel }: Part,
  step: (h: Heard | null) => Promise<void>,
): Promise<Explained> {
  const profile = gpu(name)
  const loops = await loopsOf(program)
  await step(null)
  const found: FoundRung = await ladderRung(loops, { gpu: profile, targets: ['wgsl'], known }, position)
  const heard = heardRung(found)
  await step({ lines: heard.lines, rung: heard })
  if (heard.rung.refused !== null) return refuse(heard.rung.refused)
  const kernels = found.kernels()
  const at = kernel ?? longest(kernels),
    chosen = kernels[at]
  if (!chosen) return refuse('at these sizes there is nothing to launch')
  const { report, view } = explainCompiled({ text: program.text, file: files.c }, chosen, {
    gpu: profile,
    maxBytes: most.bytes,
    maxSteps: most.steps,
  })
  return {
    page: explainPage(report, view, profile),
    rung: { ...heard, kernels: kernels.map((k) => k.kernel.name), kernel: at, wgsl: chosen.wgsl() },
  }
}

/** The kernel that takes longest. */
const longest = (kernels: readonly RungKernel[]): number =>
  kernels.reduce((best, k, i) => (k.ns > (kernels[best]?.ns ?? 0) ? i : best), 0)

function refuse(message: string): never {
  throw new DiagnosticError([{ severity: 'error', code: 'site.kernel', message }])
}
