// C made fast. In: C, a GPU, who hears of rungs and progress. Out: what the page of `optimize` shows. The report is
// kept for the file that may be asked for.
import { parseWgsl } from 'tesela/explain'
import { optimizeHtml, optimizePage, type OptimizePage } from 'tesela/html'
import { gpu, openMeasurer, optimize, outputFiles, PassTrace, type OptimizeReport } from 'tesela/optimize'
import { files } from './kernel.ts'
import { heardRung } from './rung.ts'
import { flagsOfC } from './flags.ts'
import { programOf } from './program.ts'
import type { HeardRung, Program, Progress } from './protocol.ts'

const targets = ['wgsl', 'cuda'] as const

let last: { readonly report: OptimizeReport; readonly source: string } | undefined

/** Throws a `DiagnosticError`. `device`: measures on WebGPU, too. */
export async function optimized(
  program: Program,
  name: string,
  device: boolean,
  rung: (r: HeardRung) => void,
  progress: (p: Progress) => void,
): Promise<OptimizePage> {
  const trace = new PassTrace(),
    profile = gpu(name),
    { budget } = flagsOfC(program.options)
  const read = await programOf(program, files.c, trace)
  const measure = device ? await openMeasurer('webgpu') : null
  try {
    const result = await optimize(read, {
      gpu: profile,
      targets,
      readWgsl: parseWgsl,
      measure,
      trace,
      rung: (r) => rung(heardRung(r)),
      progress,
      ...(budget !== undefined && { budget, measured: budget }),
    })
    const report: OptimizeReport = {
      result,
      gpu: profile,
      file: files.c,
      folder: '',
      files: outputFiles(result, targets, files.c),
      trace,
    }
    last = { report, source: program.text }
    return optimizePage(report, program.text)
  } finally {
    measure?.close()
  }
}

/** The last report as one file. */
export function optimizedFile(): string {
  if (!last) throw new Error('nothing was optimized yet')
  return optimizeHtml(last.report, last.source)
}
