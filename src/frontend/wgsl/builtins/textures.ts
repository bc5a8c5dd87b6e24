// Built-in functions on textures. In: a name and arguments. Out: a value, or undefined for other names. The one idea:
// every function has the same parts (texture, sampler, channel, coordinates, layer, level, offset); which are there
// follows from the function and the texture's type, so one walk over the arguments serves all.
import { fail } from '../../../base/index.ts'
import {
  constOf,
  dimensions,
  extent,
  gatherTexels,
  levelOf,
  loadTexel,
  sample,
  storeTexel,
  type Operand,
  type TexelPlace,
  type SampleArgs,
} from '../../../ir/index.ts'
import type { Env } from '../scope.ts'
import { ofSize, scalar, wgslTypeText, vectorType, voidType, type WType } from '../types/types.ts'
import { coerce, concretize, scalarValue, vectorValue, type Sampler, type Texture, type WgslValue } from '../values.ts'

const nothing: WgslValue = { type: voidType, parts: [] }

/** Takes arguments one by one, each as the type that its place wants. */
class Arguments {
  readonly texture: Texture
  private readonly env: Env
  private readonly name: string
  private readonly list: WgslValue[]

  constructor(env: Env, name: string, args: readonly WgslValue[]) {
    this.env = env
    this.name = name
    this.list = [...args]
    const at = this.list.findIndex((a) => a.handle?.kind === 'texture')
    const found = this.list[at]?.handle
    this.texture =
      found?.kind === 'texture' && at < 2 ? found : fail('wgsl.type', `${name}() takes a texture`, env.k.at)
    this.list.splice(at, 1)
  }

  get left(): number {
    return this.list.length
  }

  value(what: string): WgslValue {
    return this.list.shift() ?? fail('wgsl.type', `${this.name}() needs ${what}`, this.env.k.at)
  }

  sampler(): Sampler {
    const { handle } = this.value('a sampler')
    return handle?.kind === 'sampler'
      ? handle
      : fail('wgsl.type', `${this.name}() takes a sampler after the texture`, this.env.k.at)
  }

  floats(n: number): readonly Operand[] {
    return coerce(this.env.k, this.value('coordinates'), ofSize(n, 'f32'), `an argument of ${this.name}()`).parts
  }

  /** i32 or u32, `n` of them. */
  integers(n: number, what: string): readonly Operand[] {
    const v = concretize(this.env.k, this.value(what))
    const element = v.type.kind === 'scalar' ? v.type.name : v.type.kind === 'vector' ? v.type.element : null
    if ((element !== 'i32' && element !== 'u32') || v.parts.length !== n)
      return fail('wgsl.type', `${what} of ${this.name}() cannot be ${wgslTypeText(v.type)}`, this.env.k.at)
    return v.parts
  }

  integer(what: string): Operand {
    return this.integers(1, what)[0]!
  }

  end(): void {
    if (this.list.length > 0)
      fail('wgsl.type', `${this.name}() has ${this.list.length} arguments too many`, this.env.k.at)
  }
}

/** Calls `name` if it is a function on textures. */
export function callTexture(env: Env, name: string, args: readonly WgslValue[]): WgslValue | undefined {
  if (!name.startsWith('texture') || name === 'textureBarrier') return undefined
  if (/^textureSample(Bias|Compare)?$/.test(name))
    return fail('wgsl.unsupported', `${name}() belongs to fragment shaders`, env.k.at, 'use textureSampleLevel()')
  const a = new Arguments(env, name, args)
  const made = make(env, name, a)
  a.end()
  return made
}

function make(env: Env, name: string, a: Arguments): WgslValue {
  switch (name) {
    case 'textureDimensions':
      return size(env, a)
    case 'textureNumLayers':
      return scalarValue('u32', layers(env, a.texture))
    case 'textureNumLevels':
      return scalarValue('u32', constOf('u32', a.texture.levels))
    case 'textureNumSamples':
      return scalarValue('u32', constOf('u32', a.texture.samples))
    case 'textureLoad':
      return load(env, a)
    case 'textureStore':
      return store(env, a)
    case 'textureSampleLevel':
    case 'textureSampleGrad':
    case 'textureSampleCompareLevel':
    case 'textureSampleBaseClampToEdge':
      return sampled(env, name, a)
    case 'textureGather':
    case 'textureGatherCompare':
      return gathered(env, name, a)
    default:
      return fail('wgsl.name', `unknown function '${name}'`, env.k.at)
  }
}

function size(env: Env, a: Arguments): WgslValue {
  const t = a.texture
  const level = a.left > 0 ? a.integer('the level') : undefined
  return vectorValue(
    'u32',
    ([0, 1, 2] as const).slice(0, dimensions(t)).map((axis) => extent(env.k, t, axis, level)),
  )
}

/** Cubes count once, not face by face. */
const layers = (env: Env, t: Texture): Operand =>
  t.type.shape === 'cube' ? env.k.apply('div', [t.size(2), constOf('u32', 6)]) : t.size(2)

function place(a: Arguments): TexelPlace {
  const t = a.texture
  if (t.type.shape === 'cube') return { at: a.integers(3, 'the coordinates') } // refused by the caller
  const at = a.integers(dimensions(t), 'the coordinates')
  return { at, ...(t.type.arrayed && { layer: a.integer('the layer') }) }
}

