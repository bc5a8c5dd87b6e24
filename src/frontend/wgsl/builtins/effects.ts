// Built-in functions that touch memory or other threads: atomics, barriers, subgroups, `arrayLength`,
// `workgroupUniformLoad`. In: a name and arguments. Out: a value (void for barriers), or undefined for other names.
// The one idea: one row a function over KernelIR's own statements.
import { fail } from '../../../base/index.ts'
import { constOf, type AtomicOp, type Operand, type SubgroupOp } from '../../../ir/index.ts'
import { address, indexOf, load } from '../access.ts'
import type { Env } from '../scope.ts'
import { isNumeric, layoutStruct, scalar, strideOf, wgslTypeText, voidType, type WType } from '../types/types.ts'
import { coerce, concretize, numericName, scalarValue, vectorValue, type Ref, type WgslValue } from '../values.ts'

const atomics: Record<string, AtomicOp> = {
  atomicLoad: 'load',
  atomicStore: 'store',
  atomicAdd: 'add',
  atomicSub: 'sub',
  atomicMax: 'max',
  atomicMin: 'min',
  atomicAnd: 'and',
  atomicOr: 'or',
  atomicXor: 'xor',
  atomicExchange: 'exchange',
  atomicCompareExchangeWeak: 'compareExchange',
}

const nothing: WgslValue = { type: voidType, parts: [] }

/** Calls `name` if it is one of these. `used`: whether the result is wanted. */
export function callEffect(env: Env, name: string, args: readonly WgslValue[], used: boolean): WgslValue | undefined {
  if (Object.hasOwn(atomics, name)) return atomic(env, name, atomics[name]!, args, used)
  if (name !== 'subgroupBarrier' && (name.startsWith('subgroup') || name.startsWith('quad')))
    return subgroup(env, name, args)
  switch (name) {
    case 'subgroupBarrier':
      env.k.barrier('warp')
      return nothing
    case 'workgroupBarrier':
      env.k.barrier('block', { orders: 'shared' })
      return nothing
    case 'storageBarrier':
      env.k.barrier('block', { orders: 'global' })
      return nothing
    case 'textureBarrier':
      env.k.barrier('block', { orders: 'texture' })
      return nothing
    case 'arrayLength':
      return arrayLength(env, args)
    case 'workgroupUniformLoad':
      return uniformLoad(env, args)
    default:
      return undefined
  }
}

function target(env: Env, args: readonly WgslValue[], name: string): Ref {
  return (
    args[0]?.pointer ?? fail('wgsl.type', `${name}() takes a pointer first`, env.k.at, 'write & before the variable')
  )
}

function atomic(env: Env, name: string, op: AtomicOp, args: readonly WgslValue[], used: boolean): WgslValue {
  const { k } = env
  const ref = target(env, args, name)
  if (ref.type.kind !== 'atomic' || ref.kind !== 'memory')
    return fail('wgsl.type', `${name}() takes a pointer to an atomic, not to ${wgslTypeText(ref.type)}`, k.at)
  if (ref.access === 'read' && op !== 'load')
    fail('wgsl.access', `'${ref.resource.name}' cannot be written`, k.at, 'declare it var<storage, read_write>')
  const { element } = ref.type
  const wanted = op === 'load' ? 0 : op === 'compareExchange' ? 2 : 1
  if (args.length !== wanted + 1) fail('wgsl.type', `${name}() takes ${wanted + 1} arguments, not ${args.length}`, k.at)
  const values = args.slice(1).map((a) => coerce(k, a, scalar(element), `an argument of ${name}()`).parts[0]!)
  const result = op === 'load' || op === 'compareExchange' || (used && op !== 'store')
  const old = k.atomic(op, ref.resource, indexOf(ref), values, { ...address(ref, element), name: 'old', result })
  if (!old) return nothing
  if (op !== 'compareExchange') return scalarValue(element, old)
  return { type: exchangeResult(element), parts: [old, k.apply('eq', [old, values[0]!])] }
}

const exchangeResult = (element: 'i32' | 'u32'): WType =>
  layoutStruct(`__atomic_compare_exchange_result<${element}>`, [
    { name: 'old_value', type: scalar(element) },
    { name: 'exchanged', type: scalar('bool') },
  ])

/** (bytes of the buffer − offset of the array) ÷ stride. */
function arrayLength(env: Env, args: readonly WgslValue[]): WgslValue {
  const ref = target(env, args, 'arrayLength')
  if (ref.kind !== 'memory' || ref.type.kind !== 'array' || ref.type.count !== null)
    return fail('wgsl.type', 'arrayLength() takes a pointer to a runtime-sized array', env.k.at)
  const bytes = env.sizeOfBuffer(ref.resource).parts[0]!
  const rest = env.k.apply('sub', [bytes, constOf('u32', ref.offset)])
  return scalarValue('u32', env.k.apply('div', [rest, constOf('u32', strideOf(ref.type))]))
}

