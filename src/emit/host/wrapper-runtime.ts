// The part of every TypeScript wrapper that does not depend on its plan, as text: checking, uploading, pipelines kept
// per device, launching and reading back. It is a string because wrappers are self-contained files.
/** For wrappers with sizes, which are at most `most`. */
export const checkedSize = (
  most: number,
): string => `function checkedSize(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= ${most}) return value
  throw new Error(\`\${name} must be an integer from \${least} to ${most}, not \${value}\`)
}`

/** For wrappers with scalars. */
export const checkedNumber = `function checkedNumber(name: string, value: number): number {
  if (typeof value === 'number') return value
  throw new Error(\`\${name} must be a number\`)
}`

/** For wrappers with arrays that may have more elements than their kernels count, `most`. */
export const checkedElements = (
  most: number,
): string => `function checkedElements(name: string, elements: number): number {
  if (elements <= ${most}) return elements
  throw new Error(\`\${name} would have \${elements} elements, and kernels count at most ${most}\`)
}`

/** Appended to each wrapper module. */
export const wrapperRuntime = `
// ---- what every wrapper needs ----

type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array
interface TypedArrayConstructor<T> { new (buffer: ArrayBuffer): T; readonly name: string; readonly \
BYTES_PER_ELEMENT: number }
interface HostArray { readonly data: TypedArray | undefined; readonly type: TypedArrayConstructor<TypedArray>; \
readonly role: 'in' | 'out' | 'inout' }
interface Step {
  readonly source: string
  readonly entry: string
  readonly grid: readonly [number, number, number]
  readonly bindings: readonly { readonly array: string; readonly kind: 'uniform' | 'read' | 'read-write' }[]
  readonly params: readonly { readonly name: string; readonly type: 'i32' | 'u32' | 'f32'; readonly value: number }[]
}
interface Pipeline { readonly pipeline: GPUComputePipeline; readonly layout: GPUBindGroupLayout }

let sharedDevice: Promise<GPUDevice> | undefined

function defaultDevice(): Promise<GPUDevice> {
  sharedDevice ??= openDevice()
  sharedDevice.catch(() => { sharedDevice = undefined })
  return sharedDevice
}

async function openDevice(): Promise<GPUDevice> {
  if (typeof navigator === 'undefined' || !navigator.gpu) throw new Error('there is no WebGPU here; pass a device')
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw new Error('WebGPU found no adapter')
  const { limits } = adapter
  const features = (['subgroups', 'shader-f16'] as GPUFeatureName[]).filter((f) => adapter.features.has(f))
  const device = await adapter.requestDevice({
    requiredFeatures: features,
    requiredLimits: {
      maxBufferSize: limits.maxBufferSize, maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage, maxComputeWorkgroupStorageSize: \
limits.maxComputeWorkgroupStorageSize,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX: \
limits.maxComputeWorkgroupSizeX,
      maxComputeWorkgroupSizeY: limits.maxComputeWorkgroupSizeY,
    },
  })
  void device.lost.then(() => { sharedDevice = undefined })
  return device
}

const roundUp = (x: number, unit: number): number => Math.ceil(x / unit) * unit

function createBuffer(device: GPUDevice, label: string, bytes: number): GPUBuffer {
  const size = Math.max(16, roundUp(bytes, 16))
  if (size > device.limits.maxStorageBufferBindingSize) {
    throw new Error(\`\${label} has \${bytes} bytes, and this device binds at most \
\${device.limits.maxStorageBufferBindingSize}\`)
  }
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage
  return device.createBuffer({ label, size, usage: STORAGE | COPY_SRC | COPY_DST | (size <= 65536 ? UNIFORM : 0) })
}

function checkArray(name: string, array: HostArray, elements: number): void {
  const { data, type, role } = array
  if (data === undefined && role === 'out') return
  if (data === undefined) throw new Error(\`\${name} is missing; it has \${elements} elements\`)
  if (data.constructor.name !== type.name) throw new Error(\`\${name} must be a \${type.name}, not a \
\${data.constructor.name}\`)
  if (data.length < elements) throw new Error(\`\${name} must have at least \${elements} elements, not \
\${data.length}\`)
}

/** Whether any step launches anything; throws an Error for sizes that are refused. */
function hasWork(steps: Iterable<Step>): boolean {
  for (const step of steps) if (step.grid.every((n) => n > 0)) return true
  return false
}

/** An array that nothing is stored into: as it was given, or zeros. */
function unchanged<T extends TypedArray>(name: string, data: T | undefined, elements: number, type: { new (length: \
number): T } & TypedArrayConstructor<T>, role: 'out' | 'inout'): T {
  checkArray(name, { data, type, role }, 0)
  return data ?? new type(elements)
}

function upload(device: GPUDevice, arrays: Record<string, HostArray>, sizes: Record<string, number>): \
Record<string, GPUBuffer> {
  for (const [name, array] of Object.entries(arrays)) checkArray(name, array, sizes[name]!)
  const buffers: Record<string, GPUBuffer> = {}
  for (const [name, { data, type, role }] of Object.entries(arrays)) {
    const buffer = createBuffer(device, name, type.BYTES_PER_ELEMENT * sizes[name]!)
    buffers[name] = buffer
    if (data === undefined || role === 'out') continue
    const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, type.BYTES_PER_ELEMENT * sizes[name]!)
    const whole = bytes.length - (bytes.length % 4)
    device.queue.writeBuffer(buffer, 0, bytes, 0, whole)
    if (whole === bytes.length) continue
    const rest = new Uint8Array(4)
    rest.set(bytes.subarray(whole))
    device.queue.writeBuffer(buffer, whole, rest)
  }
  return buffers
}

async function download<T extends TypedArray>(device: GPUDevice, buffer: GPUBuffer, elements: number, type: \
TypedArrayConstructor<T>, into: T | undefined): Promise<T> {
  const bytes = elements * type.BYTES_PER_ELEMENT
  const staging = device.createBuffer({ size: Math.max(4, roundUp(bytes, 4)), usage: GPUBufferUsage.COPY_DST | \
GPUBufferUsage.MAP_READ })
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, staging.size)
  device.queue.submit([encoder.finish()])
  await staging.mapAsync(GPUMapMode.READ)
  const result = new type(staging.getMappedRange().slice(0, bytes))
  staging.destroy()
  if (!into) return result
  into.set(result)
  return into
}

function checkBuffer(name: string, buffer: GPUBuffer, bytes: number, unit: number): void {
  const least = roundUp(bytes, unit)
  if (buffer.size < least) throw new Error(\`\${name} must have at least \${least} bytes, not \${buffer.size}\`)
}

const pipelines = new WeakMap<GPUDevice, Map<string, Pipeline>>()

function pipelineOf(device: GPUDevice, step: Step): Pipeline {
  const known = pipelines.get(device) ?? new Map<string, Pipeline>()
  pipelines.set(device, known)
  const found = known.get(step.source)
  if (found) return found
  const types = { uniform: 'uniform', read: 'read-only-storage', 'read-write': 'storage' } as const
  const entries: GPUBindGroupLayoutEntry[] = step.bindings.map(({ kind }, binding) => ({ binding, visibility: \
GPUShaderStage.COMPUTE, buffer: { type: types[kind] } }))
  if (step.params.length > 0) entries.push({ binding: entries.length, visibility: GPUShaderStage.COMPUTE, buffer: { \
type: 'uniform', hasDynamicOffset: true } })
  const layout = device.createBindGroupLayout({ entries })
  const module = device.createShaderModule({ code: step.source, label: step.entry })
  const pipeline = device.createComputePipeline({ layout: device.createPipelineLayout({ bindGroupLayouts: [layout] \
}), compute: { module, entryPoint: step.entry } })
  known.set(step.source, { pipeline, layout })
  return { pipeline, layout }
}

const parameterBytes = (step: Step): number => roundUp(4 * step.params.length, 16)

function writeParameters(view: DataView, offset: number, step: Step): void {
  step.params.forEach(({ name, type, value }, i) => {
    const [low, high] = type === 'u32' ? [0, 0xffffffff] : [-0x80000000, 0x7fffffff]
    if (type !== 'f32' && !(value >= low && value <= high)) throw new Error(\`the parameter \${name} of kernel \
\${step.entry} would be \${value}, which does not fit \${type}\`)
    if (type === 'f32') view.setFloat32(offset + 4 * i, value, true)
    else if (type === 'i32') view.setInt32(offset + 4 * i, value, true)
    else view.setUint32(offset + 4 * i, value, true)
  })
}

/** The parameters of all steps in one uniform buffer, and where each step's begin. */
function parameterBuffer(device: GPUDevice, steps: readonly Step[]): { readonly buffer: GPUBuffer; readonly \
offsets: readonly number[] } {
  const unit = device.limits.minUniformBufferOffsetAlignment
  let size = 0
  const offsets = steps.map((step) => { const at = size; size += roundUp(parameterBytes(step), unit); return at })
  const view = new DataView(new ArrayBuffer(Math.max(16, size)))
  steps.forEach((step, i) => writeParameters(view, offsets[i]!, step))
  const buffer = device.createBuffer({ size: view.byteLength, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST })
  device.queue.writeBuffer(buffer, 0, view.buffer)
  return { buffer, offsets }
}

function checkGrid(device: GPUDevice, step: Step): void {
  const most = device.limits.maxComputeWorkgroupsPerDimension
  step.grid.forEach((n, axis) => {
    if (n > most) throw new Error(\`kernel \${step.entry} needs \${n} workgroups along \${'xyz'[axis]}, and this \
device allows \${most}; use smaller arrays\`)
  })
}

/** Launches in one command buffer. */
const mostLaunches = 4096

/** Encodes and submits \`steps\` in one command buffer; the parameter buffer that they use. */
function submitSteps(device: GPUDevice, steps: readonly Step[], buffers: Record<string, GPUBuffer>): GPUBuffer {
  const { buffer, offsets } = parameterBuffer(device, steps)
  const groups = new Map<string, Map<string, GPUBindGroup>>()
  const groupOf = (step: Step, layout: GPUBindGroupLayout): GPUBindGroup => {
    const ofSource = groups.get(step.source) ?? new Map<string, GPUBindGroup>()
    groups.set(step.source, ofSource)
    const key = step.bindings.map(({ array }) => array).join()
    const entries: GPUBindGroupEntry[] = step.bindings.map(({ array }, binding) => ({ binding, resource: { buffer: \
buffers[array]! } }))
    if (step.params.length > 0) entries.push({ binding: entries.length, resource: { buffer, size: \
parameterBytes(step) } })
    const group = ofSource.get(key) ?? device.createBindGroup({ layout, entries })
    ofSource.set(key, group)
    return group
  }
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  steps.forEach((step, i) => {
    checkGrid(device, step)
    const { pipeline, layout } = pipelineOf(device, step)
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, groupOf(step, layout), step.params.length > 0 ? [offsets[i]!] : [])
    pass.dispatchWorkgroups(...step.grid)
  })
  pass.end()
  device.queue.submit([encoder.finish()])
  return buffer
}

/** Submits all steps, up to \`mostLaunches\` in one command buffer; waits for nothing in between. */
async function runSteps(
  device: GPUDevice, steps: Iterable<Step>, given: Record<string, GPUBuffer>, temporaries: readonly { readonly \
name: string; readonly bytes: number }[],
): Promise<void> {
  device.pushErrorScope('out-of-memory')
  device.pushErrorScope('validation')
  const scratch: GPUBuffer[] = []
  let failure: unknown
  try {
    const buffers = { ...given }
    for (const { name, bytes } of temporaries) scratch.push((buffers[name] = createBuffer(device, name, bytes)))
    let next: Step[] = []
    for (const step of steps) {
      if (step.grid.every((n) => n > 0)) next.push(step)
      if (next.length < mostLaunches) continue
      scratch.push(submitSteps(device, next, buffers))
      next = []
    }
    if (next.length > 0) scratch.push(submitSteps(device, next, buffers))
  } catch (error) {
    failure = error
  }
  const [invalid, memory] = await Promise.all([device.popErrorScope(), device.popErrorScope()])
  for (const buffer of scratch) buffer.destroy()
  if (failure !== undefined) throw failure
  const problem = invalid ?? memory
  if (problem) throw new Error(problem.message)
}
`
