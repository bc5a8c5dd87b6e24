// `tesela/explain`: a WGSL compute shader, or PTX, and a launch → every memory access, conflict, divergence and hazard
// by source line, occupancy, a predicted time and what to change. `explain` gives the object that `tesela explain
// --json` prints; `explainLines` is the report of the terminal. Runs in Node and in browsers; needs no GPU.
export {
  explain,
  explainFixes,
  explainFrame,
  explainPortable,
  hazardTexts,
  launchOfFlags,
  parseBaseline,
  parseRequirement,
  ruleTexts,
  unmet,
  wordsOf,
  worseThan,
  type AccessJson,
  type BufferSpec,
  type ExplainLaunch,
  type ExplainOptions,
  type ExplainReport,
  type ExplainSource,
  parseRecording,
  type Fix,
  type FixReport,
  type FrameKernel,
  type FrameReport,
  type Finding,
  type LaunchFlags,
  type Level,
  type Requirement,
  type Rule,
  type SumJson,
} from './explain/index.ts'
export { entryPoints, parseWgsl, type WgslBinding, type WgslKernel, type WgslOptions } from './frontend/wgsl/index.ts'
export { parsePtx, ptxEntries, type PtxKernel, type PtxOptions } from './frontend/ptx/index.ts'
export { coloured, explainLines, fixLines, frameLines, explainSarif, plain } from './report/index.ts'
export { gpu, gpuNames, type GpuProfile } from './gpus/index.ts'
export { DiagnosticError, InternalError, type Diagnostic, type Span } from './base/index.ts'
