// In: a contraction. Out: kernels that copy its factors as its tiles like them, and the same contraction on the copies.
// The one idea: a copy costs one pass over a factor, which the product uses many times. A factor with the summed loop
// inside is turned, so that its tiles go to workgroup memory row by row, in vectors; and it is zero where the sum
// leaves it out (k < i, and past the end up to whole steps of k), so that loads of whole tiles need not ask.
import { fail } from '../../../base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  choose,
  constant,
  ceilDiv,
  int,
  literal,
  lt,
  mul,
  op,
  sub,
  conjunction,
  exprKey,
  freshName,
  replaceLoops,
  sameExpr,
  substitute,
  uses,
  varsOf,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Read,
  type Chip,
} from '../../../ir/index.ts'
import { isFactor } from '../../primitives/pad.ts'
import { innerRange } from '../../../analysis/index.ts'
import { copying } from '../../../transform/index.ts'
import { locate } from '../../primitives/stage.ts'
import { perPoint } from '../thread-per-point.ts'
import { pointwise } from '../pointwise/pointwise.ts'
import type { Made, Scheduled, Sketch } from '../sketch.ts'
import { tiledTranspose } from '../pointwise/transpose.ts'

/** A factor of a contraction and the loop that is its own. */
export interface Factor {
  readonly read: Read
  readonly own: Loop
}

export interface Turned {
  readonly program: Program
  readonly part: Nest
  /** Further names of arrays, as `Scheduled` has them. */
  readonly aliases: Readonly<Record<string, string>>
  /** The copies themselves, without further names; a kernel makes each. */
  readonly copies: readonly ArrayDecl[]
  readonly kernels: readonly Scheduled[]
  /** Of each: what it holds, if that is the same wherever it is made. */
  readonly keys: readonly (string | undefined)[]
  /** Present when a copy is zero where bounds of k keep the sum out: k may run further, up to here. */
  readonly end?: Expr
}

/** Dimensions of the array along the factor's own loop and along k. */
interface Dims {
  readonly own: number
  readonly k: number
}

const dimsOf = ({ read: r, own }: Factor, k: Loop): Dims => {
  const dimOf = (l: Loop): number => r.index.findIndex((e) => uses(e, l.name))
  return { own: dimOf(own), k: dimOf(k) }
}

/** k is the inner of the two and the last: what turning is for. */
const turns = ({ own, k }: Dims, rank: number): boolean => own < k && k === rank - 1 && rank <= 3

/**
 * Whether the bounds of `k` use no loop but the factor's own, and where they keep the sum out a zero of the factor will
 * do.
 */
function masks({ read: r, own }: Factor, part: Nest, k: Loop): boolean {
  const vars = [k.lower, k.upper].flatMap((e) => [...varsOf(e)]),
    d = dimsOf({ read: r, own }, k).k
  return (
    vars.every((v) => v === own.name) &&
    r.index.length <= 3 &&
    literal(offset(r.index[d]!, k)) === 0 &&
    part.reduction!.op === 'add' &&
    isFactor(part.reduction!.value, r)
  ) // a contraction has a reduction
}

/** What of `factors` a copy would change for the better: which are turned, or used in part. */
export const changed = (factors: readonly Factor[], part: Nest, k: Loop): readonly Factor[] =>
  factors.filter(
    (f) =>
      turns(dimsOf(f, k), f.read.index.length) ||
      ([k.lower, k.upper].some((e) => varsOf(e).size > 0) && masks(f, part, k)),
  )

/** A contraction whose factors may be copied first. */
interface Transposing {
  readonly program: Program
  readonly part: Nest
  readonly factors: readonly Factor[]
  readonly k: Loop
  /** Of k, by which a tile goes on. */
  readonly step: number
  /** Which of the factors' arrays are one under two names: that one is copied once. */
  readonly aliases: Readonly<Record<string, string>>
  readonly chip: Chip
}

/** The contraction on copies of those of its factors that `changed` gives. */
export function onTransposedCopies({ program, part, factors, k, step, aliases, chip }: Transposing): Turned {
  const made = new Map<string, ArrayDecl>(),
    kernels: Scheduled[] = [],
    keys: (string | undefined)[] = []
  let out: Omit<Turned, 'copies' | 'kernels' | 'keys'> = { program, part, aliases }
  for (const factor of changed(factors, part, k)) {
    const dims = dimsOf(factor, k),
      masked = masks(factor, part, k),
      order = turns(dims, factor.read.index.length) ? swap(dims) : same
    const source = aliases[factor.read.array] ?? factor.read.array,
      key = `${source} ${dims.own} ${dims.k} ${masked}`
    const known = made.get(key),
      array = program.arrays.find((a) => a.name === source)! // a factor is an array of the program
    const copy: ArrayDecl = {
      ...array,
      name: freshName(out.program, known ? `${known.name}_again` : `${source}_${order === same ? 'part' : 'turned'}`),
      role: 'temp',
      space: 'global',
      shape: order(masked ? longer(array.shape, dims.k, step) : array.shape),
    }
    if (!known) {
      made.set(key, copy)
      const nest = copyNest(program, array, copy, order, (index) =>
        masked ? insideOf(factor, array, dims, k, index) : undefined,
      )
      kernels.push(
        copyKernel({ ...program, arrays: [...program.arrays, copy] }, nest, { from: array.name, order, chip }),
      )
      keys.push(array.role === 'in' ? [...copy.shape, nest.out.value].map(exprKey).join() : undefined)
    }
    const reading = (e: Expr): Expr =>
      replaceReads(e, factor.read.array, (x) => ({ ...x, array: copy.name, index: order(x.index) }))
    out = {
      program: { ...out.program, arrays: [...out.program.arrays, copy] },
      // a contraction has one
      part: { ...out.part, reduction: { ...out.part.reduction!, value: reading(out.part.reduction!.value) } },
      aliases: known ? { ...out.aliases, [copy.name]: known.name } : out.aliases,
      // a dimension of the array
      ...(masked ? { end: wholeSteps(array.shape[dims.k]!, step) } : out.end && { end: out.end }),
    }
  }
  return { ...out, copies: [...made.values()], kernels, keys }
}

