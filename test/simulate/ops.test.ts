// Every op on every type, compiled, against `evaluate`: once on lanes that differ (SIMD) and once on parameters
// (scalar).
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import {
  constOf,
  evaluate,
  hostArray,
  f16Bits,
  f16Value,
  inGroup,
  KernelBuilder,
  opRow,
  ops,
  bytesOf,
  type HostArray,
  type MemoryType,
  type Operand,
  type OpName,
  type Reg,
  type ScalarType,
  type ScalarValue,
} from '../../src/ir/index.ts'
import { simulate } from '../../src/simulate/index.ts'

const types: readonly ScalarType[] = ['bool', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']
const memory = (t: ScalarType): MemoryType => (t === 'bool' ? 'i32' : t)
const integers = [0, 1, -1, 2, 3, 7, 31, 32, 33, 63, 64, 2147483647, -2147483648, 65535]
const floats = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  3.7,
  1e-8,
  6e-8,
  6.1e-5,
  65504,
  65520,
  1e10,
  -3e9,
  4e9,
  1e30,
  NaN,
  Infinity,
  -Infinity,
  0.1,
  100,
]
const lanes = 64

/** 64 values of a type: the edges, then random ones. */
function values(type: ScalarType, seed: number): ScalarValue[] {
  const r = random(seed)
  return Array.from({ length: lanes }, (_, i) => {
    if (type === 'bool') return constOf('bool', r.int(0, 1)).value
    const edges = type === 'f16' || type === 'f32' || type === 'f64' ? floats : integers
    if (type === 'i64' || type === 'u64')
      return constOf(
        type,
        i < 40 ? BigInt(edges[r.int(0, edges.length - 1)]!) : (BigInt(r.bits()) << 32n) | BigInt(r.bits()),
      ).value
    if (i < 40) return constOf(type, edges[r.int(0, edges.length - 1)]!).value
    return constOf(type, edges === integers ? r.bits() : (r.unit() - 0.5) * 10 ** r.int(-6, 6)).value
  })
}

function put(array: HostArray, i: number, type: ScalarType, value: ScalarValue): void {
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) array[i] = BigInt(value)
  else array[i] = type === 'f16' ? f16Bits(Number(value)) : Number(value)
}
function take(array: HostArray, i: number, type: ScalarType): ScalarValue {
  const raw = array[i]!
  return type === 'f16' ? f16Value(Number(raw)) : type === 'u64' ? BigInt.asUintN(64, BigInt(raw)) : raw
}

/** Runs `op` on 64 threads, arguments from buffers (`varying`) or from the first value of each as parameters. */
function run(
  op: OpName,
  type: ScalarType,
  to: ScalarType,
  args: readonly ScalarValue[][],
  varying: boolean,
): ScalarValue[] {
  const k = new KernelBuilder({ name: 'one', block: [lanes, 1, 1] })
  const typeOf = (i: number): ScalarType => (op === 'select' && i === 0 ? 'bool' : type)
  const t = k.builtin('threadIdx.x')
  const buffers: Record<string, ArrayBuffer> = {}
  const params: Record<string, ScalarValue> = {}
  const operands = args.map((list, i): Operand => {
    const own = typeOf(i)
    if (!varying) {
      params[`p${i}`] = list[0]!
      return k.op('copy', [k.param(`p${i}`, own)])
    }
    const resource = k.global(`in${i}`, memory(own), 'read')
    const array = hostArray(memory(own), lanes)
    list.forEach((v, lane) => put(array, lane, own, v))
    buffers[`in${i}`] = array.buffer
    const loaded = k.load(resource, t)
    return own === 'bool' ? k.op('ne', [loaded, 0]) : loaded
  })
  const result: Reg = k.reg(to, 'result')
  k.push({ kind: 'op', op, dst: result, args: operands })
  const out = k.global('out', memory(to), 'write')
  buffers.out = new ArrayBuffer(lanes * bytesOf[memory(to)])
  k.store(out, t, to === 'bool' ? k.op('convert', [result], { type: 'i32' }) : result)
  simulate(k.finish(), { grid: [1, 1, 1], params, buffers }, gpu('h200'))
  const array = hostArray(memory(to), buffers.out)
  return Array.from({ length: varying ? lanes : 1 }, (_, lane) => take(array, lane, to))
}

function targets(op: OpName, type: ScalarType): readonly ScalarType[] {
  if (opRow(op).gives === 'bool') return ['bool']
  if (op === 'convert') return types
  if (op === 'bitcast') return types.filter((t) => t !== 'bool' && type !== 'bool' && bytesOf[t] === bytesOf[type])
  return [type]
}

describe('compiled ops are evaluate', () => {
  for (const op of Object.keys(ops) as OpName[]) {
    test(op, () => {
      for (const type of types.filter((t) => inGroup(t, opRow(op).takes))) {
        for (const to of targets(op, type)) {
          const args = Array.from({ length: opRow(op).arity }, (_, i) =>
            values(op === 'select' && i === 0 ? 'bool' : type, 100 * i + 7),
          )
          // The bits of a NaN are nobody's promise.
          if (op === 'bitcast') args[0] = args[0]!.map((v) => (Number.isNaN(v) ? 1 : v))
          for (const varying of [true, false]) {
            const got = run(op, type, to, args, varying)
            got.forEach((v, lane) => {
              const expected = evaluate(
                op,
                type,
                args.map((list) => list[lane]!),
                to,
              )
              expect(
                v,
                `${op} ${type} → ${to} (${args.map((list) => String(list[lane])).join(', ')}) ` +
                  `${varying ? 'varying' : 'uniform'}`,
              ).toBe(expected)
            })
          }
        }
      }
    })
  }
})
