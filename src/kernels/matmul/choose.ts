// In: the sizes of a product. Out: the tile and the number of slices along k. The one idea: a device of `cores` is as slow
// as its busiest core; few tiles leave cores idle, so k is cut until they have work, for the price of adding the slices up.
import type { Tuning } from '../core.ts'

export interface Choice { readonly tile: 'large' | 'medium' | 'narrow' | 'small'; readonly splits: number }

interface Tile {
  readonly rows: number
  readonly columns: number
  readonly depth: number
  /** Of the fastest tile's rate when cores are full (bench/data/h200-gemm-sweep.json). */
  readonly rate: number
  /** Blocks that a core needs at once for that rate, and that it can hold. */
  readonly need: number
  readonly hold: number
}

const tiles: Readonly<Record<Choice['tile'], Tile>> = {
  large: { rows: 128, columns: 256, depth: 16, rate: 1, need: 1, hold: 1 },
  medium: { rows: 64, columns: 128, depth: 8, rate: 0.97, need: 4, hold: 4 },
  narrow: { rows: 128, columns: 64, depth: 8, rate: 0.945, need: 4, hold: 4 },
  small: { rows: 32, columns: 32, depth: 16, rate: 0.3, need: 2, hold: 8 },
}

/** Streaming multiprocessors or their like, guessed: WebGPU does not say. An H200 has 132. */
const coresOf: Readonly<Record<Tuning, number>> = { nvidia: 132, generic: 32, software: 4 }

/** Multiplications and additions of a full core per second, bytes per second, and seconds per launch: an H200's, which set the balance. */
const core = 1.9e11, memory = 3e12, launch = 3e-6
/** Seconds that one more slice takes to add when there are few sums. */
const row = 1e-7
/** Steps along k that starting and ending a block is worth. */
const ends = 40

const slices = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 128]

/** Seconds of [m, k] · [k, n] in `splits` slices: for comparison only. */
function seconds(t: Tile, cores: number, m: number, n: number, k: number, splits: number): number {
  const blocks = Math.ceil(m / t.rows) * Math.ceil(n / t.columns) * splits
  const busiest = Math.ceil(blocks / cores)
  const full = Math.min(1, Math.min(busiest, t.hold) / t.need)
  const whole = m % t.rows === 0 && n % t.columns === 0 && (k / splits) % t.depth === 0
  const vectors = n % 4 === 0 && (k / splits) % 4 === 0
  const guards = whole ? 1 : vectors ? 1.1 : 1.35
  const work = (busiest * t.rows * t.columns * (k / splits + ends) * guards) / (core * t.rate * full)
  return work + (splits > 1 ? launch + splits * row + (4 * (splits + 1) * m * n) / memory : 0)
}

/** The fastest choice by the estimate. `large` is there only for whole tiles and devices whose `fits` says so. */
export function choose(tuning: Tuning, m: number, n: number, k: number, batch: number, fits: (tile: Choice['tile']) => boolean): Choice {
  if (tuning === 'software' || !fits('medium')) return { tile: 'small', splits: 1 }
  const cuts = batch > 1 ? [1] : slices.filter((s) => s === 1 || (k % s === 0 && k / s >= 32))
  let best: Choice = { tile: 'medium', splits: 1 }, least = Infinity
  for (const tile of ['medium', 'narrow', 'large'] as const) {
    for (const splits of cuts) {
      const t = tiles[tile]
      if (tile === 'narrow' && (batch > 1 || !fits('narrow'))) continue
      if (tile === 'large' && (tuning !== 'nvidia' || batch > 1 || m % t.rows !== 0 || n % t.columns !== 0 || (k / splits) % t.depth !== 0 || !fits('large'))) continue
      const time = seconds(t, coresOf[tuning], m, n, k, splits)
      if (time < least) { least = time; best = { tile, splits } }
    }
  }
  return best
}
