// Finding a device: the caller's, the browser's, or Dawn's in Node through the optional package `webgpu`.
import { Core, type CoreOptions } from './core.ts'
import { refuse } from './error.ts'

export interface ConnectOptions extends CoreOptions {
  /** A device to use; it is not destroyed with the library's use of it. */
  readonly device?: GPUDevice
  /** Where to ask for an adapter; `navigator.gpu`, or Dawn, when absent. */
  readonly gpu?: GPU
  /**
   * `false`: products of f32 stay with the device's f32 arithmetic. Else large ones are done by its matrix units where it has them ('chromium-experimental-subgroup-matrix',
   * 'subgroups' and 'shader-f16', which are asked for; a device of yours has them if you did) for 16 × 16 matrices of f16 with sums of f32: three products of f16 for one of f32.
   */
  readonly matrices?: boolean
}

const limits = [
  'maxBufferSize', 'maxStorageBufferBindingSize', 'maxStorageBuffersPerShaderStage', 'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupsPerDimension',
] as const

/** What Dawn's `create` returned: collected, the process would crash. */
const kept: GPU[] = []

/** Opens a device. Throws a `TeselaError` when there is none. */
export async function connect(options: ConnectOptions = {}): Promise<Core> {
  if (options.device) return withUnits(new Core(options.device, options.device.adapterInfo ?? null, options), options)
  const gpu = options.gpu ?? (globalThis.navigator as Navigator | undefined)?.gpu ?? (await dawn(options)) // Node has no navigator, or one without
  kept.push(gpu)
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) return refuse('device.adapter', 'WebGPU found no adapter', 'a driver may be missing; `npx tesela doctor` says what is there')
  const device = await adapter.requestDevice({
    requiredFeatures: ['timestamp-query', 'shader-f16', ...(options.matrices === false ? [] : ['subgroups', matrixUnits])].filter((f) => adapter.features.has(f)) as GPUFeatureName[], // the adapter knows them
    requiredLimits: Object.fromEntries(limits.map((name) => [name, adapter.limits[name]])),
  })
  return withUnits(new Core(device, adapter.info, options), options)
}

const matrixUnits = 'chromium-experimental-subgroup-matrix'

/** The device with products on its matrix units, where it has some. */
async function withUnits(core: Core, options: ConnectOptions): Promise<Core> {
  if (options.matrices !== false && core.device.features.has(matrixUnits)) await import('./matrices/matrices.ts').then(({ matrices }) => matrices(core), () => {}) // a part that cannot be loaded is left out
  return core
}

async function dawn({ matrices }: ConnectOptions): Promise<GPU> {
  const name = 'webgpu' // not a literal, so that bundlers for browsers leave it alone
  const found = await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => null) as { create(options: string[]): GPU } | null // the package's shape
  if (!found) return refuse('device.missing', 'there is no WebGPU here', 'use a browser that has it; in Node, npm install webgpu')
  return found.create(matrices === false ? [] : ['enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia'])
}
