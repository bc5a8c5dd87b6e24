// Sums whose neighbours in memory share nothing, while other results share what they read: products of many matrices
// whose batch is innermost, `c[i][j][b] = Σ a[i][k][b] · x[k][j][b]`. Neighbouring threads take neighbours of b, so
// that every load is whole lines; each thread makes a tile of results over i and j in registers, so that what it loads
// serves a row or a column of the tile (unroll-and-jam: Callahan, Carr and Kennedy (1990), "Improving register
// allocation for subscripted variables"). Warps of a block take neighbouring tiles, whose elements are in L1 by then.
// Nothing goes through workgroup memory: threads have no element in common.
import {
  affineOf,
  coefficient,
  int,
  nestProgram,
  op,
  sub,
  uses,
  type Expr,
  type Loop,
  type Nest,
  type Program,
  type Read,
} from '../../../ir/index.ts'
import { isInapplicable } from '../../../base/index.ts'
import { planned, uniqueReads } from '../../../analysis/index.ts'
import { pad } from '../../primitives/pad.ts'
import { registerTile } from '../../primitives/register-tile.ts'
import { reorder } from '../../primitives/reorder.ts'
import { bindAll, splitLevels, step } from '../../script.ts'
import { block, threads, tryPoint, unroll, type Made, type Rung, type Scheduled, type Sketch } from '../sketch.ts'

/** Parameters of an unrolled and jammed sum. */
export type JamPoint = {
  /** Threads along the innermost loop. */
  readonly lanes: number
  /** Results of a thread along the two loops. */
  readonly rows: number
  readonly columns: number
  /** Tiles of a block along the two loops. */
  readonly down: number
  readonly across: number
  /** Terms of the innermost loop of the sum whose elements are asked for at once. */
  readonly deep: number
  /** 1: a variant for sizes that tiles divide has no conditions. */
  readonly exact: number
}

/** The loops: results along `i` and `j` share what they read, those along `lane` are neighbours in memory. */
interface Roles {
  readonly i: Loop
  readonly j: Loop
  readonly lane: Loop
  /** The innermost loop of the sum. */
  readonly k: Loop
  readonly others: readonly Loop[]
}

/**
 * Of the innermost loop, from which on a warp has work; of each of the loops that are jammed; and of all results, below
 * which there are too few threads with tiles, and sums are better shared by several.
 */
const fewestLanes = 32,
  fewestJammed = 4,
  fewestResults = 2 ** 17

/** The sketch of a sum, or `undefined` where no two loops are worth a tile. */
export function unrollAndJam(program: Program, part: Nest): Sketch<JamPoint> | undefined {
  const roles = rolesOf(program, part)
  if (!roles) return undefined
  const build = (p: JamPoint): Made => ({ program, kernels: [scheduled(program, part, roles, p, 'guard')] })
  const ladder = ladderOf()
  if (ladder.some((r) => isInapplicable(tryPoint({ build }, r.point)))) return undefined
  return {
    name: 'unroll-and-jam',
    ladder,
    space: space(),
    vectorSizes: {},
    build,
    buildExact: (p) => ({
      program,
      kernels: [scheduled(program, part, roles, p, 'divides')],
      requires: [
        divides(roles.i, p.rows * p.down),
        divides(roles.j, p.columns * p.across),
        divides(roles.lane, p.lanes),
        divides(roles.k, p.deep),
      ].flat(),
    }),
  }
}

const divides = (l: Loop, by: number): readonly Expr[] =>
  by === 1 ? [] : [op('eq', [op('rem', [sub(l.upper, l.lower), int(by)]), int(0)])]

function ladderOf(): readonly Rung<JamPoint>[] {
  const base: JamPoint = { lanes: 32, rows: 1, columns: 1, down: 1, across: 4, deep: 1, exact: 1 }
  return [
    { step: 'a thread for each result, neighbours in memory side by side', point: base },
    {
      step: 'a tile of results a thread, whose elements serve rows and columns of it',
      point: { ...base, lanes: 128, across: 1, rows: 4, columns: 4 },
    },
    { step: 'tiles of a block share what is in L1', point: { ...base, rows: 4, columns: 4, down: 2, across: 2 } },
    { step: 'several terms in flight', point: { ...base, rows: 4, columns: 4, down: 2, across: 2, deep: 4 } },
    { step: 'larger tiles', point: { ...base, rows: 8, columns: 4, down: 2, across: 4, deep: 4 } },
  ]
}

