// In: a LoopIR program and what to optimize it for. Out: the fastest verified plan that was found, and everything that a
// report needs: the ladder, the search, the proof. The one idea: the model ranks, the simulator proves, a device (when
// there is one) decides; a plan that fails its proof is not offered.
import { DiagnosticError, keyOf, random } from '../base/index.ts'
import { emitPlan } from '../emit/index.ts'
import type { GpuProfile, Occupancy } from '../gpus/index.ts'
import { isFloat, sharedBytesOf, type Dim3, type Kernel, type Loop, type LoopStmt, type Plan, type PlanValues, type Program } from '../ir/index.ts'
import { analyse, build, onlyPart, type Analysed, type BuildOptions, type Built, type Hosted } from '../pipeline.ts'
import type { Prediction } from '../model/index.ts'
import type { Timing } from '../run/index.ts'
import { eachStmt, type Point, type Sketch } from '../schedule/index.ts'
import { freshArrays, type Arrays } from './data.ts'
import { estimatePlan, Known, type Estimate } from './evaluate.ts'
import type { Measurer } from './measure.ts'
import { sampledReference, type Sample } from './sampled.ts'
import { search, type Scored } from './search.ts'
import { verificationSizes } from './sizes.ts'
import { partWords } from './words.ts'
import { firstProved, sentenceOf, type Failed, type Proof } from './prove.ts'
import { nearlyTogether, together, type Together } from './together.ts'
import { verifyPlans, type Verification } from './verify.ts'

export interface OptimizeOptions {
  readonly gpu: GpuProfile
  readonly targets: readonly ('wgsl' | 'cuda')[]
  /** Candidates that the model looks at per nest; 24 when absent. */
  readonly budget?: number
  readonly seed?: number
  /** Measures the ladder and the best candidates. */
  readonly measure?: Measurer | null
  /** Candidates that are measured; 40 when absent. */
  readonly measured?: number
  readonly progress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void
  /** Outer loops of a part in no canonical form that may run in parallel; see `analyse`. */
  readonly analysed?: Analysed
}

export interface OptimizedKernel {
  readonly name: string
  /** How often the host launches it, at the planned sizes; `prediction` is of all of these together. */
  readonly launches: number
  readonly grid: Dim3
  readonly block: Dim3
  readonly steps: readonly string[]
  readonly prediction: Prediction
  readonly measured: Timing | null
  readonly registers: { readonly perThread: number; readonly source: 'estimated' | 'ptxas' }
  readonly occupancy: Occupancy
}

export interface LadderRow {
  readonly step: string
  readonly prediction: Prediction
  readonly measured: Timing | null
  /** Global memory, over all launches. */
  readonly sectorsPerRequest: number
  /** Passes of shared memory beyond the ideal, over the ideal: 0 is free of conflicts. */
  readonly sharedWavefrontExcess: number
  readonly occupancy: number
  readonly registers: number
  readonly threadInstructions: number
  /** The counts come from smaller sizes, scaled. */
  readonly scaled: boolean
}

export interface Optimized {
  readonly program: Program
  /** With emitted texts: WGSL, or CUDA when that is the only target. */
  readonly plan: Plan
  /** The same schedule as CUDA's compiler likes it, with emitted texts; null when CUDA is no target. */
  readonly cudaPlan: Plan | null
  readonly parts: readonly { readonly kind: string; readonly sketch: string; /** Loops of the source that one thread runs in order. */ readonly inOrder: readonly Loop[] }[]
  /** Loops of the source that the host runs. */
  readonly hosted: readonly Hosted[]
  readonly points: readonly Point[]
  readonly kernels: readonly OptimizedKernel[]
  readonly ladder: readonly LadderRow[]
  readonly verified: Verification
  /** Candidates that were better by prediction or measured and that were not taken because they failed. */
  readonly failed: readonly Failed[]
  readonly search: { readonly candidates: number; readonly predicted: number; readonly measured: number; readonly seconds: number }
  /** The chosen plan, all launches together; null when nothing was measured. */
  readonly measured: Timing | null
  /** What took part in measuring; null when nothing did. */
  readonly measuredOn: string | null
}

/** The planned sizes and scalars of a program. */
export const plannedValues = (program: Program): PlanValues => ({
  sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
  scalars: Object.fromEntries(program.scalars.map((s) => [s.name, s.planned ?? (isFloat(s.type) ? 1.5 : 2)])),
})

