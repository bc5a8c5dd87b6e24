// The only place where stages are put in order: program → nests → sketches → scheduled nests → kernels → plan.
// In: a LoopIR program and a point per nest. Out: a `Plan` with emitted text, and the story of how it was made. Order:
// nests before sketches (a sketch knows one nest), vector variants before scalar ones (the first that fits is taken),
// verification of each kernel inside lowering (emitters accept nothing else).
import { fail } from './base/index.ts'
import { int, literal, loopVar, op, sub, type ArrayDecl, type Expr, type Loop, type Plan, type PlanArray, type PlanLaunch, type PlanStep, type PlanVariant, type Program } from './ir/index.ts'
import { eachExpr, exprKey, lower, mapExpr, regionsOf, sketchOf, substitute, uses, type LowerOptions, type Nest, type Other, type Point, type Region, type Scheduled, type Sketch } from './schedule/index.ts'

/** One computation of the program with what can be done to it. */
export interface Part {
  readonly nest: Nest | Other
  readonly sketch: Sketch
}

/** A program taken apart. `program` has the temporaries that several parts share, and variables of host loops as sizes. */
export interface Analysed {
  readonly source: Program
  readonly program: Program
  readonly parts: readonly Part[]
  /** What runs in which order; numbers are positions in `parts`. */
  readonly order: readonly PlanStep[]
  /** The loops of the source that the host runs, as they are or in steps that a search found. */
  readonly hosted: readonly Hosted[]
}

export interface Hosted {
  readonly loop: Loop
  /** The host counts points of equal time, not this loop's iterations. */
  readonly steps: boolean
  /** So many iterations, or points of time, make a block: only what depends on each other in it runs in order. */
  readonly together?: number
  /** A launch takes many of its iterations: tiles with a halo, skewed boxes, or one block that runs all. */
  readonly tiled?: 'halo' | 'skewed' | 'block'
}

/** Takes a program apart into nests and finds a sketch for each. A part that is no nest says in `why` what stands in the way. */
export function analyse(source: Program): Analysed {
  const { program, regions } = regionsOf(source)
  if (regions.length === 0) fail('pipeline.empty', `${source.name} computes nothing`, source.at, 'a region needs at least one assignment to an array that is a parameter')
  const parts: Part[] = [], hosted: Hosted[] = []
  const ordered = (list: readonly Region[]): readonly PlanStep[] => list.map((r) => {
    if (r.kind === 'host') hosted.push({ loop: r.source, steps: r.steps, ...(r.step > r.source.step && { together: r.step }) })
    if (r.kind === 'host') return { variable: r.variable, lower: onHost(source, r.lower), upper: onHost(source, r.upper), step: r.step, body: ordered(r.body) }
    if (r.kind === 'other' && r.form?.kind === 'time-tiles') hosted.push({ loop: r.form.loop, steps: false, tiled: 'halo' })
    if (r.kind === 'other' && r.form?.kind === 'one-block') hosted.push(...loopsOf(r.form.loop))
    if (r.kind === 'other' && r.form?.kind === 'wave-tiles') hosted.push(...[r.form.time, r.form.row, r.form.column].flatMap((l) => (l ? [{ loop: l, steps: true, tiled: 'skewed' as const }] : [])))
    return parts.push({ nest: r, sketch: sketchOf(program, r) }) - 1
  })
  const order = ordered(regions)
  return { source, program, parts, order, hosted }
}

/** The loops that one block runs. */
function loopsOf(r: Region): readonly Hosted[] {
  return r.kind === 'host' ? [{ loop: r.source, steps: r.steps, tiled: 'block' }, ...r.body.flatMap(loopsOf)] : []
}

/** One part with the host loops around it. */
export function onlyPart(a: Analysed, position: number): Analysed {
  const pruned = (steps: readonly PlanStep[]): readonly PlanStep[] => steps.flatMap((s): readonly PlanStep[] => {
    if (typeof s === 'number') return s === position ? [0] : []
    const body = pruned(s.body)
    return body.length > 0 ? [{ ...s, body }] : []
  })
  return { ...a, parts: [a.parts[position]!], order: pruned(a.order) } // a position in `parts`
}

/** Sizes that the program does not have are variables of host loops. */
function onHost(source: Program, e: Expr): Expr {
  const sizes = new Set(source.sizes.map((s) => s.name))
  return mapExpr(e, (x) => (x.kind === 'size' && !sizes.has(x.name) ? loopVar(x.name) : undefined))
}

