// In: a built plan, sizes, a GPU profile. Out: what its launches count and how long they should take. The one idea: a
// few blocks of each launch are simulated at the planned sizes; when even those would take too many steps, smaller
// sizes are simulated and the counts scaled by the ratio of the work (iterations of the scheduled loops), and the
// result says so.
import {
  applied,
  attempted,
  fail,
  keyOf,
  keyWithoutPlaces,
  sameWithoutPlaces,
  formatSpan,
  isInapplicable,
  setLast,
  type Inapplicable,
  type Span,
} from '../base/index.ts'
import { refusalOf, type BlockUse, type GpuProfile, type Occupancy } from '../gpus/index.ts'
import {
  allStatements,
  arrayBytes,
  chooseVariant,
  hostVariables,
  int,
  isEndless,
  meetsGrid,
  planValue,
  stepsOf,
  sharedBytesOf,
  type Counters,
  type Dim3,
  type Expr,
  type Kernel,
  type Launch,
  type Loop,
  type Plan,
  type PlanLaunch,
  type PlanStep,
  type PlanValues,
  type Program,
  type Stmt,
  eachExpr,
  eachStmt,
  ownExprs,
  conditionsOf,
  sizesIn,
  readsArray,
  someExpr,
  someStmt,
  type LoopStmt,
  substitute,
  uses,
  affineOf,
} from '../ir/index.ts'
import {
  apiOf,
  estimateRegisters,
  fitsAtOnce,
  occupancyOf,
  predict,
  predictAll,
  registersOf,
  type Prediction,
} from '../model/index.ts'
import { addressSliceOf, compileKernel, traceOf } from '../simulate/index.ts'
import { freshArrays } from './run-data.ts'

/** One launch as counted and predicted. In a host loop: the execution in the middle, and the time of all. */
export interface LaunchEstimate {
  readonly name: string
  /** How often the host launches it. */
  readonly times: number
  readonly grid: Dim3
  readonly block: Dim3
  readonly counters: Counters
  /** The counts come from smaller sizes, scaled. */
  readonly scaled: boolean
  readonly registers: { readonly perThread: number; readonly source: 'estimated' | 'ptxas' }
  readonly occupancy: Occupancy
  /** What a block takes. */
  readonly use: BlockUse
  /** Of all its executions together. */
  readonly prediction: Prediction
}

export interface Estimate {
  readonly launches: readonly LaunchEstimate[]
  readonly prediction: Prediction
}

/** Statement executions that one launch may take in the simulator before smaller sizes stand in. */
const maxSteps = 6e6

/**
 * How blocks are counted: `guessed` classes rank candidates, what is reported has `derived` ones (`simulate/classes`),
 * which may take more steps.
 */
export type Counting = 'guessed' | 'derived'
/** Derived classes may take so many times the steps of guessed ones. */
const stepsOfDerived = 8

/**
 * Launches that were estimated before, the last ones asked for: many points of a program share most of their kernels,
 * and a text that is being typed most of them with the text before. Exact: a launch is known by all that its estimate
 * depends on.
 */
export class KnownLaunches {
  private readonly most: number
  private readonly estimates = new Map<string, readonly KnownEstimate[]>()
  private readonly byText = new Map<string, number>()
  private readonly byKernel = new WeakMap<Kernel, number>()
  /** Kernels that may be equal, the last ones of each kind, with their numbers. */
  private readonly alike = new Map<string, readonly (readonly [Kernel, number])[]>()
  private readonly byProfile = new WeakMap<GpuProfile, number>()
  private numbers = 0

  /** `most`: launches that are remembered; with all that was counted of it, each holds some 50 kB. */
  constructor(most = 3000) {
    this.most = most
  }

  /** The same number for equal texts, as long as they are remembered. */
  numberOf(text: string): number {
    const number = this.byText.get(text) ?? this.numbers++
    setLast(this.byText, text, number, this.most)
    return number
  }

  /** The same for kernels, wherever their statements stand in a text. */
  numberOfKernel(kernel: Kernel): number {
    const known = this.byKernel.get(kernel)
    if (known !== undefined) return known
    // Not by their texts, which are megabytes: kernels that differ mostly do so in what is quickly compared.
    const kind = keyOf([kernel.name, kernel.block, kernel.resources, kernel.registers.length, kernel.body.length]),
      likely = this.alike.get(kind) ?? [],
      equal = likely.find(([other]) => sameWithoutPlaces(other, kernel)),
      number = equal?.[1] ?? this.numbers++
    setLast(this.alike, kind, equal ? likely : [...likely.slice(1 - mostAlike), [kernel, number]], this.most)
    this.byKernel.set(kernel, number)
    return number
  }

