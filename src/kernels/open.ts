// Finding a device: the caller's, the browser's, or Dawn's in Node through the optional package `webgpu`.
import { Core, type CoreOptions } from './core.ts'
import { refuse } from './error.ts'

export interface ConnectOptions extends CoreOptions {
  /** A device to use; it is not destroyed with the library's use of it. */
  readonly device?: GPUDevice
  /** Where to ask for an adapter; `navigator.gpu`, or Dawn, when absent. */
  readonly gpu?: GPU
}

const limits = [
  'maxBufferSize', 'maxStorageBufferBindingSize', 'maxStorageBuffersPerShaderStage', 'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupsPerDimension',
] as const

/** What Dawn's `create` returned: collected, the process would crash. */
const kept: GPU[] = []

/** Opens a device. Throws a `TeselaError` when there is none. */
export async function connect(options: ConnectOptions = {}): Promise<Core> {
  if (options.device) return new Core(options.device, options.device.adapterInfo ?? null, options)
  const gpu = options.gpu ?? (globalThis.navigator as Navigator | undefined)?.gpu ?? (await dawn()) // Node has no navigator, or one without
  kept.push(gpu)
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) return refuse('device.adapter', 'WebGPU found no adapter', 'a driver may be missing; `npx tesela doctor` says what is there')
  const device = await adapter.requestDevice({
    requiredFeatures: (['timestamp-query', 'shader-f16'] as const).filter((f) => adapter.features.has(f)),
    requiredLimits: Object.fromEntries(limits.map((name) => [name, adapter.limits[name]])),
  })
  return new Core(device, adapter.info, options)
}

async function dawn(): Promise<GPU> {
  const name = 'webgpu' // not a literal, so that bundlers for browsers leave it alone
  const found = await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => null) as { create(options: string[]): GPU } | null // the package's shape
  if (!found) return refuse('device.missing', 'there is no WebGPU here', 'use a browser that has it; in Node, npm install webgpu')
  return found.create([])
}
