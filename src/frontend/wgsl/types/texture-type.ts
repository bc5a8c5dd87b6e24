// The types of textures and samplers as written. In: a name and template arguments. Out: the type, or undefined for
// other names. The one idea: the name's words say everything but the element and the storage format.
import { fail } from '../../../base/index.ts'
import { formatNamed } from '../../../ir/index.ts'
import type { Expression } from '../text/source.ts'
import { spanOf, type Env, type WgslScope } from '../scope.ts'
import { wgslTypeText, type AccessMode, type TextureType, type WType } from './types.ts'

const sampledName = /^texture_(multisampled_)?(1d|2d|3d|cube)(_array)?$/
const depthName = /^texture_depth_(multisampled_)?(2d|cube)(_array)?$/
const storageName = /^texture_storage_(1d|2d|3d)(_array)?$/

type Shape = TextureType['shape']

const base = { multisampled: false, arrayed: false, format: null, access: 'read' } as const

export function textureType(env: Env, name: string, args: readonly Expression[], scope: WgslScope): WType | undefined {
  if (name === 'sampler' || name === 'sampler_comparison') return { kind: 'sampler', comparison: name !== 'sampler' }
  if (name === 'texture_external')
    return { ...base, kind: 'texture', text: name, role: 'external', shape: '2d', element: 'f32' }
  const depth = depthName.exec(name)
  if (depth)
    return {
      ...base,
      kind: 'texture',
      text: name,
      role: 'depth',
      shape: depth[2] as Shape,
      arrayed: depth[3] !== undefined,
      multisampled: depth[1] !== undefined,
      element: 'f32',
    } // the pattern lists shapes
  const sampled = sampledName.exec(name)
  if (sampled) {
    const element = elementOf(env, name, args, scope)
    return {
      ...base,
      kind: 'texture',
      text: `${name}<${element}>`,
      role: 'sampled',
      shape: sampled[2] as Shape,
      arrayed: sampled[3] !== undefined,
      multisampled: sampled[1] !== undefined,
      element,
    } // the pattern lists shapes
  }
  const storage = storageName.exec(name)
  // the pattern lists shapes
  return storage ? storageType(env, name, storage[1] as Shape, storage[2] !== undefined, args) : undefined
}

function elementOf(env: Env, name: string, args: readonly Expression[], scope: WgslScope): TextureType['element'] {
  const type = args.length === 1 ? env.typeOf(args[0]!, scope) : null
  if (type?.kind === 'scalar' && (type.name === 'f32' || type.name === 'i32' || type.name === 'u32')) return type.name
  return fail('wgsl.type', `${name} is made of f32, i32 or u32${type ? `, not ${wgslTypeText(type)}` : ''}`, env.k.at)
}

const modes: Readonly<Record<string, AccessMode>> = { read: 'read', write: 'write', read_write: 'read-write' }
const wordOf = (e: Expression | undefined): string =>
  e?.kind === 'ref' ? e.ident.originalName : e?.kind === 'type' ? e.name.originalName : ''

function storageType(env: Env, name: string, shape: Shape, arrayed: boolean, args: readonly Expression[]): TextureType {
  const [written, mode] = [wordOf(args[0]), wordOf(args[1])]
  const format = formatNamed(written)
  const access = Object.hasOwn(modes, mode) ? modes[mode] : undefined
  if (!format || format.depth || format.srgb)
    return fail('wgsl.type', `'${written}' is no texel format of a storage texture`, args[0] && spanOf(env, args[0]))
  if (!access || args.length !== 2)
    return fail('wgsl.type', `${name} needs a texel format and read, write or read_write in <…>`, env.k.at)
  return {
    ...base,
    kind: 'texture',
    text: `${name}<${written}, ${mode}>`,
    role: 'storage',
    shape,
    arrayed,
    element: format.element,
    format: written,
    access,
  }
}
