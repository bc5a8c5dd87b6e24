// Buffers that come back. In: bytes. Out: a buffer at least that large, used before where there is one. The one idea:
// work on a queue runs in order, so a buffer may be given away while earlier work still reads it; only destroying must
// wait.
import type { Sizes } from '../recipe.ts'

/** Numbers of `GPUBufferUsage`, which Node does not have as a global. */
export const usage = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128, queryResolve: 512 } as const

/** Bytes a buffer gets: at most a quarter more than asked for, so that few sizes exist. */
export function roomFor(bytes: number): number {
  const least = Math.max(256, bytes)
  const step = 2 ** Math.max(6, Math.floor(Math.log2(least)) - 2)
  return Math.ceil(least / step) * step
}

/** Free buffers of a size, and when the last of them was given. */
interface Shelf {
  readonly buffers: GPUBuffer[]
  used: number
}

export class Pool {
  readonly #device: GPUDevice
  readonly #flags: number
  readonly #keepBytes: number
  readonly #mostBytes: number
  readonly #free = new Map<number, Shelf>()
  readonly #doomed: GPUBuffer[] = []
  readonly #bad = new WeakSet<GPUBuffer>()
  #held = 0
  #gifts = 0
  #doomedSize = 0
  #made = 0

  /** `keepBytes`: free buffers beyond this are destroyed at the next `sweep`. `mostBytes`: no buffer gets more. */
  constructor(device: GPUDevice, flags: number, keepBytes: number, mostBytes = Infinity) {
    this.#device = device
    this.#mostBytes = mostBytes
    this.#flags = flags
    this.#keepBytes = keepBytes
  }

  /** A buffer that was given back, or one that `create` makes. */
  take(bytes: number, create: (make: () => GPUBuffer) => GPUBuffer = (make) => make()): GPUBuffer {
    const size = Math.min(roomFor(bytes), this.#mostBytes)
    const known = this.#free.get(size)?.buffers.pop()
    if (known) {
      this.#held -= size
      return known
    }
    this.#made++
    return create(() => this.#device.createBuffer({ size, usage: this.#flags }))
  }

  /** The buffer may be taken again at once. Where free buffers are too much, those given longest ago go. */
  give(buffer: GPUBuffer): void {
    if (this.#bad.has(buffer)) return
    let shelf = this.#free.get(buffer.size)
    if (!shelf) this.#free.set(buffer.size, (shelf = { buffers: [], used: 0 }))
    shelf.buffers.push(buffer)
    shelf.used = ++this.#gifts
    this.#held += buffer.size
    if (this.#held > this.#keepBytes) this.#discard()
  }

  /** Dooms free buffers until what is left is not too much, of sizes that nobody gave for longest first. */
  #discard(): void {
    for (const [size, { buffers }] of [...this.#free].sort(([, a], [, b]) => a.used - b.used)) {
      while (this.#held > this.#keepBytes && buffers.length > 0) this.#doom(size, buffers)
    }
  }

  /** Never gives the buffer to anyone again: it is not good. */
  lose(buffer: GPUBuffer): void {
    this.#bad.add(buffer)
    const list = this.#free.get(buffer.size)?.buffers ?? [],
      at = list.indexOf(buffer)
    if (at >= 0) {
      list.splice(at, 1)
      this.#held -= buffer.size
    }
    buffer.destroy()
  }

  #doom(size: number, buffers: GPUBuffer[]): void {
    const [oldest] = buffers.splice(0, 1)
    if (oldest) this.#doomed.push(oldest)
    this.#held -= size
    this.#doomedSize += size
  }

  /** Bytes that wait for the next `sweep`. */
  get doomedBytes(): number {
    return this.#doomedSize
  }

  /** Destroys what is too much. Call it when no unsubmitted work refers to given buffers. */
  sweep(): void {
    for (const buffer of this.#doomed.splice(0)) buffer.destroy()
    this.#doomedSize = 0
  }

  /** Buffers created so far, and bytes that wait to be used again. */
  get statistics(): Sizes {
    return { created: this.#made, freeBytes: this.#held }
  }
}
