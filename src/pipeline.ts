// The compiler's stages from a program to a plan: program → nests → sketches → scheduled nests → kernels → plan. In: a
// LoopIR program, and for each of its parts a point of that part's sketch. Out: a `Plan`, and the story of how each
// kernel was made. Sketches are chosen after the program is divided, because a sketch knows one nest. Variants for
// sizes that vectors divide stand before those for all sizes, because the host takes the first one whose condition
// holds. Each kernel is verified when it is lowered, and emitters accept nothing else.
import { attempted, fail, keyOf, same, InternalError, type Inapplicable } from './base/index.ts'
import { elementRanges } from './analysis/index.ts'
import {
  symbolsOf,
  int,
  literal,
  loopVar,
  op,
  plainKernel,
  planValue,
  sub,
  bodyOf,
  printProgram,
  runPasses,
  runRoute,
  conjuncts,
  disjuncts,
  feasible,
  sizeDomain,
  whereHolds,
  someExpr,
  eachStmt,
  exprKey,
  rewriteExpr,
  mapStmtExprs,
  readsIn,
  substitute,
  uses,
  type Chip,
  type ArrayDecl,
  type ElementRange,
  type Expr,
  type Loop,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanStep,
  type PassContext,
  type PassTrace,
  type PlanValues,
  type PlanVariant,
  type Program,
  type Nest,
  type Other,
  type Region,
  type Symbols,
  type GivenSize,
} from './ir/index.ts'
import {
  aligned,
  sketchOf,
  toKernel,
  type LowerOptions,
  type Made as MadeOf,
  type Point,
  type Scheduled,
  type Sketch,
} from './schedule/index.ts'
import { asSpelled, withProducts, withShapes, type Spelling } from './transform/index.ts'
import { analysis, compilation } from './pipeline/analysis.ts'

/** One part of a program and its sketch. */
export interface Part {
  readonly nest: Nest | Other
  readonly sketch: Sketch
  /** The upper bounds of the host loops around it, by variable. */
  readonly around: ReadonlyMap<string, Expr>
}

/**
 * A program taken apart. `program` has the temporaries that several parts share, and variables of host loops as sizes.
 */
export interface Analysed {
  readonly source: Program
  /** The source without names that schedules use, and what they were. */
  readonly apart: Program
  readonly spelling: Spelling
  readonly program: Program
  /** Sizes of `program` that stand for products of the source's. */
  readonly products: ReadonlyMap<string, Expr>
  readonly parts: readonly Part[]
  /** The host program; numbers are positions in `parts`. */
  readonly order: readonly PlanStep[]
  /**
   * The host program of the whole, where this is only one part of it: temporaries have room for all iterations of its
   * loops.
   */
  readonly whole?: readonly PlanStep[]
  /** The loops of the source that the host runs, as they are written or as wavefronts. */
  readonly hosted: readonly Hosted[]
  /** The GPU that it is planned for, where one was named. */
  readonly chip?: Chip
}

export interface Hosted {
  readonly loop: Loop
  /** The host counts wavefronts, not iterations of this loop. */
  readonly steps: boolean
  /** So many iterations, or points of time, make a block: only what depends on each other in it runs in order. */
  readonly together?: number
  /**
   * A launch takes many of its iterations: tiles with a halo, skewed boxes, one block that runs all, spans of elements,
   * or a grid that stays on the chip.
   */
  readonly tiled?: 'halo' | 'skewed' | 'block' | 'spans' | 'resident'
}

