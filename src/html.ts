// `tesela/html`: reports as pages, and the components that they are drawn with. `explainHtml`, `optimizeHtml` and
// `studyHtml` give whole self-contained files; the components are functions from data to DOM elements, without a
// framework, for pages of your own (their style is `tesela/html.css`). Runs in Node (the pages) and in browsers.
export {
  addressMap,
  bankMap,
  chart,
  dataTable,
  escaped,
  explainHtml,
  findingsList,
  htmlPage,
  occupancyPanel,
  optimizeHtml,
  requestWords,
  roofline,
  sourceView,
  studyHtml,
  warpTimeline,
  type ChartPoint,
  type ChartSeries,
  type ChartSpec,
  type ExplainPage,
  type OptimizePage,
  type SourceView,
  type StudyPage,
} from './report/html/index.ts'
export {
  explainWithView,
  type ExplainView,
  type LineView,
  type RequestView,
  type RoofView,
  type StepView,
} from './explain/index.ts'
