// Every plan of the library (a part of them in `npm test`), in the simulator, against its definition in float64: races,
// reads of what nothing wrote, and results, at sizes that nothing divides, that vectors divide, and (where such are
// small) that whole tiles divide.
// The texts are made from these plans.
import { beforeAll, describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { planValue, type Plan, type Program } from '../../src/ir/index.ts'
import type { PlanSpec } from '../../src/kernels/spec.ts'
import { verificationSizes, verifyPlan } from '../../src/tune/index.ts'
import { someOf } from '../support/long.ts'
import { madeOf, prepare, specs } from '../../tools/kernels.ts'

beforeAll(prepare)

type Sizes = Readonly<Record<string, number>>

/** Sizes by how many there are: small ones first, as batches stand first. */
const odd = [
  [],
  [4099],
  [67, 133],
  [3, 67, 133],
  [3, 67, 37, 21],
  [3, 2, 9, 35, 21],
  [2, 3, 19, 35, 1, 21],
  [2, 2, 19, 35, 1, 2, 21],
  [2, 3, 20, 21, 1, 2, 19, 22],
]
const even = [
  [],
  [4100],
  [68, 132],
  [2, 68, 132],
  [2, 68, 36, 24],
  [2, 2, 8, 36, 20],
  [2, 2, 20, 36, 4, 20],
  [2, 2, 20, 36, 4, 4, 20],
  [2, 3, 20, 24, 1, 2, 20, 24],
]
const mostElements = 1 << 21

/** One set of sizes for each variant that small ones reach, by the variant. */
function sizesOf(program: Program, full: Plan, plan: Plan): ReadonlyMap<number, Sizes> {
  const names = program.sizes.map((s) => s.name),
    named = (list: readonly number[] | undefined): Sizes => Object.fromEntries(names.map((n, i) => [n, list?.[i] ?? 5]))
  const whole = verificationSizes(program, full).at(-1)!,
    small = Object.values(whole).reduce((a, b) => a * b, 1) <= mostElements
  const reached = new Map<number, Sizes>()
  const add = (sizes: Sizes): void => {
    const variant = plan.variants.findIndex((v) => v.when === null || planValue(v.when, { sizes, scalars: {} }) !== 0)
    if (variant >= 0 && !reached.has(variant)) reached.set(variant, sizes)
  }
  for (const sizes of [named(odd[names.length]), named(even[names.length])]) add(sizes)
  if (small || reached.size === 0) add(whole)
  return reached
}

async function verified(spec: PlanSpec, dir: string): Promise<{ readonly variants: number; readonly reached: number }> {
  const { analysed, full, plan } = await madeOf(spec, dir),
    sizes = sizesOf(analysed.program, full, plan)
  const { ok, why } = verifyPlan(analysed.program, plan, [...sizes.values()], gpu('h200'), 7)
  expect(ok, why).toBe(true)
  return { variants: plan.variants.length, reached: sizes.size }
}

/** Scans and searches of long rows take minutes to simulate: they run on SwiftShader in their own tests. */
const takesMinutes = (module: string, key: string): boolean =>
  /^(scan|arg)/.test(module) && !/\b(rows|short|columns)$/.test(key)

const all = await specs()
describe.each(
  all.flatMap(({ dir, spec }) => Object.entries(spec).map(([module, plans]) => [module, dir, plans] as const)),
)('%s', (module, dir, plans) => {
  test('computes what its definition says', async () => {
    let variants = 0,
      reached = 0
    for (const [key, spec] of someOf(Object.entries(plans).filter(([key]) => !takesMinutes(module, key)))) {
      const r = await verified(spec, dir)
      variants += r.variants
      reached += r.reached
      expect(r.reached, key).toBeGreaterThan(0)
    }
    expect(reached / variants, `${reached} of ${variants} variants`).toBeGreaterThan(0.6)
  }, 120_000)
})
