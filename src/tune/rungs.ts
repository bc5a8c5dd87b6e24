// A rung of a ladder for those who look at it. In: a built plan and what was estimated of it. Out: what each line of
// the C costs, and its kernels at the planned sizes with all that is bound when they are launched.
import { emitPlan } from '../emit/index.ts'
import {
  arrayBytes,
  chooseVariant,
  executions,
  isBound,
  lineCosts,
  planValue,
  type Dim3,
  type Execution,
  type Kernel,
  type LineCost,
  type Plan,
  type PlanValues,
  type Verified,
} from '../ir/index.ts'
import { parametersOf } from '../run/index.ts'
import type { Estimate } from './evaluate.ts'

/** A launch of a rung; of a host loop the first execution. */
export interface RungKernel {
  readonly kernel: Verified<Kernel>
  readonly grid: Dim3
  /** Predicted nanoseconds of all its executions. */
  readonly ns: number
  readonly params: Readonly<Record<string, number>>
  /** By resource: the array that is bound, and its bytes. */
  readonly buffers: Readonly<Record<string, { readonly name: string; readonly bytes: number }>>
  /** The kernel as WGSL. */
  wgsl(): string
}

/** Sums over all launches, by line of the C; counts from smaller sizes are scaled. */
export function rungLines(estimate: Estimate, file: string): readonly LineCost[] {
  const executed = estimate.launches.flatMap((l) => l.counters.executions),
    sites = estimate.launches.flatMap((l) => l.counters.sites)
  return lineCosts(executed, sites, file)
}

export function rungKernels(plan: Plan, values: PlanValues, estimate: Estimate): readonly RungKernel[] {
  const variant = chooseVariant(plan, values)
  const first = new Map<number, Execution>()
  for (const e of executions(variant, values)) {
    if (!first.has(e.position)) first.set(e.position, e)
    if (first.size === variant.launches.length) break
  }
  return [...first.values()].map((e) => kernelOf(plan, e, estimate.launches[e.position]?.prediction.ns ?? 0))
}

function kernelOf(plan: Plan, { launch, values }: Execution, ns: number): RungKernel {
  const { kernel } = launch
  const [x, y, z] = launch.grid.map((e) => Math.max(1, planValue(e, values)))
  const buffers = kernel.resources.filter(isBound).flatMap((r) => {
    const array = plan.arrays.find((a) => a.name === launch.arguments[r.name])
    return array ? [[r.name, { name: array.name, bytes: Math.max(4, arrayBytes(array, values)) }] as const] : []
  })
  const alone: Plan = { ...plan, variants: [{ when: null, launches: [launch] }] }
  return {
    kernel,
    grid: [x ?? 1, y ?? 1, z ?? 1],
    ns,
    params: Object.fromEntries(parametersOf(launch, values).map((p) => [p.name, p.value])),
    buffers: Object.fromEntries(buffers),
    wgsl: () => emitPlan(alone, { targets: ['wgsl'] }).variants[0]?.launches[0]?.emitted?.wgsl?.text ?? '',
  }
}
