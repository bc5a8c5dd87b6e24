// Argument: where the greatest or least value of a row is. Threads keep the best of what they see and its place, in
// registers; a tree compares theirs. The first place wins among equals (the last where the source says so), as in the
// source's order, because places are compared when values are equal. NaN is never better. Few long rows have two
// kernels: blocks find the best of their runs, then one block finds the best of those.
import {
  add,
  choose,
  int,
  loop,
  loopVar,
  lt,
  op,
  read,
  store,
  when,
  identityOf,
  readsArray,
  constantExtent,
  freshName,
  rewriteExpr,
  substitute,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type Argument,
  type Chip,
} from '../../../ir/index.ts'
import { isNearest, planned, readIndices } from '../../../analysis/index.ts'
import { rowSizes, type Made, type Rung, type Scheduled, type Sketch } from '../sketch.ts'
import { walkersInWords } from '../step-words.ts'
import {
  arraysUsed,
  atPosition,
  groupIndex,
  groupPhase,
  guarded,
  inside,
  laneOf,
  ofGroup,
  ofThread,
  overBlocks,
  overLanes,
  overLanesInOrder,
  overRows,
  overSteps,
  ownIndex,
  phase,
  positionOf,
  rowInside,
  rowWalkSpace,
  shortRow,
  shortWalks,
  walkBase,
  walkOf,
  walkSpace,
  walkWords,
  where,
  wholeTiles,
  type Walk,
  type WalkPoint,
} from '../tile-walk.ts'
import { blocksOn } from '../resident-blocks.ts'

/** The sketch of a search along contiguous memory; `undefined` for others and for few constant steps. */
export function argReduction(program: Program, form: Argument, chip: Chip): Sketch<WalkPoint> | undefined {
  const indices = readIndices([form.value])
  if (
    (form.parallel.length > 0 && !isNearest(indices, form.loop, form.parallel)) ||
    (constantExtent(form.loop) ?? Infinity) <= 64
  )
    return undefined
  const whole = form.parallel.length === 0,
    length = planned(program, form.loop.lower, form.loop.upper, 1)
  const walk = (p: WalkPoint, exact: boolean): Walk => walkOf(form.parallel, form.loop, indices, p, exact)
  return {
    name: 'argument',
    ladder: whole ? ladderOn(chip) : rowLadder,
    space: whole ? walkSpace([2, 4, 8, 16].map(blocksOn(chip))) : rowWalkSpace,
    ...(!whole && { likely: () => (length < shortRow ? shortWalks(length) : length < fewSteps ? [] : [longWalk]) }),
    vectorSizes: rowSizes(arraysUsed(program, [form.value], [])),
    build: (p) => build(program, form, walk(p, false)),
    buildExact: (p) => ({ ...build(program, form, walk(p, true)), requires: wholeTiles(walk(p, true)) }),
  }
}

/**
 * Two warps to a row. 16,384 rows of 4,096 on an H200: 66 µs in CUDA and 64 in WGSL; eight threads each, whose warps
 * read of four rows at once, 70 and 79, though all their bytes are wanted.
 */
const longWalk = { ...walkBase, threads: 64, vector: 4, unroll: 4 }

/** Terms of a row below which that many threads do not all load at once. */
const fewSteps = longWalk.threads * longWalk.vector * longWalk.unroll

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

function ladderOn(chip: Chip): readonly Rung<WalkPoint>[] {
  const many = { ...walkBase, blocks: blocksOn(chip)(8) }
  return [
    { step: 'naive: one thread looks at everything', point: { ...walkBase, threads: 1 } },
    { step: 'one block, a tree of comparisons in workgroup memory', point: walkBase },
    { step: 'many blocks, then a second kernel over their results', point: many },
    { step: 'vector loads', point: { ...many, vector: 4 } },
    { step: 'several loads in flight', point: { ...many, vector: 4, unroll: 4 } },
  ]
}
const rowLadder: readonly Rung<WalkPoint>[] = [
  { step: 'naive: one thread per row', point: { ...walkBase, threads: 1, rows: 128 } },
  { step: 'one warp per row: neighbours read neighbours', point: { ...walkBase, threads: 32, rows: 8 } },
  { step: 'vector loads', point: { ...walkBase, threads: 32, rows: 8, vector: 4 } },
  { step: 'one block per row, several loads in flight', point: { ...walkBase, vector: 4, unroll: 4 } },
]

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

