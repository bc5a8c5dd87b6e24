// In: a plan with CUDA texts, sizes and arrays. Out: the arrays it writes, or how long it takes. The one idea: the
// driver API and NVRTC straight from Node through `koffi`, behind the same two calls as WebGPU. Everything is loaded
// when asked for; what is missing is named in a sentence. Each call into CUDA is checked.
import { fail } from '../base/index.ts'
import {
  boundResources,
  bytesOf,
  chooseVariant,
  executions,
  hostArray,
  meetsGrid,
  sharedPlaces,
  type HostArray,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type ScalarType,
} from '../ir/index.ts'
import { loadCuda, type CudaLibraries, type Handle } from './cuda-driver.ts'
import {
  checkInputs,
  gridOf,
  initialBytes,
  transferredBytes,
  parametersOf,
  summarize,
  type PlanArrays,
  type Timing,
  type TimingOptions,
} from './host.ts'

export interface CudaOptions {
  /** Device number; 0 when absent. */
  readonly device?: number
  /** Where to look for libraries that the loader does not find by name. */
  readonly paths?: readonly string[]
  /** Options for NVRTC besides the architecture, for instance an include path for `cuda_fp16.h`. */
  readonly compileOptions?: readonly string[]
}

/** Opens a CUDA device. Throws a `DiagnosticError` that says which part is missing. */
export async function openCuda(options: CudaOptions = {}): Promise<Cuda> {
  return new Cuda(await loadCuda(options.paths ?? []), options)
}

/** What the compiler made of a kernel. */
export interface CudaResources {
  readonly registers: number
  /** Bytes of local memory per thread: arrays and spills. */
  readonly localBytes: number
  /** Declared, and asked for at launch. */
  readonly sharedBytes: number
}

interface Compiled {
  readonly fn: Handle
  readonly module: Handle
  readonly resources: CudaResources /** Bytes of shared memory to ask for at launch. */
  readonly asked: number
}
interface Step {
  readonly fn: Handle
  readonly grid: readonly [number, number, number]
  readonly block: readonly [number, number, number]
  readonly asked: number
  /** The arguments in the form that `extra` of cuLaunchKernel takes. */
  readonly extra: BigUint64Array
  /** Where each argument is, for kernels whose blocks meet: cooperative launches take them so. */
  readonly places: BigUint64Array | null
  readonly keep: readonly unknown[]
}
/** Graphs that together execute a plan so many times. */
interface Round {
  readonly times: number
  readonly graphs: readonly Handle[]
}
interface Prepared {
  readonly steps: readonly Step[]
  readonly pointers: ReadonlyMap<string, bigint>
}

/** A CUDA device with its primary context, and the kernels compiled on it. */
export class Cuda {
  readonly name: string
  /** Compute capability, `[9, 0]`. */
  readonly computeCapability: readonly [number, number]
  private readonly koffi: CudaLibraries['koffi']
  private readonly driver: CudaLibraries['driver']
  private readonly nvrtc: CudaLibraries['nvrtc']
  private readonly options: CudaOptions
  private readonly device: number
  /** Everything is launched here; copies wait for it and it for copies (it is no `CU_STREAM_NON_BLOCKING`). */
  private readonly stream: Handle
  private readonly compiled = new Map<string, Compiled>()

  constructor({ koffi, driver, nvrtc }: CudaLibraries, options: CudaOptions) {
    this.koffi = koffi
    this.driver = driver
    this.nvrtc = nvrtc
    this.options = options
    this.ok(driver.cuInit(0), 'cuInit')
    this.device = Number(this.get('cuDeviceGet', options.device ?? 0))
    this.ok(driver.cuCtxSetCurrent(this.get('cuDevicePrimaryCtxRetain', this.device)), 'cuCtxSetCurrent')
    this.computeCapability = [this.attribute(75), this.attribute(76)]
    this.stream = this.get('cuStreamCreate', 0)
    const text = new Uint8Array(256)
    this.ok(driver.cuDeviceGetName(text, text.length, this.device), 'cuDeviceGetName')
    this.name = new TextDecoder().decode(text).replace(/\0.*$/s, '')
  }

