// In: an analysed program and how it shall be optimized. Out: the plan of any points of its sketches, for any target.
// The one idea: the stages of `optimize` ask for the same plans again and again, so that the last ones are kept.
import { Effort, fail, keyOf, setLast } from '../base/index.ts'
import { emitPlan } from '../emit/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import { isFloat, meets, type Chip, type PassTrace, type Plan, type PlanValues, type Program } from '../ir/index.ts'
import { analyse, build, type Analysed, type BuildOptions, type Built } from '../pipeline.ts'
import type { Point, Sketch } from '../schedule/index.ts'
import { estimatePlan, refusalIn, KnownLaunches } from './estimate.ts'
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
  /** Measures the ladder and the best candidates. */
  readonly measure?: Measurer | null
  /** Scores the points of parts elsewhere, several at once; `effort` counts only what is computed here then. */
  readonly score?: Scorer
  /** Scores that are known already; what is found here is told to it. Answers are the same with and without. */
  readonly scores?: ScoreCache
  /** Candidates that are measured; 40 when absent. */
  readonly measured?: number
  /** Hears what became of each candidate that was measured. */
  readonly measuredOne?: (points: readonly Point[], outcome: MeasuredOne) => void
  /** Proves the result at the planned sizes, too, where the reference runs them in about a second. */
  readonly provePlanned?: boolean
  /** Reads WGSL: emitted texts are read back, run and compared, too (`parseWgsl`). */
  readonly readWgsl?: TextReader
  /** Runs the emitted CUDA of a plan, which is then compared, too (`ptxRunner`). */
  readonly readCuda?: (plan: Plan, gpu: GpuProfile) => TextRunner
  readonly progress?: (p: { readonly stage: string; readonly done: number; readonly total: number }) => void
  /** Hears of each rung of the ladder when it is found. */
  readonly rung?: (rung: FoundRung) => void
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace
  /** Launches that were estimated before, for other texts, too. Answers are the same with and without. */
  readonly known?: KnownLaunches
  /** Outer loops of a part in no canonical form that may run in parallel; see `analyse`. */
  readonly analysed?: Analysed
  /** The point of each part: nothing is searched, and the plan of these is proved or refused. */
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

/** Predicted nanoseconds, null of what cannot run, and the factor by which sizes were smaller. */
export interface EstimateAnswer {
  readonly ns: number | null
  readonly shrink: number
}

/** One answer for each point that was asked. It must be a function of what is asked. */
export type Scorer = (asked: Asked) => Promise<readonly EstimateAnswer[]>

/** The time of a candidate, or why it has none. */
export type MeasuredOne = Timing | Pick<Failed, 'how' | 'why'>

/** Answers kept by what was asked, one point at a time. */
export interface ScoreCache {
  get(asked: Asked): EstimateAnswer | undefined
  set(asked: Asked, answer: EstimateAnswer): void
}

/** What one run of `optimize` knows, and keeps of what it has built. */
export interface Context {
  readonly analysed: Analysed
  /** Estimates of whole plans share launches. */
  readonly known: KnownLaunches
  /** What was built before, by what of and which points for which target. */
  readonly built: WeakMap<Analysed, Map<string, Built>>
  readonly values: PlanValues
  readonly effort: Effort
  readonly options: OptimizeOptions
  readonly progress: NonNullable<OptimizeOptions['progress']>
}

export const seedOf = (o: OptimizeOptions): number => o.seed ?? 1
/** Targets to make, WGSL first: its plan is the one that is reported. */
export const targetsOf = (o: OptimizeOptions): readonly ('wgsl' | 'cuda')[] =>
  (['wgsl', 'cuda'] as const).filter((t) => o.targets.includes(t))

/**
 * The plan of these points for one target, or of it only the variant that the planned sizes take, or those for sizes
 * that vectors divide: CUDA shuffles across warps of 32 and keeps guards, which hold its loads in place. Throws a
 * `DiagnosticError` where the target lacks what the points want.
 */
