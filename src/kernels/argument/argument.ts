// Where along an axis the greatest or least element is. The one idea: as for scans, everything is rows of a matrix, or
// columns where there are enough of them.
import type { Core } from '../device/core.ts'
import { refuse } from '../error.ts'
import type { Recipe } from '../recipe.ts'
import { boxOf, manyColumns, type Box } from '../axis.ts'
import { blank, elements, kindOf, sameDevice, type DType, type Tensor } from '../tensor.ts'
import { transpose } from '../transpose/transpose.ts'

export interface ArgumentOptions {
  /** The axis to search along, from the end when negative; all elements, row by row, when absent. */
  readonly axis?: number
  /** The axis stays with extent 1. */
  readonly keep?: boolean
}

export interface Search {
  readonly name: string
  readonly recipe: Recipe
}

/** The place of the first element that no other is better than; 0 where all are NaN. */
export function argument<T extends DType>(
  core: Core,
  x: Tensor<T>,
  search: Search,
  { axis, keep = false }: ArgumentOptions,
): Tensor<'i32'> {
  sameDevice(core, [x])
  const { at, box } = axis === undefined ? { at: -1, box: [1, x.length, 1] as Box } : boxOf(x.shape, axis, search.name)
  const kept = x.shape.map((d, i) => (at < 0 || i === at ? 1 : d))
  const shape = keep ? kept : at < 0 ? [] : x.shape.filter((_, i) => i !== at)
  if (elements(kept) === 0) return blank(core, shape, 'i32')
  if (x.length === 0) refuse('reduce.empty', `the ${search.name} of no elements does not exist`)
  return along(x, box, search).reshaped(shape)
}

function along<T extends DType>(x: Tensor<T>, [before, n, after]: Box, search: Search): Tensor<'i32'> {
  if (after === 1) {
    const cut = before < 264 && n >= 1 << 16
    const kind =
      cut && before * n >= 1 << 22 && x.core.tuning !== 'software'
        ? 'long'
        : cut
          ? 'medium'
          : n >= 2048
            ? 'rows'
            : 'short'
    return run(x, kind, { n: before, m: n }, before, search)
  }
  if (before * after >= manyColumns || n < 128)
    return run(x, 'columns', { b: before, n, m: after }, before * after, search)
  using matrices = x.reshape([before, n, after])
  using rows = transpose(x.core, matrices, [0, 2, 1])
  return along(rows, [before * after, n, 1], search)
}

function run<T extends DType>(
  x: Tensor<T>,
  plan: string,
  sizes: Readonly<Record<string, number>>,
  results: number,
  { name, recipe }: Search,
): Tensor<'i32'> {
  const out = blank(x.core, [results], 'i32')
  x.core.record({
    module: name,
    recipe,
    plan: `${kindOf(x.dtype)}-${plan}`,
    sizes,
    arrays: { x: x.buffer, y: out.buffer },
    cost: { bytes: x.bytes + 4 * results, flop: x.length },
  })
  return out
}
