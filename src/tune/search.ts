// In: a sketch's points, a function that scores a point, a budget. Out: the scored points, best first. The one idea is
// local search: start from points that are likely at these sizes, the ladder and a random sample, then repeatedly score
// neighbours of the best points (which differ in one or two parameters). The result is determined by the seed. A point
// whose schedule is refused, or which cannot be simulated, gets no score and is not tried again.
import { attempted, isInapplicable, type Random } from '../base/index.ts'
import type { Point, Sketch } from '../schedule/index.ts'

export interface Scored {
  readonly point: Point
  readonly ns: number
}

export interface Search {
  readonly best: readonly Scored[]
  readonly tried: number
  readonly refused: number
}

/** What points with the same choices have in common, in whatever order they were made. */
export const keyOf = (p: Point): string =>
  Object.entries(p)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(' ')

/** Points that are scored however long it takes: what is likeliest, and two rungs. */
const fewest = 3

/** What asks for the scores of some points at a time; the answers are in their order, and fewer where it must end. */
export type Searching = Generator<readonly Point[], Search, readonly (Scored | null)[]>

/**
 * Asks for scores of up to `budget` points of `sketch` (rounded up, one at least): what is likeliest, the last rungs of
 * its ladder, more of `likely`, up to a quarter of them in all, then others. What is asked for depends on the answers
 * to what was asked before, and not on their order.
 */
export function* searching(sketch: Sketch, budget: number, random: Random, likely: readonly Point[] = []): Searching {
  const most = Math.max(1, Math.ceil(budget)),
    scored = new Map<string, Scored | null>()
  let ended = false
  const ask = function* (points: readonly Point[]): Generator<readonly Point[], void, readonly (Scored | null)[]> {
    const fresh = new Map(points.map((p) => [keyOf(p), p] as const).reverse()) // the first of each key
    const asked = [...new Set(points.map(keyOf))].filter((k) => !scored.has(k)).slice(0, most - scored.size)
    if (asked.length === 0) return
    const answers = yield asked.map((k) => fresh.get(k)!) // made of the same points
    answers.forEach((s, i) => scored.set(asked[i]!, s)) // no more answers than questions
    ended = answers.length < asked.length
  }
  const rungs = sketch.ladder.map((r) => r.point)
  const shuffled = shuffle(sketch.space, random)
  const [likeliest, ...others] = likely.slice(0, Math.max(1, Math.floor(most / 4))),
    first = [...(likeliest ? [likeliest] : []), ...rungs.slice(-2).reverse(), ...others]
  yield* ask([...first, ...shuffled.slice(0, Math.floor(most / 3))])
  for (let open = true; open && !ended && scored.size < most; ) {
    const known = scored.size
    yield* ask(
      ranked(scored)
        .slice(0, 3)
        .flatMap((s) => neighbours(s.point, sketch.space)),
    )
    if (scored.size > known) continue
    const left = shuffled.filter((p) => !scored.has(keyOf(p)))
    open = left.length > 0
    yield* ask(left.slice(0, 4))
  }
  return { best: ranked(scored), tried: scored.size, refused: [...scored.values()].filter((s) => s === null).length }
}

/**
 * The search here and now, one point after the other. `score` gives nanoseconds, infinitely many of what cannot run.
 * When it `isOver`, nothing more is scored beyond a few.
 */
export function search(
  sketch: Sketch,
  score: (p: Point) => number,
  budget: number,
  random: Random,
  progress: (done: number) => void = () => {},
  likely: readonly Point[] = [],
  isOver: () => boolean = () => false,
): Search {
  const steps = searching(sketch, budget, random, likely)
  let done = 0
  for (let step = steps.next(); ; ) {
    if (step.done) return step.value
    const answers: (Scored | null)[] = []
    for (const point of step.value) {
      if (done >= fewest && isOver()) break
      answers.push(tryScore(point, score))
      progress(++done)
    }
    step = steps.next(answers)
  }
}

/** The point with its score; null where its schedule is refused or no block of it fits. */
export function tryScore(point: Point, score: (p: Point) => number): Scored | null {
  const scored = attempted(() => ({ point, ns: score(point) }))
  return isInapplicable(scored) || !Number.isFinite(scored.ns) ? null : scored
}

const ranked = (scored: ReadonlyMap<string, Scored | null>): readonly Scored[] =>
  [...scored.values()].flatMap((s) => (s ? [s] : [])).sort((a, b) => a.ns - b.ns)

/**
 * Points of the space that differ from `p` in at most two choices, the nearest first; choices that the space does not
 * have stay.
 */
function neighbours(p: Point, space: readonly Point[]): readonly Point[] {
  const distance = (q: Point): number => Object.keys(q).filter((k) => q[k] !== p[k]).length
  const near = space.map((q) => ({ q, d: distance(q) })).filter((x) => x.d > 0 && x.d <= 2)
  return near.sort((a, b) => a.d - b.d).map((x) => ({ ...p, ...x.q }))
}

function shuffle<T>(list: readonly T[], random: Random): readonly T[] {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.int(0, i)
    const [a, b] = [out[i]!, out[j]!]
    out[i] = b
    out[j] = a
  }
  return out
}