/** Divides a program into parts and finds a sketch for each. A part that is no nest says why in `why`. */
export function analyse(given: Program, context: PassContext = {}): Analysed {
  const { source, spelling, program, products, regions } = runPasses(analysis, compilation(given), context)
  if (regions.length === 0)
    fail(
      'pipeline.empty',
      `${source.name} computes nothing`,
      source.at,
      'a region needs at least one assignment to an array that is a parameter',
    )
  const parts: Part[] = [],
    hosted: Hosted[] = []
  const ordered = (list: readonly Region[], around: ReadonlyMap<string, Expr>): readonly PlanStep[] =>
    list.map((r) => {
      if (r.kind === 'host' && !r.isValue && !r.isCondition && !hosted.some((h) => h.loop === r.source))
        hosted.push({ loop: r.source, steps: r.steps, ...(r.step > r.source.step && { together: r.step }) })
      if (r.kind === 'host')
        return {
          variable: r.variable,
          lower: onHost(program, r.lower),
          upper: onHost(program, r.upper),
          step: r.step,
          body: ordered(r.body, new Map([...around, [r.variable, r.upper]])),
        }
      if (r.kind === 'idiom' && r.form.kind === 'time-tiles')
        hosted.push({ loop: r.form.loop, steps: false, tiled: 'halo' })
      if (r.kind === 'idiom' && r.form.kind === 'one-block') hosted.push(...loopsOf(r.form.loop, 'block'))
      if (r.kind === 'idiom' && r.form.kind === 'stages') hosted.push(...loopsOf(r.form.loop, 'spans'))
      if (r.kind === 'idiom' && r.form.kind === 'wave-tiles')
        hosted.push(
          ...[r.form.time, r.form.row, r.form.column].flatMap((l) =>
            l ? [{ loop: l, steps: true, tiled: 'skewed' as const }] : [],
          ),
        )
      return parts.push({ nest: r, sketch: sketchOf(within(program, around), r, context.chip), around }) - 1
    })
  const order = ordered(regions, new Map())
  const { chip } = context
  return { source: given, apart: source, spelling, program, products, parts, order, hosted, ...(chip && { chip }) }
}

/** The same, or why there is nothing to analyse: the program computes nothing, for instance. */
export const tryAnalyse = (program: Program, context?: PassContext): Analysed | Inapplicable =>
  attempted(() => analyse(program, context))

/**
 * `program` as a part inside of some host loops sees it: their variables are below the loops' ends, those of other
 * loops have none.
 */
function within(program: Program, around: ReadonlyMap<string, Expr>): Program {
  const hostVariables = program.hostVariables.map(({ below: _, ...v }) => {
    const below = around.get(v.name)
    return below ? { ...v, below } : v
  })
  return { ...program, hostVariables }
}

/**
 * Sketches of a part in programs to which parts before it have added arrays, the last ones: most points add the same.
 */
const sketches = new WeakMap<Part, readonly { readonly program: Program; readonly sketch: Sketch }[]>()
const mostSketches = 8

function sketchIn(given: Program, part: Part, chip: Chip | undefined): Sketch {
  const program = within(given, part.around),
    known = sketches.get(part) ?? [],
    found = known.find((k) => same(k.program, program))
  if (found) return found.sketch
  const sketch = sketchOf(program, part.nest, chip)
  sketches.set(part, [...known.slice(1 - mostSketches), { program, sketch }])
  return sketch
}

/** The loops that launches take together. */
function loopsOf(r: Region, tiled: 'block' | 'spans'): readonly Hosted[] {
  return r.kind === 'host'
    ? [{ loop: r.source, steps: r.steps, tiled }, ...r.body.flatMap((x) => loopsOf(x, tiled))]
    : []
}

/** One part with the host loops around it. */
export function onlyPart(a: Analysed, position: number): Analysed {
  const pruned = (steps: readonly PlanStep[]): readonly PlanStep[] =>
    steps.flatMap((s): readonly PlanStep[] => {
      if (typeof s === 'number') return s === position ? [0] : []
      const body = pruned(s.body)
      return body.length > 0 ? [{ ...s, body }] : []
    })
  // a position in `parts`
  return { ...a, parts: [a.parts[position]!], order: pruned(a.order), whole: a.whole ?? a.order }
}

/** The expression as the host computes it, where variables of its loops are variables. */
function onHost(program: Pick<Program, 'hostVariables'>, e: Expr): Expr {
  const variables = new Set(program.hostVariables.map((v) => v.name))
  return rewriteExpr(e, (x) => (x.kind === 'size' && variables.has(x.name) ? loopVar(x.name) : undefined))
}

/** A kernel of a plan and how it was made. */
export interface MadeKernel {
  readonly name: string
  readonly part: number
  readonly steps: readonly string[]
  readonly program: Program
}

export interface Built {
  readonly plan: Plan
  readonly kernels: readonly MadeKernel[]
}

export interface BuildOptions {
  /** Lanes of a warp that reductions may shuffle across (CUDA). */
  readonly warp?: 32
  /** Reduction trees halve the number of threads in each step: shorter text, more barriers. */
  readonly halves?: boolean
  /**
   * Make the variant for sizes that whole tiles divide, of all parts or of those whose point asks for it (`exact: 1`);
   * default true.
   */
  readonly exact?: boolean | 'asked'
  /** Only the variant for sizes that are multiples of the vector width, or only the general one. Default: both. */
  readonly only?: 'vector' | 'general'
  /** Only the variant that is taken at these values. */
  readonly at?: PlanValues
  /** Records how the kernels are made; caches are then not used. */
  readonly trace?: PassTrace | undefined
}

