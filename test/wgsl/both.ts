// In: a WGSL text, a grid and the bytes of its buffers. Out: the buffers after running on SwiftShader through Dawn, and
// after simulating. The one idea: the same text and the same bytes go both ways.
import { parseWgsl, type WgslBinding, type WgslKernel } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { simulate } from '../../src/simulate/index.ts'
import type { Hazard, SamplerSpec } from '../../src/ir/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { deviceSampler, deviceTexture, readTexture, type TextureSpec } from './device-textures.ts'

export type Buffers = Readonly<Record<string, ArrayBuffer>>
type Dim3 = readonly [number, number, number]

/** SwiftShader's subgroups have 4 lanes. */
const swiftProfile = { ...gpu('h200'), name: 'swiftshader', warpSize: 4 }

const copies = (buffers: Buffers): Record<string, ArrayBuffer> =>
  Object.fromEntries(Object.entries(buffers).map(([k, b]) => [k, b.slice(0)]))

export interface Options {
  readonly overrides?: Record<string, number>
  readonly entry?: string
  readonly check?: boolean
  readonly maxSteps?: number
  /** Format and size of each texture; its texels come with the buffers. */
  readonly textures?: Readonly<Record<string, TextureSpec>>
  readonly samplers?: Readonly<Record<string, SamplerSpec>>
}

const extent = (b: WgslBinding, options: Options): readonly [number, number, number] =>
  options.textures?.[b.name]?.size ?? [1, 1, 1]

export function simulated(
  text: string,
  grid: Dim3,
  buffers: Buffers,
  options: Options = {},
): { buffers: Record<string, ArrayBuffer>; hazards: readonly Hazard[]; wgsl: WgslKernel } {
  const wgsl = parseWgsl(text, 'test.wgsl', options)
  const own = copies(buffers)
  const bound = Object.fromEntries(wgsl.bindings.map((b) => [b.resource, own[b.name]!]))
  for (const t of wgsl.tables) bound[t.resource] = t.bytes
  const params = Object.fromEntries([
    ...wgsl.sizes.map((s) => [s.param, bound[s.resource]!.byteLength] as const),
    ...wgsl.bindings.flatMap(
      (b) => b.texture?.sizes.map(({ axis, param }) => [param, extent(b, options)[axis]] as const) ?? [],
    ),
  ])
  const { counters } = simulate(wgsl.kernel, { grid, params, buffers: bound }, swiftProfile, {
    exact: true,
    ...(options.check && { check: { races: true, uninitialized: true } }),
    ...(options.maxSteps && { maxSteps: options.maxSteps }),
  })
  return { buffers: own, hazards: counters.hazards, wgsl }
}

let device: Promise<GPUDevice> | undefined

export function swiftShader(): Promise<GPUDevice> {
  device ??= open()
  return device
}

async function open(): Promise<GPUDevice> {
  const adapter = await (await swiftShaderGpu()).requestAdapter()
  if (!adapter) throw new Error('no SwiftShader')
  const features = [...adapter.features].filter(
    (f) => f === 'subgroups' || f === 'float32-filterable',
  ) as GPUFeatureName[] // just filtered
  const {
    maxStorageBuffersPerShaderStage,
    maxComputeInvocationsPerWorkgroup,
    maxComputeWorkgroupSizeX,
    maxComputeWorkgroupStorageSize,
  } = adapter.limits
  return adapter.requestDevice({
    requiredFeatures: features,
    requiredLimits: {
      maxStorageBuffersPerShaderStage,
      maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupSizeX,
      maxComputeWorkgroupStorageSize,
    },
  })
}

/** Runs on SwiftShader. Throws with Tint's message when it refuses the text. */
export async function onDevice(
  text: string,
  grid: Dim3,
  buffers: Buffers,
  wgsl: WgslKernel,
  options: Options = {},
): Promise<Record<string, ArrayBuffer>> {
  const d = await swiftShader()
  d.pushErrorScope('validation')
  const module = d.createShaderModule({ code: text })
  const pipeline = d.createComputePipeline({
    layout: 'auto',
    compute: { module, entryPoint: wgsl.entry, ...(options.overrides && { constants: options.overrides }) },
  })
  const textures = wgsl.bindings
    .filter((b) => b.texture)
    .map((b) => ({ ...b, held: deviceTexture(d, b, options.textures![b.name]!, buffers[b.name]!) }))
  const samplers = wgsl.samplers.map((s) => ({ ...s, held: deviceSampler(d, s) }))
  const bound = wgsl.bindings
    .filter((b) => !b.texture)
    .map((b) => {
      const buffer = d.createBuffer({
        size: buffers[b.name]!.byteLength,
        usage:
          (b.space === 'constant' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE) |
          GPUBufferUsage.COPY_SRC |
          GPUBufferUsage.COPY_DST,
      })
      d.queue.writeBuffer(buffer, 0, buffers[b.name]!)
      return { ...b, buffer }
    })
  const encoder = d.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  for (const group of new Set([...bound, ...textures, ...samplers].map((b) => b.group))) {
    const entries = [
      ...bound.filter((b) => b.group === group).map((b) => ({ binding: b.binding, resource: { buffer: b.buffer } })),
      ...textures.filter((b) => b.group === group).map((b) => ({ binding: b.binding, resource: b.held.view })),
      ...samplers.filter((s) => s.group === group).map((s) => ({ binding: s.binding, resource: s.held })),
    ]
    pass.setBindGroup(group, d.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }))
  }
  pass.dispatchWorkgroups(...grid)
  pass.end()
  const reads = bound.map((b) => {
    const read = d.createBuffer({ size: b.buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
    encoder.copyBufferToBuffer(b.buffer, 0, read, 0, b.buffer.size)
    return { name: b.name, read }
  })
  const texels = textures
    .filter((b) => b.access !== 'read')
    .map((b) => ({ name: b.name, take: readTexture(d, encoder, b.held) }))
  d.queue.submit([encoder.finish()])
  const error = await d.popErrorScope()
  if (error) throw new Error(`${error.message}\n${text}`)
  const out: Record<string, ArrayBuffer> = {}
  for (const { name, read } of reads) {
    await read.mapAsync(GPUMapMode.READ)
    out[name] = read.getMappedRange().slice(0)
    read.destroy()
  }
  for (const { name, take } of texels) out[name] = await take()
  for (const b of bound) b.buffer.destroy()
  for (const t of textures) t.held.texture.destroy()
  return out
}

/**
 * The first word in which two results differ, in words; null when there is none. Floats may differ by `tolerance`,
 * relative.
 */
export function difference(
  a: Record<string, ArrayBuffer>,
  b: Record<string, ArrayBuffer>,
  floats: ReadonlySet<string> = new Set(),
  tolerance = 1e-5,
): string | null {
  for (const name of Object.keys(b)) {
    const [x, y] = floats.has(name)
      ? [new Float32Array(a[name]!), new Float32Array(b[name]!)]
      : [new Uint32Array(a[name]!), new Uint32Array(b[name]!)]
    for (let i = 0; i < x.length; i++) {
      const [p, q] = [x[i]!, y[i]!]
      const same =
        p === q ||
        (Number.isNaN(p) && Number.isNaN(q)) ||
        (floats.has(name) && Math.abs(p - q) <= tolerance * Math.max(1, Math.abs(p), Math.abs(q)))
      if (!same) return `${name}[${i}]: simulated ${p}, SwiftShader ${q}`
    }
  }
  return null
}
