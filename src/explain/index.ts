export { explain } from './explain.ts'
export { explainPortable } from './portable.ts'
export { hazardTexts, ruleTexts, type AccessJson, type BufferSpec, type ExplainLaunch, type ExplainOptions, type ExplainReport, type ExplainSource, type Finding, type Level, type Rule, type SumJson } from './types.ts'
export { wordsOf, type Language, type Words } from './words.ts'
