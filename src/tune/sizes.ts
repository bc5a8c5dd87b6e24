// In: a program and a plan. Out: sizes to verify on: odd ones, multiples of the vector width that are no multiples of
// tiles, and ones that whole tiles divide, so that every variant of the plan runs; small enough for the reference.
import { mapExpr, planValue, type Plan, type PlanValues, type Program } from '../ir/index.ts'
import { eachStmt } from '../schedule/index.ts'
import { work } from './evaluate.ts'

type Sizes = Readonly<Record<string, number>>

/** Sets of sizes; every variant of `plan` that small sizes can reach is taken by one of them. */
export function verificationSizes(program: Program, plan: Plan): readonly Sizes[] {
  if (program.sizes.length === 0) return [{}]
  const depth = deepest(program)
  const repeated = plan.variants.some((v) => v.steps) // many launches: each costs milliseconds
  const odd = repeated ? [53, 19] : depth <= 1 ? [30011, 257] : depth === 2 ? [331, 71] : [67, 37]
  const even = repeated ? 36 : depth <= 1 ? 30012 : depth === 2 ? 332 : 148
  const sets: Sizes[] = [
    ...odd.map((base) => sized(program, (i) => base - 2 * i)),
    sized(program, (i) => even - 4 * i),
  ]
  const whole = wholeSizes(program, plan, depth)
  return [...sets, ...(whole ? [whole] : [])].map((s) => fitted(program, plan, s, s === whole))
}

/** Iterations that the reference runs for one set of sizes: about a second. */
const mostWork = 1.7e7

/**
 * `sizes` small enough for the reference. Sizes that no variant asks anything of (a batch) shrink to a few first, one after
 * the other; then all of them, keeping their remainders by 4, unless they must stay as they are (`fixed`).
 */
function fitted(program: Program, plan: Plan, sizes: Sizes, fixed: boolean): Sizes {
  const heavy = (s: Sizes): boolean => work(program, { sizes: s, scalars: {} }) > mostWork
  if (!heavy(sizes)) return sizes
  const asked = askedOf(plan)
  let smaller = sizes
  for (const [i, s] of program.sizes.entries()) {
    if (heavy(smaller) && !asked.has(s.name)) smaller = { ...smaller, [s.name]: Math.max(s.min, Math.min(sizes[s.name]!, fixed ? 1 : 3 + i)) } // every size has a value
  }
  while (!fixed && heavy(smaller) && Object.values(smaller).some((v) => v > 12)) {
    smaller = Object.fromEntries(program.sizes.map((s) => [s.name, Math.max(s.min, shrunk(smaller[s.name]!))])) // as above
  }
  return smaller
}

const shrunk = (v: number): number => (v <= 12 ? v : Math.floor((v * 0.75) / 4) * 4 + (v % 4))

/** Sizes that the conditions of variants name. */
function askedOf(plan: Plan): ReadonlySet<string> {
  const names = new Set<string>()
  for (const v of plan.variants) if (v.when) mapExpr(v.when, (e) => { if (e.kind === 'size') names.add(e.name); return e })
  return names
}

function sized(program: Program, value: (i: number) => number): Sizes {
  return Object.fromEntries(program.sizes.map((s, i) => [s.name, Math.max(s.min, Math.max(12, value(i)))]))
}

function deepest(program: Program): number {
  let most = 0
  eachStmt(program.body, (s, around) => { if (s.kind === 'store') most = Math.max(most, around.length) })
  return most
}

/** Sizes that the first variant's condition accepts, when the odd ones do not: multiples of 16 and of nothing larger, or the smallest equal ones. */
function wholeSizes(program: Program, plan: Plan, depth: number): Sizes | undefined {
  const [first] = plan.variants
  if (!first?.when) return undefined
  const limit = depth >= 3 ? 256 : 2048
  const equal = Array.from({ length: Math.log2(limit) - 3 }, (_, e) => sized(program, () => 16 * 2 ** e))
  for (const sizes of [sized(program, (i) => 16 * (9 + 2 * i)), ...equal]) {
    const values: PlanValues = { sizes, scalars: {} }
    try { if (planValue(first.when, values) !== 0) return sizes } catch { return undefined }
  }
  return undefined
}
