export { explain, explainCompiled, explainInSteps, explainWithView, type ExplainSteps } from './explain.ts'
export type { StepView } from './machine/interleaving.ts'
export type { ExplainView, LineView, RequestView, RoofView } from './view.ts'
export { interleave, type Interleaving, type WarpStep } from './machine/interleaving.ts'
export { machineOf, type MachineView } from './machine/machine.ts'
export type { Dealing, Dealt } from './machine/dealing.ts'
export { dramOf, type Burst, type DramView } from './machine/dram.ts'
export type { HostView, Processor } from './machine/host.ts'
export type { MachineMemory } from './machine/memories.ts'
export { explainPortable } from './portable.ts'
export { explainFixes, explainRemedies, type Fix, type FixReport, type Remedy } from './fixes/fixes.ts'
export { explainSeveral, type NamedLaunch } from './several.ts'
export { deviceProperties } from './launch/device-properties.ts'
export { hostLaunches, type HostLaunch } from './launch/host-code.ts'
export { programTexts } from './launch/host-types.ts'
export { explainFrame, parseRecording, type FrameKernel, type FrameReport } from './frame.ts'
export {
  hazardTexts,
  helpTexts,
  ruleTexts,
  type AccessJson,
  type BufferSpec,
  type ExplainLaunch,
  type ExplainOptions,
  type ExplainReport,
  type ExplainSource,
  type Finding,
  type IncludedFile,
  type Level,
  type Rule,
  type SumJson,
  type TextureShape,
} from './types.ts'
export { boundWords, wordsOf, type SourceLanguage, type LanguageWords } from './wording.ts'
export { parseBaseline, worseThan } from './gates/baseline.ts'
export { fingerprints, hash } from './gates/fingerprint.ts'
export { parseRequirement, unmet, type Requirement } from './gates/requirements.ts'
export type { CompiledLaunch } from './launch/compiled.ts'
export { LaunchTextError } from './launch/error.ts'
export { launchOfFlags, type LaunchFlags } from './launch/flags.ts'
export { namedBuffer, dimensionsOf, namedNumber, namedNumbers, samplerOf, sharedBytesText } from './launch/parts.ts'
export { launchMemory } from './launch/memory.ts'
