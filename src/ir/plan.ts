// A plan: everything a host needs to run a program of one or more kernels at any size, as data. Schedules make it;
// `emit` turns it into wrappers, `run` executes it. Expressions are LoopIR's, over the plan's sizes and scalars only.
// It holds no device objects and does nothing by itself; `planValue` says what its expressions mean.
import { fail, InternalError } from '../base/index.ts'
import { literal } from './loop/build.ts'
import { uses } from './loop/loop-tree.ts'
import { evaluate } from './evaluate.ts'
import { numberOp, rounding, saturate } from './interpret/interpret-ops.ts'
import { gcd } from './integers/omega-test.ts'
import { allStatements, definesOf, meetsGrid } from './kernel/kernel-parts.ts'
import { isPositive, polynomialOf, signedSizes } from './integers/polynomial.ts'
import type { Emitted } from './launch.ts'
import type { Kernel, Resource, Stmt, Verified } from './kernel/kernel.ts'
import type { Expr, GivenSize, ScalarParam } from './loop/loop.ts'
import type { OpName } from './ops.ts'
import { bytesOf, isFloat, isWideInteger, type MemoryType, type ScalarType } from './types.ts'

/**
 * What elements of an integer array may be where they choose subscripts or ends of loops: from `low` to below `high`,
 * over sizes.
 */
export interface ElementRange {
  readonly low: Expr
  readonly high: Expr
  /** Elements never fall, as starts of rows do; in made-up data the first is `low` and the last the greatest. */
  readonly sorted: boolean
  /** Elements name places of their own array, as links do (`p = next[p]`): made up, they name places behind theirs. */
  readonly link?: Link
  /** What an element is compared with to leave a loop that nothing else ends: made-up data have it here and there. */
  readonly last?: Sentinel
}

/** The subscript that an element of an array chooses in the array itself. */
export interface Link {
  readonly dimension: number
  /** How far neighbouring places are from each other in that dimension: 2 in `tree[2 * node + bit]`. */
  readonly step: number
  /** Places of a row, where links stay in a row (`left[tree * nodes + node]`). */
  readonly row?: Expr
}

/** A value that ends a walk. */
export interface Sentinel {
  readonly value: Expr
  /** Which of the elements of a place (`step` rows of what lies behind the link's dimension); any where absent. */
  readonly offset?: number
}

/** An array that the caller gives or gets, or (`temp`) scratch memory between launches. Row-major, dense. */
export interface PlanArray {
  readonly name: string
  readonly type: MemoryType
  /** Extents over sizes; empty for one element. */
  readonly shape: readonly Expr[]
  /** `in` is read, `out` is written completely, `inout` both; `temp` is the wrapper's own. */
  readonly role: 'in' | 'out' | 'inout' | 'temp'
  readonly elements?: ElementRange
  /** Data choose what is reached: where the caller's array is longer than `shape`, all of it is transferred. */
  readonly isOpenEnded?: true
}

/** One kernel launch. Inside of host loops its expressions may use their variables (`var`). */
export interface PlanLaunch {
  readonly kernel: Verified<Kernel>
  /**
   * The same with steps on matrices, which `kernel` has the meaning of, for WGSL on devices that have them: text of
   * WGSL is of this one.
   */
  readonly matrices?: Verified<Kernel>
  /** Blocks per axis over sizes. Any axis ≤ 0: nothing is launched. At most 65,535 each where the target is WebGPU. */
  readonly grid: readonly [Expr, Expr, Expr]
  /** Array bound to each global and constant resource of the kernel, by resource name. */
  readonly arguments: Readonly<Record<string, string>>
  /** Value of each kernel parameter over sizes and scalars, by parameter name; types must agree. */
  readonly params: Readonly<Record<string, Expr>>
  /** Text for targets, filled in by `emitPlan`. */
  readonly emitted?: { readonly wgsl?: Emitted; readonly cuda?: Emitted }
}

/** A loop that the host runs in order; `body` may use its variable. Empty when `upper ≤ lower`. */
export interface PlanLoop {
  /** Unlike all sizes, scalars and other loops of the plan. */
  readonly variable: string
  /** First value, over sizes and the variables of loops around it. */
  readonly lower: Expr
  /** First value not taken. */
  readonly upper: Expr
  /** A positive constant. */
  readonly step: number
  readonly body: readonly PlanStep[]
}

