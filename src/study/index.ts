export { experimentNamed, experiments } from './experiments/all.ts'
export { measureStudy } from './measure.ts'
export { runStudy, type StudyOptions } from './run.ts'
export { catalogue, documents, type Document, type Experiment, type Point, type Step } from './types.ts'
