// Every operation on floats, asked of a device: a plan with one launch that computes all of them on pairs of edge
// arguments, and the judgement of what came back by the table of promises. The one idea: the table is a claim about
// devices that can be wrong, so that devices answer it: a result beyond its promise is listed with its arguments.
import {
  ceilDiv,
  constOf,
  errorOf,
  evaluate,
  int,
  isOpen,
  KernelBuilder,
  mul,
  opRow,
  ops,
  promiseOf,
  sizeOf,
  unitAt,
  type HostArray,
  type Kernel,
  type OpName,
  type Operand,
  type Plan,
  type TargetName,
  type Verified,
} from '../../src/ir/index.ts'
import { random } from '../../src/base/index.ts'

/** Float operations whose result is a float or a truth. */
export const floatOps: readonly OpName[] = (Object.keys(ops) as OpName[]).filter((op) => {
  const { takes, gives } = opRow(op)
  return takes !== 'integer' && takes !== 'bool' && gives !== 'to' && op !== 'copy' && op !== 'select'
})

const edges = [
  0,
  1,
  2,
  3,
  0.5,
  1.5,
  2.5,
  0.1,
  1 / 3,
  6,
  10,
  31,
  64,
  100,
  1e-3,
  1e-10,
  1e10,
  2 ** 23,
  2 ** 24 + 2,
  2 ** 31,
  2 ** 32,
  2 ** 60,
  2 ** -60,
  2 ** -126,
  2 ** -149,
  3.4028234663852886e38,
  Math.PI,
  Math.PI / 2,
  80,
  Infinity,
  NaN,
].flatMap((x) => (Number.isNaN(x) ? [x] : [Math.fround(x), Math.fround(-x)]))

/** Pairs of numbers that are no edges, by their magnitudes. */
const mostRandom = 2000

/** All pairs of edges, and pairs of random numbers of all sizes. */
export function argumentPairs(seed = 1): {
  readonly x: Float32Array<ArrayBuffer>
  readonly y: Float32Array<ArrayBuffer>
} {
  const r = random(seed)
  const number = (): number => {
    const exponent = r.unit() < 0.7 ? r.int(-6, 6) : r.int(-60, 60)
    return (2 * r.unit() - 1) * 2 ** exponent
  }
  const pairs = [
    ...edges.flatMap((a) => edges.map((b) => [a, b] as const)),
    ...Array.from({ length: mostRandom }, () => [number(), number()] as const),
  ]
  return { x: Float32Array.from(pairs, ([a]) => a), y: Float32Array.from(pairs, ([, b]) => b) }
}

/** The number of a thread in the grid, of blocks of 64. */
export const globalIndex = (k: KernelBuilder): Operand =>
  k.op('add', [
    k.op('mul', [k.op('convert', [k.builtin('blockIdx.x')], { type: 'i32' }), constOf('i32', 64)]),
    k.op('convert', [k.builtin('threadIdx.x')], { type: 'i32' }),
  ])

/** o[i][k] = the k-th operation on x[i] and y[i]; fma adds x. `rounding`: an answer hangs on a quotient and a root. */
function kernelOf(rounding: boolean): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'operations', block: [64, 1, 1] })
  const x = k.global('x', 'f32', 'read'),
    y = k.global('y', 'f32', 'read'),
    o = k.global('o', 'f32', 'write'),
    n = k.param('n', 'i32')
  const i = globalIndex(k)
  k.ifThen(k.op('lt', [i, n]), () => {
    const a = k.load(x, i),
      b = k.load(y, i)
    const one = constOf('f32', 1),
      none = constOf('f32', 0)
    const put = (at: number, value: Operand): void =>
      k.store(o, k.op('add', [k.op('mul', [i, constOf('i32', floatOps.length)]), constOf('i32', at)]), value)
    floatOps.forEach((op, at) => {
      const { arity, gives } = opRow(op)
      const value = k.op(op, arity === 1 ? [a] : arity === 2 ? [a, b] : [a, b, a])
      put(at, gives === 'bool' ? k.op('select', [value, one, none]) : value)
    })
    if (!rounding) return
    const root = k.op('sqrt', [k.op('abs', [a])])
    const whole = k.op('floor', [k.op('add', [k.op('div', [a, b]), k.op('add', [root, k.op('rcp', [a])])])])
    k.ifThen(k.op('eq', [whole, constOf('f32', 12345.5)]), () => put(0, none))
  })
  return k.finish()
}