const isMax = (form: Argument): boolean => form.better === 'gt' || form.better === 'ge'
export const isFirst = (form: Argument): boolean => form.better === 'gt' || form.better === 'lt'
/** A value that no other is worse than, and a place that no other is later (or earlier) than. */
export const worst = (form: Argument): Expr => identityOf(isMax(form) ? 'max' : 'min', form.value.type)
export const nowhere = (form: Argument): Expr => int(isFirst(form) ? 2147483647 : -2147483648)

/** A value with its place. */
export interface Pair {
  readonly value: Expr
  readonly place: Expr
}

/** Whether `a` is to replace `b`. */
export function beats(form: Argument, a: Pair, b: Pair): Expr {
  const tie = op('land', [op('eq', [a.value, b.value]), op(isFirst(form) ? 'lt' : 'gt', [a.place, b.place])])
  return op('lor', [op(isMax(form) ? 'gt' : 'lt', [a.value, b.value]), tie])
}

export interface PairArrays {
  readonly values: ArrayDecl
  readonly places: ArrayDecl
}

function build(program: Program, form: Argument, w: Walk): Made {
  const head =
    w.rows > 1
      ? `${w.rows} rows per block, ${w.threads} threads each`
      : walkersInWords(w, form.parallel.length > 0 ? 'row' : 'all')
  const tree = w.threads > 1 ? [`a tree over ${w.threads} threads compares the best of each and its place`] : []
  if (w.blocks === 1)
    return {
      program,
      kernels: [kernelOfPairs(program, search(w, form, undefined), program.name, [head, ...walkWords(w), ...tree])],
    }
  const shape = [...form.parallel.map((l) => l.upper), int(w.blocks)]
  const values: ArrayDecl = {
    name: freshName(program, 'best_of'),
    type: form.best.type,
    shape,
    role: 'temp',
    space: 'global',
  }
  const places: ArrayDecl = { name: freshName(program, 'place_of'), type: 'i32', shape, role: 'temp', space: 'global' }
  const shared: Program = { ...program, arrays: [...program.arrays, values, places] }
  const one = walkOf(form.parallel, form.loop, [], { ...walkBase, threads: Math.min(256, w.threads) })
  return {
    program: shared,
    kernels: [
      kernelOfPairs(shared, search(w, form, { values, places }), `${program.name}_partial`, [
        `${head} find the best of their runs`,
        ...walkWords(w),
        ...tree,
      ]),
      kernelOfPairs(shared, final(one, form, { values, places }, w.blocks), `${program.name}_final`, [
        `one block${form.parallel.length > 0 ? ' per row' : ''} of ${one.threads} threads`,
        `a tree over ${one.threads} threads compares the best of each and its place`,
      ]),
    ],
  }
}

export const kernelOfPairs = (
  program: Program,
  body: readonly LoopStmt[],
  name: string,
  steps: readonly string[],
): Scheduled => ({
  program: { ...program, body },
  name,
  steps,
})

const ofAll = (w: Walk, form: Argument): PairArrays => ({
  values: ofGroup(w, 'best_all', form.best.type),
  places: ofGroup(w, 'place_all', 'i32'),
})
const ofOne = (w: Walk, form: Argument): PairArrays => ({
  values: ofThread(w, 'best_own', form.best.type),
  places: ofThread(w, 'place_own', 'i32'),
})
export const pairAt = (a: PairArrays, index: readonly Expr[]): Pair => ({
  value: read(a.values, index),
  place: read(a.places, index),
})
export const starting = (form: Argument, a: PairArrays, index: readonly Expr[]): readonly LoopStmt[] => [
  store(a.values, index, worst(form)),
  store(a.places, index, nowhere(form)),
]
export const declared = (...all: readonly ArrayDecl[]): readonly LoopStmt[] =>
  all.map((array) => ({ kind: 'declare', array }))

/** What each run (or row) has that is best. */
function search(w: Walk, form: Argument, partial: PairArrays | undefined): readonly LoopStmt[] {
  const at = partial ? loopVar('block_s') : int(0)
  const mine = ofOne(w, form),
    all = ofAll(w, form)
  const x = ofThread(w, 'x_own', form.best.type, w.unroll, w.vector)
  return overBlocks(w, [
    ...declared(mine.values, mine.places, all.values, all.places),
    ...phase(w, starting(form, mine, ownIndex(w))),
    ...overSteps(w, at, [...declared(x), ...look(w, form, mine, x, at)]),
    ...joined(w, form, mine, all),
    ...(partial
      ? storePair(partial, [...form.parallel.map((l) => loopVar(l.name)), at], pairAt(all, []))
      : results(w, form, all)),
  ])
}

