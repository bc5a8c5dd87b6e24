// What is computed of rows that need each other: the threads of a row make one after the other, so that they are one
// launch and what one needs of another never leaves its registers or is near. In: the nests. Out: the points of a sum
// of rows, for all of them.
import { isRefused } from '../../../base/index.ts'
import {
  bytesOf,
  store,
  type ArrayDecl,
  type PlanValues,
  type Program,
  nestProgram,
  type Nest,
  readsIn,
  sameExpr,
} from '../../../ir/index.ts'
import { planned, valueOf } from '../../../analysis/index.ts'
import { reorder } from '../../primitives/reorder.ts'
import { bindAll, splitLevels } from '../../script.ts'
import { takeTurns } from '../../../transform/index.ts'
import { inTurns, together } from '../kernel-concatenation.ts'
import { reduction, rowBlocks, rowKernel, wholeSteps } from './reduction.ts'
import { rowSizes, threads, unroll, vector, type Point, type Scheduled, type Sketch } from '../sketch.ts'

/** `count`: loops that choose a row. `undefined` where one of the nests takes no such schedule. */
export function rows(program: Program, nests: readonly Nest[], count: number): Sketch | undefined {
  const sums = nests.filter((n) => n.reduction).map((n) => reduction(program, n)),
    [first] = sums
  if (!first || sums.some((s) => !s)) return undefined
  const { likely, ladder, space } = first
  const sizes = [
    ...sums.map((s) => s!.vectorSizes),
    ...nests.filter((n) => !n.reduction && n.parallel.length > count).map((n) => rowSizes([n.out.array])),
  ] // all of them are there
  const build = (p: Point): ReturnType<Sketch['build']> => ({ program, kernels: [built(program, nests, count, p)] })
  if (isRefused(() => build(ladder[0]!.point))) return undefined // ladders have rungs
  const bytes = readAgain(program, nests, count),
    isNear = (p: Point): boolean => bytes <= bytesOfThread * p['threads']!
  const near = (points: readonly Point[]): readonly Point[] => (points.some(isNear) ? points.filter(isNear) : points)
  return {
    name: 'rows',
    ladder: space.some(isNear) ? ladder.filter(({ point }) => point['threads'] === 1 || isNear(point)) : ladder,
    space: near(space),
    ...(likely && { likely: (values: PlanValues, multiprocessors: number) => near(likely(values, multiprocessors)) }),
    vectorSizes: Object.assign({}, ...sizes) as Readonly<Record<string, number>>,
    build,
  } // of such records
}

/**
 * Bytes of a row that a thread may have: what all threads that run at once read again is in L2 then (60 MB for 132 ×
 * 2048 threads on an H200, 40 for 108 × 2048 on an A100). A softmax of 4,096 columns took 135 µs with 32 or 64 threads
 * a row, 100 with 128, 71 with 256.
 */
const bytesOfThread = 192

/** Bytes of a row, at the planned sizes, that the nests touch; 0 when none of it is touched by two. */
function readAgain(program: Program, nests: readonly Nest[], count: number): number {
  const touched = nests.map(
    (n) =>
      new Set([
        n.out.array.name,
        ...readsIn([
          store(n.out.array, n.out.index, n.out.value),
          ...(n.reduction ? [store(n.reduction.into, [], n.reduction.value)] : []),
        ]).map((r) => r.array),
      ]),
  )
  // there is a nest
  const rows = nests[0]!.parallel.slice(0, count).reduce((m, l) => m * planned(program, l.lower, l.upper, l.step), 1)
  const times = (a: ArrayDecl): number => touched.filter((t) => t.has(a.name)).length
  return program.arrays
    .filter((a) => times(a) > 0 && program.arrays.some((b) => times(b) > 1))
    .reduce(
      (sum, a) => sum + a.shape.reduce<number>((m, e) => m * valueOf(program, e), bytesOf[a.type]) / Math.max(1, rows),
      0,
    )
}

function built(program: Program, nests: readonly Nest[], count: number, p: Point): Scheduled {
  const own = nests.flatMap((n) => (n.reduction ? [n.reduction.into] : [])),
    seen: Program = { ...program, arrays: [...program.arrays, ...own] } // of each other
  const made = nests
    .map((n) => (n.reduction ? rowKernel(seen, n, p) : ofRow(seen, n, count, p)))
    .map((k) => ({ ...k, program: { ...k.program, arrays: program.arrays } }))
  const sum = made[nests.findIndex((n) => n.reduction)]! // there is one
  const groups: { readonly nests: readonly Nest[]; readonly made: readonly Scheduled[] }[] = []
  nests.forEach((n, i) => {
    const last = groups[groups.length - 1],
      beside = last?.nests.every((m) => m.reduction && n.reduction && sameLoops(m, n) && takeTurns(m, n))
    if (last && beside)
      groups[groups.length - 1] = { nests: [...last.nests, n], made: [...last.made, made[i]!] } // as many
    else groups.push({ nests: [n], made: [made[i]!] })
  })
  const what = nests.every((n) => n.reduction) ? 'sums of a row' : 'computations of a row'
  return {
    ...sum,
    program: together(groups.map((g) => inTurns(g.made))).program,
    steps: [`${nests.length} ${what} by the same threads, one after the other`, ...sum.steps],
  }
}

const sameLoops = (a: Nest, b: Nest): boolean =>
  a.reduction!.loops.length === b.reduction!.loops.length && // sums
  a.reduction!.loops.every(
    (l, i) =>
      l.name === b.reduction!.loops[i]!.name &&
      sameExpr(l.lower, b.reduction!.loops[i]!.lower) &&
      sameExpr(l.upper, b.reduction!.loops[i]!.upper),
  )

/** All elements of a row, dealt out as a sum's terms are, or one of them. */
function ofRow(program: Program, part: Nest, count: number, p: Point): Scheduled {
  const rowLoops = part.parallel.slice(0, count),
    column = part.parallel[count]
  const levels =
    column &&
    splitLevels(nestProgram(program, part), column.name, 'step', [
      { name: 'uu', extent: p['unroll']! },
      { name: 'thread_r', extent: p['threads']! },
      { name: 'vv', extent: p['vector']! },
    ])
  const order = ['thread_r', 'step', 'uu', 'vv'].filter((n) => n === 'step' || levels?.names.includes(n))
  const dealt = levels
    ? reorder(levels.program, { order: [...rowLoops.map((l) => l.name), ...order] })
    : nestProgram(program, part)
  const { program: q, bindings } = rowBlocks(dealt, rowLoops, p)
  return {
    program: bindAll(wholeSteps(q), [...bindings, ['thread_r', threads(1)], ['uu', unroll], ['vv', vector]]),
    name: program.name,
    steps: [],
  }
}
