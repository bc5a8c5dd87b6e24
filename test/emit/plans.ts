// Plans around the hand-built kernels, with inputs from a seed and what must come out, computed in double precision.
import { random } from '../../src/base/index.ts'
import {
  both,
  ceilDiv,
  constant,
  int,
  lt,
  mul,
  op,
  scalarParam,
  sizeOf,
  sub,
  type Expr,
  type HostArray,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanValues,
} from '../../src/ir/index.ts'
import { copyVector, histogram, matmul, oddities, reduceShared, reduceSubgroup, saxpy } from './kernels.ts'

export interface Case {
  readonly plan: Plan
  readonly values: PlanValues
  readonly arrays: Record<string, HostArray>
  readonly expected: Record<string, ArrayLike<number>>
  /** Largest error, relative to the largest expected magnitude. */
  readonly bound: number
}

const n = sizeOf('n'),
  m = sizeOf('m'),
  depth = sizeOf('depth')
const size = (name: string, min = 1): Plan['sizes'][number] => ({ kind: 'given', name, min, planned: 1000 })
const array = (
  name: string,
  role: PlanArray['role'],
  shape: readonly Expr[],
  type: PlanArray['type'] = 'f32',
): PlanArray => ({ name, role, shape, type })
const one = int(1)

/** A vector variant for n ≡ 0 (mod 4) is not needed: the kernel has its own tail. */
const single = (launch: PlanLaunch): Plan['variants'] => [{ when: null, launches: [launch] }]

const floats = (seed: number, count: number): Float32Array<ArrayBuffer> => {
  const r = random(seed)
  return Float32Array.from({ length: count }, () => 2 * r.unit() - 1)
}
const total = (x: ArrayLike<number>): number => Array.from(x).reduce((a, b) => a + b, 0)

export function saxpyCase(count = 1001): Case {
  const plan: Plan = {
    name: 'saxpy',
    sizes: [size('n', 0)],
    scalars: [{ name: 'a', type: 'f32' }],
    arrays: [array('x', 'in', [n]), array('y', 'inout', [n])],
    variants: single({
      kernel: saxpy(),
      grid: [ceilDiv(n, 64), one, one],
      arguments: { x: 'x', y: 'y' },
      params: { n, a: scalarParam('a', 'f32') },
    }),
  }
  const x = floats(1, count),
    y = floats(2, count)
  return {
    plan,
    values: { sizes: { n: count }, scalars: { a: 0.75 } },
    arrays: { x, y },
    expected: { y: x.map((v, i) => 0.75 * v + y[i]!) },
    bound: 1e-6,
  }
}

/** A loop on the host around saxpy of ever shorter vectors, and one launch after it. */
export function repeatCase(count = 1001, times = 37): Case {
  const t: Expr = { kind: 'var', type: 'i32', name: 't' },
    length = sub(n, mul(t, int(2)))
  const launch = (extent: Expr): PlanLaunch => ({
    kernel: saxpy(),
    grid: [ceilDiv(extent, 64), one, one],
    arguments: { x: 'x', y: 'y' },
    params: { n: extent, a: scalarParam('a', 'f32') },
  })
  const plan: Plan = {
    name: 'repeat',
    sizes: [size('n', 0), size('m', 0)],
    scalars: [{ name: 'a', type: 'f32' }],
    arrays: [array('x', 'in', [n]), array('y', 'inout', [n])],
    variants: [
      {
        when: null,
        launches: [launch(length), launch(n)],
        steps: [{ variable: 't', lower: int(1), upper: m, step: 3, body: [0] }, 1],
      },
    ],
  }
  const x = floats(11, count),
    y = floats(12, count)
  const terms = (i: number): number =>
    1 +
    Array.from({ length: times }, (_, v) => v).filter((v) => v >= 1 && (v - 1) % 3 === 0 && i < count - 2 * v).length
  return {
    plan,
    values: { sizes: { n: count, m: times }, scalars: { a: 0.75 } },
    arrays: { x, y },
    expected: { y: Array.from(y, (v, i) => v + terms(i) * 0.75 * x[i]!) },
    bound: 1e-6,
  }
}

export function matmulPlan(): Plan {
  return {
    name: 'matmul',
    sizes: [size('m'), size('n'), size('depth')],
    scalars: [],
    arrays: [array('A', 'in', [m, depth]), array('B', 'in', [depth, n]), array('C', 'out', [m, n])],
    variants: single({
      kernel: matmul(),
      grid: [ceilDiv(n, 16), ceilDiv(m, 16), one],
      arguments: { A: 'A', B: 'B', C: 'C' },
      params: { m, n, depth },
    }),
  }
}

export function matmulCase(rows = 37, columns = 53, inner = 41): Case {
  const A = floats(3, rows * inner),
    B = floats(4, inner * columns)
  const C = Float64Array.from({ length: rows * columns }, (_, at) => {
    let sum = 0
    for (let k = 0; k < inner; k++) sum += A[Math.floor(at / columns) * inner + k]! * B[k * columns + (at % columns)]!
    return sum
  })
  return {
    plan: matmulPlan(),
    values: { sizes: { m: rows, n: columns, depth: inner }, scalars: {} },
    arrays: { A, B },
    expected: { C },
    bound: 1e-5,
  }
}

