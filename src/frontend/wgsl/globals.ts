// The names of a module. In: its declarations. Out: what each stands for, found out when it is first asked for, since
// WGSL lets declarations stand in any order. The one idea: a variable becomes a resource only when the kernel touches
// it.
import { fail } from '../../base/index.ts'
import {
  bytesOf,
  formatNamed,
  usualFormat,
  type Operand,
  type Resource,
  type TexelFormat,
  type TextureSpec,
} from '../../ir/index.ts'
import { boundedSize, registersFor, storeTo, whole } from './access.ts'
import { constantNumber, WgslScope, spanOf, type Bound, type BoundSampler, type Entry, type Env } from './scope.ts'
import type { WgslAttributes, ElemOf, WgslModule, Node } from './text/source.ts'
import { constantValue, localMemory, refuseConditional } from './declarations.ts'
import {
  elementName,
  isUnsized,
  layoutStruct,
  memoryOf,
  partCount,
  registerOf,
  wgslTypeText,
  type AccessMode,
  type ScalarName,
  type TextureType,
  type WType,
} from './types/types.ts'
import {
  coerce,
  concretize,
  literalValue,
  zero,
  type Ref,
  type Sampler,
  type Texture,
  type WgslValue,
} from './values.ts'

type Named = Extract<Node, { kind: 'alias' | 'const' | 'override' | 'gvar' | 'struct' | 'fn' }>

interface Slot {
  readonly group: number
  readonly binding: number
}

/** Where no binding is: small constants that a pass sets (wgpu's push constants), read as uniform variables are. */
const immediates: Slot = { group: -1, binding: -1 }

/**
 * Bytes that one workgroup variable may have, far beyond every GPU: a kernel that no GPU starts is explained all the
 * same, and a type of gigabytes is refused before it takes memory here.
 */
const maxWorkgroupBytes = 1 << 24

/** Module scope. `env` is set once it exists. */
export class Globals extends WgslScope {
  readonly bound: Bound[] = []
  readonly samplers: BoundSampler[] = []
  private readonly decls = new Map<string, Named>()
  private readonly resolved = new Map<string, Entry>()
  private readonly resolving = new Set<string>()
  private readonly overrides: Readonly<Record<string, number>>
  private env: Env | undefined

  constructor(module: WgslModule, overrides: Readonly<Record<string, number>>) {
    super(null)
    this.overrides = overrides
    for (const d of module.decls) {
      const name = nameOf(d)
      if (name !== null) this.decls.set(name, d as Named) // those with a name
    }
  }

  attach(env: Env): void {
    this.env = env
    for (const name of Object.keys(this.overrides)) this.checkOverride(name, env)
  }

  private checkOverride(name: string, env: Env): void {
    const all = [...this.decls].flatMap(([own, d]) =>
      d.kind === 'override'
        ? [own, ...[attribute(env, d.attributes, 'id', this)].filter((id) => id !== undefined).map(String)]
        : [],
    )
    if (!all.includes(name))
      fail(
        'wgsl.override',
        `the module has no override '${name.slice(0, 80)}'`,
        undefined,
        all.length > 0 ? `it has ${all.join(', ')}` : 'it has none',
      )
  }

  structOf(name: string): ElemOf<'struct'> | undefined {
    const d = this.decls.get(name)
    return d?.kind === 'struct' ? d : undefined
  }

  override get(name: string): Entry | undefined {
    const known = this.resolved.get(name)
    if (known) return known
    const decl = this.decls.get(name)
    if (!decl || !this.env) return undefined
    if (this.resolving.has(name)) return fail('wgsl.cycle', `'${name}' is defined by itself`, spanOf(this.env, decl))
    this.resolving.add(name)
    const at = this.env.k.at
    const entry = this.resolve(decl, name, this.env)
    this.env.k.at = at
    this.resolving.delete(name)
    this.resolved.set(name, entry)
    return entry
  }

  private resolve(d: Named, name: string, env: Env): Entry {
    env.k.at = spanOf(env, d)
    refuseConditional(env, d)
    switch (d.kind) {
      case 'alias':
        return { kind: 'type', type: env.typeOf(d.typeRef, this) }
      case 'struct':
        return { kind: 'type', type: this.struct(d, name, env) }
      case 'fn':
        return { kind: 'function', fn: d }
      case 'const':
        return { kind: 'value', value: constantValue(env, d, this), constant: true }
      case 'override':
        return { kind: 'value', value: this.override(d, name, env), constant: true }
      case 'gvar':
        return this.variable(d, name, env)
    }
  }

  private struct(d: ElemOf<'struct'>, name: string, env: Env): WType {
    const members = d.members.map((m) => {
      refuseConditional(env, m)
      const [size, align] = [attribute(env, m.attributes, 'size', this), attribute(env, m.attributes, 'align', this)]
      if (align !== undefined && (align < 1 || !Number.isInteger(Math.log2(align))))
        fail('wgsl.type', `@align(${align}) is no power of two`, spanOf(env, m))
      return {
        name: m.name.name,
        type: env.typeOf(m.typeRef, this),
        ...(size !== undefined && { size }),
        ...(align !== undefined && { align }),
      }
    })
    const again = members.find((m, i) => members.findIndex((x) => x.name === m.name) !== i)
    if (again) fail('wgsl.name', `struct ${name} has two members '${again.name}'`, spanOf(env, d))
    return layoutStruct(name, members)
  }