  /** One for each profile, by itself: two of one name need not be equal. */
  numberOfProfile(profile: GpuProfile): number {
    const number = this.byProfile.get(profile) ?? this.numbers++
    this.byProfile.set(profile, number)
    return number
  }

  /** What is known of a launch. */
  of(key: string): readonly KnownEstimate[] {
    return this.estimates.get(key) ?? []
  }
  add(key: string, estimate: KnownEstimate): void {
    setLast(this.estimates, key, [...this.of(key), estimate], this.most)
  }
}

/** Kernels of one kind that are compared with a new one. */
const mostAlike = 64

interface KnownEstimate {
  readonly kernel: Kernel
  readonly estimate: LaunchEstimate
  readonly shrink: number
  readonly steps: number
  /** Steps that were taken when the first sizes tried were small enough: with more allowed it is the same. */
  readonly taken: number
}

/** How much smaller sizes had to be so far: where the next estimate of a similar kernel begins. */
export interface ShrinkHint {
  shrink: number
}

export interface EstimateOptions {
  /** Steps of the simulator that a launch may take. */
  readonly steps?: number
  /** For many similar kernels: sizes that were too large once are not tried again. */
  readonly hint?: ShrinkHint
  /** Executions that stand for all of a host loop; 3 by default. */
  readonly samples?: 1 | 3
  /** For several plans of one program at the same sizes. */
  readonly known?: KnownLaunches
  /** What the figures are for. */
  readonly counting?: Counting
}

/**
 * Estimates the plan at `values`. `program`: what the plan computes, or what each of its launches does (with variables
 * of host loops): the work by which counts at smaller sizes are scaled. Throws a `DiagnosticError` when a launch cannot
 * be simulated at any size.
 */
export function estimatePlan(
  program: Program | readonly Program[],
  plan: Plan,
  values: PlanValues,
  profile: GpuProfile,
  {
    steps = maxSteps,
    hint = { shrink: 1 },
    samples = 3,
    known = new KnownLaunches(),
    counting = 'derived',
  }: EstimateOptions = {},
): Estimate {
  const variant = chooseVariant(plan, values, ({ kernel }, blocks) =>
    fitsAtOnce(kernel, blocks, estimateRegisters(kernel), profile),
  )
  const runs = variant.launches.map((): Run[] => []),
    memory = known.numberOf(keyWithoutPlaces(plan.arrays))
  for (const r of sampledRuns(stepsOf(variant), values, 1)) runs[r.position]!.push(r) // one list per launch
  const launches = variant.launches.map((l, i) => {
    const all = runs[i]!.filter((r) => l.grid.every((e) => planValue(e, r.values) > 0)) // as above
    const own = Array.isArray(program)
      ? (program as readonly Program[])[Math.min(i, program.length - 1)]!
      : (program as Program) // narrowing does not know readonly arrays
    const nothing = { ...values, variables: Object.fromEntries(hostVariables(plan).map((v) => [v, 0])) }
    const estimates = (all.length > 0 ? samplesOf(all, samples) : [nothing]).map((v) =>
      knownLaunch({ program: own, plan, launch: l, values: v, profile, steps, hint, counting }, known, memory),
    )
    return together(estimates, Math.round(all.reduce((n, r) => n + r.weight, 0)))
  })
  return { launches, prediction: predictAll(launches.map((l) => l.prediction)) }
}

/** An execution of a launch that stands for `weight` of them. */
interface Run {
  readonly position: number
  readonly values: PlanValues
  readonly weight: number
}

/** Iterations of a host loop that stand for all of them. */
const mostIterations = 24

function* sampledRuns(steps: readonly PlanStep[], values: PlanValues, weight: number): Generator<Run> {
  for (const s of steps) {
    if (typeof s === 'number') {
      yield { position: s, values, weight }
      continue
    }
    const lower = planValue(s.lower, values),
      count = Math.max(0, Math.ceil((planValue(s.upper, values) - lower) / s.step))
    const taken = Math.min(count, mostIterations)
    for (let i = 0; i < taken; i++) {
      const v = lower + s.step * Math.floor(((i + 0.5) * count) / taken)
      yield* sampledRuns(
        s.body,
        { ...values, variables: { ...values.variables, [s.variable]: v } },
        (weight * count) / taken,
      )
    }
  }
}