export const storePair = (a: PairArrays, index: readonly Expr[], p: Pair): readonly LoopStmt[] => [
  store(a.values, index, p.value),
  store(a.places, index, p.place),
]

/** The threads look at a tile, each in the order of its own elements. */
function look(w: Walk, form: Argument, mine: PairArrays, x: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const own = ownIndex(w),
    uu = loopVar('uu'),
    vv = loopVar('vv'),
    lane = laneOf(w)
  const loaded = positionOf(w, at, uu, lane),
    position = positionOf(w, at, uu, vv)
  const value: Expr = form.guard ? choose(form.guard, form.value, worst(form)) : form.value
  const seen = read(x, [...own, uu, vv])
  const range = inside(w, position),
    better = op(form.better, [seen, read(mine.values, own)])
  // what stands for nothing is equal to the worst
  const wins = range && !isFirst(form) ? op('land', [range, better]) : better
  return [
    ...phase(
      w,
      overRows(
        w,
        overLanes(w, [
          store(x, [...own, uu, lane], guarded(atPosition(w, value, loaded), inside(w, loaded), worst(form))),
        ]),
      ),
    ),
    ...phase(
      w,
      overRows(
        w,
        overLanesInOrder(w, [
          store(mine.places, own, op('select', [wins, add(form.loop.lower, position), read(mine.places, own)])),
          store(mine.values, own, op('select', [wins, seen, read(mine.values, own)])),
        ]),
      ),
    ),
  ]
}

/** The best of what the threads of a group have. */
function joined(w: Walk, form: Argument, mine: PairArrays, all: PairArrays): readonly LoopStmt[] {
  const g = groupIndex(w),
    own = ownIndex(w)
  return [
    ...groupPhase(w, starting(form, all, g)),
    ...phase(w, [
      when(beats(form, pairAt(mine, own), pairAt(all, g)), [
        store(all.values, g, read(mine.values, own)),
        store(all.places, g, read(mine.places, own)),
      ]),
    ]),
  ]
}

/** The best of the runs. */
function final(w: Walk, form: Argument, partial: PairArrays, blocks: number): readonly LoopStmt[] {
  const mine = ofOne(w, form),
    all = ofAll(w, form),
    own = ownIndex(w)
  const from = op('add', [op('mul', [loopVar('run'), int(w.threads)]), loopVar('thread_s')])
  const seen = pairAt(partial, [...form.parallel.map((l) => loopVar(l.name)), from])
  const take = when(beats(form, seen, pairAt(mine, own)), storePair(mine, own, seen))
  const guardedTake = blocks % w.threads === 0 ? take : when(lt(from, int(blocks)), [take])
  return overBlocks(w, [
    ...declared(mine.values, mine.places, all.values, all.places),
    ...phase(w, starting(form, mine, own)),
    ...phase(w, [loop('run', int(Math.ceil(blocks / w.threads)), [guardedTake])]),
    ...joined(w, form, mine, all),
    ...results(w, form, all),
  ])
}

/** What the source stores, from the best of all and from what it started with. */
const results = (w: Walk, form: Argument, all: PairArrays): readonly LoopStmt[] =>
  groupPhase(w, where(rowInside(w), resultsAt(form, pairAt(all, groupIndex(w)), w.point)))

/** What reads elements is asked only where it is wanted. */
const pick = (condition: Expr, a: Expr, b: Expr): Expr =>
  readsArray(b) ? choose(condition, a, b) : op('select', [condition, a, b])

/** The same for the point of the parallel loops that `point` says. */
export function resultsAt(
  form: Argument,
  { value, place }: Pair,
  point: ReadonlyMap<string, Expr>,
): readonly LoopStmt[] {
  const first = substitute(form.first, point),
    start = substitute(form.start, point)
  const won = op('land', [op('ne', [place, nowhere(form)]), op(form.better, [value, first])])
  const best = pick(won, value, first),
    at = pick(won, substitute(form.at, new Map([...point, [form.loop.name, place]])), start)
  const f = (e: Expr): Expr =>
    rewriteExpr(substitute(e, point), (x) =>
      x.kind === 'read' && x.array === form.best.name
        ? best
        : x.kind === 'read' && x.array === form.place.name
          ? at
          : undefined,
    )
  return form.results.map((r) => ({ ...r, index: r.index.map((e) => substitute(e, point)), value: f(r.value) }))
}
