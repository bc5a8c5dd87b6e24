// `tesela/study`: the experiments of `tesela study`. `runStudy` predicts one for GPU profiles, `measureStudy` adds what
// a device says, `studyLines` is the report of the terminal and `studyHtml` of `tesela/html` the page. Runs in Node and
// in browsers.
export {
  experimentNamed,
  experiments,
  measureKernel,
  measureStudy,
  runStudy,
  simulateUnit,
  studyReport,
  unitsOf,
  type Experiment,
  type Point,
  type Step,
  type StudyOptions,
  type StudyUnit,
} from './study/index.ts'
export { quantityText, studyLines } from './report/index.ts'
export { openMeasurer, type Measurer } from './tune/index.ts'
export { quantities, type Quantity, type StudyPoint, type StudyReport, type StudySeries } from './ir/index.ts'
export { gpu, gpuNames, type GpuProfile } from './gpus/index.ts'
