// Where an array lies: a whole buffer of the library's, or a range of one of the caller's. In: a buffer of the caller's
// and bytes. Out: a range, the same object each time, so that bind groups and errors are found again by it. The one
// idea: what is bound is either, and only copies and checks of overlap need to know which.

/** A range in bytes of a buffer that the library does not own, as WebGPU binds it. */
export class BufferRange implements GPUBufferBinding {
  readonly buffer: GPUBuffer
  readonly offset: number
  readonly size: number

  constructor(buffer: GPUBuffer, offset: number, size: number) {
    this.buffer = buffer
    this.offset = offset
    this.size = size
  }
}

export type Memory = GPUBuffer | BufferRange

export const bufferOf = (m: Memory): GPUBuffer => (m instanceof BufferRange ? m.buffer : m)

/** The byte of its buffer at which it begins. */
export const offsetOf = (m: Memory): number => (m instanceof BufferRange ? m.offset : 0)

/** Whether a byte belongs to both. */
export const overlap = (a: Memory, b: Memory): boolean =>
  bufferOf(a) === bufferOf(b) && offsetOf(a) < offsetOf(b) + b.size && offsetOf(b) < offsetOf(a) + a.size

/** Ranges that were asked for, by buffer, bytes and what they hold. */
const known = new WeakMap<GPUBuffer, Map<string, BufferRange>>()

/** The range; another one for each kind of contents. */
export function rangeOf(buffer: GPUBuffer, offset: number, size: number, contents: string): BufferRange {
  const all = known.get(buffer) ?? new Map<string, BufferRange>(),
    key = `${offset} ${size} ${contents}`
  const range = all.get(key) ?? new BufferRange(buffer, offset, size)
  known.set(buffer, all.set(key, range))
  return range
}
