// In: the sizes of a product. Out: the tile and the number of slices along k. The one idea: a device of `cores` is as slow
// as its busiest core; few tiles leave cores idle, so k is cut until they have work, for the price of adding the slices up.
import { coresOf, type Tuning } from '../core.ts'

export type TileName = 'medium' | 'square' | 'slim' | 'small'

/** Tile and slices along k, `medium/4`. */
export type Choice = `${TileName}/${number}`

interface Tile {
  readonly rows: number
  readonly columns: number
  readonly depth: number
  /** Multiplications and additions of a full core per microsecond, when whole tiles divide the sizes and when not. */
  readonly whole: number
  readonly guarded: number
  /** Blocks that a core needs at once for that rate, and that it can hold. */
  readonly need: number
  readonly hold: number
  /** What is lost while blocks that start together do the same at the same time. */
  readonly together: number
}

/** Fitted to bench/data/h200-matmul-tiles.json (robustness on), where the choice is on average 1 % slower than the best. `square` is there for guards. */
const tiles: Readonly<Record<Exclude<TileName, 'small'>, Tile>> = {
  medium: { rows: 64, columns: 128, depth: 8, whole: 184e3, guarded: 159e3, need: 1.3, hold: 4, together: 0.11 },
  square: { rows: 128, columns: 128, depth: 8, whole: 172e3, guarded: 172e3, need: 1.17, hold: 3, together: 0.05 },
  slim: { rows: 64, columns: 64, depth: 16, whole: 155e3, guarded: 0, need: 2.19, hold: 8, together: 0.02 },
}

/** Microseconds of one more launch, and per slice when there are few sums; bytes per microsecond of adding slices up; steps along k that starting and ending a block is worth. */
const launch = 2.7, row = 0.14, memory = 2.8e6, ends = 7.5

const slices = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 128]

/** Microseconds of [m, k] · [k, n] in `splits` slices on a full-size device: for comparison only. */
function time(t: Tile, cores: number, m: number, n: number, k: number, splits: number): number {
  const busiest = Math.ceil((Math.ceil(m / t.rows) * Math.ceil(n / t.columns) * splits) / cores)
  const full = Math.min(1, Math.min(busiest, t.hold) / t.need) * (1 - t.together * Math.min(1, t.hold / busiest))
  const whole = m % t.rows === 0 && n % t.columns === 0 && (k / splits) % t.depth === 0
  const work = (busiest * t.rows * t.columns * (k / splits + ends)) / ((whole ? t.whole : t.guarded) * full)
  return work + (splits > 1 ? launch + splits * row + (4 * (splits + 1) * m * n) / memory : 0)
}

/** What can be taken, the fastest by the estimate first; `small`, which fits everywhere, is last, and first on software devices. */
export function* choices(tuning: Tuning, m: number, n: number, k: number, batch: number, fits: (tile: TileName, splits: number) => boolean): Generator<Choice> {
  if (tuning === 'software') yield small
  const cuts = batch > 1 ? [1] : slices.filter((s) => s === 1 || (k % s === 0 && k / s >= 64))
  const timed = (['medium', 'square', 'slim'] as const).flatMap((tile) => cuts.map((splits) => ({ tile, splits, us: time(tiles[tile], coresOf[tuning], m, n, k, splits) })))
  for (const { tile, splits } of timed.sort((a, b) => a.us - b.us)) if (fits(tile, splits)) yield `${tile}/${splits}`
  if (tuning !== 'software') yield small
}

const small: Choice = 'small/1'
