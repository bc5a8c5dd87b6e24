export { estimateRegisters } from './registers.ts'
export {
  apiOf,
  constants,
  fitsAtOnce,
  occupancyOf,
  registersOf,
  predict,
  predictAll,
  timelineOf,
  type PredictInput,
  type Prediction,
  type Term,
} from './predict.ts'
export { fidelityOf, type Fidelity } from './fidelity.ts'
export type { Moment } from './timeline.ts'
