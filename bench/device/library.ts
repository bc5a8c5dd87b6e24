// Times the library on the GPU at hand, with robustness on as everywhere: the rows of the first table that it can do.
// Each result is compared with sampled elements in float64 first. One bundle, npm `webgpu` beside it:
//   npx esbuild bench/device/library.ts --bundle --platform=node --format=esm --target=es2022 --external:webgpu
// --outfile=out/library.mjs
//   node out/library.mjs [OUT.json [PATTERN]]        (only rows whose name the pattern finds; LIMIT_S: seconds to start
// rows in; ROBUSTNESS=off: without WebGPU's bounds checks)
import { writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { open, type Gpu, type Tensor, type Tuning } from '../../src/kernels/index.ts'
import { secondsFrom } from '../arguments.ts'

Object.assign(globalThis, globals)
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 400) * 1000
/** Collected, Dawn would crash: held for the life of the process. */
const off = process.env['ROBUSTNESS'] === 'off' ? ',disable_robustness' : ''
const keep = Object.assign(globalThis, {
  dawn: create([
    `enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia${off}`,
    'disable-dawn-features=timestamp_quantization',
  ]),
}).dawn
const gpu: Gpu = await open({ gpu: keep, ...(process.env['TUNING'] && { tuning: process.env['TUNING'] as Tuning }) })
console.log(`${gpu.core.device.adapterInfo?.description ?? ''} tuning ${gpu.core.tuning}`)

const pattern = new RegExp(process.argv[3] ?? '')
const wanted = (work: string): boolean => Date.now() < deadline && pattern.test(work)

interface Row {
  readonly work: string
  readonly rate: string
  readonly us: number
  readonly kernels: string
  readonly error: number
}
const rows: Row[] = []
const out = process.argv[2]
/** After every row: what is measured is not lost when a later row fails. */
const save = (): void => {
  if (out)
    writeFileSync(
      out,
      JSON.stringify({ device: gpu.core.device.adapterInfo?.description, tuning: gpu.core.tuning, rows }),
    )
}

const filled = new Map<number, Float32Array<ArrayBuffer>>()
function values(n: number): Float32Array<ArrayBuffer> {
  const known = filled.get(n)
  if (known) return known
  const made = new Float32Array(n)
  for (let i = 0, s = 12345; i < n; i++) {
    s = (Math.imul(s, 1664525) + 1013904223) | 0
    made[i] = s / 2 ** 31
  }
  filled.clear()
  filled.set(n, made)
  return made
}

const medianOf = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

/** Nanoseconds of work before samples count: an idle device runs slower. */
const warmup = 3e8

/** Device nanoseconds of one execution, of many in a row; and the kernels with the microseconds of each alone. */
async function time(f: () => Tensor): Promise<{ readonly ns: number; readonly kernels: string }> {
  const once = await gpu.profile(() => f().dispose())
  const guess = Math.max(
    2e3,
    once.reduce((n, k) => n + (k.ns ?? 0), 0),
  )
  const repeats = Math.max(3, Math.min(200, Math.ceil(4e7 / guess)))
  const many = async (): Promise<number> =>
    ((await gpu.time(() => {
      for (let i = 0; i < repeats; i++) f().dispose()
    })) ?? NaN) / repeats
  for (let spent = 0; spent < warmup; ) spent += (await many()) * repeats + 1e6
  const samples: number[] = []
  for (let s = 0; s < 7; s++) samples.push(await many())
  const alone = await gpu.profile(() => {
    for (let i = 0; i < 9; i++) f().dispose()
  })
  const each = once.map(
    (k, i) =>
      `${k.kernel} ` +
      `${(medianOf(alone.filter((_, n) => n % once.length === i).map((l) => l.ns ?? 0)) / 1000).toFixed(1)}`,
  )
  return { ns: medianOf(samples), kernels: each.join(' + ') }
}

/** Wall time per execution of a long batch, launches included. */
async function wall(f: () => Tensor, ns: number): Promise<number> {
  const repeats = Math.max(5, Math.min(2000, Math.ceil(1e8 / Math.max(ns, 5e3))))
  let least = Infinity
  for (let s = 0; s < 3; s++) {
    await gpu.sync()
    const start = performance.now()
    for (let i = 0; i < repeats; i++) f().dispose()
    await gpu.sync()
    least = Math.min(least, ((performance.now() - start) * 1e6) / repeats)
  }
  return least
}

