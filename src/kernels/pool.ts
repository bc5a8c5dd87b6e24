// Buffers that come back. In: bytes. Out: a buffer at least that large, used before where there is one. The one idea: work
// on a queue runs in order, so a buffer may be given away while earlier work still reads it; only destroying must wait.
import type { Sizes } from './recipe.ts'

/** Numbers of `GPUBufferUsage`, which Node does not have as a global. */
export const usage = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128, queryResolve: 512 } as const

/** Bytes a buffer gets: at most a quarter more than asked for, so that few sizes exist. */
export function roomFor(bytes: number): number {
  const least = Math.max(256, bytes)
  const step = 2 ** Math.max(6, Math.floor(Math.log2(least)) - 2)
  return Math.ceil(least / step) * step
}

export class Pool {
  private readonly device: GPUDevice
  private readonly flags: number
  private readonly keepBytes: number
  private readonly free = new Map<number, GPUBuffer[]>()
  private readonly doomed: GPUBuffer[] = []
  private held = 0
  private made = 0

  /** `keepBytes`: free buffers beyond this are destroyed at the next `sweep`. */
  constructor(device: GPUDevice, flags: number, keepBytes: number) {
    this.device = device
    this.flags = flags
    this.keepBytes = keepBytes
  }

  take(bytes: number): GPUBuffer {
    const size = roomFor(bytes)
    const known = this.free.get(size)?.pop()
    if (known) { this.held -= size; return known }
    this.made++
    return this.device.createBuffer({ size, usage: this.flags })
  }

  give(buffer: GPUBuffer): void {
    if (this.held + buffer.size > this.keepBytes) { this.doomed.push(buffer); return }
    this.held += buffer.size
    const list = this.free.get(buffer.size)
    if (list) list.push(buffer)
    else this.free.set(buffer.size, [buffer])
  }

  /** Destroys what is too much. Call it when no unsubmitted work refers to given buffers. */
  sweep(): void {
    for (const buffer of this.doomed.splice(0)) buffer.destroy()
  }

  /** Buffers created so far, and bytes that wait to be used again. */
  get statistics(): Sizes {
    return { created: this.made, freeBytes: this.held }
  }
}
