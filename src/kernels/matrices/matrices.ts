// Products of f32 on matrix units, which multiply f16 and add f32: x · y ≈ hi·hi + hi·lo + lo·hi, where x = hi + lo are
// two numbers of f16. Loaded by `connect` where a device has such units. The one idea: factors are scaled by powers of
// two, so that f16's range is enough for both pieces; all else is as in `matmul`, which asks here first. Which
// products, and in how many slices along k, choose.ts says.
//
// What is lost is at most 2⁻²² of |x · y| and 2⁻³⁸ of the product of the greatest of both factors, for each term; that
// of a factor whose greatest is below 2⁻¹¹³ is more, as a power of two ends at 2¹²⁶. Where an infinity or NaN is a
// term, the sum is no finite number; it has no part in others.
import type { Core } from '../device/core.ts'
import { up, type LayoutName } from '../matmul/choose.ts'
import { inVectors, sizesOf, sliced } from '../matmul/matmul.ts'
import { units, type Problem } from '../matmul/problem.ts'
import { recipe } from '../made/matrices.made.js'
import { isRight } from './check.ts'
import { unitsChoices, type UnitsChoice, type Chooser, type ProductSizes } from './choose.ts'
import { powers } from './powers.ts'
import { updatesOf } from './updates.ts'

/** Multiplies on the device's matrix units from now on, where there are such units and a product with them is right. */
export async function matrices(core: Core): Promise<void> {
  if (hasUnits(core)) await use(core, unitsChoices)
}

/** The same on any device that computes the plans, as `choose` says. */
export async function use(core: Core, choose: Chooser): Promise<boolean> {
  const right = await isRight(core).catch(() => false) // the device refused it
  if (right) units.set(core, { multiply: (p) => multiply(p, choose), updates: (v, rank) => updatesOf(v, rank, choose) })
  return right
}

/** A kind of product that a device's matrix units do (Dawn's `subgroupMatrixConfigs`). */
interface Config {
  readonly componentType: string
  readonly resultComponentType: string
  readonly M: number
  readonly N: number
  readonly K: number
}

/** Whether the device multiplies 16 × 16 matrices of f16 and adds in f32. */
function hasUnits({ device, info }: Core): boolean {
  // the standard has none yet
  const configs = (info as { readonly subgroupMatrixConfigs?: Iterable<Config> } | null)?.subgroupMatrixConfigs ?? []
  return (
    device.features.has('shader-f16') &&
    [...configs].some(
      (c) => c.componentType === 'f16' && c.resultComponentType === 'f32' && c.M === 16 && c.N === 16 && c.K === 16,
    )
  )
}

function multiply(p: Problem, choose: Chooser): boolean {
  const { core, m, n, k, batch, a, b } = p,
    layout: LayoutName = `${p.ta ? 't' : 'n'}${p.tb ? 't' : 'n'}`
  if (batch > 1 || a.dtype !== 'f32' || b.dtype !== 'f32' || !hasRoom(p)) return false
  const [larger = '', ...all] = core.once(`matrices ${layout} ${m} ${n} ${k}`, () => {
    const fits = (x: ProductSizes, splits: number): boolean =>
        core.fits(recipe, layout, sizesOf({ ...x, batch }, splits)),
      x = sizesFor(p, fits)
    return x
      ? [`${x.m} ${x.n} ${x.k}`, ...choose(core.tuning, { m, n, k, batch, layout }, x, (splits) => fits(x, splits))]
      : ['', 'plain']
  })
  const choice = core.pick(
      `matrices${larger === `${m} ${n} ${k}` ? '' : ' odd'} ${layout}`,
      [m, n, k],
      all,
    ) as UnitsChoice,
    [M = m, N = n, K = k] = larger.split(' ').map(Number) // one of them
  if (choice === 'plain') return false
  inVectors(p, { m: M, n: N, k: K }, (q) => {
    const [left, right] = powers(q.a, q.b)
    sliced(q, slicesOf(choice), {
      module: 'matrices',
      recipe,
      plan: layout,
      arrays: { a: left.memory, b: right.memory },
    })
    for (const t of [left, right]) t.dispose()
  })
  return true
}

/** Whether the device binds what is fused beside the factors, their powers of two and the result. */
function hasRoom({ core, end }: Problem): boolean {
  const own = 5 + (end('C')?.hook.bindings.length ?? 0)
  // every device binds 8; asking costs a microsecond in Dawn
  return own <= 8 || own <= core.device.limits.maxStorageBuffersPerShaderStage
}

const slicesOf = (choice: UnitsChoice): number => Number(choice.slice(choice.indexOf('/') + 1))

/** Steps to which extents may be rounded up, where a plan does not take them as they are. */
const steps = [1, 4, 16, 64, 128, 256]

/** The least extents from those of the product on that a plan takes: rows and columns are rounded alike. */
function sizesFor(
  { m, n, k }: ProductSizes,
  fits: (x: ProductSizes, splits: number) => boolean,
): ProductSizes | undefined {
  const all = steps.flatMap((side) =>
    steps.map((depth): ProductSizes => ({ m: up(m, side), n: up(n, side), k: up(k, depth) })),
  )
  return all.sort((x, y) => x.m * x.n * x.k - y.m * y.n * y.k).find((x) => fits(x, 1))
}
