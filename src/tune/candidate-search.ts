// In: an analysed program and a budget. Out: candidates, each with a point for every part, ordered by predicted time.
// The one idea: parts are searched independently, either here, one point at a time, or by workers that score batches of
// points. Which points are asked for depends only on earlier answers, not on who gave them or when, so the result is
// deterministic.
import { fail, random } from '../base/index.ts'
import type { Program } from '../ir/index.ts'
import { onlyPart } from '../pipeline.ts'
import type { Point, Sketch } from '../schedule/index.ts'
import {
  contextOf,
  leastSteps,
  scoredBy,
  scoreOf,
  seedOf,
  targetsOf,
  type EstimateAnswer,
  type Asked,
  type Context,
  type OptimizeOptions,
  type ScoreCache,
  type Scorer,
} from './context.ts'
import { wholeEstimate } from './ladder.ts'
import { keyOf, search, searching, tryScore, type Scored, type Search } from './search.ts'

/** Steps for all candidates of a part while searching. */
const searchSteps = 6e7

/** Searches part by part, the others at the top of their ladders. Candidates come best first. */
export async function searchAll(c: Context): Promise<{ candidates: readonly (readonly Point[])[]; tried: number }> {
  const current = c.analysed.parts.map((p) => p.sketch.ladder[p.sketch.ladder.length - 1]!.point)
  const { score } = c.options
  // asked elsewhere all parts are searched at the same time
  const results = score
    ? await Promise.all(c.analysed.parts.map((_, i) => searchedBy(c, i, score)))
    : c.analysed.parts.map((_, i) => searchedHere(c, i))
  const lists = results.map((r, i) => preferKnown(c.analysed.parts[i]!.sketch, finalists(c, i, r), likelyOf(c, i)[0]))
  lists.forEach((ordered, i) => {
    current[i] = ordered[0] ?? current[i]!
  })
  const depth = Math.max(...lists.map((l) => l.length))
  const candidates = Array.from({ length: depth }, (_, n) =>
    lists.map((l, i) => l[Math.min(n, l.length - 1)] ?? current[i]!),
  )
  // no schedule may be better than this one, but one must be right
  const naive = c.analysed.parts.map((p) => p.sketch.ladder[0]!.point)
  return {
    candidates: [...(candidates.length > 0 ? candidates : [current]), naive],
    tried: results.reduce((n, r) => n + r.tried, 0),
  }
}

const likelyOf = (c: Context, part: number): readonly Point[] =>
  c.analysed.parts[part]!.sketch.likely?.(c.values, c.options.gpu.multiprocessors, targetsOf(c.options)[0]) ?? []

const budgetOf = (c: Context): number => c.options.budget ?? 24

/** `shrink`: the greatest divisor of sizes that something was scored at. */
interface PartSearch extends Search {
  readonly shrink: number
}

function searchedHere(c: Context, part: number): PartSearch {
  const { sketch } = c.analysed.parts[part]!
  const hint = { shrink: 1 }
  const steps = stepsEach(budgetOf(c)),
    own = scoreOf({ ...c, analysed: onlyPart(c.analysed, part) }, steps, hint),
    score = c.options.scores ? remembered(c.options.scores, { part, steps }, hint, own) : own
  const found = search(
    sketch,
    score,
    budgetOf(c),
    random(seedOf(c.options) + part),
    (done) => searchProgress(c, part, done),
    likelyOf(c, part),
    () => c.effort.isGone(),
  )
  return { ...found, shrink: hint.shrink }
}

/** So many points of a part are predicted at the planned sizes in the end. */
const mostFinalists = 6

/**
 * The points of a search, best first. Where some were scored at smaller sizes than others, or all at smaller ones than
 * the planned, the best of them, and what is likeliest, are predicted again at the planned sizes: what blocks hold in
 * caches, and how many there are, does not shrink with the data.
 */
function finalists(c: Context, part: number, { best, shrink }: PartSearch): readonly Scored[] {
  const [first] = best
  if (!first || shrink === 1) return best
  const likely = likelyOf(c, part)[0],
    isLikely = ({ point }: Scored): boolean => likely !== undefined && keyOf(point) === keyOf(likely)
  const some = best.filter((s, i) => i === 0 || isLikely(s) || (i < mostFinalists && !c.effort.isGone()))
  const alone = { ...c, analysed: onlyPart(c.analysed, part) },
    score = scoredBy(alone, (built) => wholeEstimate(alone, built))
  const again = some.flatMap(({ point }) => tryScore(point, score) ?? [])
  return [...again.sort((a, b) => a.ns - b.ns), ...best.filter((s) => !some.includes(s))]
}

