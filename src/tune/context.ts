// In: an analysed program and the options of `optimize`. Out: the plan of any choice of points, for any target. The one
// idea: the stages of `optimize` ask for the same plans repeatedly, so the latest ones are cached.
import { applied, Effort, inapplicable, isInapplicable, keyOf, setLast, type Inapplicable } from '../base/index.ts'
import { emitPlan } from '../emit/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import { isFloat, meets, type Chip, type PassTrace, type Plan, type PlanValues, type Program } from '../ir/index.ts'
import { analyse, tryBuild, type Analysed, type BuildOptions, type Built } from '../pipeline.ts'
import type { Point, Sketch } from '../schedule/index.ts'
import { estimatePlan, refusalIn, KnownLaunches, type Estimate } from './estimate.ts'
import type { Measurer } from './measuring/measure.ts'
import type { Failed } from './proof/prove.ts'
import type { Timing } from '../run/index.ts'
import type { TextReader, TextRunner } from './proof/translation-validation.ts'
import { fusedLaunches, type FusedLaunches } from './launch-fusion.ts'
import type { FoundRung } from './rungs.ts'

export interface OptimizeOptions {
  readonly gpu: GpuProfile
  readonly targets: readonly ('wgsl' | 'cuda')[]
  /** Candidates that the model looks at per nest; 24 when absent. */
  readonly budget?: number
  /**
   * Processor seconds: when they are gone no more candidates are looked at, and steps of the ladder are counted at
   * smaller sizes from a third of them on. No limit, and the same result on every machine, when absent.
   */
  readonly effort?: number
  readonly seed?: number
  /** Measures the ladder and the best candidates: the device of this machine, or who has one. */
  readonly measure?: Measurer | CandidateMeasurer | null
  /** Scores batches of points elsewhere, for instance on workers; `effort` then counts only what is computed here. */
  readonly score?: Scorer
  /** A cache of scores, which is read and extended. The result is the same with and without it. */
  readonly scores?: ScoreCache
  /** Candidates that are measured; 40 when absent. */
  readonly measured?: number
  /** Called with the outcome of each candidate that was measured. */
  readonly measuredOne?: (points: readonly Point[], outcome: MeasuredOne) => void
  /** Proves the result at the planned sizes as well, provided that the reference runs them in about a second. */
  readonly provePlanned?: boolean
  /**
   * Other shapes of the data, long and flat ones: `made`: they get schedules of their own where the plan is slow there,
   * in three to four times the time; `told`: the result says where it is slow.
   */
  readonly shapes?: 'made' | 'told'
  /** A reader of WGSL (`parseWgsl`): emitted texts are then read back, run and compared with the source. */
  readonly readWgsl?: TextReader
  /** Runs the emitted CUDA of a plan (`ptxRunner`), whose results are then compared with the source. */
  readonly readCuda?: (plan: Plan, gpu: GpuProfile) => TextRunner
  readonly progress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void
  /** Called with each rung of the ladder as soon as it is built. */
  readonly rung?: (rung: FoundRung) => void
  /** Records what each pass does. */
  readonly trace?: PassTrace
  /** A cache of estimates of launches, also of other programs. The result is the same with and without it. */
  readonly known?: KnownLaunches
  /** Outer loops of a part in no canonical form that may run in parallel; see `analyse`. */
  readonly analysed?: Analysed
  /** A point for each part. Nothing is searched; the plan of these points is proved, or refused. */
  readonly points?: readonly Point[]
}

/** Some points of one part of a program. */
export interface Asked {
  /** Position in the program's parts. */
  readonly part: number
  readonly points: readonly Point[]
  /** Steps of the simulator for each. */
  readonly steps: number
  /** Each is counted at sizes smaller by this factor, or by more where that is still too much. */
  readonly shrink: number
}

/** The predicted time in ns, null where the point cannot run, and the factor by which the sizes were reduced. */
export interface EstimateAnswer {
  readonly ns: number | null
  readonly shrink: number
}

/** Answers one question per point. The answers must depend on the question alone. */
export type Scorer = (asked: Asked) => Promise<readonly EstimateAnswer[]>

/** The time of a candidate, or why it has none. */
export type MeasuredOne = Timing | Pick<Failed, 'how' | 'why'>

/** Times candidates of the program that is optimized, on a device that this process may not have. */
export interface CandidateMeasurer {
  /** The device, as it names itself: all candidates are measured on one. Null until the first is. */
  readonly name: string | null
  readonly target: 'wgsl' | 'cuda'
  /** The outcome of each candidate, in their order; each has a point for each part. `ended`: how many are done. */
  times(candidates: readonly (readonly Point[])[], ended?: (done: number) => void): Promise<readonly MeasuredOne[]>
}

/** Answers kept by what was asked, one point at a time. */
export interface ScoreCache {
  get(asked: Asked): EstimateAnswer | undefined
  set(asked: Asked, answer: EstimateAnswer): void
}

/** The state of one run of `optimize`, with its caches. */
export interface Context {
  readonly analysed: Analysed
  /** Estimates of whole plans share launches. */
  readonly known: KnownLaunches
  /** Plans built so far: by analysed program, then by points and target. */
  readonly built: WeakMap<Analysed, Map<string, Built>>
  readonly values: PlanValues
  readonly effort: Effort
  readonly options: OptimizeOptions
  readonly progress: NonNullable<OptimizeOptions['progress']>
}

