export { estimateRegisters } from './registers.ts'
export { occupancyOf, predict, predictAll, type PredictInput, type Prediction, type Term } from './predict.ts'
