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

/** Gifts after which free buffers of a size that nobody gave meanwhile are given up. */
const stale = 1 << 14

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
  readonly #all = new Set<GPUBuffer>()
  #live = 0
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
    return create(() => {
      const made = this.#device.createBuffer({ size, usage: this.#flags })
      this.#all.add(made)
      this.#live += size
      return made
    })
  }

  /** Destroys a buffer of this pool that nobody holds. */
  end(buffer: GPUBuffer): void {
    if (this.#all.delete(buffer)) this.#live -= buffer.size
    buffer.destroy()
  }

  /** Destroys all buffers, whoever holds them. */
  close(): void {
    for (const buffer of [...this.#all]) this.end(buffer)
    for (const kept of [this.#free, this.#all]) kept.clear()
    this.#doomed.length = this.#held = this.#doomedSize = 0
  }

  /** Free buffers go at the next `sweep`: all, or those of sizes that nobody gave for so many gifts. */
  trim(gifts = 0): void {
    for (const [size, shelf] of this.#free)
      if (this.#gifts - shelf.used >= gifts) while (shelf.buffers.length > 0) this.#doom(size, shelf.buffers)
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
    this.end(buffer)
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
    this.trim(stale)
    for (const buffer of this.#doomed.splice(0)) this.end(buffer)
    this.#doomedSize = 0
  }

  /** Buffers created so far, bytes that are there, and bytes of them that wait to be used again. */
  get statistics(): Sizes {
    return { created: this.#made, liveBytes: this.#live, freeBytes: this.#held }
  }
}
