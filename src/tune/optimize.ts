// In: a LoopIR program and what to optimize it for. Out: the fastest verified plan that was found, and everything that
// a report needs: the ladder, the search, the proof. The one idea: the model ranks, the simulator proves, a device
// (when there is one) decides; a plan that fails its proof is not offered.
import { attempted, InternalError, isInapplicable, same } from '../base/index.ts'
import { emitPlan } from '../emit/index.ts'
import type { Occupancy } from '../gpus/index.ts'
import {
  printProgram,
  type PassTrace,
  sharedBytesOf,
  eachExpr,
  literal,
  sizesIn,
  type Dim3,
  type Expr,
  type Kernel,
  type Loop,
  type LoopStmt,
  type Plan,
  type Program,
  eachStmt,
} from '../ir/index.ts'
import type { Built, Hosted } from '../pipeline.ts'
import type { Prediction } from '../model/index.ts'
import type { Timing } from '../run/index.ts'
import type { Point } from '../schedule/index.ts'
import {
  buildFor,
  builtFor,
  contextOf,
  joinedFor,
  pointForCuda,
  pointsWords,
  seedOf,
  targetsOf,
  workOf,
  type Context,
  type OptimizeOptions,
} from './context.ts'
import { candidateMeasurer, measuredOrder, type MeasuredOrder } from './measuring/measured-order.ts'
import { estimatePlan, type Estimate } from './estimate.ts'
import { distanceFrom, type Distance } from './distance.ts'
import { ladderOf } from './ladder.ts'
import type { FoundRung, LadderRow } from './rungs.ts'
import { iterationBound } from './iteration-bound.ts'
import { lowerBound, type LowerBound } from './lower-bound.ts'
import { recurrenceBound, withoutRunningMeans, type RecurrenceBound } from './recurrence-bound.ts'
import { searchAll } from './candidate-search.ts'
import { fastPlan, type Empty } from './empty-sizes.ts'
import { otherVariants, withOthers } from './other-sizes.ts'
import { edgeSizes, plannedSizes, verificationSizes } from './proof/proof-sizes.ts'
import { partWords } from './formula-text.ts'
import { wrongCudaHostFunction } from './proof/cuda-host/cuda-host-function.ts'
import { wrongHostFunction } from './proof/host-functions.ts'
import { attempt, firstProved, worseOf, type Failed, type Proof } from './proof/prove.ts'
import { shapeVersions, slowShapes, withVersion, type ShapeVersion, type SlowShape } from './shape-versions.ts'
import type { FusedLaunches } from './launch-fusion.ts'
import { runsEverywhere, withSmaller } from './default-limits.ts'
import { wgslRunner, wrongText, type TextRunner } from './proof/translation-validation.ts'
import { plansIn, verifyPlans, type Claim, type Verification } from './proof/verify.ts'
import { withEqualBlocks, withFewerLaunches, withRungs } from './whole-program.ts'

export interface OptimizedKernel {
  readonly name: string
  /** How often the host launches it at the planned sizes; `prediction` covers all of these launches. */
  readonly launches: number
  readonly grid: Dim3
  readonly block: Dim3
  readonly steps: readonly string[]
  readonly prediction: Prediction
  readonly measured: Timing | null
  readonly registers: { readonly perThread: number; readonly source: 'estimated' | 'ptxas' }
  readonly occupancy: Occupancy
}