/** Builds the plan of one point per part. Throws a `DiagnosticError` when a schedule's side condition fails. */
export function build(analysed: Analysed, points: readonly Point[], options: BuildOptions = {}): Built {
  const general = assemble(analysed, points, false)
  const exact =
    options.only === 'general' || options.exact === false
      ? undefined
      : assemble(analysed, points, options.exact ?? true)
  const lowering = { ...(options.warp && { warp: options.warp }), ...(options.halves && { halves: true }) }
  const variable = Object.keys(general.multiples).length > 0
  const vectors = and(aligned(general.multiples)),
    whole = exact && and([...exact.requires, ...(vectors ? [vectors] : [])])
  const wanted: Wanted[] = []
  if (exact && whole) wanted.push({ of: exact, when: whole, options: { ...lowering, multiples: exact.multiples } })
  if (exact && vectors && analysed.parts.some((p) => p.sketch.unaligned))
    wanted.push({ of: exact, when: and(exact.requires), options: lowering })
  if (variable && options.only !== 'general' && !(whole && vectors && sameConditions(whole, vectors)))
    wanted.push({ of: general, when: vectors, options: { ...lowering, multiples: general.multiples } })
  if (!variable || options.only !== 'vector') wanted.push({ of: general, when: null, options: lowering })
  const ranges = elementRanges(analysed.apart)
  const told =
    exact && analysed.parts.some((p, i) => p.sketch.unaligned || points[i]?.['words'] || points[i]?.['stay'])
      ? exact
      : general // the story of what is taken first
  const base: Plan = {
    name: analysed.apart.name,
    sizes: given(analysed.apart),
    scalars: general.program.scalars,
    arrays: general.program.arrays.map((a) => planArray(analysed, general.program, a, ranges.get(a.name))),
    variants: [],
  }
  const kernels = told.scheduled.map(
    (s, i): MadeKernel => ({ name: told.names[i]!, part: s.part, steps: s.kernel.steps, program: s.kernel.program }),
  )
  const finished = (variants: readonly PlanVariant[]): Built => {
    const built = { plan: { ...base, variants }, kernels },
      over = analysed.products.size === 0 ? built : multiplied(analysed, built)
    return { ...over, plan: asSpelled(over.plan, analysed.spelling) }
  }
  const taken = options.at ? takenAt(finished(wanted.map(({ when }) => ({ when, launches: [] }))).plan, options.at) : -1
  return finished(
    dropTwins(
      (taken < 0 ? wanted : [wanted[taken]!]).map((w) => variantOf(analysed, w.of, w.when, w.options, options.trace)),
    ),
  )
}

/** The sizes of a source, which are all the caller's. */
const given = (source: Program): readonly GivenSize[] =>
  source.sizes.map((s) => {
    if (s.kind === 'given') return s
    throw new InternalError('pipeline', `the caller does not give the size ${s.name}`, printProgram(source))
  })

/** The plan of one point per part, or the side condition of a schedule that fails. */
export const tryBuild = (analysed: Analysed, points: readonly Point[], options?: BuildOptions): Built | Inapplicable =>
  attempted(() => build(analysed, points, options))

/** A variant before it is lowered. */
interface Wanted {
  readonly of: Assembled
  readonly when: Expr | null
  readonly options: LowerOptions
}

/** The position of the variant that is taken; −1 where none is. */
const takenAt = (plan: Plan, values: PlanValues): number =>
  plan.variants.findIndex((v) => v.when === null || planValue(v.when, values) !== 0)