  /** Runs the plan once and returns every `out` and `inout` array, in new memory. */
  async runPlan(plan: Plan, values: PlanValues, arrays: PlanArrays): Promise<Record<string, HostArray>> {
    checkInputs(plan, values, arrays)
    const prepared = this.prepare(plan, values, arrays)
    try {
      this.launch(prepared.steps)
      this.ok(this.driver.cuCtxSynchronize(), 'the kernel')
      return this.readBack(plan, values, arrays, prepared)
    } finally {
      this.free(prepared)
    }
  }

  /**
   * Measures the plan with events around enough executions, which are recorded as graphs first: what the host needs for
   * a launch (2 µs and more) is no part of the time, as it is not where a program is launched ahead or keeps a graph of
   * its own.
   */
  async timePlan(plan: Plan, values: PlanValues, arrays: PlanArrays, options: TimingOptions = {}): Promise<Timing> {
    checkInputs(plan, values, arrays)
    const prepared = this.prepare(plan, values, arrays)
    const events = [this.get('cuEventCreate', 0), this.get('cuEventCreate', 0)] as const
    let rounds: readonly Round[] = []
    try {
      rounds = this.rounds(prepared.steps)
      return this.measure(rounds, events, options)
    } finally {
      for (const { graphs } of rounds) this.destroy(graphs)
      for (const event of events) this.driver.cuEventDestroy(event)
      this.free(prepared)
    }
  }

  /** Registers, local and shared memory of a launch's kernel, as NVRTC compiled it. */
  resourcesOf(launch: PlanLaunch): CudaResources {
    return this.compile(launch).resources
  }

  close(): void {
    for (const { module } of this.compiled.values()) this.driver.cuModuleUnload(module)
    this.compiled.clear()
    this.driver.cuStreamDestroy(this.stream)
    this.driver.cuDevicePrimaryCtxRelease(this.device)
  }

  private ok(status: number, what: string): void {
    if (status === 0) return
    const text: unknown[] = [null]
    this.driver.cuGetErrorString(status, text)
    fail('cuda.error', `CUDA: ${what} failed: ${typeof text[0] === 'string' ? text[0] : `error ${status}`}`)
  }

  /** Calls a function whose first argument is an output, and returns that. */
  private get(name: keyof CudaLibraries['driver'], ...args: readonly unknown[]): Handle {
    const out: unknown[] = [null]
    this.ok(this.driver[name](out, ...args), name)
    return out[0]
  }

  private attribute(number: number): number {
    return Number(this.get('cuDeviceGetAttribute', number, this.device))
  }

  private compile(launch: PlanLaunch): Compiled {
    const cuda = launch.emitted?.cuda ?? fail('run.text', `kernel ${launch.kernel.name} has no CUDA text`)
    const known = this.compiled.get(cuda.text)
    if (known) return known
    const module = this.get('cuModuleLoadData', this.cubin(cuda.text, launch.kernel.name))
    const fn = this.get('cuModuleGetFunction', module, cuda.entry)
    const attribute = (number: number): number => Number(this.get('cuFuncGetAttribute', number, fn))
    const asked = sharedPlaces(launch.kernel)?.bytes ?? 0
    if (asked > 0)
      this.ok(
        this.driver.cuFuncSetAttribute(fn, mostAskedAttribute, asked),
        `asking for ${asked} bytes of shared memory for kernel ${launch.kernel.name}`,
      )
    const made: Compiled = {
      fn,
      module,
      asked,
      resources: { sharedBytes: attribute(1) + asked, localBytes: attribute(3), registers: attribute(4) },
    }
    this.compiled.set(cuda.text, made)
    return made
  }

