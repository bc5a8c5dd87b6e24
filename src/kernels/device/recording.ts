// Work recorded into command encoders of the caller (`caller-encoder.ts`). In: the buffers that launches use while an
// encoder is under way. Out: when each is free again. The one idea: the library does not see when the caller submits,
// so that every buffer that such work uses is kept from other work until the caller says so; as CUDA graphs own the
// memory that was taken while they were captured.
import { refuse } from '../error.ts'
import { bufferOf, type Memory } from './memory.ts'

/** What was recorded into one encoder. */
interface Recording {
  readonly encoder: GPUCommandEncoder
  /** Buffers that it uses, and whether it writes them. */
  readonly used: Map<GPUBuffer, boolean>
  /** Of them, those that were given back: later work of the same encoder may use them. */
  readonly free: GPUBuffer[]
  readonly parameters: GPUBuffer[]
}

/** Encoders that may wait to be submitted. */
const mostWaiting = 64

/** Recordings of a device that are not submitted yet. */
export class Recordings {
  readonly #waiting = new Map<GPUCommandEncoder, Recording>()
  #now: Recording | null = null

  /** The encoder that is recorded into, while it is. */
  get encoder(): GPUCommandEncoder | null {
    return this.#now?.encoder ?? null
  }

  begin(encoder: GPUCommandEncoder): void {
    if (this.#now) refuse('record.nested', 'record cannot run inside of record')
    const known = this.#waiting.get(encoder)
    if (!known && this.#waiting.size >= mostWaiting)
      refuse(
        'record.submitted',
        `work was recorded into ${mostWaiting} encoders, and of none of them the library knows that it was submitted`,
        'after device.queue.submit: gpu.submitted(encoder)',
      )
    this.#now = known ?? { encoder, used: new Map(), free: [], parameters: [] }
    this.#waiting.set(encoder, this.#now)
  }

  end(): void {
    this.#now = null
  }

  /** Notes that the current recording uses these. Throws where others wait to be submitted that must come before. */
  use(all: readonly Memory[], writes: readonly boolean[]): void {
    all.forEach((memory, i) => {
      const buffer = bufferOf(memory),
        write = writes[i] ?? false
      for (const other of this.#waiting.values()) {
        const wrote = other.used.get(buffer)
        if (other === this.#now || wrote === undefined || !(wrote || write)) continue
        refuse(
          'record.waits',
          wrote
            ? 'a result is used that was recorded into an encoder, and the library does not know that it was submitted'
            : 'a result would be written over what an encoder reads that was not submitted yet',
          'after device.queue.submit: gpu.submitted(encoder)',
        )
      }
      this.#now?.used.set(buffer, write || (this.#now.used.get(buffer) ?? false))
    })
  }

  /** A buffer of so many bytes that this encoder's earlier work does not need any more. */
  reuse(bytes: number): GPUBuffer | undefined {
    const free = this.#now?.free ?? [],
      at = free.findIndex((b) => b.size === bytes)
    return at < 0 ? undefined : free.splice(at, 1)[0]
  }

  /** Whether a buffer that is given back has to wait for an encoder. */
  keeps(buffer: GPUBuffer): boolean {
    for (const { used, free } of this.#waiting.values()) {
      if (!used.has(buffer)) continue
      free.push(buffer)
      return true
    }
    return false
  }

  keepParameters(buffer: GPUBuffer): void {
    this.#now?.parameters.push(buffer)
  }

  /** Forgets an encoder's recording; what may be used again now. */
  release(encoder: GPUCommandEncoder): Pick<Recording, 'free' | 'parameters'> {
    const known = this.#waiting.get(encoder)
    if (!known)
      refuse('record.encoder', 'nothing that waits was recorded into this encoder', 'gpu.record(encoder, () => …)')
    if (known === this.#now) refuse('record.nested', 'an encoder is submitted after record, not inside of it')
    this.#waiting.delete(encoder)
    return known
  }
}
