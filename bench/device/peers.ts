// Other WebGPU libraries on the same device through the same Dawn: what they can do of the library's rows. None is a
// dependency; installed beside the bundle (npm i --ignore-scripts onnxruntime-node@1.30.0 @tensorflow/tfjs-core@4.22.0
// @tensorflow/tfjs-backend-webgpu@4.22.0 @jax-js/jax@0.1.25 webgpu@0.6.2), each is looked for when it is named:
//   npx esbuild bench/device/peers.ts --bundle --platform=node --format=esm --target=es2022 --external:webgpu
// --outfile=out/peers.mjs
//   node out/peers.mjs tesela|ort|tfjs|jax [OUT.json [PATTERN]]      (LIMIT_S: seconds to start rows in. Rows are added
// to those in OUT.json: run again after a crash, it goes on behind the row that crashed.) Everybody is measured alike:
// many operations recorded one after the other, then one wait for the queue; the time of 3 R of them minus the time of
// R, over 2 R: what a loop of such operations costs, host included. Results are compared at a few places.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, globals } from 'webgpu'
import { open } from '../../src/kernels/index.ts'
import { secondsFrom } from '../arguments.ts'

Object.assign(globalThis, globals)
/** Collected, Dawn would crash: held for the life of the process. */
const keep = Object.assign(globalThis, {
  dawn: create(['enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia']),
}).dawn
Object.defineProperty(globalThis, 'navigator', {
  value: { gpu: keep, userAgent: 'node', hardwareConcurrency: 4 },
  configurable: true,
})

const [who = '', out, pattern = ''] = process.argv.slice(2)
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 60) * 1000

type Kind = 'matmul' | 'sum' | 'max' | 'argmax' | 'transpose' | 'scan' | 'conv'
interface Work {
  readonly name: string
  readonly kind: Kind
  readonly shapes: readonly (readonly number[])[]
  readonly flop: number
}

const product = (m: number, n: number, k: number): Work => ({
  name: `matmul ${m}×${n}×${k}`,
  kind: 'matmul',
  shapes: [
    [m, k],
    [k, n],
  ],
  flop: 2 * m * n * k,
})
const whole = (kind: 'sum' | 'max' | 'argmax', bits: number): Work => ({
  name: `${kind} 2^${bits}`,
  kind,
  shapes: [[2 ** bits]],
  flop: 2 ** bits,
})
const turn = (n: number, m: number): Work => ({
  name: `transpose ${n}×${m}`,
  kind: 'transpose',
  shapes: [[n, m]],
  flop: n * m,
})
const conv = (n: number, c: number, size: number, o: number, k: number): Work => ({
  name: `conv2d ${n}×${c}×${size}×${size} with ${o}×${c}×${k}×${k}`,
  kind: 'conv',
  shapes: [
    [n, c, size, size],
    [o, c, k, k],
  ],
  flop: 2 * n * o * size * size * c * k * k,
})
const works: readonly Work[] = [
  ...[512, 1024, 2048, 4096, 8192, 1000].map((n) => product(n, n, n)),
  product(4095, 4097, 4093),
  product(4096, 64, 4096),
  product(64, 4096, 4096),
  product(128, 128, 65536),
  product(16384, 1024, 256),
  product(1, 4096, 4096),
  product(4096, 1, 4096),
  whole('sum', 20),
  whole('sum', 24),
  whole('sum', 26),
  whole('max', 24),
  whole('argmax', 24),
  turn(4096, 4096),
  turn(8192, 8192),
  turn(8191, 8193),
  { name: 'scan 2^24', kind: 'scan', shapes: [[2 ** 24]], flop: 2 ** 24 },
  conv(8, 64, 56, 64, 3),
  conv(8, 256, 28, 256, 3),
  conv(8, 256, 56, 64, 1),
]

const size = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)
/** Small whole numbers, so that every order of adding up gives the same. */
const valueAt = (seed: number, i: number): number => ((Math.imul(i + 1, 2654435761 + 2 * seed) >>> 28) & 3) - 1
const filled = (seed: number, n: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: n }, (_, i) => valueAt(seed, i))

