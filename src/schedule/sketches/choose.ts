// In: a nest, an idiom or serial code. Out: the sketch that fits its data reuse best. Sketches are tried in order from
// the most reuse to the least, and the first that accepts the part is taken.
import { fail, isInapplicable } from '../../base/index.ts'
import {
  affineOf,
  measuredChip,
  nestProgram,
  type Chip,
  type ArrayDecl,
  type Program,
  type Flat,
  type Form,
  eachStmt,
  type Nest,
  type Other,
  type Recurrence,
  type Rows,
  type Serial,
} from '../../ir/index.ts'
import { canonicalNest, endsOfRecurrences, seenFlat, readsElsewhere } from '../../transform/index.ts'
import { alternatives } from './alternatives.ts'
import { argReduction } from './reduction/arg-reduction.ts'
import { argumentColumns } from './reduction/arg-columns.ts'
import { columnRecurrence, columnScan } from './scan/column-scan.ts'
import { withElements } from './computed-elements.ts'
import { contraction } from './contraction/contraction.ts'
import { directConvolution } from './contraction/direct-convolution.ts'
import { crossed } from './reduction/rows-then-columns.ts'
import { sequential } from './single-thread.ts'
import { perIteration } from './thread-per-iteration.ts'
import { perPoint } from './thread-per-point.ts'
import { oneBlock } from './one-block-kernel.ts'
import { pairs, pairSums } from './reduction/pairwise-sums.ts'
import { pointwise } from './pointwise/pointwise.ts'
import { recurrence } from './scan/recurrence-scan.ts'
import { reduction } from './reduction/reduction.ts'
import { rows } from './reduction/fused-rows.ts'
import { rowScan } from './scan/row-scan.ts'
import { scatter } from './reduction/histogram.ts'
import { timeTiles } from './stencil/time-tiling.ts'
import { maps } from './pointwise/sibling-maps.ts'
import { sliding } from './pointwise/sliding-windows.ts'
import { stages } from './stencil/butterfly-windows.ts'
import { sums } from './reduction/sibling-sums.ts'
import { unrollAndJam } from './reduction/unroll-and-jam.ts'
import { tiledTranspose } from './pointwise/transpose.ts'
import { cellsOfNests, cellsOfOther, withWords } from './pointwise/subwords.ts'
import { waveTiles } from './stencil/wavefront-tiling.ts'
import { tryPoint, type Made, type Point, type Sketch } from './sketch.ts'

/** The sketch of one part, with points for such a GPU. */
export function sketchOf(program: Program, part: Nest | Other, chip: Chip = measuredChip): Sketch {
  const known = part.kind === 'idiom' ? sketchOfForm(program, part, part.form, chip) : undefined
  if (known) return known
  if (part.kind !== 'nest')
    return part.parallel > 0
      ? (pairs(program, part) ??
          endsOf(program, part, chip) ??
          withWords(program, cellsOfOther(part), perIteration(program, part)))
      : sequential(program, part)
  const nest = canonicalNest(program, part),
    patches = nest && directConvolution(program, nest)
  if (patches) return patches
  if (part.flat) return flatSketch(program, part.flat, (seen, nests) => byReuse(seen, nests[0]!, chip)) // it is of one
  if (!nest) {
    const outer = part.parallel.findIndex((l) => !affineOf(l.lower) || !affineOf(l.upper))
    const why = 'the bounds of a parallel loop are not affine',
      inThreads = outer > 0 ? [perIteration(program, inOrder(program, part, outer, why))] : []
    return buildable(program, part, inThreads, why)
  }
  const sketch = byReuse(program, nest, chip)
  return readsElsewhere(nest) ? buildable(program, part, [sketch, perPoint(program, nest)]) : sketch
}

const byReuse = (program: Program, nest: Nest, chip: Chip): Sketch =>
  contraction(program, nest, chip) ??
  tiledTranspose(program, nest) ??
  pointwise(program, nest, chip) ??
  sliding(program, nest) ??
  pairSums(program, [nest]) ??
  unrollAndJam(program, nest) ??
  reduction(program, nest, chip) ??
  withWords(program, cellsOfNests(program, [nest]), perPoint(program, nest))

/** Part of a program that `rows` took. */
const rowsOf = (program: Program, { nests, rows: count }: Rows, chip: Chip): Sketch =>
  rows(program, nests, count, chip) ?? fail('schedule.rows', 'the rows are not dealt out alike')

/** Part of a program that `sums` took. */
const sumsOf = (program: Program, nests: readonly Nest[], chip: Chip): Sketch =>
  sums(program, nests, chip) ?? fail('schedule.sums', 'the sums are not dealt out alike')

/** Part of a program that `maps` took. */
const mapsOf = (program: Program, nests: readonly Nest[], chip: Chip): Sketch =>
  maps(program, nests, chip) ?? fail('schedule.maps', 'the iterations are not dealt out alike')