export function buildFor(
  c: Context,
  points: readonly Point[],
  target: 'wgsl' | 'cuda',
  only?: 'vector' | 'planned',
): Built {
  const known = c.built.get(c.analysed) ?? new Map<string, Built>(),
    key = keyOf([points, target, only ?? null])
  c.built.set(c.analysed, known)
  const built = known.get(key) ?? builtFor(c, points, target, only)
  setLast(known, key, built, mostBuilt)
  return built
}

/** Plans that are kept. */
const mostBuilt = 8

/** The same, made anew; `trace` is told how the kernels come about. */
export function builtFor(
  c: Context,
  points: readonly Point[],
  target: 'wgsl' | 'cuda',
  which?: 'vector' | 'planned',
  trace?: PassTrace,
): Built {
  const part: BuildOptions = which === 'planned' ? { at: c.values } : which ? { only: which } : {}
  const only: BuildOptions = { ...part, trace }
  if (target === 'wgsl') {
    const built = build(c.analysed, points, only)
    return built.plan.variants.some(meets)
      ? fail('tune.blocks', `blocks of ${c.analysed.source.name} would meet, which workgroups of WebGPU cannot`)
      : built
  }
  const own = points.map((p, i) => {
    const sketch = c.analysed.parts[i]?.sketch
    return sketch ? pointForCuda(c, sketch, p) : p
  })
  return build(c.analysed, own, { warp: 32, exact: 'asked', ...only })
}

/** What passes and sketches ask of a GPU. */
export const chipOf = ({ multiprocessors, occupancy, memory, warpSize }: GpuProfile): Chip => ({
  multiprocessors,
  threads: occupancy.maxWarps * warpSize,
  shared: occupancy.shared,
  sharedPerBlock: occupancy.sharedPerBlock,
  l2Bytes: memory.l2Bytes.value,
})

/** The point as CUDA gets it. */
export const pointForCuda = ({ options: { gpu } }: Context, { forCuda }: Sketch, point: Point): Point =>
  forCuda?.(point, chipOf(gpu)) ?? point

/** What each launch does, as loops. */
export const workOf = (built: Built): readonly Program[] => built.kernels.map((k) => k.program)
export const emitFor = (plan: Plan, m: Pick<Measurer, 'target'>): Plan => emitPlan(plan, { targets: [m.target] })

/** Launches that need nothing of each other, in one. */
export const joinedFor = (c: Context, built: Built): FusedLaunches =>
  fusedLaunches(built.plan, c.values, c.options.gpu.multiprocessors)

/**
 * Steps of the simulator for one candidate at least; dozens are ranked by smaller sizes, a few by (nearly) the planned
 * ones.
 */
export const leastSteps = 1.5e6

/** Predicted nanoseconds of a point of the only part of `c`; infinitely many where no block of it fits. */
export const scoreOf =
  (c: Context, steps: number, hint: { shrink: number }) =>
  (point: Point): number => {
    const built = buildFor(c, [point], targetsOf(c.options)[0]!, 'planned')
    if (refusalIn(built.plan, c.values, c.options.gpu) !== null) return Infinity
    const { prediction } = estimatePlan(
      workOf(built),
      built.plan,
      c.values,
      c.options.gpu,
      steps,
      hint,
      1,
      c.known,
      'guessed',
    )
    return prediction.ns
  }

/** The choices of a candidate, part by part. */
export const pointsWords = (c: Context, points: readonly Point[]): string =>
  points
    .map((p, i) => [c.analysed.parts[i]?.sketch.name, ...Object.entries(p).map(([k, v]) => `${k} ${v}`)].join(' '))
    .join('; ')

/** The planned sizes and scalars of a program. */
export const plannedValues = (program: Program): PlanValues => ({
  sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
  scalars: Object.fromEntries(program.scalars.map((s) => [s.name, s.planned ?? (isFloat(s.type) ? 1.5 : 2)])),
})

/** What one run begins with. */
export const contextOf = (program: Program, options: OptimizeOptions): Context => ({
  analysed: options.analysed ?? analyse(program, { trace: options.trace, chip: chipOf(options.gpu) }),
  values: plannedValues(program),
  options,
  known: options.known ?? new KnownLaunches(),
  built: new WeakMap(),
  effort: new Effort(options.effort),
  progress: options.progress ?? (() => {}),
})