async function row(
  work: string,
  f: () => Tensor,
  amount: number,
  unit: string,
  check: (got: ArrayLike<number>) => number,
): Promise<void> {
  if (!wanted(work)) return
  try {
    const first = f()
    const error = check(await first.read())
    first.dispose()
    const { ns, kernels } = await time(f)
    const all = await wall(f, ns)
    const rate = unit === 'TFLOP/s' ? `${(amount / ns / 1000).toFixed(1)} TFLOP/s` : `${(amount / ns).toFixed(0)} GB/s`
    rows.push({ work, rate, us: ns / 1000, kernels, error })
    save()
    console.log(
      `${work.padEnd(30)} ${(ns / 1000).toFixed(1).padStart(9)} µs ${rate.padStart(16)}  in a batch ` +
        `${(all / 1000).toFixed(1).padStart(9)} µs  error ${error.toExponential(1)}  ${kernels}`,
    )
  } catch (e) {
    console.log(work, String((e as Error).message).slice(0, 300))
  }
}

/** The largest error of sampled elements of a product, relative to √k. */
function productError(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  m: number,
  n: number,
  k: number,
  ta: boolean,
  tb: boolean,
): (c: ArrayLike<number>) => number {
  return (c) => {
    let worst = 0
    for (let s = 0; s < 24; s++) {
      const i = s === 0 ? m - 1 : (s * 7919) % m,
        j = s === 0 ? n - 1 : (s * 104729) % n
      let sum = 0
      for (let x = 0; x < k; x++) sum += a[ta ? x * m + i : i * k + x]! * b[tb ? j * k + x : x * n + j]!
      worst = Math.max(worst, Math.abs(c[i * n + j]! - sum) / Math.sqrt(k))
    }
    return worst
  }
}

async function product(m: number, n: number, k: number, ta = false, tb = false): Promise<void> {
  const work = `matmul ${m}×${n}×${k}${ta ? ' Aᵀ' : ''}${tb ? ' Bᵀ' : ''}`
  if (!wanted(work)) return
  const a = Float32Array.from(values(m * k)),
    b = Float32Array.from(values(k * n))
  using x = gpu.tensor(a, ta ? [k, m] : [m, k])
  using y = gpu.tensor(b, tb ? [n, k] : [k, n])
  const vector = m === 1 || n === 1
  await row(
    work,
    () => gpu.matmul(x, y, { transposeA: ta, transposeB: tb }),
    vector ? 4 * (m * k + k * n + m * n) : 2 * m * n * k,
    vector ? 'GB/s' : 'TFLOP/s',
    productError(a, b, m, n, k, ta, tb),
  )
}

for (const n of [4096, 512, 1024, 2048, 1000, 8192]) await product(n, n, n)
for (const [ta, tb] of [
  [true, false],
  [false, true],
  [true, true],
] as const)
  await product(4096, 4096, 4096, ta, tb)
for (const [m, n, k] of [
  [4095, 4097, 4093],
  [4096, 64, 4096],
  [64, 4096, 4096],
  [128, 128, 65536],
  [16384, 1024, 256],
  [1, 4096, 4096],
  [4096, 1, 4096],
] as const)
  await product(m, n, k)

for (const bits of [20, 24, 27]) {
  if (!wanted(`2^${bits}`) && !wanted(`8192×16384`)) continue
  const data = values(2 ** bits)
  using x = gpu.tensor(data)
  let sum = 0,
    most = -Infinity
  for (const v of data) {
    sum += v
    most = Math.max(most, v)
  }
  await row(
    `sum 2^${bits}`,
    () => gpu.sum(x),
    4 * data.length,
    'GB/s',
    (got) => Math.abs(got[0]! - sum) / Math.sqrt(data.length),
  )
  await row(
    `max 2^${bits}`,
    () => gpu.max(x),
    4 * data.length,
    'GB/s',
    (got) => Math.abs(got[0]! - most),
  )
  if (bits === 27) {
    await row(
      `argmax 2^${bits}`,
      () => gpu.argmax(x),
      4 * data.length,
      'GB/s',
      (got) => Math.abs(got[0]! - data.indexOf(most)),
    )
    await row(
      `norm 2^${bits}`,
      () => gpu.norm(x),
      4 * data.length,
      'GB/s',
      (got) => {
        let s = 0
        for (const v of data) s += v * v
        return Math.abs(got[0]! / Math.sqrt(s) - 1)
      },
    )
    using y = gpu.tensor(data)
    await row(
      'map 2·x + y, 2^27',
      () => gpu.map('a * x + y', { a: 2, x, y }),
      12 * data.length,
      'GB/s',
      (got) => Math.abs(got[77777]! - Math.fround(3 * data[77777]!)),
    )
    for (const axes of [0, 1]) {
      using z = x.reshape([8192, 16384])
      await row(
        `sum 8192×16384 over axis ${axes}`,
        () => gpu.sum(z, { axes }),
        4 * data.length,
        'GB/s',
        (got) => {
          let s = 0
          for (let i = 0; i < (axes ? 16384 : 8192); i++) s += data[axes ? 5 * 16384 + i : i * 16384 + 5]!
          return Math.abs(got[5]! - s) / 128
        },
      )
    }
  }
}

