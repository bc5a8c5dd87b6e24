// The product over any axes: `reduce` with its plans.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/product.made.js'
import type { DType, Tensor } from '../tensor.ts'
import { reduce, type ReduceOperation, type ReduceOptions } from './reduce.ts'

const operation: ReduceOperation = { name: 'product', recipe, empty: 1 }

/** The product over the axes (all when not said). The type stays. */
export const product = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> =>
  reduce(core, x, operation, options)
