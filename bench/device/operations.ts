// In: seconds, the greatest number of elements and the first seed. Out: every random operation of the library whose
// result is not the reference's, and one line of figures. The reference is a plain loop in float64 for sampled elements
// of the result, so that large shapes cost no more than small ones. Runs where `open()` finds a device.
//   npx tsx bench/device/operations.ts [SECONDS [ELEMENTS [SEED]]]
import { random } from '../../src/base/index.ts'
import {
  open,
  type ConvOptions,
  type DType,
  type Gpu,
  type MatmulOptions,
  type Tensor,
} from '../../src/kernels/index.ts'
import { dawnForMeasuring } from '../../src/tune/index.ts'
import { at, volume } from '../../test/kernels/language.ts'
import { countFrom, seedFrom } from '../arguments.ts'

const seconds = countFrom(process.argv[2], 60, 'the number of seconds')
const most = countFrom(process.argv[3], 1 << 22, 'the number of elements')
const firstSeed = seedFrom(process.argv[4], 1)

/** A result and what an element of it must be, with how far that may be off. */
interface Case {
  readonly words: string
  readonly result: Tensor
  readonly shape: readonly number[]
  readonly want: (index: readonly number[]) => number
  readonly within: number
}
type Stream = ReturnType<typeof random>
type Data = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

class Dice {
  readonly stream: Stream
  constructor(seed: number) {
    this.stream = random(seed)
  }
  below(n: number): number {
    return Math.floor(this.stream.unit() * n)
  }
  pick<T>(...of: readonly T[]): T {
    return of[this.below(of.length)]!
  } // never empty
  /** An extent: often 1, a power of two or near one, seldom 0, at most `top`. */
  extent(top: number): number {
    const kind = this.stream.unit()
    if (kind < 0.02) return 0
    if (kind < 0.15) return 1
    const power = 2 ** this.below(Math.max(1, Math.floor(Math.log2(Math.max(2, top)))) + 1)
    const n = kind < 0.4 ? power : kind < 0.6 ? power + this.pick(-1, 1, 4) : 1 + this.below(power)
    return Math.max(1, Math.min(n, Math.floor(top)))
  }
  shape(rank: number, elements: number): number[] {
    const shape: number[] = []
    for (let i = 0; i < rank; i++) shape.push(this.extent(elements / Math.max(1, volume(shape))))
    return shape.sort(() => this.stream.unit() - 0.5)
  }
  data(shape: readonly number[], dtype: DType = 'f32'): Data {
    const n = volume(shape)
    if (dtype === 'i32') return Int32Array.from({ length: n }, () => this.below(2001) - 1000)
    if (dtype === 'u32') return Uint32Array.from({ length: n }, () => this.below(1000))
    return Float32Array.from({ length: n }, () => 2 * this.stream.unit() - 1)
  }
}

const activations: Readonly<Record<string, (x: number) => number>> = {
  none: (x) => x,
  relu: (x) => Math.max(0, x),
  tanh: Math.tanh,
  'x * x - 0.5': (x) => x * x - 0.5,
}

