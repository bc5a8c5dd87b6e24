// In: a WebGPU plan with variants that exceed the default limits of the specification, and plans of other schedules.
// Out: the plan followed by the variants of the first other plan that stays within these limits. The one idea: the host
// takes the first variant that its device can run, so no device is refused as long as some schedule fits it.
import { meets, runsOn, type Plan, type PlanArray, type PlanVariant } from '../ir/index.ts'

/** Whether every device of a target runs the variant: CUDA's may have no room for all blocks at once. */
export const isForAll = (v: PlanVariant, target: 'wgsl' | 'cuda'): boolean =>
  target === 'cuda' ? !meets(v) : runsOn(v)

/** Whether every variant of a plan runs on every device of WebGPU. */
export const runsEverywhere = (plan: Plan): boolean => plan.variants.every((v) => runsOn(v))

/** `plan` with the variants of `small`, whose scratch memory gets names of its own. */
export function withSmaller(plan: Plan, small: Plan): Plan {
  const taken = new Set(plan.arrays.map((a) => a.name)),
    names = new Map<string, string>()
  const scratch = small.arrays
    .filter((a) => a.role === 'temp')
    .map((a): PlanArray => {
      let name = a.name
      while (taken.has(name)) name += '_small'
      taken.add(name)
      names.set(a.name, name)
      return { ...a, name }
    })
  const renamed = (v: PlanVariant): PlanVariant => ({
    ...v,
    launches: v.launches.map((l) => ({
      ...l,
      arguments: Object.fromEntries(Object.entries(l.arguments).map(([r, name]) => [r, names.get(name) ?? name])),
    })),
  })
  return { ...plan, arrays: [...plan.arrays, ...scratch], variants: [...plan.variants, ...small.variants.map(renamed)] }
}