/** A launch, by its position in the variant's `launches`, or a loop over launches. */
export type PlanStep = number | PlanLoop

/** Launches that run one after the other, each seeing all writes of those before. */
export interface PlanVariant {
  /** When this variant may be taken (a bool over sizes); `null`: always. */
  readonly when: Expr | null
  readonly launches: readonly PlanLaunch[]
  /** What the host does, in order; absent: each launch once, in order. */
  readonly steps?: readonly PlanStep[]
  /** The host refuses such sizes, in this sentence. */
  readonly refusal?: string
  /** It is meant for another shape of the data than the planned one: where this size is at most so large. */
  readonly shape?: { readonly size: string; readonly most: number }
}

/** The first variant whose condition holds is taken, first of `empty`; the last should always hold. */
export interface Plan {
  readonly name: string
  readonly sizes: readonly GivenSize[]
  readonly scalars: readonly ScalarParam[]
  readonly arrays: readonly PlanArray[]
  readonly variants: readonly PlanVariant[]
  /**
   * Variants for sizes at which conditions of the program do not hold (`Size.where`), then for sizes that are 0, which
   * all others assume to be at least 1.
   */
  readonly empty?: readonly PlanVariant[]
}

/** All variants of a plan, in the order in which they are asked. */
export const allVariants = (plan: Pick<Plan, 'variants' | 'empty'>): readonly PlanVariant[] => [
  ...(plan.empty ?? []),
  ...plan.variants,
]

/** Values of sizes and scalars by name; inside of host loops those of their variables. */
export interface PlanValues {
  readonly sizes: Readonly<Record<string, number>>
  readonly scalars: Readonly<Record<string, number>>
  readonly variables?: Readonly<Record<string, number>>
}

/**
 * The value of a plan expression (bools are 0 or 1; signed integers are exact below 2⁵³). Throws `InternalError` on
 * what a plan may not hold (reads, variables of no loop around, 64-bit integers), and a `DiagnosticError` where a size
 * or scalar that it hangs on has no value.
 */
export function planValue(e: Expr, values: PlanValues): number {
  return planValueIfKnown(e, values) ?? failOpen(firstOpen(e, values))
}

const failOpen = (open: Parameter | undefined): never =>
  fail('plan.missing', open ? `the ${open.kind} '${open.name}' has no value` : 'a parameter has no value')

/** The same; undefined where a size or scalar that it hangs on has no value. */
export function planValueIfKnown(e: Expr, values: PlanValues): number | undefined {
  switch (e.kind) {
    case 'const':
      return Number(e.value)
    case 'size':
      return ownValue(values.sizes, e.name)
    case 'scalar':
      return ownValue(values.scalars, e.name)
    case 'choose': {
      const condition = planValueIfKnown(e.condition, values)
      return condition === undefined ? undefined : planValueIfKnown(condition ? e.then : e.else, values)
    }
    case 'op': {
      const args = e.args.map((x) => planValueIfKnown(x, values))
      return args.every((x) => x !== undefined) ? planOp(e, args) : undefined
    }
    case 'var':
      return values.variables?.[e.name] ?? foreign(e)
    case 'read':
      return foreign(e)
  }
}

const foreign = (e: Expr): never => {
  throw new InternalError('ir/plan', `a plan expression holds a ${e.kind}`, JSON.stringify(e))
}

