// In: a WebGPU device, while a program uses it. Out: a `Recording` of its compute dispatches. The one idea: the methods
// of the device's own objects are replaced by ones that note their arguments and call the old ones, so that the program
// and its results stay as they are: nothing is read back from the GPU, nothing waits. What buffers hold is followed on
// the host: `writeBuffer`, mapped ranges, copies between buffers and clears are; what a shader writes makes a buffer
// unknown.
import type { RecordedBinding, RecordedDispatch, RecordedShader, Recording } from './recording.ts'
import { textureBinding, viewBinding, type TextureBinding } from './texture-views.ts'

export interface RecordOptions {
  /** Dispatches that are kept at most; 1000 when absent. */
  readonly mostDispatches?: number
  /** Bytes of contents that are kept at most; 16 MiB when absent. Larger buffers keep their size alone. */
  readonly mostBytes?: number
}

export interface Recorder {
  /** What was submitted so far. */
  recording(): Recording
  /** Gives the device its own methods back; the recording stays. */
  stop(): void
}

interface KnownBuffer {
  readonly id: number
  readonly size: number
  /** What the host knows to be in it; null where a shader wrote. */
  bytes: Uint8Array | null
  /** Rises with every change of `bytes`. */
  version: number
}

interface KnownPipeline {
  readonly shader: number
  readonly label: string
  readonly entry?: string
  readonly constants: Readonly<Record<string, number>>
}

interface KnownGroup {
  readonly entries: readonly GPUBindGroupEntry[]
  readonly dynamic: readonly number[]
}

interface SetGroup {
  readonly group: KnownGroup
  readonly offsets: readonly number[]
}

/** What a command buffer does that matters here, in order; `run` when it is submitted. */
type Command = () => void

/** Bytes of all buffers that are followed on the host. */
const mostFollowed = 2 ** 28

type Method = (...args: never[]) => unknown

/** Records all that `device` computes from now on. */
export function record(device: GPUDevice, options: RecordOptions = {}): Recorder {
  return new DeviceRecorder(device, options)
}

class DeviceRecorder implements Recorder {
  private readonly device: GPUDevice
  private readonly mostDispatches: number
  private bytesLeft: number
  private followedLeft = mostFollowed
  private readonly shaders: RecordedShader[] = []
  private readonly contents: string[] = []
  /** Positions of contents by their text, and by buffer, version and part. */
  private readonly positions = new Map<string, number>()
  private readonly kept = new Map<string, number | 'zero'>()
  private readonly dispatches: RecordedDispatch[] = []
  private left = 0
  private buffers = 0
  private readonly restore: (() => void)[] = []
  private readonly buffer = new WeakMap<object, KnownBuffer>()
  private readonly shader = new WeakMap<object, number>()
  /** Positions of shaders by label and text: pages make modules again. */
  private readonly shaderAt = new Map<string, number>()
  private readonly written: ReadonlySet<string>[] = []
  private readonly pipeline = new WeakMap<object, KnownPipeline>()
  private readonly dynamic = new WeakMap<object, readonly number[]>()
  private readonly group = new WeakMap<object, KnownGroup>()
  /** The shader that may write to buffers while a pipeline draws. */
  private readonly fragment = new WeakMap<object, number>()
  private readonly bundle = new WeakMap<object, readonly Command[]>()
  private readonly texture = new WeakMap<object, TextureBinding>()
  private readonly sampler = new WeakMap<object, Extract<RecordedBinding, { kind: 'sampler' }>>()
  private readonly commands = new WeakMap<object, readonly Command[]>()

  constructor(device: GPUDevice, { mostDispatches = 1000, mostBytes = 2 ** 24 }: RecordOptions) {
    this.device = device
    this.mostDispatches = mostDispatches
    this.bytesLeft = mostBytes
    this.resources(device)
    this.canvases()
    this.pipelines(device)
    this.drawing(device)
    this.queue(device.queue)
    this.after(device, 'createCommandEncoder', (encoder: GPUCommandEncoder) => this.encoder(encoder))
  }

  recording(): Recording {
    const info: GPUAdapterInfo | undefined = this.device.adapterInfo // not in every browser
    return {
      schema: 'tesela.recording/1',
      device: info ? [info.vendor, info.architecture, info.description].filter(Boolean).join(' ') : '',
      agent: globalThis.navigator?.userAgent ?? '',
      shaders: [...this.shaders],
      contents: [...this.contents],
      dispatches: [...this.dispatches],
      left: this.left,
    }
  }

