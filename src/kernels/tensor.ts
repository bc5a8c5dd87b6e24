// An array on the device: shape, type and a buffer that may be shared. It is immutable; `dispose` (or `using`) gives
// the buffer back for the next result, and so does the garbage collector when nobody asks for the tensor any more.
import { checkNumber, checkOptions, checkWord, described } from './checks.ts'
import type { Core } from './device/core.ts'
import { bufferOf, offsetOf, rangeOf, type Memory } from './device/memory.ts'
import { refuse } from './error.ts'

/** `f16` is kept in 16 bits and computed in f32 (`half.ts`). */
export type DType = 'f32' | 'i32' | 'u32' | 'f16'
export type Shape = readonly number[]
export type Numbers = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** What a tensor can be made of. Plain numbers and `Float64Array` are rounded to the tensor's type. */
export type Source = readonly number[] | Numeric | GPUBuffer | BufferPart

/** Bytes of a buffer of yours: `size` of them from `offset` on; from its start and all there are when absent. */
export interface BufferPart {
  readonly buffer: GPUBuffer
  readonly offset?: number
  readonly size?: number
}

type Numeric =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array

export const dtypes: readonly DType[] = ['f32', 'i32', 'u32', 'f16']

export const elements = (shape: Shape): number => shape.reduce((n, d) => n * d, 1)
const arrays = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, f16: Float32Array } as const

/** The type that a tensor is computed in. */
export const kindOf = (dtype: DType): 'f32' | 'i32' | 'u32' => (dtype === 'f16' ? 'f32' : dtype)

const bytesIn = (dtype: DType): number => (dtype === 'f16' ? 2 : 4)

/** The type of a result: f16 where all that it is made of is. */
export const typeFor = (tensors: readonly Tensor[]): 'f32' | 'f16' =>
  tensors.length > 0 && tensors.every((t) => t.dtype === 'f16') ? 'f16' : 'f32'

/** The same, of two tensors, for the compiler. */
export type Product<A extends DType, B extends DType> = [A, B] extends ['f16', 'f16'] ? 'f16' : 'f32'

/** Throws unless tensors hold floating-point numbers. */
export function floating(what: string, tensors: Readonly<Record<string, Tensor>>): void {
  for (const [name, t] of Object.entries(tensors))
    if (kindOf(t.dtype) !== 'f32')
      refuse('tensor.dtype', `${what} computes in f32 and f16, and its ${name} is ${t.dtype}`)
}

/** What `read` gives for a type. */
export type Elements<T extends DType> = T extends 'f32' | 'f16'
  ? Float32Array<ArrayBuffer>
  : T extends 'i32'
    ? Int32Array<ArrayBuffer>
    : Uint32Array<ArrayBuffer>

export interface ReadOptions<T extends DType> {
  /** The first element; 0 when absent. */
  readonly from?: number
  /** How many; all from there when absent. */
  readonly count?: number
  /** Where to put them, from its start; it is what `read` returns. A new array when absent. */
  readonly into?: Elements<T>
}

/** Memory shared by a tensor and its reshaped forms. */
class Storage {
  readonly core: Core
  readonly memory: Memory
  #users = 0

  /** A range belongs to the caller. */
  constructor(core: Core, memory: Memory) {
    this.core = core
    this.memory = memory
  }

  use(): this {
    this.#users++
    return this
  }

  release(): void {
    if (--this.#users === 0 && this.memory === bufferOf(this.memory)) this.core.give(this.memory)
  }
}

const collected = new FinalizationRegistry<Storage>((storage) => storage.release())

export class Tensor<T extends DType = DType> {
  readonly core: Core
  readonly shape: Shape
  readonly dtype: T
  #storage: Storage | null
  #settled = false

  constructor(core: Core, storage: Storage, shape: Shape, dtype: T) {
    this.core = core
    this.#storage = storage.use()
    this.shape = shape
    this.dtype = dtype
    core.hold(this)
  }

