// What an update of NMF needs of the data and the other factor, in three launches: two for F's power of two, and F V or
// F Vᵀ beside F Fᵀ on matrix units. The one idea: V stays what it is, so its power is found once, and both layouts are
// read as they lie.
import type { Extents } from '../matmul/choose.ts'
import type { Updates } from '../matmul/problem.ts'
import { recipe } from '../made/matrices.made.js'
import type { Sizes } from '../recipe.ts'
import { blank, type Tensor } from '../tensor.ts'
import { unitTiles, type Chooser } from './choose.ts'
import { power } from './powers.ts'

/** Updates for V [m, n] and factors of `rank`; `null` where plans do not fit, or other products are faster. */
export function updatesOf(v: Tensor, rank: number, choose: Chooser): Updates | null {
  const { core } = v,
    [m = 0, n = 0] = v.shape
  const extents = (tb: boolean): Extents => ({
    m: rank,
    n: tb ? m : n,
    k: tb ? n : m,
    batch: 1,
    layout: tb ? 'nt' : 'nn',
  })
  const planOf = (e: Extents): string => `update-${e.layout}`,
    sizesOf = (e: Extents, splits: number): Sizes => ({ splits, r: rank, n: e.n, p: e.k / splits })
  const fits = (e: Extents, splits: number): boolean => core.fits(recipe, planOf(e), sizesOf(e, splits))
  const all = (tb: boolean): readonly string[] => {
    const e = extents(tb)
    return core.once(`nmf matrices ${e.layout} ${rank} ${m} ${n}`, () =>
      choose(core.tuning, e, e, (splits) => fits(e, splits), unitTiles.slim, rank * e.k),
    )
  }
  if ([true, false].some((tb) => all(tb)[0] === 'plain' || !fits(extents(tb), 1))) return null
  const scale = power(v)
  return {
    dispose: () => scale.dispose(),
    with: (f, tb) => {
      const e = extents(tb),
        own = power(f)
      const splits = Number(
        core
          .pick(
            `nmf matrices ${e.layout}`,
            [e.m, e.n, e.k],
            all(tb).filter((c) => c !== 'plain'),
          )
          .split('/')[1],
      )
      const above = blank(core, [splits, rank, e.n], 'f32'),
        square = blank(core, [splits, rank, rank], 'f32')
      core.record({
        module: 'matrices',
        recipe,
        plan: planOf(e),
        sizes: sizesOf(e, splits),
        arrays: {
          F: f.memory,
          V: v.memory,
          a: own.memory,
          b: scale.memory,
          above: above.memory,
          square: square.memory,
        },
        cost: { bytes: f.bytes + v.bytes + above.bytes + square.bytes, flop: 2 * rank * e.k * (e.n + rank) },
      })
      own.dispose()
      return { above, square }
    },
  }
}