/** The first element of the result. */
function expected(w: Work): number {
  const [a = [], b = []] = w.shapes,
    n = size(a)
  switch (w.kind) {
    case 'matmul': {
      let s = 0
      for (let k = 0; k < a[1]!; k++) s += valueAt(0, k) * valueAt(1, k * b[1]!)
      return s
    }
    case 'sum': {
      let s = 0
      for (let i = 0; i < n; i++) s += valueAt(0, i)
      return s
    }
    case 'max':
    case 'argmax': {
      let best = 0
      for (let i = 1; i < n; i++) if (valueAt(0, i) > valueAt(0, best)) best = i
      return w.kind === 'max' ? valueAt(0, best) : best
    }
    case 'transpose':
    case 'scan':
      return valueAt(0, 0)
    case 'conv': {
      const [, c = 0, h = 0, width = 0] = a,
        k = b[2]!,
        edge = (k - 1) / 2
      let s = 0
      for (let x = 0; x < c; x++)
        for (let u = 0; u < k; u++)
          for (let v = 0; v < k; v++)
            if (u >= edge && v >= edge)
              s += valueAt(1, (x * k + u) * k + v) * valueAt(0, (x * h + u - edge) * width + v - edge)
      return s
    }
  }
}

/** An operation ready to run: `run` records it, `first` reads the first element of what it gives. */
interface Ready {
  readonly run: () => unknown
  readonly wait: () => Promise<unknown>
  readonly first: () => Promise<number>
  readonly done: () => void
}
type Peer = (w: Work) => Promise<Ready>

// biome-ignore lint/suspicious/noExplicitAny: packages of others, which are not there when this is type-checked
const load = (name: string): Promise<any> => import(name) // not there when this is type-checked

async function tesela(): Promise<Peer> {
  const gpu = await open({ gpu: keep })
  return async (w) => {
    const tensors = w.shapes.map((s, i) => gpu.tensor(filled(i, size(s)), s)),
      [a, b] = tensors as [(typeof tensors)[0] & object, (typeof tensors)[0] & object]
    const make = {
      matmul: () => gpu.matmul(a, b),
      sum: () => gpu.sum(a),
      max: () => gpu.max(a),
      argmax: () => gpu.argmax(a),
      transpose: () => gpu.transpose(a),
      scan: () => gpu.scan(a),
      conv: () => gpu.conv2d(a, b, { padding: 'same' }),
    }[w.kind]
    return {
      run: () => make().dispose(),
      wait: () => gpu.sync(),
      first: async () => {
        using y = make()
        return (await y.read())[0]!
      },
      done: () => tensors.forEach((t) => t.dispose()),
    }
  }
}

async function tfjs(): Promise<Peer> {
  const tf = await load('@tensorflow/tfjs-core')
  await load('@tensorflow/tfjs-backend-webgpu')
  await tf.setBackend('webgpu')
  await tf.ready()
  const queue = tf.backend().queue ?? tf.backend().device.queue
  return async (w) => {
    const [a, b] = w.shapes.map((s, i) => tf.tensor(filled(i, size(s)), s))
    // Its convolutions have channels last.
    const image = w.kind === 'conv' ? tf.transpose(a, [0, 2, 3, 1]) : null,
      windows = w.kind === 'conv' ? tf.transpose(b, [2, 3, 1, 0]) : null
    const make = {
      matmul: () => tf.matMul(a, b),
      sum: () => tf.sum(a),
      max: () => tf.max(a),
      argmax: () => tf.argMax(a),
      transpose: () => tf.transpose(a),
      scan: () => tf.cumsum(a),
      conv: () => tf.conv2d(image, windows, 1, 'same'),
    }[w.kind]
    return {
      run: () => make().dispose(),
      wait: async () => {
        tf.backend().endComputePassEncoder()
        tf.backend().submitQueue()
        await queue.onSubmittedWorkDone()
      },
      first: async () => {
        const y = make(),
          data = await y.data()
        y.dispose()
        return data[0]
      },
      done: () => {
        for (const t of [a, b, image, windows]) t?.dispose()
      },
    }
  }
}

