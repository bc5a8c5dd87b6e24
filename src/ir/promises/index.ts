export {
  allowanceOf,
  errorOf,
  isOpen,
  mostExact,
  mostFactors,
  unbounded,
  unitAt,
  unitsOf,
  type Allowed,
  type Open,
  type Promised,
  type TargetName,
} from './promise.ts'
export { atomicPromises, memoryPromises, subgroupPromises, type Words } from './memory.ts'
export { promiseOf } from './table.ts'