/** Executions that stand for all: the middles of `count` equal parts, or all when there are no more. */
const samplesOf = (all: readonly Run[], count: number): readonly PlanValues[] =>
  (all.length <= count
    ? all
    : Array.from({ length: count }, (_, n) => all[Math.floor(((2 * n + 1) * all.length) / (2 * count))]!)
  ).map((r) => r.values)

/** The middle execution, with the time of `times` executions: their mean stands for each. */
function together(samples: readonly LaunchEstimate[], times: number): LaunchEstimate {
  const middle = samples[samples.length >> 1]!
  const factor = times / samples.length
  const terms = Object.fromEntries(
    Object.keys(middle.prediction.terms).map((k) => [
      k,
      factor * samples.reduce((n, s) => n + ((s.prediction.terms as Readonly<Record<string, number>>)[k] ?? 0), 0),
    ]),
  ) as unknown as Prediction['terms'] // the same keys
  return samples.length === 1 && times === 1
    ? middle
    : {
        ...middle,
        times,
        prediction: { ...middle.prediction, ns: factor * samples.reduce((n, s) => n + s.prediction.ns, 0), terms },
      }
}

/** One launch at some values, and how it is to be counted. */
interface Asked {
  readonly program: Program
  readonly plan: Plan
  readonly launch: PlanLaunch
  readonly values: PlanValues
  readonly profile: GpuProfile
  readonly steps: number
  readonly hint: ShrinkHint
  readonly counting: Counting
}

/** `memory`: the number of the plan's arrays. */
function knownLaunch(asked: Asked, known: KnownLaunches, memory: number): LaunchEstimate {
  const { program, launch, values, profile, steps, hint, counting } = asked,
    { kernel, grid, params, arguments: args } = launch
  const key = keyWithoutPlaces([
    known.numberOfKernel(kernel),
    known.numberOfProfile(profile),
    memory,
    grid,
    params,
    args,
    values,
    hint.shrink,
    counting,
    work(program, withVariables(values)),
  ])
  const before = known.of(key).find((k) => k.steps === steps || k.taken < steps),
    placed = before && placedAs(before.estimate, before.kernel, kernel)
  if (before && placed) {
    hint.shrink = before.shrink
    return placed
  }
  const first = hint.shrink,
    { estimate, taken } = estimateLaunch(asked)
  known.add(key, { kernel, estimate, shrink: hint.shrink, steps, taken: hint.shrink === first ? taken : Infinity })
  return estimate
}

/**
 * The estimate of a kernel for one that differs from it in the places of its statements alone; null where a place
 * would become several.
 */
function placedAs(estimate: LaunchEstimate, from: Kernel, to: Kernel): LaunchEstimate | null {
  if (from === to) return estimate
  const before = allStatements(from.body),
    now = allStatements(to.body),
    statements = new Map<Stmt, Stmt>(before.map((s, i) => [s, now[i]!])), // as many: they have one key
    places = new Map<string, Span | undefined>()
  for (const [s, other] of statements) {
    const place = placeOf(s.at)
    if (places.has(place) && placeOf(places.get(place)) !== placeOf(other.at)) return null
    places.set(place, other.at)
  }
  const { counters } = estimate
  if (counters.hazards.length > 0) return null // their words have places, too
  const moved = <T extends { readonly at?: Span }>({ at, ...rest }: T): Omit<T, 'at'> & { readonly at?: Span } => {
    const other = places.get(placeOf(at))
    return { ...rest, ...(other && { at: other }) }
  }
  return {
    ...estimate,
    counters: {
      ...counters,
      sites: counters.sites.map(moved),
      branches: counters.branches.map(moved),
      executions: counters.executions.map((e) => ({
        ...e,
        statements: e.statements.map((s) => statements.get(s) ?? s),
      })),
    },
  }
}

const placeOf = (at: Span | undefined): string => (at ? `${formatSpan(at)} ${at.length ?? ''}` : '')

