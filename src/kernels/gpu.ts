// `open`: a device with every operation as a method. The functions of `tesela/kernels` are the same, one by one, for
// bundles that should hold only what they use. The one idea: a page waits for its device anyway, and loads what
// computes meanwhile (`operations.ts`), so that what it loads first is small; all methods are there when `open` is
// done.
import type { ArgumentOptions } from './argument/argument.ts'
import { checkOptions } from './checks.ts'
import type { conv1d, ConvOptions, SeparableOptions } from './conv/conv.ts'
import type { CompiledOperation, CompileOptions } from './compile/compile.ts'
import type { Core } from './device/core.ts'
import type { HistogramOptions } from './histogram/histogram.ts'
import { refuse, type TeselaError } from './error.ts'
import type { Mapped } from './map/map.ts'
import type { MatmulOptions } from './matmul/matmul.ts'
import type { Factors, NmfOptions } from './nmf/nmf.ts'
import type { PixelOptions, PixelSource } from './pixels/pixels.ts'
import { connect, connectNames, type ConnectOptions } from './open.ts'
import type { Mean } from './reduce/sum.ts'
import type { ReduceOptions } from './reduce/reduce.ts'
import type { ScanOptions } from './scan/scan.ts'
import type { Svm, SvmOptions } from './svm/svm.ts'
import type { ExplainedWork, ExplainWorkOptions } from './explained.ts'
import type { Operands } from './fusion/hooks.ts'
import type { Profiled } from './device/profiling.ts'
import { record, submitted } from './device/caller-encoder.ts'
import type { ResultOptions } from './result.ts'
import type * as Operations from './operations.ts'
import type { OperationArguments } from './operation/argument-sizes.ts'
import type { OperationResults } from './operation/operation.ts'
import { tensor, type DType, type Product, type Shape, type Source, type Tensor } from './tensor.ts'
import { tidy } from './tidy.ts'
import { warm } from './warm.ts'
import type { TuningTable } from '../base/index.ts'
import { storeHere, type Store } from './tune/store.ts'
import { restore } from './tune/known-choices.ts'
import type { TuneOptions, TuneReport } from './tune/tune.ts'

export interface OpenOptions extends ConnectOptions {
  /** Where to look for what `tune` measured on this device before; `null`: nowhere. See `TuneOptions`. */
  readonly store?: Store | null
  /** Tables of tuning results (T4): their choices are taken on the devices that they are of. `store` goes first. */
  readonly tables?: readonly TuningTable[]
}

/** Opens a device: `using gpu = await open()`. What was tuned on it before is used. */
export async function open(options: OpenOptions = {}): Promise<Gpu> {
  checkOptions('open', options, [...connectNames, 'store', 'tables'])
  const { store, tables = [], ...rest } = options
  const known = await choicesOf(tables)
  const loading = operations(),
    isBorrowed = options.device !== undefined
  loading.catch(() => {}) // a device that is not there is said first
  const core = await connect(rest)
  known(core)
  try {
    await restore(core, store === undefined ? await storeHere() : store)
    return new Gpu(core, isBorrowed, await loading)
  } catch (error) {
    core.close(isBorrowed)
    throw error
  }
}

const operations = (): Promise<typeof Operations> =>
  import('./operations.ts').catch((error: unknown) =>
    refuse(
      'open.parts',
      `the part of the library that computes was not loaded: ${error instanceof Error ? error.message : error}`,
      'the files that the build wrote belong together: put all of them beside the page, and load it anew',
    ),
  )

/** Takes the choices that tables have for a device. Throws where they are no tables. */
async function choicesOf(tables: readonly TuningTable[]): Promise<(core: Core) => void> {
  if (Array.isArray(tables) && tables.length === 0) return () => {}
  const { checkTables } = await import('./tune/table.ts'),
    { useTables } = await import('./tune/tune.ts')
  checkTables(tables)
  return (core) => {
    useTables(core, tables)
  }
}

export class Gpu {
  readonly core: Core
  private readonly borrowed: boolean
  private readonly all: typeof Operations

