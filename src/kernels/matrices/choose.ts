// In: the sizes of a product. Out: in how many slices along k matrix units should do it, or that the plain tiles
// should. The one idea: the time of matmul/choose.ts with a tile of their own; factors are read once more for their
// powers of two, and that is two launches.
import { coresOf, type Tuning } from '../device/core.ts'
import { adding, copying, host, launch, mostSlices, ranked, row, type Extents } from '../matmul/choose.ts'

/** `units/4`: in four slices; `plain`: by the tiles of matmul. */
export type UnitsChoice = `units/${number}` | 'plain'

/** Extents with which a plan runs: those of the product, or larger ones. */
export type ProductSizes = Pick<Extents, 'm' | 'n' | 'k'>

/**
 * Which slices, or `plain`, the fastest first, when units take the product with extents `x`; `fits` says whether a plan
 * takes so many slices; with the tile `squares` when none is given. `found`: elements whose powers of two are not known
 * yet, those of both factors when absent.
 */
export type Chooser = (
  tuning: Tuning,
  e: Extents,
  x: ProductSizes,
  fits: (splits: number) => boolean,
  tile?: Tile,
  found?: number,
) => readonly UnitsChoice[]

/**
 * Elements of a block's tile; terms of a slice at least; multiplications and additions of a full core per microsecond;
 * steps along k that starting and ending a block is worth.
 */
interface Tile {
  readonly rows: number
  readonly columns: number
  readonly depth: number
  readonly rate: number
  readonly ends: number
}

/**
 * From two products each on an H200: 4096³ in 1400 µs and 16384 × 1024 × 256 in 111; 64 × 8192 with k = 4096 in 2
 * slices 61 and in 4 slices 63.
 */
export const unitTiles = {
  squares: { rows: 128, columns: 128, depth: 256, rate: 385e3, ends: 62 },
  slim: { rows: 64, columns: 128, depth: 256, rate: 289e3, ends: 95 },
} as const satisfies Readonly<Record<string, Tile>>

/** Extents below which tiles are mostly empty. */
const fewest = { side: 32, k: 64 }

/** Most of what `choices` gives. */
const mostChoices = 12

/**
 * Microseconds of [m, k] · [k, n] in `splits` slices on a full-size device, with powers of two that are to be found of
 * `found` elements.
 */
function time(cores: number, { m, n, k }: ProductSizes, tile: Tile, splits: number, found: number): number {
  const blocks = Math.ceil((Math.ceil(m / tile.rows) * Math.ceil(n / tile.columns) * splits) / cores)
  const work = (blocks * tile.rows * tile.columns * (k / splits + tile.ends)) / tile.rate
  const read = (4 * (m * k + k * n)) / copying,
    scales = 2 * launch + (8 * found) / copying // half of what a copy moves
  const sum = splits > 1 ? launch + splits * row + (4 * (splits + 1) * m * n) / adding : 0
  return Math.max(Math.max(work, read) + scales + sum, host * (splits > 1 ? 4 : 3))
}

/** Microseconds of copies of factors, and of the result, where extents grow from e to x. */
function copies(e: ProductSizes, x: ProductSizes): number {
  const grown = (['m', 'n', 'k'] as const).map((d) => e[d] !== x[d]),
    [m, n, k] = grown
  return (
    [
      [x.m * x.k, m || k],
      [x.k * x.n, k || n],
      [x.m * x.n, m || n],
    ] as const
  ).reduce((sum, [elements, copied]) => sum + (copied ? launch + (8 * elements) / copying : 0), 0)
}

export const unitsChoices: Chooser = (tuning, e, x, fits, tile = unitTiles.squares, found = x.k * (x.m + x.n)) => {
  if (tuning === 'software' || Math.min(e.m, e.n) < fewest.side || e.k < fewest.k) return ['plain']
  const slices = Array.from({ length: mostSlices }, (_, i) => i + 1).filter(
    (s) => s === 1 || (x.k % s === 0 && x.k / s >= tile.depth),
  )
  const timed = slices
    .map((s) => ({
      choice: `units/${s}` as const,
      splits: s,
      us: time(coresOf[tuning], x, tile, s, found) + copies(e, x),
    }))
    .sort((a, b) => a.us - b.us)
  const plain = ranked(tuning, e)[0]!.us // `any` is always there
  const likely = timed.filter((t) => fits(t.splits)).slice(0, mostChoices - 1)
  const before = likely.filter((t) => t.us < plain)
  return [...before.map((t) => t.choice), 'plain', ...likely.slice(before.length).map((t) => t.choice)]
}
