// Reductions over any axes. The one idea: neighbouring axes that are reduced, or kept, are one axis; what is left is
// reduced from the last to the first, each time all of a vector, the rows of a matrix or the columns of matrices.
import type { Core } from '../device/core.ts'
import { axesFrom, checkFlags, checkOptions } from '../checks.ts'
import { refuse } from '../error.ts'
import { fusedText, type Fused } from '../fusion/hooks.ts'
import { isOrdered, orderedLoad, orderedStore, type End } from '../fusion/ordered-bits.ts'
import type { Recipe } from '../device/prepared-launches.ts'
import { gather, mapInto, padded } from '../map/map.ts'
import { reordered } from '../transpose/transpose.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import { partsOf } from './parts.ts'
import { blank, checkTensors, elements, kindOf, typeFor, type DType, type Shape, type Tensor } from '../tensor.ts'

export interface ReduceOptions extends ResultOptions {
  /** Axes to reduce, from the end when negative; all when absent. */
  readonly axes?: number | readonly number[]
  /** The same. */
  readonly axis?: number | readonly number[]
  /** Reduced axes stay with extent 1. */
  readonly keep?: boolean
}

export interface ReduceOperation {
  readonly name: string
  readonly recipe: Recipe
  /** The result over nothing; absent: refused. */
  readonly empty?: number
  /** Of `min` and `max`: everything is reduced as integers in an order where the greatest is wanted. */
  readonly end?: End
  /**
   * Expressions in `x`: what is reduced of an element, and what becomes of the result (f32, plans with a hook on `x`).
   */
  readonly first?: string
  readonly last?: string
}

/** What is fused into the loads of the first step from `x`, and into the stores of the last to results of a shape. */
interface Ends {
  readonly load: ((x: Tensor) => Fused) | null
  readonly store: ((shape: Shape) => Fused) | null
}

/** A reduction with what is fused into it, and the type that its plans and its steps in between have. */
interface Task extends ReduceOperation {
  readonly ends: Ends
  readonly kind: 'f32' | 'i32' | 'u32'
  /** The type of the last step's results. */
  readonly result: 'f32' | 'i32' | 'u32'
  readonly scale: number
  /** Where the last step's results go, a vector. */
  readonly to?: Tensor | undefined
}

interface Group {
  readonly extent: number
  readonly reduced: boolean
}

/** `scale`: the result (f32) is multiplied by it. */
export function reduce<T extends DType>(
  core: Core,
  x: Tensor<T>,
  operation: ReduceOperation,
  options: ReduceOptions,
  scale = 1,
): Tensor<T> {
  const axes = reducedAxes(core, operation.name, x, options)
  const kept = x.shape.map((d, i) => (axes.has(i) ? 1 : d))
  const shape = options.keep ? kept : x.shape.filter((_, i) => !axes.has(i))
  const { dtype } = x
  return resultOf(core, operation.name, options.out, { shape, dtype, inputs: { x } }, (to) => {
    if (elements(kept) === 0) return to ?? blank(core, shape, dtype)
    if (x.length === 0) return overNothing(core, operation, shape, dtype, scale, to)
    const task = taskOf(operation, kindOf(dtype), scale),
      groups = groupsOf(x.shape, axes)
    if (dtype !== 'f16') return steps(x, groups, { ...task, to }).reshaped(shape)
    const result: Tensor = steps(x, groups, task).reshaped(shape)
    if (result.dtype === 'f16' && !to) return result as Tensor<T> // the type of x
    const half = mapInto(core, 'x', { x: result }, shape, dtype, to) // sums of sums stayed in f32
    result.dispose()
    return half
  })
}

/** The axes to reduce. Throws where the arguments of the operation `what` are wrong. */
export function reducedAxes(core: Core, what: string, x: Tensor, options: ReduceOptions): ReadonlySet<number> {
  checkTensors(core, what, { x })
  checkOptions(what, options, ['axes', 'axis', 'keep', 'out'])
  checkFlags(what, { keep: options.keep })
  return new Set(axesFrom(what, 'reduce.axes', x.shape, options) ?? x.shape.keys())
}

