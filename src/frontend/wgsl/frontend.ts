// In: WGSL text, an entry point's name, values of overrides. Out: a verified kernel and what must be bound to run it,
// or `DiagnosticError`s. The one idea: the kernel is built in one walk over wesl's tree; when an index known only at
// run time reaches a variable in registers, that variable is moved to memory and the walk is made again. Everything of
// other shader stages is refused by name.
import {
  applied,
  attempted,
  DiagnosticError,
  fail,
  InternalError,
  isInapplicable,
  type Span,
} from '../../base/index.ts'
import {
  bytesOf,
  kernelIR,
  route,
  runRoute,
  texelBytes,
  translation,
  verifyKernel,
  type AnyPass,
  type Kernel,
  type MemoryType,
  type Operand,
  type Pass,
  type PassTrace,
  type Representation,
  type Resource,
  type SamplerSpec,
  type Stmt,
  type TexelFormat,
  type TextureSpec,
  type Verified,
} from '../../ir/index.ts'
import { whole } from './access.ts'
import { entryInputs } from './inputs.ts'
import { evaluateExpression, place } from './expressions.ts'
import { Globals, hasAttribute } from './globals.ts'
import { packValue } from './types/constant-bytes.ts'
import { resolveType } from './types/type-names.ts'
import { constantNumber, spanOf, type Bound, type BoundTexture, type Env } from './scope.ts'
import { makeSource, parseWgslModule, type Fn, type WgslModule, type WgslSource } from './text/source.ts'
import { formerSyntax } from './text/former-syntax.ts'
import { templatePart } from './text/placeholders.ts'
import { checkAssert } from './declarations.ts'
import { Bodies } from './statements/statements.ts'
import { constantTripUnrolling } from './constant-trip-unrolling.ts'
import { registerPromotion } from './register-promotion.ts'
import { registerNumbering, simplification } from './simplification.ts'
import { mentioned, unusedBindings, type UnusedBinding } from './used-variables.ts'
import {
  elementName,
  isUnsized,
  memoryOf,
  bytesOfWgsl,
  strideOf,
  wgslTypeText,
  type TextureType,
  type WType,
} from './types/types.ts'
import { Builder, scalarValue, type Ref, type WgslValue } from './values.ts'

export interface WgslOptions {
  /** Name of the entry point; may be absent when the module has one. */
  readonly entry?: string
  /** Values of `override` declarations by name or `@id`. */
  readonly overrides?: Readonly<Record<string, number>>
  /** What is known of textures and samplers, by their names. */
  readonly textures?: Readonly<Record<string, TextureSpec>>
  readonly samplers?: Readonly<Record<string, SamplerSpec>>
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace | undefined
}

/** A texture as the kernel reads it. */
export interface WgslTexture {
  readonly type: TextureType
  readonly format: TexelFormat
  readonly levels: number
  readonly samples: number
  /** Parameters that hold texels along x, y and z (or layers), where the kernel asks for them. */
  readonly sizes: readonly { readonly axis: 0 | 1 | 2; readonly param: string }[]
}

export interface WgslSampler {
  readonly name: string
  readonly group: number
  readonly binding: number
  readonly comparison: boolean
  readonly spec: SamplerSpec
}

/** One buffer that a launch must bind. */
export interface WgslBinding {
  readonly name: string
  /** The kernel's resource; the same as `name` unless that is no plain identifier. */
  readonly resource: string
  readonly group: number
  readonly binding: number
  readonly space: 'global' | 'constant' | 'texture'
  readonly access: 'read' | 'write' | 'read-write'
  /** The type as WGSL spells it, and its layout. */
  readonly type: string
  readonly layout: WType
  /** What one element of an array of numbers is in memory, where that is no type of WGSL's. */
  readonly scalar?: MemoryType
  /** Fewest bytes; a runtime-sized array counts one element. */
  readonly minBytes: number
  /** Bytes of one element of the runtime-sized array, and where it begins; absent for fixed sizes. */
  readonly runtime?: { readonly stride: number; readonly offset: number }
  readonly texture?: WgslTexture
  readonly at: Span
}

