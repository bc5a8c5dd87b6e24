// In: a program and a plan. Out: sizes to verify on: odd ones, multiples of the vector width that are no multiples of
// tiles, and ones that whole tiles divide, so that every variant of the plan runs; small enough for the reference.
import { attempted, isInapplicable, same } from '../../base/index.ts'
import {
  changesNothing,
  chooseVariant,
  elementsOf,
  executions,
  isFloat,
  isTriangular,
  joinedBounds,
  meantAt,
  literal,
  mapExpr,
  meets,
  multiplesIn,
  namesInKey,
  planValue,
  polynomialOf,
  planValueIfKnown,
  eachExpr,
  isOfSizes,
  someExpr,
  ownExprs,
  eachStmt,
  sizesIn,
  sub,
  uses,
  isFixed,
  type Expr,
  type Loop,
  type Plan,
  type PlanStep,
  type PlanValues,
  type PlanVariant,
  type Program,
} from '../../ir/index.ts'
import { countedDoublings, overPlaces } from '../../transform/index.ts'
import { effort, work } from '../estimate.ts'
import { beside, raisedToConditions } from './condition-sizes.ts'
import { insideArrays } from './inside-arrays.ts'

type Sizes = Readonly<Record<string, number>>

/**
 * Sets of sizes; every variant of `plan` that small sizes can reach is taken by one of them. `loops`: so many are in
 * each other somewhere in the kernels; `rounds`: how much of a size these go through at a time, where that is much.
 */
export function verificationSizes(
  given: Program,
  plan: Plan,
  loops = 0,
  rounds: Readonly<Record<string, number>> = {},
): readonly Sizes[] {
  if (given.sizes.length === 0) return [{}]
  const program = countedDoublings(given),
    doubles = program !== given
  const times = stepsTogether(plan),
    sized = sizesFor(program)
  const planned = Math.max(loops, deepest(program)) - (times && times.size > 0 ? 1 : 0),
    // what is meant at other sizes runs at these, too, and may be nested deeper
    depth = program.otherwise ? Math.max(planned, deepest(program.otherwise, times)) : planned
  // many launches, unless loops double: each costs milliseconds
  const repeated = !times && plan.variants.some((v) => v.steps)
  const odd =
    repeated && doubles
      ? [331, 71]
      : repeated
        ? [53, 19]
        : depth <= 1
          ? [times ? 3001 : 30011, 257]
          : depth === 2
            ? [331, 71]
            : [67, 37]
  const even =
    repeated && doubles
      ? 332
      : repeated
        ? 36
        : depth <= 1
          ? times
            ? 3004
            : 30012
          : depth === 2
            ? 332
            : times
              ? 132
              : 148
  const sets: Sizes[] = [
    ...odd.map((base, n) =>
      sized(
        (i) => base - 2 * i,
        (i) => 3 + 2 * ((i + n) % 3),
      ),
    ),
    sized(
      (i) => even - 4 * i,
      () => 4,
    ),
  ].map((s, n) => ({
    ...s,
    ...Object.fromEntries(
      [...(times ?? [])].map(([name, together]) => [
        name,
        [together + (together >> 1) + 1, Math.max(1, together - 1), depth >= 3 ? 2 : 3][n]!,
      ]),
    ),
  })) // three sets
  const whole = wholeSizes(program, plan, depth, sized, Object.fromEntries(times ?? []))
  const beyond = isTriangular(program.body) ? tilesBeside(program, plan, sized) : undefined
  const all = [...sets, ...(whole ? [whole] : [])].map(
    (s, n) => asTheyAre(program, plan, s, n === 3) ?? fitted(program, plan, s, n === 3),
  )
  const first = plan.variants[0]?.when,
    taken = (s: Sizes): boolean => !first || planValue(first, { sizes: s, scalars: {} }) !== 0
  const filled = all.map((s, n) => {
    const made = inside(program, s, n < 3 ? smallRadius : wholeRadius)
    return made && (n < 3 || taken(made)) ? made : s
  })
  const usual = distinct([
    ...nothingLeft(
      program,
      plan,
      fitted(
        program,
        plan,
        sized(
          (i) => 21 + 2 * i,
          () => 15,
        ),
        false,
      ),
    ),
    ...filled,
    ...(beyond ? [asTheyAre(program, plan, beyond, false) ?? beyond] : []),
    ...pastRounds(program, plan, rounds, sized),
  ])
  return distinct([
    ...[...usual, ...reaching(program, plan, usual, sized)].map((s) =>
      raisedToConditions(program, insideArrays(program, s)),
    ),
    // what is meant where they fail has kernels of its own
    ...lightest(
      program,
      (program.otherwise ? usual.slice(0, mostBroken) : [])
        .flatMap((s) => beside(program, raisedToConditions(program, s)))
        .filter((s) => !leavesNothing(program, s) && isMeantOtherwise(program, s))
        .filter((s) => !isHeavy(program, plan, s, mostLaunches)),
    ),
  ])
}

