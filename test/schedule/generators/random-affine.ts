// Random affine programs through the whole pipeline: taken apart, given a random point per part, simulated. All values
// are small integers, so that every order of summation gives the same.
import { isDeepStrictEqual } from 'node:util'
import { DiagnosticError, random } from '../../../src/base/index.ts'
import { printProgram, type Program } from '../../../src/ir/index.ts'
import { analyse, type Analysed } from '../../../src/pipeline.ts'
import type { Point, Sketch } from '../../../src/schedule/index.ts'
import { randomProgram } from '../../random-program.ts'
import { pairsProgram } from './pair-sums.ts'
import { shapedProgram } from './shaped-nests.ts'
import { walkingProgram } from './row-walks.ts'
import { stagedProgram } from './butterfly-stages.ts'
import { integers, results, simulated, type Sizes } from '../support.ts'

/** `large`: values that f32 does not hold exactly, or more work than the simulator does. */
export type Outcome =
  | 'same'
  | 'large'
  | { readonly seed: number; readonly why: string; readonly program: string; readonly points: unknown }

/** `undefined` when nothing outside can see what the program computes. */
function analysed(p: Program): Analysed | undefined {
  try {
    return analyse(p)
  } catch (e) {
    if (e instanceof DiagnosticError && e.diagnostics[0]?.code === 'pipeline.empty') return undefined
    throw e
  }
}

function changes(p: Program, after: Record<string, readonly number[]>, sizes: Sizes, seed: number): boolean {
  const before = integers(p, { sizes, scalars: {} }, seed)
  return Object.entries(after).some(([name, values]) => values.some((x, i) => x !== Number(before[name]![i])))
}

/** The random affine program of a seed. */
export const tryProgram = (seed: number): Tried =>
  tryOne(randomProgram(seed, { exact: true, depth: 1 + (seed % 4) }), { n: 5, m: 6 }, seed)

/** The same, planned for sizes at which loops that must run in order go to the host. */
export function tryLarge(seed: number): Tried {
  const p = randomProgram(seed, { exact: true, depth: 2 + (seed % 3) })
  return tryOne({ ...p, sizes: p.sizes.map((s) => ({ ...s, planned: 4000 })) }, { n: 5, m: 6 }, seed)
}

/** Sums over pairs, with fewer and more rows than a block has lanes for. */
export const tryPairs = (seed: number): Tried =>
  tryOne(pairsProgram(seed), { n: [1, 7, 37][seed % 3]!, m: [1, 9, 14][(seed % 5) % 3]! }, seed) // three each

/** The program of a seed in a shape that schedules are made for; every other time its size allows vectors. */
export const tryShaped = (seed: number): Tried => tryOne(shapedProgram(seed), { n: seed % 2 === 0 ? 8 : 7 }, seed)

/**
 * The program of a seed that walks along rows or columns; every other time strips and groups divide what it walks
 * along.
 */
export const tryWalking = (seed: number): Tried =>
  tryOne(walkingProgram(seed), { n: 11, m: seed % 2 === 0 ? 66 : 139 }, seed)

/** Steps that double or halve a distance, in spans of a few elements, of sizes that are powers of two and others. */
export function tryStaged(seed: number): Tried {
  const n = [64, 100, 128, 37, 16, 5][seed % 6]!,
    spans = [3, 4, 5, 6, 7].flatMap((span) =>
      [0, 1, 2, 3]
        .filter((c) => c < span - 1)
        .flatMap((columns) => [1, 4].map((threads) => ({ span, columns, threads }))),
    ) // six
  return tryOne(stagedProgram(seed), { n, m: 4 * Math.max(n, 16) }, seed, (sketch) =>
    sketch.name === 'stages' ? spans : [],
  )
}

interface Tried {
  readonly outcome: Outcome
  readonly sketches: readonly string[] /** Whether the host runs a loop. */
  readonly host?: boolean
}

/** One program and one choice of points, of `more` where there are any. */
function tryOne(p: Program, sizes: Sizes, seed: number, more: (sketch: Sketch) => readonly Point[] = () => []): Tried {
  const r = random(seed)
  const names = p.arrays.map((x) => x.name),
    want = results(p, names, sizes, seed)
  const a = analysed(p)
  if (!a)
    return {
      outcome: changes(p, want, sizes, seed)
        ? { seed, why: 'it does compute something', program: printProgram(p), points: [] }
        : 'same',
      sketches: [],
    }
  const sketches = a.parts.map((x) => x.sketch.name)
  const points = a.parts.map(({ sketch }) => {
    const own = more(sketch),
      all = own.length > 0 ? own : [...sketch.ladder.map((x) => x.point), ...sketch.space]
    return all[r.int(0, all.length - 1)]!
  })
  const bad = (why: string): Tried => ({ outcome: { seed, why, program: printProgram(p), points }, sketches })
  // Beyond 2²³ f32 no longer holds every integer.
  if (
    Object.values(want).some((v) => v.some((x) => Math.abs(x) > 2 ** 23)) ||
    !isDeepStrictEqual(results(p, names, sizes, seed, 'declared'), want)
  )
    return { outcome: 'large', sketches }
  try {
    const got = simulated(a, points, sizes, seed, seed % 2 === 0 ? { warp: 32 } : {})
    if (got.hazards.length > 0) return bad(got.hazards[0]!)
    for (const [name, values] of Object.entries(want)) {
      const at = values.findIndex((v, i) => Number(got.arrays[name]![i]) !== v)
      if (at >= 0) return bad(`${name}: element ${at} is ${got.arrays[name]![at]}, not ${values[at]}`)
    }
    return { outcome: 'same', sketches, host: a.order.some((s) => typeof s !== 'number') }
  } catch (e) {
    if (e instanceof DiagnosticError && ['simulate.steps', 'simulate.size'].includes(e.diagnostics[0]?.code ?? ''))
      return { outcome: 'large', sketches } // thousands of blocks for a few elements, a tile written out
    return bad(e instanceof DiagnosticError ? `refused: ${e.message}` : String(e))
  }
}
