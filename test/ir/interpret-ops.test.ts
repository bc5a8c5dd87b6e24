// Every op, as the interpreter computes it in a program, is what `evaluate` defines, bit for bit, on odd values.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import {
  evaluate,
  hostArray,
  interpret,
  opRow,
  ops,
  verifyProgram,
  type Expr,
  type HostArray,
  type MemoryType,
  type OpName,
  type Program,
  type ScalarType,
  type ScalarValue,
} from '../../src/ir/index.ts'

type Type = Exclude<ScalarType, 'bool' | 'f16'>
const types: readonly Type[] = ['i32', 'u32', 'i64', 'u64', 'f32', 'f64']
const groups: Record<string, readonly Type[]> = {
  any: types,
  number: types,
  integer: types.slice(0, 4),
  float: types.slice(4),
  bool: [],
}
const odd = [
  0,
  -0,
  1,
  -1,
  2,
  -2,
  3,
  7,
  31,
  32,
  33,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  1e10,
  -1e10,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 32 - 1,
  4e9,
  1e-40,
  3e38,
  Infinity,
  -Infinity,
  NaN,
]

function samples(type: Type): ScalarValue[] {
  const r = random(7)
  const values = [...odd, ...Array.from({ length: 20 }, () => (r.unit() - 0.5) * 2 ** r.int(0, 40))]
  if (type === 'f64') return values
  if (type === 'f32') return values.map(Math.fround)
  const whole = values.filter(Number.isFinite).map(Math.trunc)
  return whole.map((v) =>
    type === 'i32'
      ? v | 0
      : type === 'u32'
        ? v >>> 0
        : type === 'i64'
          ? BigInt.asIntN(64, BigInt(v) * 4294967311n)
          : BigInt.asUintN(64, BigInt(v) * 4294967311n),
  )
}

function fill(type: MemoryType, values: readonly ScalarValue[]): HostArray {
  const array = hostArray(type, values.length)
  values.forEach((v, i) => {
    array[i] = v as never
  }) // of the array's own element type
  return array
}

/** `y[i] = op(a[i], b[i], c[i])` for all i. */
function run(op: OpName, type: Type, result: ScalarType, columns: readonly (readonly ScalarValue[])[]): ScalarValue[] {
  const n = columns[0]!.length,
    names = ['a', 'b', 'c'].slice(0, columns.length)
  const i: Expr = { kind: 'var', type: 'i32', name: 'i' }
  const reads = names.map((array): Expr => ({ kind: 'read', type, array, index: [i] }))
  const args =
    op === 'select'
      ? [{ kind: 'op', type: 'bool', op: 'lt', args: [reads[0]!, reads[1]!] } satisfies Expr, reads[0]!, reads[1]!]
      : reads
  const value: Expr = { kind: 'op', type: result, op, args }
  const out = result === 'bool' ? 'i32' : (result as Type) // f16 is not asked for
  const stored: Expr = result === 'bool' ? { kind: 'op', type: 'i32', op: 'convert', args: [value] } : value
  const decl = (name: string, t: MemoryType, role: 'in' | 'out') => ({
    name,
    type: t,
    shape: [{ kind: 'const', type: 'i32', value: n } satisfies Expr],
    role,
    space: 'global' as const,
  })
  const p: Program = {
    name: 'p',
    sizes: [],
    hostVariables: [],
    scalars: [],
    arrays: [...names.map((x) => decl(x, type, 'in')), decl('y', out, 'out')],
    body: [
      {
        kind: 'loop',
        name: 'i',
        lower: { kind: 'const', type: 'i32', value: 0 },
        upper: { kind: 'const', type: 'i32', value: n },
        step: 1,
        bind: { kind: 'serial' },
        body: [{ kind: 'store', array: 'y', index: [i], reduce: null, value: stored }],
      },
    ],
  }
  verifyProgram(p)
  const y = hostArray(out, n)
  interpret(p, {
    sizes: {},
    scalars: {},
    arrays: { ...Object.fromEntries(names.map((x, k) => [x, fill(type, columns[k]!)])), y },
  })
  return [...y]
}

const cases = (Object.keys(ops) as OpName[]).flatMap((op) =>
  groups[opRow(op).takes]!.flatMap((type): [OpName, Type, ScalarType][] => {
    if (op === 'convert') return types.map((to) => [op, type, to])
    if (op === 'bitcast')
      return types.filter((to) => to.endsWith('64') === type.endsWith('64')).map((to) => [op, type, to])
    return [[op, type, opRow(op).gives === 'bool' ? 'bool' : type]]
  }),
)

test.each(cases)('%s on %s gives %s', (op, type, result) => {
  const base = samples(type),
    pairs = base.flatMap((a) => base.map((b): [ScalarValue, ScalarValue] => [a, b]))
  const arity = op === 'select' ? 2 : opRow(op).arity
  const columns =
    arity === 1 ? [base] : [pairs.map((p) => p[0]), pairs.map((p) => p[1]), pairs.map((p) => p[0])].slice(0, arity)
  const got = run(op, type, result, columns)
  const args = (i: number): ScalarValue[] => columns.map((c) => c[i]!)
  const want = columns[0]!.map((_, i) =>
    op === 'select'
      ? evaluate(op, type, [args(i)[0]! < args(i)[1]! ? 1 : 0, ...args(i)])
      : evaluate(op, type, args(i), result),
  )
  expect(got).toEqual(want)
})
