// The sum over any axes: `reduce` with its plans.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/sum.made.js'
import { elements, floating, type DType, type Tensor } from '../tensor.ts'
import { reduce, type Operation, type ReduceOptions } from './reduce.ts'

const operation: Operation = { name: 'sum', recipe, empty: 0 }

/** The sum over the axes (all when not said). The type stays. */
export const sum = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> =>
  reduce(core, x, operation, options)

/** The mean over the axes (all when not said), of f32 or f16; NaN over no elements. */
export function mean<T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> {
  floating('mean', { tensor: x })
  const { axes } = options
  const reduced =
    axes === undefined ? x.shape : (typeof axes === 'number' ? [axes] : axes).map((a) => x.shape.at(a) ?? 1)
  return reduce(core, x, operation, options, 1 / elements(reduced))
}
