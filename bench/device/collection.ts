// Times the operations of `tesela/ops` on the GPU at hand with every check of WebGPU on and no toggle of Dawn set, so
// that timestamps come in steps of 65.5 µs and samples are made of many calls. In: what `bench/collection/cases.ts`
// wrote (shapes and how arguments are filled). Out: JSON with a row per operation: the median of seven samples, their
// spread, and some elements of each result, which `collection.py` compares with PyTorch's for the same arguments.
//   npx esbuild bench/device/collection.ts --bundle --platform=node --format=esm --external:webgpu --outfile=c.mjs
//   node c.mjs CASES.json OUT.json [PATTERN]        (only operations whose name the pattern finds; LIMIT_S: seconds)
import { readFileSync, writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { random } from '../../src/base/index.ts'
import {
  open,
  type DType,
  type Gpu,
  type Operation,
  type OperationResults,
  type Tensor,
} from '../../src/kernels/index.ts'
import * as collection from '../../src/ops.ts'
import type { Case, Cases, Fill } from '../collection/cases.ts'
import { secondsFrom } from '../arguments.ts'

const operations: Readonly<Record<string, unknown>> = collection
const [from = 'cases.json', to = 'collection.json', wanted = ''] = process.argv.slice(2)
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 400) * 1000

Object.assign(globalThis, globals)
/** Collected, Dawn would crash: held for the life of the process. */
const keep = Object.assign(globalThis, { dawn: create([]) }).dawn
const gpu: Gpu = await open({ gpu: keep, matrices: false })
const { device } = gpu.core

/** Arguments are made where they are used. `collection.py` makes the same numbers: keep both alike. */
const filler = `struct Params { count: u32, seed: u32, kind: u32, end: u32, low: f32, span: f32 }
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
fn mixed(given: u32) -> u32 {
  var x = given;
  x ^= x >> 16u;
  x *= 0x21f0aaadu;
  x ^= x >> 15u;
  x *= 0x735a2d97u;
  return x ^ (x >> 15u);
}
fn filled(i: u32) -> u32 {
  let bits = mixed(mixed(i) ^ params.seed);
  let number = params.low + f32(bits >> 8u) / 16777216.0 * params.span;
  switch params.kind {
    case 0u: { return bitcast<u32>(number); }
    case 1u: { return (bits >> 8u) % params.end; }
    case 2u: { return i * params.end; }
    case 3u: { return bits; }
    case 4u: { return (i * 40503u) % params.end; }
    default: {
      let isDiagonal = (i / params.end) % params.end == i % params.end;
      return bitcast<u32>(select(number, f32(params.end), isDiagonal));
    }
  }
}
@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) blocks: vec3u) {
  for (var i = id.x; i < params.count; i += blocks.x * 256u) { y[i] = filled(i); }
}
`
const kinds = ['uniform', 'below', 'steps', 'words', 'spread', 'diagonal'] as const satisfies readonly Fill['kind'][]
const usage = { storage: 128, uniform: 64, to: 8, source: 4 } as const
const pipeline = device.createComputePipeline({
  layout: 'auto',
  compute: { module: device.createShaderModule({ code: filler }), entryPoint: 'fill' },
})

const volume = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1)

/** A tensor that is filled on the device, and the buffer that is destroyed with it. */
function filled(shape: readonly number[], type: DType, fill: Fill, seed: number): { tensor: Tensor; done(): void } {
  const count = volume(shape)
  // whole vectors of four
  const size = 16 * Math.ceil(count / 4)
  const buffer = device.createBuffer({ size, usage: usage.storage | usage.source | usage.to })
  const params = device.createBuffer({ size: 24, usage: usage.uniform | usage.to })
  const { end = 1, low = 0, span = 1 } = fill
  device.queue.writeBuffer(params, 0, new Uint32Array([count, seed, kinds.indexOf(fill.kind), end]))
  device.queue.writeBuffer(params, 16, new Float32Array([low, span]))
  const entries = [buffer, params].map((b, binding) => ({ binding, resource: { buffer: b } }))
  const encoder = device.createCommandEncoder(),
    pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
  pass.dispatchWorkgroups(Math.min(8192, Math.ceil(count / 256)))
  pass.end()
  device.queue.submit([encoder.finish()])
  const tensor = gpu.tensor(buffer, shape, type)
  const done = (): void => {
    tensor.dispose()
    buffer.destroy()
    params.destroy()
  }
  return { tensor, done }
}

