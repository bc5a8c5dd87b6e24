export { openWebGpu, WebGpu, type WebGpuOptions } from './webgpu.ts'
export { Cuda, openCuda, packArguments, type CudaOptions, type CudaResources } from './cuda.ts'
export type { PlanArrays, Timing, TimingOptions } from './host.ts'
export { parametersOf } from './host.ts'
