// In: a contraction, sizes, how many multiprocessors. Out: tiles of the output, those first that should be fastest at
// these sizes. The one idea: blocks do the same work, so a launch takes as long as the multiprocessor with most of
// them; large tiles are faster while all have as many. Rates are fitted to bench/data/h200-products.json, those of CUDA
// to h200-cuda-tiles.json; on other GPUs they say which tile to try first, no more.
import {
  int,
  planValue,
  sub,
  type Expr,
  type Loop,
  type PlanValues,
  type TargetName,
  someExpr,
  isFree,
  substitute,
} from '../../../ir/index.ts'

/** Parameters of a product in tiles. */
export type TilePoint = {
  /** Rows and columns of outputs of a block, and terms that it takes at a time. */
  readonly bm: number
  readonly bn: number
  readonly bk: number
  /** Rows and columns of outputs of a thread. */
  readonly tm: number
  readonly tn: number
  /** Rows and columns of threads of a warp. */
  readonly lanesI: number
  readonly lanesJ: number
  /** Neighbours that a thread loads at once. */
  readonly vector: number
  /** Elements added to rows of a tile that is turned. */
  readonly pad: number
  /** 1: the next tiles are loaded ahead, the last ones twice; 2: not, by a branch. */
  readonly prefetch: number
  /** Tiles of each factor in workgroup memory. */
  readonly buffers: number
  /** Terms that are written out. */
  readonly unrollK: number
  /** 1: threads load squares of a factor that is turned on its way. */
  readonly squares?: number
  /** 1: factors that lie with the terms inside are turned in a launch before. */
  readonly turn?: number
  /** Slices of the sum, which blocks share. */
  readonly slices?: number
  /** 1: on matrix units. */
  readonly units?: number
  /** 1: rows of the tiles are loaded into registers ahead; 2: across tiles, too, where all of them are written out. */
  readonly pipeline?: number
  /** 1: the variant without guards is for sizes whose outputs tiles divide, too. */
  readonly whole?: number
  /** 1: the variant without guards is wanted. */
  readonly exact?: number
}

export interface ContractionShape {
  readonly i: Loop
  readonly j: Loop
  readonly k: Loop
  readonly batch: readonly Loop[]
  /** Blocks can share a tile's sum. */
  readonly sliceable: boolean
  /** A guard leaves out about half of the outputs. */
  readonly half: boolean
  /** Factors that turning first would change: those that lie with k inside, or of which the sum uses a part. */
  readonly left: boolean
  readonly right: boolean
}

interface Tile {
  readonly point: TilePoint
  /** Multiplications and additions per microsecond of a multiprocessor that has `together` blocks at a time. */
  readonly rate: number
  readonly together: number
  /** As many blocks take the time that one of them takes alone. */
  readonly need: number
  /** What is left of the rate where a factor is turned on its way into workgroup memory. */
  readonly left: number
  readonly right: number
  /** What is left of it where rows do not begin at vectors. */
  readonly odd: number
  /** Only where a factor is used in part, and its copy in whole steps. */
  readonly uneven?: true
}

const pointOf = (bm: number, bn: number, bk: number, tm: number, tn: number, buffers: number): TilePoint => ({
  bm,
  bn,
  bk,
  tm,
  tn,
  lanesI: 8,
  lanesJ: 4,
  vector: 4,
  pad: 4,
  prefetch: 1,
  buffers,
  unrollK: bk,
  pipeline: buffers === 1 ? 2 : 0,
})

const pointsOfTiles = {
  '64×64': pointOf(64, 64, 16, 8, 8, 1),
  '64×96': pointOf(64, 96, 16, 8, 8, 1),
  '64×128': pointOf(64, 128, 8, 8, 8, 2),
  '64×128, long steps': pointOf(64, 128, 16, 8, 8, 1),
  '64×256': pointOf(64, 256, 16, 8, 16, 1),
  '96×128': pointOf(96, 128, 16, 12, 8, 1),
  '128×128': pointOf(128, 128, 16, 8, 16, 1),
  '128×256': pointOf(128, 256, 16, 8, 16, 1),
} as const

