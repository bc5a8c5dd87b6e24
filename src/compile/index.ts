export { compileOperation, profileFor, type PlannedOperation, type CompileSettings } from './compile.ts'
export { operationData } from './operation-data.ts'
export { operationModules, timeWords, type ModuleOptions, type ModuleSource } from './operation-module.ts'
export { inPrecision } from './precision.ts'