  /** From now on the garbage collector gives the memory back, when nobody else does. */
  settle(): void {
    if (this.#storage) collected.register(this, this.#storage, this)
    this.#settled = true
  }

  /** Whether the memory was given back. */
  get disposed(): boolean {
    return this.#storage === null
  }

  /** Number of elements. */
  get length(): number {
    return elements(this.shape)
  }

  /** Bytes of the elements. */
  get bytes(): number {
    return bytesIn(this.dtype) * this.length
  }

  /**
   * The memory for other work on the device: dense, row-major, from `byteOffset` on. Everything recorded so far is
   * submitted (inside of `record`: is in the encoder), so that what reads it comes behind what writes it. Throws after
   * `dispose`.
   */
  get buffer(): GPUBuffer {
    const { memory } = this
    this.core.flush()
    return bufferOf(memory)
  }

  /** The byte of `buffer` at which the elements begin: 0 but for parts of buffers of yours. */
  get byteOffset(): number {
    return offsetOf(this.memory)
  }

  /** The memory, for launches that are recorded. Throws after `dispose`. */
  get memory(): Memory {
    return this.held().memory
  }

  /** What holds the memory. `what` is using it: throws after `dispose`. */
  held(what?: string): Storage {
    return (
      this.#storage ??
      refuse(
        'tensor.disposed',
        `a tensor of shape [${this.shape.join(', ')}] is used after it was disposed${what ? ` (${what})` : ''}`,
      )
    )
  }

  get [Symbol.toStringTag](): string {
    return 'Tensor'
  }

  /** Refused where it stands for a number (`a + b`), which would be NaN or a text. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return `Tensor [${this.shape.join(', ')}]`
    return refuse('tensor.arithmetic', 'operators do not compute with tensors', "gpu.map('a + b', { a, b })")
  }

  /** The elements, row by row, when everything before is computed. Throws when any of it failed. */
  async read(options?: ReadOptions<T>): Promise<Elements<T>>
  async read(options: ReadOptions<DType> = {}): Promise<Numbers> {
    const storage = this.held(),
      { from, count, into } = this.#part(options)
    const made = into ?? new arrays[this.dtype](count)
    if (count === 0) return made
    const size = bytesIn(this.dtype),
      aligned = from - (from % (4 / size)) // copies begin at words
    storage.use() // what failed may have to be read once more
    if (!(bufferOf(storage.memory).usage & usage.copySource))
      refuse('read.buffer', 'elements of a buffer without the usage COPY_SRC cannot be read')
    const bytes = size * (from - aligned + count)
    const data = await this.core.read(storage.memory, bytes, size * aligned).finally(() => storage.release())
    // a tensor of f16 was made by it
    const numbers = this.dtype === 'f16' ? this.core.half!.numbers(data) : new arrays[this.dtype](data)
    if (!into && aligned === from) return numbers
    made.set(numbers.subarray(from - aligned))
    return made
  }

  /** The elements that are asked for. Throws where they are not there, and where they do not go into an array. */
  #part(options: ReadOptions<DType>): { from: number; count: number; into: Numbers | undefined } {
    checkOptions('read', options, ['from', 'count', 'into'])
    checkNumber('read', 'from', options.from, 0)
    checkNumber('read', 'count', options.count, 0)
    const { from = 0, into } = options,
      { count = this.length - from } = options
    if (count < 0 || from + count > this.length)
      refuse('read.range', `elements ${from} to ${from + count} are asked for, and there are ${this.length}`)
    if (into === undefined) return { from, count, into }
    if (!(into instanceof arrays[this.dtype]))
      refuse('read.into', `elements of ${this.dtype} go into a ${arrays[this.dtype].name}, not into ${described(into)}`)
    if (into.length < count)
      refuse('read.into', `an array of ${into.length} elements is too small for ${count}`, "say how many by 'count'")
    return { from, count, into }
  }

  /** The same elements in another shape, without a copy. One extent may be −1: what is left. */
  reshape(shape: Shape): Tensor<T> {
    const storage = this.held()
    const full = filled(shape, this.length)
    if (elements(full) !== this.length)
      refuse('tensor.reshape', `${this.length} elements do not fill the shape [${shape.join(', ')}]`)
    return new Tensor(this.core, storage, full, this.dtype)
  }

  /** The same bits as those of a type as wide. */
  as<U extends DType>(dtype: U): Tensor<U> {
    return new Tensor(this.core, this.held(), this.shape, dtype)
  }

  /** `reshape` of a tensor that nobody else has: this one is disposed. */
  reshaped(shape: Shape): Tensor<T> {
    const result = this.reshape(shape)
    this.dispose()
    return result
  }