function estimateLaunch(asked: Asked): { estimate: LaunchEstimate; taken: number } {
  const { plan, launch, values, profile, steps, counting } = asked,
    grid = gridAt(launch, values)
  const { counters, scaled, longer, run, blind, taken } = countsAt({
    ...asked,
    steps: counting === 'derived' ? stepsOfDerived * steps : steps,
  })
  const { registers, shared, use, fit } = blockOf(launch.kernel, profile)
  const buffers = Object.fromEntries(
    Object.entries(launch.arguments).map(([name, array]) => [name, bytesIn(plan, array, values)]),
  )
  const full: Counters = { ...counters, grid }
  const estimate: LaunchEstimate = {
    name: launch.kernel.name,
    times: 1,
    grid,
    block: launch.kernel.block,
    counters: full,
    scaled,
    registers: { perThread: registers, source: 'estimated' },
    occupancy: fit,
    use,
    prediction: predict({
      counters: full,
      kernel: launch.kernel,
      profile,
      registers,
      shared,
      buffers,
      longer,
      ...((wantsTrace(launch.kernel, counters) || (profile.dramChannels && !scaled)) && {
        trace: traceOf(launch.kernel, profile, run, { limit: tracedSectors, blind, queues: false }),
      }),
    }),
  }
  return { estimate, taken }
}

/** What a block of a kernel takes, and how many of them a multiprocessor holds. */
function blockOf(
  kernel: Kernel,
  profile: GpuProfile,
): {
  readonly registers: number
  readonly shared: number
  readonly use: BlockUse
  readonly fit: Occupancy
} {
  const registers = estimateRegisters(kernel),
    shared = sharedBytesOf(kernel),
    threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
  return {
    registers,
    shared,
    use: { threads, registers: registersOf(profile, threads, registers), shared },
    fit: occupancyOf(profile, threads, registers, shared, Infinity, apiOf(kernel)),
  }
}

/** Why the GPU refuses the first launch of `plan` at `values` that it refuses, if it does; nothing is simulated. */
export function refusalIn(plan: Plan, values: PlanValues, profile: GpuProfile): string | null {
  const { launches } = chooseVariant(plan, values, ({ kernel }, blocks) =>
    fitsAtOnce(kernel, blocks, estimateRegisters(kernel), profile),
  )
  for (const { kernel } of launches) {
    const { use, fit } = blockOf(kernel, profile)
    if (fit.activeBlocks === 0) return refusalOf(profile, use)
  }
  return null
}

/** Sectors of global memory that a trace for the caches holds. */
const tracedSectors = 2e4

/** Kernels that stage nothing, or leave parts of the sectors that they load, live by their caches. */
const wantsTrace = (kernel: Kernel, counters: Counters): boolean =>
  kernel.resources.every((r) => r.space !== 'shared') ||
  counters.sites.some((s) => s.space === 'global' && s.op === 'load' && s.sectors > 1.2 * s.idealSectors)

const blocksOf = (grid: Dim3): number => grid[0] * grid[1] * grid[2]

const gridAt = (launch: PlanLaunch, values: PlanValues): Dim3 =>
  launch.grid.map((e) => Math.max(1, planValue(e, values))) as unknown as Dim3 // three in, three out

function bytesIn(plan: Plan, name: string, values: PlanValues): number {
  const array = plan.arrays.find((a) => a.name === name)
  return array ? Math.max(16, arrayBytes(array, values)) : 16
}

/** So many times the steps that are allowed are not tried: what is foretold of them is not exact. */
const surelyTooMany = 1.1
/** Work of the larger of two runs that foretell the steps of others, times that of the smaller. */
const foretelling = 2