const ownValue = (record: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

type Parameter = Extract<Expr, { kind: 'size' | 'scalar' }>

/** The first size or scalar without a value that `e` comes to. */
function firstOpen(e: Expr, values: PlanValues): Parameter | undefined {
  if (e.kind === 'choose') {
    const condition = planValueIfKnown(e.condition, values)
    return condition === undefined ? firstOpen(e.condition, values) : firstOpen(condition ? e.then : e.else, values)
  }
  if (e.kind === 'op') return e.args.map((x) => firstOpen(x, values)).find((x) => x !== undefined)
  const isParameter = e.kind === 'size' || e.kind === 'scalar'
  return isParameter && planValueIfKnown(e, values) === undefined ? e : undefined
}

function planOp(e: Extract<Expr, { kind: 'op' }>, [a = 0, b = 0, c = 0]: readonly number[]): number {
  const from = e.args[e.op === 'select' ? 1 : 0]!.type
  if (e.op === 'select') return a ? b : c
  if (e.op === 'copy') return a
  if (e.op === 'convert' && e.type === 'bool') return a !== 0 ? 1 : 0
  if (e.op === 'convert' && !isWideInteger(e.type) && !isWideInteger(from))
    return isFloat(from) && (e.type === 'i32' || e.type === 'u32')
      ? saturate(a, e.type)
      : rounding(e.type, e.type === 'f64')(a)
  if (isWideInteger(e.type) || isWideInteger(from)) return wideOp(e, from, [a, b, c])
  const exact = e.type === 'i32' ? exactIntegers[e.op] : undefined
  if (exact) return exact(a, b)
  return rounding(e.type, e.type === 'f64')(Number(numberOp(e.op, from)(a, b, c)))
}

/**
 * Signed integers do not wrap: where C would overflow, a plan counts on, as the texts of host functions do
 * (`emit/host/size-expressions.ts`), so that n + 15 over 16 blocks are as many for the largest n.
 */
const exactIntegers: Partial<Record<OpName, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  neg: (a) => 0 - a,
  div: (a, b) => (b === 0 ? a : Math.trunc(a / b) + 0),
  rem: (a, b) => (b === 0 ? 0 : (a % b) + 0),
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
}

/** An operation on integers of 64 bits, whose value a plan holds as a double: exact below 2⁵³. */
function wideOp(e: Extract<Expr, { kind: 'op' }>, from: ScalarType, values: readonly number[]): number {
  const args = values.slice(0, e.args.length).map((x) => (isWideInteger(from) ? BigInt(Math.trunc(x)) : x))
  return Number(evaluate(e.op, from, args, e.type))
}

/** What 32 bits count to. */
export const mostElements = 2 ** 31 - 1

/** Steps of schedules are at most so long; what is longer is the program's own arithmetic. */
export const longestStep = 2 ** 27

const limits = new WeakMap<Plan, number>()

/**
 * The most elements of an array of this plan, and its greatest size: kernels count in 32 bits, and the last block, or
 * the last turn of blocks that walk over an array, reaches one step beyond the end before its conditions ask.
 */
export function mostElementsOf(plan: Plan): number {
  const known = limits.get(plan)
  if (known !== undefined) return known
  const kernels = [...plan.variants, ...(plan.empty ?? [])].flatMap((v) => v.launches.map((x) => x.kernel))
  const reach = plan.sizes.reduce((n, s) => Math.max(n, s.reach ?? 1), 1)
  const most = Math.floor((mostElements - kernels.reduce((n, k) => Math.max(n, stepOf(k)), 0)) / reach)
  limits.set(plan, most)
  return most
}

/** The greatest constant that a kernel moves an index by, or multiplies one by, up to `longest`. */
export function stepOf(kernel: Kernel, longest = longestStep): number {
  const data = new Set<number>()
  let most = 0
  for (const s of allStatements(kernel.body)) {
    const isData = s.kind !== 'op' || s.args.some((o) => o.kind === 'reg' && data.has(o.id))
    if (isData && s.kind !== 'builtin') for (const r of definesOf(s)) data.add(r.id)
    if (s.kind !== 'op' || isData || s.dst.type !== 'i32' || !['add', 'sub', 'mul'].includes(s.op)) continue
    for (const o of s.args) {
      const by = o.kind === 'const' ? Math.abs(Number(o.value)) : 0
      if (by <= longest) most = Math.max(most, by)
    }
  }
  return most
}

/**
 * Whether sizes that are allowed can make more elements of `a` than kernels count: its extents are multiplied, or made
 * of sizes.
 */
export const mayExceed = (a: PlanArray): boolean =>
  // the only extent
  a.shape.some((e) => literal(e) === undefined) && !(a.shape.length === 1 && a.shape[0]!.kind === 'size')

/** Whether sizes that are allowed can make an extent negative, which then counts as 0. */
export function mayBeNegative(extent: Expr, plan: Pick<Plan, 'sizes'>): boolean {
  const p = polynomialOf(extent)
  return !p || !isPositive(p, signedSizes(plan.sizes))
}

