// In: the sizes of a product. Out: the tile and the number of slices along k. The one idea: a device of `cores` is as
// slow as its busiest core; few tiles leave cores idle, so k is cut until they have work, for the price of adding the
// slices up.
import { coresOf, type Tuning } from '../device/core.ts'

export type TileName = 'any' | 'large' | 'quick' | 'slim' | 'small'

/** Tile and slices along k, `any/4`. */
export type Choice = `${TileName}/${number}`

/** `n`: rows of A are along k, rows of B along n; `t`: stored transposed. */
export type LayoutName = 'nn' | 'nt' | 'tn' | 'tt'

interface Tile {
  readonly rows: number
  readonly columns: number
  /** k of a slice is a multiple of it. */
  readonly depth: number
  /**
   * Multiplications and additions of a full core per microsecond, by layout; of a layout that is not there, factors are
   * turned first: B, or both.
   */
  readonly rate: Readonly<Partial<Record<LayoutName, number>>>
  /**
   * Blocks that a core needs at once for that rate, also where few tiles share what they load, and that it can hold: as
   * many at least.
   */
  readonly need: number
  readonly lone?: number
  readonly hold: number
  /** What is lost while blocks that start together do the same at the same time. */
  readonly together: number
  /** Steps along k that starting and ending a block is worth. */
  readonly ends: number
}

/**
 * Fitted to bench/data/h200-matmul-tiles.json (robustness on). `slim` is for sizes that whole tiles divide, and results
 * of few rows or columns.
 */
const tiles: Readonly<Record<Exclude<TileName, 'small'>, Tile>> = {
  any: {
    rows: 64,
    columns: 128,
    depth: 8,
    rate: { nn: 182e3, nt: 174e3, tn: 186e3, tt: 176e3 },
    need: 1.25,
    lone: 2.3,
    hold: 3,
    together: 0.05,
    ends: 13,
  },
  large: { rows: 128, columns: 256, depth: 16, rate: { tn: 197e3 }, need: 1, hold: 8, together: 0.025, ends: 25 },
  quick: { rows: 32, columns: 64, depth: 16, rate: { nn: 103e3 }, need: 1, hold: 8, together: 0, ends: 134 },
  slim: { rows: 64, columns: 64, depth: 16, rate: { nn: 163e3, tn: 160e3 }, need: 2.3, hold: 7, together: 0, ends: 13 },
}

/**
 * Microseconds of one more launch on the device, and of any on the host; per slice when there are few sums; bytes per
 * microsecond of adding slices up, and of copies.
 */
export const launch = 2.7,
  host = 6,
  row = 0.14,
  adding = 2.8e6,
  copying = 3.6e6

/** Slices of k that are looked at, at most: it bounds the candidates that are ranked. */
export const mostSlices = 128

/** What is to be multiplied: [m, k] · [k, n], as they are stored. */
export interface Extents {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly batch: number
  readonly layout: LayoutName
}

export const up = (x: number, to: number): number => Math.ceil(x / to) * to

/**
 * The extents with which a tile runs: rows that vectors divide, also of factors that are turned for it, and k that its
 * depth divides.
 */
export function extentsFor(
  tile: TileName,
  { m, n, k, layout }: Extents,
): { readonly m: number; readonly n: number; readonly k: number; readonly layout: LayoutName } {
  if (tile === 'small') return { m, n, k, layout }
  const { depth, rate } = tiles[tile],
    rows = layout[0] === 't' ? 'tn' : 'nn',
    as = layout in rate ? layout : rows in rate ? rows : tile === 'quick' ? 'nn' : 'tn'
  return { m: as[0] === 't' || layout[0] === 't' ? up(m, 4) : m, n: up(n, 4), k: up(k, depth), layout: as }
}

/**
 * Microseconds of [m, k] · [k, n] in `splits` slices on a full-size device, with the copies it needs, or of the host
 * where it takes longer: for comparison only.
 */
function time(name: Exclude<TileName, 'small'>, cores: number, e: Extents, splits: number): number {
  const t = tiles[name],
    x = extentsFor(name, e),
    { m, n, k } = x
  const busiest = Math.ceil((Math.ceil(m / t.rows) * Math.ceil(n / t.columns) * splits * e.batch) / cores)
  const rest = busiest % t.hold,
    units = busiest - rest + (rest > 0 ? Math.max(rest, (Math.min(m, n) <= 128 && t.lone) || t.need) : 0)
  const full = 1 - t.together * Math.min(1, t.hold / busiest)
  // `extentsFor` gives a layout that has a rate
  const work = (units * t.rows * t.columns * (k / splits + t.ends)) / (t.rate[x.layout]! * full)
  let launches = splits > 1 ? 2 : 1
  const copy = (elements: number, times: number): number => {
    launches += times
    return times * (launch + (8 * elements * e.batch) / copying)
  }
  const ragged = k !== e.k,
    turned = [0, 1].map((f) => e.layout[f] !== x.layout[f])
  const copies = [m * k, k * n].reduce(
    (sum, elements, f) => sum + copy(elements, +(ragged || (f === 0 ? m !== e.m : n !== e.n)) + +turned[f]!),
    copy(m * n, +(m !== e.m || n !== e.n)),
  )
  const device = work + copies + (splits > 1 ? launch + splits * row + (4 * (splits + 1) * m * n) / adding : 0)
  return Math.max(device, host * launches) + device / 1e3
}

/** Tiles and slices with the microseconds that they should take, the fewest first. */
export function ranked(
  tuning: Tuning,
  e: Extents,
): readonly { readonly tile: TileName; readonly splits: number; readonly us: number }[] {
  const names = (Object.keys(tiles) as (keyof typeof tiles)[]).filter(
    (tile) => tile === 'any' || (e.batch === 1 && (tile !== 'slim' || Math.min(e.m, e.n) <= 128)),
  )
  return names
    .flatMap((tile) => {
      const { k } = extentsFor(tile, e),
        { depth } = tiles[tile]
      return Array.from({ length: mostSlices }, (_, i) => i + 1)
        .filter((s) => s === 1 || (e.batch === 1 && k % (s * depth) === 0 && k / s >= 64))
        .map((splits) => ({ tile, splits, us: time(tile, coresOf[tuning], e, splits) }))
    })
    .sort((a, b) => a.us - b.us)
}

/**
 * What can be taken, the fastest by the estimate first; `small`, which fits everywhere, is last, and first on software
 * devices.
 */
export function* choices(
  tuning: Tuning,
  e: Extents,
  fits: (tile: TileName, splits: number) => boolean,
): Generator<Choice> {
  if (tuning === 'software') yield small
  for (const { tile, splits } of ranked(tuning, e)) if (fits(tile, splits)) yield `${tile}/${splits}`
  if (tuning !== 'software') yield small
}

const small: Choice = 'small/1'
