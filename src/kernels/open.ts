// Finding a device: the caller's, the browser's, or Dawn's (`dawn.ts`).
import { Core, type CoreOptions } from './device/core.ts'
import { checkNumber, checkOptions, checkWord, described } from './checks.ts'
import { refuse } from './error.ts'

export interface ConnectOptions extends CoreOptions {
  /** A device to use; it is not destroyed with the library's use of it. */
  readonly device?: GPUDevice
  /** Where to ask for an adapter; `navigator.gpu`, or Dawn, when absent. */
  readonly gpu?: GPU
  /**
   * `false`: products of f32 stay with the device's f32 arithmetic. Else large ones are done by its matrix units where
   * it has them ('chromium-experimental-subgroup-matrix' and 'shader-f16', which are asked for; a device of yours has
   * them if you did) for 16 × 16 matrices of f16 with sums of f32: three products of f16 for one of f32.
   */
  readonly matrices?: boolean
}

const limits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupsPerDimension',
] as const

/** What Dawn's `create` returned: collected, the process would crash. */
const kept: GPU[] = []

/** Opens a device. Throws a `TeselaError` when there is none. */
export async function connect(options: ConnectOptions = {}): Promise<Core> {
  checkConnect(options)
  if (options.device) return withUnits(options.device, options.device.adapterInfo ?? null, options)
  const gpu =
    options.gpu ??
    (globalThis.navigator as Navigator | undefined)?.gpu ??
    (await (await import('./device/dawn.ts')).dawn(options.matrices)) // Node has no navigator, or one without
  kept.push(gpu)
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter)
    return refuse(
      'device.adapter',
      'WebGPU found no adapter',
      'a driver may be missing; `npx tesela doctor` says what is there',
    )
  const device = await adapter.requestDevice({
    requiredFeatures: ['timestamp-query', 'shader-f16', ...(options.matrices === false ? [] : [feature])].filter((f) =>
      adapter.features.has(f),
    ) as GPUFeatureName[], // the adapter knows them
    requiredLimits: Object.fromEntries(limits.map((name) => [name, adapter.limits[name]])),
  })
  return withUnits(device, adapter.info, options)
}

export const connectNames = [
  'tuning',
  'peaks',
  'longestGrid',
  'keepBytes',
  'device',
  'gpu',
  'matrices',
] satisfies readonly (keyof ConnectOptions)[]

function checkConnect(options: ConnectOptions): void {
  checkOptions('open', options, connectNames)
  const { tuning, longestGrid, keepBytes, device, gpu } = options
  if (tuning !== undefined) checkWord('open', 'tuning', tuning, ['nvidia', 'generic', 'software'])
  checkNumber('open', 'longestGrid', longestGrid, 1)
  checkNumber('open', 'keepBytes', keepBytes)
  for (const [name, given, method] of [
    ['device', device, 'createBuffer'],
    ['gpu', gpu, 'requestAdapter'],
  ] as const)
    if (given !== undefined && !(typeof given === 'object' && given !== null && method in given))
      refuse('open.options', `'${name}' of open is what WebGPU gives, not ${described(given)}`)
}

/** What products on matrix units need besides f16. */
const feature = 'chromium-experimental-subgroup-matrix'

async function withUnits(device: GPUDevice, info: GPUAdapterInfo | null, options: ConnectOptions): Promise<Core> {
  const core = new Core(device, info, options)
  if (options.matrices !== false && device.features.has(feature))
    await import('./matrices/matrices.ts').then(
      ({ matrices }) => matrices(core),
      () => {},
    ) // a part that cannot be loaded is left out
  return core
}