/** Of `sets` those with the least work, together as much as one set may be, and one in any case: windows have many. */
function lightest(program: Program, sets: readonly Sizes[]): readonly Sizes[] {
  const worked = sets.map((sizes) => {
    const values = { sizes, scalars: {} }
    return { sizes, own: effort(meantAt(program, values), values) }
  })
  let sum = 0
  const taken = [...worked].sort((a, b) => a.own - b.own).filter(({ own }, i) => (sum += own) <= mostWork || i === 0)
  return sets.filter((s) => taken.some((t) => t.sizes === s))
}

/** Sets of sizes for each condition, at which it fails. */
const mostBroken = 2

/** Whether a size that counts is 0: an edge, which a plan may refuse. */
const leavesNothing = (program: Program, sizes: Sizes): boolean =>
  program.sizes.some((s) => s.counts && sizes[s.name] === 0)

/** Whether something else is done at these sizes than what conditions ask them for, not nothing. */
function isMeantOtherwise(program: Program, sizes: Sizes): boolean {
  const meant = meantAt(program, { sizes, scalars: {} })
  return meant !== program && !changesNothing(meant)
}

/**
 * Sizes at the edges of what they may be, beside `usual` ones: every one that counts 0 and 1 once, all of them 0 and 1,
 * and few with every remainder by small steps; every one that may be any integer 0, negative, 1 and a few at sets of
 * `usual` in turn, so that flags meet variants.
 * Where integers of the caller are no sizes, enough turns for these.
 */
export function edgeSizes(program: Program, plan: Plan, usual: readonly Sizes[]): readonly Sizes[] {
  const open = program.sizes.filter((s) => !isFixed(s)),
    counts = open.filter((s) => s.min >= 0),
    others = open.filter((s) => s.min < 0 || !s.counts)
  const small: Sizes = Object.fromEntries(
    program.sizes.map((s, i) => [s.name, isFixed(s) ? s.planned : smallEdge + 2 * i]),
  )
  const all = (value: number): Sizes => ({
    ...small,
    ...Object.fromEntries(counts.map((s) => [s.name, Math.max(s.min, value)])),
  })
  const moved = (by: number): Sizes => Object.fromEntries(counts.map(({ name }) => [name, small[name]! + by]))
  const turned = others.slice(0, mostTurned).flatMap((s) => {
    const light = usual.filter((x) => !isMuch(program, plan, x)),
      sets = light.length > 0 ? light : [small]
    // not empty
    return triedIntegers.map((value, n) => ({ ...sets[n % sets.length]!, [s.name]: Math.max(s.min, value) }))
  })
  const conditional = beside(program, raisedToConditions(program, small))
  const scalars = program.scalars.some((x) => !isFloat(x.type)) ? Array.from({ length: scalarTurns }, () => small) : []
  return [
    ...distinct([
      ...counts.flatMap((s) => [0, 1].map((value) => ({ ...small, [s.name]: Math.max(s.min, value) }))),
      ...(counts.length > 1 ? [all(0), all(1)] : []),
      ...(counts.length > 0 ? residues.map((by) => ({ ...small, ...moved(by) })) : []),
      ...turned,
      ...conditional,
    ]).filter((s) => !isMuch(program, plan, s)),
    ...scalars,
  ]
}

