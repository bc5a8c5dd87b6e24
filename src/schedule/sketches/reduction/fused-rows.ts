// What is computed of rows that need each other: the threads of a row make one after the other, so that they are one
// launch and what one needs of another never leaves its registers or is near. In: the nests. Out: the points of a sum
// of rows, for all of them.
import { isInapplicable } from '../../../base/index.ts'
import {
  bytesOf,
  store,
  nestProgram,
  readsIn,
  sameExpr,
  sizesIn,
  measuredChip,
  cacheShare,
  cacheShareOfEach,
  threadsAtOnce,
  type ArrayDecl,
  type PlanValues,
  type Program,
  type Nest,
  type Chip,
} from '../../../ir/index.ts'
import { planned, plannedBound, rowOf } from '../../../analysis/index.ts'
import { reorder } from '../../primitives/reorder.ts'
import { bindAll, splitLevels } from '../../script.ts'
import { takeTurns } from '../../../transform/index.ts'
import { inTurns, concatenated } from '../kernel-concatenation.ts'
import { reduction, rowBlocks, rowKernel, wholeSteps, type ReductionPoint } from './reduction.ts'
import {
  rowSizes,
  threads,
  tryPoint,
  unroll,
  vector,
  type Made,
  type Rung,
  type Scheduled,
  type Sketch,
} from '../sketch.ts'

/** Parameters of sums of rows in one kernel. */
export type RowsPoint = ReductionPoint & {
  /** So many times as many threads, where one block is a row's. */
  readonly wide?: number
}

/** `count`: loops that choose a row. `undefined` where one of the nests takes no such schedule. */
export function rows(
  program: Program,
  nests: readonly Nest[],
  count: number,
  chip: Chip = measuredChip,
): Sketch<RowsPoint> | undefined {
  const sums = nests.filter((n) => n.reduction).map((n) => reduction(program, n, chip)),
    [first] = sums
  if (!first || sums.some((s) => !s)) return undefined
  const { likely, ladder, space } = first
  const sizes = [
    ...sums.map((s) => s!.vectorSizes),
    ...nests.filter((n) => !n.reduction && n.parallel.length > count).map((n) => rowSizes([n.out.array])),
  ] // all of them are there
  const build = (p: RowsPoint): Made => ({ program, kernels: [built(program, nests, count, p)] })
  if (isInapplicable(tryPoint({ build }, ladder[0]!.point))) return undefined // ladders have rungs
  const bytes = readAgain(program, nests, count),
    isNear = (p: RowsPoint): boolean => bytes <= bytesOfThreadOn(chip) * p.threads,
    row = rowOf(nests.find((n) => n.reduction)!) // one is a sum
  const points = space.some(isNear)
    ? { ladder: ladder.filter(({ point }) => point.threads === 1 || isNear(point)), space: space.filter(isNear) }
    : bytes === 0
      ? { ladder, space }
      : ofFewRows(ladder, space, hasWholeVectors(program, nests, count) ? widest : 1, bytes <= bytesOfBlockOn(chip))
  const near = (list: readonly RowsPoint[]): readonly RowsPoint[] => (list.some(isNear) ? list.filter(isNear) : list)
  return {
    name: 'rows',
    ...(likely && { likely: (values: PlanValues, multiprocessors: number) => near(likely(values, multiprocessors)) }),
    ...points,
    forCuda: (p) => (p.wide ? { ...p, threads: threadsOf(p), wide: 0 } : p),
    rounds: (p) =>
      Object.fromEntries((p.wide && row ? sizesIn(row.upper) : []).map((n) => [n, threadsOf(p) * p.unroll * p.vector])),
    vectorSizes: Object.assign({}, ...sizes) as Readonly<Record<string, number>>,
    build,
  } // of such records
}

/** Elements that a thread may load at once. */
const widest = 4

/** Elements of a row that each thread has in flight at least: with 1,024 threads those of a whole multiprocessor. */
const inFlight = 8

/** Of a block that any device runs the largest one of CUDA. */
const wide = 4

const threadsOf = (p: RowsPoint): number => p.threads * (p.wide || 1)

/**
 * Bytes of a row at which L2 holds most of one for each multiprocessor, what is read as well as what is written (on an
 * H200 69 MB of 132 rows, half of them read again).
 */