  private override(d: ElemOf<'override'>, name: string, env: Env): WgslValue {
    const id = attribute(env, d.attributes, 'id', this)
    const key = Object.hasOwn(this.overrides, name)
      ? name
      : id !== undefined && Object.hasOwn(this.overrides, String(id))
        ? String(id)
        : null
    if (key === null) {
      if (!d.init)
        return fail('wgsl.override', `override '${name}' has no value`, env.k.at, `give it one: --override ${name}=…`)
      return concretize(env.k, constantValue(env, d, this))
    }
    const type = d.name.typeRef
      ? env.typeOf(d.name.typeRef, this)
      : d.init
        ? concretize(env.k, constantValue(env, d, this)).type
        : fail('wgsl.type', `override '${name}' needs a type`, env.k.at)
    return given(env, type, this.overrides[key]!, name)
  }

  private variable(d: ElemOf<'gvar'>, name: string, env: Env): Entry {
    const words = d.template?.map((t) => t.name) ?? []
    const space = words[0]
    if (!d.name.typeRef && !d.init) return fail('wgsl.type', `variable '${name}' needs a type`, env.k.at)
    const type = d.name.typeRef
      ? env.typeOf(d.name.typeRef, this)
      : concretize(env.k, env.expression(d.init!, this)).type
    if (type.kind === 'texture')
      return { kind: 'value', value: { type, parts: [], handle: this.texture(d, name, type, env) } }
    if (type.kind === 'sampler')
      return { kind: 'value', value: { type, parts: [], handle: this.sampler(d, name, type.comparison, env) } }
    const place = (ref: Ref): Entry => ({ kind: 'place', ref })
    switch (space) {
      case 'storage':
      case 'uniform':
        return place(this.bind(this.slot(d, name, env), d, name, type, space, accessOf(words[1]), env))
      case 'workgroup':
        return place(workgroup(name, type, env))
      case 'private':
        return place(this.private(d, name, type, env))
      case 'immediate':
      case 'push_constant':
        return place(this.bind(immediates, d, name, type, 'uniform', 'read', env))
      default:
        return fail(
          'wgsl.unsupported',
          `variable '${name}' of type ${wgslTypeText(type)} has no address space that kernels here can use`,
          env.k.at,
        )
    }
  }

  /** `@group` and `@binding`, which no other variable of the kernel has. */
  private slot(d: ElemOf<'gvar'>, name: string, env: Env): Slot {
    const [group, binding] = [
      attribute(env, d.attributes, 'group', this),
      attribute(env, d.attributes, 'binding', this),
    ]
    if (group === undefined || binding === undefined)
      return fail('wgsl.binding', `variable '${name}' needs @group and @binding`, env.k.at)
    const same = [...this.bound, ...this.samplers].find((b) => b.group === group && b.binding === binding)
    if (same)
      fail(
        'wgsl.binding',
        `'${name}' and '${same.name}' have the same @group(${group}) @binding(${binding})`,
        env.k.at,
        'WebGPU refuses a pipeline that uses both',
      )
    return { group, binding }
  }

  private sampler(d: ElemOf<'gvar'>, name: string, comparison: boolean, env: Env): Sampler {
    const sampler: Sampler = { kind: 'sampler', name, comparison, spec: env.samplerSpec(name) }
    this.samplers.push({ name, ...this.slot(d, name, env), sampler })
    return sampler
  }

  private texture(d: ElemOf<'gvar'>, name: string, type: TextureType, env: Env): Texture {
    const slot = this.slot(d, name, env)
    const spec = env.textureSpec(name)
    const format = textureFormat(env, name, type, spec)
    const resource: Resource = {
      name: env.unique(name),
      space: 'texture',
      type: format.memory,
      count: null,
      access: type.access,
    }
    env.k.resource(resource)
    const sizes = new Map<0 | 1 | 2, string>()
    const levels = type.multisampled || type.role === 'storage' || type.role === 'external' ? 1 : (spec.levels ?? 1)
    const size = (axis: 0 | 1 | 2): Operand => env.extentOf(resource, axis, sizes)
    const texture: Texture = {
      kind: 'texture',
      name,
      type,
      resource,
      format,
      levels,
      samples: type.multisampled ? (spec.samples ?? 4) : 1,
      size,
    }
    this.bound.push({
      name,
      resource,
      type,
      ...slot,
      space: 'texture',
      texture: { texture, sizes },
      at: env.k.at ?? spanOf(env, d),
    })
    return texture
  }