const space = (): readonly JamPoint[] =>
  [32, 64, 128].flatMap((lanes) =>
    [
      [2, 2],
      [4, 2],
      [4, 4],
      [8, 4],
      [8, 8],
    ].flatMap(([rows = 1, columns = 1]) =>
      [
        [1, 1],
        [1, 2],
        [1, 4],
        [2, 2],
        [2, 4],
        [4, 4],
      ].flatMap(([down = 1, across = 1]) =>
        lanes * down * across <= mostThreads
          ? [1, 2, 4].map((deep) => ({ lanes, rows, columns, down, across, deep, exact: 1 }))
          : [],
      ),
    ),
  )

/** Threads of a block, each of which has registers for a tile. */
const mostThreads = 256

function rolesOf(program: Program, { parallel, reduction: r, out }: Nest): Roles | undefined {
  if (!r || parallel.length < 3) return undefined
  const reads = uniqueReads(r.value).filter((x) => r.loops.some((l) => isIn(x, l))),
    lane = parallel.find((l) => isLast(out.index, l) && reads.every((x) => !isIn(x, l) || isLast(x.index, l)))
  const extent = (l: Loop): number => planned(program, l.lower, l.upper, 1)
  if (!lane || !reads.some((x) => isIn(x, lane)) || extent(lane) < fewestLanes) return undefined
  if (parallel.reduce((n, l) => n * extent(l), 1) < fewestResults) return undefined
  const shared = parallel
    .filter((l) => l !== lane && extent(l) >= fewestJammed && reads.some((x) => isIn(x, lane) && !isIn(x, l)))
    .slice(-2)
  const [i, j] = shared
  // Each element is loaded for more than one result.
  if (!i || !j || !reads.every((x) => !isIn(x, i) || !isIn(x, j))) return undefined
  return { i, j, lane, k: r.loops.at(-1)!, others: parallel.filter((l) => ![i, j, lane].includes(l)) }
}

const isIn = (x: Read, l: Loop): boolean => x.index.some((e) => uses(e, l.name))

/** Whether the loop steps through neighbours of the last dimension, and through no other. */
function isLast(index: readonly Expr[], l: Loop): boolean {
  const last = index.at(-1),
    form = last && affineOf(last)
  return form !== undefined && coefficient(form, l.name) === 1 && !index.slice(0, -1).some((e) => uses(e, l.name))
}

function scheduled(
  program: Program,
  part: Nest,
  { i, j, lane, k, others }: Roles,
  p: JamPoint,
  tail: 'guard' | 'divides',
): Scheduled {
  const rows = splitLevels(
    nestProgram(program, part),
    i.name,
    'block_i',
    [
      { name: 'thread_i', extent: p.down },
      { name: 'row', extent: p.rows },
    ],
    tail,
  )
  const columns = splitLevels(
    rows.program,
    j.name,
    'block_j',
    [
      { name: 'thread_j', extent: p.across },
      { name: 'column', extent: p.columns },
    ],
    tail,
  )
  const lanes = splitLevels(columns.program, lane.name, 'block_l', [{ name: 'thread_l', extent: p.lanes }], tail)
  const names = [...rows.names, ...columns.names, ...lanes.names],
    own = ['row', 'column'].filter((n) => names.includes(n)),
    across = ['thread_i', 'thread_j', 'thread_l'].filter((n) => names.includes(n))
  const count = p.lanes * p.down * p.across,
    words = `${count} threads per block, ${p.rows} × ${p.columns} results each, ${p.deep} terms at a time`
  const terms = splitLevels(lanes.program, k.name, 'step_k', [{ name: 'term', extent: p.deep }], tail),
    summed = [...part.reduction!.loops.map((l) => (l === k ? 'step_k' : l.name)), ...terms.names] // it has one
  let s = step({ program: terms.program, steps: [] }, words, (q) =>
    reorder(q, { order: [...others.map((l) => l.name), 'block_i', 'block_j', 'block_l', ...across, ...own] }),
  )
  s = step(s, null, (q) => registerTile(q, { tile: own }))
  s = step(s, null, (q) =>
    pad(q, {
      into: part.reduction!.into.name, // it has one
      reduction: summed,
      near: true,
    }),
  )
  s = step(s, null, (q) =>
    bindAll(q, [
      ...others.map((l) => [l.name, block('z')] as const),
      ['block_i', block('z')],
      ['block_j', block('y')],
      ['block_l', block('x')],
      ['thread_i', threads(p.lanes * p.across)],
      ['thread_j', threads(p.lanes)],
      ['thread_l', threads(1)],
      ...[...own, ...terms.names].map((n) => [n, unroll] as const),
    ]),
  )
  return { program: s.program, name: program.name, steps: s.steps }
}
