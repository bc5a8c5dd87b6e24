// Times texts as they are, WGSL and PTX, on the GPU at hand: each with the launch and the contents that `explain` gave
// it. In: a JSON list of jobs. Out: a JSON list of rows. WGSL runs through Dawn with its stock toggles (but for the
// timer's), so robustness is on, as in browsers; PTX through the driver, launches recorded as a graph. A GPU that the
// host keeps waiting lowers its clock: a chain of additions is timed before and after the samples, which are taken
// again where it is slower than it has been. Bundled as bench/device/library.ts says:
//   node sources.mjs JOBS.json OUT.json          (LIMIT_S: seconds to start jobs in; SOFTWARE: no CUDA, one short try;
// UNCHECKED: robustness off)
import { readFileSync, writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { random } from '../../src/base/index.ts'
import { filledBuffer, plan, type Sized } from '../../src/explain/launch/buffer-sizes.ts'
import { subjectOf } from '../../src/explain/subject.ts'
import type { BufferSpec, ExplainLaunch } from '../../src/explain/index.ts'
import type { Dim3 } from '../../src/ir/index.ts'
import { loadCuda, type CudaLibraries, type Handle } from '../../src/run/cuda-driver.ts'
import { secondsFrom } from '../arguments.ts'

/** Contents that JSON can say: bytes 0 to 255, one in each word. */
type JobBuffer = Omit<BufferSpec, 'fill'> & { readonly fill?: BufferSpec['fill'] | { readonly words: 'bytes' } }

export interface WgslJob {
  readonly name: string
  readonly language: 'wgsl'
  readonly text: string
  readonly entry: string
  readonly launch: Omit<ExplainLaunch, 'buffers'> & { readonly buffers?: Readonly<Record<string, JobBuffer>> }
  /** Side of square matrices a and b, whose product c must be. */
  readonly product?: number
}

export interface PtxJob {
  readonly name: string
  readonly language: 'ptx'
  readonly text: string
  readonly entry: string
  readonly grid: Dim3
  readonly block: Dim3
  readonly shared: number
  /** All parameters as the driver takes them, in base 64; pointers in it are set here. */
  readonly parameters: string
  readonly pointers: readonly { readonly at: number; readonly bytes: number; readonly floats: boolean }[]
}

interface Timing {
  readonly ns: number
  readonly min: number
  readonly spread: number
  readonly repeats: number
}

const jobs = JSON.parse(readFileSync(process.argv[2] ?? 'jobs.json', 'utf8')) as readonly (WgslJob | PtxJob)[]
const out = process.argv[3] ?? 'rows.json'
const isSoftware = process.env['SOFTWARE'] !== undefined
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 200) * 1000
const shortest = isSoftware ? 0 : 2e6,
  warm = isSoftware ? 0 : 1.2e8,
  samples = isSoftware ? 1 : 7

function summary(list: readonly number[], repeats: number): Timing {
  const s = [...list].sort((a, b) => a - b)
  const at = (q: number): number => s[Math.min(s.length - 1, Math.floor(q * s.length))]! // never empty
  const ns = at(0.5)
  return { ns: Math.round(ns), min: Math.round(s[0]!), spread: (at(0.75) - at(0.25)) / 2 / ns, repeats }
}

/** Repeats until a sample is long enough, warms up, and takes the samples. `take` says nanoseconds of one execution. */
async function timed(
  take: (repeats: number) => Promise<number> | number,
  chain: () => Promise<number> = () => Promise.resolve(1),
): Promise<Timing> {
  let repeats = 1
  await take(1)
  for (let ns = await take(1); ns * repeats < shortest && repeats < 1024; ns = await take(repeats))
    repeats = Math.min(1024, Math.max(repeats + 1, Math.ceil((1.3 * shortest) / Math.max(ns, 100))))
  for (let attempt = 1; ; attempt++) {
    for (let busy = 0; busy < attempt * warm; ) busy += Math.max(2e5, repeats * (await take(repeats)))
    const before = await chain(),
      list: number[] = []
    for (let i = 0; i < samples; i++) list.push(await take(repeats))
    const slowest = Math.max(before, await chain())
    fastestChain = Math.min(fastestChain, before)
    if (isSoftware || slowest <= 1.03 * fastestChain) return summary(list, repeats)
    if (attempt === 4) throw new Error(`the clock was ${(fastestChain / slowest).toFixed(2)} of the highest`)
  }
}
let fastestChain = Infinity

