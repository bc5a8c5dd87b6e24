// In: a proved plan for CUDA. Out: what the host function of its CUDA file decides else than the plan, if anything. The
// one idea (translation validation, as in `host-functions.ts` for the wrapper in TypeScript): the text is read and run
// by an interpreter of its own, at every size that was proved and at the ends of what it accepts, and every launch
// (kernel, grid, block, shared memory, arrays, numbers), every allocation and the error that comes back is compared.
import { emitCudaLauncher, type EmittedLauncher } from '../../../emit/index.ts'
import { mostBlocksAlong } from '../../../gpus/index.ts'
import {
  boundResources,
  bytesOf,
  variantAt,
  elementsOf,
  executions,
  isFloat,
  meetsGrid,
  mostElements,
  planValue,
  sharedPlaces,
  type Execution,
  type Plan,
  type PlanArray,
  type PlanValues,
} from '../../../ir/index.ts'
import { CppError, CppUndefined, hostFunctions, type CppFunction } from './cpp-parser.ts'
import { cppInteger, runHostFunction, type CppValue, type CudaLaunch, type HostRun } from './cpp-interpreter.ts'
import { hostSizes, idlesLong, isAccepted, mostLaunches, scalarValues } from '../host-call-values.ts'

/** What the text is expected to do. */
interface Expected {
  readonly result: 'cudaSuccess' | 'an error'
  readonly launches: readonly Execution[]
}

interface Text {
  readonly functions: readonly CppFunction[]
  readonly entries: EmittedLauncher['entries']
  readonly constants: EmittedLauncher['constants']
  readonly kernels: ReadonlySet<string>
}

/**
 * The sentence that says what is wrong; undefined where nothing is. `sizes`: where the plan was proved. `emitted`: the
 * file, made of the plan when absent.
 */
export function wrongCudaHostFunction(
  plan: Plan,
  sizes: readonly Readonly<Record<string, number>>[],
  emitted: Pick<EmittedLauncher, 'text' | 'entries' | 'constants'> = emitCudaLauncher(plan),
): string | undefined {
  try {
    const { entries, constants } = emitted,
      text: Text = { functions: hostFunctions(emitted.text), entries, constants, kernels: new Set(entries.values()) }
    for (const given of hostSizes(plan, sizes))
      for (const values of scalarValues(plan, given))
        for (const blocksAtOnce of [mostElements, 0]) {
          const compare = (): string | undefined => differenceAt(plan, text, values, blocksAtOnce)
          const why = unlessUndefined(compare, !sizes.includes(given))
          if (why !== undefined) return `the CUDA host function of ${plan.name} ${why} at ${JSON.stringify(given)}`
        }
    return undefined
  } catch (e) {
    if (e instanceof CppError) return `the CUDA host function of ${plan.name}: ${e.message}`
    throw e
  }
}

/**
 * What `compare` says; nothing where the text computes what is undefined in C++ because it is in C: at sizes that
 * nobody proved, or a shift of the source by a number of the caller.
 */
function unlessUndefined(compare: () => string | undefined, isUnproved: boolean): string | undefined {
  try {
    return compare()
  } catch (e) {
    if (e instanceof CppUndefined && (isUnproved || e.isShift)) return undefined
    throw e
  }
}

function differenceAt(plan: Plan, text: Text, values: PlanValues, blocksAtOnce: number): string | undefined {
  const wanted = expectedAt(plan, values, blocksAtOnce)
  if (!wanted) return undefined
  const run = runHostFunction(text.functions, text.kernels, argumentsOf(plan, values), {
    blocksAtOnce,
    mostLaunches,
  })
  if (run.isCut && wanted.launches.length < mostLaunches) return `goes on after ${wanted.launches.length} launches`
  if (!run.isCut && (run.result === 'cudaSuccess') !== (wanted.result === 'cudaSuccess'))
    return wanted.result === 'cudaSuccess' ? `answers ${run.result}` : 'launches what the plan refuses'
  const scratch = new Map<string, string>()
  for (const [i, execution] of wanted.launches.entries()) {
    const launch = run.launches[i]
    if (!launch) return `ends after ${i} launches`
    const why = launchDifference(plan, text, launch, execution, scratch)
    if (why !== undefined) return `${why} of launch ${i + 1}, ${execution.launch.kernel.name},`
  }
  if (run.launches.length > wanted.launches.length) return `goes on after ${wanted.launches.length} launches`
  return scratchDifference(plan, run, scratch, values)
}