interface Row {
  readonly name: string
  readonly us: number
  /** (Greatest − least) ÷ median of the samples. */
  readonly spread: number
  /** Wall time of a call in a long batch, the host's part in it. */
  readonly callUs: number
  readonly kernels: number
  /** For each result, the first of 32 elements in a row, and the elements. */
  readonly samples: Readonly<Record<string, readonly { readonly from: number; readonly values: readonly number[] }[]>>
}

const medianOf = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN
/** Nanoseconds: of a sample (a timestamp is off by up to 65.5 µs), and of work before samples count. */
const sampleNs = Number(process.env['SAMPLE_MS'] ?? 15) * 1e6,
  warmupNs = 10 * sampleNs
const most = 20_000

/** Microseconds of a call on the device, in samples of many; and by the wall. */
async function time(call: () => void): Promise<Pick<Row, 'us' | 'spread' | 'callUs'>> {
  const ns = async (repeats: number): Promise<number> =>
    ((await gpu.time(() => {
      for (let i = 0; i < repeats; i++) call()
    })) ?? NaN) / repeats
  let repeats = 3
  for (let spent = 0; spent < warmupNs; ) {
    const each = Math.max(200, await ns(repeats))
    spent += each * repeats + 1e5
    repeats = Math.max(1, Math.min(most, Math.ceil(sampleNs / each)))
  }
  const samples: number[] = []
  for (let s = 0; s < 7; s++) samples.push(await ns(repeats))
  await gpu.sync()
  const start = performance.now()
  for (let i = 0; i < repeats; i++) call()
  await gpu.sync()
  const callUs = ((performance.now() - start) * 1000) / repeats
  const median = medianOf(samples)
  return { us: median / 1000, spread: (Math.max(...samples) - Math.min(...samples)) / median, callUs }
}

async function sampled(results: OperationResults): Promise<Row['samples']> {
  const stream = random(5)
  const entries = Object.entries(results).map(async ([name, t]) => {
    const count = Math.min(32, t.length),
      last = t.length - count
    const places = [0, last, ...[1, 2, 3].map(() => Math.floor(stream.unit() * (last + 1)))]
    const parts = await Promise.all(
      places.map(async (at) => ({ from: at, values: [...(await t.read({ from: at, count }))] })),
    )
    return [name, parts] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function measured(c: Case): Promise<Row> {
  const f = operations[c.name] as Operation // its own types are those of one operation
  const given = c.arrays
    .filter((a) => a.role !== 'out')
    .map((a) => ({ ...a, ...filled(a.shape, a.type, a.fill, a.seed) }))
  const args = { ...c.numbers, ...Object.fromEntries(given.map((a) => [a.name, a.tensor])) }
  try {
    const first = f(args, { on: gpu })
    const samples = await sampled(first)
    const inPlace = Object.fromEntries(
      given.filter((a) => a.role === 'inout' && c.inPlace).map((a) => [a.name, a.tensor]),
    )
    const kernels = (await gpu.profile(() => void f(args, { out: first, on: gpu }))).length
    const timed = await time(() => void f(args, { out: { ...first, ...inPlace }, on: gpu }))
    for (const t of Object.values(first)) t.dispose()
    return { name: c.name, ...timed, kernels, samples }
  } finally {
    await gpu.sync()
    for (const { done } of given) done()
  }
}

const cases = JSON.parse(readFileSync(from, 'utf8')) as Cases
const rows: (Row | { readonly name: string; readonly failed: string })[] = []
for (const c of cases.filter((x) => new RegExp(wanted).test(x.name))) {
  if (Date.now() > deadline) break
  try {
    const row = await measured(c)
    rows.push(row)
    console.log(`${row.name.padEnd(24)} ${row.us.toFixed(1).padStart(9)} µs ±${(100 * row.spread).toFixed(1)} %`)
  } catch (e) {
    rows.push({ name: c.name, failed: String((e as Error).message).slice(0, 300) })
    console.log(c.name, String((e as Error).message).slice(0, 300))
  }
  writeFileSync(to, JSON.stringify({ device: device.adapterInfo?.description ?? '', rows }))
}
process.exit(0)