/** Elements of an array at given sizes. */
export function elementsOf(array: PlanArray, values: PlanValues): number {
  return array.shape.reduce((n, extent) => n * Math.max(0, planValue(extent, values)), 1)
}

/** Bytes of an array at given sizes. */
export const arrayBytes = (array: PlanArray, values: PlanValues): number =>
  elementsOf(array, values) * bytesOf[array.type]

/**
 * Of `size % n == 0` terms that all hold: the size's least multiple of its n, by size; undefined when the condition
 * says anything else.
 */
export function multiplesIn(e: Expr): ReadonlyMap<string, number> | undefined {
  const found = new Map<string, number>()
  const visit = (x: Expr): boolean => {
    if (x.kind !== 'op') return false
    if (x.op === 'land') return x.args.every(visit)
    const [left, zero] = x.args
    if (x.op !== 'eq' || left?.kind !== 'op' || left.op !== 'rem' || zero?.kind !== 'const' || Number(zero.value) !== 0)
      return false
    const [size, n] = left.args
    if (size?.kind !== 'size' || n?.kind !== 'const') return false
    const before = found.get(size.name) ?? 1,
      by = Number(n.value)
    found.set(size.name, (before / gcd(before, by)) * by)
    return true
  }
  return visit(e) ? found : undefined
}

/**
 * Whether blocks meet in a launch of a variant: it may be taken only where all of them are on the device at once, and
 * never in WebGPU.
 */
export const meets = (variant: PlanVariant): boolean => variant.launches.some((l) => meetsGrid(l.kernel))

/**
 * The variant to take. `allows`: whether the device runs a variant at all; without it that is taken for granted.
 * `fits`: whether so many blocks of a kernel whose blocks meet are on the device at once; without it that is taken for
 * granted. Throws a `DiagnosticError` when there is none.
 */
export function chooseVariant(
  plan: Plan,
  values: PlanValues,
  fits?: (launch: PlanLaunch, blocks: number) => boolean,
  allows: (variant: PlanVariant) => boolean = () => true,
): PlanVariant {
  const covering = allVariants(plan)
    .filter((v) => v.when === null || planValue(v.when, values) !== 0)
    .filter(allows)
  const variant = firstFitting(covering, values, fits)
  if (variant?.refusal !== undefined) fail('plan.refused', variant.refusal)
  if (!variant && covering.length > 0)
    fail(
      'plan.blocks',
      `all blocks of ${plan.name} meet at the sizes ${JSON.stringify(values.sizes)}, and not all fit on the ` +
        `device at once`,
    )
  return (
    variant ?? fail('plan.no-variant', `no variant of ${plan.name} covers the sizes ${JSON.stringify(values.sizes)}`)
  )
}

/** The same; undefined where there is none, or where a condition hangs on what has no value. */
export function variantAt(
  plan: Plan,
  values: PlanValues,
  fits?: (launch: PlanLaunch, blocks: number) => boolean,
  allows: (variant: PlanVariant) => boolean = () => true,
): PlanVariant | undefined {
  const covering: PlanVariant[] = []
  for (const v of allVariants(plan)) {
    const holds = v.when === null ? 1 : planValueIfKnown(v.when, values)
    if (holds === undefined) return undefined
    if (holds !== 0 && allows(v)) covering.push(v)
  }
  const variant = firstFitting(covering, values, fits)
  return variant?.refusal === undefined ? variant : undefined
}

const firstFitting = (
  variants: readonly PlanVariant[],
  values: PlanValues,
  fits: ((launch: PlanLaunch, blocks: number) => boolean) | undefined,
): PlanVariant | undefined => (fits ? variants.find((v) => !meets(v) || allFit(v, values, fits)) : variants[0])

function allFit(
  variant: PlanVariant,
  values: PlanValues,
  fits: (launch: PlanLaunch, blocks: number) => boolean,
): boolean {
  for (const { launch, values: at } of gridExecutions(variant, values)) {
    if (
      meetsGrid(launch.kernel) &&
      !fits(
        launch,
        launch.grid.reduce((n, e) => n * Math.max(0, planValue(e, at)), 1),
      )
    )
      return false
  }
  return true
}

/** One execution of a launch: `values` has the variables of the loops around it. */
export interface Execution {
  readonly launch: PlanLaunch
  /** Position in the variant's `launches`. */
  readonly position: number
  readonly values: PlanValues
}