async function jax(): Promise<Peer> {
  const { init, defaultDevice, numpy: np, lax } = await load('@jax-js/jax')
  await init('webgpu')
  defaultDevice('webgpu')
  return async (w) => {
    const [a, b] = w.shapes.map((s, i) => np.array(filled(i, size(s))).reshape(s))
    await Promise.all([a, b].map((t) => t?.blockUntilReady?.()))
    const make = {
      matmul: () => np.matmul(a.ref, b.ref),
      sum: () => np.sum(a.ref),
      max: () => np.max(a.ref),
      argmax: () => np.argmax(a.ref),
      transpose: () => np.transpose(a.ref).add(0),
      scan: () => np.cumsum(a.ref),
      conv: () => lax.conv(a.ref, b.ref, [1, 1], 'SAME'),
    }[w.kind]
    // biome-ignore lint/suspicious/noExplicitAny: packages of others, which are not there when this is type-checked
    const made: any[] = [] // what is disposed of before it was waited for is never computed
    return {
      run: () => {
        made.push(make())
      },
      wait: async () => {
        await Promise.all(made.map((x) => x.blockUntilReady()))
        for (const x of made.splice(0)) x.dispose()
      },
      first: async () => {
        const y = make(),
          data = await y.data()
        return data[0]
      },
      done: () => {
        for (const t of [a, b]) t?.dispose?.()
      },
    }
  }
}

// ── ONNX Runtime: a model of one node, made here
// ──────────────────────────────────────────────────────────────────────

const varint = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))])
const field = (number: number, value: number | string | readonly number[]): number[] => {
  if (typeof value === 'number') return [...varint(number << 3), ...varint(value)]
  const bytes = typeof value === 'string' ? [...new TextEncoder().encode(value)] : value
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
}
const valueInfo = (name: string, shape: readonly number[], type = 1): number[] => [
  ...field(1, name),
  ...field(
    2,
    field(1, [
      ...field(1, type),
      ...field(
        2,
        shape.flatMap((d) => field(1, field(1, d))),
      ),
    ]),
  ),
]

/** ONNX IR 8, operators 13: `inputs` f32, `constants` i64, one node. */
function modelOf(
  op: string,
  inputs: readonly (readonly number[])[],
  result: readonly number[],
  attributes: readonly number[][],
  constants: readonly (readonly [string, readonly number[]])[] = [],
  type = 1,
): Uint8Array {
  const names = inputs.map((_, i) => `x${i}`),
    all = [...names, ...constants.map(([n]) => n)]
  const node = [
    ...all.flatMap((n) => field(1, n)),
    ...field(2, 'y'),
    ...field(4, op),
    ...attributes.flatMap((a) => field(5, a)),
  ]
  const tensors = constants.flatMap(([name, list]) =>
    field(5, [
      ...field(1, list.length),
      ...field(2, 7),
      ...list.flatMap((v) => field(7, [...varint(v)])),
      ...field(8, name),
    ]),
  )
  const graph = [
    ...field(1, node),
    ...field(2, 'g'),
    ...tensors,
    ...inputs.flatMap((s, i) => field(11, valueInfo(`x${i}`, s))),
    ...field(12, valueInfo('y', result, type)),
  ]
  return Uint8Array.from([...field(1, 8), ...field(7, graph), ...field(8, field(2, 13))])
}

const ints = (name: string, list: readonly number[]): number[] => [
  ...field(1, name),
  ...list.flatMap((v) => field(8, v)),
  ...field(20, 7),
]
const integer = (name: string, v: number): number[] => [...field(1, name), ...field(3, v), ...field(20, 2)]

/**
 * ONNX Runtime's own WebGPU, without JavaScript's. Operands and results stay on the device; what is waited for is a
 * result that comes to the host.
 */
