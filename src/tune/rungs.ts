// One rung of a ladder in detail, for reports and the studio. In: a built plan and its estimate. Out: the cost of each
// line of the C source, and the kernels at the planned sizes with the buffers and parameters of their launches.
import type { Span } from '../base/index.ts'
import { emitPlan } from '../emit/index.ts'
import {
  arrayBytes,
  chooseVariant,
  eachStmt,
  executions,
  isBound,
  lineCosts,
  planValue,
  verifyKernel,
  type Dim3,
  type Execution,
  type Kernel,
  type LineCost,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type Program,
  type Stmt,
  type Verified,
} from '../ir/index.ts'
import type { Prediction } from '../model/index.ts'
import { parametersOf, type Timing } from '../run/index.ts'
import type { Estimate } from './estimate.ts'

/** What a rung of a ladder is predicted to take, and took. */
export interface LadderRow {
  readonly step: string
  /** Null where the GPU refuses the launch. */
  readonly prediction: Prediction | null
  /** Why the GPU refuses it: what a block needs that a multiprocessor does not have. */
  readonly refused: string | null
  readonly measured: Timing | null
  /** Global memory, over all launches. */
  readonly sectorsPerRequest: number
  /** Passes of shared memory beyond the ideal, over the ideal: 0 is free of conflicts. */
  readonly sharedWavefrontExcess: number
  readonly occupancy: number
  readonly registers: number
  readonly threadInstructions: number
  /** The counts come from smaller sizes, scaled. */
  readonly scaled: boolean
  /** The counts are those of all blocks. */
  readonly exact: boolean
}

/** A rung as it is found. */
export interface FoundRung {
  readonly position: number
  /** Rungs of the ladder. */
  readonly count: number
  readonly row: LadderRow
  /** What each line of the C costs. */
  readonly lines: readonly LineCost[]
  /** Its kernels at the planned sizes, in the order of their launches; none where WGSL is no target. */
  kernels(): readonly RungKernel[]
}

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

/**
 * Where arrays are written in the C: the last statement that does. Canonical forms keep the places of what is computed,
 * not that of the assignment, which this gives back.
 */
export type Places = ReadonlyMap<string, Span>

export function placesOf(source: Program): Places {
  const places = new Map<string, Span>()
  eachStmt(source.body, (s) => {
    if (s.kind === 'store' && s.at) places.set(s.array, s.at)
  })
  return places
}

/** The place of each resource's array. */
const placesIn = (launch: PlanLaunch, places: Places): Places =>
  new Map(
    Object.entries(launch.arguments).flatMap(([resource, array]) => {
      const at = places.get(array)
      return at ? [[resource, at] as const] : []
    }),
  )

/** Accesses without a place get that of their array. */
function placed(list: readonly Stmt[], places: Places): readonly Stmt[] {
  return list.map((s): Stmt => {
    if (s.kind === 'if') return { ...s, then: placed(s.then, places), else: placed(s.else, places) }
    if (s.kind === 'loop') return { ...s, body: placed(s.body, places), continuing: placed(s.continuing, places) }
    const isAccess = s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'
    return isAccess ? withPlace(s, s.address.resource, places) : s
  })
}

function withPlace<T extends { readonly at?: Span }>(x: T, resource: string, places: Places): T {
  const at = x.at ?? places.get(resource)
  return at ? { ...x, at } : x
}

/** Sums over all launches, by line of the C; counts from smaller sizes are scaled. */
export function rungLines(
  plan: Plan,
  values: PlanValues,
  estimate: Estimate,
  file: string,
  places: Places,
): readonly LineCost[] {
  const { launches } = chooseVariant(plan, values)
  const all = estimate.launches.map(({ counters }, i) => {
    const own = launches[i] ? placesIn(launches[i], places) : places
    return {
      executed: counters.executions.map((e) => ({ ...e, statements: placed(e.statements, own) })),
      sites: counters.sites.map((s) => withPlace(s, s.resource, own)),
    }
  })
  return lineCosts(
    all.flatMap((l) => l.executed),
    all.flatMap((l) => l.sites),
    file,
  )
}

export function rungKernels(plan: Plan, values: PlanValues, estimate: Estimate, places: Places): readonly RungKernel[] {
  const variant = chooseVariant(plan, values)
  const first = new Map<number, Execution>()
  for (const e of executions(variant, values)) {
    if (!first.has(e.position)) first.set(e.position, e)
    if (first.size === variant.launches.length) break
  }
  return [...first.values()].map((e) => kernelOf(plan, e, estimate.launches[e.position]?.prediction.ns ?? 0, places))
}

function kernelOf(plan: Plan, { launch, values }: Execution, ns: number, places: Places): RungKernel {
  const { kernel } = launch
  const [x, y, z] = launch.grid.map((e) => Math.max(1, planValue(e, values)))
  const buffers = kernel.resources.filter(isBound).flatMap((r) => {
    const array = plan.arrays.find((a) => a.name === launch.arguments[r.name])
    return array ? [[r.name, { name: array.name, bytes: Math.max(4, arrayBytes(array, values)) }] as const] : []
  })
  const alone: Plan = { ...plan, variants: [{ when: null, launches: [launch] }] }
  return {
    kernel: verifyKernel({ ...kernel, body: placed(kernel.body, placesIn(launch, places)) }),
    grid: [x ?? 1, y ?? 1, z ?? 1],
    ns,
    params: Object.fromEntries(parametersOf(launch, values).map((p) => [p.name, p.value])),
    buffers: Object.fromEntries(buffers),
    wgsl: () => emitPlan(alone, { targets: ['wgsl'] }).variants[0]?.launches[0]?.emitted?.wgsl?.text ?? '',
  }
}