/** The sketch over fewer loops, where there is one; what it makes is for the program as it is. */
function flatSketch<S extends Sketch | undefined>(
  program: Program,
  flat: Flat,
  choose: (seen: Program, nests: readonly Nest[]) => S,
): S {
  const sketch = choose(seenFlat(program, flat), flat.nests)
  return (sketch && unflattened(program, flat, sketch)) as S // there is one where `choose` has one
}

function unflattened(program: Program, flat: Flat, sketch: Sketch): Sketch {
  const own = new Map(program.arrays.map((a) => [a.name, a]))
  const { computed = [] } = flat,
    isComputed = (a: ArrayDecl): boolean => computed.some((c) => c.array.name === a.name)
  const back = <M extends Made>(made: M): M => ({
    ...made,
    program: {
      ...made.program,
      arrays: made.program.arrays.filter((a) => !isComputed(a)).map((a) => own.get(a.name) ?? a),
    },
    kernels: made.kernels.map((k) => ({
      ...k,
      program: withElements(k.program, computed),
      ...(computed.length > 0 && { near: true as const }),
      shapes: { ...flat.shapes, ...k.shapes },
    })),
  })
  const { buildExact } = sketch
  return {
    ...sketch,
    build: (p) => back(sketch.build(p)),
    ...(buildExact && {
      buildExact: (p: Point) => {
        const made = buildExact(p)
        return made && back(made)
      },
    }),
  }
}

/** The first sketch no step of whose ladder is refused; one thread when all have one. */
function buildable(
  program: Program,
  part: Nest,
  sketches: readonly Sketch[],
  why = 'its loops cannot be proved to be independent once they are split',
): Sketch {
  const isBuildable = (s: Sketch, point: Point): boolean => {
    const made = tryPoint(s, point)
    return !isInapplicable(made) && made.kernels.length > 0
  }
  const found = sketches.find((s) => s.ladder.every((rung) => isBuildable(s, rung.point)))
  return found ?? sequential(program, inOrder(program, part, 0, why))
}

/** The nest as loops of which the outer `parallel` may run in any order; the others run as they are written. */
const inOrder = (program: Program, part: Nest, parallel: number, why: string): Serial => ({
  kind: 'serial',
  body: nestProgram(program, part).body,
  why,
  parallel,
})

/** What stands by itself may be linear recurrences of which the numbers at the end are wanted. */
function endsOf(program: Program, part: Other, chip: Chip): Sketch | undefined {
  const arrays = new Map(program.arrays.map((a) => [a.name, a]))
  eachStmt(part.body, (s) => {
    if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  })
  const form = endsOfRecurrences(arrays, part.body)
  return form && recurrences(program, part, form, chip)
}

/** Linear recurrences in parallel: threads share each, or have runs of columns, or have one each. */
function recurrences(program: Program, part: Other, form: Recurrence, chip: Chip): Sketch | undefined {
  const ways = [
    columnRecurrence(program, form),
    recurrence(program, form, chip),
    part.parallel > 0 ? perIteration(program, part) : undefined,
  ].flatMap((s) => (s ? [s as Sketch] : []))
  return ways.length > 0 ? alternatives('recurrence', ways) : undefined
}

function sketchOfForm(program: Program, part: Other, form: Form, chip: Chip): Sketch | undefined {
  switch (form.kind) {
    case 'scan':
      return (
        rowScan(program, form, chip) ??
        columnScan(program, form, part.parallel > 0 ? perIteration(program, part) : undefined)
      )
    case 'recurrence':
      return form.parallel.length === 0 ? recurrence(program, form, chip) : recurrences(program, part, form, chip)
    case 'argument':
      return argReduction(program, form, chip) ?? argumentColumns(program, form)
    case 'scatter': {
      const { flat } = form
      return flat
        ? flatSketch(program, { nests: [], shapes: flat.shapes }, (seen) => scatter(seen, flat.form, chip))
        : scatter(program, form, chip)
    }
    case 'time-tiles':
      return timeTiles(program, form, chip)
    case 'wave-tiles':
      return waveTiles(program, form)
    case 'one-block':
      return oneBlock(program, form)
    case 'stages':
      return stages(program, form)
    case 'rows':
      return (
        (form.flat &&
          flatSketch(program, form.flat, (seen, nests) =>
            rows(seen, nests, form.rows + nests[0]!.parallel.length - form.nests[0]!.parallel.length, chip),
          )) ??
        rowsOf(program, form, chip)
      ) // both have nests
    case 'sums':
      return (
        (form.flat && flatSketch(program, form.flat, (seen, nests) => sums(seen, nests, chip))) ??
        sumsOf(program, form.nests, chip)
      )
    case 'crossed':
      return crossed(program, form, chip)
    case 'maps':
      return (
        (form.flat && flatSketch(program, form.flat, (seen, nests) => maps(seen, nests, chip))) ??
        mapsOf(program, form.nests, chip)
      )
  }
}
