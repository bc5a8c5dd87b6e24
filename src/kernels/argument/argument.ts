// Where along an axis the greatest or least element is. The one idea: as for scans, everything is rows of a matrix, or
// columns where there are enough of them.
import type { Core } from '../device/core.ts'
import { refuse } from '../error.ts'
import { isOrdered, orderedLoad, type End } from '../fusion/ordered-bits.ts'
import type { Recipe } from '../device/prepared-launches.ts'
import { boxOf, manyColumns, type AxisOptions, type Box } from '../axis.ts'
import { checkFlags, checkOptions } from '../checks.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import { blank, checkTensors, elements, kindOf, type DType, type Tensor } from '../tensor.ts'
import { reordered } from '../transpose/transpose.ts'

/** The axis to search along; all elements, row by row, when absent. */
export interface ArgumentOptions extends AxisOptions, ResultOptions {
  /** The axis stays with extent 1. */
  readonly keep?: boolean
}

export interface ArgumentSearch {
  readonly name: string
  readonly end: End
  readonly recipe: Recipe
}

/** The place of the first NaN, else of the first element that no other is better than. */
export function argument<T extends DType>(
  core: Core,
  x: Tensor<T>,
  search: ArgumentSearch,
  options: ArgumentOptions,
): Tensor<'i32'> {
  checkTensors(core, search.name, { x })
  checkOptions(search.name, options, ['axis', 'axes', 'keep', 'out'])
  const { keep = false } = options
  checkFlags(search.name, { keep })
  const { at, box } = boxOf(x.shape, options, search.name)
  const kept = x.shape.map((d, i) => (at < 0 || i === at ? 1 : d))
  const shape = keep ? kept : at < 0 ? [] : x.shape.filter((_, i) => i !== at)
  if (elements(kept) > 0 && x.length === 0) refuse('reduce.empty', `the ${search.name} of no elements does not exist`)
  return resultOf(core, search.name, options.out, { shape, dtype: 'i32', inputs: { x } }, (to) =>
    x.length === 0 ? (to ?? blank(core, shape, 'i32')) : along(x, box, search, to).reshaped(shape),
  )
}

function along<T extends DType>(
  x: Tensor<T>,
  [before, n, after]: Box,
  search: ArgumentSearch,
  to?: Tensor<'i32'>,
): Tensor<'i32'> {
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
    return run(x, kind, { n: before, m: n }, before, search, to)
  }
  if (before * after >= manyColumns || n < 128)
    return run(x, 'columns', { b: before, n, m: after }, before * after, search, to)
  using matrices = x.reshape([before, n, after])
  using rows = reordered(matrices, [0, 2, 1])
  return along(rows, [before * after, n, 1], search, to)
}

function run<T extends DType>(
  x: Tensor<T>,
  plan: string,
  sizes: Readonly<Record<string, number>>,
  results: number,
  { name, recipe, end }: ArgumentSearch,
  to?: Tensor<'i32'>,
): Tensor<'i32'> {
  const ordered = isOrdered(kindOf(x.dtype), end) ? null : orderedLoad('x', x as Tensor, end, true)
  const out = to ?? blank(x.core, [results], 'i32')
  x.core.record({
    module: name,
    recipe,
    plan,
    sizes,
    arrays: { x: ordered ? x.core.unused : x.memory, y: out.memory },
    cost: { bytes: x.bytes + 4 * results, flop: x.length },
    ...(ordered && { hooks: [ordered.hook], hookKey: ordered.key }),
  })
  return out
}