export interface Optimized {
  readonly program: Program
  /** The plan with its emitted texts: WGSL, or CUDA when that is the only target. */
  readonly plan: Plan
  /** The plan for CUDA, whose points differ where its compiler prefers others; null when CUDA is no target. */
  readonly cudaPlan: Plan | null
  readonly parts: readonly {
    readonly kind: string
    readonly sketch: string /** Loops of the source that one thread runs in order. */
    readonly inOrder: readonly Loop[]
  }[]
  /** Loops of the source that the host runs. */
  readonly hosted: readonly Hosted[]
  readonly points: readonly Point[]
  readonly kernels: readonly OptimizedKernel[]
  readonly ladder: readonly LadderRow[]
  readonly verified: Verification
  /** The targets whose emitted texts were read back, run and compared with the source. */
  readonly textsRun: readonly ('wgsl' | 'cuda')[]
  /** Whether the host functions of all targets were run and their decisions compared with the plan. */
  readonly hostRun: boolean
  /** Candidates that ranked above the chosen one and were rejected because their proof failed. */
  readonly failed: readonly Failed[]
  /** Schedules for other shapes of the data, in the order in which the host asks for them. */
  readonly versions: readonly ShapeVersion[]
  /** Shapes at which the plan is far from its bound; none where that was not asked. */
  readonly slowShapes: readonly SlowShape[]
  readonly search: {
    readonly candidates: number
    readonly predicted: number
    readonly measured: number
    readonly seconds: number
  }
  /** The lower bound of any schedule at the planned sizes, and the distance of the chosen plan from it. */
  readonly lowerBound: LowerBound
  /** The loop whose iterations wait longest for each other; null where none must. */
  readonly recurrence: RecurrenceBound | null
  readonly distance: Distance
  /** The chosen plan, all launches together; null when nothing was measured. */
  readonly measured: Timing | null
  /** What measured the candidates; null when nothing did. */
  readonly measuredOn: string | null
}

/** What runs the emitted texts, and the plan that has them, as far as something was given that reads them. */
function runnersFor(o: OptimizeOptions, plan: Plan, cudaPlan: Plan | null): readonly (readonly [TextRunner, Plan])[] {
  const wgsl = o.readWgsl && targetsOf(o).includes('wgsl') ? wgslRunner(o.readWgsl, o.gpu) : undefined
  const cuda = o.readCuda && cudaPlan ? o.readCuda(cudaPlan, o.gpu) : undefined
  return [...(wgsl ? [[wgsl, plan] as const] : []), ...(cuda && cudaPlan ? [[cuda, cudaPlan] as const] : [])]
}

/**
 * One rung of the ladder, or the last one if the ladder is shorter. Nothing is searched or proved. Throws a
 * `DiagnosticError` where the program cannot run on a GPU.
 */
export async function ladderRung(
  program: Program,
  options: Omit<OptimizeOptions, 'rung'>,
  position: number,
): Promise<FoundRung> {
  const found: FoundRung[] = []
  const context = contextOf(program, { ...options, rung: (r) => found.push(r) })
  await ladderOf(context, { only: position, measure: candidateMeasurer(context) })
  return found[0]! // every ladder has a rung
}