  /** Gives the memory back. Other tensors that share it keep it. */
  dispose(): void {
    if (this.#settled) collected.unregister(this)
    this.#storage?.release()
    this.#storage = null
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

/** A shape of `total` elements where one extent may be −1. */
export function filled(shape: Shape, total: number): Shape {
  checkList(shape)
  const open = shape.indexOf(-1)
  if (open < 0) return checkShape(shape)
  if (shape.includes(-1, open + 1))
    refuse('tensor.shape', `[${shape.join(', ')}] leaves several extents open`, 'one may be −1')
  const rest = elements(checkShape(shape.filter((_, i) => i !== open)))
  return shape.map((d, i) => (i === open ? (rest === 0 ? 0 : Math.floor(total / rest)) : d))
}

function checkList(shape: unknown): void {
  if (!Array.isArray(shape))
    refuse('tensor.shape', `a shape is a list of extents, not ${described(shape)}`, 'for instance [2, 3]')
}

/** Throws unless all extents are integers from 0, and their product is a number of elements. */
export function checkShape(shape: Shape): Shape {
  checkList(shape)
  const full = [...shape], // a hole is an extent that is not there
    wrong = full.findIndex((d) => !Number.isSafeInteger(d) || d < 0)
  if (wrong >= 0)
    refuse('tensor.shape', `[${full.join(', ')}] is no shape: ${described(full[wrong])} is no integer from 0`)
  return full
}

/** A tensor with memory of its own that nothing has written yet; `isUpload`: the host does at once. */
export function blank<T extends DType>(core: Core, shape: Shape, dtype: T, isUpload = false): Tensor<T> {
  const buffer = core.take(bytesIn(dtype) * elements(checkShape(shape)), shape, isUpload)
  return on(core, buffer, shape, dtype)
}

function on<T extends DType>(core: Core, memory: Memory, shape: Shape, dtype: T): Tensor<T> {
  if (dtype === 'f16')
    (core.half ?? refuse('tensor.f16', 'tensors of f16 are made by cast', "cast(core, tensor, 'f16')")).buffers.add(
      memory,
    )
  return new Tensor(core, new Storage(core, memory), [...shape], dtype)
}

/**
 * A tensor of the caller's numbers (copied), or of a buffer of the caller's or a part of it (used as it is; the caller
 * keeps it alive, and the library never destroys it). Without a shape, a vector.
 */
export function tensor(core: Core, source: Int32Array, shape?: Shape): Tensor<'i32'>
export function tensor(core: Core, source: Uint32Array, shape?: Shape): Tensor<'u32'>
export function tensor<T extends DType = 'f32'>(core: Core, source: Source, shape?: Shape, dtype?: T): Tensor<T>
export function tensor(core: Core, source: Source, shape?: Shape, dtype?: DType): Tensor {
  if (dtype !== undefined) checkWord('tensor', 'dtype', dtype, dtypes)
  if (isBuffer(source)) return adopted(core, 'tensor', source, shape, dtype)
  checkNumbers(source)
  const type = dtype ?? typeOf(source)
  if (type === 'f16') refuse('tensor.f16', 'tensors of f16 are made by cast', "cast(core, tensor, 'f16')")
  const full = shape === undefined ? [source.length] : filled(shape, source.length)
  if (elements(full) !== source.length)
    refuse(
      'tensor.shape',
      `${source.length} numbers do not fill the shape [${full.join(', ')}], which has ${elements(full)} elements`,
    )
  if (fixed(source) && typeOf(source) !== type)
    refuse(
      'tensor.dtype',
      `${described(source)} cannot be a tensor of ${type}`,
      `convert it first, or leave the type out for ${typeOf(source)}`,
    )
  const made = blank(core, full, type, true)
  // not every queue takes shared memory
  const isOwn = source instanceof arrays[type] && source.buffer instanceof ArrayBuffer
  const data = isOwn ? source : new arrays[type](source)
  if (data.length > 0) core.write(bufferOf(made.memory), data as ArrayBufferView<ArrayBuffer>)
  return made
}

/** Typed arrays that are numbers of tensors; all others hold what a double does not. */
const numeric: readonly string[] = [
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
]

/** Throws unless the source is numbers: a typed array, or a list of them without holes. */
export function checkNumbers(source: unknown): void {
  if (ArrayBuffer.isView(source) && numeric.includes(described(source).replace(/^an? /, ''))) return
  if (!Array.isArray(source))
    refuse(
      'tensor.source',
      `a tensor is made of numbers or of a GPUBuffer, not of ${described(source)}`,
      'an array of numbers, a typed array of 8 to 64 bits that are no bigints, or a GPUBuffer',
    )
  for (let i = 0; i < source.length; i++)
    if (typeof source[i] !== 'number')
      refuse(
        'tensor.dtype',
        `a tensor is made of numbers, all in one list, and element ${i} is ${described(source[i])}`,
        Array.isArray(source[i]) ? 'list.flat(), and a shape' : undefined,
      )
}

/** Arrays whose type is said by their class, so that another one is a mistake. */
const fixed = (source: Source): boolean =>
  source instanceof Float32Array || source instanceof Int32Array || source instanceof Uint32Array

function typeOf(source: Exclude<Source, GPUBuffer | BufferPart>): DType {
  return source instanceof Int32Array ? 'i32' : source instanceof Uint32Array ? 'u32' : 'f32'
}

const isWhole = (source: unknown): source is GPUBuffer =>
  typeof source === 'object' && source !== null && 'mapAsync' in source

/** Whether it is a buffer of the caller's or a part of one. */
export const isBuffer = (source: unknown): source is GPUBuffer | BufferPart =>
  isWhole(source) ||
  (typeof source === 'object' &&
    source !== null &&
    !(source instanceof Tensor) &&
    'buffer' in source &&
    isWhole(source.buffer))

/**
 * A tensor of a part of a buffer; `what` takes it. Where the part says no size, it is as large as the shape needs, and
 * a vector without a shape is all there is.
 */
export function adopted(
  core: Core,
  what: string,
  source: GPUBuffer | BufferPart,
  shape: Shape = [-1],
  dtype: DType = 'f32',
): Tensor {
  const part: BufferPart = isWhole(source) ? { buffer: source } : source
  checkOptions(what, part, ['buffer', 'offset', 'size'])
  checkNumber(what, 'offset', part.offset, 0)
  checkNumber(what, 'size', part.size, 0)
  const { buffer, offset = 0 } = part,
    size = part.size ?? Math.max(0, buffer.size - offset)
  const wrong = (message: string, hint?: string): never => refuse(`${what}.buffer`, message, hint)
  const step = offset > 0 ? core.device.limits.minStorageBufferOffsetAlignment : 1
  if (offset % step !== 0)
    wrong(
      `a part of a buffer begins at a multiple of ${step} bytes on this device, not at ${offset}`,
      'copyBufferToBuffer brings it there',
    )
  if (offset + size > buffer.size) wrong(`${size} bytes from byte ${offset} on are not in a buffer of ${buffer.size}`)
  if (!(buffer.usage & usage.storage)) wrong('a buffer for a tensor needs the usage STORAGE')
  const full = filled(shape, Math.floor(size / bytesIn(dtype))),
    count = elements(full),
    bytes = bytesIn(dtype) * count,
    // kernels read vectors of four to the end, and use of the last one what is there; bindings are whole words
    room = Math.ceil((bytesIn(dtype) * (count > 1 ? 4 * Math.ceil(count / 4) : count)) / 4) * 4
  if (bytes > size)
    wrong(
      `${isWhole(source) ? 'a buffer' : 'a part'} of ${size} bytes is too small for the shape [${full.join(', ')}], ` +
        `which needs ${bytes}`,
    )
  if (offset + room > buffer.size)
    wrong(
      `a tensor of shape [${full.join(', ')}] is read in vectors of four, and its buffer ends ` +
        `${offset + room - buffer.size} bytes before the last of them does`,
      `make the buffer ${offset + room} bytes large`,
    )
  core.checkSize(room, full)
  return on(core, rangeOf(buffer, offset, room, dtype === 'f16' ? 'f16' : ''), full, dtype)
}

/** Numbers of `GPUBufferUsage`, which Node does not have as a global. */
const usage = { copySource: 4, storage: 128 } as const

/** Throws unless each is a tensor of `core` that is not disposed; `what` takes it by this name. */
export function checkTensors(core: Core, what: string, tensors: Readonly<Record<string, unknown>>): void {
  for (const name in tensors) {
    const t = tensors[name]
    if (!(t instanceof Tensor))
      refuse(
        'tensor.kind',
        `${what} takes a tensor as '${name}', not ${described(t)}`,
        'tensor(numbers, shape) makes one',
      )
    if (t.core !== core)
      refuse('tensor.device', `'${name}' of ${what} is a tensor of another device`, 'read it there and make it here')
    t.held(`'${name}' of ${what}`)
  }
}