Object.assign(globalThis, globals)
const unchecked = process.env['UNCHECKED'] === undefined ? [] : ['enable-dawn-features=disable_robustness']
const kept = Object.assign(globalThis, {
  dawn: create(['disable-dawn-features=timestamp_quantization', ...unchecked]),
}).dawn // collected, Dawn would crash

async function openDevice(): Promise<GPUDevice> {
  const adapter = await kept.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw new Error('no adapter')
  console.log(adapter.info.vendor, adapter.info.architecture, adapter.info.description)
  const wanted = ['timestamp-query', 'subgroups'].filter((f) => adapter.features.has(f as GPUFeatureName))
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize } = adapter.limits
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY } = adapter.limits
  return adapter.requestDevice({
    requiredFeatures: wanted as GPUFeatureName[],
    requiredLimits: {
      maxBufferSize,
      maxStorageBufferBindingSize,
      maxComputeWorkgroupStorageSize,
      maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupSizeX,
      maxComputeWorkgroupSizeY,
    },
  })
}

const bytesIn = (n: number): ArrayBuffer => {
  const a = new Uint32Array(n),
    stream = random(7)
  for (let i = 0; i < n; i++) a[i] = stream.bits() >>> 24
  return a.buffer
}

const contents = (launch: WgslJob['launch']): ExplainLaunch => ({
  ...launch,
  buffers: Object.fromEntries(
    Object.entries(launch.buffers ?? {}).map(([name, b]): [string, BufferSpec] => [
      name,
      // the rest is the same
      typeof b.fill === 'object' && 'words' in b.fill ? { ...b, fill: bytesIn((b.bytes ?? 0) / 4) } : (b as BufferSpec),
    ]),
  ),
})

async function read(device: GPUDevice, buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  const staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ })
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes)
  device.queue.submit([encoder.finish()])
  await staging.mapAsync(GPUMapMode.READ)
  const copy = staging.getMappedRange().slice(0)
  staging.destroy()
  return copy
}

/** Largest relative error of sampled elements of a product. */
function productError(n: number, a: ArrayBuffer, b: ArrayBuffer, c: ArrayBuffer): number {
  const [x, y, z] = [new Float32Array(a), new Float32Array(b), new Float32Array(c)]
  return Math.max(
    ...Array.from({ length: 24 }, (_, t) => {
      const i = t === 0 ? n - 1 : (t * 7919) % n,
        j = t === 0 ? n - 1 : (t * 104729) % n
      let sum = 0
      for (let k = 0; k < n; k++) sum += x[i * n + k]! * y[k * n + j]!
      return Math.abs(z[i * n + j]! / sum - 1)
    }),
  )
}

const chainText = `@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
  var y = x[i];
  for (var k = 0u; k < arrayLength(&x) * 1024u; k++) { y = fma(y, 0.5, 1.0); }
  x[i] = y;
}
`

/** A timer of one warp that adds, one addition after the other: half a millisecond where the clock is high. */
function chainOn(device: GPUDevice): () => Promise<number> {
  const job = { name: 'chain', language: 'wgsl', text: chainText, entry: 'main', launch: { grid: [1, 1, 1] } } as const
  const made = prepared(device, { ...job, launch: { ...job.launch, buffers: { x: { bytes: 1024 } } } })
  return async () => (await made).take(1)
}

const known = new Map<string, ArrayBuffer>()
function filled(s: Sized, seed: number): ArrayBuffer {
  if (s.binding.space !== 'global' || s.bytes > 2 ** 26 || typeof s.spec.fill === 'object') return filledBuffer(s, seed)
  const key = `${s.binding.type} ${s.bytes} ${seed} ${s.spec.fill} ${s.spec.type}`
  const made = known.get(key) ?? filledBuffer(s, seed)
  if (s.binding.access === 'read') known.set(key, made)
  return made
}