/** Optimizes `program`. Throws a `DiagnosticError` when no schedule of it can be proved. */
export async function optimize(program: Program, options: OptimizeOptions): Promise<Optimized> {
  const clock = performance.now()
  const analysed = options.analysed ?? analyse(program)
  const values = plannedValues(program)
  const context: Context = { analysed, values, options, known: new Known(), built: new WeakMap(), progress: options.progress ?? (() => {}) }
  const rungs = await ladderOf(context)
  const found = searchAll(context), candidates = withFewerLaunches(context, withEqualBlocks(context, withRungs(context, found.candidates, rungs)))
  const decided = options.measure ? await decide(context, candidates, options.measure) : { ordered: candidates, measured: 0, failed: [] }
  const { made, position, verified, failed } = prove(context, decided.ordered), points = decided.ordered[position]! // it is one of them
  const { built, joined } = made[0]!
  const emitted = made.map((m, i) => emitPlan(m.joined.plan, { targets: [targetsOf(options)[i]!], headerOf: (k) => headerOf(context, m, verified, k) }))
  const plan = emitted[0]!
  const cudaPlan = emitted[targetsOf(options).indexOf('cuda')] ?? null
  const estimate = estimatePlan(workOf(built), built.plan, values, options.gpu, undefined, undefined, undefined, context.known)
  const timing = options.measure ? await options.measure.time(emitFor(joinedFor(context, buildFor(context, points, options.measure.target)).plan, options.measure), values, freshArrays(built.plan.arrays, values, seedOf(options))) : null
  return {
    program, plan, cudaPlan, points, verified, ladder: rungs.map((r) => r.row),
    parts: analysed.parts.map((p) => {
      const known = p.nest.kind === 'nest' || p.nest.form?.kind === p.sketch.name
      return { kind: known ? p.sketch.name : 'other', sketch: p.sketch.name, inOrder: p.nest.kind === 'other' && !known ? loopsIn(p.nest.body, p.nest.parallel) : [] }
    }),
    hosted: hostedWith(analysed, points), failed: [...decided.failed, ...failed],
    kernels: kernelsOf(built, joined, estimate, timing),
    search: { candidates: analysed.parts.reduce((n, p) => n + p.sketch.space.length, 0), predicted: found.tried, measured: decided.measured, seconds: (performance.now() - clock) / 1000 },
    measured: timing,
    measuredOn: options.measure?.name ?? null,
  }
}

/** Loops that the host runs at these points: one whose sweeps have launches of their own is in no tiles. */
function hostedWith({ hosted, parts }: Analysed, points: readonly Point[]): readonly Hosted[] {
  const apart = parts.flatMap(({ nest }, i) => (points[i]?.['apart'] && nest.kind === 'other' && nest.form?.kind === 'time-tiles' ? [nest.form.loop] : []))
  return hosted.map((h) => (apart.includes(h.loop) ? { loop: h.loop, steps: h.steps } : h))
}

/** Loops in `body` but its `parallel` outer ones. */
function loopsIn(body: readonly LoopStmt[], parallel: number): readonly Loop[] {
  const out: Loop[] = []
  eachStmt(body, (s, around) => { if (s.kind === 'loop' && around.length >= parallel) out.push(s) })
  return out
}

interface Context {
  readonly analysed: Analysed
  /** Estimates of whole plans share launches. */
  readonly known: Known
  /** What was built before, by what of and which points for which target. */
  readonly built: WeakMap<Analysed, Map<string, Built>>
  readonly values: PlanValues
  readonly options: OptimizeOptions
  readonly progress: NonNullable<OptimizeOptions['progress']>
}

const seedOf = (o: OptimizeOptions): number => o.seed ?? 1
/** Targets to make, WGSL first: its plan is the one that is reported. */
const targetsOf = (o: OptimizeOptions): readonly ('wgsl' | 'cuda')[] => (['wgsl', 'cuda'] as const).filter((t) => o.targets.includes(t))

/** The plan of these points for one target, or of it only the variant that the planned sizes take, or those for sizes that vectors divide: CUDA shuffles across warps of 32 and keeps guards, which hold its loads in place. */
function buildFor(c: Context, points: readonly Point[], target: 'wgsl' | 'cuda', only?: 'vector' | 'planned'): Built {
  const known = c.built.get(c.analysed) ?? new Map<string, Built>(), key = keyOf([points, target, only ?? null])
  c.built.set(c.analysed, known)
  const built = known.get(key) ?? builtFor(c, points, target, only)
  known.delete(key)
  known.set(key, built)
  for (const old of known.keys()) { // the last ones stay
    if (known.size <= mostBuilt) break
    known.delete(old)
  }
  return built
}

