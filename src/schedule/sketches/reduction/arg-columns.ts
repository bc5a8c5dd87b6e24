// Argument down columns: where the greatest or least value of each column is, of what lies along the last parallel
// loop. Threads of a block have neighbouring columns and share each of them; where columns are few, blocks share them
// too, and a second kernel compares what they found. The one idea: a column or a row that is looked at twice changes
// nothing, so that what is past the end looks at the last one again instead of asking whether it is there.
import {
  add,
  ceilDiv,
  choose,
  constantExtent,
  div,
  freshName,
  int,
  loop,
  loopVar,
  lt,
  mul,
  op,
  read,
  sameExpr,
  sizesIn,
  store,
  sub,
  substitute,
  uses,
  when,
  type Argument,
  type ArrayDecl,
  type Binding,
  type Expr,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Program,
} from '../../../ir/index.ts'
import { isNearest, planned, readIndices, readsOf } from '../../../analysis/index.ts'
import { arraysUsed } from '../tile-walk.ts'
import { block, rowSizes, threads as threadsAt, unroll, vector, type Made, type Rung, type Sketch } from '../sketch.ts'
import { counted } from '../step-words.ts'
import {
  beats,
  declared,
  kernelOfPairs,
  pairAt,
  resultsAt,
  starting,
  storePair,
  worst,
  type PairArrays,
  type Pair,
} from './arg-reduction.ts'

/** Parameters of a search down columns. */
export type ArgColumnsPoint = {
  /** Columns (of `vector`) of a block. */
  readonly threads: number
  /** Threads that share a column. */
  readonly rows: number
  /** Rows in flight per thread. */
  readonly unroll: number
  /** Neighbouring columns of a thread. */
  readonly vector: number
  /** Blocks that share a column. */
  readonly blocks: number
  /** 1: the variant without guards is wanted, too. */
  readonly exact?: number
}

/** The sketch of a search down the columns of memory; `undefined` for others and for few constant steps. */
export function argumentColumns(program: Program, form: Argument): Sketch<ArgColumnsPoint> | undefined {
  const along = form.parallel[form.parallel.length - 1],
    indices = readIndices([form.value])
  if (
    !along ||
    !isNearest(indices, along) ||
    indices.some((index) => index.length > 0 && uses(index[index.length - 1]!, form.loop.name)) ||
    (constantExtent(form.loop) ?? Infinity) <= 64
  )
    return undefined
  const widths = hasWholeRows(program, form, along) ? [1, 4] : [1],
    full = form.parallel.length > 2
  const fits = (p: ArgColumnsPoint): boolean => widths.includes(p.vector) && (!full || p.blocks === 1)
  return {
    name: 'argument',
    ladder: ladder.filter(({ point }) => fits(point)),
    space: space.filter(fits),
    likely: (_: PlanValues, multiprocessors: number) => likely(program, form, multiprocessors).filter(fits),
    rounds: (p) => roundsOf(form, along, p),
    vectorSizes: rowSizes(arraysUsed(program, [form.value], [])),
    build: (p) => build(program, form, shapeOf(form, along, p, false)),
    buildExact: (p) =>
      p.vector === 1
        ? undefined
        : {
            ...build(program, form, shapeOf(form, along, p, true)),
            requires: [op('eq', [op('rem', [along.upper, int(p.vector)]), int(0)])],
          },
  }
}