for (const [m, n] of [
  [4096, 4096],
  [8192, 8192],
  [8191, 8193],
  [64, 2 ** 20],
] as const) {
  if (!wanted(`transpose ${m}×${n}`)) continue
  const data = values(m * n)
  using x = gpu.tensor(data, [m, n])
  await row(
    `transpose ${m}×${n}`,
    () => gpu.transpose(x),
    8 * m * n,
    'GB/s',
    (got) => {
      let wrong = 0
      for (let s = 0; s < 999; s++) {
        const i = (s * 7919) % m,
          j = (s * 104729) % n
        if (got[j * m + i] !== data[i * n + j]) wrong++
      }
      return wrong
    },
  )
}

for (const [shape, axis] of [
  [[2 ** 20], 0],
  [[2 ** 24], 0],
  [[2 ** 27], 0],
  [[8192, 16384], 1],
  [[8192, 16384], 0],
] as const) {
  const work = `scan ${shape.join('×')}${shape.length > 1 ? ` over axis ${axis}` : ''}`
  if (!wanted(work)) continue
  const n = shape.reduce((a, b) => a * b, 1),
    data = values(n)
  using x = gpu.tensor(data, shape)
  const stride = shape.length > 1 && axis === 0 ? shape[1]! : 1,
    count = shape[axis]!
  await row(
    work,
    () => gpu.scan(x, { axis }),
    8 * n,
    'GB/s',
    (got) => {
      let s = 0,
        worst = 0
      for (let i = 0; i < count; i++) {
        s += data[i * stride]!
        worst = Math.max(worst, Math.abs(got[i * stride]! - s))
      }
      return worst / Math.sqrt(count)
    },
  )
}

for (const bins of [256, 4096, 65536]) {
  if (!wanted(`histogram 2^27, ${bins} bins`)) continue
  const data = values(2 ** 27)
  using x = gpu.tensor(data)
  const want = new Uint32Array(bins),
    f = Math.fround
  for (const v of data) want[Math.floor(Math.min(f(f(v + 1) * f(bins / 2)), f(bins - 0.5)))]!++
  await row(
    `histogram 2^27, ${bins} bins`,
    () => gpu.histogram(x, { bins, range: [-1, 1] }),
    4 * data.length,
    'GB/s',
    (got) => want.reduce((n, c, i) => n + Math.abs(c - got[i]!), 0),
  )
}

if (wanted('NMF 4096×8192')) {
  const [m, n, rank] = [4096, 8192, 64]
  const data = values(m * n).map(Math.abs),
    start = Float32Array.from(values(n * rank).map(Math.abs))
  using v = gpu.tensor(data, [m, n])
  using w = gpu.tensor(start.subarray(0, m * rank), [m, rank])
  using h = gpu.tensor(start, [rank, n])
  const ten = (): Tensor => {
    const f = gpu.nmf(v, { rank, iterations: 10, w, h })
    f.w.dispose()
    return f.h
  }
  // The first row of W after the step, by its formula.
  const dot = (f: (k: number) => number, count: number): number => {
    let s = 0
    for (let k = 0; k < count; k++) s += f(k)
    return s
  }
  const square = (a: number, b: number): number => dot((j) => start[a * n + j]! * start[b * n + j]!, n)
  using first = gpu.nmf(v, { rank, iterations: 1, w, h })
  const got = await first.w.read()
  const error = Math.max(
    ...Array.from({ length: rank }, (_, a) => {
      const want =
        (start[a]! * dot((j) => data[j]! * start[a * n + j]!, n)) / dot((b) => start[b]! * square(b, a), rank)
      return Math.abs(got[a]! / want - 1)
    }),
  )
  await row(
    'NMF 4096×8192 rank 64, ten iterations',
    ten,
    10 * 2 * (2 * m * n * rank + 2 * rank * rank * (m + n)),
    'TFLOP/s',
    () => error,
  )
}

/** The largest error of sampled elements, relative to the root of what is added up. */
function convolutionError(
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  [n, c, h, width]: readonly [number, number, number, number],
  [o, i, r, s]: readonly [number, number, number, number],
  pad: number,
): (got: ArrayLike<number>) => number {
  const p = h + 2 * pad - r + 1,
    q = width + 2 * pad - s + 1
  return (got) => {
    let worst = 0
    for (let t = 0; t < 99; t++) {
      const b = t % n,
        k = (t * 31) % o,
        y = t === 0 ? 0 : (t * 7919) % p,
        z = t === 0 ? 0 : (t * 104729) % q
      let sum = 0
      for (let a = 0; a < i; a++)
        for (let u = 0; u < r; u++)
          for (let v = 0; v < s; v++) {
            const yy = y + u - pad,
              zz = z + v - pad
            if (yy >= 0 && yy < h && zz >= 0 && zz < width)
              sum +=
                w[((k * i + a) * r + u) * s + v]! *
                x[((b * c + Math.floor(k / (o / (c / i))) * i + a) * h + yy) * width + zz]!
          }
      worst = Math.max(worst, Math.abs(got[((b * o + k) * p + y) * q + z]! - sum) / Math.sqrt(i * r * s))
    }
    return worst
  }
}