  /** Machine code of a source text. Throws NVRTC's log when it does not compile. */
  private cubin(source: string, name: string): Uint8Array {
    const { nvrtc } = this
    const out: unknown[] = [null]
    const status = nvrtc.nvrtcCreateProgram(out, source, `${name}.cu`, 0, null, null)
    if (status !== 0) fail('cuda.nvrtc', `NVRTC could not start: error ${status}`)
    const program = out[0]
    try {
      const options = [
        `--gpu-architecture=sm_${this.computeCapability.join('')}`,
        '--std=c++17',
        ...(this.options.compileOptions ?? []),
      ]
      if (nvrtc.nvrtcCompileProgram(program, options.length, options) !== 0)
        fail('cuda.compile', `NVRTC refuses kernel ${name}:\n${this.log(program)}`)
      const image = new Uint8Array(this.size('nvrtcGetCUBINSize', program))
      if (nvrtc.nvrtcGetCUBIN(program, image) !== 0) fail('cuda.nvrtc', `NVRTC gave no machine code for kernel ${name}`)
      return image
    } finally {
      nvrtc.nvrtcDestroyProgram(out)
    }
  }

  private size(name: 'nvrtcGetCUBINSize' | 'nvrtcGetProgramLogSize', program: Handle): number {
    const out: unknown[] = [null]
    this.nvrtc[name](program, out)
    return Number(out[0])
  }

  private log(program: Handle): string {
    const text = new Uint8Array(Math.max(1, this.size('nvrtcGetProgramLogSize', program)))
    this.nvrtc.nvrtcGetProgramLog(program, text)
    return new TextDecoder().decode(text).replace(/\0.*$/s, '').trim()
  }

  private prepare(plan: Plan, values: PlanValues, arrays: PlanArrays): Prepared {
    const variant = chooseVariant(plan, values, (launch, blocks) => this.fits(launch, blocks))
    const compiled = variant.launches.map((launch) => this.compile(launch))
    const pointers = new Map<string, bigint>()
    try {
      for (const array of plan.arrays)
        pointers.set(array.name, this.upload(initialBytes(array, values, arrays[array.name])))
      const steps = [...executions(variant, values)].flatMap(({ launch, position, values: at }) => {
        const grid = gridOf(launch, at, [0x7fffffff, 65535, 65535])
        const { fn, asked } = compiled[position]! // one per launch
        return grid ? [{ fn, asked, grid, block: launch.kernel.block, ...this.arguments(launch, pointers, at) }] : []
      })
      return { steps, pointers }
    } catch (error) {
      this.free({ steps: [], pointers })
      throw error
    }
  }

  /** Whether so many blocks of a kernel are on the device at once. */
  private fits(launch: PlanLaunch, blocks: number): boolean {
    if (
      this.attribute(cooperativeAttribute) === 0 ||
      (sharedPlaces(launch.kernel)?.bytes ?? 0) > this.attribute(mostSharedAttribute)
    )
      return false
    const { fn, asked } = this.compile(launch),
      [x, y, z] = launch.kernel.block
    return (
      blocks <=
      Number(this.get('cuOccupancyMaxActiveBlocksPerMultiprocessor', fn, x * y * z, asked)) *
        this.attribute(multiprocessorsAttribute)
    )
  }

  private upload(bytes: Uint8Array): bigint {
    // a 64-bit integer by its definition
    const pointer = BigInt(this.get('cuMemAlloc', Math.max(16, bytes.length)) as number | bigint)
    if (bytes.length > 0) this.ok(this.driver.cuMemcpyHtoD(pointer, bytes, bytes.length), 'copying to the device')
    return pointer
  }

