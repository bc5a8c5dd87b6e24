// Where the least element is: `argument` with its plans.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/argmax.made.js'
import type { DType, Tensor } from '../tensor.ts'
import { argument, type ArgumentOptions, type ArgumentSearch } from './argument.ts'

const search: ArgumentSearch = { name: 'argmin', end: 'min', recipe }

/**
 * The index of the least element along an axis (of all, row by row, when not said), the first of several, and the first
 * NaN where there is one.
 */
export const argmin = (core: Core, x: Tensor<DType>, options: ArgumentOptions = {}): Tensor<'i32'> =>
  argument(core, x, search, options)
