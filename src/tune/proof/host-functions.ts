// In: a proved plan with its WGSL texts. Out: what its host function decides else than the plan, if anything. The one
// idea (translation validation, as of kernels in `translation-validation.ts`): the proof runs the plan, so that a fault
// in the text of the function that launches it would pass. Here what that text decides is run (which variant, which
// kernels in which order, their grids, buffers and parameters, the elements of each array) at every size that was
// proved, and compared with the plan launch by launch. It calls no device: queueing is the text that all plans share.
import { emitTypeScript } from '../../emit/index.ts'
import {
  bindingsOf,
  variantAt,
  elementsOf,
  executions,
  planValue,
  runsOn,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type PlanVariant,
} from '../../ir/index.ts'
import { hostSizes, idlesLong, isAccepted, mostLaunches, scalarValues } from './host-call-values.ts'

/** What the text yields for a launch. */
interface Step {
  readonly source: string
  readonly entry: string
  readonly grid: readonly number[]
  readonly bindings: readonly { readonly array: string; readonly kind: string }[]
  readonly params: readonly { readonly name: string; readonly value: number }[]
}

type Given = Readonly<Record<string, number>>

/** The decisions of a host function. `steps` throws where it refuses the sizes. */
interface Decisions {
  readonly numbers: (args: Given) => Given
  readonly elements: (given: Given) => Readonly<Record<string, number>>
  readonly steps: (given: Given, limits?: Readonly<Record<string, number>>) => Iterable<Step>
}

/** Limits that no variant is too large for, and those of every device, by any name. */
const anyLimits = new Proxy({}, { get: () => Infinity }),
  noLimits = new Proxy({}, { get: () => 0 })

/**
 * The sentence that says what is wrong; undefined where nothing is, `null` where texts may not be run at all (pages
 * whose policy forbids it). `sizes`: where the plan was proved; at the first of them numbers that may be negative are
 * -1, too. Scalars take three values each. `text`: the module, made of the plan when absent.
 */
export function wrongHostFunction(
  plan: Plan,
  sizes: readonly Given[],
  text = emitTypeScript(plan).text,
): string | undefined | null {
  const decisions = decisionsIn(text)
  if (!decisions) return null
  for (const given of hostSizes(plan, sizes))
    for (const values of scalarValues(plan, given)) {
      const why = differenceAt(plan, decisions, values)
      if (why !== undefined) return `the host function of ${plan.name} ${why} at ${JSON.stringify(given)}`
    }
  return undefined
}

function differenceAt(plan: Plan, host: Decisions, values: PlanValues): string | undefined {
  const args = { ...values.sizes, ...values.scalars },
    taken = checkedBy(host, args)
  if (!isAccepted(plan, values)) return taken ? 'takes sizes that the plan refuses' : undefined
  if (!taken) return 'refuses sizes that the plan takes'
  const { given, counts } = taken
  for (const [name, value] of Object.entries(args))
    if (given[name] !== value) return `takes ${name} as ${given[name]}, not ${value},`
  for (const a of plan.arrays) {
    const wanted = elementsOf(a, values)
    if (counts[a.name] !== wanted) return `gives ${a.name} ${counts[a.name]} elements, not ${wanted},`
  }
  return (
    stepsDifference(plan, host, given, values, undefined, () => true) ??
    stepsDifference(plan, host, given, values, anyLimits, () => true) ??
    stepsDifference(plan, host, given, values, noLimits, (v) => runsOn(v))
  )
}

/** What the text checks and counts; undefined where it throws. */
function checkedBy(
  host: Decisions,
  args: Given,
): { readonly given: Given; readonly counts: Readonly<Record<string, number>> } | undefined {
  try {
    const given = host.numbers(args)
    return { given, counts: host.elements(given) }
  } catch {
    return undefined // whatever it throws, it launches nothing
  }
}

function stepsDifference(
  plan: Plan,
  host: Decisions,
  given: Given,
  values: PlanValues,
  limits: Readonly<Record<string, number>> | undefined,
  allows: (v: PlanVariant) => boolean,
): string | undefined {
  const variant = variantAt(plan, values, undefined, allows)
  if (variant && idlesLong(variant, values)) return undefined
  const made = takenFrom(() => host.steps(given, limits))
  if (!variant) return made === null ? undefined : 'launches what the plan refuses'
  if (made === null) return 'refuses what the plan runs'
  let n = 0
  for (const { launch, values: at } of executions(variant, values)) {
    const step = made[n++]
    if (n > mostLaunches) return undefined
    if (!step) return `ends after ${n - 1} launches`
    const why = stepDifference(step, launch, at)
    if (why !== undefined) return `${why} of launch ${n}, ${launch.kernel.name},`
  }
  return made.length > n ? `goes on after ${n} launches` : undefined
}

/** The launches, as many as are compared; null where the function throws. */
function takenFrom(steps: () => Iterable<Step>): readonly Step[] | null {
  const made: Step[] = []
  try {
    for (const s of steps()) {
      made.push(s)
      if (made.length > mostLaunches) break
    }
    return made
  } catch {
    return null // whatever it throws, it launches nothing
  }
}

function stepDifference(step: Step, launch: PlanLaunch, at: PlanValues): string | undefined {
  const text = launch.emitted?.wgsl
  if (step.source !== text?.text || step.entry !== text.entry) return 'takes another text than that'
  const grid = launch.grid.map((e) => planValue(e, at))
  if (step.grid.join() !== grid.join()) return `has the grid ${step.grid.join(' × ')}, not ${grid.join(' × ')},`
  const bindings = bindingsOf(launch.kernel).map((b) => `${b.kind} ${launch.arguments[b.resource.name]}`)
  if (step.bindings.map((b) => `${b.kind} ${b.array}`).join() !== bindings.join())
    return 'binds other arrays than those'
  // every parameter has a value
  const params = launch.kernel.params.map((p) => `${p.name} ${planValue(launch.params[p.name]!, at)}`)
  const given = step.params.map((p) => `${p.name} ${p.value}`)
  return given.join() === params.join() ? undefined : `passes ${given.join()}, not ${params.join()},`
}

/** A function of the module, without the types of its head, which are the only ones in it. */
function functionIn(text: string, name: string, parameters: string): string {
  const found = new RegExp(`^function(\\*?) ${name}\\([^\\n]*\\{\\n([^]*?)^\\}`, 'm').exec(text)
  return found ? `function${found[1]} ${name}(${parameters}) {\n${found[2]}}` : ''
}

/** What the text decides, run as it stands; undefined where a page's policy lets no text be run. */
function decisionsIn(text: string): Decisions | undefined {
  const sources = [...text.matchAll(/^const \w+ = \/\* wgsl \*\/ `(?:[^`\\]|\\[^])*`$/gm)].map((m) => m[0])
  const body = [
    functionIn(text, 'checkedSize', 'name, value, least'),
    functionIn(text, 'checkedNumber', 'name, value'),
    functionIn(text, 'checkedElements', 'name, elements'),
    ...sources,
    functionIn(text, 'numbers', 'args'),
    functionIn(text, 'elements', 'given'),
    functionIn(text, 'steps', 'given, limits'),
    'return { numbers, elements, steps }',
  ]
  try {
    return new Function(body.join('\n'))() as Decisions // what the last line returns
  } catch (e) {
    if (e instanceof EvalError) return undefined
    throw e
  }
}