/** Whether what is read along the columns is whole rows of memory: whole vectors of columns are there then. */
function hasWholeRows(program: Program, form: Argument, along: Loop): boolean {
  return readsOf([form.value]).every(({ array, index }) => {
    const last = index[index.length - 1]
    if (!last || !index.some((e) => uses(e, along.name))) return true
    const extent = program.arrays.find((a) => a.name === array)?.shape.at(-1)
    return (
      sameExpr(last, loopVar(along.name)) &&
      !index.slice(0, -1).some((e) => uses(e, along.name)) &&
      extent !== undefined &&
      sameExpr(extent, along.upper)
    )
  })
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

const base = { threads: 128, rows: 1, unroll: 1, vector: 1, blocks: 1 }
const ladder: readonly Rung<ArgColumnsPoint>[] = [
  { step: 'naive: one thread per column', point: base },
  { step: 'several rows in flight', point: { ...base, unroll: 8 } },
  { step: 'threads of a block share a column', point: { ...base, rows: 4, unroll: 8 } },
  {
    step: 'many blocks per column, then a second kernel over their results',
    point: { ...base, rows: 2, unroll: 8, blocks: 16 },
  },
  { step: 'vector loads', point: { ...base, threads: 64, rows: 4, unroll: 4, vector: 4, blocks: 16, exact: 1 } },
]
const space: readonly ArgColumnsPoint[] = [32, 64, 128, 256].flatMap((threads) =>
  [1, 2, 4, 8]
    .filter((rows) => threads * rows >= 64 && threads * rows <= 512)
    .flatMap((rows) =>
      [4, 8, 16].flatMap((unroll) =>
        [1, 4]
          .filter((vector) => vector * unroll <= 16)
          .flatMap((vector) =>
            [1, 4, 16, 64, 256].map(
              (blocks): ArgColumnsPoint => ({ threads, rows, unroll, vector, blocks, ...(vector > 1 && { exact: 1 }) }),
            ),
          ),
      ),
    ),
)

/** Threads of a multiprocessor that keep its memory busy. */
const busy = 1024

/** Neighbours whose rows touch few sectors of memory that others touch as well. */
const wide = 128

/** As many blocks to a column as fill the device. */
function likely(program: Program, form: Argument, multiprocessors: number): readonly ArgColumnsPoint[] {
  const count = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)
  const columns = Math.max(1, count(form.parallel)),
    rows = count([form.loop]),
    wanted = (busy * multiprocessors) / columns
  return space.filter(
    (p) =>
      p.threads * p.vector >= Math.min(wide, columns) &&
      p.threads * p.rows === 256 &&
      p.unroll * p.vector >= 8 &&
      (p.blocks === 1 || rows >= 4 * p.blocks * p.rows * p.unroll) &&
      p.blocks * p.rows >= wanted / 4 &&
      (p.blocks === 1 || p.blocks * p.rows <= 4 * wanted),
  )
}

/** Columns of a block, and rows that all threads of a column look at together: proofs see more of both. */
const roundsOf = (form: Argument, along: Loop, p: ArgColumnsPoint): Readonly<Record<string, number>> => ({
  ...firstSize(form.loop.upper, p.rows * p.unroll * p.blocks),
  ...firstSize(along.upper, p.threads * p.vector),
})

const firstSize = (e: Expr, n: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    sizesIn(e)
      .slice(0, 1)
      .map((name) => [name, n]),
  )

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

interface Shape {
  readonly along: Loop
  /** Columns (or vectors of them) of a block, and threads that share each. */
  readonly threads: number
  readonly rows: number
  /** Rows, and columns, that a thread looks at together. */
  readonly unroll: number
  readonly columns: number
  readonly blocks: number
  /** The columns of a thread are neighbours, and all of them are there. */
  readonly exact: boolean
  /** Rows. */
  readonly length: Expr
}

function shapeOf(form: Argument, along: Loop, p: ArgColumnsPoint, exact: boolean): Shape {
  const { threads = 1, rows = 1, unroll: u = 1, vector: columns = 1, blocks = 1 } = p
  return { along, threads, rows, unroll: u, columns, blocks, exact, length: sub(form.loop.upper, form.loop.lower) }
}

