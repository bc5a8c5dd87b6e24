// In: a plan. Out: the same plan with the text of every kernel for the targets asked for. The one idea: a plan carries
// its texts, so that whoever runs it needs no emitter.
import type { Kernel, Plan, PlanLaunch, PlanVariant, Verified } from '../ir/index.ts'
import { emitCuda } from './cuda/cuda.ts'
import { kernelsThatRound } from './rounding.ts'
import { emitWgsl, type EmitOptions } from './wgsl/wgsl.ts'

export interface EmitPlanOptions extends EmitOptions {
  readonly targets: readonly ('wgsl' | 'cuda')[]
  /** Header of one kernel, when they differ. */
  readonly headerOf?: (kernel: Kernel) => readonly string[]
}

/** The plan with `emitted` set on every launch. A kernel that stands in several launches is emitted once. */
export function emitPlan(plan: Plan, options: EmitPlanOptions): Plan {
  const known = new Map<Verified<Kernel>, NonNullable<PlanLaunch['emitted']>>(),
    rounded = kernelsThatRound(plan)
  const textsOf = ({ kernel, matrices }: PlanLaunch): NonNullable<PlanLaunch['emitted']> => {
    const own = options.headerOf ? { ...options, header: options.headerOf(kernel) } : options
    const texts = known.get(kernel) ?? {
      ...(options.targets.includes('wgsl') && {
        wgsl: emitWgsl(matrices ?? kernel, { ...own, rounded: rounded.has(kernel) }),
      }),
      ...(options.targets.includes('cuda') && { cuda: emitCuda(kernel, { ...own, rounded: rounded.has(kernel) }) }),
    }
    known.set(kernel, texts)
    return texts
  }
  const emitted = (v: PlanVariant): PlanVariant => ({
    ...v,
    launches: v.launches.map((l) => ({ ...l, emitted: { ...l.emitted, ...textsOf(l) } })),
  })
  return { ...plan, variants: plan.variants.map(emitted), ...(plan.empty && { empty: plan.empty.map(emitted) }) }
}
