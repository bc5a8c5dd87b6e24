export { explainHtml, explainPage, optimizeHtml, optimizePage, pageRung, studyHtml } from './html.ts'
export { escaped, htmlPage, type PageKind } from './page.ts'
export type { ExplainPage, OptimizePage, Rung, StudyPage } from './pages/data.ts'
export { addressMap, requestWords } from './components/addresses.ts'
export { bankMap } from './components/banks.ts'
export { chart, type ChartPoint, type ChartSeries, type ChartSpec } from './components/chart.ts'
export { choice, dataTable, fresh, h, s, section, slider, type Attributes, type Child } from './components/dom.ts'
export { explainViews, type ExplainViews } from './components/explained.ts'
export { figureList, noteList, type Figure } from './components/figures.ts'
export { findingsList } from './components/findings.ts'
export {
  filePane,
  ladderChart,
  ladderComparison,
  ladderTable,
  optimizeFigures,
  optimizeSubtitle,
  proofIntro,
  proofList,
  scheduleList,
  stepName,
  type Ladder,
} from './components/optimized.ts'
export { occupancyPanel } from './components/occupancy.ts'
export { passStepper } from './components/passes.ts'
export { roofline } from './components/roofline.ts'
export { lineMetrics, sourceView, type LineMetric, type SourceView } from './components/source.ts'
export { studyChart, type StudyChart } from './components/study-chart.ts'
export { warpTimeline } from './components/timeline.ts'
