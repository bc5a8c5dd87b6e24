// What an update of NMF needs of the data and the other factor, in three launches: F Fᵀ in slices beside the greatest of F's parts; both to the
// end; F V or F Vᵀ on matrix units. The one idea: V stays what it is, so its powers of two are found once, and both layouts are read as they lie.
import { coresOf } from '../core.ts'
import type { Extents } from '../matmul/choose.ts'
import { sizesOf } from '../matmul/matmul.ts'
import type { Updates } from '../matmul/problem.ts'
import { recipe } from '../made/matrices.made.js'
import { blank, type Tensor } from '../tensor.ts'
import type { Chooser } from './choose.ts'
import { blankPower, cut, power } from './powers.ts'

/** Terms of a slice of F Fᵀ at least, a multiple of what the plan takes at once. */
const depth = 128

/** Updates for V [m, n] and factors of `rank`; `null` where plans do not fit, or other products are faster. */
export function updatesOf(v: Tensor, rank: number, choose: Chooser): Updates | null {
  const { core } = v, [m = 0, n = 0] = v.shape
  const extents = (tb: boolean): Extents => ({ m: rank, n: tb ? m : n, k: tb ? n : m, batch: 1, layout: tb ? 'nt' : 'nn' })
  const fits = (e: Extents, splits: number): boolean => core.fits(recipe, e.layout, sizesOf(e, splits))
  const all = (tb: boolean): readonly string[] => {
    const e = extents(tb)
    return core.once(`nmf matrices ${e.layout} ${rank} ${m} ${n}`, () => choose(core.tuning, e, e, (splits) => fits(e, splits), rank * e.k))
  }
  const gramFits = (p: number): boolean => core.fits(recipe, 'gram', { splits: slicesFor(p), r: rank, p: p / slicesFor(p), parts: 4, n: 4 }) && (rank * p) % 32 === 0
  if ([true, false].some((tb) => all(tb)[0] === 'plain' || !fits(extents(tb), 1)) || ![m, n].every(gramFits)) return null
  const scale = power(v)
  return {
    dispose: () => scale.dispose(),
    with: (f, tb) => {
      const e = extents(tb), { square, own } = gram(f, rank, e.k)
      const splits = Number(core.pick(`nmf matrices ${e.layout}`, [e.m, e.n, e.k], all(tb).filter((c) => c !== 'plain')).split('/')[1])
      const above = blank(core, [splits, rank, e.n], 'f32')
      core.record({
        module: 'matrices', recipe, plan: e.layout, sizes: sizesOf(e, splits), arrays: { A: f.buffer, B: v.buffer, a: own.buffer, b: scale.buffer, C: above.buffer },
        cost: { bytes: f.bytes + v.bytes + above.bytes, flop: 2 * rank * m * n },
      })
      own.dispose()
      return { above, square }
    },
  }

  /** F Fᵀ [1, r, r] and the powers of two of F [r, p]. */
  function gram(f: Tensor, r: number, p: number): { readonly square: Tensor; readonly own: Tensor } {
    const splits = slicesFor(p), { parts, each } = cut(f)
    const slices = blank(core, [splits, r, r], 'f32'), top = blank(core, [parts], 'f32'), square = blank(core, [1, r, r], 'f32'), own = blankPower(core)
    core.record({
      module: 'matrices', recipe, plan: 'gram', sizes: { splits, r, p: p / splits, parts, n: each }, arrays: { F: f.buffer, bits: f.buffer, square: slices.buffer, top: top.buffer },
      cost: { bytes: f.bytes + slices.bytes, flop: 2 * p * r * r },
    })
    core.record({
      module: 'matrices', recipe, plan: 'whole', sizes: { splits, m: r * r, parts }, arrays: { slices: slices.buffer, top: top.buffer, square: square.buffer, power: own.buffer },
      cost: { bytes: slices.bytes + square.bytes, flop: slices.length },
    })
    for (const t of [slices, top]) t.dispose()
    return { square, own }
  }

  /** Slices of F Fᵀ along p: as many blocks as the device has cores. */
  function slicesFor(p: number): number {
    const most = Math.ceil(coresOf[core.tuning] / Math.ceil(rank / 64) ** 2), possible = Array.from({ length: most }, (_, i) => most - i)
    return possible.find((s) => p % (s * depth) === 0) ?? 1
  }
}