function matmul(gpu: Gpu, d: Dice): Case {
  const side = Math.sqrt(most)
  const [m, n, k] = [d.extent(side), d.extent(side), d.extent(side)],
    lead = d.pick<readonly number[]>([], [], [], [d.extent(5)], [d.extent(3), d.extent(4)])
  const transposeA = d.pick(true, false),
    transposeB = d.pick(true, false),
    alpha = d.pick(1, -0.5),
    activation = d.pick(...Object.keys(activations))
  const as = [...lead, ...(transposeA ? [k, m] : [m, k])],
    bs = [
      ...d.pick(
        lead,
        lead.map(() => 1),
        [],
      ),
      ...(transposeB ? [n, k] : [k, n]),
    ]
  const a = d.data(as),
    b = d.data(bs),
    shape = [...lead, m, n],
    bias = d.pick(null, d.data([n])),
    c = d.pick(null, null, d.data(shape)),
    beta = d.pick(1, 2)
  const options: MatmulOptions = {
    transposeA,
    transposeB,
    alpha,
    activation: activation as 'relu',
    ...(bias && { bias: gpu.tensor(bias) as Tensor<'f32'> }),
    ...(c && { c: gpu.tensor(c, shape) as Tensor<'f32'>, beta }),
  } // names of activations, or expressions
  return {
    words:
      `matmul [${as}] [${bs}] ${transposeA} ${transposeB} ${alpha} ` +
      `${activation}${bias ? ' bias' : ''}${c ? ` + ${beta} c` : ''}`,
    shape,
    within: 2e-6 * (1 + Math.sqrt(k)) * 4,
    result: gpu.matmul(gpu.tensor(a, as) as Tensor<'f32'>, gpu.tensor(b, bs) as Tensor<'f32'>, options),
    want: (index) => {
      const i = index.at(-2)!,
        j = index.at(-1)!,
        outer = index.slice(0, -2)
      let sum = 0
      for (let x = 0; x < k; x++)
        sum +=
          at(a, as, [...outer, ...(transposeA ? [x, i] : [i, x])]) *
          at(b, bs, [...outer, ...(transposeB ? [j, x] : [x, j])])
      return activations[activation]!(alpha * sum + (c ? beta * at(c, shape, index) : 0) + (bias ? bias[j]! : 0))
    },
  }
}

function transpose(gpu: Gpu, d: Dice): Case {
  const shape = d.shape(1 + d.below(5), most),
    dtype = d.pick<DType>('f32', 'i32', 'u32'),
    data = d.data(shape, dtype)
  const order = shape.map((_, i) => i).sort(() => d.stream.unit() - 0.5)
  const want = (index: readonly number[]): number => {
    const from: number[] = []
    order.forEach((axis, i) => {
      from[axis] = index[i]!
    })
    return at(data, shape, from)
  }
  return {
    words: `transpose [${shape}] [${order}] ${dtype}`,
    shape: order.map((i) => shape[i]!),
    result: gpu.transpose(gpu.tensor(data, shape), order),
    want,
    within: 0,
  }
}

/** All indices of the axes that are folded away, from an index of what is kept. */
function* along(shape: readonly number[], axes: readonly number[], index: readonly number[]): Generator<number> {
  const strides = shape.map((_, i) => volume(shape.slice(i + 1)))
  const start = index.reduce((p, x, i) => p + (axes.includes(i) ? 0 : x * strides[i]!), 0)
  const count = axes.reduce((n, a) => n * shape[a]!, 1)
  for (let n = 0; n < count; n++) {
    let rest = n,
      place = start
    for (let i = axes.length - 1; i >= 0; i--) {
      const a = axes[i]!
      place += (rest % shape[a]!) * strides[a]!
      rest = Math.floor(rest / shape[a]!)
    }
    yield place
  }
}

function reduce(gpu: Gpu, d: Dice): Case {
  const shape = d.shape(1 + d.below(4), most),
    dtype = d.pick<DType>('f32', 'f32', 'i32', 'u32'),
    data = d.data(shape, dtype),
    axes = shape.map((_, i) => i).filter(() => d.pick(true, false))
  const count = axes.reduce((n, a) => n * shape[a]!, 1)
  const op = d.pick(
    'sum' as const,
    'max' as const,
    'min' as const,
    ...(dtype === 'f32' ? ['mean' as const, 'norm' as const] : []),
  )
  const result =
    count === 0 && (op === 'max' || op === 'min')
      ? gpu.sum(gpu.tensor(data, shape), { axes, keep: true })
      : gpu[op](gpu.tensor(data, shape) as Tensor<'f32'>, { axes, keep: true })
  return {
    words: `${op} ${dtype} [${shape}] over [${axes}]`,
    shape: shape.map((n, i) => (axes.includes(i) ? 1 : n)),
    result,
    within:
      dtype === 'f32' && op !== 'max' && op !== 'min'
        ? (4e-6 * (1 + Math.sqrt(count))) / (op === 'mean' ? Math.max(1, count) : 1) + 1e-7
        : 0,
    want: (index) => {
      let sum = 0,
        squares = 0,
        max = -Infinity,
        min = Infinity
      for (const place of along(shape, axes, index)) {
        const x = data[place]!
        sum += x
        squares += x * x
        max = Math.max(max, x)
        min = Math.min(min, x)
      }
      if (count === 0 && (op === 'max' || op === 'min')) return 0
      return op === 'sum'
        ? dtype === 'i32'
          ? sum | 0
          : dtype === 'u32'
            ? sum >>> 0
            : sum
        : op === 'mean'
          ? sum / count
          : op === 'norm'
            ? Math.sqrt(squares)
            : op === 'max'
              ? max
              : min
    },
  }
}