const tile = (name: keyof typeof pointsOfTiles, rate: number, need: number, left: number): Tile => ({
  point: pointsOfTiles[name],
  rate,
  together: 1,
  need,
  left,
  right: 0.94,
  odd: 1,
})

/** WGSL, and sums that are longer for some outputs than for others in CUDA. */
const tiles: readonly Tile[] = [
  tile('64×128', 176e3, 1.3, 1),
  tile('128×256', 190e3, 1, 0.92),
  tile('64×256', 184e3, 1.5, 0.96),
  tile('128×128', 183e3, 1.6, 0.94),
  tile('64×64', 152e3, 2.3, 0.93),
  { ...tile('64×128, long steps', 190e3, 1.3, 1), uneven: true },
  // for windows with 96 filters; nobody has measured it: the rate is a careful one
  tile('96×128', 160e3, 1.6, 0.94),
  // read in doitgen alone (bench/data/h200-triangles.json): the rate is a careful one
  tile('64×96', 150e3, 1.5, 0.94),
]

const cudaTile = (
  name: keyof typeof pointsOfTiles,
  rate: number,
  [together, need]: readonly [number, number],
  [left, right, odd]: readonly [number, number, number],
): Tile => ({ point: pointsOfTiles[name], rate, together, need, left, right, odd })

/**
 * CUDA, a row multiplied behind the loads: rates of tiles at 4096³ and of turned factors at 1024 × 8192 × 8192 (the
 * readings' `behind`); what blocks take together and rows that do not begin at vectors are fitted to those without.
 */
const cudaTiles: readonly Tile[] = [
  cudaTile('64×128', 174e3, [3, 1.3], [1, 0.87, 0.95]),
  cudaTile('128×256', 200.5e3, [1, 1], [0.985, 0.89, 0.89]),
  cudaTile('64×256', 197e3, [2, 1.65], [0.975, 0.92, 0.9]),
  cudaTile('128×128', 199e3, [2, 1.63], [1, 0.93, 0.905]),
  cudaTile('64×64', 163e3, [6, 3], [1, 0.95, 1]),
  cudaTile('64×128, long steps', 181e3, [3, 2.4], [1, 0.93, 1]),
  // not measured in CUDA: as above
  cudaTile('96×128', 160e3, [1, 1.6], [0.94, 0.94, 1]),
  cudaTile('64×96', 150e3, [1, 1.5], [0.94, 0.94, 1]),
]

/** Microseconds of one more launch, bytes per microsecond of a copy. */
const launch = 2.7,
  copying = 3.6e6
/** Steps of k that beginning and ending a block is worth. */
const ends = 16

/** Terms of a sum below which one row more of multiplications takes longer than waiting for the loads. */
const shortestPipelined = 64

/** Slices of a sum to try, terms that a slice has at least, and bytes per microsecond of adding slices up. */
const slices = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64],
  shortest = 128,
  adding = 2.8e6
/** Of the time without slices, what they must come below: a second launch and a temporary are not for nothing. */
const worth = { wgsl: 0.9, cuda: 0.95 }

/** Slices that leave no multiprocessor without a block, or with one more than others, are tried, too. */
const sliceCounts = ({ bm, bn }: TilePoint, { m, n }: Extents, multiprocessors: number): readonly number[] => {
  const blocks = Math.ceil(m / bm) * Math.ceil(n / bn)
  const even = [1, 2, 3].map((rounds) => Math.floor((rounds * multiprocessors) / blocks))
  return [...new Set([...slices, ...even])].filter((s) => s > 1)
}

