export {
  allowanceOf,
  errorOf,
  isOpen,
  mostExact,
  mostFactors,
  unbounded,
  unitAt,
  ulpsBetween,
  type Allowed,
  type Open,
  type Promised,
  type TargetName,
} from './promise.ts'
export { atomicPromises, memoryPromises, subgroupPromises, type WordsByTarget } from './memory.ts'
export { promiseOf } from './table.ts'
