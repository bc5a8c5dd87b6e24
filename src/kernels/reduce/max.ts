// The max over any axes: `reduce` with its plans.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/max.made.js'
import type { DType, Tensor } from '../tensor.ts'
import { reduce, type ReduceOperation, type ReduceOptions } from './reduce.ts'

const operation: ReduceOperation = { name: 'max', recipe, end: 'max' }

/** The greatest element over the axes (all when not said); NaN where one of them is. The type stays. */
export const max = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> =>
  reduce(core, x, operation, options)
