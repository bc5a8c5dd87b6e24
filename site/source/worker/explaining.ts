// C explained. In: C, which rung of its ladder, which of that rung's kernels. Out: what the page of `explain` shows, by
// the lines of the C. What was read last is kept: people look at several rungs of one program.
import { DiagnosticError, gpu } from 'tesela/explain'
import { explainCompiled, explainPage } from 'tesela/html'
import { KnownLaunches, ladderRung, type FoundRung, type Program as Loops, type RungKernel } from 'tesela/optimize'
import { Mendable } from './answers.ts'
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
  const { report, view } = withSmallerSizes(loops, () =>
    explainCompiled({ text: program.text, file: files.c }, chosen, {
      gpu: profile,
      maxBytes: most.bytes,
      maxSteps: most.steps,
    }),
  )
  return {
    page: explainPage(report, view, profile),
    rung: { ...heard, kernels: kernels.map((k) => k.kernel.name), kernel: at, wgsl: chosen.wgsl() },
  }
}

/** What a launch is refused with that is more than a page runs. */
const tooLarge = new Set(['simulate.steps', 'simulate.memory', 'explain.memory'])
/** Elements of a grid of all sizes that a page runs, mostly. */
const usual = 2 ** 22

/** Says that sizes are too large for a page, and which are not, where that is why `work` throws. */
function withSmallerSizes<T>(loops: Loops, work: () => T): T {
  try {
    return work()
  } catch (e) {
    const isTooLarge = e instanceof DiagnosticError && tooLarge.has(e.diagnostics[0]?.code ?? '')
    if (!isTooLarge || loops.sizes.length === 0) throw e
    const of = loops.sizes.map(({ name, planned }) => `${name} = ${planned.toLocaleString('en')}`).join(', ')
    throw new Mendable(
      {
        severity: 'error',
        code: 'site.size',
        message: `at ${of} a launch of this kernel is more than a page simulates`,
        hint: 'the ladder is there all the same; smaller sizes show this step in all views, and count alike a block',
      },
      smallerSizes(loops),
    )
  }
}

/** Half of the largest size, until few enough elements are left, at least once. */
function smallerSizes(loops: Loops): string {
  const sizes = new Map(loops.sizes.map(({ name, planned }) => [name, planned]))
  do {
    const [name, largest] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))
    sizes.set(name, Math.max(1, Math.floor(largest / 2)))
  } while ([...sizes.values()].reduce((product, n) => product * n, 1) > usual)
  return [...sizes].map(([name, n]) => `-D ${name}=${n}`).join(' ')
}

/** The kernel that takes longest. */
const longest = (kernels: readonly RungKernel[]): number =>
  kernels.reduce((best, k, i) => (k.ns > (kernels[best]?.ns ?? 0) ? i : best), 0)

function refuse(message: string): never {
  throw new DiagnosticError([{ severity: 'error', code: 'site.kernel', message }])
}
