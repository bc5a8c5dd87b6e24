// Several elements of each iteration: the threads of an elementwise schedule make all of them, so that what they share
// is loaded once and what one stores for the next is near. In: nests over the same loops. Out: the points that all of
// them have.
import { measuredChip, type Chip, type Nest, type Program } from '../../../ir/index.ts'
import { isInapplicable } from '../../../base/index.ts'
import { concatenated } from '../kernel-concatenation.ts'
import { perPoint, type PerPoint } from '../thread-per-point.ts'
import { plainPointwise, type PointwisePoint } from './pointwise.ts'
import { tryPoint, type Made, type Sketch } from '../sketch.ts'
import { tiledTranspose } from './transpose.ts'
import { cellsOfNests, withWords } from './subwords.ts'

/** Parameters of the sketch that each nest would get alone. */
type MapsPoint = PointwisePoint | PerPoint

/** `undefined` where the nests do not take the same schedule, or one is better off with tiles of its own. */
export function maps(program: Program, nests: readonly Nest[], chip: Chip = measuredChip): Sketch | undefined {
  if (nests.some((n) => tiledTranspose(program, n))) return undefined
  const own = nests.map((n) => plainPointwise(program, n, chip)),
    stencils = own.some((s) => s?.name === 'stencil')
  const all: readonly (Sketch<MapsPoint> | undefined)[] = own.every((s) => s !== undefined)
    ? stencils
      ? nests.map((n) => plainPointwise(program, n, chip, 'stencil'))
      : own
    : nests.map((n) => perPoint(program, n))
  const sketches = all.flatMap((s) => s ?? []),
    [first] = sketches
  if (!first || sketches.length < nests.length || sketches.some((s) => s.name !== first.name)) return undefined
  const untiled = (p: MapsPoint): boolean => !('staged' in p && p.staged)
  const build = (p: MapsPoint): Made => {
    const made = concatenated(sketches.map((s) => s.build(p).kernels[0]!)) // such sketches make one
    return {
      program,
      kernels: [
        { ...made, steps: [`${nests.length} elements by the same thread, one after the other`, ...made.steps] },
      ],
    }
  }
  const ladder = first.ladder.filter((r) => untiled(r.point))
  if (ladder.some((r) => isInapplicable(tryPoint({ build }, r.point)))) return undefined
  return withWords(program, cellsOfNests(program, nests), {
    name: 'maps',
    ladder,
    space: first.space.filter(untiled),
    vectorSizes: Object.assign({}, ...sketches.map((s) => s.vectorSizes)) as Readonly<Record<string, number>>,
    build,
  }) // of such records
}
