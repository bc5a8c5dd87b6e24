export { classOfStmt, compile, sampleBlocks, simulate, type CompileOptions, type RunOptions, type Simulation } from './simulate.ts'
export { reference, type ReferenceOptions } from './reference.ts'
