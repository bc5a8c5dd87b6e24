export { freshArrays, type Arrays } from './data.ts'
export { referenceOf, memoryFor, runSimulated, verifyPlan, type Verification } from './verify.ts'
export { sampledReference, type Sample } from './sampled.ts'