/** The same over the sizes of the source. */
function multiplied(analysed: Analysed, { plan, kernels }: Built): Built {
  const f = (e: Expr): Expr => withProducts(e, analysed.products)
  const steps = (list: readonly PlanStep[]): readonly PlanStep[] =>
    list.map((s) => (typeof s === 'number' ? s : { ...s, lower: f(s.lower), upper: f(s.upper), body: steps(s.body) }))
  const launch = (l: PlanLaunch): PlanLaunch => ({
    ...l,
    grid: [f(l.grid[0]), f(l.grid[1]), f(l.grid[2])],
    params: Object.fromEntries(Object.entries(l.params).map(([name, e]) => [name, f(e)])),
  })
  const variants = plan.variants.map(
    (v): PlanVariant => ({
      ...v,
      when: v.when && f(v.when),
      launches: v.launches.map(launch),
      ...(v.steps && { steps: steps(v.steps) }),
    }),
  )
  const program = (p: Program): Program => ({
    ...p,
    sizes: p.sizes
      .filter((s) => !analysed.products.has(s.name))
      .map(({ where, ...s }) => ({
        ...s,
        ...(where && { where: where.map(f) }),
      })),
    hostVariables: p.hostVariables.map((v) => ({ ...v, ...(v.below && { below: f(v.below) }) })),
    arrays: p.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
    body: p.body.map((s) => mapStmtExprs(s, f)),
  })
  return {
    plan: { ...plan, arrays: plan.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })), variants },
    kernels: kernels.map((k) => ({ ...k, program: program(k.program) })),
  }
}

interface Assembled {
  readonly program: Program
  readonly scheduled: readonly { readonly kernel: Scheduled; readonly part: number }[]
  readonly names: readonly string[]
  readonly multiples: Readonly<Record<string, number>>
  readonly requires: readonly Expr[]
  /** What the host does for each part, by positions in `scheduled`. */
  readonly order: readonly (readonly PlanStep[])[]
}

function assemble(analysed: Analysed, points: readonly Point[], exact: false): Assembled
function assemble(analysed: Analysed, points: readonly Point[], exact: true | 'asked'): Assembled | undefined
function assemble(analysed: Analysed, points: readonly Point[], exact: boolean | 'asked'): Assembled | undefined {
  let program = analysed.program
  const scheduled: { kernel: Scheduled; part: number }[] = []
  const multiples: Record<string, number> = {}
  const requires: Expr[] = [],
    order: (readonly PlanStep[])[] = [],
    copies = new Map<string, string>()
  for (const [i, part] of analysed.parts.entries()) {
    const sketch = program === analysed.program ? part.sketch : sketchIn(program, part, analysed.chip)
    const point = points[i] ?? fail('pipeline.points', `part ${i} has no point`)
    const wanted =
      exact === true || (exact === 'asked' && point['exact'] === 1) ? sketch.buildExact?.(point) : undefined
    // a variant is chosen before any loop, and at some size
    const special =
      wanted?.requires.every((e) => isOver(analysed, e)) && mayHold(program, [...requires, ...wanted.requires])
        ? wanted
        : undefined
    if (special) requires.push(...special.requires)
    const made = once(special ?? sketch.build(point), analysed.hosted.length === 0 ? copies : new Map())
    program = made.program
    Object.assign(
      multiples,
      Object.fromEntries(
        Object.entries(made.vectorSizes ?? sketch.vectorSizes).filter(([name]) => isOwn(analysed, name)),
      ),
    )
    const first = scheduled.length
    for (const kernel of made.kernels) scheduled.push({ kernel, part: i })
    order.push(made.steps ? shifted(made.program, made.steps, first) : made.kernels.map((_, n) => first + n))
  }
  if (exact && requires.length === 0) return undefined
  return { program, scheduled, names: uniqueNames(scheduled.map((s) => s.kernel.name)), multiples, requires, order }
}

/**
 * Without the copies of inputs that are there already; `known`: arrays by what they hold, and what is made here from
 * now on.
 */
function once(made: MadeOf, known: Map<string, string>): MadeOf {
  const again = (made.copies ?? []).filter((c) => known.has(c.key)),
    dropped = new Set(again.map((c) => c.kernel))
  const names = Object.fromEntries(again.map((c) => [c.array, known.get(c.key)!])) // filtered just now
  for (const c of made.copies ?? []) if (!known.has(c.key)) known.set(c.key, c.array)
  if (again.length === 0 || made.steps) return made
  const kernels = made.kernels
    .filter((_, n) => !dropped.has(n))
    .map((k) => ({
      ...k,
      aliases: { ...names, ...Object.fromEntries(Object.entries(k.aliases ?? {}).map(([a, b]) => [a, names[b] ?? b])) },
    }))
  return {
    ...made,
    kernels,
    program: { ...made.program, arrays: made.program.arrays.filter((a) => !Object.hasOwn(names, a.name)) },
  }
}