function argument(gpu: Gpu, d: Dice): Case {
  const shape = d.shape(1 + d.below(3), most).map((n) => Math.max(1, n)),
    dtype = d.pick<DType>('f32', 'i32', 'u32'),
    axis = d.below(shape.length),
    op = d.pick('argmax' as const, 'argmin' as const)
  const data = d.data(shape, dtype)
  return {
    words: `${op} ${dtype} [${shape}] along ${axis}`,
    shape: shape.map((n, i) => (i === axis ? 1 : n)),
    result: gpu[op](gpu.tensor(data, shape), { axis, keep: true }),
    within: 0,
    want: (index) => {
      let best = -1,
        value = 0,
        i = 0
      for (const place of along(shape, [axis], index)) {
        const x = data[place]!
        if (best < 0 || (op === 'argmax' ? x > value : x < value)) {
          best = i
          value = x
        }
        i++
      }
      return best
    },
  }
}

function scan(gpu: Gpu, d: Dice): Case {
  const shape = d.shape(1 + d.below(3), most),
    dtype = d.pick<DType>('f32', 'i32', 'u32'),
    axis = d.below(shape.length),
    op = d.pick('sum' as const, 'max' as const, 'min' as const)
  const exclusive = d.pick(true, false),
    reverse = d.pick(true, false),
    data = d.data(shape, dtype),
    n = shape[axis]!
  const nothing =
    op === 'sum'
      ? 0
      : { f32: [-Infinity, Infinity], i32: [-2147483648, 2147483647], u32: [0, 4294967295], f16: [0, 0] }[dtype][
          op === 'max' ? 0 : 1
        ]!
  return {
    words: `scan ${op} ${dtype} [${shape}] along ${axis}${exclusive ? ' exclusive' : ''}${reverse ? ' reverse' : ''}`,
    shape,
    result: gpu.scan(gpu.tensor(data, shape), { op, axis, exclusive, reverse }),
    within: dtype === 'f32' && op === 'sum' ? 4e-6 * (1 + Math.sqrt(n)) : 0,
    want: (index) => {
      const places = [...along(shape, [axis], index)],
        k = index[axis]!
      const seen = reverse ? places.slice(k + (exclusive ? 1 : 0)) : places.slice(0, k + (exclusive ? 0 : 1))
      const value = seen.reduce(
        (s, p) => (op === 'sum' ? s + data[p]! : op === 'max' ? Math.max(s, data[p]!) : Math.min(s, data[p]!)),
        nothing,
      )
      return op !== 'sum' ? value : dtype === 'i32' ? value | 0 : dtype === 'u32' ? value >>> 0 : value
    },
  }
}

