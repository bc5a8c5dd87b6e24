// In: an analysed program. Out: one row per rung of its ladder, with predicted time and, where there is a device,
// measured time. The one idea: all parts climb together, and parts with shorter ladders stay at their last rung.
import { applied, attempted, isInapplicable } from '../base/index.ts'
import { eachStmt, type Program } from '../ir/index.ts'
import type { Built } from '../pipeline.ts'
import type { Timing } from '../run/index.ts'
import type { Point, Sketch } from '../schedule/index.ts'
import { leastSteps, targetsOf, tryBuildFor, workOf, type CandidateMeasurer, type Context } from './context.ts'
import { estimatePlan, refusalIn, type Estimate } from './estimate.ts'
import { placesOf, rungKernels, rungLines, type LadderRow } from './rungs.ts'

/** A row of the ladder with the points of its parts and the predicted time of each part in ns. */
export interface RungOfAll {
  readonly row: LadderRow
  readonly points: readonly Point[]
  readonly times: readonly number[]
}

/** A rung that is built. */
interface Rung {
  readonly position: number
  readonly step: string
  readonly points: readonly Point[]
  readonly built: Built
  readonly refused: string | null
  readonly estimate: Estimate
}

interface LadderOptions {
  /** Only this rung; the last one if the ladder is shorter. */
  readonly only?: number
  /** Who measures the rungs, when all of them are built. */
  readonly measure?: CandidateMeasurer | null
}

/** The whole ladder, or one rung. */
export async function ladderOf(
  c: Context,
  { only, measure = null }: LadderOptions = {},
): Promise<readonly RungOfAll[]> {
  const rows: RungOfAll[] = [],
    places = placesOf(c.analysed.source)
  const add = ({ position, step, points, built, refused, estimate }: Rung, measured: Timing | null): void => {
    const row = rowOf(step, estimate, measured, refused)
    c.options.rung?.({
      position,
      count: longestLadder(c).length,
      row,
      lines: rungLines(built.plan, c.values, estimate, fileOf(c.analysed.source), places),
      kernels: () => (targetsOf(c.options)[0] === 'wgsl' ? rungKernels(built.plan, c.values, estimate, places) : []),
    })
    rows.push({ row, points, times: timesOfParts(c, built, estimate) })
  }
  const rungs = builtRungs(c, only)
  if (measure) {
    const all = [...rungs],
      timings = await timingsOf(all, measure)
    for (const rung of all) add(rung, timings.get(rung) ?? null)
  } else for (const rung of rungs) add(rung, null)
  return rows
}

const longestLadder = (c: Context): Sketch['ladder'] =>
  c.analysed.parts.map((p) => p.sketch.ladder).reduce((a, b) => (b.length > a.length ? b : a))

/** Each rung as soon as it is built, but those that cannot be, or that the GPU cannot start, where there are others. */
function* builtRungs(c: Context, only?: number): Generator<Rung> {
  const ladder = longestLadder(c),
    count = ladder.length
  const positions = only === undefined ? ladder.keys() : [Math.min(only, count - 1)]
  let found = 0
  for (const i of positions) {
    c.progress({ stage: 'ladder', done: i, total: count })
    const points = startingPoints(
      c,
      c.analysed.parts.map((p) => p.sketch.ladder[Math.min(i, p.sketch.ladder.length - 1)]!.point),
    )
    const isOneOfSeveral = only === undefined && (i < count - 1 || found > 0), // others can be built
      made = tryBuildFor(c, points, targetsOf(c.options)[0]!, 'planned') // a target at least
    if (isInapplicable(made) && isOneOfSeveral) continue
    const built = applied(made)
    const refused = refusalIn(built.plan, c.values, c.options.gpu)
    if (refused !== null && isOneOfSeveral) continue
    const isRough = refused !== null || c.effort.isGone(shareOfLadder)
    found++
    yield {
      position: i,
      step: ladder[i]!.step, // one of its positions
      points,
      built,
      refused,
      estimate: isRough ? roughEstimate(c, built) : wholeEstimate(c, built),
    }
  }
}

/** The file that the program was read from; empty where it was not. */
function fileOf(program: Program): string {
  let file = ''
  eachStmt(program.body, (s) => {
    file ||= s.at?.file ?? ''
  })
  return file
}

/** The estimate of a plan. Each kernel is simulated once, unless host loops launch it with different grids. */
export const wholeEstimate = (c: Context, built: Built): Estimate =>
  estimatePlan(workOf(built), built.plan, c.values, c.options.gpu, {
    known: c.known,
    samples: c.analysed.hosted.length > 0 ? 3 : 1,
  })