/** Plans that are kept. */
const mostBuilt = 8

function builtFor(c: Context, points: readonly Point[], target: 'wgsl' | 'cuda', which?: 'vector' | 'planned'): Built {
  const only: BuildOptions = which === 'planned' ? { at: c.values } : which ? { only: which } : {}
  if (target === 'wgsl') return build(c.analysed, points, only)
  const own = points.map((p, i) => c.analysed.parts[i]?.sketch.forCuda?.(p) ?? p)
  return build(c.analysed, own, { warp: 32, exact: 'asked', ...only })
}
/** What each launch does, as loops. */
const workOf = (built: Built): readonly Program[] => built.kernels.map((k) => k.program)
const emitFor = (plan: Plan, m: Measurer): Plan => emitPlan(plan, { targets: [m.target] })

/** Launches that need nothing of each other, in one. */
const joinedFor = (c: Context, built: Built): Together => together(built.plan, c.values, c.options.gpu.multiprocessors)

function kernelsOf(built: Built, joined: Together, estimate: Estimate, timing: Timing | null): readonly OptimizedKernel[] {
  const beside = (name: string): readonly string[] => {
    const others = [...joined.members.values()].find((names) => names.includes(name))?.filter((n) => n !== name)
    return others ? [`in one launch with ${others.join(', ')}, as neither needs the other`] : []
  }
  return estimate.launches.map((l, i) => ({
    name: l.name, launches: l.times, grid: l.grid, block: l.block, steps: [...(built.kernels[i]?.steps ?? []), ...beside(l.name)], prediction: l.prediction,
    measured: estimate.launches.length === 1 ? timing : null, registers: l.registers, occupancy: l.occupancy,
  }))
}

// ── ladder ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A row of the ladder, its points, and what each part takes there (ns). */
interface RungOfAll {
  readonly row: LadderRow
  readonly points: readonly Point[]
  readonly times: readonly number[]
}

async function ladderOf(c: Context): Promise<readonly RungOfAll[]> {
  const longest = c.analysed.parts.reduce((a, b) => (b.sketch.ladder.length > a.sketch.ladder.length ? b : a))
  const rungs = longest.sketch.ladder.length
  const arrays: { data?: Arrays } = {}
  const rows: RungOfAll[] = []
  for (let i = 0; i < rungs; i++) {
    c.progress({ stage: 'ladder', done: i, total: rungs })
    const points = c.analysed.parts.map((p) => p.sketch.ladder[Math.min(i, p.sketch.ladder.length - 1)]!.point)
    const built = buildFor(c, points, targetsOf(c.options)[0]!, 'planned')
    const estimate = wholeEstimate(c, built)
    const measured = c.options.measure && estimate.prediction.ns <= longestMeasured ? await timeOrNull(c, points, c.options.measure, arrays) : null
    rows.push({ row: rowOf(longest.sketch.ladder[i]!.step, estimate, measured), points, times: timesOfParts(c, built, estimate) })
  }
  return rows
}

/** Of one launch of each kernel, unless the host repeats launches whose grids change. */
const wholeEstimate = (c: Context, built: Built): Estimate => estimatePlan(workOf(built), built.plan, c.values, c.options.gpu, undefined, undefined, c.analysed.hosted.length > 0 ? undefined : 1, c.known)

/** Nanoseconds of each part; those that were predicted from smaller sizes are only as good as that. */
const timesOfParts = (c: Context, built: Built, e: Estimate): readonly number[] =>
  c.analysed.parts.map((_, part) => e.launches.reduce((ns, l, i) => ns + (built.kernels[i]?.part === part ? l.times * l.prediction.ns : 0), 0))

/** A rung that is predicted to take less than this share of what the search found is taken instead: a search looks at few points, and at smaller sizes. */
const muchBetter = 0.8

/** The candidates, before them what `change` makes of the first one's points, if it makes something else of them. */
function withChanged(candidates: readonly (readonly Point[])[], change: (first: readonly Point[]) => readonly Point[]): readonly (readonly Point[])[] {
  const first = candidates[0]
  if (!first) return candidates
  try {
    const points = change(first)
    return points.every((p, i) => p === first[i]) ? candidates : [points, ...candidates]
  } catch (e) {
    if (e instanceof DiagnosticError) return candidates // the proof says why it does not do
    throw e
  }
}

