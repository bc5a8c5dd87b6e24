// In: a program with several sizes, and the points of a plan for the planned ones. Out: versions for other shapes of
// the data, long and flat ones, where that plan is much slower than what a search there finds, and up to which value of
// a size each is taken. The one idea: multi-versioning (as ATLAS and CLBlast choose kernels by shape): a plan of whole
// rows by blocks is right for rows of thousands and forty times too slow for rows of four; what the caller gives is
// known when it is launched. Where a version begins to lose is found by the model, halving the interval.
import { attempted, fail, isInapplicable, same } from '../base/index.ts'
import {
  conditionsOf,
  conjunction,
  eachStmt,
  elementsOf,
  int,
  op,
  planValueIfKnown,
  sizeOf,
  sizesIn,
  isFixed,
  type Plan,
  type PlanValues,
  type PlanVariant,
  type Program,
} from '../ir/index.ts'
import type { Point } from '../schedule/index.ts'
import { searchAll } from './candidate-search.ts'
import { contextOf, targetsOf, tryBuildFor, workOf, type Context } from './context.ts'
import { onlyWhere, withOwnScratch } from './empty-sizes.ts'
import { estimatePlan, refusalIn } from './estimate.ts'
import { ladderOf } from './ladder.ts'
import { lowerBound } from './lower-bound.ts'
import { withEqualBlocks, withFewerLaunches, withRungs } from './whole-program.ts'

/** A search at another shape: taken where `size` is at most `most`. */
export interface ShapeVersion {
  readonly size: string
  readonly most: number
  /** The sizes that it was searched at. */
  readonly at: Readonly<Record<string, number>>
  /** The program under the version's own name, and its points. */
  readonly context: Context
  readonly points: readonly Point[]
  /** Predicted nanoseconds at `at`, and those of the plan without it. */
  readonly ns: number
  readonly without: number
}

/** A size that is small beside its planned value; sizes below this are small already. */
const small = 8,
  leastLarge = 64
/** A plan is left alone that takes no more than so many times the bound, or no more than so many times a version. */
const nearBound = 3,
  worthwhile = 2
/** Elements of all arrays at a shape. */
const mostElements = 2 ** 28
/** Versions share this part of the effort for the planned sizes. */
const share = 0.25

/** Versions of a plan with these points, in the order in which they are asked; none where the model knows no better. */
export async function shapeVersions(c: Context, points: readonly Point[]): Promise<readonly ShapeVersion[]> {
  const planned = timeOf(c, points),
    found: ShapeVersion[] = []
  for (const size of largeSizes(c.analysed.source, c.values)) {
    const first = await versionAt(c, size, small, planned)
    if (!first) continue
    // Where both are slow, between them, there is a third: warps for rows of dozens.
    const between =
      first.most > small ? await versionAt(c, size, first.most, leastOf(timeAt(first), planned)) : undefined
    const second = between && { ...between, most: Math.max(between.most, lastWon(c, between, planned)) }
    found.push(second ? { ...first, most: lastWon(c, first, timeAt(second)) } : first, ...(second ? [second] : []))
  }
  return found
}

/** A shape at which a plan takes much longer than any schedule must. */
export interface SlowShape {
  readonly size: string
  readonly at: Readonly<Record<string, number>>
  /** Predicted nanoseconds of the plan, and what any schedule must take. */
  readonly ns: number
  readonly boundNs: number
}

/** Times the bound from which on a shape is worth a word. */
const farFromBound = 10

/** Shapes at which a plan with these points is far from its bound. */
export function slowShapes(c: Context, points: readonly Point[]): readonly SlowShape[] {
  const { source } = c.analysed,
    time = timeOf(c, points)
  return largeSizes(source, c.values).flatMap((size) => {
    if (c.effort.isGone()) return []
    const at = shapeAt(source, c.values, size, small),
      values = { ...c.values, sizes: at ?? c.values.sizes }
    const ns = at ? time(values) : 0,
      boundNs = lowerBound(source, values, c.options.gpu).ns
    return at && Number.isFinite(ns) && ns > farFromBound * boundNs ? [{ size, at, ns, boundNs }] : []
  })
}

type Time = (values: PlanValues) => number

const timeAt = ({ context, points }: ShapeVersion): Time => timeOf(context, points)
const leastOf =
  (a: Time, b: Time): Time =>
  (values) =>
    Math.min(a(values), b(values))

/** A version with `size` at `value`, where `other` is slow there and it is not. */
async function versionAt(c: Context, size: string, value: number, other: Time): Promise<ShapeVersion | undefined> {
  const { source } = c.analysed,
    at = shapeAt(source, c.values, size, value)
  if (!at) return undefined
  const values = { ...c.values, sizes: at },
    without = other(values)
  if (without < nearBound * lowerBound(source, values, c.options.gpu).ns) return undefined
  const searched = await searchedAt(c, size, at)
  if (!searched) return undefined
  const ns = timeOf(searched.context, searched.points)(values)
  if (!(worthwhile * ns < without)) return undefined
  const version = { ...searched, size, at, ns, without, most: value }
  return { ...version, most: lastWon(c, version, other) }
}