/** Depth textures give one channel, the others four. */
const result = (t: Texture, parts: readonly Operand[]): WgslValue =>
  t.type.role === 'depth' ? scalarValue('f32', parts[0]!) : vectorValue(t.type.element, parts)

function load(env: Env, a: Arguments): WgslValue {
  const t = a.texture
  if (t.type.shape === 'cube') return fail('wgsl.type', `textureLoad() cannot take ${t.type.text}`, env.k.at)
  if (t.type.role === 'storage' && t.type.access === 'write')
    return fail('wgsl.access', `'${t.name}' cannot be read`, env.k.at)
  const at = place(a)
  if (t.type.multisampled) return result(t, loadTexel(env.k, t, { ...at, sample: a.integer('the sample') }))
  const leveled = t.type.role === 'sampled' || t.type.role === 'depth'
  return result(t, loadTexel(env.k, t, leveled ? { ...at, level: a.integer('the level') } : at))
}

function store(env: Env, a: Arguments): WgslValue {
  const t = a.texture
  if (t.type.role !== 'storage' || t.type.access === 'read')
    return fail('wgsl.access', `'${t.name}' cannot be written`, env.k.at)
  const at = place(a)
  const type: WType = vectorType(4, t.type.element)
  storeTexel(env.k, t, at, coerce(env.k, a.value('a value'), type, 'the stored value').parts)
  return nothing
}

const coordinates = (t: Texture): number => (t.type.shape === 'cube' ? 3 : dimensions(t))

/** Coordinates and, for arrays, the layer. */
function target(a: Arguments): SampleArgs {
  const coords = a.floats(coordinates(a.texture))
  return { coords, ...(a.texture.type.arrayed && { layer: a.integer('the layer') }) }
}

function offset(env: Env, a: Arguments): Pick<SampleArgs, 'offset'> {
  if (a.left === 0 || a.texture.type.shape === 'cube') return {}
  const n = dimensions(a.texture)
  return { offset: coerce(env.k, a.value('an offset'), ofSize(n, 'i32'), 'the offset').parts }
}

function sampled(env: Env, name: string, a: Arguments): WgslValue {
  const { k } = env
  const t = a.texture
  const s = a.sampler()
  if (t.type.element !== 'f32' || t.type.role === 'storage' || t.type.multisampled)
    return fail('wgsl.type', `${name}() cannot take ${t.type.text}`, k.at)
  if (name === 'textureSampleBaseClampToEdge')
    return result(
      t,
      sample(
        k,
        t,
        { ...s, spec: { ...s.spec, address: ['clamp', 'clamp', 'clamp'] } },
        { coords: insideEdges(env, t, a.floats(2)) },
      ),
    )
  const where = target(a)
  const parts =
    name === 'textureSampleCompareLevel'
      ? { ...where, reference: a.floats(1)[0]! }
      : { ...where, level: level(env, name, a) }
  return name === 'textureSampleCompareLevel'
    ? scalarValue('f32', sample(k, t, s, { ...parts, ...offset(env, a) })[0]!)
    : result(t, sample(k, t, s, { ...parts, ...offset(env, a) }))
}

/** f32, or an integer for depth textures; from gradients where they are given. */
function level(env: Env, name: string, a: Arguments): Operand {
  if (name === 'textureSampleGrad') {
    if (a.texture.type.shape === 'cube' && a.texture.levels > 1)
      fail(
        'wgsl.unsupported',
        'textureSampleGrad() on a cube map of several levels cannot be analysed',
        env.k.at,
        'use textureSampleLevel()',
      )
    const n = coordinates(a.texture)
    return levelOf(env.k, a.texture, a.floats(n), a.floats(n))
  }
  const v = a.value('a level')
  const concrete = a.texture.type.role === 'depth' ? concretize(env.k, v) : coerce(env.k, v, scalar('f32'), 'the level')
  return env.k.apply('convert', [concrete.parts[0]!], 'f32')
}

/** Half a texel from the edges, so that filters stay inside. */
function insideEdges(env: Env, t: Texture, coords: readonly Operand[]): readonly Operand[] {
  const { k } = env
  return k.free(() =>
    coords.map((c, n) => {
      // two coordinates
      const half = k.apply('div', [constOf('f32', 0.5), k.apply('convert', [t.size(n as 0 | 1)], 'f32')])
      return k.apply('min', [k.apply('max', [c, half]), k.apply('sub', [constOf('f32', 1), half])])
    }),
  )
}

function gathered(env: Env, name: string, a: Arguments): WgslValue {
  const { k } = env
  const t = a.texture
  if (t.type.shape === '1d' || t.type.shape === '3d' || t.type.multisampled || t.type.role === 'storage')
    return fail('wgsl.type', `${name}() cannot take ${t.type.text}`, k.at)
  const channel = t.type.role === 'depth' ? 0 : constantChannel(env, a)
  const s = a.sampler()
  const where = target(a)
  const full = name === 'textureGatherCompare' ? { ...where, reference: a.floats(1)[0]! } : where
  return vectorValue(t.type.element, gatherTexels(k, t, s, { ...full, ...offset(env, a) }, channel))
}

function constantChannel(env: Env, a: Arguments): number {
  const c = a.integer('the channel')
  if (c.kind !== 'const' || Number(c.value) < 0 || Number(c.value) > 3)
    return fail('wgsl.const', 'the channel must be a constant from 0 to 3', env.k.at)
  return Number(c.value)
}