/** The plan: x and y of n numbers, o of n rows with a column per operation. */
export function operationsPlan(rounding: boolean): Plan {
  const n = sizeOf('n')
  return {
    name: 'operations',
    sizes: [{ kind: 'given', name: 'n', min: 1, planned: 4096 }],
    scalars: [],
    arrays: [
      { name: 'x', role: 'in', type: 'f32', shape: [n] },
      { name: 'y', role: 'in', type: 'f32', shape: [n] },
      { name: 'o', role: 'out', type: 'f32', shape: [mul(n, int(floatOps.length))] },
    ],
    variants: [
      {
        when: null,
        launches: [
          {
            kernel: kernelOf(rounding),
            grid: [ceilDiv(n, 64), int(1), int(1)],
            arguments: { x: 'x', y: 'y', o: 'o' },
            params: { n },
          },
        ],
      },
    ],
  }
}

/** A result that breaks its promise. */
export interface Broken {
  readonly op: OpName
  readonly x: number
  readonly y: number
  readonly got: number
  readonly want: number
  /** How far off it is, and may be, in units in the last place of what it should be. */
  readonly units: number
  readonly allowed: number
}

export interface Judgement {
  readonly op: OpName
  /** Results that the table speaks of, and all. */
  readonly judged: number
  readonly all: number
  /** The largest error, in units in the last place, of results that are no denormals. */
  readonly units: number
  readonly broken: readonly Broken[]
  /** Results with infinities or NaNs where IEEE 754 has others; the table promises nothing of them in WGSL. */
  readonly special: readonly Broken[]
}

const isDenormal = (x: number): boolean => x !== 0 && Math.abs(x) < 2 ** -126
/** An argument, or what it becomes where denormals are flushed. */
const flushed = (x: number, target: TargetName): readonly number[] =>
  target === 'wgsl' && isDenormal(x) ? [x, Object.is(Math.sign(x), -1) ? -0 : 0] : [x]

/** What came back of one operation, by its promise. */
export function judge(
  op: OpName,
  target: TargetName,
  rounding: boolean,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  got: (i: number) => number,
): Judgement {
  const row = promiseOf(op, target, rounding),
    broken: Broken[] = [],
    special: Broken[] = []
  let judged = 0,
    units = 0
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i]!, y[i]!] // as long
    const args = opRow(op).arity === 1 ? [a] : [a, b]
    if (isOpen(row, args)) continue
    const g = got(i)
    const wants = flushed(a, target).flatMap((p) => flushed(b, target).flatMap((q) => exactly(op, p, q)))
    const best = wants
      .map((want) => ({ want, ...off(row.f32, want, g, args) }))
      .reduce((u, v) => (v.units / v.allowed < u.units / u.allowed ? v : u))
    const isSpecial = [...args, best.want].some((v) => !Number.isFinite(v) || Math.abs(v) > largestSingle)
    const isRight = best.units <= best.allowed || (target === 'wgsl' && isDenormal(best.want) && g === 0)
    const found: Broken = { op, x: a, y: b, got: g, ...best }
    if (isSpecial && target === 'wgsl') {
      if (!isRight) special.push(found)
      continue
    }
    judged++
    if (!isRight) broken.push(found)
    else if (!isDenormal(best.want)) units = Math.max(units, best.units)
  }
  return { op, judged, all: x.length, units, broken, special }
}

const largestSingle = 3.4028234663852886e38
/** Half a unit of rounding, and what float64 functions of the host are off. */
const ownRounding = 0.5 + 2 ** -20

/** The exact results in float64: of a fused product and sum there are two. */
function exactly(op: OpName, a: number, b: number): readonly number[] {
  if (op === 'fma') return [a * b + a, Math.fround(a * b) + a, (isDenormal(a * b) ? 0 : a * b) + a]
  return [Number(evaluate(op, 'f64', opRow(op).arity === 1 ? [a] : [a, b]))]
}

/** How far a result is from the exact one, and may be, in units of the last place. */
function off(
  allowed: Parameters<typeof errorOf>[0],
  want: number,
  got: number,
  [a, b]: readonly number[],
): { readonly units: number; readonly allowed: number } {
  const single = Math.fround(want)
  if (Object.is(got, single) || got === single) return { units: 0, allowed: 1 }
  if (Number.isNaN(got) || Number.isNaN(want)) return { units: Infinity, allowed: 1 }
  const unit = unitAt('f32', want)
  const may = errorOf(allowed, 'f32', want, a!, b ?? 0) / unit + ownRounding // there is one at least
  if (may === Infinity) return { units: 0, allowed: 1 }
  if (!Number.isFinite(got)) return { units: Math.abs(want) + may * unit > largestSingle ? 0 : Infinity, allowed: 1 }
  return { units: Math.abs(got - want) / unit, allowed: may }
}

/** All operations of one run. */
export function judgeAll(
  target: TargetName,
  rounding: boolean,
  x: Float32Array,
  y: Float32Array,
  o: HostArray,
): readonly Judgement[] {
  return floatOps.map((op, at) => judge(op, target, rounding, x, y, (i) => Number(o[i * floatOps.length + at])))
}
