// The sum over any axes: `reduce` with its plans.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/sum.made.js'
import { converted } from '../map/map.ts'
import { elements, kindOf, type DType, type Tensor } from '../tensor.ts'
import { reduce, reducedAxes, type ReduceOperation, type ReduceOptions } from './reduce.ts'

const operation: ReduceOperation = { name: 'sum', recipe, empty: 0 }

/** The sum over the axes (all when not said). The type stays. */
export const sum = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> =>
  reduce(core, x, operation, options)

/** The type of a mean. */
export type Mean<T extends DType> = T extends 'f16' ? 'f16' : 'f32'

/** The mean over the axes (all when not said), of integers in f32; NaN over no elements. */
export function mean<T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<Mean<T>> {
  const reduced = [...reducedAxes(core, 'mean', x, options)].map((a) => x.shape[a] ?? 1)
  if (kindOf(x.dtype) === 'f32')
    return reduce(core, x, operation, options, 1 / elements(reduced)) as Tensor<DType> as Tensor<Mean<T>> // f32 or f16
  using floats = converted(x, 'f32')
  return mean(core, floats, options) as Tensor<DType> as Tensor<Mean<T>> // f32
}