/** Points for `shape` at `values`, the likeliest first; none where its extents cannot be told. */
export function likelyTiles(
  shape: ContractionShape,
  values: PlanValues,
  multiprocessors: number,
  target: TargetName = 'wgsl',
): readonly TilePoint[] {
  const e = extentsOf(shape, values)
  if (!e) return []
  const uneven = isUneven(shape),
    own = e.k < shortestPipelined ? { pipeline: 0 } : {},
    cuda = target === 'cuda' && !uneven,
    known = cuda ? cudaTiles : tiles
  // in CUDA a left factor is turned on its way as fast as in a copy
  const turns = shape.right || (shape.left && !cuda) ? [0, 1] : [0]
  const whole = known.flatMap((t) =>
    (t.uneven ? (uneven ? [1] : []) : turns).map((turn) => ({
      point: { ...t.point, ...own, ...(turn ? { turn } : { squares: 1 }) },
      us: time(t, e, shape, turn === 1, multiprocessors, 1),
    })),
  )
  const cut = shape.sliceable
    ? known
        .filter((t) => !t.uneven)
        .flatMap((t) =>
          sliceCounts(t.point, e, multiprocessors)
            .filter((s) => e.k >= s * shortest)
            .map((s) => ({
              point: { ...t.point, squares: 1, slices: s },
              us: time(t, e, shape, false, multiprocessors, s),
            })),
        )
    : []
  const best = Math.min(...whole.map((x) => x.us)),
    all = [
      ...whole,
      ...cut
        .filter((x) => x.us < worth[target] * best)
        .sort((a, b) => a.us - b.us)
        .slice(0, 4),
    ]
  return all.sort((a, b) => a.us - b.us).map((x) => x.point)
}

/** The sum is longer for some outputs than for others. */
const isUneven = ({ k }: ContractionShape): boolean => !isFree(k)

interface Extents {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly batch: number
}

function time(
  { point: { bm, bn }, rate, together, need, left: turnedLeft, right: turnedRight, odd }: Tile,
  { m, n, k, batch }: Extents,
  shape: ContractionShape,
  turn: boolean,
  multiprocessors: number,
  cut: number,
): number {
  const { half, left, right } = shape,
    uneven = isUneven(shape) // long blocks come first, short ones fill the gaps
  const rows = Math.ceil(m / bm),
    columns = Math.ceil(n / bn),
    blocks = cut * batch * (half ? (rows * columns + Math.max(rows, columns)) / 2 : rows * columns)
  const own = uneven ? blocks / multiprocessors + 0.5 : Math.ceil(blocks / multiprocessors),
    last = together > 1 ? own % together : own // blocks of the last round
  const busiest = own - last + (last > 0 ? Math.max(need, last) : 0)
  const full = (turn ? 1 : (left ? turnedLeft : 1) * (right ? turnedRight : 1)) * (n % 4 === 0 && k % 4 === 0 ? 1 : odd)
  const copies = turn
    ? [left ? m : 0, right ? n : 0]
        .filter((own) => own > 0)
        .reduce((us, own) => us + launch + (8 * batch * own * k) / copying, 0)
    : 0
  const sums = cut > 1 ? launch + (4 * (cut + 1) * m * n) / adding : 0
  return (busiest * bm * bn * (k / cut + ends)) / (rate * full) + copies + sums
}

function extentsOf({ i, j, k, batch }: ContractionShape, values: PlanValues): Extents | undefined {
  const middles = new Map<string, Expr>()
  const extent = (l: Loop): number => {
    const e = planValue(substitute(sub(l.upper, l.lower), middles), values)
    middles.set(l.name, int(Math.floor(planValue(substitute(l.lower, middles), values) + e / 2)))
    return Math.max(1, e)
  }
  const unknown = [...batch, i, j, k].some((l) => [l.lower, l.upper].some((e) => hasOther(e, values)))
  if (unknown) return undefined
  const outer = batch.reduce((product, l) => product * extent(l), 1)
  return { batch: outer, m: extent(i), n: extent(j), k: extent(k) }
}

/** Whether `e` names a size without a value: a variable of a loop of the host. */
function hasOther(e: Expr, values: PlanValues): boolean {
  return someExpr(e, (x) => x.kind === 'read' || (x.kind === 'size' && !Object.hasOwn(values.sizes, x.name)))
}
