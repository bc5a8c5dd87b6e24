export { explain } from './explain.ts'
export type { AccessJson, BufferSpec, ExplainLaunch, ExplainOptions, ExplainReport, Finding, Level, Rule, SumJson, TextureShape } from './types.ts'
