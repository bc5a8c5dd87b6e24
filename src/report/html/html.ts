// In: what `explain`, `optimize` and `study` found. Out: their pages. The one idea: a page carries the same report that
// `--json` prints, and what is drawn is made from it in the browser by the components beside this file.
import type { ExplainReport, ExplainView } from '../../explain/index.ts'
import type { BlockUse, GpuProfile } from '../../gpus/index.ts'
import type { PassTrace, StudyReport } from '../../ir/index.ts'
import { fidelityOf } from '../../model/index.ts'
import type { LadderRow } from '../../tune/index.ts'
import { explainLines } from '../explain.ts'
import { optimizeLines, type OptimizeReport } from '../optimize.ts'
import { plain } from '../paint.ts'
import { changesToShow, isShort } from '../passes.ts'
import { studyLines } from '../study.ts'
import { error, grouped } from '../words.ts'
import { htmlPage } from './page.ts'
import type { ExplainPage, OptimizePage, PassStep, Rung, StudyPage } from './pages/data.ts'

/** What the page of `explain` for one GPU shows. */
export function explainPage(report: ExplainReport, view: ExplainView, profile: GpuProfile): ExplainPage {
  const [x, y, z] = report.launch.block
  const use: BlockUse = { threads: x * y * z, registers: report.occupancy.registers.perThread, shared: view.shared }
  return { report, view, profile, use }
}

/** The page of `explain` for one GPU. */
export const explainHtml = (report: ExplainReport, view: ExplainView, profile: GpuProfile): string =>
  htmlPage(
    'explain',
    `${report.kernel.name}: explained`,
    explainPage(report, view, profile),
    explainLines(report, plain, 110),
  )

export const studyHtml = (report: StudyReport): string =>
  htmlPage('study', report.title, { report } satisfies StudyPage, studyLines(report, plain, 110))

/** Characters of all files of a page together. */
const mostText = 8e5

/** Long files end early, at a line, and say so: the whole is where it was written. */
export function shortened(files: OptimizePage['files']): OptimizePage['files'] {
  const short = files.filter((f) => f.text.length <= mostText / files.length),
    left = mostText - short.reduce((n, f) => n + f.text.length, 0)
  const each = Math.floor(left / Math.max(1, files.length - short.length))
  return files.map((f) => {
    if (f.text.length <= each || short.includes(f)) return f
    const text = f.text.slice(0, f.text.lastIndexOf('\n', each) + 1)
    return {
      ...f,
      what:
        `${f.what}; the first ${grouped(text.split('\n').length - 1)} of ` +
        `${grouped(f.text.split('\n').length)} lines`,
      text,
    }
  })
}

/** Programs between passes, of so many characters together; the steps after these are left out. */
const mostProgramText = 4e5

/** The changes of a trace whose text differs. */
function passSteps(trace: PassTrace | undefined): Pick<OptimizePage, 'passes' | 'texts'> {
  const places = new Map<string, number>(),
    passes: PassStep[] = []
  let length = 0
  const place = (text: string): number => {
    if (!places.has(text)) length += text.length
    return places.get(text) ?? places.set(text, places.size).size - 1
  }
  for (const r of trace ? changesToShow(trace) : []) {
    const after = r.after(),
      isTranslation = r.translatedFrom !== undefined
    if (isTranslation && !isShort(after)) continue
    const before = isTranslation ? after : r.before()
    if (before === after && !isTranslation) continue
    if (length + before.length + after.length > mostProgramText) break
    passes.push({
      name: r.pass,
      summary: r.summary,
      steps: r.steps ?? [],
      of: isTranslation ? `${r.translatedFrom} to ${r.representation}` : r.representation,
      within: r.within.join(' / '),
      before: place(before),
      after: place(after),
    })
  }
  return { passes, texts: [...places.keys()] }
}

/** A step of the ladder as the page shows it. */
export const pageRung = (r: LadderRow): Rung => ({
  step: r.step,
  ns: r.prediction?.ns ?? null,
  refused: r.refused,
  measuredNs: r.measured?.ns ?? null,
  boundBy: r.prediction?.boundBy ?? 'refused',
  sectorsPerRequest: r.sectorsPerRequest,
  conflicts: r.sharedWavefrontExcess,
  occupancy: r.occupancy,
  registers: r.registers,
  instructions: r.threadInstructions,
})

/** What the page of `optimize` shows; `source` is the C that was read. */
export function optimizePage(report: OptimizeReport, source: string): OptimizePage {
  const { result, gpu, file, files } = report
  return {
    name: result.program.name,
    gpu: gpu.title,
    sizes: Object.fromEntries(result.program.sizes.map((s) => [s.name, s.planned])),
    measuredOn: result.measuredOn,
    error: fidelityOf(gpu.name),
    rungs: result.ladder.map(pageRung),
    chosen: {
      ns: result.kernels.reduce((sum, k) => sum + k.prediction.ns, 0),
      measuredNs: result.measured?.ns ?? null,
    },
    kernels: result.kernels.map((k) => ({ name: k.name, steps: k.steps })),
    files: [
      { name: file, what: 'the source', text: source },
      ...files.map(({ name, what, text }) => ({ name, what, text })),
    ],
    ...passSteps(report.trace),
    proof: {
      sizes: result.verified.sizes.map((s) =>
        JSON.stringify(s).replace(/["{}]/g, '').replace(/:/g, ' = ').replace(/,/g, ', '),
      ),
      error: error(result.verified.maxRelativeError),
      bound: error(result.verified.bound),
      failed: result.failed.map((f) => `${f.schedule}: ${f.why}`),
    },
  }
}

/** The page of `optimize`, whose long files end early. */
export function optimizeHtml(report: OptimizeReport, source: string): string {
  const page = optimizePage(report, source)
  return htmlPage(
    'optimize',
    `${page.name}: optimized`,
    { ...page, files: shortened(page.files) } satisfies OptimizePage,
    optimizeLines(report, plain, 110),
  )
}