/** Sizes at the edges are these and a little more where they are no edges. */
const smallEdge = 5
/** With these beside them all sizes take every remainder by 2, 3 and 4, the steps that loops have. */
const residues = [0, 1, 2, 3]
/** What sizes are tried with that may be any integer. */
const triedIntegers = [0, -1, 1, 5, 0]
/** Most sizes of this kind that are tried one by one. */
const mostTurned = 4
/** Turns in which integers of the caller take all values that are tried. */
const scalarTurns = 7

/** Iterations, and elements of all arrays together, for one of many sets. */
const edgeWork = 1e6,
  edgeElements = 2 ** 19

/** Whether a run is refused, or more than one of many may be. */
export function isMuch(program: Program, plan: Plan, sizes: Sizes): boolean {
  const values: PlanValues = { sizes, scalars: {} }
  const run = attempted(() => ({
    isMuch:
      work(program, values) > edgeWork ||
      plan.arrays.reduce((n, a) => n + elementsOf(a, values), 0) > edgeElements ||
      hasManyLaunches(plan, values, fewLaunches),
  }))
  return isInapplicable(run) || run.isMuch
}

/** The planned sizes, where the reference runs them in about a second; for callers who name a size of their own. */
export function plannedSizes(program: Program, plan: Plan): readonly Sizes[] {
  const sizes = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned]))
  return isHeavy(program, plan, sizes, fewLaunches) ? [] : [sizes]
}

/**
 * Sizes at which the host comes to launches of a variant that it passes over at all of `sets`, as loops do that begin
 * or end at a number of bits: the smallest power of two and a little.
 */
function reaching(program: Program, plan: Plan, sets: readonly Sizes[], sized: Sized): readonly Sizes[] {
  const chosen = (sizes: Sizes): PlanVariant => chooseVariant(plan, { sizes, scalars: {} })
  const launched = (variant: PlanVariant, of: readonly Sizes[]): number =>
    new Set(of.flatMap((sizes) => [...executions(variant, { sizes, scalars: {} })].map((e) => e.position))).size
  return plan.variants.flatMap((v): readonly Sizes[] => {
    if (
      !v.steps ||
      !endsByBits(v.steps) ||
      launched(
        v,
        sets.filter((s) => chosen(s) === v),
      ) === v.launches.length
    )
      return []
    const counted = new Set(boundsOf(v.steps).flatMap(sizesIn)),
      isCounted = (i: number): boolean => counted.has(program.sizes[i]!.name) // it is one of them
    for (let size = 256; size <= largestReached; size *= 2) {
      for (const sizes of [
        sized((i) => size + 21 + 2 * i),
        sized(() => size + 4),
        sized(() => size + 64),
        sized((i) => (isCounted(i) ? size + 21 : 13 + 2 * i)),
        sized((i) => (isCounted(i) ? size + 64 : 16)),
      ]) {
        if (chosen(sizes) !== v || launched(v, [sizes]) < v.launches.length) continue
        if (
          work(overPlaces(program), { sizes, scalars: {} }) <= mostWork &&
          !hasManyLaunches(plan, { sizes, scalars: {} }, mostLaunches)
        )
          return [sizes]
      }
    }
    return []
  })
}

/** Elements of a dimension. */
const largestReached = 2 ** 17

const boundsOf = (steps: readonly PlanStep[]): readonly Expr[] =>
  steps.flatMap((s) => (typeof s === 'number' ? [] : [s.lower, s.upper, ...boundsOf(s.body)]))

/** Whether a bound of a loop on the host is the lesser or greater of a number of bits and something else. */
const endsByBits = (steps: readonly PlanStep[]): boolean =>
  steps.some(
    (s) =>
      typeof s !== 'number' &&
      ([s.lower, s.upper].some((e) => countsBits(e) && e.kind === 'op' && (e.op === 'max' || e.op === 'min')) ||
        endsByBits(s.body)),
  )