export interface WgslKernel {
  readonly kernel: Verified<Kernel>
  readonly entry: string
  readonly workgroupSize: readonly [number, number, number]
  readonly bindings: readonly WgslBinding[]
  readonly samplers: readonly WgslSampler[]
  /** Variables with a binding that this entry point does not mention, which a host may bind all the same. */
  readonly unused: readonly UnusedBinding[]
  /** Parameters that hold the bytes of a buffer (for `arrayLength`), by the resource they measure. */
  readonly sizes: readonly { readonly param: string; readonly resource: string }[]
  /** Constant arrays of the program: memory that every launch binds. */
  readonly tables: readonly { readonly resource: string; readonly bytes: ArrayBuffer }[]
}

/** The compute entry points of a module, in order. */
export function entryPoints(text: string, file: string): readonly string[] {
  return computeEntries(moduleOf(makeSource(text, file))).map((f) => f.name.ident.originalName)
}

const computeEntries = (module: WgslModule): Fn[] =>
  module.decls.filter((d): d is Fn => d.kind === 'fn' && hasAttribute(d.attributes, 'compute'))

/** One entry point of a module, and what is known of what it is bound to. */
export interface WgslEntry {
  readonly source: WgslSource
  readonly module: WgslModule
  readonly entry: Fn
  readonly options: WgslOptions
}

/** The kernel of an entry point on its way; `finish` says what must be bound to run it. */
export interface WgslDraft {
  readonly kernel: Kernel
  readonly finish: (kernel: Verified<Kernel>) => WgslKernel
}

export const wgslText: Representation<WgslEntry> = {
  name: 'WGSL',
  print: ({ source }) => source.text,
  verify: () => {}, // what is no WGSL is refused where it is read
}

export const wgslDraft: Representation<WgslDraft> = {
  name: 'KernelIR',
  print: ({ kernel }) => kernelIR.print(kernel),
  verify: ({ kernel }) => kernelIR.verify(kernel),
  isSame: (a, b) => a.kernel === b.kernel,
}

/** A pass over kernels as one over drafts. */
/* @__NO_SIDE_EFFECTS__ */
const onDraft = (of: Pass<Kernel>): Pass<WgslDraft> => ({
  ...of,
  of: wgslDraft,
  declared: of as AnyPass,
  run: (draft, context) => {
    const kernel = of.run(draft.kernel, context)
    return kernel === draft.kernel ? draft : { ...draft, kernel }
  },
})

// Before:
//
//   @group(0) @binding(0) var<storage, read_write> x: array<f32>;
//
//   @compute @workgroup_size(32)
//   fn scale(@builtin(local_invocation_index) i: u32) {
//     x[i] = x[i] * 2.0;
//   }
//
// After:
//
//   kernel scale block 32 1 1
//   global x: f32[*] read-write
//   reg threadRank.0: u32
//   reg x0.1: f32
//   reg mul.2: f32
//   {
//     threadRank.0 = builtin threadRank @ "example.wgsl":4:10+39
//     x0.1 = load f32 x[threadRank.0 * 4 + 0] @ "example.wgsl":5:10+4
//     mul.2 = mul x0.1, f32:2 @ "example.wgsl":5:3+18
//     store f32 x[threadRank.0 * 4 + 0] = mul.2 @ "example.wgsl":5:3+4
//   }
const wgslLowering = /* @__PURE__ */ translation<WgslEntry, WgslDraft>({
  name: 'wgsl-lowering',
  summary:
    'an entry point becomes a kernel: functions are put in place, vectors and structures are registers, and ' +
    'variables that an index known only at run time reaches are memory',
  from: wgslText,
  to: wgslDraft,
  run: inRegistersOrMemory,
})

/** From an entry point of WGSL to a kernel. */
export const wgslToKernel = /* @__PURE__ */ route<WgslEntry>('wgsl', 'from an entry point of a WGSL module to a kernel')
  .to(wgslLowering)
  .through(
    onDraft(constantTripUnrolling),
    'registers have no addresses: indices of private arrays must be constants for them',
  )
  .through(onDraft(registerPromotion), 'compilers keep a private array in registers where they can')
  .through(onDraft(simplification), 'the walk makes copies that no compiler leaves, and instructions are counted')
  .through(onDraft(registerNumbering), 'what was dropped leaves gaps between registers')