/** The share of the time limit within which rungs are estimated as precisely as the chosen plan. */
const shareOfLadder = 1 / 3

/** A rough estimate, for rungs that the GPU cannot start and for when the time is used up. */
const roughEstimate = (c: Context, built: Built): Estimate =>
  estimatePlan(workOf(built), built.plan, c.values, c.options.gpu, {
    steps: leastSteps,
    samples: 1,
    known: c.known,
    counting: 'guessed',
  })

/** The predicted time of each part in ns, possibly extrapolated from reduced sizes. */
export const timesOfParts = (c: Context, built: Built, e: Estimate): readonly number[] =>
  c.analysed.parts.map((_, part) =>
    e.launches.reduce((ns, l, i) => ns + (built.kernels[i]?.part === part ? l.prediction.ns : 0), 0),
  )

/** Rungs whose predicted time in ns exceeds this are not measured, because measuring takes a dozen runs. */
const longestMeasured = 5e8

/** What the device says of those that it can start and that are not too long; all are compared on one device. */
async function timingsOf(rungs: readonly Rung[], measure: CandidateMeasurer): Promise<ReadonlyMap<Rung, Timing>> {
  const some = rungs.filter((r) => r.refused === null && r.estimate.prediction.ns <= longestMeasured)
  const outcomes = some.length > 0 ? await measure.times(some.map((r) => r.points)) : []
  return new Map(
    some.flatMap((rung, i) => {
      const outcome = outcomes[i]! // one for each
      return 'ns' in outcome ? [[rung, outcome] as const] : []
    }),
  )
}

/** How many points with smaller blocks are tried for one rung. */
const mostSmaller = 12

/**
 * The points themselves; where the GPU cannot start their blocks, the fastest points of the same schedule with smaller
 * blocks, if there are any.
 */
function startingPoints(c: Context, points: readonly Point[]): readonly Point[] {
  const timeOf = (p: readonly Point[]): number => {
    const built = tryBuildFor(c, p, targetsOf(c.options)[0]!, 'planned') // a target at least
    if (isInapplicable(built) || refusalIn(built.plan, c.values, c.options.gpu) !== null) return Infinity
    const estimate = attempted(() =>
      c.effort.isGone(shareOfLadder) ? roughEstimate(c, built) : wholeEstimate(c, built),
    )
    return isInapplicable(estimate) ? Infinity : estimate.prediction.ns
  }
  if (timeOf(points) < Infinity) return points
  const sketches = c.analysed.parts.map((p) => p.sketch)
  if (sketches.every((s) => s.smaller === undefined)) return points
  const others = points.map((p, i) => {
    const found = sketches[i]!.smaller?.(p) ?? []
    return found.length === 0 ? [p] : found
  })
  const tries = Math.min(mostSmaller, Math.max(...others.map((o) => o.length)))
  const smaller = Array.from({ length: tries }, (_, n) => others.map((o) => o[Math.min(n, o.length - 1)]!))
  const timed = smaller.map((p) => ({ p, ns: timeOf(p) })).filter(({ ns }) => ns < Infinity)
  return timed.length === 0 ? points : timed.reduce((a, b) => (b.ns < a.ns ? b : a)).p
}

function rowOf(step: string, e: Estimate, measured: Timing | null, refused: string | null): LadderRow {
  const sites = e.launches.flatMap((l) => l.counters.sites)
  const sum = (space: string, key: 'sectors' | 'requests' | 'wavefronts' | 'idealWavefronts'): number =>
    sites.filter((s) => s.space === space).reduce((n, s) => n + s[key], 0)
  const main = e.launches.reduce((a, b) => (b.prediction.ns > a.prediction.ns ? b : a))
  const ideal = sum('shared', 'idealWavefronts')
  return {
    step,
    prediction: refused === null ? e.prediction : null,
    refused,
    measured,
    sectorsPerRequest: sum('global', 'sectors') / Math.max(1, sum('global', 'requests')),
    sharedWavefrontExcess: ideal === 0 ? 0 : sum('shared', 'wavefronts') / ideal - 1,
    occupancy: main.occupancy.occupancy,
    registers: main.registers.perThread,
    threadInstructions: e.launches.reduce((n, l) => n + l.times * l.counters.instructions.thread, 0),
    scaled: e.launches.some((l) => l.scaled),
    exact: e.launches.every((l) => l.counters.coverage.exact),
  }
}