  /** Kernel arguments packed as C would lay them out. */
  private arguments(
    launch: PlanLaunch,
    pointers: ReadonlyMap<string, bigint>,
    values: PlanValues,
  ): Pick<Step, 'extra' | 'places' | 'keep'> {
    const offsets: number[] = [],
      packed = packArguments(launch, pointers, values, offsets),
      start = this.koffi.address(packed)
    const length = new BigUint64Array([BigInt(packed.length)])
    const extra = new BigUint64Array([1n, start, 2n, this.koffi.address(length), 0n])
    return {
      extra,
      places: meetsGrid(launch.kernel) ? BigUint64Array.from(offsets, (at) => start + BigInt(at)) : null,
      keep: [packed, length],
    }
  }

  private launch(steps: readonly Step[]): void {
    const { driver, stream } = this
    for (const { fn, grid, block, asked, extra, places } of steps) {
      this.ok(
        places
          ? driver.cuLaunchCooperativeKernel(fn, ...grid, ...block, asked, stream, places)
          : driver.cuLaunchKernel(fn, ...grid, ...block, asked, stream, null, extra),
        'the launch',
      )
    }
  }

  /**
   * The steps as executable graphs of at most `mostLaunches` each, to be launched in their order and destroyed by the
   * caller.
   */
  private record(steps: readonly Step[]): readonly Handle[] {
    const graphs: Handle[] = []
    try {
      for (let at = 0; at < steps.length; at += mostLaunches)
        graphs.push(this.graphOf(steps.slice(at, at + mostLaunches)))
      return graphs
    } catch (error) {
      this.destroy(graphs)
      throw error
    }
  }

  private graphOf(steps: readonly Step[]): Handle {
    const { driver, stream } = this
    const graph: unknown[] = [null]
    this.ok(driver.cuStreamBeginCapture(stream, threadLocalCapture), 'cuStreamBeginCapture')
    let status = 0
    try {
      this.launch(steps)
    } finally {
      status = driver.cuStreamEndCapture(stream, graph) // also after an error: the stream has to be usable again
    }
    this.ok(status, 'cuStreamEndCapture')
    try {
      return this.get('cuGraphInstantiate', graph[0], 0)
    } finally {
      driver.cuGraphDestroy(graph[0])
    }
  }

  private destroy(graphs: readonly Handle[]): void {
    for (const graph of graphs) this.driver.cuGraphExecDestroy(graph)
  }

  private readBack(plan: Plan, values: PlanValues, given: PlanArrays, prepared: Prepared): Record<string, HostArray> {
    const results: Record<string, HostArray> = {}
    for (const array of plan.arrays) {
      if (array.role === 'in' || array.role === 'temp') continue
      const bytes = new Uint8Array(transferredBytes(array, values, given[array.name]))
      if (bytes.length > 0)
        this.ok(
          this.driver.cuMemcpyDtoH(bytes, prepared.pointers.get(array.name), bytes.length),
          'copying from the device',
        )
      results[array.name] = hostArray(array.type, bytes.buffer)
    }
    return results
  }

  private free(prepared: Prepared): void {
    for (const pointer of prepared.pointers.values()) this.driver.cuMemFree(pointer)
  }

  /** The plan recorded for measuring: once and, where it is short, several times over, most first. */
  private rounds(steps: readonly Step[]): readonly Round[] {
    const many = Math.max(1, Math.floor(launchesPerGraph / Math.max(1, steps.length)))
    return [...new Set([many, Math.floor(Math.sqrt(many)), 1])].map((times) => ({
      times,
      graphs: this.record(Array.from({ length: times }, () => steps).flat()),
    }))
  }

