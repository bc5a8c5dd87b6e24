export * from './pass.ts'
export * from './run.ts'
export * from './trace.ts'
export { kernelIR } from './kernel-passes.ts'
export {
  loopIR,
  loopIRWithTemporaries,
  loopNests,
  loopRegions,
  printRegions,
  type Nests,
  type Temporaries,
} from './loop-passes.ts'
