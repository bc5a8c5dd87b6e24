// Axes in another order. The one idea: neighbouring axes that stay together are one axis; what is left is a turn of
// matrices through workgroup memory, rows copied as they are, or one after the other.
import type { Core } from '../device/core.ts'
import { checkOptions, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { recipe } from '../made/transpose.made.js'
import { gather } from '../map/map.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import { blank, checkTensors, elements, type DType, type Shape, type Tensor } from '../tensor.ts'

/** Axis i of the result is axis `order[i]` of `x`; without an order all axes are reversed. A new tensor, any type. */
export function transpose<T extends DType>(
  core: Core,
  x: Tensor<T>,
  order?: readonly number[],
  options: ResultOptions = {},
): Tensor<T> {
  checkTensors(core, 'transpose', { x })
  checkOptions('transpose', options, ['out'])
  if (order !== undefined && !Array.isArray(order))
    refuse('transpose.order', `the order of transpose is a list of axes, not ${described(order)}`)
  const rank = x.shape.length
  const full = (order ?? x.shape.map((_, i) => rank - 1 - i)).map((d) => (d < 0 ? d + rank : d))
  if (
    full.length !== rank ||
    new Set(full).size !== rank ||
    full.some((d) => !Number.isInteger(d) || d < 0 || d >= rank)
  ) {
    refuse(
      'transpose.order',
      `[${(order ?? []).join(', ')}] is no order of the ${rank} axes of a tensor of shape [${x.shape.join(', ')}]`,
    )
  }
  const shape = full.map((d) => x.shape[d]!) // full holds axes
  return resultOf(core, 'transpose', options.out, { shape, dtype: x.dtype, inputs: { x } }, (to) =>
    reordered(x, full, to),
  )
}

/** Axis i of the result is axis `order[i]` of `x`, all of them from 0; into the vector `to`. */
export const reordered = <T extends DType>(x: Tensor<T>, order: readonly number[], to?: Tensor<T>): Tensor<T> =>
  permuted(x, x.shape, order, to).reshaped(order.map((d) => x.shape[d]!)) // axes of x

/** Axes of extent 1 left out, axes that stay neighbours merged. */
function merged(shape: Shape, order: readonly number[]): { readonly shape: Shape; readonly order: readonly number[] } {
  const groups: number[][] = []
  for (const d of order.filter((a) => shape[a] !== 1)) {
    const last = groups[groups.length - 1]
    const between = last ? shape.slice(last[last.length - 1]! + 1, d) : [] // groups are not empty
    if (last && d > last[last.length - 1]! && between.every((e) => e === 1)) last.push(d)
    else groups.push([d])
  }
  const sorted = [...groups].sort((a, b) => a[0]! - b[0]!)
  return { shape: sorted.map((g) => g.reduce((n, d) => n * shape[d]!, 1)), order: groups.map((g) => sorted.indexOf(g)) }
}

function permuted<T extends DType>(x: Tensor<T>, full: Shape, fullOrder: readonly number[], to?: Tensor<T>): Tensor<T> {
  const { shape, order } = merged(full, fullOrder)
  const [b = 1, n = 1, m = 1] = shape
  const size = elements(shape)
  if (size === 0 || order.every((d, i) => d === i)) return copied(x, size, to)
  switch (order.join('')) {
    case '10':
      return turned(x, 'turn', { b: 1, n: b, m: n }, to)
    case '021':
      return turned(x, 'turn', { b, n, m }, to)
    case '210':
      return turned(x, 'swap', { n: b, b: n, m }, to)
  }
  return order[order.length - 1] === shape.length - 1 ? rowwise(x, shape, order, to) : inTwo(x, shape, order, to)
}

const copied = <T extends DType>(x: Tensor<T>, size: number, to?: Tensor<T>): Tensor<T> =>
  gather(x, [size], [[size, 1]], 0, to)

function turned<T extends DType>(
  x: Tensor<T>,
  plan: string,
  sizes: Readonly<Record<string, number>>,
  to?: Tensor<T>,
): Tensor<T> {
  const out = to ?? blank(x.core, [x.length], x.dtype)
  const plans = [plan, `${plan}-odd`].filter((name) => x.core.fits(recipe, name, sizes))
  x.core.record({
    module: 'transpose',
    recipe,
    plan: x.core.pick(`transpose ${plan}`, Object.values(sizes), plans),
    sizes,
    arrays: { x: x.memory, y: out.memory },
    cost: { bytes: 2 * x.bytes, flop: 0 },
  })
  return out
}

/** The last axis stays: rows are read and written along memory. */
function rowwise<T extends DType>(x: Tensor<T>, shape: Shape, order: readonly number[], to?: Tensor<T>): Tensor<T> {
  const strides = shape.map((_, d) => elements(shape.slice(d + 1)))
  return gather(
    x,
    [x.length],
    [...order].reverse().map((d) => [shape[d]!, strides[d]!]),
    0,
    to,
  )
}

/** First the new last axis to the end (a turn of matrices), then the others (row by row). */
function inTwo<T extends DType>(x: Tensor<T>, shape: Shape, order: readonly number[], to?: Tensor<T>): Tensor<T> {
  const last = order[order.length - 1]!
  const first = turned(x, 'turn', {
    b: elements(shape.slice(0, last)),
    n: shape[last]!,
    m: elements(shape.slice(last + 1)),
  })
  const axes = [...shape.keys()].filter((d) => d !== last).concat(last)
  const result = permuted(
    first,
    axes.map((d) => shape[d]!),
    order.map((d) => axes.indexOf(d)),
    to,
  )
  first.dispose()
  return result
}
