// An operation of one's own on tensors. In: what the compiler made of a C function, as data. Out: a function from
// tensors and numbers by name to its results by name. The one idea: tensors never change, so arrays that the function
// changes in place are copied first, unless the caller gives the memory for the result (`out`), which may be the same.
import { Core } from '../device/core.ts'
import { overlap, type Memory } from '../device/memory.ts'
import type { PreparedLaunch } from '../device/prepared-launches.ts'
import { checkOptions } from '../checks.ts'
import { refuse } from '../error.ts'
import { blank, checkTensors, elements, Tensor } from '../tensor.ts'
import { checkByName, numbersOf, visibleArrays, type OperationArguments } from './argument-sizes.ts'
import type { OperationArray, OperationData } from './data.ts'
import { hostValue, type HostNumbers } from './host-values.ts'
import { elementCount, preparedOperation } from './prepared-operation.ts'

export type OperationResults = Readonly<Record<string, Tensor>>

export interface CallOptions<R> {
  /** Tensors that results are written to, by name; what shares their memory changes, too. */
  readonly out?: { readonly [K in keyof R]?: R[K] }
  /** The device, where no argument is a tensor: `gpu`, or what `connect` gave. */
  readonly on?: Core | { readonly core: Core }
}

/** Takes tensors and numbers by the names that the C function has for them, and returns its results by name. */
export interface Operation<A = OperationArguments, R = OperationResults> {
  (args: A, options?: CallOptions<R>): R
  readonly data: OperationData
}

/** The operation that `data` describes; `home` is its device where no argument says it. */
export function operation<A = OperationArguments, R = OperationResults>(
  data: OperationData,
  home?: Core,
): Operation<A, R> {
  const call = (args: A, options: CallOptions<R> = {}): R =>
    run(data, (args ?? {}) as OperationArguments, options as CallOptions<OperationResults>, home) as R // as A and R say
  return Object.assign(call, { data })
}

function run(
  data: OperationData,
  args: OperationArguments,
  options: CallOptions<OperationResults>,
  home: Core | undefined,
): OperationResults {
  checkByName(data.name, args, data, 'in')
  checkOptions(data.name, options, ['out', 'on'])
  const { out = {}, on } = options
  const numbers = numbersOf(data, args, out)
  const first = [...Object.values(args), ...Object.values(out)].find((x) => x instanceof Tensor)
  const core = first?.core ?? (on && coreOf(data, on)) ?? home ?? noDevice(data)
  checkTensors(core, data.name, tensorsIn(args))
  checkTensors(core, `out of ${data.name}`, tensorsIn(out))
  checkMemory(data, args, out)
  const { launches, temps } = preparedOperation(core, data, numbers)
  const results = Object.fromEntries(
    visibleArrays(data)
      .filter((a) => a.role !== 'in')
      .map((a) => [a.name, resultFor(core, data, a, numbers, args[a.name], out[a.name])]),
  )
  const copies = visibleArrays(data).flatMap(({ name, role }) => {
    const from = args[name],
      to = results[name]
    return role === 'inout' && from instanceof Tensor && to && from.memory !== to.memory ? [{ from, to }] : []
  })
  for (const { from, to } of copies) copyInto(core, from, to)
  const arrays = buffersOf(data, args, results)
  // each is a tensor: `numbersOf` has looked
  const bytes = visibleArrays(data).reduce((n, a) => n + ((results[a.name] ?? args[a.name]) as Tensor).bytes, 0)
  core.run({ name: data.name, launches, temps, arrays, cost: { bytes, flop: 0 } })
  return results
}

const tensorsIn = (args: OperationArguments): Readonly<Record<string, Tensor>> =>
  Object.fromEntries(Object.entries(args).flatMap(([name, x]) => (x instanceof Tensor ? [[name, x]] : [])))

const coreOf = (data: OperationData, on: NonNullable<CallOptions<unknown>['on']>): Core => {
  const core = on instanceof Core ? on : on.core
  return core instanceof Core ? core : refuse('operation.option', `${data.name}: 'on' must be an open device`)
}

const noDevice = (data: OperationData): never =>
  refuse('tensor.device', `${data.name} gets no tensor that says on which device it runs`, 'give { on: gpu }')

/** Where a result goes. */
function resultFor(
  core: Core,
  data: OperationData,
  array: OperationArray,
  numbers: HostNumbers,
  source: Tensor | number | undefined,
  given: Tensor | number | undefined,
): Tensor {
  if (given instanceof Tensor) return given
  const shape = array.isOpenEnded && source instanceof Tensor ? source.shape : shapeOf(array, numbers)
  elementCount(data, array.name, shape)
  return blank(core, shape, array.type)
}

const shapeOf = (array: OperationArray, numbers: HostNumbers): readonly number[] =>
  array.shape.map((e) => Math.max(0, hostValue(e, numbers)))

/** Throws where what is written shares memory with something else: C's loops and a GPU's would not agree on it. */
function checkMemory(data: OperationData, args: OperationArguments, out: OperationArguments): void {
  for (const [name, result] of Object.entries(out)) {
    for (const [other, t] of [...Object.entries(args), ...Object.entries(out)]) {
      if (!(t instanceof Tensor) || !(result instanceof Tensor)) continue
      if (other === name && t.memory === result.memory) continue // in place
      if (overlap(t.memory, result.memory) && t.length > 0)
        refuse(
          'operation.memory',
          `${data.name}: the result ${name} would be written over ${other}, whose memory it shares`,
          `leave out.${name} out, or write the loops so that they change ${other} in place`,
        )
    }
  }
}

function buffersOf(
  data: OperationData,
  args: OperationArguments,
  results: OperationResults,
): Readonly<Record<string, Memory>> {
  return Object.fromEntries(
    visibleArrays(data).map(({ name }) => [name, ((results[name] ?? args[name]) as Tensor).memory]), // checked
  )
}

const copyText = `struct Params { words: i32 }
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) blocks: vec3u) {
  for (var i = i32(id.x); i < params.words; i += i32(blocks.x) * 256) { y[i] = x[i]; }
}
`

/** Blocks that fill any device. */
const mostBlocks = 4096

/** Records a copy of all elements. */
function copyInto(core: Core, from: Tensor, to: Tensor): void {
  const words = Math.ceil(from.bytes / 4)
  const launch: PreparedLaunch = {
    name: 'copy',
    key: copyText,
    text: () => copyText,
    entry: 'copy',
    kinds: ['read', 'read-write', 'uniform'],
    uniform: true,
    sizes: [words],
    wanted: [],
    grid: [Math.min(Math.ceil(words / 256), mostBlocks), 1, 1],
    arrays: ['x', 'y'],
    writes: [false, true],
    hooked: [],
  }
  core.run({
    name: 'copy',
    launches: elements(from.shape) > 0 ? [launch] : [],
    temps: [],
    arrays: { x: from.memory, y: to.memory },
    cost: { bytes: 2 * from.bytes, flop: 0 },
  })
}
