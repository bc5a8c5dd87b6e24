export { openWebGpu, WebGpu, type WebGpuOptions } from './webgpu.ts'
export type { PlanArrays, Timing, TimingOptions } from './host.ts'
