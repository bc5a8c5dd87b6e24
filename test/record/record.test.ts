// What a program computes is recorded without changing it, and the recording is explained whole. Programs run on the
// software GPU, in Node and in a page.
import { build } from 'esbuild'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explain, explainFrame, parseRecording } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { record, type RecordedBinding, type Recording } from '../../src/record/index.ts'
import { frameLines } from '../../src/report/index.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

const scale = `
struct Params { factor: f32, count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
override unused: f32 = 1.0;
@compute @workgroup_size(64) fn scale(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < params.count) { y[id.x] = x[id.x] * params.factor * unused; }
}
@compute @workgroup_size(64) fn strided(@builtin(global_invocation_id) id: vec3u) {
  if (id.x * 8u < params.count) { y[id.x] = x[id.x * 8u] * params.factor; }
}`

let device: GPUDevice
beforeAll(async () => {
  const adapter = await (await swiftShaderGpu()).requestAdapter()
  device = await adapter!.requestDevice()
})
afterAll(() => device.destroy())

interface Made {
  readonly y: GPUBuffer
  readonly recording: Recording
}

const usage = { map: 1, copyFrom: 4, copyTo: 8, uniform: 64, storage: 128, indirect: 256, texture: 4 } as const

/** Two dispatches of one entry, one of the other, one whose workgroups stand in a buffer. */
async function program(count: number): Promise<Made> {
  const recorder = record(device)
  const module = device.createShaderModule({ code: scale, label: 'scale.wgsl' })
  const pipeline = (entryPoint: string): Promise<GPUComputePipeline> =>
    device.createComputePipelineAsync({ layout: 'auto', label: entryPoint, compute: { module, entryPoint } })
  const [plain, strided] = await Promise.all([pipeline('scale'), pipeline('strided')])
  const params = device.createBuffer({ size: 8, usage: usage.uniform | usage.copyTo })
  device.queue.writeBuffer(params, 0, new Float32Array([2]))
  device.queue.writeBuffer(params, 4, new Uint32Array([7, count, 9]), 1, 1)
  const x = device.createBuffer({ size: 4 * count, usage: usage.storage, mappedAtCreation: true })
  new Float32Array(x.getMappedRange()).set(Float32Array.from({ length: count }, (_, i) => i + 1))
  x.unmap()
  const y = device.createBuffer({ size: 4 * count, usage: usage.storage | usage.copyFrom })
  const indirect = device.createBuffer({ size: 16, usage: usage.indirect | usage.copyTo })
  device.queue.writeBuffer(indirect, 4, new Uint32Array([3, 1, 1]))
  const group = (p: GPUComputePipeline): GPUBindGroup =>
    device.createBindGroup({
      layout: p.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: params } },
        { binding: 1, resource: { buffer: x } },
        { binding: 2, resource: { buffer: y } },
      ],
    })
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass({ label: 'both' })
  pass.setPipeline(plain)
  pass.setBindGroup(0, group(plain))
  pass.dispatchWorkgroups(Math.ceil(count / 64))
  pass.dispatchWorkgroups(Math.ceil(count / 64))
  pass.dispatchWorkgroupsIndirect(indirect, 4)
  pass.setPipeline(strided)
  pass.setBindGroup(0, group(strided))
  pass.dispatchWorkgroups(Math.ceil(count / 512))
  pass.end()
  device.queue.submit([encoder.finish()])
  recorder.stop()
  return { y, recording: recorder.recording() }
}

async function read(buffer: GPUBuffer, own: GPUDevice): Promise<Float32Array> {
  const to = own.createBuffer({ size: buffer.size, usage: usage.map | usage.copyTo })
  const encoder = own.createCommandEncoder()
  encoder.copyBufferToBuffer(buffer, 0, to, 0, buffer.size)
  own.queue.submit([encoder.finish()])
  await to.mapAsync(1)
  return new Float32Array(to.getMappedRange().slice(0))
}

const buffers = (r: Recording, n: number): readonly RecordedBinding[] => r.dispatches[n]!.bindings