/**
 * `sizes`, where so much is taken of them that loops are empty that are not planned so, and arrays still have elements.
 */
function nothingLeft(program: Program, plan: Plan, sizes: Sizes): readonly Sizes[] {
  return inside(program, sizes, smallRadius) &&
    plan.arrays.every((a) => a.shape.every((e) => planValue(e, { sizes, scalars: {} }) > 0))
    ? [sizes]
    : []
}

/** A radius is small beside what it is taken from; one of whole tiles, where they are wanted. */
export const smallRadius = 3
const wholeRadius = 16

/**
 * `sizes` with those small that leave nothing of a loop that is not planned empty (`n − 2r`); `undefined` where nothing
 * is left out.
 */
export function inside(program: Program, sizes: Sizes, radius: number): Sizes | undefined {
  const planned = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    taken = new Set<string>()
  const isFixedSize = (name: string): boolean => program.sizes.some((x) => isFixed(x) && x.name === name)
  const turns = (span: Expr, values: Sizes): number => planValue(span, { sizes: values, scalars: {} })
  eachStmt(program.body, (s) => {
    const span = s.kind === 'loop' ? sub(s.upper, s.lower) : undefined
    if (!span || !isOfSizes(span) || turns(span, planned) <= 0 || turns(span, sizes) > 0) return
    for (const name of takenIn(span)) if (!isFixedSize(name)) taken.add(name)
  })
  return taken.size > 0
    ? Object.fromEntries(
        Object.entries(sizes).map(([name, v]) => [
          name,
          taken.has(name) ? Math.max(program.sizes.find((s) => s.name === name)!.min, Math.min(v, radius)) : v,
        ]),
      )
    : undefined // it is one of them
}

/** Sizes in what is taken from a number of iterations: of `(h - d * (k - 1)) / s` these are d and k. */
function takenIn(span: Expr): readonly string[] {
  const undivided = mapExpr(span, (x) => (x.kind === 'op' && x.op === 'div' ? x.args[0]! : x)), // two arguments
    form = polynomialOf(undivided)
  return [...(form ?? [])].flatMap(([key, c]) =>
    c < 0 ? namesInKey(key).flatMap((n) => (n.startsWith('$') ? [n.slice(1)] : [])) : [],
  )
}

const distinct = (sets: readonly Sizes[]): readonly Sizes[] => [
  ...new Map(sets.map((s) => [JSON.stringify(s), s])).values(),
]

/** Launches of one run, so that fixed sizes keep their values: a second or so. */
const fewLaunches = 500

/**
 * `sizes` with those that never differ as they are, for the source may count on it (`#define BINS 256` and `& 255`),
 * where that is little enough work. `whole`: the first variant must still be the one that is taken.
 */
function asTheyAre(program: Program, plan: Plan, sizes: Sizes, whole: boolean): Sizes | undefined {
  const fixed = program.sizes.filter((s) => isFixed(s))
  if (fixed.length === 0) return undefined
  const kept = { ...sizes, ...Object.fromEntries(fixed.map((s) => [s.name, s.planned])) }
  const when = plan.variants[0]?.when
  if (
    isHeavy(program, plan, kept, fewLaunches) ||
    (whole && when && planValue(when, { sizes: kept, scalars: {} }) === 0)
  )
    return undefined
  return kept
}

function isHeavy(program: Program, plan: Plan, sizes: Sizes, launches: number): boolean {
  const values: PlanValues = { sizes, scalars: {} }
  return (
    effort(program, values) > mostWork ||
    plan.arrays.reduce((n, a) => n + elementsOf(a, values), 0) > mostElements ||
    hasManyLaunches(plan, values, launches)
  )
}

/**
 * Sizes at which some tiles lie wholly on either side of a diagonal: twice the largest tile and a little; the others as
 * steps of sums may be.
 */
