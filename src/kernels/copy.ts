// Results where the caller wants them: elements are copied to a buffer of the caller's on the device, in the order of
// its queue (inside of `record`: of the encoder).
import { checkNumber, described } from './checks.ts'
import type { Core } from './device/core.ts'
import { bufferOf, offsetOf } from './device/memory.ts'
import { refuse } from './error.ts'
import { checkTensors, type Tensor } from './tensor.ts'

/** What WebGPU calls buffers that are copied to. */
const copyTarget = 8

/**
 * Copies the elements, row by row, to a buffer of the caller on the same device, from byte `offset` on, a multiple of
 * 4. Everything recorded so far is submitted, and the copy behind it.
 */
export function copyTo(core: Core, x: Tensor, buffer: GPUBuffer, offset = 0): void {
  checkTensors(core, 'copyTo', { x })
  if (typeof buffer !== 'object' || buffer === null || !('mapAsync' in buffer))
    refuse('copy.buffer', `elements are copied to a GPUBuffer, not to ${described(buffer)}`)
  checkNumber('copyTo', 'offset', offset, 0)
  if (offset % 4 !== 0) refuse('copy.offset', `elements are copied to a multiple of 4 bytes, not to ${offset}`)
  if (x.bytes % 4 !== 0)
    refuse('copy.size', `${x.length} elements of ${x.dtype} are no whole number of words`, 'cast them to f32')
  if (offset + x.bytes > buffer.size)
    refuse('copy.size', `${x.bytes} bytes from byte ${offset} on do not fit into a buffer of ${buffer.size}`)
  if (!(buffer.usage & copyTarget)) refuse('copy.buffer', 'a buffer that is copied to needs the usage COPY_DST')
  if (buffer === bufferOf(x.memory)) refuse('copy.buffer', 'a tensor is not copied to its own memory')
  const { memory, bytes } = x
  if (bytes > 0)
    core.encode([memory], [buffer], 'a copy on the device', false, (encoder) =>
      encoder.copyBufferToBuffer(bufferOf(memory), offsetOf(memory), buffer, offset, bytes),
    )
}