interface Prepared {
  readonly take: (repeats: number) => Promise<number>
  readonly own: readonly {
    readonly binding: Sized['binding']
    readonly buffer: GPUBuffer
    readonly bytes: ArrayBuffer
  }[]
  readonly close: () => void
}

async function prepared(device: GPUDevice, job: WgslJob): Promise<Prepared> {
  const launch = contents(job.launch)
  const subject = subjectOf({ text: job.text, file: job.name }, launch, { entry: job.entry })
  const sized = plan(subject, launch)
  const bound = subject.bind(launch.grid, sized, (s) => filled(s, 1 + sized.indexOf(s)), launch.args ?? {})
  device.pushErrorScope('validation')
  const module = device.createShaderModule({ code: job.text })
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: job.entry } })
  const own = sized.map(({ binding }) => {
    const bytes = bound.buffers[binding.resource]!
    const size = Math.max(16, Math.ceil(bytes.byteLength / 16) * 16)
    const usage = binding.space === 'constant' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE
    const buffer = device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC })
    device.queue.writeBuffer(buffer, 0, bytes, 0, Math.floor(bytes.byteLength / 4) * 4)
    return { binding, buffer, bytes }
  })
  const groups = [...new Set(own.map((o) => o.binding.group))].map((group) => ({
    group,
    entries: device.createBindGroup({
      layout: pipeline.getBindGroupLayout(group),
      entries: own
        .filter((o) => o.binding.group === group)
        .map(({ binding, buffer, bytes }) => ({
          binding: binding.binding,
          resource: { buffer, size: Math.max(4, Math.ceil(bytes.byteLength / 4) * 4) },
        })),
    }),
  }))
  const invalid = await device.popErrorScope()
  if (invalid) throw new Error(invalid.message)
  const queries = device.createQuerySet({ type: 'timestamp', count: 2 })
  const resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC })
  const take = async (repeats: number): Promise<number> => {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    })
    pass.setPipeline(pipeline)
    for (const { group, entries } of groups) pass.setBindGroup(group, entries)
    for (let i = 0; i < repeats; i++) pass.dispatchWorkgroups(...launch.grid)
    pass.end()
    encoder.resolveQuerySet(queries, 0, 2, resolved, 0)
    device.queue.submit([encoder.finish()])
    const [begin = 0n, end = 0n] = new BigUint64Array(await read(device, resolved, 16))
    return Number(end - begin) / repeats
  }
  const close = (): void => {
    for (const { buffer } of own) buffer.destroy()
    queries.destroy()
    resolved.destroy()
  }
  return { take, own, close }
}

async function onWebGpu(
  device: GPUDevice,
  job: WgslJob,
  chain: () => Promise<number>,
): Promise<Record<string, unknown>> {
  const { take, own, close } = await prepared(device, job)
  try {
    const timing = await timed(take, chain)
    if (job.product === undefined) return { ...timing }
    const named = (name: string): (typeof own)[number] => own.find((o) => o.binding.name === name)!
    const result = await read(device, named('c').buffer, named('c').bytes.byteLength)
    return { ...timing, error: productError(job.product, named('a').bytes, named('b').bytes, result) }
  } finally {
    close()
  }
}

class Driver {
  private readonly cuda: CudaLibraries
  private readonly stream: Handle

  constructor(cuda: CudaLibraries) {
    this.cuda = cuda
    this.ok(cuda.driver.cuInit(0))
    this.ok(cuda.driver.cuCtxSetCurrent(this.get('cuDevicePrimaryCtxRetain', Number(this.get('cuDeviceGet', 0)))))
    this.stream = this.get('cuStreamCreate', 0)
  }

  private ok(status: number): void {
    if (status !== 0) throw new Error(`CUDA error ${status}`)
  }

  private get(name: keyof CudaLibraries['driver'], ...args: readonly unknown[]): Handle {
    const made: unknown[] = [null]
    this.ok(this.cuda.driver[name](made, ...args))
    return made[0]
  }