function tilesBeside(program: Program, plan: Plan, sized: Sized): Sizes | undefined {
  const tiled = new Map<string, number>()
  for (const l of plan.variants.flatMap((v) => v.launches))
    for (const g of l.grid) {
      eachExpr(g, (e) => {
        if (e.kind === 'op' && e.op === 'div')
          for (const name of sizesIn(e.args[0]!))
            tiled.set(name, Math.max(tiled.get(name) ?? 1, literal(e.args[1]!) ?? 1))
      })
    }
  const widest = Math.max(1, ...tiled.values())
  const sizes = sized((i) => (tiled.has(program.sizes[i]!.name) ? 2 * widest + 20 : 32))
  return work(program, { sizes, scalars: {} }) <= mostWork ? sizes : undefined
}

/**
 * Where every loop of the host takes many iterations of the source at a time, or as many as a size says that nothing
 * else needs: the sizes that only say how many there are, with how many are taken together. Launches whose blocks meet
 * take all. `undefined` where others say how many the host repeats.
 */
function stepsTogether(plan: Plan): ReadonlyMap<string, number> | undefined {
  const out = new Map<string, number>()
  const shapes = new Set(plan.arrays.flatMap((a) => (a.role === 'in' ? [] : a.shape.flatMap(sizesIn))))
  const look = (steps: readonly PlanStep[]): boolean =>
    steps.every((s) => {
      if (typeof s === 'number') return true
      if (countsBits(s.upper)) return false // the size itself says more
      const own = sizesIn(s.upper).filter((name) => !shapes.has(name))
      const divisors: number[] = []
      eachExpr(s.upper, (e) => {
        if (e.kind === 'op' && e.op === 'div') {
          divisors.push(literal(e.args[1]!) ?? 1)
          const only = new Set(sizesIn(e.args[0]!))
          for (const name of own) if (only.size === 1 && only.has(name)) out.set(name, literal(e.args[1]!) ?? 1)
        }
      })
      own.forEach((name) => {
        if (s.step > 1 || !out.has(name)) out.set(name, s.step)
      })
      return (s.step > 1 || divisors.length > 0 || own.length > 0) && look(s.body)
    })
  const all =
    plan.variants.some((v) => v.steps) &&
    plan.variants.every((v) => meets(v) || (v.steps?.some((s) => typeof s !== 'number') === true && look(v.steps)))
  return all ? out : undefined
}

function countsBits(e: Expr): boolean {
  return someExpr(e, (x) => x.kind === 'op' && x.op === 'clz')
}

/** Iterations that the reference runs for one set of sizes: about a second. */
const mostWork = 1.7e7

/** Elements of all arrays together: a sum over the diagonal of a matrix does little and needs much. */
const mostElements = 2 ** 23

/**
 * `sizes` small enough for the reference. Sizes that no variant asks anything of (a batch) shrink to a few first, one
 * after the other; then all of them, keeping their remainders by 4, unless they must stay as they are (`fixed`).
 */
function fitted(program: Program, plan: Plan, sizes: Sizes, fixed: boolean): Sizes {
  const heavy = (s: Sizes): boolean => isHeavy(program, plan, s, mostLaunches)
  if (!heavy(sizes)) return sizes
  const asked = askedOf(plan)
  let smaller = sizes
  for (const [i, s] of program.sizes.entries()) {
    if (heavy(smaller) && !asked.has(s.name))
      // every size has a value
      smaller = { ...smaller, [s.name]: Math.max(s.min, Math.min(sizes[s.name]!, fixed ? 1 : 3 + i)) }
  }
  while (!fixed && heavy(smaller) && Object.values(smaller).some((v) => v > 12)) {
    // as above
    smaller = Object.fromEntries(program.sizes.map((s) => [s.name, Math.max(s.min, shrunk(smaller[s.name]!))]))
  }
  // Many sizes in one product are too many even at a dozen each: the largest becomes less, one after the other.
  while (!fixed && heavy(smaller)) {
    const [name, most] = largestOf(program, smaller)
    if (name === undefined || most <= fewest) break
    smaller = { ...smaller, [name]: Math.floor(most * 0.75) }
  }
  return smaller
}

/** What a size may be made to take part in a product of many. */
const fewest = 3

