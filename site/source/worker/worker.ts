// The compiler in a thread of its own: what may take long or never end stays off the page, which ends the thread when
// it does. Optimizing and measuring are loaded when they are first asked for.
import { expose } from 'comlink'
import { explainHtml } from 'tesela/html'
import { answered } from './answers.ts'
import { explainedC } from './explaining.ts'
import { explainedPage } from './kernel.ts'
import type { Compiler, Explained, Heard, Part, Program } from './protocol.ts'

/** Rises when what is being explained is not wanted any more. */
let overtaken = 0

/** Lets messages of the page in, and ends what it has overtaken since `mine`. */
async function wanted(mine: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  if (mine !== overtaken) throw new Error('overtaken by a newer text')
}

async function explained(program: Program, gpu: string, of: Part, heard: (h: Heard) => void): Promise<Explained> {
  const mine = overtaken
  const step = (h: Heard | null): Promise<void> => {
    if (h) heard(h)
    return wanted(mine)
  }
  const { language } = program
  if (language === 'c') return explainedC(program, gpu, of, step)
  const page = await explainedPage(program, language, gpu, (lines) => step({ lines, rung: null }))
  return { page, rung: null }
}

const compiler: Compiler = {
  explain: (program, gpu, of, heard) => answered(() => explained(program, gpu, of, heard)),
  overtake: () => {
    overtaken++
  },
  optimize: (program, gpu, device, rung, progress) =>
    answered(async () => (await import('./optimizing.ts')).optimized(program, gpu, device, rung, progress)),
  explainFile: (program, gpu, of) =>
    answered(async () => {
      const { report, view, profile } = (await explained(program, gpu, of, () => {})).page
      return explainHtml(report, view, profile)
    }),
  optimizeFile: () => answered(async () => (await import('./optimizing.ts')).optimizedFile()),
  mend: (program, gpu) => answered(async () => (await import('./mending.ts')).mended(program, gpu)),
  experiment: (name, gpu, series, point) =>
    answered(async () => (await import('./experimenting.ts')).livePoint(name, gpu, series, point)),
  tune: (only, seconds, progress) =>
    answered(async () => (await import('./tuning.ts')).tunedHere(only, seconds, progress)),
  measure: (program, gpu) => answered(async () => (await import('./measuring.ts')).measured(program, gpu)),
}

expose(compiler)