  async time(job: PtxJob): Promise<Record<string, unknown>> {
    const { driver, koffi } = this.cuda
    const image = new TextEncoder().encode(`${job.text}\0`)
    const module = this.get('cuModuleLoadData', image)
    const fn = this.get('cuModuleGetFunction', module, job.entry)
    const registers = Number(this.get('cuFuncGetAttribute', 4, fn))
    const parameters = new Uint8Array(Buffer.from(job.parameters, 'base64'))
    const stream = random(5)
    const memory = job.pointers.map(({ at, bytes, floats }) => {
      const host = new Uint8Array(Math.max(16, Math.ceil(bytes / 4) * 4))
      if (floats) {
        const f = new Float32Array(host.buffer)
        for (let i = 0; i < f.length; i++) f[i] = stream.unit()
      }
      const pointer = BigInt(this.get('cuMemAlloc', host.length) as number | bigint)
      this.ok(driver.cuMemcpyHtoD(pointer, host, host.length))
      new DataView(parameters.buffer).setBigUint64(at, pointer, true)
      return pointer
    })
    const length = new BigUint64Array([BigInt(parameters.length)])
    const extra = new BigUint64Array([1n, koffi.address(parameters), 2n, koffi.address(length), 0n])
    const launch = (): void =>
      this.ok(driver.cuLaunchKernel(fn, ...job.grid, ...job.block, job.shared, this.stream, null, extra))
    const graphs = new Map<number, Handle>()
    const [start, end] = [this.get('cuEventCreate', 0), this.get('cuEventCreate', 0)]
    const recorded = (launches: number): Handle => {
      const known = graphs.get(launches)
      if (known) return known
      this.ok(driver.cuStreamBeginCapture(this.stream, 1))
      for (let i = 0; i < launches; i++) launch()
      const captured: unknown[] = [null]
      this.ok(driver.cuStreamEndCapture(this.stream, captured))
      const made = this.get('cuGraphInstantiate', captured[0], 0)
      graphs.set(launches, made)
      return made
    }
    try {
      const timing = await timed((repeats) => {
        const made = recorded(repeats)
        this.ok(driver.cuEventRecord(start, this.stream))
        this.ok(driver.cuGraphLaunch(made, this.stream))
        this.ok(driver.cuEventRecord(end, this.stream))
        this.ok(driver.cuEventSynchronize(end))
        return (Number(this.get('cuEventElapsedTime', start, end)) * 1e6) / repeats
      })
      return { ...timing, registers }
    } finally {
      for (const g of graphs.values()) driver.cuGraphExecDestroy(g)
      for (const p of memory) driver.cuMemFree(p)
      driver.cuModuleUnload(module)
    }
  }
}

const device = await openDevice()
const chain = chainOn(device)
const driver =
  isSoftware || !jobs.some((j) => j.language === 'ptx')
    ? null
    : await loadCuda([]).then(
        (cuda) => new Driver(cuda),
        (e: unknown) => {
          console.log(String(e))
          return null
        },
      )
const rows: Record<string, unknown>[] = []
for (const job of jobs) {
  if (Date.now() > deadline) {
    rows.push({ name: job.name, failed: 'no time left' })
    continue
  }
  try {
    if (job.language === 'ptx' && !driver) continue
    const row = job.language === 'ptx' ? await driver!.time(job) : await onWebGpu(device, job, chain)
    rows.push({ name: job.name, on: job.language === 'ptx' ? 'cuda' : 'webgpu', ...row })
    console.log(job.name, (Number(row['ns']) / 1000).toFixed(2), row['error'] === undefined ? '' : Number(row['error']))
  } catch (e) {
    rows.push({ name: job.name, failed: String((e as Error).message).slice(0, 200) })
    console.log(job.name, String((e as Error).message).slice(0, 160))
  }
  writeFileSync(out, JSON.stringify(rows))
}
console.log(`${rows.length} rows, ${Math.max(0, Math.round((deadline - Date.now()) / 1000))} s left`)
process.exit(0)
