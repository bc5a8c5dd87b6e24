// Textures and samplers as text. In: what stands after NAME= in `--buffer` and `--sampler`. Out: a shape or
// a sampler, or null when the text is of another form. The one idea: a texture is written like a buffer whose type is a
// texel format: `rgba8unorm[1024x1024,levels=4]`.
import { formatNamed, type AddressMode, type Compare, type SamplerSpec } from '../../ir/index.ts'
import type { TextureShape } from '../types.ts'
import { LaunchTextError } from './error.ts'

/** `FORMAT`, `FORMAT[WxHxD]`, with `,levels=N` and `,samples=4`. Null when the type is no texel format. */
export function textureShape(type: string, size: string | undefined): TextureShape | null {
  if (!formatNamed(type)) return null
  const [sides = '', ...options] = (size ?? '').split(',')
  const counts = Object.fromEntries(options.map((o) => /^(levels|samples)=(\d+)$/.exec(o)?.slice(1) ?? refuse()))
  const lengths = sides === '' ? [] : sides.split('x').map((n) => (/^\d+$/.test(n) ? Number(n) : refuse()))
  const [x, y = 1, z = 1] = lengths
  if (lengths.length > 3) refuse()
  const number = (key: string): number | undefined => (Object.hasOwn(counts, key) ? Number(counts[key]) : undefined)
  const [levels, samples] = [number('levels'), number('samples')]
  return {
    format: type,
    ...(x !== undefined && { size: [x, y, z] as const }),
    ...(levels !== undefined && { levels }),
    ...(samples !== undefined && { samples }),
  }
}

const refuse = (): never => {
  throw new LaunchTextError(
    'A texture must be NAME=FORMAT, NAME=FORMAT[WxH] or NAME=FORMAT[WxHxD,levels=N], like ' +
      't=rgba8unorm[256x256]:random.',
  )
}

const modes: readonly AddressMode[] = ['clamp', 'repeat', 'mirror']
const compares: readonly Compare[] = [
  'never',
  'less',
  'equal',
  'less-equal',
  'greater',
  'not-equal',
  'greater-equal',
  'always',
]

/**
 * Words with commas: `linear` or `nearest`, `mip-linear` or `mip-nearest`, `clamp`, `repeat` or `mirror` once for all
 * axes or once for each, a comparison, `normalized` or `texels`.
 */
export function samplerSpec(text: string): SamplerSpec {
  const words = text.split(',')
  const address = words.flatMap((w) => modes.filter((m) => m === w))
  const filter = words.find((w) => w === 'linear' || w === 'nearest')
  const mip = words.find((w) => w === 'mip-linear' || w === 'mip-nearest')
  const compare = compares.find((c) => words.includes(c))
  const coordinates = words.find((w) => w === 'normalized' || w === 'texels')
  const named = address.length + (filter ? 1 : 0) + (mip ? 1 : 0) + (compare ? 1 : 0) + (coordinates ? 1 : 0)
  if (named !== words.length || address.length > 3)
    throw new LaunchTextError(
      `It must be NAME=WORDS with commas, like s=linear,repeat. Words: nearest, linear, mip-nearest, ` +
        `mip-linear, normalized, texels, ${[...modes, ...compares].join(', ')}.`,
    )
  const [x, y = x, z = y] = address
  return {
    ...(filter !== undefined && { filter: filter === 'linear' ? 'linear' : 'nearest' }),
    ...(mip !== undefined && { mip: mip === 'mip-linear' ? 'linear' : 'nearest' }),
    ...(x && { address: [x, y ?? x, z ?? x] as const }),
    ...(compare && { compare }),
    ...(coordinates !== undefined && { coordinates: coordinates === 'texels' ? 'texels' : 'normalized' }),
  }
}
