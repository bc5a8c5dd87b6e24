// `tesela/optimize`: plain loops in C → verified GPU kernels, as data. `parseC` reads a function, `optimize` finds and
// proves its kernels, `outputFiles` names and prints them; `optimizeLines` and `optimizeJson` are the reports of the
// command line. Runs in Node and in browsers; a browser gives the C parser its two WebAssembly files (`loadParser`).
export { loadParser, parseC, type COptions, type ParserFiles } from './frontend/c/index.ts'
export {
  KnownLaunches,
  ladderRung,
  openMeasurer,
  optimize,
  verifyPlan,
  type FoundRung,
  type LadderRow,
  type Measurer,
  type Optimized,
  type OptimizedKernel,
  type OptimizeOptions,
  type RungKernel,
  type Verification,
} from './tune/index.ts'
export {
  coloured,
  optimizeJson,
  optimizeLines,
  outputFiles,
  plain,
  type OptimizeReport,
  type OutputFile,
} from './report/index.ts'
export {
  doubleIn,
  PassTrace,
  printProgram,
  toSingle,
  wideIn,
  type Plan,
  type PlanValues,
  type Program,
} from './ir/index.ts'
export { openCuda, openWebGpu, type PlanArrays, type Timing } from './run/index.ts'
export { gpu, gpuNames, type GpuProfile } from './gpus/index.ts'
export { DiagnosticError, InternalError, type Diagnostic, type Span } from './base/index.ts'