/** Optimizes `program`. Throws a `DiagnosticError` when no schedule of it can be proved. */
export async function optimize(program: Program, options: OptimizeOptions): Promise<Optimized> {
  const clock = performance.now()
  const context = contextOf(program, options),
    { analysed, values } = context
  const measure = candidateMeasurer(context)
  const rungs = options.points ? [] : await ladderOf(context, { measure })
  const found = options.points ? { candidates: [options.points], tried: 0 } : await searchAll(context)
  const candidates = options.points
    ? found.candidates
    : withFewerLaunches(context, withEqualBlocks(context, withRungs(context, found.candidates, rungs)))
  const decided: MeasuredOrder = measure
    ? await measuredOrder(context, candidates, measure)
    : { ordered: candidates, timings: new Map(), failed: [] }
  const proved = prove(context, decided.ordered),
    points = decided.ordered[proved.position]! // it is one of them
  const shaped = await withShapes(context, points, proved),
    { verified, failed } = shaped
  const { built, joined } = proved.made[0]!
  if (options.trace) traceKernels(context, points, options.trace)
  const emitted = shaped.plans.map((p, i) =>
    emitPlan(p, {
      targets: [targetsOf(options)[i]!],
      headerOf: (k) => headerOf(shaped.origins[i]!(k), verified, k),
    }),
  )
  const plan = emitted[0]!
  const cudaPlan = emitted[targetsOf(options).indexOf('cuda')] ?? null
  const runners = runnersFor(options, plan, cudaPlan)
  for (const [runner, of] of runners) {
    const why = wrongText(analysed.source, of, verified.sizes, runner, seedOf(options), options.gpu)
    if (why !== undefined) throw new InternalError('emit', why, printProgram(program))
  }
  const wrongHost = targetsOf(options)[0] === 'wgsl' ? wrongHostFunction(plan, verified.sizes) : null
  const wrongCudaHost = cudaPlan ? wrongCudaHostFunction(cudaPlan, verified.sizes) : undefined
  if (wrongCudaHost !== undefined) throw new InternalError('emit', wrongCudaHost, printProgram(program))
  if (typeof wrongHost === 'string') throw new InternalError('emit', wrongHost, printProgram(program))
  const estimate = estimatePlan(workOf(built), built.plan, values, options.gpu, { known: context.known })
  const timing = decided.timings.get(points) ?? null
  const bounded = withoutRunningMeans(analysed.source),
    bound = lowerBound(bounded, values, options.gpu),
    recurrence = longestOf([
      recurrenceBound(bounded, values, options.gpu),
      iterationBound(bounded, values, options.gpu),
    ])
  return {
    program,
    plan,
    cudaPlan,
    lowerBound: bound,
    recurrence,
    distance: distanceFrom(bound, analysed, built, estimate, timing, recurrence),
    points,
    verified,
    textsRun: runners.map(([runner]) => runner.target),
    hostRun: wrongHost === undefined || (cudaPlan !== null && targetsOf(options)[0] === 'cuda'),
    ladder: rungs.map((r) => r.row),
    parts: analysed.parts.map((p) => {
      const known = p.nest.kind === 'nest' || (p.nest.kind === 'idiom' && p.nest.form.kind === p.sketch.name)
      return {
        kind: known ? p.sketch.name : 'other',
        sketch: p.sketch.name,
        inOrder: p.nest.kind !== 'nest' && !known ? loopsIn(p.nest.body, p.nest.parallel) : [],
      }
    }),
    hosted: hostedWith(context, points),
    failed: [...decided.failed, ...failed],
    versions: shaped.versions,
    slowShapes: shaped.slow,
    kernels: kernelsOf(built, joined, estimate, timing),
    search: {
      candidates: analysed.parts.reduce((n, p) => n + p.sketch.space.length, 0),
      predicted: found.tried,
      measured: decided.timings.size,
      seconds: (performance.now() - clock) / 1000,
    },
    measured: timing,
    measuredOn: measure?.name ?? null,
  }
}

/** Traces how the kernels of these points for the planned sizes are made, for the first target. */
function traceKernels(c: Context, points: readonly Point[], trace: PassTrace): void {
  const [target] = targetsOf(c.options)
  if (target) builtFor(c, points, target, 'planned', trace)
}

/**
 * Loops that the host runs at these points: one whose sweeps have launches of their own is in no tiles, and one of a
 * grid that stays on the chip is not the host's.
 */
function hostedWith(c: Context, points: readonly Point[]): readonly Hosted[] {
  const { hosted, parts } = c.analysed,
    forCuda = targetsOf(c.options)[0] === 'cuda'
  const timed = parts.flatMap(({ nest, sketch }, i) => {
    const point = points[i],
      made = forCuda && point ? pointForCuda(c, sketch, point) : point
    return made?.['apart'] && nest.kind === 'idiom' && nest.form.kind === 'time-tiles'
      ? [{ loop: nest.form.loop, stays: made['stay'] === 1 }]
      : []
  })
  return hosted.flatMap((h): readonly Hosted[] => {
    const found = timed.find((t) => t.loop === h.loop)
    return !found ? [h] : found.stays ? [{ ...h, tiled: 'resident' }] : [{ loop: h.loop, steps: h.steps }]
  })
}