function build(program: Program, form: Argument, s: Shape): Made {
  const head = `${s.threads * s.rows} threads per block, ${counted(s.columns, 'column')} each`
  const words = [
    ...(s.exact ? [`each thread loads ${s.columns} neighbours at once`] : []),
    ...(s.unroll > 1 ? [`${s.unroll} rows in flight per thread`] : []),
    ...(s.rows > 1 ? [`a tree over ${s.rows} threads compares the best of each and its place`] : []),
  ]
  if (s.blocks === 1)
    return { program, kernels: [kernelOfPairs(program, search(form, s, undefined), program.name, [head, ...words])] }
  const shape = [...form.parallel.slice(0, -1).map((l) => l.upper), int(s.blocks), s.along.upper]
  const partial = (name: string, type: ArrayDecl['type']): ArrayDecl => ({
    name: freshName(program, name),
    type,
    shape,
    role: 'temp',
    space: 'global',
  })
  const found: PairArrays = { values: partial('best_of', form.best.type), places: partial('place_of', 'i32') },
    shared: Program = { ...program, arrays: [...program.arrays, found.values, found.places] }
  return {
    program: shared,
    kernels: [
      kernelOfPairs(shared, search(form, s, found), `${program.name}_partial`, [
        `${head}, ${s.blocks} blocks along a column find the best of their rows`,
        ...words,
      ]),
      kernelOfPairs(shared, final(form, s, found), `${program.name}_final`, [
        'one thread per column compares what blocks found',
      ]),
    ],
  }
}

const local = (name: string, type: ArrayDecl['type'], ...shape: readonly number[]): ArrayDecl => ({
  name,
  type,
  shape: shape.map(int),
  role: 'temp',
  space: 'private',
})

const column = loopVar('thread_c'),
  lane = loopVar('vc')
const own: readonly Expr[] = [loopVar('thread_r'), column, lane]

/** The column of a lane, and whether it is its thread's alone. */
function columnOf(s: Shape): { readonly at: Expr; readonly isOwn: Expr } {
  const among = add(mul(loopVar('block_c'), int(s.threads)), column)
  if (s.exact) {
    const vectors = div(s.along.upper, s.columns)
    return { at: add(mul(op('min', [among, sub(vectors, int(1))]), int(s.columns)), lane), isOwn: lt(among, vectors) }
  }
  const at = add(mul(add(mul(loopVar('block_c'), int(s.columns)), lane), int(s.threads)), column)
  return { at: op('min', [at, sub(s.along.upper, int(1))]), isOwn: lt(at, s.along.upper) }
}

const lanesOf = (s: Shape, body: readonly LoopStmt[], bind: Binding = unroll): LoopStmt =>
  loop('vc', int(s.columns), body, { bind })

/** Every thread does `body`. */
const phase = (s: Shape, body: readonly LoopStmt[]): LoopStmt =>
  loop('thread_r', int(s.rows), [loop('thread_c', int(s.threads), body, { bind: threadsAt(1) })], {
    bind: threadsAt(s.threads),
  })

/** The threads of every column do `body` together. */
const together = (s: Shape, body: readonly LoopStmt[]): LoopStmt =>
  loop('thread_c', int(s.threads), [lanesOf(s, body)], { bind: threadsAt(1) })

/** What each column has that is best, or each block's share of it. */
function search(form: Argument, s: Shape, partial: PairArrays | undefined): readonly LoopStmt[] {
  const pair = (name: string, ...shape: readonly number[]): PairArrays => ({
    values: local(`best_${name}`, form.best.type, ...shape),
    places: local(`place_${name}`, 'i32', ...shape),
  })
  const mine = pair('own', s.rows, s.threads, s.columns),
    all = pair('all', s.threads, s.columns),
    x = local('x_own', form.best.type, s.rows, s.threads, s.unroll, s.columns)
  const { at, isOwn } = columnOf(s),
    point = new Map([[s.along.name, at]]),
    best = pairAt(all, [column, lane])
  const result = partial
    ? storePair(partial, [...outer(form).map((l) => loopVar(l.name)), loopVar('block_r'), at], best)
    : resultsAt(form, best, point)
  return overBlocks(form, s, partial !== undefined, [
    ...declared(mine.values, mine.places, all.values, all.places),
    phase(s, [lanesOf(s, starting(form, mine, own))]),
    ...overRows(s, (row) => [{ kind: 'declare', array: x }, ...look(form, s, mine, x, row, point)]),
    together(s, starting(form, all, [column, lane])),
    together(s, [
      loop(
        'thread_r',
        int(s.rows),
        [when(beats(form, pairAt(mine, own), best), storePair(all, [column, lane], pairAt(mine, own)))],
        { bind: threadsAt(s.threads) },
      ),
    ]),
    together(s, [when(isOwn, result)]),
  ])
}