/** A barrier, the load, a barrier. */
function uniformLoad(env: Env, args: readonly WgslValue[]): WgslValue {
  const ref = target(env, args, 'workgroupUniformLoad')
  env.k.barrier('block', { orders: 'shared' })
  const value =
    ref.type.kind === 'atomic' && ref.kind === 'memory'
      ? scalarValue(
          ref.type.element,
          env.k.atomic('load', ref.resource, indexOf(ref), [], address(ref, ref.type.element))!,
        ) // load always has a result
      : load(env.k, ref)
  env.k.barrier('block', { orders: 'shared' })
  return value
}

interface SubgroupRow {
  readonly op: SubgroupOp /** The second argument: a lane, mask or delta. */
  readonly lane?: true
  readonly takes?: 'number' | 'integer' | 'bool'
}

const subgroups: Record<string, SubgroupRow> = {
  subgroupAdd: { op: 'add', takes: 'number' },
  subgroupMul: { op: 'mul', takes: 'number' },
  subgroupMin: { op: 'min', takes: 'number' },
  subgroupMax: { op: 'max', takes: 'number' },
  subgroupAnd: { op: 'and', takes: 'integer' },
  subgroupOr: { op: 'or', takes: 'integer' },
  subgroupXor: { op: 'xor', takes: 'integer' },
  subgroupInclusiveAdd: { op: 'inclusiveAdd', takes: 'number' },
  subgroupExclusiveAdd: { op: 'exclusiveAdd', takes: 'number' },
  subgroupInclusiveMul: { op: 'inclusiveMul', takes: 'number' },
  subgroupExclusiveMul: { op: 'exclusiveMul', takes: 'number' },
  subgroupAny: { op: 'any', takes: 'bool' },
  subgroupAll: { op: 'all', takes: 'bool' },
  subgroupBallot: { op: 'ballot', takes: 'bool' },
  subgroupElect: { op: 'elect' },
  subgroupBroadcast: { op: 'broadcast', lane: true },
  subgroupBroadcastFirst: { op: 'broadcastFirst' },
  subgroupShuffle: { op: 'shuffle', lane: true },
  subgroupShuffleXor: { op: 'shuffleXor', lane: true },
  subgroupShuffleUp: { op: 'shuffleUp', lane: true },
  subgroupShuffleDown: { op: 'shuffleDown', lane: true },
}
const quadMasks: Record<string, number> = { quadSwapX: 1, quadSwapY: 2, quadSwapDiagonal: 3 }

function subgroup(env: Env, name: string, args: readonly WgslValue[]): WgslValue | undefined {
  const { k } = env
  if (Object.hasOwn(quadMasks, name)) return shuffle(env, 'shuffleXor', args[0]!, constOf('u32', quadMasks[name]!))
  if (name === 'quadBroadcast') return quadBroadcast(env, args)
  if (!Object.hasOwn(subgroups, name))
    return name.startsWith('subgroupMatrix')
      ? fail('wgsl.unsupported', `${name}() cannot be analysed`, k.at)
      : undefined
  const row = subgroups[name]!
  const count = row.op === 'elect' ? 0 : row.lane ? 2 : 1
  if (args.length !== count) fail('wgsl.type', `${name}() takes ${count} arguments, not ${args.length}`, k.at)
  if (row.op === 'elect') return scalarValue('bool', k.subgroup('elect', []))
  const value = concretize(k, args[0]!)
  checkElement(env, name, value, row)
  if (row.op === 'ballot')
    return vectorValue('u32', [k.subgroup('ballot', [value.parts[0]!]), ...[0, 0, 0].map((z) => constOf('u32', z))])
  return row.lane
    ? shuffle(env, row.op, value, k.apply('convert', [concretize(k, args[1]!).parts[0]!], 'u32'))
    : { type: value.type, parts: value.parts.map((p) => k.subgroup(row.op, [p])) }
}

function checkElement(env: Env, name: string, value: WgslValue, row: SubgroupRow): void {
  const element = numericName(value, `${name}()`, env.k.at)
  const fits =
    row.takes === 'bool'
      ? value.type.kind === 'scalar' && element === 'bool'
      : row.takes === 'integer'
        ? element === 'i32' || element === 'u32'
        : isNumeric(element)
  if (!fits) fail('wgsl.type', `${name}() cannot take ${wgslTypeText(value.type)}`, env.k.at)
}

function shuffle(env: Env, op: SubgroupOp, value: WgslValue, by: Operand): WgslValue {
  const concrete = concretize(env.k, value)
  return { type: concrete.type, parts: concrete.parts.map((p) => env.k.subgroup(op, [p, by])) }
}

function quadBroadcast(env: Env, args: readonly WgslValue[]): WgslValue {
  const { k } = env
  const first = k.apply('and', [k.builtin('lane'), constOf('u32', ~3)])
  return shuffle(
    env,
    'shuffle',
    args[0]!,
    k.apply('or', [first, k.apply('convert', [concretize(k, args[1]!).parts[0]!], 'u32')]),
  )
}