/** Loops in `body` but its `parallel` outer ones. */
function loopsIn(body: readonly LoopStmt[], parallel: number): readonly Loop[] {
  const out: Loop[] = []
  eachStmt(body, (s, around) => {
    if (s.kind === 'loop' && around.length >= parallel) out.push(s)
  })
  return out
}

function kernelsOf(
  built: Built,
  joined: FusedLaunches,
  estimate: Estimate,
  timing: Timing | null,
): readonly OptimizedKernel[] {
  const beside = (name: string): readonly string[] => {
    const others = [...joined.members.values()].find((names) => names.includes(name))?.filter((n) => n !== name)
    return others ? [`in one launch with ${others.join(', ')}, as neither needs the other`] : []
  }
  return estimate.launches.map((l, i) => ({
    name: l.name,
    launches: l.times,
    grid: l.grid,
    block: l.block,
    steps: [...(built.kernels[i]?.steps ?? []), ...beside(l.name)],
    prediction: l.prediction,
    measured: estimate.launches.length === 1 ? timing : null,
    registers: l.registers,
    occupancy: l.occupancy,
  }))
}

const longestOf = (bounds: readonly (RecurrenceBound | null)[]): RecurrenceBound | null =>
  bounds.reduce((a, b) => (b && b.ns > (a?.ns ?? 0) ? b : a), null)

// ── proof ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What was built for a target, and the plan that is handed over. */
interface Proved {
  readonly built: Built
  readonly joined: FusedLaunches
  readonly rounds: Readonly<Record<string, number>>
}

/** Loops of the deepest nest: a sum that each of its places looks for has more of them than the source. */
const loopsOf = (c: Context): number =>
  Math.max(
    0,
    ...c.analysed.parts.map(({ nest: n }) =>
      n.kind === 'nest' ? n.parallel.length + (n.reduction?.loops.length ?? 0) : 0,
    ),
  )

/** How much of each size the kernels of all parts process in one round. */
const roundsOf = (c: Context, points: readonly Point[]): Readonly<Record<string, number>> =>
  [
    // a point for each
    ...c.analysed.parts.flatMap(({ sketch }, i) => Object.entries(sketch.rounds?.(points[i]!) ?? {})),
    ...[...c.analysed.products.values()].flatMap(partsIn),
  ].reduce<Record<string, number>>((all, [name, n]) => ({ ...all, [name]: Math.max(all[name] ?? 1, n) }), {})

/** The sizes that the expression divides by a constant, with the constant: a proof should use several such parts. */
function partsIn(e: Expr): readonly (readonly [string, number])[] {
  const found: (readonly [string, number])[] = []
  eachExpr(e, (x) => {
    const by = x.kind === 'op' && x.op === 'div' ? literal(x.args[1]!) : undefined // two arguments
    if (x.kind === 'op' && by !== undefined) found.push(...sizesIn(x.args[0]!).map((name) => [name, by] as const))
  })
  return found
}

function sizesToProve(c: Context, plan: Plan, rounds: Readonly<Record<string, number>>): Claim['sizes'] {
  const { source } = c.analysed,
    small = verificationSizes(source, plan, loopsOf(c), rounds)
  return c.options.provePlanned
    ? [...small, ...plannedSizes(source, plan).filter((p) => !small.some((s) => same(s, p)))]
    : small
}

/**
 * The plan of the first candidate that runs on every WebGPU device, or of the loops without blocks; null where there is
 * none.
 */
function smallest(c: Context, candidates: readonly (readonly Point[])[]): Plan | null {
  for (const points of candidates) {
    const joined = attempted(() => joinedFor(c, buildFor(c, points, 'wgsl')))
    if (!isInapplicable(joined) && runsEverywhere(joined.plan)) return joined.plan
  }
  const { gpu } = c.options,
    plain = fastPlan(sourceOf(c), { gpu, seed: seedOf(c.options), target: 'wgsl', isUnblocked: true })
  return plain && runsEverywhere(plain) ? plain : null
}

