export {
  classOfStmt,
  compile,
  laneRequests,
  sampleBlocks,
  simulate,
  tracer,
  type CompileOptions,
  type RunOptions,
  type Simulation,
} from './simulate.ts'
export { addressSliceOf } from './classes/decisions.ts'
export { reference, type ReferenceOptions } from './reference.ts'
export { sideBySideOf, traceOf, type TraceOptions } from './channels.ts'
export { neighbours, type Tracer } from './trace.ts'
export { worstCase, type WorstCase } from './worst-case.ts'
