// In: candidates that were found part by part. Out: the same list, preceded by variations of the first candidate that
// are better for the program as a whole: rungs of the ladder in place of slow parts, fewer launches, and equal block
// sizes where that allows launches to be fused.
import { attempted, isInapplicable } from '../base/index.ts'
import { onlyPart } from '../pipeline.ts'
import type { Point } from '../schedule/index.ts'
import { buildFor, joinedFor, leastSteps, scoreOf, targetsOf, type Context } from './context.ts'
import { timesOfParts, wholeEstimate, type RungOfAll } from './ladder.ts'
import { nearlyTogether } from './launch-fusion.ts'

/**
 * A rung of the ladder replaces what the search found where it is predicted to take less than this share of the time: a
 * search sees few points, and reduced sizes.
 */
const muchBetter = 0.8,
  /** The same where nothing was measured that says which points are likely. */
  better = 0.9

/** The candidates, preceded by the first one after `change`, if that differs. */
function withChanged(
  candidates: readonly (readonly Point[])[],
  change: (first: readonly Point[]) => readonly Point[],
): readonly (readonly Point[])[] {
  const first = candidates[0]
  if (!first) return candidates
  const points = attempted(() => change(first)) // the proof says why it does not do
  return isInapplicable(points) || points.every((p, i) => p === first[i]) ? candidates : [points, ...candidates]
}

/** Puts before the candidates the first one with rungs of the ladder in place of much slower parts. */
export function withRungs(
  c: Context,
  candidates: readonly (readonly Point[])[],
  rungs: readonly RungOfAll[],
): readonly (readonly Point[])[] {
  const alike = rungs.filter((r) => !r.row.scaled && r.row.refused === null)
  return withChanged(candidates, (first) => {
    const built = buildFor(c, first, targetsOf(c.options)[0]!, 'planned'),
      own = timesOfParts(c, built, wholeEstimate(c, built))
    return first.map((point, i) => {
      // a time and a point per part
      const best = alike.reduce<RungOfAll | undefined>((a, b) => (a && a.times[i]! <= b.times[i]! ? a : b), undefined)
      const share = c.analysed.parts[i]?.sketch.likely ? muchBetter : better
      return best && best.times[i]! < share * own[i]! ? best.points[i]! : point
    })
  })
}

/** How much longer a part may be predicted to take when it then shares a launch, which saves about 2 µs. */
const longerTogether = 1.1

/**
 * Puts before the candidates the first one with equal block sizes wherever only these keep launches from being merged.
 */
export function withEqualBlocks(c: Context, candidates: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  const { parts } = c.analysed
  return parts.length === 1
    ? candidates
    : withChanged(candidates, (first) => {
        let points = first
        for (let tries = 0; tries < parts.length; tries++) {
          const next = withOneMore(c, points)
          if (!next) break
          points = next
        }
        return points
      })
}

/**
 * Puts before the candidates the first one with a single launch for each part whose several launches are merged with
 * none of another part.
 */
export function withFewerLaunches(
  c: Context,
  candidates: readonly (readonly Point[])[],
): readonly (readonly Point[])[] {
  return withChanged(candidates, (first) => {
    const built = buildFor(c, first, targetsOf(c.options)[0]!),
      shared = new Set([...joinedFor(c, built).members.values()].flat()) // there is a target
    return first.map((point, i) => {
      const own = built.kernels.filter((k) => k.part === i)
      return (
        (own.length > 1 && !own.some((k) => shared.has(k.name))
          ? c.analysed.parts[i]?.sketch.alone?.(c.values, c.options.gpu.multiprocessors)
          : undefined) ?? point
      )
    })
  })
}

/** The points with one of them changed such that two launches get equal block sizes. */
function withOneMore(c: Context, points: readonly Point[]): readonly Point[] | undefined {
  const built = buildFor(c, points, targetsOf(c.options)[0]!),
    { launches } = built.plan.variants.at(-1)!
  for (const [a, b] of nearlyTogether(built.plan, c.values, c.options.gpu.multiprocessors)) {
    for (const [own, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { part, name } = built.kernels[own]! // positions of launches are those of kernels
      const next =
        part === built.kernels[other]!.part
          ? undefined
          : withThreads(c, part, points[part]!, name, launches[other]!.kernel.block[0])
      if (next) return points.map((p, i) => (i === part ? next : p))
    }
  }
  return undefined
}

/**
 * The fastest point that differs from `point` only in its block size, which is `threads`; undefined where all of these
 * are much slower.
 */
function withThreads(c: Context, part: number, point: Point, name: string, threads: number): Point | undefined {
  const { space } = c.analysed.parts[part]!.sketch,
    alone = { ...c, analysed: onlyPart(c.analysed, part) }
  const alike = space.filter(
    (p) =>
      p !== point && Object.keys({ ...p, ...point }).every((k) => k === 'threads' || k === 'rows' || p[k] === point[k]),
  )
  const fitting = alike.filter((p) =>
    buildFor(alone, [p], targetsOf(c.options)[0]!, 'vector')
      .plan.variants.at(-1)!
      .launches.some(
        ({ kernel }) =>
          (kernel.name === name || kernel.name === c.analysed.source.name) &&
          kernel.block[0] === threads &&
          kernel.block[1] === 1,
      ),
  )
  const score = scoreOf(alone, leastSteps, { shrink: 1 }),
    most = fitting.length > 0 ? longerTogether * score(point) : 0
  const best = fitting
    .map((p) => ({ p, ns: score(p) }))
    .reduce<{ p: Point; ns: number } | undefined>((a, b) => (a && a.ns <= b.ns ? a : b), undefined)
  return best && best.ns <= most ? best.p : undefined
}