for (const [xs, ws, padding, groups] of [
  [[1, 1, 4096, 4096], [1, 1, 3, 3], 0, 1],
  [[1, 1, 4096, 4096], [1, 1, 7, 7], 0, 1],
  [[1, 1, 4096, 4096], [1, 1, 17, 17], 0, 1],
  [[8, 64, 56, 56], [64, 64, 3, 3], 1, 1],
  [[8, 256, 28, 28], [256, 256, 3, 3], 1, 1],
  [[8, 256, 56, 56], [64, 256, 1, 1], 0, 1],
  [[8, 128, 112, 112], [128, 1, 3, 3], 1, 128],
] as const) {
  const work = `conv2d ${xs.join('×')} with ${ws.join('×')}`
  if (!wanted(work)) continue
  const a = Float32Array.from(values(xs.reduce<number>((m, d) => m * d, 1))),
    b = Float32Array.from(values(ws.reduce<number>((m, d) => m * d, 1)))
  using x = gpu.tensor(a, xs)
  using w = gpu.tensor(b, ws)
  const outputs = xs[0] * ws[0] * (xs[2] + 2 * padding - ws[2] + 1) * (xs[3] + 2 * padding - ws[3] + 1)
  await row(
    work,
    () => gpu.conv2d(x, w, { padding, groups }),
    2 * outputs * ws[1] * ws[2] * ws[3],
    'TFLOP/s',
    convolutionError(a, b, xs, ws, padding),
  )
}

if (wanted('separable 4096×4096, 17 taps')) {
  const a = Float32Array.from(values(4096 * 4096)),
    taps = Float32Array.from(values(17))
  using x = gpu.tensor(a, [1, 1, 4096, 4096])
  using t = gpu.tensor(taps)
  const window = Float32Array.from({ length: 289 }, (_, i) => taps[Math.floor(i / 17)]! * taps[i % 17]!)
  await row(
    'separable 4096×4096, 17 taps',
    () => gpu.separableConv2d(x, t, t),
    4 * 17 * 4096 * 4096,
    'TFLOP/s',
    convolutionError(a, window, [1, 1, 4096, 4096], [1, 1, 17, 17], 8),
  )
}

/** Kept in 16 bits, computed in 32: sampled elements against float64 of the rounded numbers. */
if (gpu.core.device.features.has('shader-f16')) {
  for (const [m, n, k] of [
    [1024, 1024, 1024],
    [4096, 4096, 4096],
    [1, 4096, 4096],
  ] as const) {
    const work = `f16 matmul ${m}×${n}×${k}`
    if (!wanted(work)) continue
    using x = gpu.tensor(Float32Array.from(values(m * k)), [m, k], 'f16')
    using y = gpu.tensor(Float32Array.from(values(k * n)), [k, n], 'f16')
    await row(
      work,
      () => gpu.matmul(x, y),
      m === 1 ? 2 * (m * k + k * n + m * n) : 2 * m * n * k,
      m === 1 ? 'GB/s' : 'TFLOP/s',
      productError(await x.read(), await y.read(), m, n, k, false, false),
    )
  }
  const n = 2 ** 27,
    others = ['f16 sum 2^27', 'f16 map 2·x + 1, 2^27', 'f16 transpose 8192×16384'] as const
  if (others.some(wanted)) {
    using x = gpu.tensor(values(n), [n], 'f16')
    using z = x.reshape([8192, n / 8192])
    const data = await x.read()
    let total = 0
    for (const v of data) total += v
    await row(
      others[0],
      () => gpu.sum(x),
      2 * n,
      'GB/s',
      (got) => Math.abs(got[0]! - total) / Math.sqrt(n),
    )
    await row(
      others[1],
      () => gpu.map('a * x + 1', { a: 2, x }),
      4 * n,
      'GB/s',
      (got) => Math.abs(got[77777]! - (2 * data[77777]! + 1)),
    )
    await row(
      others[2],
      () => gpu.transpose(z),
      4 * n,
      'GB/s',
      (got) => {
        let wrong = 0
        for (let s = 0; s < 999; s++) {
          const i = (s * 7919) % 8192,
            j = (s * 104729) % 16384
          if (got[j * 8192 + i] !== data[i * 16384 + j]) wrong++
        }
        return wrong
      },
    )
  }
}

process.exit(0)