function conv(gpu: Gpu, d: Dice): Case {
  const nhwc = d.pick(true, false),
    groups = d.pick(1, 1, 1, 2, 3),
    depthwise = d.pick(false, false, true),
    per = depthwise ? 1 : d.extent(40)
  const channels = per * groups,
    outputs = groups * (depthwise ? 1 : Math.max(1, d.extent(70)))
  const [r, s] = [1 + d.below(7), 1 + d.below(7)],
    dilation = [d.pick(1, 1, 2), d.pick(1, 1, 3)] as const,
    stride = [d.pick(1, 1, 2), d.pick(1, 1, 3)] as const,
    padding = [d.below(4), d.below(4)] as const
  const n = d.extent(4),
    side = Math.max(1, Math.sqrt(most / Math.max(1, n * channels * 8)))
  const h = d.extent(side),
    w = d.extent(side),
    xs = [n, channels, h, w],
    ws = [outputs, per, r, s]
  const out = (size: number, i: 0 | 1, window: number): number =>
    Math.max(0, Math.floor((size + 2 * padding[i] - dilation[i] * (window - 1) - 1) / stride[i]) + 1)
  const natural = [n, outputs, out(h, 0, r), out(w, 1, s)],
    x = d.data(xs),
    f = d.data(ws),
    bias = d.pick(null, d.data([outputs])),
    activation = d.pick('none' as const, 'relu' as const)
  const options: ConvOptions = {
    groups,
    dilation,
    stride,
    padding,
    activation,
    ...(nhwc && { layout: 'nhwc' as const }),
    ...(bias && { bias: gpu.tensor(bias) as Tensor<'f32'> }),
  }
  const image = gpu.tensor(x, xs) as Tensor<'f32'>,
    windows = gpu.tensor(f, ws) as Tensor<'f32'>
  const result = nhwc
    ? gpu.conv2d(gpu.transpose(image, [0, 2, 3, 1]), gpu.transpose(windows, [2, 3, 1, 0]), options)
    : gpu.conv2d(image, windows, options)
  return {
    words: `conv2d [${xs}] [${ws}] ${JSON.stringify({ ...options, bias: bias !== null })}`,
    result,
    shape: nhwc ? [n, natural[2]!, natural[3]!, outputs] : natural,
    within: 4e-6 * (1 + Math.sqrt(per * r * s)),
    want: (index) => {
      const [b, k, p, q] = nhwc
        ? [index[0]!, index[3]!, index[1]!, index[2]!]
        : [index[0]!, index[1]!, index[2]!, index[3]!]
      let sum = bias ? bias[k]! : 0
      for (let c = 0; c < per; c++)
        for (let u = 0; u < r; u++)
          for (let v = 0; v < s; v++) {
            const y = p * stride[0] + u * dilation[0] - padding[0],
              z = q * stride[1] + v * dilation[1] - padding[1]
            if (y >= 0 && y < h && z >= 0 && z < w)
              sum += at(f, ws, [k, c, u, v]) * at(x, xs, [b, Math.floor(k / (outputs / groups)) * per + c, y, z])
          }
      return activation === 'relu' ? Math.max(0, sum) : sum
    },
  }
}

function separable(gpu: Gpu, d: Dice): Case {
  const xs = [...d.pick([], [d.extent(3)]), d.extent(Math.sqrt(most / 3)), d.extent(Math.sqrt(most / 3))].map((n) =>
      Math.max(1, n),
    ),
    x = d.data(xs),
    rows = d.data([1 + 2 * d.below(9)]),
    columns = d.data([1 + 2 * d.below(9)])
  const shape = xs,
    [h, w] = [xs.at(-2)!, xs.at(-1)!],
    [ry, rx] = [(columns.length - 1) / 2, (rows.length - 1) / 2]
  return {
    words: `separableConv2d [${xs}] ${rows.length} ${columns.length}`,
    shape,
    result: gpu.separableConv2d(
      gpu.tensor(x, xs) as Tensor<'f32'>,
      gpu.tensor(rows) as Tensor<'f32'>,
      gpu.tensor(columns) as Tensor<'f32'>,
    ),
    within: 1e-5 * Math.sqrt(rows.length * columns.length),
    want: (index) => {
      const lead = index.slice(0, -2),
        i = index.at(-2)!,
        j = index.at(-1)!
      let sum = 0
      for (let u = -ry; u <= ry; u++)
        for (let v = -rx; v <= rx; v++)
          if (i + u >= 0 && i + u < h && j + v >= 0 && j + v < w)
            sum += columns[u + ry]! * rows[v + rx]! * at(x, xs, [...lead, i + u, j + v])
      return sum
    },
  }
}