  stop(): void {
    for (const back of this.restore.splice(0)) back()
  }

  /** Calls `then` with the result and the arguments of every call of a method. */
  private after<O extends object>(
    object: O,
    name: keyof O & string,
    then: (result: never, ...args: never[]) => void,
  ): void {
    this.around(object, name, (own, args) => {
      const result = own(...args)
      then(result as never, ...args)
      return result
    })
  }

  private around<O extends object>(
    object: O,
    name: keyof O & string,
    call: (own: Method, args: never[]) => unknown,
  ): void {
    const own = (object[name] as Method | undefined)?.bind(object) as Method | undefined
    if (!own) return
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value: (...args: never[]) => call(own, args),
    })
    this.restore.push(() => Reflect.deleteProperty(object, name)) // the prototype's shows again
  }

  // ── what is made ──────────────────────────────────────────────────────────────────────────────────────────────

  private resources(device: GPUDevice): void {
    this.after(device, 'createBuffer', (buffer: GPUBuffer, of: GPUBufferDescriptor) => this.made(buffer, of))
    this.after(device, 'createTexture', (texture: GPUTexture) => this.textured(texture))
    this.after(device, 'createSampler', (sampler: GPUSampler, of: GPUSamplerDescriptor = {}) => {
      this.sampler.set(sampler, {
        kind: 'sampler',
        group: 0,
        binding: 0,
        filter: of.magFilter ?? 'nearest',
        mip: of.mipmapFilter ?? 'nearest',
        address: [
          of.addressModeU ?? 'clamp-to-edge',
          of.addressModeV ?? 'clamp-to-edge',
          of.addressModeW ?? 'clamp-to-edge',
        ],
        ...(of.compare && { compare: of.compare }),
      })
    })
    this.after(device, 'createBindGroupLayout', (layout: GPUBindGroupLayout, of: GPUBindGroupLayoutDescriptor) => {
      const dynamic = [...of.entries].filter((e) => e.buffer?.hasDynamicOffset).map((e) => e.binding)
      this.dynamic.set(
        layout,
        dynamic.sort((a, b) => a - b),
      )
    })
    this.after(device, 'createBindGroup', (group: GPUBindGroup, of: GPUBindGroupDescriptor) => {
      this.group.set(group, { entries: [...of.entries], dynamic: this.dynamic.get(of.layout) ?? [] })
    })
  }

  private textured(texture: GPUTexture): void {
    if (this.texture.has(texture)) return
    this.texture.set(texture, textureBinding(texture))
    this.after(texture, 'createView', (view: GPUTextureView, of: GPUTextureViewDescriptor = {}) => {
      this.texture.set(view, viewBinding(texture, of))
    })
  }

  /** Textures of canvases, which no call of the device makes. */
  private canvases(): void {
    const prototype = globalThis.GPUCanvasContext?.prototype
    if (!prototype) return
    const own = prototype.getCurrentTexture
    const textured = (texture: GPUTexture): void => this.textured(texture)
    const noted = function (this: GPUCanvasContext): GPUTexture {
      const texture = own.call(this)
      textured(texture)
      return texture
    }
    prototype.getCurrentTexture = noted
    this.restore.push(() => {
      // a recorder that began later has this one's, and passes through it
      if (prototype.getCurrentTexture === noted) prototype.getCurrentTexture = own
    })
  }

  private made(buffer: GPUBuffer, { size, mappedAtCreation }: GPUBufferDescriptor): void {
    // buffers begin as zeros
    const isFollowed = size <= this.bytesLeft && size <= this.followedLeft
    if (isFollowed) this.followedLeft -= size
    const known: KnownBuffer = { id: this.buffers++, size, bytes: isFollowed ? new Uint8Array(size) : null, version: 0 }
    this.buffer.set(buffer, known)
    const ranges: { readonly at: number; readonly data: ArrayBuffer }[] = []
    this.after(buffer, 'getMappedRange', (data: ArrayBuffer, at = 0) => ranges.push({ at, data }))
    let writes = mappedAtCreation === true
    this.after(buffer, 'mapAsync', (_: Promise<undefined>, mode: GPUMapModeFlags) => {
      writes = (mode & 2) !== 0 // GPUMapMode.WRITE
    })
    this.around(buffer, 'unmap', (own, args) => {
      for (const { at, data } of ranges.splice(0))
        if (writes) change(known, (bytes) => bytes.set(new Uint8Array(data), at))
      writes = false
      return own(...args)
    })
  }

  private pipelines(device: GPUDevice): void {
    this.after(device, 'createShaderModule', (module: GPUShaderModule, of: GPUShaderModuleDescriptor) => {
      this.shader.set(module, this.shaderPosition({ label: of.label ?? '', code: of.code }))
    })
    const known = ({ compute, label }: GPUComputePipelineDescriptor): KnownPipeline => ({
      shader: this.shader.get(compute.module) ?? -1,
      label: label ?? '',
      ...(compute.entryPoint !== undefined && { entry: compute.entryPoint }),
      constants: { ...compute.constants },
    })
    this.after(device, 'createComputePipeline', (pipeline: GPUComputePipeline, of: GPUComputePipelineDescriptor) => {
      this.pipeline.set(pipeline, known(of))
    })
    this.around(device, 'createComputePipelineAsync', (own, args) => {
      const promise = own(...args) as Promise<GPUComputePipeline>
      return promise.then((pipeline) => {
        this.pipeline.set(pipeline, known(args[0]!)) // what it was called with
        return pipeline
      })
    })
  }

  private shaderPosition(shader: RecordedShader): number {
    const key = JSON.stringify(shader)
    const known = this.shaderAt.get(key)
    if (known !== undefined) return known
    this.shaderAt.set(key, this.shaders.length)
    this.written.push(writtenIn(shader.code))
    return this.shaders.push(shader) - 1
  }

  /** Pipelines that draw, and bundles: fragments may write to buffers. */
  private drawing(device: GPUDevice): void {
    const note = (pipeline: GPURenderPipeline, { fragment }: GPURenderPipelineDescriptor): void => {
      const shader = fragment && this.shader.get(fragment.module)
      if (shader !== undefined) this.fragment.set(pipeline, shader)
    }
    this.after(device, 'createRenderPipeline', note)
    this.around(device, 'createRenderPipelineAsync', (own, args) =>
      (own(...args) as Promise<GPURenderPipeline>).then((pipeline) => {
        note(pipeline, args[0]!) // what it was called with
        return pipeline
      }),
    )
    this.after(device, 'createRenderBundleEncoder', (encoder: GPURenderBundleEncoder) => {
      const commands: Command[] = []
      this.draws(encoder, commands)
      this.after(encoder, 'finish', (made: GPURenderBundle) => this.bundle.set(made, commands))
    })
  }

  // ── what is done ──────────────────────────────────────────────────────────────────────────────────────────────

  private queue(queue: GPUQueue): void {
    this.after(
      queue,
      'writeBuffer',
      (_: undefined, to: GPUBuffer, at: number, data: BufferSource, from?: number, size?: number) => {
        change(this.buffer.get(to), (bytes) => bytes.set(bytesIn(data, from, size), at))
      },
    )
    this.after(queue, 'submit', (_: undefined, list: Iterable<GPUCommandBuffer>) => {
      for (const commands of list) for (const command of this.commands.get(commands) ?? []) command()
    })
  }

  private encoder(encoder: GPUCommandEncoder): void {
    const commands: Command[] = []
    this.after(encoder, 'finish', (made: GPUCommandBuffer) => this.commands.set(made, commands))
    this.after(encoder, 'beginComputePass', (pass: GPUComputePassEncoder, of: GPUComputePassDescriptor = {}) => {
      this.pass(pass, of.label ?? '', commands)
    })
    this.after(encoder, 'beginRenderPass', (pass: GPURenderPassEncoder) => {
      this.draws(pass, commands)
      this.after(pass, 'executeBundles', (_: undefined, bundles: Iterable<GPURenderBundle>) => {
        for (const bundle of bundles) commands.push(...(this.bundle.get(bundle) ?? []))
      })
    })
    this.after(encoder, 'clearBuffer', (_: undefined, buffer: GPUBuffer, at = 0, size?: number) => {
      const end = size === undefined ? undefined : at + size
      commands.push(() => change(this.buffer.get(buffer), (bytes) => bytes.fill(0, at, end)))
    })
    this.after(encoder, 'copyBufferToBuffer', (_: undefined, ...args: unknown[]) => {
      const [from, to, source, target, size] = copyOf(args)
      commands.push(() => this.copied(from, to, source, target, size))
    })
    this.after(encoder, 'copyTextureToBuffer', (_: undefined, __: unknown, to: { readonly buffer: GPUBuffer }) => {
      commands.push(() => this.forget(to.buffer))
    })
    this.after(encoder, 'resolveQuerySet', (_: undefined, __: unknown, ___: unknown, ____: unknown, to: GPUBuffer) => {
      commands.push(() => this.forget(to))
    })
  }

  private copied(from: GPUBuffer, to: GPUBuffer, source: number, target: number, size?: number): void {
    const [given, taken] = [this.buffer.get(from), this.buffer.get(to)]
    if (!taken?.bytes) return
    const part = given?.bytes?.subarray(source, size === undefined ? undefined : source + size)
    if (part) change(taken, (bytes) => bytes.set(part, target))
    else taken.bytes = null
  }

  private forget(buffer: GPUBuffer): void {
    const known = this.buffer.get(buffer)
    if (known) known.bytes = null
  }

  /** What is bound in a pass: a function that says so now. */
  private groupsOf(pass: GPUBindingCommandsMixin): () => readonly (SetGroup | undefined)[] {
    let groups: readonly (SetGroup | undefined)[] = []
    this.after(
      pass,
      'setBindGroup',
      (
        _: undefined,
        index: number,
        set: GPUBindGroup | null,
        offsets: Iterable<number> = [],
        from?: number,
        n?: number,
      ) => {
        const group = set ? this.group.get(set) : undefined
        const list = [...offsets]
        const own = from === undefined ? list : list.slice(from, from + (n ?? 0))
        const next = [...groups]
        next[index] = group && { group, offsets: own }
        groups = next
      },
    )
    return () => groups
  }

  /** What fragments may have written is no longer known. */
  private draws(pass: GPUBindingCommandsMixin & GPURenderCommandsMixin, commands: Command[]): void {
    let shader: number | undefined
    const groups = this.groupsOf(pass)
    this.after(pass, 'setPipeline', (_: undefined, set: GPURenderPipeline) => {
      shader = this.fragment.get(set)
    })
    for (const draw of ['draw', 'drawIndexed', 'drawIndirect', 'drawIndexedIndirect'] as const)
      this.after(pass, draw, () => {
        const [of, bound] = [shader, groups()]
        if (of !== undefined && this.written[of]?.size) commands.push(() => this.forgetWritten(of, bound))
      })
  }

  private pass(pass: GPUComputePassEncoder, label: string, commands: Command[]): void {
    let pipeline: KnownPipeline | undefined
    const groups = this.groupsOf(pass)
    this.after(pass, 'setPipeline', (_: undefined, set: GPUComputePipeline) => {
      pipeline = this.pipeline.get(set)
    })
    const dispatch = (grid: () => RecordedDispatch['grid']): void => {
      const [of, bound] = [pipeline, groups()]
      if (of && of.shader >= 0) commands.push(() => this.dispatched(of, label, grid(), bound))
    }
    this.after(pass, 'dispatchWorkgroups', (_: undefined, x: number, y = 1, z = 1) => dispatch(() => [x, y, z]))
    this.after(pass, 'dispatchWorkgroupsIndirect', (_: undefined, buffer: GPUBuffer, at: number) => {
      dispatch(() => {
        const bytes = this.buffer.get(buffer)?.bytes?.slice(at, at + 12)
        const [x = 0, y = 0, z = 0] = bytes ? new Uint32Array(bytes.buffer) : []
        return bytes ? [x, y, z] : null
      })
    })
  }

  private dispatched(
    of: KnownPipeline,
    pass: string,
    grid: RecordedDispatch['grid'],
    groups: readonly (SetGroup | undefined)[],
  ): void {
    const bindings = groups.flatMap((set, group) => (set ? this.bindings(group, set) : []))
    if (this.dispatches.length >= this.mostDispatches) this.left++
    else
      this.dispatches.push({
        shader: of.shader,
        pass,
        pipeline: of.label,
        ...(of.entry !== undefined && { entry: of.entry }),
        constants: of.constants,
        grid,
        bindings,
      })
    this.forgetWritten(of.shader, groups)
  }

  private forgetWritten(shader: number, groups: readonly (SetGroup | undefined)[]): void {
    const written = this.written[shader]
    groups.forEach((set, group) => {
      for (const e of set?.group.entries ?? []) {
        const buffer = bufferIn(e.resource)
        if (buffer && written?.has(`${group} ${e.binding}`)) this.forget(buffer.buffer)
      }
    })
  }

  private bindings(group: number, { group: { entries, dynamic }, offsets }: SetGroup): RecordedBinding[] {
    return entries.flatMap(({ binding, resource }): RecordedBinding[] => {
      const bound = bufferIn(resource)
      if (!bound) {
        const other = this.texture.get(resource) ?? this.sampler.get(resource)
        return other ? [{ ...other, group, binding }] : []
      }
      const known = this.buffer.get(bound.buffer)
      if (!known) return []
      const offset = (bound.offset ?? 0) + (offsets[dynamic.indexOf(binding)] ?? 0)
      const size = bound.size ?? known.size - offset
      const contents = this.keep(known, offset, size)
      const held = contents === undefined ? {} : { contents }
      return [{ kind: 'buffer', group, binding, buffer: known.id, offset, size, ...held }]
    })
  }

  /** The position of a buffer's bytes among the contents; undefined where they are not known or have no room. */
  private keep({ id, bytes, version }: KnownBuffer, offset: number, size: number): number | 'zero' | undefined {
    if (!bytes) return undefined
    const key = `${id} ${version} ${offset} ${size}`
    const known = this.kept.get(key)
    if (known !== undefined) return known
    const part = bytes.subarray(offset, offset + size)
    const found = part.every((b) => b === 0) ? 'zero' : this.position(part)
    if (found !== undefined) this.kept.set(key, found)
    return found
  }

  private position(bytes: Uint8Array): number | undefined {
    if (bytes.length > this.bytesLeft) return undefined
    const text = base64(bytes)
    const known = this.positions.get(text)
    if (known !== undefined) return known
    this.bytesLeft -= bytes.length
    this.positions.set(text, this.contents.length)
    return this.contents.push(text) - 1
  }
}