const outer = (form: Argument): readonly Loop[] => form.parallel.slice(0, -1)

function overBlocks(form: Argument, s: Shape, shared: boolean, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const axes: readonly Binding[] = [block('y'), block('z')],
    before = shared ? 1 : 0
  const columns = loop('block_c', ceilDiv(s.along.upper, s.threads * s.columns), body, { bind: block('x') }),
    runs = shared ? [loop('block_r', int(s.blocks), [columns], { bind: axes[0]! })] : [columns]
  return [...outer(form)]
    .reverse()
    .reduce<readonly LoopStmt[]>((inner, l, n) => [{ ...l, bind: axes[n + before]!, body: inner }], runs)
}

/** The rows of a thread, `unroll` at a time; what is past the end is the last row again. */
function overRows(s: Shape, body: (row: Expr) => readonly LoopStmt[]): readonly LoopStmt[] {
  const tile = s.unroll * s.blocks * s.rows,
    whole = div(s.length, tile),
    run = s.blocks > 1 ? loopVar('block_r') : int(0)
  const rowAt = (step: string): Expr => {
    const group = add(mul(loopVar(step), int(s.unroll)), loopVar('uu'))
    return add(mul(add(mul(group, int(s.blocks)), run), int(s.rows)), loopVar('thread_r'))
  }
  const last = sub(s.length, int(1))
  return [
    loop('step', whole, body(rowAt('step'))),
    loop('step_rest', ceilDiv(s.length, tile), body(op('min', [rowAt('step_rest'), last])), { lower: whole }),
  ]
}

/** The threads look at `unroll` rows, each in the order of its own. */
function look(
  form: Argument,
  s: Shape,
  mine: PairArrays,
  x: ArrayDecl,
  row: Expr,
  point: ReadonlyMap<string, Expr>,
): readonly LoopStmt[] {
  const place = add(form.loop.lower, row),
    value = substitute(
      form.guard ? choose(form.guard, form.value, worst(form)) : form.value,
      new Map([...point, [form.loop.name, place]]),
    )
  const seen = read(x, [loopVar('thread_r'), column, loopVar('uu'), lane])
  const wins = op(form.better, [seen, read(mine.values, own)])
  const each = (body: readonly LoopStmt[], bind: Binding): LoopStmt =>
    loop('uu', int(s.unroll), [lanesOf(s, body, bind)], { bind: unroll })
  return [
    phase(s, [each([store(x, [loopVar('thread_r'), column, loopVar('uu'), lane], value)], s.exact ? vector : unroll)]),
    phase(s, [
      each(
        [
          store(mine.places, own, op('select', [wins, place, read(mine.places, own)])),
          store(mine.values, own, op('select', [wins, seen, read(mine.values, own)])),
        ],
        unroll,
      ),
    ]),
  ]
}

/** The best of what blocks found of each column. */
function final(form: Argument, s: Shape, partial: PairArrays): readonly LoopStmt[] {
  const t: Shape = { ...s, threads: 128, rows: 1, unroll: 1, columns: 1, blocks: 1, exact: false },
    { at, isOwn } = columnOf(t)
  const best: PairArrays = {
      values: local('best_own', form.best.type, t.threads),
      places: local('place_own', 'i32', t.threads),
    },
    mine = pairAt(best, [column])
  const seen: Pair = pairAt(partial, [...outer(form).map((l) => loopVar(l.name)), loopVar('run'), at])
  const body: readonly LoopStmt[] = [
    ...starting(form, best, [column]),
    loop('run', int(s.blocks), [when(beats(form, seen, mine), storePair(best, [column], seen))]),
    when(isOwn, resultsAt(form, mine, new Map([[s.along.name, at]]))),
  ]
  const one = loop('thread_c', int(t.threads), [loop('vc', int(1), body, { bind: unroll })], { bind: threadsAt(1) })
  return overBlocks(form, t, false, [...declared(best.values, best.places), one])
}