function taskOf(operation: ReduceOperation, kind: Task['kind'], scale: number): Task {
  const { end, first, last = scale === 1 ? undefined : 'x * scale' } = operation
  if (end !== undefined) {
    const ends = isOrdered(kind, end)
      ? { load: null, store: null }
      : { load: (x: Tensor) => orderedLoad('x', x, end), store: () => orderedStore('y', end, kind) }
    return { ...operation, scale, kind: 'i32', result: kind, ends }
  }
  const ends: Ends = {
    load: first === undefined ? null : (x) => fusedText(first, { x }, x.shape, 'x', null),
    store: last === undefined ? null : (shape) => fusedText(last, { scale }, shape, 'y', 'x'),
  }
  return { ...operation, scale, kind, result: kind, ends }
}

function overNothing<T extends DType>(
  core: Core,
  { name, empty }: ReduceOperation,
  shape: Shape,
  dtype: T,
  scale: number,
  to?: Tensor<T>,
): Tensor<T> {
  if (empty === undefined) refuse('reduce.empty', `the ${name} of no elements does not exist`)
  return mapInto(core, 'value', { value: Number.isFinite(scale) ? empty * scale : NaN }, shape, dtype, to)
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

function steps<T extends DType>(x: Tensor<T>, groups: readonly Group[], task: Task): Tensor<T> {
  const at = groups.map((g) => g.reduced).lastIndexOf(true)
  if (at < 0) return unreduced(x, task)
  const only = groups.every((g, i) => i === at || !g.reduced)
  const before = groups.slice(0, at).reduce((n, g) => n * g.extent, 1),
    after = groups.slice(at + 1).reduce((n, g) => n * g.extent, 1)
  // at is an index
  const result = one(x, before, groups[at]!.extent, after, only ? task : without(task, 'store'))
  if (only) return result
  const rest = steps(result, joined(groups.filter((_, i) => i !== at)), without(task, 'load'))
  result.dispose()
  return rest
}

/** The task of other steps than the first (last), which has what is fused into loads (stores) and its place. */
const without = (task: Task, end: keyof Ends): Task => ({
  ...task,
  ends: { ...task.ends, [end]: null },
  to: end === 'store' ? undefined : task.to,
})

/** Neighbours that became alike are one. */
function joined(groups: readonly Group[]): readonly Group[] {
  return groups.reduce<readonly Group[]>((list, g) => {
    const last = list[list.length - 1]
    return last?.reduced === g.reduced
      ? [...list.slice(0, -1), { extent: last.extent * g.extent, reduced: g.reduced }]
      : [...list, g]
  }, [])
}

function unreduced<T extends DType>(x: Tensor<T>, { first, last, scale, ends, to }: Task): Tensor<T> {
  const text = (last ?? (ends.store && scale !== 1 ? 'x * scale' : 'x')).replace(/\bx\b/g, `(${first ?? 'x'})`)
  if (text === '(x)') return gather(x, [x.length], [[x.length, 1]], 0, to as Tensor<T> | undefined) // of the type of x
  // only f32 has ends
  return mapInto(
    x.core,
    text,
    { x: x as Tensor, scale },
    x.shape,
    typeFor([x]),
    to as Tensor<'f32'>,
  ) as Tensor<DType> as Tensor<T>
}

/**
 * Whether results are rounded sums, whose error grows with the numbers that are added one after the other: 16 of them
 * are right to 1e-6 and 64 to 3e-6, also where all are equal. Longer sums are added up in pieces.
 */
const isSum = ({ kind, empty }: Task): boolean => kind === 'f32' && empty === 0

/** Terms that a block adds up well: of all of a vector, by threads that have 4 or 32 times 4 sums, and in columns. */
const mostTerms = { whole: 1 << 16, tiny: 256, short: 2048, rows: 1 << 16, columns: 4096 } as const
/** Terms of a piece of a longer row, and of a longer column, whose pieces are added by one thread. */
const piece = { rows: 1024, columns: 64 } as const

/** Sums of pieces of `length`, and their sum; zeros behind the last. */
function inPieces<T extends DType>(
  x: Tensor<T>,
  [before, n, after]: readonly [number, number, number],
  length: number,
  task: Task,
): Tensor<T> {
  const count = Math.ceil(n / length),
    whole = count * length === n ? x : padded(x as Tensor, before, [n, after], [count * length, after])
  const partial = one(whole as Tensor<T>, before * count, length, after, without(task, 'store'))
  if (whole !== x) whole.dispose()
  const rest = without(task, 'load'),
    result =
      count > length
        ? inPieces(partial, [before, count, after], length, rest)
        : one(partial, before, count, after, rest)
  partial.dispose()
  return result
}

/** [before, n, after] reduced to [before, after]. */
function one<T extends DType>(x: Tensor<T>, before: number, n: number, after: number, task: Task): Tensor<T> {
  if (after > 1) return columns(x, before, n, after, task)
  if (before === 1)
    return run(
      x,
      x.core.pick(
        'reduce whole',
        [n],
        n >= mostTerms.whole ? wholes(n, task) : ['whole-short', 'whole-long'],
        n > mostTerms.whole && isSum(task) ? 'whole-long' : 'whole-short',
      ),
      { n },
      1,
      task,
    )
  const parts = before < 256 && n >= 1 << 15 ? partsOf(n, 1024 / before) : 1
  if (parts > 1) {
    const partial = one(x, before * parts, n / parts, 1, without(task, 'store'))
    const result = one(partial, before, parts, 1, without(task, 'load'))
    partial.dispose()
    return result
  }
  if (n > mostTerms.rows && isSum(task)) return inPieces(x, [before, n, 1], piece.rows, task)
  const likely = n >= 2048 ? 'rows-long' : n >= 32 ? 'rows-short' : 'rows-tiny'
  return run(
    x,
    x.core.pick(
      'reduce rows',
      [before, n],
      [likely, ...rows.filter((k) => k !== likely && adds(k, n, task))],
      rows.find((k) => adds(k, n, task)),
    ),
    { n: before, m: n },
    before,
    task,
  )
}

const wholes = (n: number, task: Task): readonly string[] =>
  n > mostTerms.whole && isSum(task) ? ['whole-long'] : ['whole-long', 'whole-short']

/** Plans of rows, those with the fewest threads first. */
const rows = ['rows-tiny', 'rows-short', 'rows-long'] as const

/** Whether a plan's threads add up rows of n well. */
function adds(plan: (typeof rows)[number], n: number, task: Task): boolean {
  if (plan === 'rows-long' || !isSum(task)) return true
  return n <= (plan === 'rows-tiny' ? mostTerms.tiny : mostTerms.short)
}

function columns<T extends DType>(x: Tensor<T>, b: number, n: number, m: number, task: Task): Tensor<T> {
  if (m < 32 && n >= 64) {
    const matrices = x.reshape([b, n, m])
    const turned = reordered(matrices, [0, 2, 1])
    matrices.dispose()
    const result = one(turned as Tensor<T>, b * m, n, 1, task)
    turned.dispose()
    return result
  }
  if (n > mostTerms.columns && isSum(task)) return inPieces(x, [b, n, m], piece.columns, task)
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
    task,
  )
}

function run<T extends DType>(
  x: Tensor<T>,
  plan: string,
  sizes: Readonly<Record<string, number>>,
  results: number,
  { name, recipe, kind, result, to, ends: { load, store } }: Task,
): Tensor<T> {
  // what is stored is f32 where x is f16, and integers in the order of floats are floats again
  const shape = [results]
  const out = (to ?? blank<DType>(x.core, shape, store ? result : kind)) as Tensor<T>
  const fused = [...(load ? [load(x as Tensor)] : []), ...(store ? [store(shape)] : [])]
  x.core.record({
    module: name,
    recipe,
    plan: `${kind}-${plan}`,
    sizes,
    arrays: { x: load ? x.core.unused : x.memory, y: out.memory },
    cost: { bytes: x.bytes + out.bytes, flop: x.length },
    ...(fused.length > 0 && { hooks: fused.map((f) => f.hook), hookKey: fused.map((f) => f.key).join() }),
  })
  return out
}
