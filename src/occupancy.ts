// `tesela/occupancy`: how many warps of a kernel are in flight on a GPU, what limits them, and what to change. Pure
// computation over GPU profiles; a few kilobytes, runs anywhere.
export {
  advise,
  gpu,
  gpuNames,
  occupancy,
  type BlockUse,
  type GpuProfile,
  type Occupancy,
  type OccupancyAdvice,
  type OccupancyLimit,
  type OccupancyLimits,
} from './gpus/index.ts'
export { DiagnosticError, type Diagnostic } from './base/index.ts'