/** The first candidate with rungs in place of parts that are much slower than these, before all. */
function withRungs(c: Context, candidates: readonly (readonly Point[])[], rungs: readonly RungOfAll[]): readonly (readonly Point[])[] {
  const alike = rungs.filter((r) => !r.row.scaled)
  return withChanged(candidates, (first) => {
    const built = buildFor(c, first, targetsOf(c.options)[0]!, 'planned'), own = timesOfParts(c, built, wholeEstimate(c, built))
    return first.map((point, i) => { // a time and a point per part
      const best = alike.reduce<RungOfAll | undefined>((a, b) => (a && a.times[i]! <= b.times[i]! ? a : b), undefined)
      return best && best.times[i]! < muchBetter * own[i]! ? best.points[i]! : point
    })
  })
}

/** Rungs predicted to take longer than this (ns) are not measured: a dozen runs of them would take too long. */
const longestMeasured = 5e8

async function timeOrNull(c: Context, points: readonly Point[], measure: Measurer, cache: { data?: Arrays }): Promise<Timing | null> {
  const { plan } = buildFor(c, points, measure.target)
  cache.data ??= freshArrays(plan.arrays, c.values, seedOf(c.options))
  try { return await measure.time(emitFor(plan, measure), c.values, cache.data) } catch (e) {
    if (e instanceof DiagnosticError) return null
    throw e
  }
}

function rowOf(step: string, e: Estimate, measured: Timing | null): LadderRow {
  const sites = e.launches.flatMap((l) => l.counters.sites)
  const sum = (space: string, key: 'sectors' | 'requests' | 'wavefronts' | 'idealWavefronts'): number => sites.filter((s) => s.space === space).reduce((n, s) => n + s[key], 0)
  const main = e.launches.reduce((a, b) => (b.prediction.ns > a.prediction.ns ? b : a))
  const ideal = sum('shared', 'idealWavefronts')
  return {
    step, prediction: e.prediction, measured,
    sectorsPerRequest: sum('global', 'sectors') / Math.max(1, sum('global', 'requests')),
    sharedWavefrontExcess: ideal === 0 ? 0 : sum('shared', 'wavefronts') / ideal - 1,
    occupancy: main.occupancy.occupancy, registers: main.registers.perThread,
    threadInstructions: e.launches.reduce((n, l) => n + l.times * l.counters.instructions.thread, 0),
    scaled: e.launches.some((l) => l.scaled),
  }
}

// ── search ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Steps for all candidates of a part while searching, and for one at least: dozens are ranked by smaller sizes, a few by (nearly) the planned ones. */
const searchSteps = 6e7, leastSteps = 1.5e6

/** Searches part by part, the others at the top of their ladders. Candidates come best first. */
function searchAll(c: Context): { candidates: readonly (readonly Point[])[]; tried: number } {
  const current = c.analysed.parts.map((p) => p.sketch.ladder[p.sketch.ladder.length - 1]!.point)
  const lists: (readonly Point[])[] = []
  let tried = 0
  for (const [i, part] of c.analysed.parts.entries()) {
    const alone = onlyPart(c.analysed, i)
    const hint = { shrink: 1 }, budget = c.options.budget ?? 24
    const likely = part.sketch.likely?.(c.values, c.options.gpu.multiprocessors) ?? []
    const score = scoreOf({ ...c, analysed: alone }, Math.max(leastSteps, searchSteps / budget), hint)
    const result = search(part.sketch, score, budget, random(seedOf(c.options) + i), (done) => c.progress({ stage: `search ${i + 1}/${c.analysed.parts.length}`, done, total: Math.min(budget, part.sketch.space.length + 2) }), likely)
    tried += result.tried
    const ordered = preferKnown(part.sketch, result.best, likely[0])
    lists.push(ordered)
    current[i] = ordered[0] ?? current[i]!
  }
  const depth = Math.max(...lists.map((l) => l.length))
  const candidates = Array.from({ length: depth }, (_, n) => lists.map((l, i) => l[Math.min(n, l.length - 1)] ?? current[i]!))
  const naive = c.analysed.parts.map((p) => p.sketch.ladder[0]!.point) // no schedule may be better than this one, but one must be right
  return { candidates: [...(candidates.length > 0 ? candidates : [current]), naive], tried }
}

/** Predicted nanoseconds of a point of the only part of `c`. */
const scoreOf = (c: Context, steps: number, hint: { shrink: number }) => (point: Point): number => {
  const built = buildFor(c, [point], targetsOf(c.options)[0]!, 'vector')
  const { launches, prediction } = estimatePlan(workOf(built), built.plan, c.values, c.options.gpu, steps, hint, 1, c.known)
  return launches.some((l) => l.occupancy.occupancy === 0) ? Infinity : prediction.ns // a block of it does not fit
}