async function ort(): Promise<Peer> {
  const ort = createRequire(`${process.cwd()}/`)('onnxruntime-node')
  ort.env.logLevel = 'error'
  // biome-ignore lint/suspicious/noExplicitAny: packages of others, which are not there when this is type-checked
  const session = (model: Uint8Array, place: 'cpu' | 'gpu-buffer'): Promise<any> =>
    ort.InferenceSession.create(model, { executionProviders: ['webgpu'], preferredOutputLocation: place })
  const one = new ort.Tensor('float32', Float32Array.of(1), [1]),
    echo = await session(modelOf('Neg', [[1]], [1], []), 'cpu')
  return async (w) => {
    const [a = [], b = []] = w.shapes
    const model = {
      matmul: () => modelOf('MatMul', [a, b], [a[0]!, b[1]!], []),
      sum: () => modelOf('ReduceSum', [a], [], [integer('keepdims', 0)]),
      max: () => modelOf('ReduceMax', [a], [], [integer('keepdims', 0)]),
      argmax: () => modelOf('ArgMax', [a], [], [integer('axis', 0), integer('keepdims', 0)], [], 7),
      transpose: () => modelOf('Transpose', [a], [a[1]!, a[0]!], [ints('perm', [1, 0])]),
      scan: () => modelOf('CumSum', [a], a, [], [['axis', [0]]]),
      conv: () =>
        modelOf('Conv', [a, b], [a[0]!, b[0]!, a[2]!, a[3]!], [ints('pads', Array<number>(4).fill((b[2]! - 1) / 2))]),
    }[w.kind]()
    // biome-ignore lint/suspicious/noExplicitAny: packages of others, which are not there when this is type-checked
    const feeds: Record<string, any> = {}
    for (const [i, s] of w.shapes.entries()) {
      const copy = await session(modelOf('Identity', [s], s, []), 'gpu-buffer')
      feeds[`x${i}`] = (await copy.run({ x0: new ort.Tensor('float32', filled(i, size(s)), s) })).y
    }
    const here = await session(model, 'cpu'),
      there = await session(model, 'gpu-buffer')
    let chain: Promise<unknown> = Promise.resolve()
    return {
      run: () => {
        chain = chain.then(async () => {
          const r = await there.run(feeds)
          r.y.dispose()
        })
      },
      wait: async () => {
        await chain
        await echo.run({ x0: one })
      },
      first: async () => Number((await here.run(feeds)).y.data[0]),
      done: () => {
        for (const t of Object.values(feeds)) t.dispose()
      }, // its sessions stay: releasing one fails an assertion (1.30.0)
    }
  }
}

const peers: Readonly<Record<string, () => Promise<Peer>>> = { tesela, tfjs, jax, ort }
const peer = await (
  peers[who] ??
  (() => {
    throw new Error(`who? one of ${Object.keys(peers).join(', ')}`)
  })
)()
interface Row {
  readonly work: string
  readonly us: number | null
  readonly why?: string
}
let rows: readonly Row[] = out && existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')).rows : []
const note = (row: Row): void => {
  rows = [...rows.filter((r) => r.work !== row.work), row]
  if (out) writeFileSync(out, JSON.stringify({ who, rows }))
}
const begun = new Set(rows.map((r) => r.work))
for (const w of works.filter((x) => x.name.includes(pattern) && !begun.has(x.name))) {
  if (Date.now() > deadline) break
  note({ work: w.name, us: null, why: 'crashes' }) // until it has not
  try {
    const ready = await peer(w),
      got = await ready.first(),
      want = expected(w)
    if (Math.abs(got - want) > 1e-3 * (1 + Math.abs(want))) throw new Error(`gives ${got}, not ${want}`)
    const timed = async (count: number): Promise<number> => {
      const t = performance.now()
      for (let i = 0; i < count; i++) ready.run()
      await ready.wait()
      return performance.now() - t
    }
    await timed(3)
    const once = Math.max(0.005, (await timed(10)) / 10),
      count = Math.max(2, Math.min(500, Math.ceil(40 / once)))
    for (const end = Date.now() + 250; Date.now() < end; ) await timed(count) // an idle GPU runs slower
    const samples: number[] = []
    for (let i = 0; i < 5; i++) {
      const short = await timed(count)
      samples.push(((await timed(3 * count)) - short) / (2 * count))
    }
    const us = 1000 * samples.sort((x, y) => x - y)[2]!
    note({ work: w.name, us: Number(us.toPrecision(4)) })
    console.log(`${who} ${w.name}: ${us.toFixed(1)} us, ${(w.flop / us / 1e6).toFixed(2)} TFLOP/s`)
    ready.done()
  } catch (e) {
    note({ work: w.name, us: null, why: (e as Error).message.split('\n')[0]! })
    console.log(`${who} ${w.name}: ${(e as Error).message.split('\n')[0]}`.slice(0, 200))
    if (process.env['STACK']) console.log((e as Error).stack)
  }
}
process.exit(0)
