// In: a GPU through WebGPU (npm webgpu). Out, as JSON: how many workgroups that take some workgroup memory run at once,
// and so how much of it a multiprocessor has here. The one idea: a workgroup of one warp that only waits for itself
// takes the same time whatever runs beside it, so the time of a grid rises by one step whenever another round of
// workgroups is needed. Usage: node shared-webgpu.mjs MULTIPROCESSORS [OUT.json]
import { writeFileSync } from 'node:fs'
import { countFrom } from '../arguments.ts'

const multiprocessors = countFrom(process.argv[2], 132, 'the number of multiprocessors')
const out = process.argv[3]
/** More warps than this fill the schedulers, and the time rises although all of them run. */
const steps = 6000,
  most = 16

const module = (await import(/* @vite-ignore */ 'webgpu' as string)) as {
  create: (flags: string[]) => GPU
  globals: object
} // the package has no types that are wanted
Object.assign(globalThis, module.globals)
// Dawn crashes when this object is collected: it is named again at the end.
const gpu = module.create(['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization'])
const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
if (!adapter) throw new Error('no GPU')
const limit = adapter.limits.maxComputeWorkgroupStorageSize
const device = await adapter.requestDevice({
  requiredFeatures: ['timestamp-query'],
  requiredLimits: { maxComputeWorkgroupStorageSize: limit },
})

/** A chain of dependent steps by one warp; the array is touched, so that it is kept. */
const shader = (bytes: number): string => `
@group(0) @binding(0) var<storage, read_write> sink: array<f32>;
var<workgroup> kept: array<f32, ${bytes / 4}>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  kept[lane] = sink[lane];
  var x = kept[lane] + f32(group.x);
  for (var i = 0u; i < ${steps}u; i++) { x = fma(x, 0.999, 0.5); }
  kept[(lane * 7u) % ${bytes / 4}u] = x;
  workgroupBarrier();
  if (x < -1e30) { sink[lane] = kept[(lane * 13u) % ${bytes / 4}u]; }
}`

const sink = device.createBuffer({ size: 128, usage: GPUBufferUsage.STORAGE })
const stamps = device.createQuerySet({ type: 'timestamp', count: 2 })
const resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC })
const read = device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ })

async function time(pipeline: GPUComputePipeline, groups: number): Promise<number> {
  let least = Infinity
  for (let i = 0; i < 3; i++) {
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet: stamps, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    })
    pass.setPipeline(pipeline)
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: { buffer: sink } }],
      }),
    )
    pass.dispatchWorkgroups(groups)
    pass.end()
    encoder.resolveQuerySet(stamps, 0, 2, resolved, 0)
    encoder.copyBufferToBuffer(resolved, 0, read, 0, 16)
    device.queue.submit([encoder.finish()])
    await read.mapAsync(GPUMapMode.READ)
    const [from, to] = new BigUint64Array(read.getMappedRange().slice(0))
    read.unmap()
    least = Math.min(least, Number(to! - from!)) // two stamps
  }
  return least
}

/** Workgroups per multiprocessor: the most for which the grid takes one round. */
async function activeOf(
  bytes: number,
): Promise<{ readonly bytes: number; readonly active: number; readonly ns: readonly number[] }> {
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: shader(bytes) }) },
  })
  for (let i = 0; i < 3; i++) await time(pipeline, multiprocessors)
  const ns: number[] = []
  for (let k = 1; k <= most; k++) {
    ns.push(await time(pipeline, multiprocessors * k))
    if (ns[k - 1]! > 1.3 * ns[0]!) return { bytes, active: k - 1, ns } // just pushed
  }
  return { bytes, active: most, ns }
}

const rows = []
for (const kib of [
  0.25, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 20, 22, 23, 24, 28, 32, 44, 46, 47, 48,
])
  if (kib * 1024 <= limit) rows.push(await activeOf(kib * 1024))
for (const r of rows)
  console.log(
    `${(r.bytes / 1024).toFixed(2)} KiB: ${r.active} workgroups, ${((r.active * r.bytes) / 1024).toFixed(1)} ` +
      `KiB; ${r.ns.map((t) => Math.round(t / 1000)).join(' ')} us`,
  )
const result = {
  provenance: {
    device: adapter.info.description || adapter.info.device,
    date: new Date().toISOString().slice(0, 10),
    api: 'WebGPU through Dawn (Vulkan)',
    what:
      'workgroups of one warp in flight on each multiprocessor, by workgroup memory; the least of 3 times in ns ' +
      'for 1, 2, … workgroups per multiprocessor',
    'made by': 'bench/micro/shared-webgpu.ts',
  },
  multiprocessors,
  maxComputeWorkgroupStorageSize: limit,
  rows,
}
if (out !== undefined) writeFileSync(out, `${JSON.stringify(result)}\n`)
device.destroy()
process.exit(gpu ? 0 : 1)