/** The program as it was given to who wants it optimized. */
const sourceOf = ({ options, analysed }: Context): Program => options.analysed?.source ?? analysed.source

function prove(c: Context, candidates: readonly (readonly Point[])[]): Proof<Proved> {
  const known = new Map<'wgsl' | 'cuda', Empty>()
  const emptyOf = (target: 'wgsl' | 'cuda'): Empty => {
    const made =
      known.get(target) ??
      otherVariants(sourceOf(c), {
        gpu: c.options.gpu,
        seed: seedOf(c.options),
        target,
      })
    known.set(target, made)
    return made
  }
  let smaller: Plan | null | undefined
  /** The plan, followed by one that runs on every device where it does not do so itself. */
  const fitting = (joined: FusedLaunches): FusedLaunches => {
    if (runsEverywhere(joined.plan)) return joined
    smaller ??= smallest(c, candidates)
    return smaller ? { ...joined, plan: withSmaller(joined.plan, smaller) } : joined
  }
  return firstProved(c.analysed.source.name, candidates, {
    make: (points) =>
      targetsOf(c.options).map((t): Proved => {
        const built = buildFor(c, points, t)
        const joined = t === 'wgsl' ? fitting(joinedFor(c, built)) : joinedFor(c, built)
        return {
          built,
          joined: { ...joined, plan: withOthers(c.analysed.source, joined.plan, emptyOf(t)) },
          rounds: roundsOf(c, points),
        }
      }),
    verify: (made) =>
      verifyPlans(
        c.analysed.source,
        made.flatMap(({ joined, rounds }, i) =>
          plansIn(joined.plan, targetsOf(c.options)[i]!).map((plan) => {
            const sizes = sizesToProve(c, plan, rounds)
            const edges = edgeSizes(c.analysed.source, plan, sizes)
            return { plan, sizes, edges, target: targetsOf(c.options)[i]! } // one plan for each
          }),
        ),
        c.options.gpu,
        seedOf(c.options),
      ),
    words: (points) => pointsWords(c, points),
    progress: (done, total) => c.progress({ stage: 'verify', done, total }),
  })
}

// ── other shapes ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a kernel comes from. */
interface Origin {
  readonly context: Context
  readonly made: Pick<Proved, 'built' | 'joined'>
}

/** The plans that are handed over, for each target, and what they are proved with. */
interface Shaped {
  readonly plans: readonly Plan[]
  readonly versions: readonly ShapeVersion[]
  readonly slow: readonly SlowShape[]
  readonly verified: Verification
  readonly failed: readonly Failed[]
  /** For each target, where a kernel of its plan comes from. */
  readonly origins: readonly ((kernel: Kernel) => Origin)[]
}

/** What is proved, with the versions for other shapes that are proved, too, where these are asked for. */
async function withShapes(c: Context, points: readonly Point[], proved: Proof<Proved>): Promise<Shaped> {
  const { options } = c
  const isAsked = !options.points && !options.analysed
  const wanted = isAsked && options.shapes === 'made' ? await shapeVersions(c, points) : []
  let plans = proved.made.map((m) => m.joined.plan),
    { verified } = proved
  const failed = [...proved.failed],
    versions: ShapeVersion[] = [],
    origins: Origin[][] = proved.made.map((made) => [{ context: c, made }])
  for (const version of [...wanted].reverse()) {
    const found = attempt([version], {
      make: () => targetsOf(options).map((t) => madeFor(version, t)),
      verify: (made) => verifyVersion(c, version, made, plans),
      words: () => `where ${version.size} <= ${version.most}: ${pointsWords(version.context, version.points)}`,
    })
    if (!('verified' in found)) {
      failed.push(found)
      continue
    }
    plans = plans.map((plan, i) => withVersion(plan, version, found.made[i]!.joined.plan)) // one for each target
    found.made.forEach((made, i) => origins[i]!.push({ context: version.context, made }))
    const more = found.verified.sizes.filter((s) => !verified.sizes.some((t) => same(s, t)))
    verified = { ...worseOf(verified, found.verified), sizes: [...verified.sizes, ...more] }
    versions.unshift(version)
  }
  const originIn =
    (all: readonly Origin[]) =>
    ({ name }: Kernel): Origin =>
      all.find(
        ({ made: { built, joined } }) => joined.members.has(name) || built.kernels.some((k) => k.name === name),
      ) ?? all[0]! // the plan's own
  const slow = isAsked && options.shapes === 'told' ? slowShapes(c, points) : []
  return { plans, versions, slow, verified, failed, origins: origins.map(originIn) }
}

