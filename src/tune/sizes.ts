// In: a program and a plan. Out: sizes to verify on: odd ones, multiples of the vector width that are no multiples of
// tiles, and ones that whole tiles divide, so that every variant of the plan runs; small enough for the reference.
import { planValue, type Plan, type PlanValues, type Program } from '../ir/index.ts'
import { eachStmt } from '../schedule/index.ts'

type Sizes = Readonly<Record<string, number>>

/** Sets of sizes; every variant of `plan` that small sizes can reach is taken by one of them. */
export function verificationSizes(program: Program, plan: Plan): readonly Sizes[] {
  if (program.sizes.length === 0) return [{}]
  const depth = deepest(program)
  const odd = depth <= 1 ? [30011, 257] : depth === 2 ? [331, 71] : [67, 37]
  const even = depth <= 1 ? 30012 : depth === 2 ? 332 : 148
  const sets: Sizes[] = [
    ...odd.map((base) => sized(program, (i) => base - 2 * i)),
    sized(program, (i) => even - 4 * i),
  ]
  const whole = wholeSizes(program, plan, depth)
  return whole ? [...sets, whole] : sets
}

function sized(program: Program, value: (i: number) => number): Sizes {
  return Object.fromEntries(program.sizes.map((s, i) => [s.name, Math.max(s.min, Math.max(12, value(i)))]))
}

function deepest(program: Program): number {
  let most = 0
  eachStmt(program.body, (s, around) => { if (s.kind === 'store') most = Math.max(most, around.length) })
  return most
}

/** The smallest equal sizes that the first variant's condition accepts, when the odd ones do not. */
function wholeSizes(program: Program, plan: Plan, depth: number): Sizes | undefined {
  const [first] = plan.variants
  if (!first?.when) return undefined
  const limit = depth >= 3 ? 256 : 2048
  for (let n = 16; n <= limit; n *= 2) {
    const sizes = sized(program, () => n)
    const values: PlanValues = { sizes, scalars: {} }
    try { if (planValue(first.when, values) !== 0) return sizes } catch { return undefined }
  }
  return undefined
}