describe('a recording', () => {
  test('has every dispatch with its shader, workgroups and contents; the results stay', async () => {
    const { y, recording } = await program(1000)
    expect(recording.dispatches.map((d) => [d.entry, d.pass, d.grid])).toEqual([
      ['scale', 'both', [16, 1, 1]],
      ['scale', 'both', [16, 1, 1]],
      ['scale', 'both', [3, 1, 1]],
      ['strided', 'both', [2, 1, 1]],
    ])
    const of = (n: number, binding: number): RecordedBinding =>
      buffers(recording, n).find((b) => b.binding === binding)!
    const bytes = (b: RecordedBinding): Buffer =>
      Buffer.from(
        b.kind === 'buffer' && typeof b.contents === 'number' ? recording.contents[b.contents]! : '',
        'base64',
      )
    expect(bytes(of(0, 0)).readFloatLE(0)).toBe(2)
    expect(bytes(of(0, 0)).readUInt32LE(4)).toBe(1000)
    expect(bytes(of(0, 1)).readFloatLE(4 * 999)).toBe(1000)
    // nobody has written y before the first dispatch; behind it nobody on the host knows what is in it
    expect(of(0, 2)).toMatchObject({ size: 4000, contents: 'zero' })
    expect(of(1, 2)).not.toHaveProperty('contents')
    expect((await read(y, device))[500]).toBe(1002)
  })

  test('is explained as its launches are, alike ones once and the dearest first', async () => {
    const { recording } = await program(1 << 16)
    const text = JSON.stringify(recording)
    const frame = explainFrame(parseRecording(text, 'r.json'), { gpu: gpu('h200') })
    expect(frame.kernels.map((k) => [k.report?.kernel.name, k.dispatches.length])).toEqual(
      expect.arrayContaining([
        ['scale', 1],
        ['strided', 1],
      ]),
    )
    expect(frame.ns).toBeCloseTo(
      frame.kernels.reduce((n, k) => n + k.total!, 0),
      6,
    )
    const own = explain(
      { text: scale, file: 'scale.wgsl' },
      {
        grid: [128, 1, 1],
        buffers: { x: { bytes: 1 << 18 }, y: { bytes: 1 << 18 } },
        args: { count: 1 << 16, factor: 2 },
      },
      { gpu: gpu('h200'), entry: 'strided' },
    )
    const strided = frame.kernels.find((k) => k.report?.kernel.name === 'strided')!
    expect(strided.report!.accesses).toEqual(own.accesses)
    expect(frame.kernels.map((k) => k.total)).toEqual(frame.kernels.map((k) => k.total!).sort((a, b) => b - a))
    expect(frameLines(frame).join('\n')).toContain('4 dispatches of')
  })

  test('holds as many dispatches as it may, and says how many were left', async () => {
    const recorder = record(device, { mostDispatches: 1 })
    const { recording } = await program(100)
    recorder.stop()
    expect(recorder.recording()).toMatchObject({ left: 3 })
    expect(recorder.recording().dispatches).toHaveLength(1)
    expect(recording.left).toBe(0)
  })
})

test('a texture of a canvas is noted, and the canvas is given back', () => {
  const texture = device.createTexture({ size: [40, 24], format: 'rgba8unorm', usage: usage.texture })
  class Canvas {
    getCurrentTexture(): GPUTexture {
      return texture
    }
  }
  const own = Canvas.prototype.getCurrentTexture
  Object.assign(globalThis, { GPUCanvasContext: Canvas })
  const recorder = record(device)
  const module = device.createShaderModule({
    code: `@group(0) @binding(0) var t: texture_2d<f32>;
      @compute @workgroup_size(1) fn main() { _ = textureLoad(t, vec2u(), 0); }`,
  })
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } })
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  const entries = [{ binding: 0, resource: new Canvas().getCurrentTexture().createView() }]
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
  pass.dispatchWorkgroups(1)
  pass.end()
  device.queue.submit([encoder.finish()])
  recorder.stop()
  Reflect.deleteProperty(globalThis, 'GPUCanvasContext')
  expect(recorder.recording().dispatches[0]!.bindings).toMatchObject([{ kind: 'texture', size: [40, 24, 1] }])
  expect(Canvas.prototype.getCurrentTexture).toBe(own)
})

test.each([
  ['{', 'this is no JSON'],
  ['[]', 'its schema is not tesela.recording/1'],
  ['{"schema":"tesela.recording/1"}', 'damaged'],
  ['{"schema":"tesela.recording/1","shaders":[{}],"contents":[],"dispatches":[],"left":0}', 'damaged'],
])('%s is refused', (text, why) => expect(() => parseRecording(text, 'r.json')).toThrow(why))

test('a page that makes its own device is recorded, and runs as before', async () => {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, '../../src/record.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    minify: true,
  })
  const { text } = bundled.outputFiles[0]!
  // a module of a few kB: pages load it to be looked at
  expect(text.length).toBeLessThan(10_000)
  const browser = await openBrowser()
  try {
    const { page, problems } = await openPage(browser, text)
    const recording = await page.evaluate(
      async (code) => {
        const { recordPage } = (globalThis as unknown as { loaded: { recordPage: () => { recording(): unknown } } })
          .loaded
        const recorder = recordPage()
        const adapter = await navigator.gpu.requestAdapter()
        const own = await adapter!.requestDevice()
        const module = own.createShaderModule({ code })
        const pipeline = own.createComputePipeline({ layout: 'auto', compute: { module } })
        const y = own.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE })
        const texture = own.createTexture({
          size: [8, 4],
          format: 'rgba8unorm',
          usage: GPUTextureUsage.TEXTURE_BINDING,
        })
        const encoder = own.createCommandEncoder()
        const pass = encoder.beginComputePass()
        pass.setPipeline(pipeline)
        const entries = [
          { binding: 0, resource: { buffer: y } },
          { binding: 1, resource: texture.createView() },
        ]
        pass.setBindGroup(0, own.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
        pass.dispatchWorkgroups(1)
        pass.end()
        own.queue.submit([encoder.finish()])
        await own.queue.onSubmittedWorkDone()
        return recorder.recording()
      },
      `@group(0) @binding(0) var<storage, read_write> y: array<f32>;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
          y[i] = textureLoad(t, vec2u(i % 8u, i / 8u), 0).x;
        }`,
    )
    expect(problems).toEqual([])
    const frame = explainFrame(parseRecording(JSON.stringify(recording), 'page.json'), { gpu: gpu('h200') })
    expect(frame.kernels).toHaveLength(1)
    expect(frame.kernels[0]!.report!.buffers.map((b) => b.name)).toEqual(['y', 't'])
    expect(frame.kernels[0]!.report!.notes.join()).toContain("'t' 8×4 rgba8unorm")
  } finally {
    await browser.close()
  }
})
