// A page as pages are: several frames of compute passes and draws beside each other, with views of one level, parts
// of a buffer at dynamic offsets, constants of pipelines, timestamps, an indirect dispatch, modules that are made again
// and fragments that write to buffers. All of it is in the recording, and is explained.
import { build } from 'esbuild'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explainFrame, parseRecording, type FrameKernel, type FrameReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { RecordedBinding, RecordedDispatch, Recording } from '../../src/record/index.ts'
import { frameLines } from '../../src/report/index.ts'
import { openBrowser, openPage } from '../support/browser.ts'

const step = `
struct Step { seconds: f32, round: u32 }
override groupSize: u32 = 32;
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read_write> points: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@compute @workgroup_size(groupSize) fn advance(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&points)) { points[id.x] += step.seconds * weights[id.x]; }
}`
const halve = `
@group(0) @binding(0) var large: texture_2d<f32>;
@group(0) @binding(1) var small: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn halve(@builtin(global_invocation_id) id: vec3u) {
  if (all(id.xy < textureDimensions(small))) { textureStore(small, id.xy, textureLoad(large, 2 * id.xy, 0)); }
}`
const paint = `
@group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@compute @workgroup_size(16, 16) fn paint(@builtin(global_invocation_id) id: vec3u) {
  textureStore(image, id.xy, vec4f(f32(counts[id.x % 4u])));
}`
const draw = `
@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn shade() -> @location(0) vec4f { atomicAdd(&counts[0], 1u); return vec4f(1.0); }`

const frames = 5

/** Runs in the page. */
async function program(texts: { step: string; halve: string; paint: string; draw: string; frames: number }) {
  const { recordPage } = (globalThis as unknown as { loaded: { recordPage: () => { recording(): unknown } } }).loaded
  const recorder = recordPage()
  const adapter = await navigator.gpu.requestAdapter()
  const device = await adapter!.requestDevice({ requiredFeatures: ['timestamp-query'] })
  const { STORAGE, UNIFORM, COPY_DST, INDIRECT, QUERY_RESOLVE } = GPUBufferUsage
  const layout = device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'uniform', hasDynamicOffset: true } },
      { binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } },
      { binding: 2, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'read-only-storage' } },
    ],
  })
  const compute = (code: string, of: Partial<GPUComputePipelineDescriptor>, constants: Record<string, number> = {}) =>
    device.createComputePipeline({
      layout: 'auto',
      ...of,
      compute: { module: device.createShaderModule({ code, label: of.label! }), constants },
    })
  const mover = compute(
    texts.step,
    { label: 'advance', layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }) },
    { groupSize: 128 },
  )
  const halver = compute(texts.halve, { label: 'halve' })
  const params = device.createBuffer({ size: 512, usage: UNIFORM | COPY_DST })
  const points = device.createBuffer({ size: 4096, usage: STORAGE })
  const weights = device.createBuffer({ size: 4096, usage: STORAGE | COPY_DST })
  const counts = device.createBuffer({ size: 16, usage: STORAGE | COPY_DST })
  const indirect = device.createBuffer({ size: 12, usage: INDIRECT | COPY_DST })
  device.queue.writeBuffer(weights, 0, new Float32Array(1024).fill(2))
  device.queue.writeBuffer(indirect, 0, new Uint32Array([4, 1, 1]))
  const image = device.createTexture({
    size: [64, 32],
    mipLevelCount: 3,
    format: 'rgba8unorm',
    usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.STORAGE_BINDING,
  })
  const level = (n: number) => image.createView({ baseMipLevel: n, mipLevelCount: 1 })
  const target = device.createTexture({
    size: [40, 24],
    format: 'rgba8unorm',
    usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.RENDER_ATTACHMENT,
  })
  const module = device.createShaderModule({ code: texts.draw })
  const drawer = await device.createRenderPipelineAsync({
    layout: 'auto',
    vertex: { module },
    fragment: { module, targets: [{ format: 'rgba8unorm' }] },
  })
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
  const times = device.createBuffer({ size: 16, usage: QUERY_RESOLVE })
  const group = (of: GPUBindGroupLayout, ...resources: GPUBindingResource[]) =>
    device.createBindGroup({ layout: of, entries: resources.map((resource, binding) => ({ binding, resource })) })
  for (let frame = 0; frame < texts.frames; frame++) {
    device.queue.writeBuffer(params, 256, new Float32Array([0.1 * (frame + 1)]))
    device.queue.writeBuffer(counts, 0, new Uint32Array([frame, 7, 7, 7]))
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass({
      label: 'simulation',
      timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    })
    pass.setPipeline(mover)
    pass.setBindGroup(0, group(layout, { buffer: params, size: 8 }, { buffer: points }, { buffer: weights }), [256])
    pass.dispatchWorkgroups(8)
    pass.dispatchWorkgroupsIndirect(indirect, 0)
    pass.setPipeline(halver)
    for (const n of [1, 2]) {
      pass.setBindGroup(0, group(halver.getBindGroupLayout(0), level(n - 1), level(n)))
      pass.dispatchWorkgroups(64 >> (n + 3), Math.max(1, 32 >> (n + 3)))
    }
    pass.end()
    const view = target.createView()
    const attachment = { view, loadOp: 'clear', storeOp: 'store' } as const
    const drawing = encoder.beginRenderPass({ colorAttachments: [attachment] })
    drawing.setPipeline(drawer)
    drawing.setBindGroup(0, group(drawer.getBindGroupLayout(0), { buffer: counts }))
    drawing.draw(3)
    drawing.end()
    const painter = compute(texts.paint, { label: 'paint' })
    const last = encoder.beginComputePass()
    last.setPipeline(painter)
    last.setBindGroup(0, group(painter.getBindGroupLayout(0), view, { buffer: counts }))
    last.dispatchWorkgroups(3, 2)
    last.end()
    encoder.resolveQuerySet(querySet, 0, 2, times, 0)
    device.queue.submit([encoder.finish()])
    await device.queue.onSubmittedWorkDone()
  }
  return recorder.recording()
}

