// Several sketches of one part, where reuse alone does not say which is best: sizes do. In: the sketches, the likeliest
// first. Out: one sketch of the points of all, each of which says whose it is. The one idea: the search then chooses
// between algorithms as it chooses between tiles.
import { fail } from '../../base/index.ts'
import type { Point, Rung, Sketch } from './sketch.ts'

/** The parameter that says which sketch's a point is: its position. */
const which = 'algorithm'

/** One sketch of all points of `sketches`, those of the first tried first; the plain way is on the ladder once. */
export function alternatives(name: string, sketches: readonly Sketch[]): Sketch {
  const of = (n: number, p: Point): Point => ({ ...p, [which]: n })
  const at = (p: Point): Sketch =>
    sketches[p[which] ?? 0] ?? fail('schedule.alternatives', 'there is no algorithm of this number')
  const rungs = (s: Sketch, n: number): readonly Rung[] =>
    s.ladder.slice(n === 0 ? 0 : 1).map((r) => ({ ...r, point: of(n, r.point) }))
  return {
    name,
    ladder: sketches.flatMap(rungs),
    space: sketches.flatMap((s, n) => s.space.map((p) => of(n, p))),
    vectorSizes: Object.assign({}, ...sketches.map((s) => s.vectorSizes)) as Sketch['vectorSizes'],
    likely: (values, multiprocessors, target) => {
      const lists = sketches.map((s, n) =>
          (s.likely?.(values, multiprocessors, target) ?? s.ladder.slice(-1).map((r) => r.point)).map((p) => of(n, p)),
        ),
        longest = Math.max(...lists.map((l) => l.length))
      return Array.from({ length: longest }, (_, i) => lists.flatMap((l) => l.slice(i, i + 1))).flat()
    },
    build: (p) => ({ vectorSizes: at(p).vectorSizes, ...at(p).build(p) }),
    buildExact: (p) => {
      const made = at(p).buildExact?.(p)
      return made && { vectorSizes: at(p).vectorSizes, ...made }
    },
    forCuda: (p, chip) => at(p).forCuda?.(p, chip) ?? p,
  }
}
