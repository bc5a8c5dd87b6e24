// The 2-norm: squares are computed where a sum loads, the root where it stores.
import type { Core } from '../core.ts'
import { recipe } from '../made/norm.made.js'
import { refuse } from '../error.ts'
import type { Tensor } from '../tensor.ts'
import { reduce, type Operation, type ReduceOptions } from './reduce.ts'

const operation: Operation = { name: 'norm', recipe, empty: 0, first: 'x * x', last: 'sqrt(x)' }

/** √Σx² over the axes (all when not said), of f32; 0 over no elements. Squares beyond 3.4e38 are infinite. */
export function norm(core: Core, x: Tensor<'f32'>, options: ReduceOptions = {}): Tensor<'f32'> {
  if (x.dtype !== 'f32') refuse('tensor.dtype', `the norm is computed in f32, and this tensor is ${x.dtype}`)
  return reduce(core, x, operation, options)
}