/** A part may be predicted to take so much longer when it can share a launch: a launch costs about two microseconds. */
const longerTogether = 1.1

/** The first candidate with as many threads in a block wherever launches could share one else, before all. */
function withEqualBlocks(c: Context, candidates: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  const { parts } = c.analysed
  return parts.length === 1 ? candidates : withChanged(candidates, (first) => {
    let points = first
    for (let tries = 0; tries < parts.length; tries++) {
      const next = withOneMore(c, points)
      if (!next) break
      points = next
    }
    return points
  })
}

/** The first candidate with one launch for parts of several of which none shares a launch with other parts, before all. */
function withFewerLaunches(c: Context, candidates: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  return withChanged(candidates, (first) => {
    const built = buildFor(c, first, targetsOf(c.options)[0]!), shared = new Set([...joinedFor(c, built).members.values()].flat()) // there is a target
    return first.map((point, i) => {
      const own = built.kernels.filter((k) => k.part === i)
      return (own.length > 1 && !own.some((k) => shared.has(k.name)) ? c.analysed.parts[i]?.sketch.alone?.(c.values, c.options.gpu.multiprocessors) : undefined) ?? point
    })
  })
}

/** The points with one of them changed so that two launches have blocks of one size. */
function withOneMore(c: Context, points: readonly Point[]): readonly Point[] | undefined {
  const built = buildFor(c, points, targetsOf(c.options)[0]!), { launches } = built.plan.variants.at(-1)!
  for (const [a, b] of nearlyTogether(built.plan, c.values, c.options.gpu.multiprocessors)) {
    for (const [own, other] of [[a, b], [b, a]] as const) {
      const { part, name } = built.kernels[own]! // positions of launches are those of kernels
      const next = part === built.kernels[other]!.part ? undefined : withThreads(c, part, points[part]!, name, launches[other]!.kernel.block[0])
      if (next) return points.map((p, i) => (i === part ? next : p))
    }
  }
  return undefined
}

/** The fastest point of a part like `point` whose kernel has blocks of `threads`, unless all are much slower. */
function withThreads(c: Context, part: number, point: Point, name: string, threads: number): Point | undefined {
  const { space } = c.analysed.parts[part]!.sketch, alone = { ...c, analysed: onlyPart(c.analysed, part) }
  const alike = space.filter((p) => p !== point && Object.keys({ ...p, ...point }).every((k) => k === 'threads' || k === 'rows' || p[k] === point[k]))
  const fitting = alike.filter((p) => buildFor(alone, [p], targetsOf(c.options)[0]!, 'vector').plan.variants.at(-1)!.launches.some(({ kernel }) => (kernel.name === name || kernel.name === c.analysed.source.name) && kernel.block[0] === threads && kernel.block[1] === 1))
  const score = scoreOf(alone, leastSteps, { shrink: 1 }), most = fitting.length > 0 ? longerTogether * score(point) : 0
  const best = fitting.map((p) => ({ p, ns: score(p) })).reduce<{ p: Point; ns: number } | undefined>((a, b) => (a && a.ns <= b.ns ? a : b), undefined)
  return best && best.ns <= most ? best.p : undefined
}

/** Predictions closer than this are no reason to leave the top of the ladder, which was measured, or what is likeliest by what was measured at many sizes. */
const indifference = 1.03, likelyIndifference = 1.15

function preferKnown(sketch: Sketch, best: readonly Scored[], likely: Point | undefined): readonly Point[] {
  const points = best.map((s) => s.point)
  const known = likely ? best.find((s) => s.point === likely) : best.find((s) => s.point === sketch.ladder[sketch.ladder.length - 1]?.point)
  return known && best[0] && known.ns <= (likely ? likelyIndifference : indifference) * best[0].ns ? [known.point, ...points.filter((p) => p !== known.point)] : points
}