function madeFor({ context, points }: ShapeVersion, target: 'wgsl' | 'cuda'): Proved {
  const built = buildFor(context, points, target)
  return { built, joined: joinedFor(context, built), rounds: roundsOf(context, points) }
}

/** A version by itself, as if it took all sizes, and the plan that has it at sizes on both sides of its end. */
function verifyVersion(
  c: Context,
  version: ShapeVersion,
  made: readonly Proved[],
  plans: readonly Plan[],
): readonly Verification[] {
  const { source } = c.analysed,
    seed = seedOf(c.options)
  const claims = made.map(({ joined: { plan }, rounds }, i): Claim => {
    const sizes = verificationSizes(source, plan, loopsOf(version.context), rounds)
    return { plan, sizes, edges: edgeSizes(source, plan, sizes), target: targetsOf(c.options)[i]! } // one for each
  })
  const merged = made.map(({ joined }, i): Claim => {
    const plan = withVersion(plans[i]!, version, joined.plan) // one for each
    return { plan, sizes: aroundEnd(version, claims[i]!.sizes), target: targetsOf(c.options)[i]! }
  })
  const alone = verifyPlans(source, claims, c.options.gpu, seed)
  const together = verifyPlans(source, merged, c.options.gpu, seed)
  return [
    ...together.map(({ unreached: _, ...v }) => v), // other variants run at other sizes
    ...alone.map((v) => ({ ...v, sizes: [] })),
  ]
}

/** Of `sizes` the first odd ones and those of whole vectors, a version's size at its end at most, and one above. */
function aroundEnd({ size, most }: ShapeVersion, sizes: Claim['sizes']): Claim['sizes'] {
  const [odd, , even] = sizes
  const clamped = [odd, even].flatMap((s) => (s ? [{ ...s, [size]: Math.min(s[size]!, most) }] : [])) // it has all
  return [...clamped, ...(odd ? [{ ...odd, [size]: most + 1 }] : [])]
}

// ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function headerOf(
  { context: c, made: { built, joined } }: Origin,
  verified: Verification,
  kernel: Kernel,
): readonly string[] {
  const names = joined.members.get(kernel.name)
  const shared = sharedBytesOf(kernel)
  return [
    ...(names ? [`${kernel.name}: ${names.join(', ')}, which need nothing of each other, side by side`, ''] : []),
    ...(names ?? [kernel.name]).flatMap((name) => {
      const made = built.kernels.find((k) => k.name === name)
      return [
        `${name}: ${partWords(made ? c.analysed.parts[made.part]?.nest : undefined)}. How it was made:`,
        ...(made?.steps ?? []).map((s, i) => `  ${i + 1}. ${s}`),
        '',
      ]
    }),
    `${kernel.block[0]} threads per block${shared > 0 ? `, ${shared} bytes of workgroup memory` : ''}.`,
    '',
    `Verified against a float64 reference at ${verified.sizes.map(sizeText).join('; ')}:`,
    `largest relative error ${verified.maxRelativeError.toExponential(1)}, ${verified.bound.toExponential(1)} allowed.`,
    'Made by Tesela.',
  ]
}

const sizeText = (s: Readonly<Record<string, number>>): string =>
  Object.entries(s)
    .map(([k, v]) => `${k} = ${v}`)
    .join(', ') || 'its own size'