/** An entry point of a module as text, by name where there are several. */
export function wgslEntryOf(text: string, file: string, options: WgslOptions = {}): WgslEntry {
  const source = makeSource(text, file)
  const module = moduleOf(source)
  return { source, module, entry: chooseEntry(module, source, options.entry), options }
}

/** Reads one entry point. Throws `DiagnosticError` with codes `wgsl.*`. */
export function parseWgsl(text: string, file: string, options: WgslOptions = {}): WgslKernel {
  const given = wgslEntryOf(text, file, options)
  const { kernel, finish } = runRoute(wgslToKernel, given, { trace: options.trace })
  return finish(verifyKernel(kernel))
}

/** Walks that find a variable in registers that must be memory; the next one has it there. */
const mostWalks = 20

function inRegistersOrMemory({ source, module, entry, options }: WgslEntry): WgslDraft {
  let inMemory: ReadonlySet<object> = new Set()
  for (let attempt = 0; attempt < mostWalks; attempt++) {
    const { draft, wanted } = lower(source, module, entry, options, inMemory)
    if (wanted.size === inMemory.size) return draft()
    inMemory = wanted
  }
  throw new InternalError(
    'frontend/wgsl',
    'variables did not settle between registers and memory',
    source.text.slice(0, 2000),
  )
}

/** The parsed text; of one in the syntax of former years, or that a program completes, that alone is said. */
function moduleOf(source: WgslSource): WgslModule {
  const parsed = attempted(() => parseWgslModule(source)),
    isSyntax = isInapplicable(parsed) && parsed.inapplicable[0]?.code === 'wgsl.syntax',
    former = isSyntax ? (formerSyntax(source) ?? templatePart(source)) : null
  if (former) throw new DiagnosticError([former])
  return applied(parsed)
}

function chooseEntry(module: WgslModule, source: WgslSource, name: string | undefined): Fn {
  const all = computeEntries(module)
  const names = all.map((f) => f.name.ident.originalName)
  const former = all.length === 0 ? formerSyntax(source) : null
  if (former) throw new DiagnosticError([former])
  if (all.length === 0)
    return fail('wgsl.entry', 'the module has no @compute entry point', { file: source.file, line: 1, column: 1 })
  if (name === undefined && all.length === 1) return all[0]!
  const found = all.find((f) => f.name.ident.originalName === name)
  return (
    found ??
    fail(
      'wgsl.entry',
      name === undefined
        ? `the module has ${all.length} entry points: ${names.join(', ')}`
        : `the module has no @compute entry point '${name}'`,
      { file: source.file, line: 1, column: 1 },
      name === undefined ? 'choose one with --entry' : `it has ${names.join(', ')}`,
    )
  )
}

interface Attempt {
  readonly wanted: ReadonlySet<object>
  readonly draft: () => WgslDraft
}

/** One walk. `draft` may be called only when nothing more is wanted in memory. */
function lower(
  source: WgslSource,
  module: WgslModule,
  entry: Fn,
  options: WgslOptions,
  inMemory: ReadonlySet<object>,
): Attempt {
  const name = entry.name.ident.originalName
  const used = new Set<string>()
  const unique = (near: string): string => uniqueName(used, near)
  const kernelName = unique(name)
  const make = (block: readonly [number, number, number]): Lowering =>
    new Lowering(
      new Builder({ name: kernelName, block }),
      source,
      module,
      new Globals(module, options.overrides ?? {}),
      inMemory,
      unique,
      options,
    )
  const size = make([1, 1, 1]).workgroupSize(entry)
  const run = make(size)
  run.build(entry)
  const draft = (): WgslDraft => ({ kernel: run.k.raw(), finish: (kernel) => run.finish(kernel, entry, size) })
  return { wanted: run.wanted, draft }
}

function uniqueName(used: Set<string>, near: string): string {
  const ascii = near
    .replace(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=[0-9])/, '_')
    .slice(0, 60)
  let name = ascii
  for (let i = 1; used.has(name); i++) name = `${ascii}_${i}`
  used.add(name)
  return name
}