let recording: Recording
let frame: FrameReport
let problems: readonly string[]
let close: () => Promise<void>
beforeAll(async () => {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, '../../src/record.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const browser = await openBrowser()
  close = () => browser.close()
  const opened = await openPage(browser, bundled.outputFiles[0]!.text)
  problems = opened.problems
  recording = (await opened.page.evaluate(program, { step, halve, paint, draw, frames })) as Recording
  frame = explainFrame(parseRecording(JSON.stringify(recording), 'page.json'), { gpu: gpu('h200') })
})
afterAll(() => close())

const dispatches = (pipeline: string): readonly RecordedDispatch[] =>
  recording.dispatches.filter((d) => d.pipeline === pipeline)
const bound = (pipeline: string, n: number, binding: number): RecordedBinding =>
  dispatches(pipeline)[n]!.bindings.find((b) => b.binding === binding)!
const kernel = (name: string, grid: readonly number[]): FrameKernel =>
  frame.kernels.find((k) => k.report?.kernel.name === name && k.grid?.join() === grid.join())!

describe('a page of many parts', () => {
  test('runs as before, and every dispatch is noted with its shader once', () => {
    expect(problems).toEqual([])
    expect(recording.dispatches).toHaveLength(5 * frames)
    expect(recording.shaders.map((s) => s.label)).toEqual(['advance', 'halve', '', 'paint'])
    expect(dispatches('advance')[0]).toMatchObject({
      pass: 'simulation',
      constants: { groupSize: 128 },
      grid: [8, 1, 1],
    })
    expect(dispatches('advance')[1]).toMatchObject({ grid: [4, 1, 1] })
  })
  test('parts of buffers are those of the dynamic offsets', () => {
    expect(bound('advance', 0, 0)).toMatchObject({ offset: 256, size: 8 })
    expect(bound('advance', 0, 0)).not.toMatchObject({ contents: 'zero' })
  })
  test('views of one level have its size', () => {
    expect(bound('halve', 0, 0)).toMatchObject({ size: [64, 32, 1], levels: 1 })
    expect(bound('halve', 0, 1)).toMatchObject({ size: [32, 16, 1], levels: 1 })
    expect(bound('halve', 1, 1)).toMatchObject({ size: [16, 8, 1], levels: 1 })
    expect(bound('paint', 0, 0)).toMatchObject({ kind: 'texture', format: 'rgba8unorm', size: [40, 24, 1] })
  })
  test('what fragments wrote is not known', () => {
    expect(bound('paint', 0, 1)).toMatchObject({ kind: 'buffer', size: 16 })
    expect(bound('paint', 0, 1)).not.toHaveProperty('contents')
  })
  test('one row a kernel and grid: of many contents some are run', () => {
    expect(frame.kernels).toHaveLength(5)
    expect(frame.kernels.flatMap((k) => k.refused ?? [])).toEqual([])
    expect(kernel('advance', [8, 1, 1])).toMatchObject({ contents: frames, explained: 3 })
    expect(kernel('paint', [3, 2, 1])).toMatchObject({ contents: 1, explained: 1 })
    expect(frame.kernels.every((k) => k.dispatches.length === frames)).toBe(true)
    expect(frameLines(frame).join('\n')).toContain('its buffers had 5 contents; 3 were run')
  })
  test('the total is that of all, and the dearest is first', () => {
    const totals = frame.kernels.map((k) => k.total!)
    expect(frame.ns).toBeCloseTo(
      totals.reduce((a, b) => a + b),
      3,
    )
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
  })
  test('nothing wrong is said of it, and all blocks count as by default', () => {
    const errors = frame.kernels.flatMap((k) => k.report!.hazards.filter((h) => h.level === 'error'))
    expect(errors).toEqual([])
    const exact = explainFrame(recording, { gpu: gpu('h200'), exact: true })
    const accesses = (of: FrameReport): unknown => of.kernels.map((k) => [k.report!.kernel.name, k.report!.accesses])
    expect(accesses(frame)).toEqual(accesses(exact))
    expect(exact.ns).toBeCloseTo(frame.ns, 3)
    expect(exact.kernels.every((k) => k.explained === k.contents)).toBe(true)
  })
})