const bytesOfBlockOn = (chip: Chip): number => 600_000 * cacheShareOfEach(chip)

/**
 * Points of rows so long that L2 does not hold all that are on their way when each multiprocessor has many: one block
 * of as many threads as there may be to a row leaves one or two of them to each, where that is few enough (`isHeld`).
 * `width`: elements that rows begin on.
 */
function ofFewRows(
  ladder: readonly Rung<RowsPoint>[],
  space: readonly RowsPoint[],
  width: number,
  isHeld: boolean,
): Pick<Sketch<RowsPoint>, 'ladder' | 'space' | 'likely'> {
  const fits = (p: RowsPoint): boolean => p.vector <= width,
    long = space.filter((p) => fits(p) && p.rows === 1 && p.threads === 256),
    large = isHeld ? long.map((p): RowsPoint => ({ ...p, wide })) : []
  const isFull = (p: RowsPoint): boolean => p.vector === width && p.unroll * width >= inFlight
  const rungs = ladder
    .filter(({ point }) => point.vector === 1)
    .concat(
      long
        .filter(isFull)
        .slice(0, 1)
        .map((point) => ({ step: 'one block per row, several loads in flight', point })),
      large
        .filter(isFull)
        .slice(0, 1)
        .map((point) => ({
          step: 'large blocks: few rows at once, which L2 holds until they are read again',
          point,
        })),
    )
  return { ladder: rungs, space: [...large, ...space.filter(fits)], likely: () => [...large, ...long].filter(isFull) }
}

/** Whether rows of all arrays that the nests walk along begin on the widest vector at the planned sizes. */
function hasWholeVectors(program: Program, nests: readonly Nest[], count: number): boolean {
  const names = new Set(nests.flatMap((n) => [...touchedBy(n)]))
  return program.arrays.every((a) => {
    const last = a.shape[a.shape.length - 1]
    return !names.has(a.name) || !last || a.shape.length <= count || plannedBound(program, last) % widest === 0
  })
}

/**
 * Bytes of a row that a thread may have: what all threads that run at once read again is in L2 then (60 MB for 132 ×
 * 2048 threads on an H200). A softmax of 4,096 columns took 135 µs there with 32 or 64 threads a row, 100 with 128, 71
 * with 256.
 */
const bytesOfThreadOn = (chip: Chip): number =>
  (192 * cacheShare(chip) * threadsAtOnce(measuredChip)) / threadsAtOnce(chip)

/** Bytes of a row, at the planned sizes, that the nests touch; 0 when none of it is touched by two. */
function readAgain(program: Program, nests: readonly Nest[], count: number): number {
  const touched = nests.map(touchedBy)
  // there is a nest
  const rows = nests[0]!.parallel.slice(0, count).reduce((m, l) => m * planned(program, l.lower, l.upper, l.step), 1)
  const times = (a: ArrayDecl): number => touched.filter((t) => t.has(a.name)).length
  return program.arrays
    .filter((a) => times(a) > 0 && program.arrays.some((b) => times(b) > 1))
    .reduce(
      (sum, a) =>
        sum + a.shape.reduce<number>((m, e) => m * plannedBound(program, e), bytesOf[a.type]) / Math.max(1, rows),
      0,
    )
}

/** Arrays that the nest reads or writes. */
const touchedBy = (n: Nest): ReadonlySet<string> =>
  new Set([
    n.out.array.name,
    ...readsIn([
      store(n.out.array, n.out.index, n.out.value),
      ...(n.reduction ? [store(n.reduction.into, [], n.reduction.value)] : []),
    ]).map((r) => r.array),
  ])

function built(program: Program, nests: readonly Nest[], count: number, p: RowsPoint): Scheduled {
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
    program: concatenated(groups.map((g) => inTurns(g.made))).program,
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
function ofRow(program: Program, part: Nest, count: number, p: RowsPoint): Scheduled {
  const rowLoops = part.parallel.slice(0, count),
    column = part.parallel[count]
  const levels =
    column &&
    splitLevels(nestProgram(program, part), column.name, 'step', [
      { name: 'uu', extent: p.unroll },
      { name: 'thread_r', extent: p.threads },
      { name: 'vv', extent: p.vector },
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