/** The largest of the sizes that may be less. */
function largestOf(program: Program, sizes: Sizes): readonly [string | undefined, number] {
  return program.sizes.reduce<readonly [string | undefined, number]>(
    // every size has a value
    ([name, most], s) => (sizes[s.name]! > Math.max(most, s.min) ? [s.name, sizes[s.name]!] : [name, most]),
    [undefined, 0],
  )
}

/** Launches of one run: each costs the simulator a millisecond or less. */
const mostLaunches = 6_000
/** Threads that cost it as much as a launch does, where loops on the host start them again and again. */
const threadsOfLaunch = 2 ** 12

/** Whether a run comes to more than `most` launches, or to threads that take as long, in loops on the host. */
function hasManyLaunches(plan: Plan, values: PlanValues, most: number): boolean {
  const variant = chooseVariant(plan, values)
  if (!variant.steps) return variant.launches.length > most
  let n = 0
  for (const { launch, values: at } of executions(variant, values)) {
    const known = launch.grid.filter((e) => !someExpr(e, (x) => x.kind === 'scalar')) // which callers give
    const blocks = known.reduce((k, e) => k * Math.max(0, planValue(e, at)), 1)
    n += 1 + (blocks * launch.kernel.block.reduce((k, d) => k * d, 1)) / threadsOfLaunch
    if (n > most) return true
  }
  return false
}

const shrunk = (v: number): number => (v <= 12 ? v : Math.floor((v * 0.75) / 4) * 4 + (v % 4))

/** Sizes that the conditions of variants name. */
function askedOf(plan: Plan): ReadonlySet<string> {
  const names = new Set<string>()
  for (const v of plan.variants)
    if (v.when)
      mapExpr(v.when, (e) => {
        if (e.kind === 'size') names.add(e.name)
        return e
      })
  return names
}

/**
 * Sizes by their positions. `margin`: of those that only take from others, as the window of a convolution does, or that
 * divide them, as groups do; as large as the others they would leave nothing, or one.
 */
type Sized = (value: (i: number) => number, margin?: (i: number) => number) => Sizes

function sizesFor(program: Program): Sized {
  const margins = new Set([...marginsOf(program), ...divisorsOf(program)])
  return (value, margin = value) =>
    raisedToConditions(
      program,
      Object.fromEntries(
        program.sizes.map((s, i) => [
          s.name,
          Math.max(s.min, margins.has(s.name) ? margin(i) : Math.max(12, value(i))),
        ]),
      ),
    )
}

/** Sizes that the bound of a loop subtracts and that none of the loops that choose what is stored grows with. */
function marginsOf(program: Program): ReadonlySet<string> {
  const taken = new Set<string>(),
    grown = new Set<string>()
  const note = (l: Loop, side: -1 | 1, into: Set<string>): void =>
    joinedBounds(l.upper, 'min').forEach(({ terms }) =>
      terms.forEach((factor, name) => {
        if (name.startsWith('$') && factor * side > 0) into.add(name.slice(1))
      }),
    )
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'loop') note(s, -1, taken)
    if (s.kind === 'store') around.filter((l) => s.index.some((e) => uses(e, l.name))).forEach((l) => note(l, 1, grown))
  })
  return new Set([...taken].filter((name) => !grown.has(name)))
}

/** Sizes by which another is divided. */
function divisorsOf(program: Program): ReadonlySet<string> {
  const found = new Set<string>()
  const note = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind !== 'op' || x.op !== 'div' || x.type !== 'i32') return
      const [of, by] = x.args as readonly [Expr, Expr] // of a quotient
      if (of.kind === 'size' && by.kind === 'size') found.add(by.name)
    })
  eachStmt(program.body, (s) => ownExprs(s).forEach(note))
  return found
}

/** Loops around a store at most, without those over `times`. */
function deepest(program: Program, times: ReadonlyMap<string, number> = new Map()): number {
  const isCounted = (l: Loop): boolean => !sizesIn(l.upper).some((name) => times.has(name))
  let most = 0
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'store') most = Math.max(most, around.filter(isCounted).length)
  })
  return most
}

