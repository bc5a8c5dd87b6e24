// An update of a factor for the sum of squares, H ∘ (Wᵀ V) ÷ (Wᵀ W H), in two launches. The one idea: Wᵀ V and Wᵀ W are
// sums over the same rows of W, cut into the same slices by one launch; the other one multiplies by H and adds slices
// up where it loads and stores.
import type { Hook } from '../fusion/adapted-text.ts'
import { coresOf, type Core } from '../device/core.ts'
import { recipe } from '../made/nmf.made.js'
import { summed } from '../map/map.ts'
import { blank, type Tensor } from '../tensor.ts'

/** Stands for a denominator that is 0: the distance from 1 to the next f32. */
export const epsilon = 2 ** -23

/** [p, n] data, rank r. */
export interface NmfExtents {
  readonly p: number
  readonly n: number
  readonly r: number
}

/**
 * Rows of a step along p; blocks that a core holds, and needs for its full speed; steps of 16 rows of the tile per
 * microsecond then; bytes of slices added up per microsecond.
 */
const depth = 16,
  hold = 2,
  need = 1.57,
  rate = 21,
  adding = 2.8e6
/** Slices of p that are looked at, at most: it bounds the candidates that are ranked. */
const mostSlices = 32

/** Whether an update has a plan here: p in whole steps, rows that vectors divide, and a device that is no CPU. */
export const canUpdate = (core: Core, { p, n, r }: NmfExtents): boolean =>
  core.tuning !== 'software' && p % depth === 0 && core.fits(recipe, 'above', { splits: 1, p, n, r })

/** Plan and slices, `above-whole/4`, those first that should be fastest. */
function choices(core: Core, { p, n, r }: NmfExtents): readonly string[] {
  const blocks = Math.ceil(r / 64) * (Math.ceil(n / 128) + Math.ceil(r / 64))
  const time = (splits: number): number => {
    const busiest = Math.ceil((blocks * splits) / coresOf[core.tuning]),
      rest = busiest % hold
    return (
      ((busiest - rest + (rest > 0 ? need : 0)) * (p / splits + depth)) / rate + (4 * splits * r * (n + r)) / adding
    )
  }
  const slices = Array.from({ length: mostSlices }, (_, i) => i + 1)
    .filter((s) => p % (s * depth) === 0)
    .sort((a, b) => time(a) - time(b))
  return slices
    .flatMap((s) =>
      ['above-whole', 'above']
        .filter((plan) => core.fits(recipe, plan, { splits: s, p: p / s, n, r }))
        .map((plan) => `${plan}/${s}`),
    )
    .slice(0, 12)
}

/** H after an update; V [p, n], W [p, r], H [r, n]. */
export function updated(core: Core, v: Tensor, w: Tensor, h: Tensor): Tensor<'f32'> {
  const [p = 0, n = 0] = v.shape,
    r = w.shape[1]!
  const [plan = '', count] = core
      .pick(
        'nmf',
        [r, n, p],
        core.once(`nmf ${r} ${n} ${p}`, () => choices(core, { p, n, r })),
      )
      .split('/'),
    splits = Number(count)
  const above = blank(core, [splits, r, n], 'f32'),
    square = blank(core, [splits, r, r], 'f32')
  core.record({
    module: 'nmf',
    recipe,
    plan,
    sizes: { splits, p: p / splits, n, r },
    arrays: { V: v.memory, W: w.memory, above: above.memory, square: square.memory },
    cost: { bytes: v.bytes + w.bytes + above.bytes + square.bytes, flop: 2 * p * r * (n + r) },
  })
  return divided(above, square, h)
}

/** Whether the last launch of an update has a plan here. */
export const canDivide = (core: Core, r: number, n: number): boolean => core.fits(recipe, 'last', lastSizes(r, n))

const lastSizes = (r: number, n: number): Readonly<Record<string, number>> => ({ splits: 1, n: r, m: n, p: r })

/**
 * H [r, n] ∘ above ÷ (square · H), of slices [·, r, n] and [·, r, r] that are still to be summed up, and disposed here.
 */
export function divided(above: Tensor, square: Tensor, h: Tensor): Tensor<'f32'> {
  const { core } = h,
    [r = 0, n = 0] = h.shape,
    out = blank(core, [r, n], 'f32'),
    [slices = 1, own = 1] = [above.shape[0], square.shape[0]]
  core.record({
    module: 'nmf',
    recipe,
    plan: 'last',
    sizes: lastSizes(r, n),
    arrays: { A: core.unused, B: h.memory, C: out.memory },
    hooks: [denominator(square, own), quotient(above, h, slices)],
    hookKey: `${own} ${slices}`,
    cost: { bytes: above.bytes + square.bytes + h.bytes + out.bytes, flop: 2 * r * r * n },
  })
  for (const t of [above, square]) t.dispose()
  return out
}

const vector = (width: number): string => (width === 1 ? 'f32' : `vec${width}<f32>`)

/** The Gram matrix, where it is loaded. */
function denominator(square: Tensor, splits: number): Hook {
  return {
    array: 'A',
    bindings: [{ name: 'square', buffer: square.memory, typeOf: vector }],
    fields: [{ name: 'squaren', type: 'u32', value: square.length / splits }],
    functions: '',
    body: (width) => `  return ${summed('square', splits, width)};`,
  }
}

/** Its product with the factor divides where it is stored. */
function quotient(above: Tensor, old: Tensor, splits: number): Hook {
  return {
    array: 'C',
    bindings: [
      { name: 'above', buffer: above.memory, typeOf: vector },
      { name: 'old', buffer: old.memory, typeOf: vector },
    ],
    fields: [{ name: 'aboven', type: 'u32', value: above.length / splits }],
    functions: '',
    body: (width) =>
      `  C[i] = old[i] * (${summed('above', splits, width)}) / select(v, ${vector(width)}(${epsilon}), v == ` +
      `${vector(width)}(0.0));`,
  }
}