/** Room for whole steps (affine, so a little more than that). */
const longer = (shape: readonly Expr[], d: number, step: number): readonly Expr[] =>
  shape.map((e, at) => (at === d ? add(e, int(step - 1)) : e))
const wholeSteps = (e: Expr, step: number): Expr => mul(ceilDiv(e, step), int(step))

type Order = <T>(list: readonly T[]) => readonly T[]
const same: Order = (list) => list
const swap =
  ({ own, k }: Dims): Order =>
  (list) =>
    list.map((x, d) => (d === own ? list[k]! : d === k ? list[own]! : x)) // dimensions of the list

/** What is added to the loop's variable in an index. */
// indices of factors are affine
const offset = (e: Expr, l: Loop): Expr => affineExpr(addScaled(affineOf(e)!, affineName(l.name), -1))

/** The bounds of k, and the end of the array, at the element `index` of a factor that `masks`. */
function insideOf(
  { read: r, own }: Factor,
  array: ArrayDecl,
  dims: Dims,
  k: Loop,
  index: readonly Expr[],
): Expr | undefined {
  const mine = new Map([[own.name, sub(index[dims.own]!, offset(r.index[dims.own]!, own))]]),
    here = index[dims.k]! // dimensions of the array
  const upper = substitute(k.upper, mine),
    lower = substitute(k.lower, mine),
    extent = array.shape[dims.k]! // as above
  return conjunction([
    ...(literal(lower) === 0 ? [] : [op('ge', [here, lower])]),
    lt(here, upper),
    ...(sameExpr(upper, extent) ? [] : [lt(here, extent)]),
  ])
}

function copyNest(
  program: Program,
  from: ArrayDecl,
  to: ArrayDecl,
  order: Order,
  inside: (index: readonly Expr[]) => Expr | undefined,
): Nest {
  const plain = copying(program, from, to, order)
  const where = inside(order(plain.out.index)),
    { value } = plain.out
  return where ? { ...plain, out: { ...plain.out, value: choose(where, value, constant(value.type, 0)) } } : plain
}

const lastRung = (sketch: Sketch): Made => sketch.build(sketch.ladder.at(-1)!.point) // ladders have rungs

interface Copying {
  readonly from: string
  readonly order: Order
  readonly chip: Chip
}

function copyKernel(program: Program, nest: Nest, { from, order, chip }: Copying): Scheduled {
  // tiles are for rows that are planned to be long
  const tiled = order === same ? undefined : tiledTranspose(program, nest)
  const {
    kernels: [only],
  } = tiled
    ? tiled.build({ tile: 32, rows: 8, pad: 1, vector: 4 })
    : lastRung(pointwise(program, nest, chip) ?? perPoint(program, nest))
  const what = [
    ...(order === same ? [] : [' with rows and columns changed']),
    ...(nest.out.value.kind === 'choose' ? [', zero where the sum leaves it out'] : []),
  ].join('')
  return { ...only!, name: `${program.name}_turned`, steps: [`copy ${from}${what}`, ...only!.steps] } // one kernel each
}

/**
 * The bounds of loop `k`, where a factor is zero outside of them: whole multiples of `step`, the same for all threads
 * of a block, up to `end`, which is one.
 */
export function widen(
  program: Program,
  {
    k,
    blocks,
    step,
    end,
  }: { readonly k: string; readonly blocks: readonly string[]; readonly step: number; readonly end: Expr },
): Program {
  const inner = locate(program, k).outer.filter((l) => !blocks.includes(l.name))
  return replaceLoops(program, k, (l) => {
    const lower = reach(l.lower, inner, 'low', step)
    if (varsOf(l.upper).size === 0) return [{ ...l, lower, upper: wholeSteps(l.upper, step) }]
    return [{ ...l, lower, upper: op('min', [reach(l.upper, inner, 'high', step), end]) }]
  })
}

/** The lowest (but not below 0) or highest value over `inner`, rounded outwards to a multiple of `step`. */
function reach(e: Expr, inner: readonly Loop[], side: 'low' | 'high', step: number): Expr {
  const a = affineOf(e),
    range = a && innerRange(a, inner)
  if (!a || !range) return fail('schedule.widen', 'a bound of the sum is not affine in the loops of a tile')
  const rest = addScaled(a, range.inner, -1),
    total = rest.constant + range[side]
  if ([...rest.terms.values()].some((c) => c % step !== 0))
    return fail('schedule.widen', `a bound of the sum does not move by whole steps of ${step}`)
  const rounded = (side === 'low' ? Math.floor(total / step) : Math.ceil(total / step)) * step
  const value = affineExpr(addScaled({ ...rest, constant: 0 }, affineConstant(rounded), 1))
  return rounded < 0 ? op('max', [int(0), value]) : value
}
