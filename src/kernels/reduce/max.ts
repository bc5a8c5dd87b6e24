// The max over any axes: `reduce` with its plans.
import type { Core } from '../core.ts'
import { recipe as f32 } from '../made/max-f32.made.js'
import { recipe as i32 } from '../made/max-i32.made.js'
import { recipe as u32 } from '../made/max-u32.made.js'
import type { DType, Tensor } from '../tensor.ts'
import { reduce, type Operation, type ReduceOptions } from './reduce.ts'

const operation: Operation = { name: 'max', recipes: { f32, i32, u32 } }

/** The greatest element; NaN is passed over over the axes (all when not said). The type stays. */
export const max = <T extends DType>(core: Core, x: Tensor<T>, options: ReduceOptions = {}): Tensor<T> => reduce(core, x, operation, options)
