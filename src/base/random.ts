// In: a seed. Out: a deterministic stream of numbers (splitmix32). The one idea: nothing below `run/`, `tune/` and
// `cli/` draws randomness of its own; all random data come from a seed that a report can print.

/** A source of uniform numbers. */
export interface Random {
  /** The next integer in 0 … 2³²−1. */
  bits(): number
  /** The next number in [0, 1), with 32 random bits. */
  unit(): number
  /** The next integer in `[low, high]`, both included. */
  int(low: number, high: number): number
}

/** A stream that depends on `seed` (any number; its low 32 bits count) alone. */
export function random(seed: number): Random {
  let state = seed | 0
  const bits = (): number => {
    state = (state + 0x9e3779b9) | 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  const unit = (): number => bits() / 4294967296
  return { bits, unit, int: (low, high) => low + Math.floor(unit() * (high - low + 1)) }
}