/** What the host does, in order. */
export const stepsOf = (variant: PlanVariant): readonly PlanStep[] => variant.steps ?? variant.launches.map((_, i) => i)

/** Names of the variables of all host loops of a plan. */
export function hostVariables(plan: Plan): readonly string[] {
  const names = new Set<string>()
  const walk = (steps: readonly PlanStep[]): void =>
    steps.forEach((s) => {
      if (typeof s !== 'number') {
        names.add(s.variable)
        walk(s.body)
      }
    })
  allVariants(plan).forEach((v) => walk(stepsOf(v)))
  return [...names]
}

/** Every launch of `variant` at `values`, in order. */
export const executions = (variant: PlanVariant, values: PlanValues): Generator<Execution> =>
  executionsOf(variant, values, stepsOf(variant), () => false)

/**
 * Executions of `variant` at `values` that have every grid of every launch among them: of loops whose variable decides
 * neither a grid nor an end in their body only the first turn.
 */
export const gridExecutions = (variant: PlanVariant, values: PlanValues): Generator<Execution> =>
  executionsOf(variant, values, stepsOf(variant), (l) => !decidesGrids(l.variable, l.body, variant.launches))

/** The launches of `steps`; `once`: loops of which one turn is enough. */
function* executionsOf(
  variant: PlanVariant,
  values: PlanValues,
  steps: readonly PlanStep[],
  once: (l: PlanLoop) => boolean,
): Generator<Execution> {
  for (const s of steps) {
    if (typeof s === 'number') {
      yield { launch: variant.launches[s]!, position: s, values }
      continue
    }
    const lower = planValue(s.lower, values),
      upper = planValue(s.upper, values),
      end = once(s) ? Math.min(upper, lower + 1) : upper
    for (let v = lower; v < end; v += s.step)
      yield* executionsOf(variant, { ...values, variables: { ...values.variables, [s.variable]: v } }, s.body, once)
  }
}

const decidesGrids = (variable: string, steps: readonly PlanStep[], launches: readonly PlanLaunch[]): boolean =>
  steps.some((s) =>
    typeof s === 'number'
      ? launches[s]!.grid.some((e) => uses(e, variable))
      : uses(s.lower, variable) || uses(s.upper, variable) || decidesGrids(variable, s.body, launches),
  )

/** How a resource is bound on WebGPU. */
export interface ResourceBinding {
  readonly resource: Resource
  /** `@binding` in group 0. */
  readonly binding: number
  readonly kind: 'uniform' | 'read' | 'read-write'
}

/** Bytes that a uniform buffer may have everywhere. */
const maxUniformBytes = 65536

/** A kernel's arrays in memory, in declared order: its arguments before its parameters. */
export const boundResources = (kernel: Pick<Kernel, 'resources'>): readonly Resource[] =>
  kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')

/**
 * Bindings of a kernel's global and constant resources, in declared order from 0; its parameters, if any, follow in one
 * uniform buffer, four bytes each in declared order. Constant resources of known size up to 64 KiB are uniform buffers.
 */
export function bindingsOf(kernel: Kernel): readonly ResourceBinding[] {
  const bound = boundResources(kernel)
  const atomic = atomicResources(kernel.body)
  const kindOf = (r: Resource): ResourceBinding['kind'] =>
    isUniform(r) ? 'uniform' : r.access === 'read' && !atomic.has(r.name) ? 'read' : 'read-write'
  return bound.map((resource, binding) => ({ resource, binding, kind: kindOf(resource) }))
}

/** Resources that some atomic touches; WebGPU wants them writable even where they are only read. */
function atomicResources(list: readonly Stmt[], into = new Set<string>()): Set<string> {
  for (const s of list) {
    if (s.kind === 'atomic') into.add(s.address.resource)
    if (s.kind === 'if') for (const branch of [s.then, s.else]) atomicResources(branch, into)
    if (s.kind === 'loop') for (const part of [s.body, s.continuing]) atomicResources(part, into)
  }
  return into
}

const isUniform = (r: Resource): boolean =>
  r.space === 'constant' && r.count !== null && r.count * bytesOf[r.type] <= maxUniformBytes && bytesOf[r.type] === 4