  private measure(rounds: readonly Round[], [start, end]: readonly [Handle, Handle], options: TimingOptions): Timing {
    const take = (repeats: number): number => {
      this.ok(this.driver.cuEventRecord(start, this.stream), 'cuEventRecord')
      let left = repeats
      for (const { times, graphs } of rounds) {
        for (; left >= times; left -= times)
          for (const graph of graphs) this.ok(this.driver.cuGraphLaunch(graph, this.stream), 'the launch')
      }
      this.ok(this.driver.cuEventRecord(end, this.stream), 'cuEventRecord')
      this.ok(this.driver.cuEventSynchronize(end), 'the kernel')
      return Number(this.get('cuEventElapsedTime', start, end)) * 1e6
    }
    for (let i = 0; i < (options.warmup ?? 3); i++) take(1)
    const long = options.minSampleNs ?? 1e6
    let repeats = 1
    const whole = (n: number): number => {
      const { times } = rounds.find((r) => r.times <= n)!
      return Math.ceil(n / times) * times
    } // one execution is a round
    for (let ns = take(1); ns < long && repeats < 4096; ns = take(repeats))
      repeats = Math.min(4096, whole(Math.ceil(repeats * Math.min(16, (1.2 * long) / Math.max(ns, 1)))))
    for (let busy = 0; busy < (options.warmupNs ?? 5e7); ) busy += Math.max(1e5, take(repeats))
    const samples = Array.from({ length: options.samples ?? 9 }, () => take(repeats))
    return summarize(samples, repeats, 'events', eventQuantumNs)
  }
}

/** Resolution of events (CUDA driver API reference: about half a microsecond). */
const eventQuantumNs = 500
/**
 * Short plans are recorded several times over, up to about so many launches in a graph: starting a graph takes as long
 * as a few launches.
 */
const launchesPerGraph = 256
/** Longer plans become several graphs: the driver keeps memory for every launch of one. */
const mostLaunches = 16384
/** `CU_STREAM_CAPTURE_MODE_THREAD_LOCAL`: what other threads of the host do is their affair. */
const threadLocalCapture = 1

/**
 * `CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT`, `…_COOPERATIVE_LAUNCH` and `…_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN` of
 * cuda.h, and `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
 */
const multiprocessorsAttribute = 16,
  cooperativeAttribute = 95,
  mostSharedAttribute = 97,
  mostAskedAttribute = 8

/** Pointers, then parameters, each aligned to its own size. `offsets` gets where each of them is. */
export function packArguments(
  launch: PlanLaunch,
  pointers: ReadonlyMap<string, bigint>,
  values: PlanValues,
  offsets: number[] = [],
): Uint8Array<ArrayBuffer> {
  const bound = boundResources(launch.kernel)
  const view = new DataView(new ArrayBuffer(8 * (bound.length + launch.kernel.params.length)))
  let at = 0
  for (const r of bound) {
    const pointer =
      pointers.get(launch.arguments[r.name] ?? '') ??
      fail('run.argument', `kernel ${launch.kernel.name} has no array for its resource ${r.name}`)
    view.setBigUint64(at, pointer, true)
    offsets.push(at)
    at += 8
  }
  for (const { type, value } of parametersOf(launch, values)) {
    const bytes = type === 'bool' ? 1 : bytesOf[type as Exclude<ScalarType, 'bool'>] // parameters have scalar types
    at = Math.ceil(at / bytes) * bytes
    writeScalar(view, at, type as ScalarType, value)
    offsets.push(at)
    at += bytes
  }
  return new Uint8Array(view.buffer, 0, at)
}

function writeScalar(view: DataView, at: number, type: ScalarType, value: number): void {
  switch (type) {
    case 'bool':
      return view.setUint8(at, value ? 1 : 0)
    case 'i32':
      return view.setInt32(at, value, true)
    case 'u32':
      return view.setUint32(at, value, true)
    case 'i64':
      return view.setBigInt64(at, BigInt(value), true)
    case 'u64':
      return view.setBigUint64(at, BigInt(value), true)
    case 'f32':
      return view.setFloat32(at, value, true)
    case 'f64':
      return view.setFloat64(at, value, true)
    case 'f16':
      fail('cuda.param', 'a kernel parameter of type f16 cannot be passed to CUDA', undefined, 'use f32')
  }
}
