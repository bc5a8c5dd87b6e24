// Where a result goes. In: the option `out` of an operation, and what its result is. Out: the result, in memory of its
// own or where the caller wants it. The one idea: an operation says what it makes and from what before it makes it, so
// that a place that does not fit is refused before anything is recorded.
import type { Core } from './device/core.ts'
import { overlap } from './device/memory.ts'
import { refuse } from './error.ts'
import {
  adopted,
  checkTensors,
  elements,
  isBuffer,
  type Tensor,
  type BufferPart,
  type DType,
  type Shape,
} from './tensor.ts'

/** A tensor, which changes, or a buffer of yours or a part of it. */
export type Out = Tensor | GPUBuffer | BufferPart

export interface ResultOptions {
  /**
   * Where the result goes: of its shape and type, and no part of what is read. New memory when absent. A tensor is
   * returned itself.
   */
  readonly out?: Out
}

/** What an operation makes, and the tensors that it makes it of. */
export interface Making<T extends DType> {
  readonly shape: Shape
  readonly dtype: T
  readonly inputs: Readonly<Record<string, Tensor | undefined>>
  /** Whether it may be written over this input, of which each element is read where its result is stored. */
  readonly isInPlace?: (name: string, input: Tensor) => boolean
}

/** The result that `make` records, into a vector `to` where the caller says where it goes. */
export function resultOf<T extends DType>(
  core: Core,
  what: string,
  out: Out | undefined,
  making: Making<T>,
  make: (to?: Tensor<T>) => Tensor<T>,
): Tensor<T> {
  if (out === undefined) return make()
  const result = placeFor(core, what, out, making)
  const to = result.reshape([result.length])
  try {
    const made = make(to)
    if (made.memory !== result.memory && made.length > 0)
      refuse('internal.result', `${what} lost the place of its result`)
    made.dispose()
    return result
  } finally {
    to.dispose() // `using` would bring helpers into every bundle
  }
}

/** The tensor at the place that was given. Throws where it does not fit or is read, too. */
export function placeFor<T extends DType>(
  core: Core,
  what: string,
  out: Out,
  { shape, dtype, inputs, isInPlace }: Making<T>,
): Tensor<T> {
  const result = (isBuffer(out) ? adopted(core, 'out', out, shape, dtype) : out) as Tensor<T> // checked
  checkTensors(core, what, { out: result })
  if (result.dtype !== dtype)
    refuse('out.dtype', `the result of ${what} is of ${dtype}, and out is a tensor of ${result.dtype}`)
  if (result.shape.join() !== shape.join())
    refuse(
      'out.shape',
      `the result of ${what} has the shape [${shape.join(', ')}], and out has [${result.shape.join(', ')}]`,
      result.length === elements(shape) ? 'reshape shares the memory' : undefined,
    )
  if (isBuffer(out) && 'buffer' in out && out.size !== undefined && result.bytes !== out.size)
    refuse(
      'out.size',
      `the result of ${what} has ${result.bytes} bytes, and out is a part of ${out.size}`,
      'leave the size out',
    )
  for (const [name, input] of Object.entries(inputs)) {
    if (!input || !overlap(input.memory, result.memory)) continue
    if (input.memory === result.memory && isInPlace?.(name, input)) continue
    refuse(
      'out.memory',
      `the result of ${what} would be written over '${name}', which is read for it`,
      'give it memory of its own',
    )
  }
  return result
}
