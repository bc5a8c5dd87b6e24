// A small language for tests of the library: a device on SwiftShader, arrays from a seed, and references in float64.
// `close` says how far a result is off, relative to the size of what was added up.
import { random } from '../../src/base/index.ts'
import { type Gpu, open, type OpenOptions, type Tensor } from '../../src/kernels/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'

export const openSoftware = async (options: Omit<OpenOptions, 'gpu'> = {}): Promise<Gpu> =>
  open({ gpu: await swiftShaderGpu(), store: null, ...options })

export const volume = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1)

/** Numbers from −1 to 1 that depend on shape and seed. */
export function numbers(shape: readonly number[], seed = 1): Float32Array<ArrayBuffer> {
  const stream = random(seed + 31 * volume(shape))
  return Float32Array.from({ length: volume(shape) }, () => 2 * stream.unit() - 1)
}

/** An element of an array of `shape` at an index; axes of extent 1 and missing ones broadcast. */
export function at(data: ArrayLike<number>, shape: readonly number[], index: readonly number[]): number {
  let place = 0
  shape.forEach((d, i) => {
    place = place * d + (d === 1 ? 0 : index[index.length - shape.length + i]!)
  })
  return data[place]!
}

/** All indices of a shape, row by row. */
export function indices(shape: readonly number[]): number[][] {
  return Array.from({ length: volume(shape) }, (_, n) => {
    const index: number[] = []
    let rest = n
    for (let i = shape.length - 1; i >= 0; i--) {
      index[i] = rest % shape[i]!
      rest = Math.floor(rest / shape[i]!)
    }
    return index
  })
}

/** The largest |got − want| ÷ scale; Infinity when lengths differ or something is NaN that should not be. */
export function distance(got: ArrayLike<number>, want: readonly number[], scale = 1): number {
  if (got.length !== want.length) return Infinity
  return want.reduce(
    (worst, w, i) =>
      Math.max(worst, Object.is(got[i], w) || got[i] === w ? 0 : Math.abs(got[i]! - w) / scale || Infinity),
    0,
  )
}

export async function farOff(tensor: Tensor, want: readonly number[], scale = 1): Promise<number> {
  return distance(await tensor.read(), want, scale)
}