/** A kernel of a plan with its story. */
export interface Made {
  readonly name: string
  readonly part: number
  readonly steps: readonly string[]
  readonly program: Program
}

export interface Built {
  readonly plan: Plan
  readonly kernels: readonly Made[]
}

export interface BuildOptions {
  /** Lanes of a warp that reductions may shuffle across (CUDA). */
  readonly warp?: 32
  /** Make the variant for sizes that whole tiles divide; default true. */
  readonly exact?: boolean
  /** Only the variant for sizes that are multiples of the vector width, or only the general one. Default: both. */
  readonly only?: 'vector' | 'general'
}

/** Builds the plan of one point per part. Throws a `DiagnosticError` when a schedule's side condition fails. */
export function build(analysed: Analysed, points: readonly Point[], options: BuildOptions = {}): Built {
  const general = assemble(analysed, points, false)
  const exact = options.only === 'general' || options.exact === false ? undefined : assemble(analysed, points, true)
  const warp = options.warp ? { warp: options.warp } : {}
  const variable = Object.keys(general.multiples).length > 0
  const aligned = divisibility(general.multiples)
  const variants: PlanVariant[] = []
  if (exact) variants.push(variantOf(analysed, exact, and([...exact.requires, ...(aligned ? [aligned] : [])]), { ...warp, multiples: exact.multiples }))
  if (exact && aligned && analysed.parts.some((p) => p.sketch.unaligned)) variants.push(variantOf(analysed, exact, and(exact.requires), warp))
  if (variable && options.only !== 'general') variants.push(variantOf(analysed, general, aligned, { ...warp, multiples: general.multiples }))
  if (!variable || options.only !== 'vector') variants.push(variantOf(analysed, general, null, warp))
  const kept = dropTwins(variants)
  const told = exact && analysed.parts.some((p) => p.sketch.unaligned) ? exact : general // the story of what is taken first
  return {
    plan: { name: analysed.source.name, sizes: analysed.source.sizes, scalars: general.program.scalars, arrays: general.program.arrays.map((a) => planArray(analysed, a)), variants: kept },
    kernels: told.scheduled.map((s, i) => ({ name: told.names[i]!, part: s.part, steps: s.kernel.steps, program: s.kernel.program })),
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
function assemble(analysed: Analysed, points: readonly Point[], exact: true): Assembled | undefined
function assemble(analysed: Analysed, points: readonly Point[], exact: boolean): Assembled | undefined {
  let program = analysed.program
  const scheduled: { kernel: Scheduled; part: number }[] = []
  const multiples: Record<string, number> = {}
  const requires: Expr[] = [], order: (readonly PlanStep[])[] = []
  for (const [i, part] of analysed.parts.entries()) {
    const sketch = program === analysed.program ? part.sketch : sketchOf(program, part.nest)
    const point = points[i] ?? fail('pipeline.points', `part ${i} has no point`)
    const wanted = exact ? sketch.buildExact?.(point) : undefined
    const special = wanted?.requires.every((e) => isOver(analysed.source, e)) ? wanted : undefined // a variant is chosen before any loop
    if (special) requires.push(...special.requires)
    const made = special ?? sketch.build(point)
    program = made.program
    Object.assign(multiples, Object.fromEntries(Object.entries(sketch.vectorSizes).filter(([name]) => analysed.source.sizes.some((s) => s.name === name))))
    const first = scheduled.length
    for (const kernel of made.kernels) scheduled.push({ kernel, part: i })
    order.push(made.steps ? shifted(analysed.source, made.steps, first) : made.kernels.map((_, n) => first + n))
  }
  if (exact && requires.length === 0) return undefined
  return { program, scheduled, names: uniqueNames(scheduled.map((s) => s.kernel.name)), multiples, requires, order }
}

function variantOf(analysed: Analysed, a: Assembled, when: Expr | null, options: LowerOptions): PlanVariant {
  const multiples = { ...options.multiples, ...strides(analysed.order) }
  const launches = a.scheduled.map((s, i) => launchOf(analysed.source, a.program, s.kernel, a.names[i]!, { ...options, multiples }))
  const stepsOf = (order: readonly PlanStep[]): readonly PlanStep[] => order.flatMap((s): readonly PlanStep[] =>
    typeof s === 'number' ? a.order[s]! : [{ ...s, body: stepsOf(s.body) }]) // a position in `parts`
  const steps = stepsOf(analysed.order)
  return { when, launches, ...(steps.some((s) => typeof s !== 'number') && { steps }) }
}

/** What the variables of loops that start at 0 are multiples of. */
function strides(steps: readonly PlanStep[]): Readonly<Record<string, number>> {
  return Object.assign({}, ...steps.map((s) => (typeof s === 'number' ? {} : { ...(literal(s.lower) === 0 && s.step > 1 && { [s.variable]: s.step }), ...strides(s.body) }))) as Readonly<Record<string, number>> // of such records
}

/** The steps of a part whose first kernel is the plan's `first`. */
const shifted = (source: Program, steps: readonly PlanStep[], first: number): readonly PlanStep[] => steps.map((s): PlanStep =>
  (typeof s === 'number' ? s + first : { ...s, lower: onHost(source, s.lower), upper: onHost(source, s.upper), body: shifted(source, s.body, first) }))

/** Whether `e` uses no sizes but the program's own. */
function isOver(source: Program, e: Expr): boolean {
  let own = true
  eachExpr(e, (x) => { if (x.kind === 'size' && !source.sizes.some((s) => s.name === x.name)) own = false })
  return own
}

/** Conditions that are not literally true, in conjunction. */
function and(conditions: readonly Expr[]): Expr | null {
  const unique = new Map(conditions.map((c) => [exprKey(c), c]))
  return [...unique.values()].reduce<Expr | null>((a, b) => (a ? op('land', [a, b]) : b), null)
}

/** Of variants with the same kernels the later, less demanding one stays. */
function dropTwins(variants: readonly PlanVariant[]): readonly PlanVariant[] {
  const texts = variants.map((v) => JSON.stringify(v.launches.map((l) => l.kernel), (_, x: unknown) => (typeof x === 'bigint' ? `${x}n` : x)))
  return variants.filter((_, i) => !texts.slice(i + 1).includes(texts[i]!))
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

/** Temporaries inside of host loops have room for every iteration. */
function planArray(analysed: Analysed, a: ArrayDecl): PlanArray {
  return { name: a.name, type: a.type, shape: a.shape.map((e) => widest(onHost(analysed.source, e), analysed.order)), role: a.role }
}

/** The larger of `e` at the first and at the last iteration of each loop in `steps`: extents rise or fall with variables. */
function widest(e: Expr, steps: readonly PlanStep[]): Expr {
  return steps.reduce((given, s) => {
    if (typeof s === 'number') return given
    const inner = widest(given, s.body)
    if (!uses(inner, s.variable)) return inner
    const at = (value: Expr): Expr => substitute(inner, new Map([[s.variable, value]]))
    return op('max', [at(s.lower), at(sub(s.upper, int(1)))])
  }, e)
}

/** All named sizes are multiples of their widths; `null` when there are none. */
function divisibility(multiples: Readonly<Record<string, number>>): Expr | null {
  const conditions = Object.entries(multiples).map(([name, n]) => op('eq', [op('rem', [{ kind: 'size', type: 'i32', name }, int(n)]), int(0)]))
  return conditions.length === 0 ? null : conditions.reduce((a, b) => op('land', [a, b]))
}

function launchOf(source: Program, program: Program, scheduled: Scheduled, name: string, options: LowerOptions): PlanLaunch {
  const aliases = scheduled.aliases ?? {}
  const again = scheduled.program.arrays.filter((a) => Object.hasOwn(aliases, a.name))
  const { kernel, grid, arrays } = lower({ ...scheduled.program, arrays: [...program.arrays, ...again] }, name, options)
  const params = Object.fromEntries(kernel.params.map((p): [string, Expr] => {
    const isSize = program.sizes.some((s) => s.name === p.name)
    return [p.name, isSize ? onHost(source, { kind: 'size', type: 'i32', name: p.name }) : { kind: 'scalar', type: p.type, name: p.name }]
  }))
  const [x, y, z] = grid
  return { kernel, grid: [onHost(source, x), onHost(source, y), onHost(source, z)], arguments: Object.fromEntries(arrays.map((a) => [a, aliases[a] ?? a])), params }
}
