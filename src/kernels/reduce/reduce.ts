// Reductions over any axes. The one idea: neighbouring axes that are reduced, or kept, are one axis; what is left is
// reduced from the last to the first, each time all of a vector, the rows of a matrix or the columns of matrices.
import type { Core } from '../device/core.ts'
import { refuse } from '../error.ts'
import { fuse } from '../fusion/hooks.ts'
import type { Recipe } from '../recipe.ts'
import { gather, mapInto } from '../map/map.ts'
import { transpose } from '../transpose/transpose.ts'
import { partsOf } from './parts.ts'
import { blank, elements, kindOf, sameDevice, typeFor, type DType, type Shape, type Tensor } from '../tensor.ts'

export interface ReduceOptions {
  /** Axes to reduce, from the end when negative; all when absent. */
  readonly axes?: number | readonly number[]
  /** Reduced axes stay with extent 1. */
  readonly keep?: boolean
}

export interface Operation {
  readonly name: string
  readonly recipe: Recipe
  /** The result over nothing; absent: refused. */
  readonly empty?: number
  /** Of `min` and `max` of f32: no element is beyond it, and it is the result over NaN alone. */
  readonly end?: number
  /**
   * Expressions in `x`: what is reduced of an element, and what becomes of the result (f32, plans with a hook on `x`).
   */
  readonly first?: string
  readonly last?: string
}

/** What is fused into the loads of a step and into its stores. */
interface Ends {
  readonly load: string | null
  readonly store: string | null
  readonly scale: number
}

interface Group {
  readonly extent: number
  readonly reduced: boolean
}

/** `scale`: the result (f32) is multiplied by it. */
export function reduce<T extends DType>(
  core: Core,
  x: Tensor<T>,
  operation: Operation,
  options: ReduceOptions,
  scale = 1,
): Tensor<T> {
  sameDevice(core, [x])
  const axes = axesOf(x.shape, options.axes)
  const kept = x.shape.map((d, i) => (axes.has(i) ? 1 : d))
  const shape = options.keep ? kept : x.shape.filter((_, i) => !axes.has(i))
  if (elements(kept) === 0) return blank(core, shape, x.dtype)
  if (x.length === 0) return overNothing(core, operation, shape, x.dtype, scale)
  if (operation.end !== undefined && kindOf(x.dtype) === 'f32' && axes.size > 0 && elements(shape) === x.length) {
    return mapInto(
      core,
      `${operation.name}(x, end)`,
      { x: x as Tensor, end: operation.end },
      x.shape,
      typeFor([x]),
    ).reshaped(shape) as Tensor<DType> as Tensor<T> // the type of x
  }
  const ends: Ends = {
    load: operation.first ?? null,
    store: operation.last ?? (scale === 1 ? null : 'x * scale'),
    scale,
  }
  const result: Tensor = steps(x, groupsOf(x.shape, axes), operation, ends).reshaped(shape)
  if (x.dtype !== 'f16' || result.dtype === 'f16') return result as Tensor<T> // the type of x
  const half = mapInto(core, 'x', { x: result }, shape, 'f16') // sums of sums stayed in f32
  result.dispose()
  return half as Tensor<DType> as Tensor<T> // f16 is T
}

function axesOf(shape: Shape, given: ReduceOptions['axes']): ReadonlySet<number> {
  const rank = shape.length
  const list = given === undefined ? shape.map((_, i) => i) : typeof given === 'number' ? [given] : given
  const axes = new Set(list.map((a) => (a < 0 ? a + rank : a)))
  const wrong = list.find((a) => !Number.isInteger(a) || a < -rank || a >= rank)
  if (wrong !== undefined) refuse('reduce.axes', `a tensor of shape [${shape.join(', ')}] has no axis ${wrong}`)
  if (axes.size < list.length) refuse('reduce.axes', `the axes [${list.join(', ')}] name one twice`)
  return axes
}

function overNothing<T extends DType>(
  core: Core,
  { name, empty }: Operation,
  shape: Shape,
  dtype: T,
  scale: number,
): Tensor<T> {
  if (empty === undefined) refuse('reduce.empty', `the ${name} of no elements does not exist`)
  if (dtype === 'f32' || dtype === 'f16')
    return mapInto(
      core,
      'value',
      { value: Number.isFinite(scale) ? empty * scale : NaN },
      shape,
      dtype,
    ) as Tensor<DType> as Tensor<T> // f32 is T
  const out = blank(core, shape, dtype)
  core.write(out.buffer, new Int32Array(elements(shape)).fill(empty))
  return out
}

function groupsOf(shape: Shape, axes: ReadonlySet<number>): readonly Group[] {
  const groups: Group[] = []
  shape.forEach((extent, i) => {
    const reduced = axes.has(i),
      last = groups[groups.length - 1]
    if (extent === 1) return
    if (last?.reduced === reduced) groups[groups.length - 1] = { extent: last.extent * extent, reduced }
    else groups.push({ extent, reduced })
  })
  return groups
}

