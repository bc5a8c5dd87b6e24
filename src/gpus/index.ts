export { h200Overheads, overheadsOf } from './overheads.ts'
export * from './profile.ts'
export { mostBlocksAlong, mostThreadsAlong } from './launch-limits.ts'
export { countGlobal, tagWavefronts } from './coalescing.ts'
export { transactionsOf, type Transaction } from './transactions.ts'
export { countShared } from './banks.ts'
export { popcount } from './lanes.ts'
export { accessPattern, type AccessPattern } from './pattern.ts'
export {
  advise,
  occupancy,
  refusalOf,
  type BlockUse,
  type Occupancy,
  type OccupancyAdvice,
  type OccupancyLimit,
} from './occupancy.ts'
export { gpu, gpuIn, gpuNames, portable } from './catalogue.ts'
export { asCounted, isUnknown, unknowns } from './unknown.ts'
