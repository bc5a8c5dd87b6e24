// In: a sketch's points, a way to score one, a budget. Out: the points scored, best first. The one idea: begin with
// what is likely at these sizes, the ladder and a seeded sample, then keep trying neighbours (points that differ in one
// or two choices) of the best so far. Deterministic from its seed. A point whose schedule is refused or cannot be
// simulated scores nothing and is remembered.
import { DiagnosticError, type Random } from '../base/index.ts'
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

const keyOf = (p: Point): string =>
  Object.entries(p)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(' ')

/** Points that are scored however long it takes: what is likeliest, and two rungs. */
const fewest = 3

/**
 * Scores up to `budget` points of `sketch`: of `likely` a quarter of the budget, but one at least, then the rungs of
 * its ladder, then others. `score` gives nanoseconds, infinitely many of what cannot run. When `isOver`, nothing more
 * is scored beyond a few.
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
  const scored = new Map<string, Scored | null>()
  const allowed = (): number => (scored.size >= fewest && isOver() ? scored.size : budget)
  const attempt = (point: Point): void => {
    const key = keyOf(point)
    if (scored.has(key) || scored.size >= allowed()) return
    scored.set(key, tryScore(point, score))
    progress(scored.size)
  }
  const rungs = sketch.ladder.map((r) => r.point)
  likely.slice(0, Math.max(1, Math.floor(budget / 4))).forEach(attempt)
  rungs.slice(-2).reverse().forEach(attempt)
  const shuffled = shuffle(sketch.space, random)
  shuffled.slice(0, Math.floor(budget / 3)).forEach(attempt)
  for (let open = true; open && scored.size < allowed(); ) {
    const known = scored.size
    for (const s of ranked(scored).slice(0, 3)) neighbours(s.point, sketch.space).forEach(attempt)
    if (scored.size === known) {
      open = shuffled.some((p) => !scored.has(keyOf(p)))
      shuffled
        .filter((p) => !scored.has(keyOf(p)))
        .slice(0, 4)
        .forEach(attempt)
    }
  }
  return { best: ranked(scored), tried: scored.size, refused: [...scored.values()].filter((s) => s === null).length }
}

function tryScore(point: Point, score: (p: Point) => number): Scored | null {
  try {
    const ns = score(point)
    return Number.isFinite(ns) ? { point, ns } : null // a block of it does not fit
  } catch (e) {
    if (e instanceof DiagnosticError) return null
    throw e
  }
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
