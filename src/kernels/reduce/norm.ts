// The 2-norm: squares are computed where a sum loads, the root where it stores.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/norm.made.js'
import { checkTensors, floating, type DType, type Tensor } from '../tensor.ts'
import { reduce, type ReduceOperation, type ReduceOptions } from './reduce.ts'

const operation: ReduceOperation = { name: 'norm', recipe, empty: 0, first: 'x * x', last: 'sqrt(x)' }

/** √Σx² over the axes (all when not said), of f32 or f16; 0 over no elements. Squares beyond 3.4e38 are infinite. */
export function norm<T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> {
  checkTensors(core, 'norm', { x })
  floating('norm', { x })
  return reduce(core, x, operation, options)
}