function steps<T extends DType>(x: Tensor<T>, groups: readonly Group[], operation: Operation, ends: Ends): Tensor<T> {
  const at = groups.map((g) => g.reduced).lastIndexOf(true)
  if (at < 0) return unreduced(x, ends)
  const only = groups.every((g, i) => i === at || !g.reduced)
  const before = groups.slice(0, at).reduce((n, g) => n * g.extent, 1),
    after = groups.slice(at + 1).reduce((n, g) => n * g.extent, 1)
  // at is an index
  const result = one(x, before, groups[at]!.extent, after, operation, only ? ends : { ...ends, store: null })
  if (only) return result
  const rest = steps(result, joined(groups.filter((_, i) => i !== at)), operation, { ...ends, load: null })
  result.dispose()
  return rest
}

/** Neighbours that became alike are one. */
function joined(groups: readonly Group[]): readonly Group[] {
  return groups.reduce<readonly Group[]>((list, g) => {
    const last = list[list.length - 1]
    return last?.reduced === g.reduced
      ? [...list.slice(0, -1), { extent: last.extent * g.extent, reduced: g.reduced }]
      : [...list, g]
  }, [])
}

function unreduced<T extends DType>(x: Tensor<T>, { load, store, scale }: Ends): Tensor<T> {
  if (!load && !store) return gather(x, [x.length], [[x.length, 1]])
  const text = (store ?? 'x').replace(/\bx\b/g, `(${load ?? 'x'})`)
  // only f32 has ends
  return mapInto(x.core, text, { x: x as Tensor, scale }, x.shape, typeFor([x])) as Tensor<DType> as Tensor<T>
}

/** [before, n, after] reduced to [before, after]. */
function one<T extends DType>(
  x: Tensor<T>,
  before: number,
  n: number,
  after: number,
  operation: Operation,
  ends: Ends,
): Tensor<T> {
  if (after > 1) return columns(x, before, n, after, operation, ends)
  if (before === 1)
    return run(
      x,
      x.core.pick(
        'reduce whole',
        [n],
        n >= 1 << 16 ? ['whole-long', 'whole-short'] : ['whole-short', 'whole-long'],
        'whole-short',
      ),
      { n },
      1,
      operation,
      ends,
    )
  const parts = before < 256 && n >= 1 << 15 ? partsOf(n, 1024 / before) : 1
  if (parts > 1) {
    const partial = one(x, before * parts, n / parts, 1, operation, { ...ends, store: null })
    const result = one(partial, before, parts, 1, operation, { ...ends, load: null })
    partial.dispose()
    return result
  }
  const likely = n >= 2048 ? 'rows-long' : n >= 32 ? 'rows-short' : 'rows-tiny'
  return run(
    x,
    x.core.pick(
      'reduce rows',
      [before, n],
      [likely, ...['rows-long', 'rows-short', 'rows-tiny'].filter((k) => k !== likely)],
      'rows-tiny',
    ),
    { n: before, m: n },
    before,
    operation,
    ends,
  )
}

function columns<T extends DType>(
  x: Tensor<T>,
  b: number,
  n: number,
  m: number,
  operation: Operation,
  ends: Ends,
): Tensor<T> {
  if (m < 32 && n >= 64) {
    const matrices = x.reshape([b, n, m])
    const turned = transpose(x.core, matrices, [0, 2, 1])
    matrices.dispose()
    const result = one(turned as Tensor<T>, b * m, n, 1, operation, ends)
    turned.dispose()
    return result
  }
  const few = b * Math.ceil(m / 256) < 264 && n >= 256
  return run(
    x,
    x.core.pick(
      'reduce columns',
      [b, n, m],
      few ? ['columns-long', 'columns-short'] : ['columns-short', 'columns-long'],
      'columns-short',
    ),
    { b, n, m },
    b * m,
    operation,
    ends,
  )
}

function run<T extends DType>(
  x: Tensor<T>,
  plan: string,
  sizes: Readonly<Record<string, number>>,
  results: number,
  { name, recipe }: Operation,
  { load, store, scale }: Ends,
): Tensor<T> {
  const out = blank<DType>(x.core, [results], kindOf(x.dtype)) as Tensor<T> // f32 where x is f16
  const fused = [
    ...(load ? [fuse(load, { x: x as Tensor }, x.shape, 'x', null)] : []),
    ...(store ? [fuse(store, { scale }, [results], 'y', 'x')] : []),
  ]
  x.core.record({
    module: name,
    recipe,
    plan: `${kindOf(x.dtype)}-${plan}`,
    sizes,
    arrays: { x: x.buffer, y: out.buffer },
    cost: { bytes: x.bytes + out.bytes, flop: x.length },
    ...(fused.length > 0 && { hooks: fused.map((f) => f.hook), hookKey: fused.map((f) => f.key).join() }),
  })
  return out
}