/** Extensions and language features that are either read here or matter to other shader stages only. */
const known = {
  enable: new Set([
    'f16',
    'subgroups',
    'subgroups_f16',
    'clip_distances',
    'dual_source_blending',
    'primitive_index',
    'subgroup_id',
    'subgroup_uniformity',
    'linear_indexing',
  ]),
  requires: new Set([
    'readonly_and_readwrite_storage_textures',
    'packed_4x8_integer_dot_product',
    'unrestricted_pointer_parameters',
    'pointer_composite_access',
    'uniform_buffer_standard_layout',
    'subgroup_id',
    'subgroup_uniformity',
    'texture_and_sampler_let',
    'texture_formats_tier1',
    'linear_indexing',
    'swizzle_assignment',
    'fragment_depth',
  ]),
}

/** Everything that belongs to one walk. */
class Lowering implements Env {
  readonly k: Builder
  readonly source: WgslSource
  readonly globals: Globals
  readonly inMemory: ReadonlySet<object>
  readonly unique: (near: string) => string
  readonly features = new Set<string>()
  readonly wanted: Set<object>
  private readonly module: WgslModule
  private readonly options: WgslOptions
  private readonly prelude: Stmt[] = []
  private readonly bodies: Bodies
  private readonly sizes = new Map<string, { readonly param: string; readonly value: Operand }>()
  private readonly tables = new Map<
    string,
    { readonly ref: Ref; readonly resource: string; readonly bytes: ArrayBuffer }
  >()

  constructor(
    k: Builder,
    source: WgslSource,
    module: WgslModule,
    globals: Globals,
    inMemory: ReadonlySet<object>,
    unique: (near: string) => string,
    options: WgslOptions,
  ) {
    this.k = k
    this.options = options
    this.source = source
    this.module = module
    this.globals = globals
    this.inMemory = inMemory
    this.unique = unique
    this.wanted = new Set(inMemory)
    this.bodies = new Bodies(this)
    globals.attach(this)
    this.directives()
  }

  private directives(): void {
    for (const d of this.module.decls) {
      if (d.kind !== 'directive' || d.directive.kind === 'diagnostic') continue
      const { kind, extensions } = d.directive
      for (const { name } of extensions) {
        if (!known[kind].has(name))
          fail(
            'wgsl.unsupported',
            `the ${kind === 'enable' ? 'extension' : 'language feature'} '${name}' cannot be analysed`,
            spanOf(this, d),
          )
        this.features.add(name)
      }
    }
  }

  needMemory = (owner: object): void => {
    this.wanted.add(owner)
  }
  before = (emit: () => void): void => {
    this.prelude.push(...this.k.collect(emit))
  }
  typeOf: Env['typeOf'] = (e, scope) => resolveType(this, e, scope)
  expression: Env['expression'] = (e, scope) => evaluateExpression(this, e, scope)
  place: Env['place'] = (e, scope) => place(this, e, scope)
  callUser: Env['callUser'] = (fn, args) => this.bodies.call(fn, args)

  structOf: Env['structOf'] = (name) => this.globals.structOf(name)

  sizeOfBuffer = (resource: Resource): WgslValue => {
    let known = this.sizes.get(resource.name)
    if (!known) {
      const param = this.unique(`${resource.name}_bytes`)
      known = { param, value: this.k.param(param, 'u32') }
      this.sizes.set(resource.name, known)
    }
    return scalarValue('u32', known.value)
  }

  extentOf: Env['extentOf'] = (resource, axis, sizes) => {
    const name = sizes.get(axis) ?? this.unique(`${resource.name}_${['width', 'height', 'depth'][axis]}`)
    if (sizes.has(axis)) return { kind: 'param', name, type: 'u32' }
    sizes.set(axis, name)
    return this.k.param(name, 'u32')
  }

  textureSpec: Env['textureSpec'] = (name) =>
    Object.hasOwn(this.options.textures ?? {}, name) ? this.options.textures![name]! : {}
  samplerSpec: Env['samplerSpec'] = (name) =>
    Object.hasOwn(this.options.samplers ?? {}, name) ? this.options.samplers![name]! : {}