/**
 * Sizes that the first variant's condition accepts, when the odd ones do not: multiples of 16 and of nothing larger, or
 * the smallest equal ones; of a grid whose blocks meet nearly the planned ones, which it is for. `times`: sizes that
 * say how often.
 */
function wholeSizes(program: Program, plan: Plan, depth: number, sized: Sized, times: Sizes): Sizes | undefined {
  const [first] = plan.variants
  if (!first?.when) return undefined
  let lightest: { readonly sizes: Sizes; readonly work: number } | undefined
  const limit = depth >= 3 ? 256 : 2048
  const equal = Array.from({ length: Math.log2(limit) - 3 }, (_, e) => 16 * 2 ** e),
    few = (): number => 4
  const { when } = first,
    least = [12, 1].map((from) => smallestWhole(program, when, sized, from)).filter((s) => s !== undefined)
  const staying = meets(first)
    ? [0.75, 1].map((part) =>
        Object.fromEntries(program.sizes.map((s) => [s.name, Math.max(s.min, 4 * Math.floor((part * s.planned) / 4))])),
      )
    : []
  for (const chosen of [
    ...staying,
    sized((i) => 16 * (9 + 2 * i), few),
    ...equal.map((n) => sized(() => n, few)),
    ...equal.map((n) => sized(() => n)),
    ...least,
  ]) {
    const sizes = { ...chosen, ...times },
      values: PlanValues = { sizes, scalars: {} }
    const holds = planValueIfKnown(first.when, values)
    if (holds === undefined) return undefined
    if (holds === 0) continue
    const taken = work(program, values)
    if (taken <= mostWork) return sizes
    if (!lightest || taken < lightest.work) lightest = { sizes, work: taken }
  }
  return lightest && halved(program, when, lightest.sizes)
}

/** `sizes` with the largest that can be halved, one after the other, as long as they are too much; `when` holds. */
function halved(program: Program, when: Expr, sizes: Sizes): Sizes {
  let smaller = sizes
  while (work(program, { sizes: smaller, scalars: {} }) > mostWork) {
    const of = smaller // every size has a value
    const next = [...program.sizes]
      .sort((x, y) => of[y.name]! - of[x.name]!)
      .map(({ name, min }): Sizes => ({ ...of, [name]: Math.max(min, of[name]! >> 1) }))
      .find((s) => !same(s, of) && planValue(when, { sizes: s, scalars: {} }) !== 0)
    if (!next) break
    smaller = next
  }
  return smaller
}

/**
 * The smallest sizes, of so many at least, that are the multiples that `when` asks for; `undefined` where it asks for
 * something else.
 */
function smallestWhole(program: Program, when: Expr, sized: Sized, least: number): Sizes | undefined {
  const factors = multiplesIn(when)
  return factors
    ? sized((i) => {
        const f = factors.get(program.sizes[i]!.name) ?? 4
        return f * Math.ceil(least / f)
      })
    : undefined // it is one of them
}

/**
 * Sizes past one of the long rounds in which kernels go through some of them (`Sketch.rounds`), where all other sets
 * stay within the first; the others are small.
 */
function pastRounds(
  program: Program,
  plan: Plan,
  rounds: Readonly<Record<string, number>>,
  sized: Sized,
): readonly Sizes[] {
  const long = new Map(Object.entries(rounds).filter(([, n]) => n > longRound))
  if (long.size === 0) return []
  const past = plan.variants.length > 1 ? [oddPast, evenPast] : [oddPast]
  return past
    .map((more) =>
      sized((i) => {
        const n = long.get(program.sizes[i]!.name) // it is one of them
        return n ? n + more : 13 + 2 * i
      }),
    )
    .filter((sizes) => work(overPlaces(program), { sizes, scalars: {} }) <= mostWork)
}

/** So much longer than a round: what no vector divides, and what those do. */
const oddPast = 21,
  evenPast = 24

/** Of a size that a kernel takes at once: no more than some other set of sizes has. */
const longRound = 32