function variantOf(
  analysed: Analysed,
  a: Assembled,
  when: Expr | null,
  options: LowerOptions,
  trace?: PassTrace,
): PlanVariant {
  const multiples = { ...options.multiples, ...strides(analysed.order) }
  const launches = a.scheduled.map((s, i) => {
    const name = a.names[i]!, // one for each
      own = trace?.attempt(`kernel ${name}`)
    if (own) noteSchedule(analysed, a, s, own)
    const launch = knownLaunch(analysed.apart, a.program, s.kernel, name, { ...options, multiples }, own)
    if (own) trace?.take(own)
    return launch
  })
  const stepsOf = (order: readonly PlanStep[]): readonly PlanStep[] =>
    // a position in `parts`
    order.flatMap((s): readonly PlanStep[] => (typeof s === 'number' ? a.order[s]! : [{ ...s, body: stepsOf(s.body) }]))
  const steps = stepsOf(analysed.order)
  return { when, launches, ...(steps.some((s) => typeof s !== 'number') && { steps }) }
}

/** What a sketch made of a part, with its steps. */
function noteSchedule(
  analysed: Analysed,
  a: Assembled,
  { kernel, part }: Assembled['scheduled'][number],
  trace: PassTrace,
): void {
  const { nest, sketch } = analysed.parts[part]! // it was made of one
  trace.note({
    pass: 'schedule',
    summary: `the sketch ${sketch.name} deals the loops out to blocks and threads`,
    first: trace.records.length,
    representation: 'LoopIR',
    ms: 0, // schedules are made while all parts are assembled
    changed: true,
    steps: kernel.steps,
    before: () => printProgram({ ...a.program, body: bodyOf(a.program, nest) }),
    after: () => printProgram(kernel.program),
  })
}

/** What the variables of loops that start at 0 are multiples of. */
function strides(steps: readonly PlanStep[]): Readonly<Record<string, number>> {
  return Object.assign(
    {},
    ...steps.map((s) =>
      typeof s === 'number'
        ? {}
        : { ...(literal(s.lower) === 0 && s.step > 1 && { [s.variable]: s.step }), ...strides(s.body) },
    ),
  ) as Readonly<Record<string, number>> // of such records
}

/** The steps of a part whose first kernel is the plan's `first`. */
const shifted = (program: Program, steps: readonly PlanStep[], first: number): readonly PlanStep[] =>
  steps.map(
    (s): PlanStep =>
      typeof s === 'number'
        ? s + first
        : {
            ...s,
            lower: onHost(program, s.lower),
            upper: onHost(program, s.upper),
            body: shifted(program, s.body, first),
          },
  )

/** A size of the source, or a product of such. */
const isOwn = (a: Analysed, name: string): boolean => a.products.has(name) || a.apart.sizes.some((s) => s.name === name)

/** Whether `e` uses no sizes but the program's own. */
function isOver(a: Analysed, e: Expr): boolean {
  return !someExpr(e, (x) => x.kind === 'size' && !isOwn(a, x.name))
}

/** Whether the conditions may hold together at some sizes: `11 % 4 == 0` never does. */
function mayHold(program: Program, conditions: readonly Expr[]): boolean {
  const domain = conditions.reduce((d, e) => whereHolds(d, e, true), sizeDomain(program))
  return disjuncts(domain).some((c) => feasible(c) !== 'empty')
}

function sameConditions(a: Expr, b: Expr): boolean {
  const [x, y] = [a, b].map((e) => new Set(conjuncts(e).map(exprKey))) as [Set<string>, Set<string>] // two in, two out
  return x.size === y.size && [...x].every((k) => y.has(k))
}

/** The conjunction of the conditions, without those that are literally true. */
function and(conditions: readonly Expr[]): Expr | null {
  const unique = new Map(conditions.map((c) => [exprKey(c), c]))
  return [...unique.values()].reduce<Expr | null>((a, b) => (a ? op('land', [a, b]) : b), null)
}

/** Of several variants with the same kernels only the last, least demanding one is kept. */
function dropTwins(variants: readonly PlanVariant[]): readonly PlanVariant[] {
  const alike = (a: PlanVariant, b: PlanVariant): boolean =>
    a.launches.length === b.launches.length && a.launches.every((l, i) => same(l.kernel, b.launches[i]?.kernel))
  return variants.filter((v, i) => !variants.slice(i + 1).some((later) => alike(v, later)))
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const count = new Map<string, number>()
  for (const n of names) count.set(n, (count.get(n) ?? 0) + 1)
  const seen = new Map<string, number>()
  return names.map((n) => {
    if (count.get(n) === 1) return n
    const k = (seen.get(n) ?? 0) + 1
    seen.set(n, k)
    return `${n}_${k}`
  })
}