  table = (value: WgslValue): Ref => {
    const bytes = packValue(value)
    const key = `${wgslTypeText(value.type)} ${new Uint8Array(bytes).join()}`
    let known = this.tables.get(key)
    if (!known) {
      const element = memoryOf(elementName(value.type) ?? 'u32')
      const resource = this.k.resource({
        name: this.unique('table'),
        space: 'constant',
        type: element,
        count: Math.ceil(bytes.byteLength / bytesOf[element]),
        access: 'read',
      })
      known = { ref: whole(resource, value.type, 'read', 'uniform'), resource: resource.name, bytes }
      this.tables.set(key, known)
    }
    return known.ref
  }

  /** The three sizes; absent ones are 1. */
  workgroupSize(entry: Fn): readonly [number, number, number] {
    const given = entry.attributes
      ?.map((a) => a.attribute)
      .find((a) => a.kind === '@attribute' && a.name === 'workgroup_size')
    const params = given?.kind === '@attribute' ? (given.params ?? []) : []
    if (params.length === 0)
      return fail(
        'wgsl.entry',
        `entry point '${entry.name.ident.originalName}' needs @workgroup_size`,
        spanOf(this, entry),
      )
    const sizes = params.map((p) => constantNumber(this, p.expression, this.globals, '@workgroup_size'))
    const [x = 1, y = 1, z = 1] = sizes
    if (![x, y, z].every((n) => Number.isInteger(n) && n >= 1) || x * y * z > 1024)
      fail('wgsl.limit', `a workgroup of ${x}×${y}×${z} invocations is not between 1 and 1024`, spanOf(this, entry))
    return [x, y, z]
  }

  build(entry: Fn): void {
    for (const d of this.module.decls) if (d.kind === 'assert') checkAssert(this, d, this.globals)
    const body = this.k.collect(() => {
      for (const name of mentioned(this.module, entry)) this.globals.get(name)
      const scope = entryInputs(this, entry)
      this.bodies.entry(entry, scope)
    })
    this.k.at = undefined
    for (const s of [...this.prelude, ...body]) this.k.push(s)
  }

  finish(kernel: Verified<Kernel>, entry: Fn, workgroupSize: readonly [number, number, number]): WgslKernel {
    return {
      kernel,
      entry: entry.name.ident.originalName,
      workgroupSize,
      bindings: this.globals.bound.map(bindingOf),
      samplers: this.globals.samplers.map(({ name, group, binding, sampler }) => ({
        name,
        group,
        binding,
        comparison: sampler.comparison,
        spec: sampler.spec,
      })),
      unused: unusedBindings(this.module, mentioned(this.module, entry)),
      sizes: [...this.sizes].map(([resource, { param }]) => ({ param, resource })),
      tables: [...this.tables.values()].map(({ resource, bytes }) => ({ resource, bytes })),
    }
  }
}

function bindingOf(b: Bound): WgslBinding {
  if (b.texture) return textureBinding(b, b.texture)
  const runtime = runtimePart(b.type, 0)
  return {
    name: b.name,
    resource: b.resource.name,
    group: b.group,
    binding: b.binding,
    space: b.space === 'uniform' ? 'constant' : 'global',
    access: b.resource.access,
    type: wgslTypeText(b.type),
    layout: b.type,
    minBytes: bytesOfWgsl(b.type),
    ...(runtime && { runtime }),
    at: b.at,
  }
}

function textureBinding(b: Bound, { texture, sizes }: BoundTexture): WgslBinding {
  const { type, format, levels, samples } = texture
  return {
    name: b.name,
    resource: b.resource.name,
    group: b.group,
    binding: b.binding,
    space: 'texture',
    access: b.resource.access,
    type: wgslTypeText(b.type),
    layout: b.type,
    minBytes: texelBytes(format) * samples,
    texture: { type, format, levels, samples, sizes: [...sizes].map(([axis, param]) => ({ axis, param })) },
    at: b.at,
  }
}

/** The runtime-sized array of a type: bytes per element and where it begins. */
function runtimePart(type: WType, offset: number): { stride: number; offset: number } | undefined {
  if (!isUnsized(type)) return undefined
  if (type.kind === 'array') return { stride: strideOf(type), offset }
  const last = type.kind === 'struct' ? type.members[type.members.length - 1] : undefined
  return last && runtimePart(last.type, offset + last.offset)
}