function countsAt({ program, plan, launch, values, profile, steps, hint, counting }: Asked): {
  counters: Counters
  scaled: boolean
  longer: number
  run: Launch
  /** Whether buffers of `run` hold what the launch is counted on. */
  blind: boolean
  taken: number
} {
  const simulation = compileKernel(launch.kernel, profile),
    usual = leastSize(plan, values),
    repeats = meetsGrid(launch.kernel) ? repeatsOf(plan, launch) : none,
    deciding = someStmt(program.body, isOfData) ? decidingArrays(plan, launch) : none,
    blind = deciding.size === 0,
    kept = blind ? none : lengthsOf(program)
  const tryRun = (
    run: Launch,
    limits: { readonly maxSteps: number; readonly quick?: boolean },
  ): ReturnType<typeof simulation.run> | Inapplicable =>
    attempted(() => simulation.run(run, { ...(blind ? { countOnly: true } : onData), ...limits }))
  const workAt = (v: PlanValues): number => Math.max(1, work(program, withVariables(v)))
  const runAt = (v: PlanValues): Launch => ({
    grid: gridAt(launch, v),
    params: Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, v)])),
    buffers: buffersAt(v),
  })
  const buffersAt = (v: PlanValues): Launch['buffers'] => {
    const given = blind ? {} : freshArrays(plan.arrays, v, seedOfCounts, false, deciding)
    return Object.fromEntries(
      Object.entries(launch.arguments).map(([k, array]) => [k, given[array]?.buffer ?? blank(bytesIn(plan, array, v))]),
    )
  }
  /**
   * Of one block, whose steps grow with its work by a straight line through those at two small sizes; undefined where
   * that is not worth to know.
   */
  const stepsOfWork = (): ((work: number) => number) | undefined => {
    const small = shrunk(plan, values, 2 ** 31, usual, repeats, kept),
      larger = shrunk(plan, values, 2 ** 31, foretelling * usual, repeats, kept)
    if (blocksOf(gridAt(launch, values)) > 1 || workAt(values) < steps || 64 * workAt(small) > steps) return undefined
    const a = tryRun(runAt(small), { maxSteps: steps }),
      b = tryRun(runAt(larger), { maxSteps: steps })
    if (isInapplicable(a) || isInapplicable(b) || workAt(larger) <= workAt(small)) return undefined
    const each = (b.steps - a.steps) / (workAt(larger) - workAt(small))
    return (work) => a.steps + each * (work - workAt(small))
  }
  const foretold = stepsOfWork()
  for (let shrink = hint.shrink, floor = usual; ; shrink *= 2) {
    const smaller = shrunk(plan, values, shrink, floor, repeats, kept)
    const least = shrink > 1 && sameSizes(smaller, shrunk(plan, values, 2 * shrink, floor, repeats, kept))
    if (!least && foretold && foretold(workAt(smaller)) > surelyTooMany * steps) continue
    if (!least && bytesOfAll(plan, smaller, deciding) > mostGiven) continue
    if (bytesOfAll(plan, smaller) > mostBytes) {
      if (least)
        fail('simulate.memory', `the arrays of ${program.name} are too large to simulate even at its smallest sizes`)
      continue
    }
    const run = runAt(smaller)
    const maxSteps = !least ? steps : floor === usual ? 100 * steps : 10 * steps
    const ran = tryRun(run, { quick: counting === 'guessed', maxSteps })
    if (!isInapplicable(ran)) {
      const { counters, steps: taken } = ran
      hint.shrink = shrink
      const factor = shrink === 1 ? 1 : work(program, withVariables(values)) / workAt(smaller)
      const grid = gridAt(launch, values)
      return {
        counters: factor === 1 ? counters : scaledBy(counters, factor, grid),
        scaled: shrink > 1,
        longer: factor / (blocksOf(grid) / blocksOf(run.grid)),
        run,
        blind,
        taken,
      }
    }
    const isLimit = /steps|size|memory|bytes/.test(ran.inapplicable[0]?.code ?? '')
    if (!isLimit || (least && floor <= leastOfAll)) return applied<never>(ran)
    // one thread that runs a loop of three dimensions is long even at the usual least
    if (least) floor = Math.max(leastOfAll, floor / 4)
  }
}

/** Bytes of host memory that the arrays of a simulated run may take together. Untouched pages cost nothing. */
const mostBytes = 2 ** 34

/** The last few of `blank`. Untouched, they cost addresses; made anew, each would make the engine look for garbage. */
const blanks = new Map<number, ArrayBuffer>(),
  mostBlanks = 16,
  mostBlankBytes = 2 ** 35
let blankBytes = 0

/** A buffer of so many bytes that nobody reads or writes: runs that only count look at lengths. */
function blank(bytes: number): ArrayBuffer {
  const known = blanks.get(bytes)
  if (known) return known
  if (blanks.size >= mostBlanks || blankBytes + bytes > mostBlankBytes) {
    blanks.clear()
    blankBytes = 0
  }
  const made = new ArrayBuffer(bytes)
  blanks.set(bytes, made)
  blankBytes += bytes
  return made
}

const bytesOfAll = (plan: Plan, values: PlanValues, names?: ReadonlySet<string>): number =>
  plan.arrays.reduce((n, a) => n + (!names || names.has(a.name) ? arrayBytes(a, values) : 0), 0)

/** Bytes of data that are made up for one count. */
const mostGiven = 2 ** 26
/** Of the data that launches are counted on. */
const seedOfCounts = 1

