// A buffer of the caller's with everything in it: operands of a call, its result, and poison between them. In: a right
// call. Out: the same call on parts of the buffer, and what became of the buffer.
import { Tensor, type BufferPart, type Gpu } from '../../../src/kernels/index.ts'

/** Bits that no test computes, a NaN. */
const poison = 0x7fc0dead
const step = 256

/** Where the options of an operation stand among its arguments; second where nothing is said. */
const optionsAt: Readonly<Record<string, number>> = {
  fill: 2,
  map: 2,
  transpose: 2,
  cast: 2,
  conv2d: 2,
  conv1d: 2,
  matmul: 2,
  separableConv2d: 3,
}

/** The arguments with one more option. */
export function withOption(name: string, args: readonly unknown[], option: object): readonly unknown[] {
  const at = optionsAt[name] ?? 1,
    filled = [...args, ...Array.from({ length: Math.max(0, at - args.length) }, () => undefined)]
  return [...filled.slice(0, at), { ...(filled[at] as object | undefined), ...option }]
}

export class Arena {
  readonly gpu: Gpu
  readonly buffer: GPUBuffer
  #next = step

  constructor(gpu: Gpu, bytes = 1 << 20) {
    this.gpu = gpu
    this.buffer = gpu.core.device.createBuffer({ size: bytes, usage: 4 | 8 | 128 }) // COPY_SRC, COPY_DST, STORAGE
    gpu.core.device.queue.writeBuffer(this.buffer, 0, new Uint32Array(bytes / 4).fill(poison))
  }

  /** So many bytes with a step of poison before and behind them. */
  part(bytes: number): BufferPart & { readonly offset: number } {
    const offset = this.#next
    this.#next += step * (Math.ceil(Math.max(16, bytes) / step) + 1)
    return { buffer: this.buffer, offset }
  }

  /** The tensor's elements in this buffer. */
  put(t: Tensor): Tensor {
    const part = this.part(t.bytes)
    if (t.length > 0) this.gpu.copyTo(t, this.buffer, part.offset)
    return this.gpu.tensor(part, t.shape, t.dtype)
  }

  /** Arguments whose tensors lie here. */
  moved(x: unknown): unknown {
    if (x instanceof Tensor) return this.put(x)
    if (Array.isArray(x)) return x
    if (typeof x !== 'object' || x === null) return x
    return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, this.moved(v)]))
  }

  /** Bytes beside the part at `offset` that are no poison any more, up to its neighbours. */
  async spoiled(offset: number, bytes: number): Promise<readonly number[]> {
    const words = await this.gpu.tensor({ buffer: this.buffer }, [this.buffer.size / 4], 'u32').read()
    const wrong: number[] = [],
      end = offset + Math.ceil(bytes / 4) * 4
    for (let at = offset - step; at < offset + step * Math.ceil(bytes / step); at += 4)
      if ((at < offset || at >= end) && words[at / 4] !== poison) wrong.push(at)
    return wrong
  }

  dispose(): void {
    this.buffer.destroy()
  }
}