function map(gpu: Gpu, d: Dice): Case {
  const shape = d.shape(1 + d.below(4), most),
    thin = (s: readonly number[]): number[] => s.slice(d.below(s.length)).map((n) => d.pick(n, n, 1))
  const bs = thin(shape),
    cs = thin(shape),
    a = d.data(shape),
    b = d.data(bs),
    c = d.data(cs)
  return {
    words: `map [${shape}] [${bs}] [${cs}]`,
    shape,
    result: gpu.map('a > b ? a * c + 0.5 : max(b, c) - a', {
      a: gpu.tensor(a, shape),
      b: gpu.tensor(b, bs),
      c: gpu.tensor(c, cs),
    }),
    within: 1e-6,
    want: (i) => {
      const [x, y, z] = [at(a, shape, i), at(b, bs, i), at(c, cs, i)]
      return x > y ? x * z + 0.5 : Math.max(y, z) - x
    },
  }
}

function histogram(gpu: Gpu, d: Dice): Case {
  const n = d.extent(most),
    bins = Math.max(1, d.extent(3000)),
    data = Uint32Array.from({ length: n }, () => d.below(bins + 3)),
    counts = new Float64Array(bins)
  for (const x of data) if (x < bins) counts[x]!++
  return {
    words: `histogram ${n} into ${bins}`,
    shape: [bins],
    result: gpu.histogram(gpu.tensor(data), { bins }),
    within: 0,
    want: ([i]) => counts[i!]!,
  }
}

const kinds = { matmul, transpose, reduce, argument, scan, conv, separable, map, histogram } as const

/** What is wrong with a case; null when nothing. */
async function wrong(c: Case, d: Dice): Promise<string | null> {
  if (`${c.result.shape}` !== `${c.shape}`) return `has the shape [${c.result.shape}], not [${c.shape}]`
  const got = await c.result.read(),
    n = volume(c.shape)
  if (got.length !== n) return `${got.length} elements, not ${n}`
  const whole = n <= 200
  for (let t = 0; t < (whole ? n : 60); t++) {
    let rest = whole ? t : t === 0 ? n - 1 : d.below(n)
    const place = rest,
      index: number[] = []
    for (let i = c.shape.length - 1; i >= 0; i--) {
      index[i] = rest % c.shape[i]!
      rest = Math.floor(rest / c.shape[i]!)
    }
    const want = c.want(index),
      have = got[place]!
    if (
      !(
        Object.is(have, want) ||
        have === want ||
        Math.abs(have - want) <= c.within * Math.max(1, Math.abs(want)) ||
        (Number.isNaN(want) && Number.isNaN(have))
      )
    )
      return `element [${index}] is ${have}, not ${want}`
  }
  const bad = got.findIndex((x) => Number.isNaN(x))
  return bad >= 0 && !Number.isNaN(c.want([0])) && n > 0 && !c.words.startsWith('mean') ? `element ${bad} is NaN` : null
}

using gpu = await open({
  store: null,
  ...(await dawnForMeasuring().then((x) => (x ? { gpu: x.create([...x.toggles]) } : {}))),
})
const start = performance.now(),
  done: Record<string, number> = {}
let seed = firstSeed,
  failed = 0
for (; performance.now() - start < seconds * 1000; seed++) {
  const d = new Dice(seed),
    name = d.pick(...(Object.keys(kinds) as (keyof typeof kinds)[]))
  try {
    const c = kinds[name](gpu, d)
    const what = await wrong(c, d)
    if (what !== null) {
      failed++
      console.log(`seed ${seed}: ${c.words}: ${what}`)
    }
    c.result.dispose()
  } catch (e) {
    failed++
    console.log(`seed ${seed}: ${name}: ${e instanceof Error ? e.message : String(e)}`)
  }
  done[name] = (done[name] ?? 0) + 1
}
console.log(
  `${gpu.core.info?.description || gpu.core.info?.device || 'a device'}: ${seed - firstSeed} operations from seed \
${firstSeed} (${Object.entries(done)
    .map(([k, n]) => `${k} ${n}`)
    .join(', ')}): ${failed} wrong`,
)