/** A loop that only data end is counted on data: zeros might never end it. What it writes is of no interest. */
const onData = { discard: true, slowSteps: true } as const

/** A loop that only data end, or whose iterations a number in memory divides. */
const isOfData = (s: LoopStmt): boolean => s.kind === 'loop' && (isEndless(s) || someExpr(s.upper, isDividedByData))

// a quotient has two arguments
const isDividedByData = (e: Expr): boolean => e.kind === 'op' && e.op === 'div' && readsArray(e.args[1]!)

/** Arrays of the caller that conditions and addresses of a launch follow from. */
function decidingArrays(plan: Plan, { kernel, arguments: args }: PlanLaunch): ReadonlySet<string> {
  const { arrays } = addressSliceOf(kernel),
    given = new Set(plan.arrays.flatMap((a) => (a.role === 'in' || a.role === 'inout' ? [a.name] : [])))
  return new Set(
    Object.entries(args).flatMap(([resource, array]) => (arrays.has(resource) && given.has(array) ? [array] : [])),
  )
}

/** Sizes are not shrunk below this: 256, or less where an array of many dimensions would still be too large. */
function leastSize(plan: Plan, values: PlanValues): number {
  const at = (least: number): PlanValues => ({
    ...values,
    sizes: Object.fromEntries(plan.sizes.map((s) => [s.name, Math.min(values.sizes[s.name] ?? s.planned, least)])),
  })
  return [256, 128, 64, 32, 16].find((least) => bytesOfAll(plan, at(least)) <= mostBytes / 16) ?? leastOfAll
}

/** The smallest value that sizes are reduced to for a simulation. */
const leastOfAll = 8

const none: ReadonlySet<string> = new Set()

/** Sizes that only say how often a kernel does what it does: neither its blocks nor what arrays hold depend on them. */
function repeatsOf(plan: Plan, launch: PlanLaunch): ReadonlySet<string> {
  const others = new Set([...launch.grid, ...plan.arrays.flatMap((a) => a.shape)].flatMap(sizesIn))
  return new Set(plan.sizes.map((s) => s.name).filter((name) => !others.has(name)))
}

/** Repetitions that stand for more. */
const fewRepeats = 4

/**
 * Sizes divided by `shrink`, kept multiples of 256 where they were, and not below `least` unless they were. Before all
 * others `repeats`, down to a few; those of `kept` never.
 */
function shrunk(
  plan: Plan,
  values: PlanValues,
  shrink: number,
  least: number,
  repeats = none,
  kept = none,
): PlanValues {
  if (shrink === 1) return values
  const valueOf = (s: Plan['sizes'][number]): number => values.sizes[s.name] ?? s.planned
  const taken = Math.max(1, ...plan.sizes.filter((s) => repeats.has(s.name)).map((s) => valueOf(s) / fewRepeats)),
    by = repeats.size > 0 ? Math.max(1, shrink / taken) : shrink
  const sizes = Object.fromEntries(
    plan.sizes.map((s) => {
      const v = valueOf(s),
        often = repeats.has(s.name)
      if (kept.has(s.name)) return [s.name, v]
      const next = Math.max(Math.min(v, often ? fewRepeats : least), Math.floor(v / (often ? shrink : by)))
      return [s.name, v % 256 === 0 && next > 256 ? Math.floor(next / 256) * 256 : next]
    }),
  )
  return {
    ...values,
    sizes,
    ...(values.variables && {
      variables: Object.fromEntries(Object.entries(values.variables).map(([k, v]) => [k, Math.floor(v / shrink)])),
    }),
  }
}

/** Variables of host loops as sizes, which they are to a kernel. */
const withVariables = (values: PlanValues): PlanValues => ({
  ...values,
  sizes: { ...values.sizes, ...values.variables },
})

const sameSizes = (a: PlanValues, b: PlanValues): boolean => Object.entries(a.sizes).every(([k, v]) => b.sizes[k] === v)

/** Sizes that say how long arrays are and nothing else, also where conditions do not hold. */
export function lengthsOf(program: Program): ReadonlySet<string> {
  const used = new Set(conditionsOf(program).flatMap(sizesIn)),
    elsewhere = program.otherwise && lengthsOf(program.otherwise)
  eachStmt(program.body, (s) => ownExprs(s).forEach((e) => sizesIn(e).forEach((name) => used.add(name))))
  return new Set(program.sizes.map((s) => s.name).filter((name) => !used.has(name) && (elsewhere?.has(name) ?? true)))
}

