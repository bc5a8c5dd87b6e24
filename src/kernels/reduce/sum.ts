// The sum over any axes: `reduce` with its plans.
import type { Core } from '../core.ts'
import { refuse } from '../error.ts'
import { recipe as f32 } from '../made/sum-f32.made.js'
import { recipe as i32 } from '../made/sum-i32.made.js'
import { recipe as u32 } from '../made/sum-u32.made.js'
import { elements, type DType, type Tensor } from '../tensor.ts'
import { reduce, type Operation, type ReduceOptions } from './reduce.ts'

const operation: Operation = { name: 'sum', recipes: { f32, i32, u32 }, empty: 0 }

/** The sum over the axes (all when not said). The type stays. */
export const sum = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> => reduce(core, x, operation, options)

/** The mean over the axes (all when not said), of f32; NaN over no elements. */
export function mean(core: Core, x: Tensor<'f32'>, options: ReduceOptions = {}): Tensor<'f32'> {
  if (x.dtype !== 'f32') refuse('tensor.dtype', `the mean is computed in f32, and this tensor is ${x.dtype}`)
  const { axes } = options
  const reduced = axes === undefined ? x.shape : (typeof axes === 'number' ? [axes] : axes).map((a) => x.shape.at(a) ?? 1)
  return reduce(core, x, operation, options, 1 / elements(reduced))
}
