// Parts of buffers that belong to the caller: elements are copied from and to them on the device, in the order of its
// queue. In: a buffer, an offset in bytes. Out: a tensor of its own, or the elements where they are wanted.
import { checkNumber, checkOptions, checkWord, described } from './checks.ts'
import type { Core } from './device/core.ts'
import { refuse } from './error.ts'
import {
  blank,
  checkTensors,
  dtypes,
  elements,
  filled,
  isBuffer,
  type DType,
  type Shape,
  type Tensor,
} from './tensor.ts'

/** Bytes of a buffer from `offset` on, a multiple of 4: `size` of them, or all there are. */
export interface BufferPart {
  readonly buffer: GPUBuffer
  readonly offset?: number
  readonly size?: number
}

/** What WebGPU calls buffers that are copied from and to. */
const usage = { source: 4, target: 8 } as const

export const isPart = (source: unknown): source is BufferPart =>
  typeof source === 'object' && source !== null && 'buffer' in source && isBuffer(source.buffer)

/** A tensor with the bytes of a part of a buffer, as they are behind all that is queued; a vector without a shape. */
export function tensorOfPart<T extends DType = 'f32'>(core: Core, part: BufferPart, shape?: Shape, dtype?: T): Tensor<T>
export function tensorOfPart(core: Core, part: BufferPart, shape: Shape = [-1], dtype: DType = 'f32'): Tensor {
  checkOptions('tensor', part, ['buffer', 'offset', 'size'])
  checkNumber('tensor', 'offset', part.offset, 0)
  checkNumber('tensor', 'size', part.size, 0)
  checkWord('tensor', 'dtype', dtype, dtypes)
  if (dtype === 'f16')
    refuse('tensor.f16', 'a part of a buffer is f32, i32 or u32', 'take it as u32, or the buffer as a whole')
  const { buffer, offset = 0 } = part,
    size = part.size ?? Math.max(0, buffer.size - offset)
  if (offset % 4 !== 0) refuse('tensor.buffer', `a part of a buffer begins at a multiple of 4 bytes, not at ${offset}`)
  if (offset + size > buffer.size)
    refuse('tensor.buffer', `${size} bytes from byte ${offset} on are not in a buffer of ${buffer.size}`)
  if (!(buffer.usage & usage.source)) refuse('tensor.buffer', 'a buffer that is copied from needs the usage COPY_SRC')
  const full = filled(shape, Math.floor(size / 4)),
    bytes = 4 * elements(full)
  if (bytes > size)
    refuse(
      'tensor.buffer',
      `a part of ${size} bytes is too small for the shape [${full.join(', ')}], which needs ${bytes}`,
    )
  const made = blank(core, full, dtype)
  if (bytes > 0) core.copy(buffer, offset, made.memory, 0, bytes)
  return made
}

/**
 * Copies the elements, row by row, to a buffer of the caller on the same device, from byte `offset` on, a multiple of
 * 4. Everything recorded so far is submitted, and the copy behind it.
 */
export function copyTo(core: Core, x: Tensor, buffer: GPUBuffer, offset = 0): void {
  checkTensors(core, 'copyTo', { x })
  if (!isBuffer(buffer)) refuse('copy.buffer', `elements are copied to a GPUBuffer, not to ${described(buffer)}`)
  checkNumber('copyTo', 'offset', offset, 0)
  if (offset % 4 !== 0) refuse('copy.offset', `elements are copied to a multiple of 4 bytes, not to ${offset}`)
  if (x.bytes % 4 !== 0)
    refuse('copy.size', `${x.length} elements of ${x.dtype} are no whole number of words`, 'cast them to f32')
  if (offset + x.bytes > buffer.size)
    refuse('copy.size', `${x.bytes} bytes from byte ${offset} on do not fit into a buffer of ${buffer.size}`)
  if (!(buffer.usage & usage.target)) refuse('copy.buffer', 'a buffer that is copied to needs the usage COPY_DST')
  if (buffer === x.memory) refuse('copy.buffer', 'a tensor is not copied to its own memory')
  core.copy(x.memory, 0, buffer, offset, x.bytes)
}
