// f16: tensors of 16 bits an element, computed in f32. In: the text of a launch and the names of its arrays that hold
// f16. Out: the text with those arrays declared as f16, loads widened and stores rounded. The one idea: only what is
// kept changes its type, so every kernel of the library has an f16 form without a text of its own. Loaded by those who
// use it.
import type { Core } from '../device/core.ts'
import type { Half } from '../device/prepared-launches.ts'
import { checkOptions, checkWord } from '../checks.ts'
import { refuse } from '../error.ts'
import { converted, gather } from '../map/map.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import {
  checkNumbers,
  checkTensors,
  dtypes,
  isBuffer,
  kindOf,
  tensor,
  type DType,
  type Shape,
  type Source,
  type Tensor,
} from '../tensor.ts'

/** Makes f16 known to a device. Throws a `TeselaError` where the device cannot have it. */
function useHalf(core: Core): Half {
  if (!core.device.features.has('shader-f16'))
    refuse('device.f16', "this device has no f16 in shaders, or was opened without the feature 'shader-f16'", 'use f32')
  return (core.half ??= { buffers: new WeakSet(), text: halved, numbers })
}

/**
 * The values of a tensor in another type. f16 rounds as the device does, and what it cannot hold becomes infinite;
 * floats become integers by leaving out what is behind the point, the nearest end of the type when they are beyond
 * it, 0 when they are NaN; i32 and u32 become each other by their bits, as negative numbers wrap.
 */
export function cast<T extends DType>(core: Core, x: Tensor, dtype: T, options: ResultOptions = {}): Tensor<T> {
  checkTensors(core, 'cast', { x })
  checkOptions('cast', options, ['out'])
  checkWord('cast', 'dtype', dtype, dtypes)
  if (dtype === 'f16') useHalf(core)
  const bitsStay = x.dtype === dtype || (kindOf(x.dtype) !== 'f32' && kindOf(dtype) !== 'f32')
  if (bitsStay && options.out === undefined) return x.as(dtype)
  return resultOf(core, 'cast', options.out, { shape: x.shape, dtype, inputs: { x } }, (to) => {
    if (!bitsStay) return converted(x, dtype, to)
    using same = x.as(dtype)
    return gather(same, [x.length], [[x.length, 1]], 0, to)
  })
}

/** A tensor of f16 of numbers (rounded on the device) or of a buffer that holds f16. */
export function halfTensor(core: Core, source: Source, shape?: Shape): Tensor<'f16'> {
  useHalf(core)
  if (isBuffer(source)) return tensor(core, source, shape, 'f16')
  checkNumbers(source)
  using wide = tensor(
    core,
    Array.isArray(source) ? source : new Float32Array(source as ArrayLike<number>),
    shape,
    'f32',
  ) // numbers of some kind
  return cast(core, wide, 'f16')
}

/** Every number of f16, by its bits; made when first asked for. */
let known: Float32Array | undefined

/** The numbers of f16 in memory. */
function numbers(bytes: ArrayBuffer): Float32Array<ArrayBuffer> {
  const all = (known ??= Float32Array.from({ length: 1 << 16 }, (_, b) => {
    const exponent = (b >> 10) & 31,
      fraction = b & 1023,
      sign = b >> 15 ? -1 : 1
    return (
      sign *
      (exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction
            ? NaN
            : Infinity
          : (1 + fraction / 1024) * 2 ** (exponent - 15))
    )
  }))
  const bits = new Uint16Array(bytes),
    out = new Float32Array(bits.length) // `from` would make a list of objects first: too long for 2^27
  for (let i = 0; i < bits.length; i++) out[i] = all[bits[i]!]! // every 16 bits are there
  return out
}

/** The text with the arrays `names` (of f32, or of 32 bits that are moved as they are) holding f16. */
export function halved(text: string, names: readonly string[]): string {
  return `enable f16;\n${names.reduce(oneHalved, text)}`
}

function oneHalved(text: string, name: string): string {
  const declaration = new RegExp(`(> ${name}: array<(?:vec(\\d)<)?)(\\w+)`),
    [, , width = '', type = 'f32'] = declaration.exec(text) ?? []
  return rewritten(text.replace(declaration, '$1f16'), name, width, type)
}

/** Loads and stores of the array, whose elements the text takes for `type`. */
function rewritten(text: string, name: string, width: string, type: string): string {
  const vector = (t: string, w = width): string => (w ? `vec${w}<${t}>` : t)
  const widened = (x: string): string =>
    type === 'f32' ? `${vector('f32')}(${x})` : `bitcast<${vector(type)}>(${vector('f32')}(${x}))`
  const rounded = (x: string, w: string): string =>
    type === 'f32' ? `${vector('f16', w)}(${x})` : `${vector('f16', w)}(bitcast<${vector('f32', w)}>(${x}))`
  const inside = (x: string): string => rewritten(x, name, width, type)
  let out = '',
    at = 0
  for (const m of text.matchAll(new RegExp(`(?<![\\w.])${name}\\[`, 'g'))) {
    if (m.index < at) continue // inside of a place that is done
    const end = closing(text, m.index + name.length),
      place = `${name}[${inside(text.slice(m.index + name.length + 1, end - 1))}]`
    const store = /^((?:\.\w|\[[^\]]*\])?) = ([^;]*);/.exec(text.slice(end))
    out +=
      text.slice(at, m.index) +
      (store ? `${place}${store[1]} = ${rounded(inside(store[2]!), store[1] ? '' : width)};` : widened(place))
    at = end + (store?.[0].length ?? 0)
  }
  return out + text.slice(at)
}

/** The place after the bracket that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0,
    at = open
  do {
    depth += text[at] === '[' ? 1 : text[at] === ']' ? -1 : 0
    at++
  } while (depth > 0 && at < text.length)
  return at
}