/** Pointers by name, sizes as `long long`, scalars as their types say, the stream. */
function argumentsOf(plan: Plan, { sizes, scalars }: PlanValues): readonly CppValue[] {
  return [
    ...plan.arrays.flatMap((a): CppValue[] => (a.role === 'temp' ? [] : [{ kind: 'array', to: `array ${a.name}` }])),
    ...plan.sizes.flatMap((s) => (s.fixed ? [] : [cppInteger(sizes[s.name]!)])), // every size and scalar has a value
    ...plan.scalars.map((s): CppValue => {
      const value = scalars[s.name]!
      return { kind: 'number', type: 'f64', value }
    }),
    { kind: 'symbol', name: 'stream' },
  ]
}

/** Undefined where nobody waits for what it launches. */
function expectedAt(plan: Plan, values: PlanValues, blocksAtOnce: number): Expected | undefined {
  const refused = { result: 'an error', launches: [] } as const
  if (!isAccepted(plan, values)) return refused
  const variant = variantAt(plan, values, (_, blocks) => blocks <= blocksAtOnce)
  if (!variant) return refused
  if (idlesLong(variant, values)) return undefined
  const launches: Execution[] = []
  for (const execution of executions(variant, values)) {
    const grid = gridOf(execution)
    if (grid.some((n) => n <= 0)) continue
    if (grid.some((n, i) => n > mostBlocksAlong[i]!)) return { result: 'an error', launches }
    if (launches.length === mostLaunches) break
    launches.push(execution)
  }
  return { result: 'cudaSuccess', launches }
}

const gridOf = ({ launch, values }: Execution): readonly number[] => launch.grid.map((e) => planValue(e, values))

function launchDifference(
  plan: Plan,
  text: Text,
  run: CudaLaunch,
  execution: Execution,
  scratch: Map<string, string>,
): string | undefined {
  const { launch, values } = execution,
    { kernel } = launch,
    grid = gridOf(execution),
    bytes = sharedPlaces(kernel)?.bytes ?? 0
  if (run.kernel !== text.entries.get(kernel)) return `launches ${run.kernel} instead`
  if (run.grid.join() !== grid.join()) return `has the grid ${run.grid.join(' × ')}, not ${grid.join(' × ')},`
  if (run.block.join() !== kernel.block.join()) return `has the block ${run.block.join(' × ')}`
  if (run.sharedBytes !== bytes) return `asks for ${run.sharedBytes} bytes of shared memory, not ${bytes},`
  if (run.isCooperative !== meetsGrid(kernel)) return 'is of the wrong kind'
  const bound = boundResources(kernel),
    constants = text.constants.get(kernel) ?? new Map<string, number>(),
    open = kernel.params.filter((p) => !constants.has(p.name))
  if (run.args.length !== bound.length + open.length) return `passes ${run.args.length} arguments`
  for (const [i, r] of bound.entries()) {
    const array = plan.arrays.find((a) => a.name === launch.arguments[r.name]),
      given = run.args[i]!
    if (!array || given.kind !== 'array' || !isArray(array, given.to ?? '', scratch)) return `passes another ${r.name}`
  }
  for (const [name, value] of constants)
    if (planValue(launch.params[name]!, values) !== value) return `has ${name} = ${value}`
  for (const [i, p] of open.entries()) {
    const given = run.args[bound.length + i]!,
      exact = planValue(launch.params[p.name]!, values),
      wanted = asType(exact, p.type)
    if (!isFloat(p.type) && !Number.isSafeInteger(exact)) continue // C's product leaves its range there
    if (given.kind !== 'number' || !Object.is(Number(given.value) + 0, wanted + 0))
      return `passes ${p.name} ${given.kind === 'number' ? given.value : given.kind}, not ${wanted},`
  }
  return undefined
}

/** Whether `to` is `array`; scratch arrays are variables of the host, one each. */
function isArray(array: PlanArray, to: string, scratch: Map<string, string>): boolean {
  if (array.role !== 'temp') return to === `array ${array.name}`
  const known = scratch.get(array.name)
  if (known !== undefined) return known === to
  if (to.startsWith('array ') || [...scratch.values()].includes(to)) return false
  scratch.set(array.name, to)
  return true
}

function scratchDifference(
  plan: Plan,
  run: HostRun,
  scratch: ReadonlyMap<string, string>,
  values: PlanValues,
): string | undefined {
  for (const a of plan.arrays) {
    const variable = scratch.get(a.name)
    if (variable === undefined) continue
    const wanted = elementsOf(a, values) * bytesOf[a.type],
      given = run.allocated.get(variable)
    if (given !== wanted) return `allocates ${given} bytes for ${a.name}, not ${wanted},`
  }
  return undefined
}

/** A value of the plan as a parameter of a kernel has it. */
function asType(value: number, type: string): number {
  if (type === 'i32') return value | 0
  if (type === 'u32') return value >>> 0
  return type === 'f32' || type === 'f16' ? Math.fround(value) : value
}
