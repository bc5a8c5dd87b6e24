// Names and what they stand for while a kernel is made, and the environment that the parts of the lowering share. In:
// nothing. Out: `Scope`, `Env`. The one idea: the parts (types, expressions, calls, statements) know each other only
// through `Env`, so that they need not import each other.
import { fail, type Span } from '../../base/index.ts'
import type { Operand, Resource, SamplerSpec, TextureSpec } from '../../ir/index.ts'
import { type ElemOf, type Expression, type Fn, type WgslSource, type TypeRef, spanAt } from './text/source.ts'
import type { WType } from './types/types.ts'
import type { Builder, Ref, Sampler, Texture, WgslValue } from './values.ts'

export type Entry =
  /** `constant`: of a `const` or `override`, known before anything runs. */
  | { readonly kind: 'value'; readonly value: WgslValue; readonly constant?: true }
  | { readonly kind: 'place'; readonly ref: Ref }
  | { readonly kind: 'type'; readonly type: WType }
  | { readonly kind: 'function'; readonly fn: Fn }

/** One level of names. */
export class WgslScope {
  private readonly parent: WgslScope | null
  private readonly names = new Map<string, Entry>()
  constructor(parent: WgslScope | null) {
    this.parent = parent
  }

  get(name: string): Entry | undefined {
    return this.names.get(name) ?? this.parent?.get(name)
  }

  define(name: string, entry: Entry, at: Span | undefined): void {
    if (this.names.has(name)) fail('wgsl.name', `'${name}' is declared twice in the same block`, at)
    this.names.set(name, entry)
  }
}

/** A resource for each module variable that the kernel touches. */
export interface Bound {
  readonly name: string
  readonly resource: Resource
  readonly type: WType
  readonly group: number
  readonly binding: number
  readonly space: 'storage' | 'uniform' | 'texture'
  readonly texture?: BoundTexture
  readonly at: Span
}

export interface BoundTexture {
  readonly texture: Texture /** Launch parameters with the texels along an axis, where the kernel asks. */
  readonly sizes: Map<0 | 1 | 2, string>
}

export interface BoundSampler {
  readonly name: string
  readonly group: number
  readonly binding: number
  readonly sampler: Sampler
}

/** What the parts of the lowering share. */
export interface Env {
  readonly k: Builder
  readonly source: WgslSource
  readonly globals: WgslScope
  /** Declarations that an index known only at run time reaches: they live in local memory. */
  readonly inMemory: ReadonlySet<object>
  /** Asks for `owner` to live in memory in the next attempt. */
  readonly needMemory: (owner: object) => void
  /** Runs `emit` at the beginning of the kernel. */
  readonly before: (emit: () => void) => void
  /** Read-only memory with these bytes. */
  readonly table: (value: WgslValue) => Ref
  /** A new identifier for KernelIR, near to `name`. */
  readonly unique: (name: string) => string
  /** The u32 parameter with the bytes bound to a buffer. */
  readonly sizeOfBuffer: (resource: Resource) => WgslValue
  /** The u32 parameter with the texels of a texture along an axis; `sizes` notes its name. */
  readonly extentOf: (resource: Resource, axis: 0 | 1 | 2, sizes: Map<0 | 1 | 2, string>) => Operand
  /** What the launch says of a texture or sampler. */
  readonly textureSpec: (name: string) => TextureSpec
  readonly samplerSpec: (name: string) => SamplerSpec
  readonly features: ReadonlySet<string>
  /** The declaration of a struct. */
  structOf(name: string): ElemOf<'struct'> | undefined
  typeOf(e: Expression | TypeRef, scope: WgslScope): WType
  expression(e: Expression, scope: WgslScope): WgslValue
  place(e: Expression, scope: WgslScope): Ref | WgslValue
  callUser(fn: Fn, args: readonly WgslValue[]): WgslValue
}

/** What helps where a name is not known: the text may be a part of a shader. */
export const declaredElsewhere = 'if another file declares it, explain the whole text, which the device gets'

/** The place of a node, from its first character to its end. */
export const spanOf = (env: Env, node: { readonly start: number; readonly end: number }): Span =>
  spanAt(env.source, node.start, node.end)

export const isRef = (x: Ref | WgslValue): x is Ref => 'kind' in x

/** The value as an integer constant. Throws `wgsl.const` when it is none. */
export function constantNumber(env: Env, e: Expression, scope: WgslScope, what: string): number {
  const v = env.expression(e, scope)
  const p = v.parts[0]
  if (v.type.kind !== 'scalar' || p?.kind !== 'const')
    return fail('wgsl.const', `${what} must be a constant expression`, spanOf(env, e))
  return Number(p.value)
}
