// A launch as people write it. In: what stands after `--grid`, `--arg`, `--buffer` and so on. Out: parts of a launch.
// Pairs are added to those before. Throws a `LaunchTextError` that says what the text must be.
import type { Dim3, MemoryType, SamplerSpec } from '../../ir/index.ts'
import type { BufferSpec } from '../types.ts'
import { LaunchTextError } from './error.ts'
import { samplerSpec, textureShape } from './textures.ts'

type Named<T> = Readonly<Record<string, T>>

/** `X`, `X,Y` or `X,Y,Z`. */
export function dimensionsOf(text: string): Dim3 {
  const parts = text.split(',').map(Number)
  const [x, y = 1, z = 1] = parts
  if (x === undefined || parts.length > 3 || ![x, y, z].every((n) => Number.isInteger(n) && n >= 1 && n < 2 ** 31))
    throw new LaunchTextError('It must be one to three whole numbers with commas, like 64,64.')
  return [x, y, z]
}

/** `NAME=NUMBER`; `true` is 1, `false` 0. */
export function namedNumber(text: string, before?: Named<number>): Named<number> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
  const n = value === 'true' ? 1 : value === 'false' ? 0 : Number(value)
  if (name === undefined || !Number.isFinite(n)) throw new LaunchTextError('It must be NAME=NUMBER.')
  return { ...before, [name]: n }
}

const axes = ['x', 'y', 'z', 'w'] as const

/** `NAME=NUMBER`, or `NAME=X,Y,Z` for the numbers of a vector, `NAME.x` and so on; brackets may stand around them. */
export function namedNumbers(text: string, before?: Named<number>): Named<number> {
  const [, name, list = ''] = /^([^=]+)=\[?([^[\]]*,[^[\]]*)\]?$/.exec(text) ?? [],
    parts = list.split(',').map((p) => (p.trim() === '' ? NaN : Number(p)))
  if (name === undefined) return namedNumber(text, before)
  if (parts.length > axes.length || !parts.every(Number.isFinite))
    throw new LaunchTextError('It must be NAME=NUMBER, or NAME=X,Y,Z of a vector.')
  return { ...before, ...Object.fromEntries(parts.map((n, i) => [`${name}.${axes[i]}`, n])) }
}

/** Bytes of shared memory that a launch adds. */
export function sharedBytesText(text: string): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < 0 || n > 2 ** 20)
    throw new LaunchTextError('It must be a number of bytes up to 1048576.')
  return n
}

const fills = ['random', 'zero', 'iota'] as const

/** `NAME=TYPE[COUNT]`, with `:FILL`; `fileBytes` reads the file of `:@FILE`. */
export function namedBuffer(
  text: string,
  before: Named<BufferSpec> | undefined,
  fileBytes: (path: string) => ArrayBuffer,
): Named<BufferSpec> {
  const [, name, type = '', count, how] = /^([^=]+)=([\w-]+)(?:\[([\w,=]+)\])?(?::(.+))?$/.exec(text) ?? []
  const texture = textureShape(type, count)
  const plain = /^(i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64)$/.test(type) && /^\d+$/.test(count ?? '')
  if (name === undefined || (!texture && !plain))
    throw new LaunchTextError(
      'It must be NAME=TYPE[COUNT] or NAME=TYPE[COUNT]:FILL, like a=f32[1024]:random; a texture has a format ' +
        'and sides, like t=rgba8unorm[256x256].',
    )
  const fill =
    how === undefined ? undefined : how.startsWith('@') ? fileBytes(how.slice(1)) : fills.find((f) => f === how)
  if (how !== undefined && fill === undefined)
    throw new LaunchTextError(`The fill must be ${fills.join(', ')} or @file.`)
  return {
    ...before,
    [name]: {
      ...(texture ? { texture } : { type: type as MemoryType, count: Number(count) }),
      ...(fill !== undefined && { fill }),
    },
  } // the pattern lists memory types
}

/** `NAME=WORDS`. */
export function samplerOf(text: string, before?: Named<SamplerSpec>): Named<SamplerSpec> {
  const [, name, words = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  const spec = samplerSpec(words)
  if (name === undefined) throw new LaunchTextError('It must be NAME=WORDS, like s=linear,repeat.')
  return { ...before, [name]: spec }
}