function change(buffer: KnownBuffer | undefined, how: (bytes: Uint8Array) => void): void {
  if (!buffer?.bytes) return
  how(buffer.bytes)
  buffer.version++
}

/** A binding's buffer: bound as a whole, or a part of it. */
function bufferIn(resource: GPUBindingResource): GPUBufferBinding | null {
  if ('buffer' in resource) return resource
  return 'mapAsync' in resource ? { buffer: resource } : null
}

/** From, to, the first byte of either, bytes: the call has three forms. */
function copyOf(args: readonly unknown[]): readonly [GPUBuffer, GPUBuffer, number, number, number | undefined] {
  const [from, second, third, fourth, fifth] = args as [GPUBuffer, ...unknown[]]
  if (typeof second === 'number')
    return [from, third as GPUBuffer, second, fourth as number, fifth as number | undefined]
  return [from, second as GPUBuffer, 0, 0, third as number | undefined]
}

/** Bytes that `writeBuffer` takes: of typed arrays, `from` and `size` count elements. */
function bytesIn(data: BufferSource, from = 0, size?: number): Uint8Array {
  const view = ArrayBuffer.isView(data) ? data : new Uint8Array(data)
  const each = 'BYTES_PER_ELEMENT' in view ? (view.BYTES_PER_ELEMENT as number) : 1
  const first = from * each
  const length = size === undefined ? view.byteLength - first : size * each
  return new Uint8Array(view.buffer, view.byteOffset + first, length)
}

/** `group binding` of the variables that a module may write. */
function writtenIn(code: string): ReadonlySet<string> {
  const found = new Set<string>()
  const plain = code.replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, ' ')
  for (const [, attributes = ''] of plain.matchAll(
    /((?:@\w+\s*\([^)]*\)\s*)+)var\s*<\s*storage\s*,\s*read_write\s*>/g,
  )) {
    const number = (name: string): string => new RegExp(`@${name}\\s*\\(\\s*(\\d+)`).exec(attributes)?.[1] ?? ''
    found.add(`${number('group')} ${number('binding')}`)
  }
  return found
}

function base64(bytes: Uint8Array): string {
  let text = ''
  const piece = 0x8000 // arguments that a call takes everywhere
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece))
  return btoa(text)
}
