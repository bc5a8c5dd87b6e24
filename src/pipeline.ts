// The only place where stages are put in order: program → nests → sketches → scheduled nests → kernels → plan.
// In: a LoopIR program and a point per nest. Out: a `Plan` with emitted text, and the story of how it was made. Order:
// nests before sketches (a sketch knows one nest), vector variants before scalar ones (the first that fits is taken),
// verification of each kernel inside lowering (emitters accept nothing else).
import { fail } from './base/index.ts'
import { int, op, type ArrayDecl, type Expr, type Kernel, type Plan, type PlanArray, type PlanLaunch, type PlanVariant, type Program } from './ir/index.ts'
import { lower, nestsOf, sketchOf, type LowerOptions, type Nest, type Other, type Point, type Scheduled, type Sketch } from './schedule/index.ts'

/** One computation of the program with what can be done to it. */
export interface Part {
  readonly nest: Nest | Other
  readonly sketch: Sketch
}

/** A program taken apart. `program` has the temporaries that several parts share. */
export interface Analysed {
  readonly source: Program
  readonly program: Program
  readonly parts: readonly Part[]
}

/** Takes a program apart into nests and finds a sketch for each. A part that is no nest says in `why` what stands in the way. */
export function analyse(source: Program): Analysed {
  const { program, parts } = nestsOf(source)
  if (parts.length === 0) fail('pipeline.empty', `${source.name} computes nothing`, source.at, 'a region needs at least one assignment to an array that is a parameter')
  return { source, program, parts: parts.map((nest) => ({ nest, sketch: sketchOf(program, nest) })) }
}

/** A kernel of a plan with its story. */
export interface Made {
  readonly name: string
  readonly part: number
  readonly steps: readonly string[]
  readonly program: Program
  readonly sharedBytes: number
}

export interface Built {
  readonly plan: Plan
  readonly kernels: readonly Made[]
}

export interface BuildOptions {
  /** Lanes of a warp that reductions may shuffle across (CUDA). */
  readonly warp?: 32
  /** Only the variant for sizes that are multiples of the vector width, or only the general one. Default: both. */
  readonly only?: 'vector' | 'general'
}

/** Builds the plan of one point per part. Throws a `DiagnosticError` when a schedule's side condition fails. */
export function build(analysed: Analysed, points: readonly Point[], options: BuildOptions = {}): Built {
  let program = analysed.program
  const scheduled: { kernel: Scheduled; part: number }[] = []
  const multiples: Record<string, number> = {}
  analysed.parts.forEach((part, i) => {
    const sketch = program === analysed.program ? part.sketch : sketchOf(program, part.nest)
    const made = sketch.build(points[i] ?? fail('pipeline.points', `part ${i} has no point`))
    program = made.program
    Object.assign(multiples, sketch.vectorSizes)
    for (const kernel of made.kernels) scheduled.push({ kernel, part: i })
  })
  const names = uniqueNames(scheduled.map((s) => s.kernel.name))
  const variantOf = (vector: boolean): PlanVariant => ({
    when: vector ? divisibility(multiples) : null,
    launches: scheduled.map((s, i) => launchOf(program, s.kernel, names[i]!, { ...(options.warp && { warp: options.warp }), ...(vector && { multiples }) })),
  })
  const variable = Object.keys(multiples).length > 0
  const variants = [...(variable && options.only !== 'general' ? [variantOf(true)] : []), ...(!variable || options.only !== 'vector' ? [variantOf(false)] : [])]
  const first = variants[0]!
  return {
    plan: { name: analysed.source.name, sizes: program.sizes, scalars: program.scalars, arrays: program.arrays.map(planArray), variants: dropTwin(variants) },
    kernels: scheduled.map((s, i) => ({ name: names[i]!, part: s.part, steps: s.kernel.steps, program: s.kernel.program, sharedBytes: sharedOf(first.launches[i]!.kernel) })),
  }
}

const sharedOf = (k: Kernel): number => k.resources.reduce((n, r) => n + (r.space === 'shared' ? (r.count ?? 0) * 4 : 0), 0)

/** A vector variant that came out the same as the general one is left out. */
function dropTwin(variants: readonly PlanVariant[]): readonly PlanVariant[] {
  const [a, b] = variants
  if (!a || !b) return variants
  const same = a.launches.every((l, i) => JSON.stringify(l.kernel) === JSON.stringify(b.launches[i]?.kernel))
  return same ? [b] : variants
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

function planArray(a: ArrayDecl): PlanArray {
  return { name: a.name, type: a.type, shape: a.shape, role: a.role }
}

/** All named sizes are multiples of their widths; `null` when there are none. */
function divisibility(multiples: Readonly<Record<string, number>>): Expr | null {
  const conditions = Object.entries(multiples).map(([name, n]) => op('eq', [op('rem', [{ kind: 'size', type: 'i32', name }, int(n)]), int(0)]))
  return conditions.length === 0 ? null : conditions.reduce((a, b) => op('land', [a, b]))
}

function launchOf(program: Program, scheduled: Scheduled, name: string, options: LowerOptions): PlanLaunch {
  const { kernel, grid, arrays } = lower({ ...scheduled.program, arrays: program.arrays }, name, options)
  const params = Object.fromEntries(kernel.params.map((p): [string, Expr] => {
    const isSize = program.sizes.some((s) => s.name === p.name)
    return [p.name, isSize ? { kind: 'size', type: 'i32', name: p.name } : { kind: 'scalar', type: p.type, name: p.name }]
  }))
  return { kernel, grid, arguments: Object.fromEntries(arrays.map((a) => [a, a])), params }
}