/** `score`, asked of the cache first. What cannot run is known as such. */
function remembered(
  scores: ScoreCache,
  asked: Pick<Asked, 'part' | 'steps'>,
  hint: { shrink: number },
  score: (p: Point) => number,
): (p: Point) => number {
  return (point) => {
    const question = { ...asked, points: [point], shrink: hint.shrink }
    const before = scores.get(question)
    if (before) {
      hint.shrink = before.shrink
      return before.ns ?? Infinity
    }
    const ns = tryScore(point, score)?.ns ?? null
    scores.set(question, { ns, shrink: hint.shrink })
    return ns ?? Infinity
  }
}

/**
 * The first point is asked alone: by how much its sizes must be smaller is where the others begin. What is asked, and
 * so the answer, is the same however many answer at once.
 */
async function searchedBy(c: Context, part: number, score: Scorer): Promise<PartSearch> {
  const { sketch } = c.analysed.parts[part]!
  const steps = searching(sketch, budgetOf(c), random(seedOf(c.options) + part), likelyOf(c, part))
  let shrink = 1,
    done = 0
  const answered = async (points: readonly Point[]): Promise<(Scored | null)[]> => {
    const answers = await score({ part, points, steps: stepsEach(budgetOf(c)), shrink })
    shrink = Math.max(shrink, ...answers.map((a) => a.shrink))
    done += points.length
    searchProgress(c, part, done)
    return answers.map(({ ns }, i) => (ns === null ? null : { point: points[i]!, ns })) // an answer for each
  }
  for (let step = steps.next(); ; ) {
    if (step.done) return { ...step.value, shrink }
    const first = done === 0 ? await answered(step.value.slice(0, 1)) : []
    const others = step.value.slice(first.length)
    step = steps.next([...first, ...(others.length > 0 ? await answered(others) : [])])
  }
}

const stepsEach = (budget: number): number => Math.max(leastSteps, searchSteps / budget)

function searchProgress(c: Context, part: number, done: number): void {
  const { parts } = c.analysed
  c.progress({
    stage: `search ${part + 1}/${parts.length}`,
    done,
    total: Math.min(budgetOf(c), parts[part]!.sketch.space.length + 2),
  })
}

/**
 * Answers what a search asks of points of a program's parts, one after the other. The answers depend on the program,
 * the options' GPU and targets, and on what is asked.
 */
export function scorerOf(program: Program, options: OptimizeOptions): (asked: Asked) => readonly EstimateAnswer[] {
  const c = contextOf(program, options)
  return ({ part, points, steps, shrink }) => {
    if (part >= c.analysed.parts.length) fail('tune.part', `${program.name} has no part ${part}`)
    const alone = { ...c, analysed: onlyPart(c.analysed, part) }
    return points.map((point) => {
      const hint = { shrink }
      const scored = tryScore(point, scoreOf(alone, steps, hint))
      return { ns: scored?.ns ?? null, shrink: hint.shrink }
    })
  }
}

/** The spaces of a program's parts, by the names of their sketches, and the steps for each point of a search. */
export function spacesOf(
  program: Program,
  options: OptimizeOptions,
): readonly { readonly sketch: string; readonly points: readonly Point[]; readonly steps: number }[] {
  const c = contextOf(program, options)
  return c.analysed.parts.map(({ sketch }) => ({
    sketch: sketch.name,
    points: sketch.space,
    steps: stepsEach(budgetOf(c)),
  }))
}

/** Predictions closer than this are no reason to leave the top of the ladder, which was measured, or the likeliest. */
const indifference = 1.03

function preferKnown(sketch: Sketch, best: readonly Scored[], likely: Point | undefined): readonly Point[] {
  const points = best.map((s) => s.point),
    wanted = likely ?? sketch.ladder.at(-1)?.point,
    known = wanted && best.find((s) => keyOf(s.point) === keyOf(wanted))
  return known && best[0] && known.ns <= ((likely && sketch.likelyWithin) ?? indifference) * best[0].ns
    ? [known.point, ...points.filter((p) => keyOf(p) !== keyOf(known.point))]
    : points
}