/** Sizes of arrays and of loops that are large as planned; none where there is only one. */
function largeSizes(program: Program, planned: PlanValues): readonly string[] {
  if (program.sizes.some((s) => s.kind !== 'given')) return [] // what follows from another size moves with it
  const ofLoops = new Set<string>(),
    ofArrays = new Set(program.arrays.flatMap((a) => a.shape.flatMap(sizesIn)))
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop') sizesIn(s.upper).forEach((name) => ofLoops.add(name))
  })
  const large = program.sizes.filter(
    (s) =>
      !isFixed(s) && s.min >= 0 && ofLoops.has(s.name) && ofArrays.has(s.name) && planned.sizes[s.name]! >= leastLarge,
  )
  return large.length < 2 ? [] : large.map((s) => s.name)
}

/** The planned sizes with `size` at `value`, others as much larger; undefined where a condition does not hold. */
function shapeAt(
  program: Program,
  planned: PlanValues,
  size: string,
  value: number,
): Readonly<Record<string, number>> | undefined {
  const others = largeSizes(program, planned).filter((name) => name !== size)
  for (let factor = planned.sizes[size]! / value; factor >= 1; factor /= 2) {
    const by = factor ** (1 / others.length)
    const at = {
      ...planned.sizes,
      ...Object.fromEntries(others.map((name) => [name, whole * Math.round((planned.sizes[name]! * by) / whole)])),
      [size]: value,
    }
    const values = { ...planned, sizes: at },
      holds = conjunction(conditionsOf(program))
    if (holds && planValueIfKnown(holds, values) !== 1) return undefined
    const elements = program.arrays.reduce((n, a) => n + elementsOf(a, values), 0)
    if (elements <= mostElements) return at
  }
  return undefined
}

/** Sizes at a shape are multiples of this. */
const whole = 4

/** Predicted nanoseconds of a plan with these points, by the values of sizes; infinitely many where it cannot run. */
function timeOf(c: Context, points: readonly Point[]): Time {
  const { gpu } = c.options
  const built = tryBuildFor(c, points, targetsOf(c.options)[0]!) // there is a target
  return (values) => {
    if (isInapplicable(built) || refusalIn(built.plan, values, gpu) !== null) return Infinity
    const estimate = attempted(() =>
      estimatePlan(workOf(built), built.plan, values, gpu, { known: c.known, counting: 'guessed' }),
    )
    return isInapplicable(estimate) ? Infinity : estimate.prediction.ns
  }
}

async function searchedAt(
  c: Context,
  size: string,
  at: Readonly<Record<string, number>>,
): Promise<Pick<ShapeVersion, 'context' | 'points'> | undefined> {
  const { source } = c.analysed
  const { effort, trace: _, rung: __, score: ___, scores: ____, measure: _____, ...options } = c.options
  const program: Program = {
    ...source,
    name: `${source.name}_${size}_${at[size]}`,
    sizes: source.sizes.map((s) => ({ ...s, planned: at[s.name] ?? s.planned })),
  }
  const context = attempted(() =>
    contextOf(program, {
      ...options,
      known: c.known,
      ...(effort !== undefined && { effort: share * effort }),
      progress: ({ stage, ...p }) => c.progress({ ...p, stage: `${size} = ${at[size]}: ${stage}` }),
    }),
  )
  if (isInapplicable(context)) return undefined
  const rungs = await ladderOf(context),
    { candidates } = await searchAll(context)
  const ordered = withFewerLaunches(context, withEqualBlocks(context, withRungs(context, candidates, rungs)))
  const points = ordered.find((p) => targetsOf(c.options).every((t) => !isInapplicable(tryBuildFor(context, p, t))))
  return points && { context, points }
}

/** The largest power of two for a version's size at which it beats `other`, on the way to the planned sizes. */
function lastWon(c: Context, version: ShapeVersion, other: Time): number {
  const { size, at } = version,
    own = timeAt(version)
  const wins = (bits: number): boolean => {
    const sizes = shapeAt(c.analysed.source, c.values, size, 2 ** bits),
      values = { ...c.values, sizes: sizes ?? at }
    return sizes !== undefined && own(values) < other(values)
  }
  let low = Math.log2(at[size]!), // a power of two
    high = Math.ceil(Math.log2(c.values.sizes[size]!)) // it has all sizes
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (wins(middle)) low = middle
    else high = middle
  }
  return 2 ** low
}

/**
 * `plan` with the variants of `own` before its own where the version is taken; scratch memory gets names of its own.
 * Throws a `DiagnosticError` where they do not take and give the same.
 */
export function withVersion(plan: Plan, version: ShapeVersion, own: Plan): Plan {
  if (!same(callers(own), callers(plan)))
    fail('tune.shape', `${own.name} takes other arrays than ${plan.name}, so that it is no version of it`)
  const { variants, scratch } = withOwnScratch(own, own.variants, `${version.size}_${version.at[version.size]}`),
    { size, most } = version,
    when = op('le', [sizeOf(size), int(most)])
  const asked = variants.map((v): PlanVariant => ({ ...onlyWhere(when, v), shape: { size, most } }))
  return { ...plan, arrays: [...plan.arrays, ...scratch], variants: [...asked, ...plan.variants] }
}

/** What the caller gives and gets. */
const callers = (plan: Plan): readonly unknown[] => [
  plan.arrays.filter((a) => a.role !== 'temp'),
  plan.scalars,
  plan.sizes.map((s) => s.name),
]