/** Gives temporaries inside of host loops room for every iteration. */
function planArray(analysed: Analysed, program: Program, a: ArrayDecl, elements: ElementRange | undefined): PlanArray {
  return {
    name: a.name,
    type: a.type,
    shape: a.shape.map((e) => widest(onHost(program, e), analysed.whole ?? analysed.order)),
    role: a.role,
    ...(elements && { elements }),
    ...(a.isOpenEnded && { isOpenEnded: a.isOpenEnded }),
  }
}

/**
 * The larger of `e` at the first and at the last iteration of each loop in `steps`: extents rise or fall with
 * variables.
 */
function widest(e: Expr, steps: readonly PlanStep[]): Expr {
  return steps.reduce((given, s) => {
    if (typeof s === 'number') return given
    const inner = widest(given, s.body)
    if (!uses(inner, s.variable)) return inner
    const at = (value: Expr): Expr => substitute(inner, new Map([[s.variable, value]]))
    return op('max', [at(s.lower), at(sub(s.upper, int(1)))])
  }, e)
}

/**
 * Launches by all that they are made of, the last ones asked for, and the registers of their kernels: a search builds
 * the same parts of a program again and again.
 */
interface Kept {
  readonly launches: Map<string, PlanLaunch>
  registers: number
}

const keptOf = new WeakMap<Program, Kept>()
/** Registers of all kernels that are kept for one program. */
const mostRegisters = 500_000

function knownLaunch(
  source: Program,
  program: Program,
  scheduled: Scheduled,
  name: string,
  options: LowerOptions,
  trace?: PassTrace,
): PlanLaunch {
  const kept: Kept = keptOf.get(source) ?? { launches: new Map(), registers: 0 }
  keptOf.set(source, kept)
  const needed: Needed = {
    sizes: program.sizes,
    hostVariables: program.hostVariables,
    program: { ...scheduled.program, arrays: arraysOf(program, scheduled) },
    aliases: scheduled.aliases ?? {},
    name,
    options: { ...options, ...(scheduled.held && { held: scheduled.held }), ...(scheduled.near && { near: true }) },
  }
  if (trace) return launchOf(needed, trace)
  const key = keyOf(needed),
    before = kept.launches.get(key),
    launch = before ?? launchOf(needed)
  kept.launches.delete(key)
  kept.launches.set(key, launch)
  if (!before) kept.registers += launch.kernel.registers.length
  for (const [old, { kernel }] of kept.launches) {
    if (kept.registers <= mostRegisters || old === key) break
    kept.launches.delete(old)
    kept.registers -= kernel.registers.length
  }
  return launch
}

/** All that a launch of a source depends on. */
interface Needed extends Symbols {
  readonly program: Program
  readonly aliases: Readonly<Record<string, string>>
  readonly name: string
  readonly options: LowerOptions
}

/** The arrays that a kernel may name, in their order. */
function arraysOf(
  program: Program,
  { program: { arrays, body }, aliases = {}, shapes = {} }: Scheduled,
): readonly ArrayDecl[] {
  const used = new Set(readsIn(body).map((r) => r.array))
  eachStmt(body, (s) => {
    if (s.kind === 'store') used.add(s.array)
  })
  return withShapes([...program.arrays, ...arrays.filter((a) => Object.hasOwn(aliases, a.name))], shapes).filter((a) =>
    used.has(a.name),
  )
}

function launchOf(needed: Needed, trace?: PassTrace): PlanLaunch {
  const { program, aliases, name, options } = needed
  const { kernel: given, grid, arrays } = runRoute(toKernel, { program, name, options }, { trace }),
    kernel = plainKernel(given),
    symbols = new Set(symbolsOf(needed).map((s) => s.name))
  const params = Object.fromEntries(
    kernel.params.map((p): [string, Expr] => [
      p.name,
      symbols.has(p.name)
        ? onHost(needed, { kind: 'size', type: 'i32', name: p.name })
        : { kind: 'scalar', type: p.type, name: p.name },
    ]),
  )
  const [x, y, z] = grid
  return {
    kernel,
    ...(kernel !== given && { matrices: given }),
    grid: [onHost(needed, x), onHost(needed, y), onHost(needed, z)],
    arguments: Object.fromEntries(arrays.map((a) => [a, aliases[a] ?? a])),
    params,
  }
}
