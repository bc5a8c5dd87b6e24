// In: a contraction with few tiles and a long sum. Out: the same sum in slices, and what adds them up. The one idea:
// blocks of one tile share its sum, so that all multiprocessors have work; steps of k are dealt out to slices in turn,
// so that indices stay affine.
import { literal, type ArrayDecl, type Loop, type Program, nestProgram, type Nest, uses } from '../../../ir/index.ts'
import { splitReduction } from '../../primitives/split-reduction.ts'
import { splitLevels } from '../../script.ts'
import { columnReduction, innermostNest, splitOuter } from '../reduction/reduction.ts'
import type { Scheduled } from '../sketch.ts'

/** A sum that is as long for all outputs, none of which a guard leaves out, with an axis of the grid to spare. */
export const canSlice = (part: Nest, k: Loop): boolean =>
  part.parallel.length === 2 &&
  !part.guard &&
  part.parallel.every((l) => literal(l.lower) === 0 && l.step === 1 && !uses(k.lower, l.name) && !uses(k.upper, l.name))

export interface Sliced {
  readonly program: Program
  /** Over slices, rows and columns; the sum is over `tile_k` and `kk`. */
  readonly partial: Nest
  readonly final: Nest
  readonly slice: Loop
  /** What slices have summed up: [slices, rows, columns]. */
  readonly sums: ArrayDecl
}

/**
 * The sum over `k` in `count` slices, which take steps of `step` in turn. `divides`: whole rounds of them make up k.
 */
export function inSlices(program: Program, part: Nest, k: Loop, step: number, count: number, divides: boolean): Sliced {
  const levels = splitLevels(
    nestProgram(program, part),
    k.name,
    'tile_k',
    [
      { name: 'slice', extent: count },
      { name: 'kk', extent: step },
    ],
    divides ? 'divides' : 'guard',
  )
  const { loops, guard, value } = innermostNest(levels.program, part),
    byName = new Map(loops.map((l) => [l.name, l]))
  const arranged: Nest = {
    ...part,
    reduction: { ...part.reduction!, loops: ['slice', 'tile_k', 'kk'].map((n) => byName.get(n)!), guard, value },
  } // the split made them
  const two = splitReduction(program, arranged)
  return { ...two, slice: two.partial.parallel[0]!, sums: two.partial.out.array } // the slices are the first
}

/** The kernel that adds slices up: a thread for each output, neighbours along `j`. */
export function addedUp(program: Program, final: Nest, j: Loop, slices: number): Scheduled {
  const point = { threads: 64, rows: 1, vector: 1, unroll: Math.min(16, slices), blocks: 1 }
  return columnReduction(
    program,
    splitOuter(program, final, final.reduction!.loops[0]!, point),
    j,
    point,
    `${program.name}_sum`,
    false,
  ) // it has one
}
