export {
  classOfStmt,
  compileKernel,
  laneRequests,
  sampleBlocks,
  simulate,
  tracer,
  type SimulationOptions,
  type RunOptions,
  type Simulation,
} from './simulate.ts'
export { addressSliceOf } from './classes/decisions.ts'
export { reference, type ReferenceOptions } from './reference.ts'
export { sideBySideOf, traceOf, type TraceOptions } from './channels.ts'
export { neighbours, type Tracer } from './trace.ts'
export { worstCase, type WorstCase } from './worst-case.ts'
