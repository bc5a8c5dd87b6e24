// What an operation launches. In: an operation as data, a device, the values of its sizes and scalars. Out: its
// launches with everything but their buffers, and its scratch memory. The one idea: host loops are run here, so that
// what is recorded is a list; it is kept, as programs ask for the same sizes again and again.
import { setLast } from '../../base/index.ts'
import type { Core } from '../device/core.ts'
import { slot, type PreparedLaunch } from '../device/prepared-launches.ts'
import { refuse } from '../error.ts'
import type { ElementType, OperationData, OperationLaunch, OperationStep, OperationVariant } from './data.ts'
import { hostValue, type HostNumbers } from './host-values.ts'

export interface PreparedOperation {
  readonly launches: readonly PreparedLaunch[]
  readonly temps: readonly (readonly [name: string, bytes: number])[]
}

/** Values of sizes and scalars whose launches are kept, for each operation. */
const mostKept = 32
const kept = new WeakMap<Core, WeakMap<OperationData, Map<string, PreparedOperation>>>()

export function preparedOperation(core: Core, data: OperationData, numbers: HostNumbers): PreparedOperation {
  const own = kept.get(core) ?? new WeakMap<OperationData, Map<string, PreparedOperation>>(),
    known = own.get(data) ?? new Map<string, PreparedOperation>(),
    key = Object.values(numbers).join()
  kept.set(core, own.set(data, known))
  const made = known.get(key) ?? prepare(core, data, numbers)
  setLast(known, key, made, mostKept)
  return made
}

/** Elements of an array at these sizes. Throws where kernels cannot count them. */
export function elementCount(data: OperationData, name: string, shape: readonly number[]): number {
  const count = shape.reduce((n, d) => n * d, 1)
  if (count > 2 ** 31 - 1)
    refuse(
      'operation.size',
      `${data.name}: ${name} would have ${count} elements, and kernels count at most ${2 ** 31 - 1}`,
    )
  return count
}

function prepare(core: Core, data: OperationData, numbers: HostNumbers): PreparedOperation {
  const variant = variantFor(core, data, numbers)
  if (variant.refusal !== undefined) refuse('operation.size', variant.refusal)
  const most = core.device.limits.maxComputeWorkgroupsPerDimension
  return {
    launches: [...launchesOf(data, variant, variant.steps, numbers, most)],
    temps: data.arrays
      .filter((a) => a.role === 'temp')
      .map((a) => {
        const shape = a.shape.map((e) => Math.max(0, hostValue(e, numbers)))
        return [a.name, 4 * elementCount(data, a.name, shape)]
      }),
  }
}

/** The first variant whose condition holds and that the device can run. */
function variantFor(core: Core, data: OperationData, numbers: HostNumbers): OperationVariant {
  const covering = data.variants.filter((v) => v.when === null || hostValue(v.when, numbers) !== 0)
  const { limits } = core.device,
    limitOf = (name: string): number => (limits as unknown as Readonly<Record<string, number>>)[name] ?? 0 // its names
  const lacking = (v: OperationVariant): readonly (readonly [string, number])[] =>
    Object.entries(v.needs ?? {}).filter(([name, n]) => n > limitOf(name))
  return (
    covering.find((v) => lacking(v).length === 0) ??
    refuse(
      'device.limits',
      covering[0]
        ? `${data.name} needs ${lacking(covering[0])
            .map(([name, n]) => `${name} ${n}`)
            .join(' and ')}, and this device has less`
        : `${data.name} has no kernels for these sizes`,
    )
  )
}

function* launchesOf(
  data: OperationData,
  variant: OperationVariant,
  steps: readonly OperationStep[],
  numbers: HostNumbers,
  most: number,
): Generator<PreparedLaunch> {
  for (const s of steps) {
    if (typeof s === 'number') {
      const launch = launchOf(data, variant.launches[s]!, numbers, most) // steps name launches of their variant
      if (launch) yield launch
      continue
    }
    const upper = hostValue(s.upper, numbers)
    for (let at = hostValue(s.lower, numbers); at < upper; at += s.step)
      yield* launchesOf(data, variant, s.body, { ...numbers, [s.variable]: at }, most)
  }
}

/** The launch at these numbers; nothing where it has no blocks. */
function launchOf(data: OperationData, l: OperationLaunch, numbers: HostNumbers, most: number): PreparedLaunch | null {
  const [x, y, z] = l.grid.map((v) => hostValue(v, numbers)) as [number, number, number] // three axes
  if (x <= 0 || y <= 0 || z <= 0) return null
  if (Math.max(x, y, z) > most)
    refuse(
      'device.grid',
      `${data.name} needs ${x} × ${y} × ${z} workgroups, and this device allows ${most} along an axis`,
      'work on parts of the arrays',
    )
  const text = data.texts[l.text] ?? '',
    uniform = l.params.length > 0
  if (l.params.length > slot / 4)
    refuse('device.operands', `${data.name} has ${l.params.length} parameters, and ${slot / 4} are possible at once`)
  return {
    name: data.name === l.entry ? data.name : `${data.name} ${l.entry}`,
    key: text,
    text: () => text,
    entry: l.entry,
    kinds: [...l.bind.map(([, kind]) => kind), ...(uniform ? ['uniform' as const] : [])],
    uniform,
    sizes: l.params.map(([type, v]) => bitsOf(type, hostValue(v, numbers))),
    wanted: [],
    grid: [x, y, z],
    arrays: l.bind.map(([array]) => array),
    writes: l.bind.map(([, kind]) => kind === 'read-write'),
    hooked: [],
  }
}

/** A parameter as the integer that has its bits. */
function bitsOf(type: ElementType, value: number): number {
  return type === 'f32' ? (new Int32Array(Float32Array.of(value).buffer)[0] ?? 0) : value
}
