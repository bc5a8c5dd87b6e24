// In: a plan and the sizes where it was proved. Out: the values at which the texts of its host functions are compared
// with it: those, 0 and 1, numbers that may be negative at -1, and both ends of what is accepted with one beyond.
import {
  elementsOf,
  isFloat,
  mayExceed,
  mostElementsOf,
  planValue,
  stepsOf,
  type Plan,
  type PlanStep,
  type PlanValues,
  type PlanVariant,
  type ScalarType,
} from '../../ir/index.ts'

/** Launches that are compared at one set of sizes; a loop of the host has the same launch in each iteration. */
export const mostLaunches = 4096

type Given = Readonly<Record<string, number>>

export function hostSizes(plan: Plan, proved: readonly Given[]): readonly Given[] {
  const at = (n: number): Given => Object.fromEntries(plan.sizes.map((s) => [s.name, Math.max(n, s.min)]))
  const free = plan.sizes.filter((s) => !s.fixed),
    [first] = proved
  const most = mostElementsOf(plan)
  const belowZero = first ? free.flatMap((s) => (s.min < 0 ? [{ ...first, [s.name]: -1 }] : [])) : []
  const ends = free.flatMap((s) => [s.min - 1, most, most + 1].map((n) => ({ ...at(1), [s.name]: n })))
  return [...proved, at(0), at(1), ...belowZero, ...ends]
}

/** Whether host functions take the sizes: each from its least to what 32 bits hold, and no array of more elements. */
export function isAccepted(plan: Plan, values: PlanValues): boolean {
  const most = mostElementsOf(plan)
  const isInRange = plan.sizes.every(
    (s) => s.fixed || (s.min <= values.sizes[s.name]! && values.sizes[s.name]! <= most),
  )
  return isInRange && plan.arrays.filter(mayExceed).every((a) => elementsOf(a, values) <= most)
}

/** Iterations of loops on the host that launch nothing, of which nobody waits for more. */
const mostIdle = 2 ** 16

/**
 * Whether the host would go through so many iterations before its launches are compared that most launch nothing: at
 * sizes of 2^31, of a loop that launches something in the last iterations alone.
 */
export function idlesLong(variant: PlanVariant, values: PlanValues): boolean {
  let idle = 0,
    launches = 0
  const isOver = (): boolean => idle > mostIdle || launches > mostLaunches
  const walk = (steps: readonly PlanStep[], at: PlanValues): void => {
    for (const s of steps) {
      if (isOver()) return
      if (typeof s === 'number') {
        launches++
        continue
      }
      const upper = planValue(s.upper, at)
      for (let v = planValue(s.lower, at); v < upper && !isOver(); v += s.step) {
        const before = launches
        walk(s.body, { ...at, variables: { ...at.variables, [s.variable]: v } })
        if (launches === before) idle++
      }
    }
  }
  walk(stepsOf(variant), values)
  return idle > mostIdle
}

/** `given` with three values of the scalars. */
export function scalarValues(plan: Plan, given: Given): readonly PlanValues[] {
  const fixed = Object.fromEntries(plan.sizes.flatMap((s) => (s.fixed ? [[s.name, s.planned]] : [])))
  return (plan.scalars.length === 0 ? [0] : [0, 1.5, -2]).map((number) => ({
    sizes: { ...given, ...fixed },
    scalars: Object.fromEntries(plan.scalars.map((s) => [s.name, s.planned ?? asType(number, s.type)])),
  }))
}

function asType(value: number, type: ScalarType): number {
  if (isFloat(type)) return value
  return /^u|bool/.test(type) ? Math.abs(Math.trunc(value)) : Math.trunc(value)
}