/** Iterations of the innermost statements of the program. */
export function work(program: Program, values: PlanValues): number {
  let total = 0
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'store') total += iterations(around, values)
  })
  return total
}

/** The same for who evaluates expressions: a statement counts once, and once more for so many operations in it. */
export function effort(program: Program, values: PlanValues): number {
  let total = 0
  eachStmt(program.body, (s, around) => {
    if (s.kind !== 'store' && s.kind !== 'if') return
    let operations = 0
    for (const e of s.kind === 'if' ? [s.condition] : ownExprs(s))
      eachExpr(e, (x) => {
        if (x.kind === 'op' || x.kind === 'choose') operations++
      })
    total += iterations(around, values) * ((s.kind === 'store' ? 1 : 0) + operations / operationsOfOne)
  })
  return total
}

/** Operations that take the interpreter as long as a store with its loop. */
const operationsOfOne = 16

/**
 * Bounds are taken in the middle of the loops around, the mean of a triangle; those that are not linear (`j = i * i`)
 * at several places, closer where the loop begins, with straight lines between them.
 */
function iterations(around: readonly Loop[], values: PlanValues): number {
  const largest = Math.max(1, ...Object.values(values.sizes))
  const from = (position: number, known: ReadonlyMap<string, Expr>): number => {
    const l = around[position]
    if (!l) return 1
    const at = (e: Expr): number => {
      try {
        return planValue(substitute(e, known), values)
      } catch {
        return largest
      }
    }
    if (isEndless(l)) return turnsOfEndless * from(position + 1, new Map(known).set(l.name, int(0)))
    const lower = at(l.lower),
      last = Math.max(lower, at(l.upper) - 1)
    const inside = (share: number): number =>
      from(position + 1, new Map(known).set(l.name, int(Math.floor(lower + share * (last - lower)))))
    const isLinear = around
      .slice(position + 1)
      .every((x) => [x.lower, x.upper].every((e) => !uses(e, l.name) || affineOf(e) !== undefined))
    return Math.max(1, (at(l.upper) - lower) / l.step) * (isLinear ? inside(0.5) : meanOf(inside))
  }
  return from(0, new Map())
}

/** Iterations that a loop which only data end is taken to have. */
const turnsOfEndless = 16

const places = [0, 2 ** -12, 2 ** -9, 2 ** -6, 2 ** -4, 0.25, 0.5, 0.75, 1] as const

/** The mean of `f` from 0 to 1. */
function meanOf(f: (share: number) => number): number {
  const all = places.map(f)
  return places.slice(1).reduce((sum, x, i) => sum + ((x - places[i]!) * (all[i]! + all[i + 1]!)) / 2, 0) // as many
}

function scaledBy(c: Counters, f: number, grid: Dim3): Counters {
  const each = <T extends Record<string, number>>(r: T): T =>
    Object.fromEntries(Object.entries(r).map(([k, v]) => [k, v * f])) as T // same keys
  const blocks = grid[0] * grid[1] * grid[2]
  const before = c.grid[0] * c.grid[1] * c.grid[2]
  return {
    ...c,
    grid,
    coverage: { blocks, simulated: c.coverage.simulated, exact: false },
    instructions: {
      warp: c.instructions.warp * f,
      thread: c.instructions.thread * f,
      warpByClass: each(c.instructions.warpByClass),
      byClass: each(c.instructions.byClass),
    },
    sites: c.sites.map((s) => ({
      ...s,
      requests: s.requests * f,
      threads: s.threads * f,
      bytes: s.bytes * f,
      usefulBytes: s.usefulBytes * f,
      movedBytes: s.movedBytes * f,
      sectors: s.sectors * f,
      idealSectors: s.idealSectors * f,
      lines: s.lines * f,
      wavefronts: s.wavefronts * f,
      idealWavefronts: s.idealWavefronts * f,
    })),
    branches: c.branches.map((b) => ({ ...b, executed: b.executed * f, divergent: b.divergent * f })),
    executions: c.executions.map((e) => ({ ...e, warps: e.warps * f, lanes: e.lanes * f })),
    barriersPerBlock: (c.barriersPerBlock * f * before) / blocks,
    gridBarriers: (c.gridBarriers * f * before) / blocks,
  }
}