  private bind(
    { group, binding }: Slot,
    d: ElemOf<'gvar'>,
    name: string,
    type: WType,
    space: 'storage' | 'uniform',
    access: AccessMode,
    env: Env,
  ): Ref {
    const element = elementOrWord(type)
    const count = isUnsized(type)
      ? null
      : Math.ceil(boundedSize(type, 2 ** 31, `variable '${name}'`, env.k.at) / bytesOf[element])
    const mode = space === 'uniform' ? 'read' : access
    const resource: Resource = {
      name: env.unique(name),
      space: space === 'uniform' ? 'constant' : 'global',
      type: element,
      count,
      access: mode,
    }
    env.k.resource(resource)
    this.bound.push({ name, resource, type, group, binding, space, at: env.k.at ?? spanOf(env, d) })
    return whole(resource, type, mode, space)
  }

  private private(d: ElemOf<'gvar'>, name: string, type: WType, env: Env): Ref {
    const value = d.init ? coerce(env.k, env.expression(d.init, this), type, `the value of '${name}'`) : null
    if (env.inMemory.has(d) || partCount(type) > 256) {
      const ref = localMemory(env, name, type, 'private')
      if (value) env.before(() => storeTo(env.k, ref, value))
      return ref
    }
    const ref: Ref = {
      kind: 'registers',
      type,
      choices: [registersFor(env.k, name, type)],
      index: null,
      owner: d,
      space: 'private',
    }
    env.before(() => storeTo(env.k, ref, value ?? zero(type)))
    return ref
  }
}

function nameOf(d: Node): string | null {
  switch (d.kind) {
    case 'alias':
    case 'struct':
    case 'fn':
      return d.name.ident.originalName
    case 'const':
    case 'override':
    case 'gvar':
      return d.name.decl.ident.originalName
    default:
      return null
  }
}

const structElements = new WeakMap<WType, ReturnType<typeof memoryOf>>()

/** The scalar that a type is made of, or u32 for mixed structs. */
function elementOrWord(type: WType): ReturnType<typeof memoryOf> {
  if (type.kind === 'struct') {
    const known = structElements.get(type)
    if (known) return known
    const inner = type.members.map((m) => elementOrWord(m.type))
    const found = inner.every((t) => t === inner[0]) ? (inner[0] ?? 'u32') : 'u32'
    structElements.set(type, found)
    return found
  }
  if (type.kind === 'array' && type.element.kind === 'struct') return elementOrWord(type.element)
  const name = elementName(type)
  return name ? memoryOf(name) : 'u32'
}

/** The format that the source or the launch gives. Throws `explain.texture` when the two do not go together. */
function textureFormat(env: Env, name: string, type: TextureType, spec: TextureSpec): TexelFormat {
  if (type.format !== null) {
    if (spec.format !== undefined && spec.format !== type.format)
      fail('explain.texture', `texture '${name}' is ${type.text} in the source, not ${spec.format}`, env.k.at)
    return formatNamed(type.format)!
  }
  if (spec.format === undefined) return usualFormat(type.element, type.role === 'depth')
  const format =
    formatNamed(spec.format) ??
    fail(
      'explain.texture',
      `'${spec.format}' is no texture format that can be read here`,
      env.k.at,
      'compressed formats are not; use one of their decoded size',
    )
  if (format.element !== type.element)
    fail(
      'explain.texture',
      `a texture of format ${format.name} gives ${format.element}, but '${name}' is ${type.text}`,
      env.k.at,
    )
  return format
}

function workgroup(name: string, type: WType, env: Env): Ref {
  const element = elementOrWord(type)
  const bytes = boundedSize(type, maxWorkgroupBytes, `workgroup variable '${name}'`, env.k.at)
  if (isUnsized(type)) fail('wgsl.type', `workgroup variable '${name}' needs a fixed size`, env.k.at)
  const count = Math.max(1, Math.ceil(bytes / bytesOf[element]))
  return whole(env.k.shared(env.unique(name), element, count, true), type, 'read-write', 'workgroup')
}

const accessOf = (word: string | undefined): AccessMode =>
  word === 'read_write' ? 'read-write' : word === 'write' ? 'write' : 'read'

function given(env: Env, type: WType, value: number, name: string): WgslValue {
  if (type.kind !== 'scalar') return fail('wgsl.type', `override '${name}' must be a scalar`, env.k.at)
  const whole: readonly ScalarName[] = ['i32', 'u32']
  const fits =
    !whole.includes(type.name) ||
    (Number.isInteger(value) &&
      (type.name === 'i32' ? value >= -(2 ** 31) && value < 2 ** 31 : value >= 0 && value < 2 ** 32))
  if (!fits) fail('wgsl.range', `override '${name}' is ${type.name}, which cannot hold ${value}`, env.k.at)
  return registerOf(type.name) === 'bool' ? literalValue('bool', value === 0 ? 0 : 1) : literalValue(type.name, value)
}

/** The number in `@name(…)`, if the attribute is there. */
export function attribute(env: Env, attributes: WgslAttributes, name: string, scope: WgslScope): number | undefined {
  for (const { attribute: a } of attributes ?? []) {
    if (a.kind !== '@attribute' || a.name !== name || !a.params?.[0]) continue
    return constantNumber(env, a.params[0].expression, scope, `@${name}`)
  }
  return undefined
}

export const hasAttribute = (attributes: WgslAttributes, name: string): boolean =>
  attributes?.some(({ attribute: a }) => a.kind === '@attribute' && a.name === name) ?? false