/** Measures the best candidates and orders them by time; wrong ones fall out. */
async function decide(c: Context, candidates: readonly (readonly Point[])[], measure: Measurer): Promise<{ ordered: readonly (readonly Point[])[]; measured: number; failed: readonly Failed[] }> {
  const some = candidates.slice(0, c.options.measured ?? 40)
  const timed: { points: readonly Point[]; ns: number }[] = []
  const inputs: Inputs = {}, failed: Failed[] = []
  for (const [i, points] of some.entries()) {
    c.progress({ stage: `measure on ${measure.name}`, done: i, total: some.length })
    const ns = await measureOne(c, points, measure, inputs)
    if (typeof ns === 'number') timed.push({ points, ns })
    else failed.push({ ...ns, schedule: pointsWords(c, points) })
  }
  timed.sort((a, b) => a.ns - b.ns)
  return { ordered: timed.length > 0 ? timed.map((t) => t.points) : candidates, measured: timed.length, failed }
}

/** What all candidates run on, made when the first one needs it: arrays, and elements of the result as they must be. */
interface Inputs { data?: Arrays; samples?: readonly Sample[] }

async function measureOne(c: Context, points: readonly Point[], measure: Measurer, inputs: Inputs): Promise<number | Pick<Failed, 'how' | 'why'>> {
  try {
    const plan = emitFor(buildFor(c, points, measure.target).plan, measure)
    inputs.data ??= freshArrays(plan.arrays, c.values, seedOf(c.options))
    const results = await measure.run(plan, c.values, inputs.data)
    inputs.samples ??= sampledReference(c.analysed.source, c.values, inputs.data, 16, random(seedOf(c.options)))
    const wrong = inputs.samples.find((s) => !(Math.abs(Number(results[s.array]?.[s.index]) - s.value) <= 1e-3 * s.scale))
    return wrong ? { how: 'device', why: `${wrong.array}[${wrong.index}] is ${Number(results[wrong.array]?.[wrong.index])} on ${measure.name}, not ${wrong.value}` } : (await measure.time(plan, c.values, inputs.data)).ns
  } catch (e) {
    if (e instanceof DiagnosticError) return { how: 'unbuilt', why: sentenceOf(e) }
    throw e
  }
}

// ── proof ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What was built for a target, and the plan that is handed over. */
interface Proved { readonly built: Built; readonly joined: Together }

/** Loops of the deepest nest: a sum that each of its places looks for has more of them than the source. */
const loopsOf = (c: Context): number => Math.max(0, ...c.analysed.parts.map(({ nest: n }) => (n.kind === 'nest' ? n.parallel.length + (n.reduction?.loops.length ?? 0) : 0)))

function prove(c: Context, candidates: readonly (readonly Point[])[]): Proof<Proved> {
  return firstProved(c.analysed.source.name, candidates, {
    make: (points) => targetsOf(c.options).map((t): Proved => { const built = buildFor(c, points, t); return { built, joined: joinedFor(c, built) } }),
    verify: (made) => verifyPlans(c.analysed.source, made.map(({ joined: { plan } }) => ({ plan, sizes: verificationSizes(c.analysed.source, plan, loopsOf(c)) })), c.options.gpu, seedOf(c.options)),
    words: (points) => pointsWords(c, points),
    progress: (done, total) => c.progress({ stage: 'verify', done, total }),
  })
}

// ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function headerOf(c: Context, { built, joined }: Proved, verified: Verification, kernel: Kernel): readonly string[] {
  const names = joined.members.get(kernel.name)
  const shared = sharedBytesOf(kernel)
  return [
    ...(names ? [`${kernel.name}: ${names.join(', ')}, which need nothing of each other, side by side`, ''] : []),
    ...(names ?? [kernel.name]).flatMap((name) => {
      const made = built.kernels.find((k) => k.name === name)
      return [`${name}: ${partWords(made ? c.analysed.parts[made.part]?.nest : undefined)}. How it was made:`, ...(made?.steps ?? []).map((s, i) => `  ${i + 1}. ${s}`), '']
    }),
    `${kernel.block[0]} threads per block${shared > 0 ? `, ${shared} bytes of workgroup memory` : ''}.`,
    '',
    `Verified against a float64 reference at ${verified.sizes.map(sizeText).join('; ')}:`,
    `largest relative error ${verified.maxRelativeError.toExponential(1)}, ${verified.bound.toExponential(1)} allowed.`,
    'Made by Tesela.',
  ]
}

/** The choices of a candidate, part by part. */
const pointsWords = (c: Context, points: readonly Point[]): string => points.map((p, i) => [c.analysed.parts[i]?.sketch.name, ...Object.entries(p).map(([k, v]) => `${k} ${v}`)].join(' ')).join('; ')

const sizeText = (s: Readonly<Record<string, number>>): string => Object.entries(s).map(([k, v]) => `${k} = ${v}`).join(', ') || 'its own size'
