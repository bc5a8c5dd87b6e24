// Texel formats, under WebGPU's names. In: a format's name. Out: what lies in memory and how its channels are read. The
// one idea: a texel is 1, 2 or 4 elements of one memory type, or one u32 that packs its channels. Compressed formats
// are not here.
import { bytesOf, type MemoryType } from '../types.ts'

export interface TexelFormat {
  readonly name: string
  readonly memory: MemoryType
  /** Elements per texel. */
  readonly lanes: 1 | 2 | 4
  readonly code: 'unorm' | 'snorm' | 'integer' | 'float' | 'packed'
  /** What a shader reads. */
  readonly element: 'f32' | 'i32' | 'u32'
  /** Red and blue change places. */
  readonly swapped: boolean
  /** Colours are stored by the sRGB curve. */
  readonly srgb: boolean
  readonly depth: boolean
  /** Whether linear filters may read it without asking for a feature. */
  readonly filterable: boolean
}

const unsigned: Readonly<Record<number, MemoryType>> = { 8: 'u8', 16: 'u16', 32: 'u32' }
const signed: Readonly<Record<number, MemoryType>> = { 8: 'i8', 16: 'i16', 32: 'i32' }

type Kind = 'unorm' | 'snorm' | 'uint' | 'sint' | 'float'

function plain(name: string, lanes: 1 | 2 | 4, bits: number, kind: Kind): TexelFormat {
  const memory =
    kind === 'float' ? (bits === 16 ? 'f16' : 'f32') : (kind === 'snorm' || kind === 'sint' ? signed : unsigned)[bits]!
  const code = kind === 'uint' || kind === 'sint' ? 'integer' : kind
  const element = kind === 'uint' ? 'u32' : kind === 'sint' ? 'i32' : 'f32'
  return {
    name,
    memory,
    lanes,
    code,
    element,
    swapped: name.startsWith('bgra'),
    srgb: name.endsWith('-srgb'),
    depth: name.startsWith('depth'),
    filterable: code !== 'integer' && bits < 32,
  }
}

const packed = (name: string, element: 'f32' | 'u32'): TexelFormat => ({
  ...plain(name, 1, 32, 'uint'),
  code: 'packed',
  element,
  filterable: element === 'f32',
})

const channels = { r: 1, rg: 2, rgba: 4 } as const

function regular(): TexelFormat[] {
  const sizes: readonly (readonly [number, readonly Kind[]])[] = [
    [8, ['unorm', 'snorm', 'uint', 'sint']],
    [16, ['unorm', 'snorm', 'uint', 'sint', 'float']],
    [32, ['uint', 'sint', 'float']],
  ]
  return sizes.flatMap(([bits, kinds]) =>
    kinds.flatMap((kind) =>
      Object.entries(channels).map(([letters, lanes]) => plain(`${letters}${bits}${kind}`, lanes, bits, kind)),
    ),
  )
}

const formats = new Map(
  [
    ...regular(),
    plain('rgba8unorm-srgb', 4, 8, 'unorm'),
    plain('bgra8unorm', 4, 8, 'unorm'),
    plain('bgra8unorm-srgb', 4, 8, 'unorm'),
    packed('rgb10a2unorm', 'f32'),
    packed('rgb10a2uint', 'u32'),
    packed('rg11b10ufloat', 'f32'),
    packed('rgb9e5ufloat', 'f32'),
    plain('depth16unorm', 1, 16, 'unorm'),
    plain('depth32float', 1, 32, 'float'),
    plain('depth24plus', 1, 32, 'float'),
  ].map((f) => [f.name, f]),
)

export const formatNamed = (name: string): TexelFormat | undefined => formats.get(name)

/** Bytes of one texel. */
export const texelBytes = (f: TexelFormat): number => bytesOf[f.memory] * f.lanes

/** What stands for a texture whose format nobody said. */
export function usualFormat(element: 'f32' | 'i32' | 'u32', depth: boolean): TexelFormat {
  const name = depth ? 'depth32float' : { f32: 'rgba8unorm', u32: 'rgba8uint', i32: 'rgba8sint' }[element]
  return formats.get(name)!
}