export const seedOf = (o: OptimizeOptions): number => o.seed ?? 1
/** The targets of the options. WGSL comes first, because its plan is the one that is reported. */
export const targetsOf = (o: OptimizeOptions): readonly ('wgsl' | 'cuda')[] =>
  (['wgsl', 'cuda'] as const).filter((t) => o.targets.includes(t))

/**
 * The plan of these points for one target; with `only`, just the variant for the planned sizes, or those for sizes that
 * vectors divide. CUDA kernels shuffle across warps of 32, and keep guards, because these stop `ptxas` from moving
 * loads. Throws a `DiagnosticError` where the points need what the target does not have.
 */
export const buildFor = (...asked: Parameters<typeof tryBuildFor>): Built => applied(tryBuildFor(...asked))

/** The same, or what the points need that the target does not have. */
export function tryBuildFor(
  c: Context,
  points: readonly Point[],
  target: 'wgsl' | 'cuda',
  only?: 'vector' | 'planned',
): Built | Inapplicable {
  const known = c.built.get(c.analysed) ?? new Map<string, Built>(),
    key = keyOf([points, target, only ?? null])
  c.built.set(c.analysed, known)
  const built = known.get(key) ?? tryBuiltFor(c, points, target, only)
  if (!isInapplicable(built)) setLast(known, key, built, mostBuilt)
  return built
}

/** Plans in the cache. */
const mostBuilt = 8

/** The plan without the cache; `trace` records how the kernels are made. */
export const builtFor = (...asked: Parameters<typeof tryBuiltFor>): Built => applied(tryBuiltFor(...asked))

function tryBuiltFor(
  c: Context,
  points: readonly Point[],
  target: 'wgsl' | 'cuda',
  which?: 'vector' | 'planned',
  trace?: PassTrace,
): Built | Inapplicable {
  const part: BuildOptions = which === 'planned' ? { at: c.values } : which ? { only: which } : {}
  const only: BuildOptions = { ...part, trace }
  if (target === 'wgsl') {
    const built = tryBuild(c.analysed, points, only)
    return !isInapplicable(built) && built.plan.variants.some(meets)
      ? inapplicable('tune.blocks', `blocks of ${c.analysed.source.name} would meet, which workgroups of WebGPU cannot`)
      : built
  }
  const own = points.map((p, i) => {
    const sketch = c.analysed.parts[i]?.sketch
    return sketch ? pointForCuda(c, sketch, p) : p
  })
  return tryBuild(c.analysed, own, { warp: 32, exact: 'asked', ...only })
}

/** What passes and sketches ask of a GPU. */
export const chipOf = ({ multiprocessors, occupancy, memory, warpSize }: GpuProfile): Chip => ({
  multiprocessors,
  threads: occupancy.maxWarps * warpSize,
  shared: occupancy.shared,
  sharedPerBlock: occupancy.sharedPerBlock,
  l2Bytes: memory.l2Bytes.value,
})

/** The point that is built for CUDA in place of `point`. */
export const pointForCuda = ({ options: { gpu } }: Context, { forCuda }: Sketch, point: Point): Point =>
  forCuda?.(point, chipOf(gpu)) ?? point

/** The scheduled program of each launch. */
export const workOf = (built: Built): readonly Program[] => built.kernels.map((k) => k.program)
export const emitFor = (plan: Plan, m: Pick<Measurer, 'target'>): Plan => emitPlan(plan, { targets: [m.target] })

/** The plan with small independent launches merged. */
export const joinedFor = (c: Context, built: Built): FusedLaunches =>
  fusedLaunches(built.plan, c.values, c.options.gpu.multiprocessors)

/**
 * The least number of simulator steps per candidate: dozens of candidates are ranked at reduced sizes, and a few at or
 * near the planned sizes.
 */
export const leastSteps = 1.5e6

/**
 * The time in ns that `estimate` predicts of a point of the only part of `c`; Infinity where its blocks do not fit the
 * GPU.
 */
export const scoredBy =
  (c: Context, estimate: (built: Built) => Estimate) =>
  (point: Point): number => {
    const built = buildFor(c, [point], targetsOf(c.options)[0]!, 'planned') // a target at least
    return refusalIn(built.plan, c.values, c.options.gpu) === null ? estimate(built).prediction.ns : Infinity
  }

/** The same at sizes that so many steps of the simulator reach. */
export const scoreOf = (c: Context, steps: number, hint: { shrink: number }): ((point: Point) => number) =>
  scoredBy(c, (built) =>
    estimatePlan(workOf(built), built.plan, c.values, c.options.gpu, {
      steps,
      hint,
      samples: 1,
      known: c.known,
      counting: 'guessed',
    }),
  )

/** A candidate in words: the sketch and the parameters of each part. */
export const pointsWords = (c: Context, points: readonly Point[]): string =>
  points
    .map((p, i) => [c.analysed.parts[i]?.sketch.name, ...Object.entries(p).map(([k, v]) => `${k} ${v}`)].join(' '))
    .join('; ')

/** The planned sizes and scalars of a program. */
export const plannedValues = (program: Program): PlanValues => ({
  sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
  scalars: Object.fromEntries(program.scalars.map((s) => [s.name, s.planned ?? (isFloat(s.type) ? 1.5 : 2)])),
})

/** The initial state of a run. */
export const contextOf = (program: Program, options: OptimizeOptions): Context => ({
  analysed: options.analysed ?? analyse(program, { trace: options.trace, chip: chipOf(options.gpu) }),
  values: plannedValues(program),
  options,
  known: options.known ?? new KnownLaunches(),
  built: new WeakMap(),
  effort: new Effort(options.effort),
  progress: options.progress ?? (() => {}),
})