  constructor(core: Core, borrowed: boolean, all: typeof Operations) {
    this.core = core
    this.borrowed = borrowed
    this.all = all
    // operations work apart from their object, too: const { sum, matmul } = gpu
    for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(Gpu.prototype)))
      if (typeof method.value === 'function' && name !== 'constructor')
        Object.defineProperty(this, name, { ...method, value: method.value.bind(this) })
  }

  /**
   * Numbers (copied), or a `GPUBuffer` or a part of one (used as it is; it stays yours) as a tensor; without a shape, a
   * vector.
   */
  tensor(source: Int32Array, shape?: Shape): Tensor<'i32'>
  tensor(source: Uint32Array, shape?: Shape): Tensor<'u32'>
  tensor<T extends DType = 'f32'>(source: Source, shape?: Shape, dtype?: T): Tensor<T>
  tensor(source: Source, shape?: Shape, dtype?: DType): Tensor {
    return dtype === 'f16' ? this.all.halfTensor(this.core, source, shape) : tensor(this.core, source, shape, dtype)
  }
  /** The pixels of an image, a canvas or a texture as numbers from 0 to 1: [1, channels, rows, columns]. */
  fromPixels(source: PixelSource, options?: PixelOptions): Tensor<'f32'> {
    return this.all.fromPixels(this.core, source, options)
  }
  /** Draws numbers from 0 to 1 into a texture. */
  toPixels(x: Tensor, texture: GPUTexture, options?: Pick<PixelOptions, 'layout'>): void {
    this.all.toPixels(this.core, x, texture, options)
  }
  /** The pixels that `toPixels` draws, for a canvas. */
  toImageData(x: Tensor, options?: Pick<PixelOptions, 'layout'>): Promise<ImageData> {
    return this.all.toImageData(this.core, x, options)
  }
  /** Copies the elements to a buffer of yours, from byte `offset` on, behind all that is queued. */
  copyTo(x: Tensor, buffer: GPUBuffer, offset = 0): void {
    this.all.copyTo(this.core, x, buffer, offset)
  }
  /** The values in another type; f16 where the device has it. */
  cast<T extends DType>(x: Tensor, dtype: T, options?: ResultOptions): Tensor<T> {
    return this.all.cast(this.core, x, dtype, options)
  }
  /** A tensor of one value. */
  fill(shape: Shape, value: number, options?: ResultOptions): Tensor<'f32'> {
    return this.all.fill(this.core, shape, value, options)
  }
  /** A · B and what is fused with it. */
  matmul<A extends DType, B extends DType>(a: Tensor<A>, b: Tensor<B>, options?: MatmulOptions): Tensor<Product<A, B>> {
    return this.all.matmul(this.core, a, b, options)
  }
  /** Axes in another order; reversed without one. */
  transpose<T extends DType>(x: Tensor<T>, order?: readonly number[], options?: ResultOptions): Tensor<T> {
    return this.all.transpose(this.core, x, order, options)
  }
  /** An expression for every element. */
  map<const O extends Operands>(expression: string, operands: O, options?: ResultOptions): Tensor<Mapped<O>> {
    return this.all.map(this.core, expression, operands, options)
  }
  sum<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<T> {
    return this.all.sum(this.core, x, options)
  }
  product<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<T> {
    return this.all.product(this.core, x, options)
  }
  min<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<T> {
    return this.all.min(this.core, x, options)
  }
  max<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<T> {
    return this.all.max(this.core, x, options)
  }
  mean<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<Mean<T>> {
    return this.all.mean(this.core, x, options)
  }
  /** √Σx². */
  norm<T extends DType>(x: Tensor<T>, options?: ReduceOptions): Tensor<T> {
    return this.all.norm(this.core, x, options)
  }
  /** The index of the greatest element; the first of several. */
  argmax(x: Tensor, options?: ArgumentOptions): Tensor<'i32'> {
    return this.all.argmax(this.core, x, options)
  }
  /** The index of the least element; the first of several. */
  argmin(x: Tensor, options?: ArgumentOptions): Tensor<'i32'> {
    return this.all.argmin(this.core, x, options)
  }
  /** Running sums, products, least or greatest along an axis. */
  scan<T extends DType>(x: Tensor<T>, options?: ScanOptions): Tensor<T> {
    return this.all.scan(this.core, x, options)
  }
  /** How many elements fall into each bin, or have each label. */
  histogram(x: Tensor, options: HistogramOptions): Tensor<'u32'> {
    return this.all.histogram(this.core, x, options)
  }
  /** Windows moved over images [n, channels, rows, columns]. */
  conv2d<A extends DType, B extends DType>(x: Tensor<A>, w: Tensor<B>, options?: ConvOptions): Tensor<Product<A, B>> {
    return this.all.conv2d(this.core, x, w, options)
  }
  /** Windows moved over signals [n, channels, length]. */
  conv1d<A extends DType, B extends DType>(
    x: Tensor<A>,
    w: Tensor<B>,
    options?: Parameters<typeof conv1d>[3],
  ): Tensor<Product<A, B>> {
    return this.all.conv1d(this.core, x, w, options)
  }
  /** A filter along rows, then one down columns. */
  separableConv2d<A extends DType>(
    x: Tensor<A>,
    rows: Tensor,
    columns: Tensor,
    options?: SeparableOptions,
  ): Tensor<Product<A, A>> {
    return this.all.separableConv2d(this.core, x, rows, columns, options)
  }
  /** V ≈ W · H, all ≥ 0, by multiplicative updates; with labels, factors that also tell classes. */
  nmf(v: Tensor<'f32'>, options: NmfOptions): Factors {
    return this.all.nmf(this.core, v, options)
  }
  /** A model that libsvm trained, from its text. */
  svm(text: string, options?: SvmOptions): Svm {
    return this.all.svm(this.core, text, options)
  }
  /**
   * A C function as an operation: `const { y } = (await gpu.compile(text))({ x })`. Compiled and proved in a thread of
   * its own, and kept for the next run of the program. Throws a `CompileError` with the places of what is wrong.
   */
  async compile<A = OperationArguments, R = OperationResults>(
    source: string,
    options?: CompileOptions,
  ): Promise<CompiledOperation<A, R>> {
    const { compile } = await import('./compile/compile.ts') // loaded when it is asked for, as what tunes
    return compile<A, R>(this.core, source, options)
  }
  /** Runs `f`; the launches it made, each with its time and the least it could take. */
  profile(f: () => unknown): Promise<readonly Profiled[]> {
    return this.all.profile(this.core, f)
  }
  /**
   * Runs `f`; what `tesela explain` says of every kernel that it launched, beside its time. Loads the compiler's front
   * end.
   */
  async explain(f: () => unknown, options?: ExplainWorkOptions): Promise<readonly ExplainedWork[]> {
    return (await import('./explained.ts')).explainWork(this.core, f, options)
  }
  /**
   * Runs `f`; the nanoseconds that its launches took on the device, one after the other; `null` where it has no
   * timestamps.
   */
  time(f: () => unknown): Promise<number | null> {
    return this.all.time(this.core, f)
  }
  /**
   * Measures which plans are fastest on this device, keeps that, and uses it from now on; a later call goes on where
   * one ran out of time.
   */
  async tune(options?: TuneOptions): Promise<TuneReport> {
    return (await import('./tune/tune.ts')).tune(this.core, options)
  }
  /**
   * Compiles what these calls launch, without running it and beside other work, so that the same calls later find it:
   * `await gpu.warm([() => gpu.sum(x), () => gpu.matmul(x, y)])`.
   */
  warm(calls: readonly (() => unknown)[]): Promise<void> {
    return warm(this.core, calls)
  }
  /**
   * Runs `f`, and records what its operations launch into an encoder of yours instead of submitting it; returns what
   * `f` does. When you have submitted the encoder, say so: `gpu.submitted(encoder)`; until then no other work may use
   * the results.
   */
  record<T>(encoder: GPUCommandEncoder, f: () => T): T {
    return record(this.core, encoder, f)
  }
  /** Says that an encoder of `record` was submitted, or that it never will be: what it used is free again. */
  submitted(encoder: GPUCommandEncoder): void {
    submitted(this.core, encoder)
  }
  /** Submits what is recorded, without waiting. */
  flush(): void {
    this.core.flush()
  }
  /** Waits for everything recorded so far. Throws when any of it failed and no one has read that yet. */
  sync(): Promise<void> {
    return this.core.sync()
  }
  /** Runs `f`, and disposes of all tensors that it made but those that it returns, also in lists and objects. */
  tidy<T>(f: () => T): T {
    return tidy(this.core, f)
  }
  /** Says why, when the device is lost or destroyed. */
  get lost(): Promise<TeselaError> {
    return this.core.lost
  }
  /** Destroys the buffers that are kept for later results. */
  trim(): void {
    this.core.trim()
  }
  /**
   * Ends the library's use of the device, and destroys every buffer that it made, those of tensors too; a device that
   * `open` made is destroyed.
   */
  dispose(): void {
    this.core.close(this.borrowed)
  }
  [Symbol.dispose](): void {
    this.dispose()
  }
}
