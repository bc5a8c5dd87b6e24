export { compileOperation, profileFor, type CompiledOperation, type CompileSettings } from './compile.ts'
export { operationData } from './operation-data.ts'
export { inPrecision } from './precision.ts'