/** Two launches with a temporary between them: partial sums of 8 blocks, then their sum; one block when n is small. */
export function sumCase(count = 5003): Case {
  const kernel = reduceShared()
  const launch = (from: string, to: string, length: Expr, blocks: Expr): PlanLaunch => ({
    kernel,
    grid: [blocks, one, one],
    arguments: { x: from, out: to },
    params: { n: op('convert', [length], 'u32') },
  })
  const plan: Plan = {
    name: 'sum',
    sizes: [size('n')],
    scalars: [],
    arrays: [array('x', 'in', [n]), array('partial', 'temp', [int(8)]), array('total', 'out', [])],
    variants: [
      { when: lt(n, int(129)), launches: [launch('x', 'total', n, one)] },
      { when: null, launches: [launch('x', 'partial', n, int(8)), launch('partial', 'total', int(8), one)] },
    ],
  }
  const x = floats(5, count)
  return {
    plan,
    values: { sizes: { n: count }, scalars: {} },
    arrays: { x },
    expected: { total: [total(x)] },
    bound: 1e-4,
  }
}

export function subgroupCase(count = 1003): Case {
  const plan: Plan = {
    name: 'subgroup_sum',
    sizes: [size('n')],
    scalars: [],
    arrays: [array('x', 'in', [n]), array('out', 'inout', [])],
    variants: single({
      kernel: reduceSubgroup(),
      grid: [ceilDiv(n, 64), one, one],
      arguments: { x: 'x', out: 'out' },
      params: { n: op('convert', [n], 'u32') },
    }),
  }
  const x = floats(6, count)
  return {
    plan,
    values: { sizes: { n: count }, scalars: {} },
    arrays: { x, out: new Float32Array([3]) },
    expected: { out: [3 + total(x)] },
    bound: 1e-4,
  }
}

export function histogramCase(count = 997): Case {
  const plan: Plan = {
    name: 'histogram',
    sizes: [size('n')],
    scalars: [],
    arrays: [array('x', 'in', [n], 'u32'), array('bins', 'inout', [int(16)], 'u32')],
    variants: single({
      kernel: histogram(),
      grid: [ceilDiv(n, 32), one, one],
      arguments: { x: 'x', bins: 'bins' },
      params: { n: op('convert', [n], 'u32') },
    }),
  }
  const r = random(7)
  const x = Uint32Array.from({ length: count }, () => r.bits()),
    bins = new Uint32Array(16).fill(1)
  const expected = bins.slice()
  for (const v of x) expected[v % 16]!++
  return {
    plan,
    values: { sizes: { n: count }, scalars: {} },
    arrays: { x, bins },
    expected: { bins: expected },
    bound: 0,
  }
}

export function copyCase(count = 1003): Case {
  const plan: Plan = {
    name: 'copy',
    sizes: [size('n')],
    scalars: [],
    arrays: [array('x', 'in', [n]), array('y', 'out', [n])],
    variants: single({
      kernel: copyVector(),
      grid: [ceilDiv(n, 128), one, one],
      arguments: { x: 'x', y: 'y' },
      params: { n },
    }),
  }
  const x = floats(8, count)
  return {
    plan,
    values: { sizes: { n: count }, scalars: {} },
    arrays: { x },
    expected: { y: x.map((v) => 2 * v) },
    bound: 0,
  }
}

/** What `oddities` computes, in JavaScript's wrapping integers. */
function oddity(bytes: Int8Array, table: Float32Array, divisor: number, flag: boolean, rank: number): number {
  let sum = 0
  for (let j = 0; j < 6; j++) {
    if (j % 2 === 0) sum = (sum + bytes[rank + j]!) | 0
    sum ^= 1
  }
  const quotient = divisor === 0 ? sum : Math.trunc(sum / divisor) | 0
  const high = Number((BigInt(Math.imul(sum, 123456789)) * BigInt((divisor + 1000000007) | 0)) >> 32n)
  const x = quotient ^ (sum << rank) ^ Math.trunc(table[rank % 5]! * 2) ^ high
  const y = x > 0 ? x : -x | 0
  return (((y + 3) | 0) + Math.imul(flag ? 7 : 9, (rank - 2147483648) | 0)) | 0
}

export function odditiesCase(divisor = 0, flag = true): Case {
  const plan: Plan = {
    name: 'oddities',
    sizes: [],
    scalars: [
      { name: 'divisor', type: 'i32' },
      { name: 'flag', type: 'i32' },
    ],
    arrays: [
      array('bytes', 'in', [int(37)], 'i8'),
      array('table', 'in', [int(5)]),
      array('out', 'out', [int(32)], 'i32'),
    ],
    variants: single({
      kernel: oddities(),
      grid: [one, one, one],
      arguments: { class: 'bytes', table: 'table', out: 'out' },
      params: {
        divisor: scalarParam('divisor', 'i32'),
        flag: both(constant('bool', 1), op('ne', [mul(scalarParam('flag', 'i32'), int(1)), int(0)])),
      },
    }),
  }
  const r = random(9)
  const bytes = Int8Array.from({ length: 37 }, () => r.int(-128, 127)),
    table = floats(10, 5).map((v) => 100 * v)
  const out = Int32Array.from({ length: 32 }, (_, rank) => oddity(bytes, table, divisor, flag, rank))
  return {
    plan,
    values: { sizes: {}, scalars: { divisor, flag: flag ? 1 : 0 } },
    arrays: { bytes, table },
    expected: { out },
    bound: 0,
  }
}

export const allCases = {
  saxpyCase,
  repeatCase,
  matmulCase,
  sumCase,
  subgroupCase,
  histogramCase,
  copyCase,
  odditiesCase,
}

/** Largest absolute difference, relative to the largest expected magnitude. */
export function errorOf(got: ArrayLike<number | bigint>, expected: ArrayLike<number>): number {
  if (got.length !== expected.length) return Infinity
  let scale = 0,
    worst = 0
  for (let i = 0; i < expected.length; i++) {
    scale = Math.max(scale, Math.abs(expected[i]!))
    const error = Math.abs(Number(got[i]) - expected[i]!)
    worst = Math.max(worst, Number.isNaN(error) ? Infinity : error)
  }
  return worst / (scale || 1)
}
