// What is explained: a kernel with what a launch binds. In: WGSL, PTX or CUDA's PTX. Out: one shape for all. The one
// idea: the report is made from buffers that have names, layouts and sizes; how they and scalars become a `Launch`
// differs by language and is one function here.
import { fail, type Span } from '../base/index.ts'
import {
  bindPtx,
  functionName,
  parametersOf,
  parsePtx,
  writeMemory,
  type Parameter,
  type PtxKernel,
  type PtxOptions,
  type PtxPointer,
  type PtxTable,
  type PtxTexture,
  type PtxVariable,
} from '../frontend/ptx/index.ts'
import { parseWgsl, type WgslBinding, type WgslKernel, type WgslOptions, type WType } from '../frontend/wgsl/index.ts'
import {
  bytesOf,
  texelBytes,
  type Dim3,
  type Kernel,
  type Launch,
  type MemoryType,
  type Verified,
} from '../ir/index.ts'
import { checkArgument, isScalarOf, setArguments, type Sized } from './launch/buffer-sizes.ts'
import { codeOf } from './fixes/source-text.ts'
import { membersOfNamed, programTexts, type HostTypes } from './launch/host-types.ts'
import { textureSpecs } from './launch/texture-sizes.ts'
import type { DataSource } from './data-dependence.ts'
import type { ExplainLaunch, ExplainOptions, ExplainSource } from './types.ts'
import type { SourceLanguage } from './wording.ts'

/** A value without a flag that gives it. */
export interface Missing {
  readonly name: string
  readonly source: DataSource
  readonly type: MemoryType
}

export interface Subject {
  readonly kernel: Verified<Kernel>
  readonly entry: string
  /** The entry as the machine code names it. */
  readonly symbol: string
  readonly language: SourceLanguage
  readonly workgroupSize: Dim3
  readonly bindings: readonly WgslBinding[]
  /** Parameters of a CUDA kernel, or variables of a WGSL module, that it does not use, as the source names them. */
  readonly unread?: readonly string[]
  readonly samplers: WgslKernel['samplers']
  /** Values that a host gives and nobody gave here: parts of parameters, variables of the module. */
  readonly missing?: readonly Missing[]
  /** Resources whose size the kernel asks for. */
  readonly measured: ReadonlySet<string>
  /** Whether contents decide nothing that sizes depend on: no tables, no uniform variables. */
  readonly plain: boolean
  /** Places to write when there is no column, and what the user should know. */
  readonly notes: readonly string[]
  bind(
    grid: Dim3,
    sized: readonly Sized[],
    contents: (s: Sized, i: number) => ArrayBuffer,
    args: Readonly<Record<string, number>>,
  ): Launch
}

/** Reads the source in its language. Throws `wgsl.*`, `ptx.*`, `explain.*`. */
export function subjectOf(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Pick<ExplainOptions, 'entry'>,
): Subject {
  return source.language === undefined || source.language === 'wgsl'
    ? ofWgsl(source, launch, options)
    : ofPtx(source, launch, options)
}

function ofWgsl(source: ExplainSource, launch: ExplainLaunch, options: Pick<ExplainOptions, 'entry'>): Subject {
  const wgsl = readWgsl(source, launch, options)
  const { kernel, entry, workgroupSize, bindings, samplers } = wgsl,
    unreadArgs = argumentsOfUnused(wgsl, launch.args)
  if (launch.block?.some((n, i) => n !== workgroupSize[i]))
    fail(
      'explain.block',
      `the source says @workgroup_size(${workgroupSize.join(', ')}), not ${launch.block.join('×')}`,
      undefined,
      'leave --block out',
    )
  return {
    kernel,
    entry,
    symbol: entry,
    language: 'wgsl',
    workgroupSize,
    bindings,
    samplers,
    unread: wgsl.unused.map((u) => u.name),
    measured: new Set(wgsl.sizes.map((s) => s.resource)),
    notes: unusedNotes(wgsl, launch, unreadArgs),
    plain: wgsl.tables.length === 0 && bindings.every((b) => b.space === 'global'),
    bind: (grid, sized, contents, args) => {
      const read = Object.entries(args).filter(([name]) => !unreadArgs.includes(name))
      return bindWgsl(wgsl, grid, sized, contents, Object.fromEntries(read))
    },
  }
}

/** Arguments that name a scalar of a variable that the kernel does not use, or the variable, and none that it uses. */
const argumentsOfUnused = ({ unused, bindings }: WgslKernel, args: ExplainLaunch['args'] = {}): readonly string[] =>
  Object.keys(args).filter(
    (name) =>
      !bindings.some((binding) => isScalarOf({ binding }, name)) &&
      unused.some((u) => u.name === name.split('.')[0] || u.members.includes(name)),
  )

/** What a launch gives to variables that the kernel does not use: one layout often serves several kernels. */
function unusedNotes(
  { unused }: WgslKernel,
  { buffers = {}, samplers = {} }: ExplainLaunch,
  args: readonly string[],
): readonly string[] {
  const bound = [...Object.keys(buffers), ...Object.keys(samplers)].filter((n) => unused.some((u) => u.name === n))
  return [
    ...(bound.length > 0 ? [`bindings that the kernel does not use: ${quoted(bound)}`] : []),
    ...(args.length > 0 ? [`values that the kernel does not read: ${quoted(args)}`] : []),
  ]
}

const quoted = (names: readonly string[]): string => names.map((n) => `'${n}'`).join(', ')

function readWgsl(source: ExplainSource, launch: ExplainLaunch, options: Pick<ExplainOptions, 'entry'>): WgslKernel {
  if (launch.shared !== undefined)
    fail(
      'explain.shared',
      'only launches of CUDA kernels add shared memory',
      undefined,
      'WGSL says it all in its workgroup variables',
    )
  const parse = (textures: WgslOptions['textures']): WgslKernel =>
    parseWgsl(source.text, source.file, {
      ...(options.entry !== undefined && { entry: options.entry }),
      ...(launch.overrides && { overrides: launch.overrides }),
      ...(textures && { textures }),
      ...(launch.samplers && { samplers: launch.samplers }),
    })
  const texels = Object.entries(launch.samplers ?? {}).find(([, s]) => s.coordinates === 'texels')
  if (texels)
    fail(
      'explain.sampler',
      `sampler '${texels[0].slice(0, 80)}' cannot count texels: coordinates are normalized in WGSL`,
    )
  const named = textureSpecs(launch)
  const wgsl = parse(named)
  for (const name of Object.keys(launch.samplers ?? {}))
    if (![...wgsl.samplers, ...wgsl.unused].some((s) => s.name === name))
      fail(
        'explain.sampler',
        `the kernel uses no sampler '${name}'`,
        undefined,
        `it uses ${wgsl.samplers.map((s) => s.name).join(', ') || 'none'}`,
      )
  const placed = textureSpecs(launch, wgsl)
  return Object.keys(placed).every((name) => Object.hasOwn(named, name)) ? wgsl : parse(placed)
}

function bindWgsl(
  wgsl: WgslKernel,
  grid: Dim3,
  sized: readonly Sized[],
  contents: (s: Sized, i: number) => ArrayBuffer,
  args: Readonly<Record<string, number>>,
): Launch {
  const bound = new Map(sized.map((s, i) => [s.binding.resource, contents(s, i)]))
  setArguments(sized, bound, args)
  const params = Object.fromEntries([
    ...wgsl.sizes.map((s) => [s.param, bound.get(s.resource)!.byteLength] as const),
    ...sized.flatMap(
      ({ binding, extent }) =>
        binding.texture?.sizes.map(({ axis, param }) => [param, extent?.[axis] ?? 1] as const) ?? [],
    ),
  ])
  return {
    grid,
    params,
    buffers: { ...Object.fromEntries(bound), ...Object.fromEntries(wgsl.tables.map((t) => [t.resource, t.bytes])) },
  }
}

function ofPtx(source: ExplainSource, launch: ExplainLaunch, options: Pick<ExplainOptions, 'entry'>): Subject {
  if (launch.overrides && Object.keys(launch.overrides).length > 0)
    fail('explain.override', 'only WGSL has overrides', undefined, 'give scalars with --arg')
  const parse = (more: Pick<PtxOptions, 'textures' | 'samplers'>): PtxKernel =>
    parsePtx(source.ptx ?? source.text, source.ptxFile ?? source.file, {
      ...more,
      ...(source.machine && { machine: source.machine }),
      ...(options.entry !== undefined && { entry: options.entry }),
      ...(launch.block && { block: launch.block }),
      ...(launch.shared !== undefined && { shared: launch.shared }),
      ...(source.language === 'cuda' &&
        source.compiledFrom !== undefined && {
          files: {
            ...Object.fromEntries((source.included ?? []).map((f) => [f.path, f.file])),
            [source.compiledFrom]: source.file,
          },
        }),
    })
  const first = parse({})
  const name = functionName(first.entry)
  const texts = source.language === 'cuda' ? programTexts(source) : []
  const parameters = parametersIn(texts, name),
    names = parameters.map((p) => p.name)
  if (!launch.block && !first.blockFixed)
    fail('explain.block', 'the number of threads per block is missing', undefined, 'give it with --block 256')
  const types = typesIn(texts),
    label = labelsOf(first, parameters, types)
  const constants = withConstants(
    first.textures.length === 0 && !launch.samplers ? first : parse(textureOptions(first, launch, label)),
    launch.args ?? {},
    types,
  )
  const { ptx } = constants
  const values = argumentsOf(ptx, without(launch.args ?? {}, constants.args), label)
  const at: Span = { file: source.file, line: 1, column: 1 }
  const bindings = [
    ...ptx.pointers.map((p) => bindingOf(p, label, at)),
    ...ptx.textures.map((t) => textureBinding(t, label, at)),
  ]
  const read = new Set(ptx.scalars.map((s) => s.index)),
    unread = names.filter((_, i) => !read.has(i))
  const idle = Object.keys(launch.buffers ?? {}).filter((n) => unread.includes(n))
  return {
    kernel: ptx.kernel,
    entry: name,
    symbol: ptx.entry,
    language: 'cuda',
    workgroupSize: ptx.kernel.block,
    bindings,
    unread,
    samplers: [],
    measured: new Set(ptx.flat),
    missing: [...values.missing, ...constants.missing],
    plain: false,
    notes: [
      ...(idle.length > 0 ? [`buffers that the kernel does not use: ${idle.map((n) => `'${n}'`).join(', ')}`] : []),
      ...ptx.notes,
      ...values.notes,
      ...constantNotes(constants.missing),
      ...samplerNotes(ptx, launch, label),
    ],
    bind: (grid, sized, contents) => {
      const all = sized.map(contents)
      const [buffers, texels] = [all.slice(0, ptx.pointers.length), all.slice(ptx.pointers.length)]
      return bindPtx(
        ptx,
        grid,
        values.bytes,
        buffers,
        texels.map((bytes, i) => ({ bytes, extent: sized[ptx.pointers.length + i]!.extent ?? [1, 1, 1] })),
      ).launch // one of each binding
    },
  }
}

/** Constants of the module that a host copies to its device. */
interface Constants {
  /** The kernel with those in its tables that arguments name. */
  readonly ptx: PtxKernel
  readonly args: readonly string[]
  readonly missing: readonly Missing[]
}

/** Sets numbers of constants: `n`, or `size.x` where the texts say how the structure is laid out. */
function withConstants(ptx: PtxKernel, args: Readonly<Record<string, number>>, types: HostTypes): Constants {
  const set = new Set<string>(),
    missing: Missing[] = []
  const tables = ptx.tables.map((table): PtxTable => {
    const bytes = table.bytes.slice(0)
    for (const v of table.unset)
      for (const { path, at, to, type } of numbersOf(v, types)) {
        const name = `${v.name}${path}`,
          value = Object.hasOwn(args, name) ? args[name] : undefined
        if (value === undefined) {
          const holds = (a: number, b: number): boolean => a < to && at < b
          missing.push({ name, source: { resource: table.resource, holds }, type })
          continue
        }
        checkArgument(name, type, value)
        writeMemory(bytes, at, type, value)
        set.add(name)
      }
    return { ...table, bytes }
  })
  return set.size === 0 ? { ptx, args: [], missing } : { ptx: { ...ptx, tables }, args: [...set], missing }
}

/** Names that a note lists. */
const mostNames = 8

const constantNotes = (missing: readonly Missing[]): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `constants that a host sets are 0: ${quoted(missing.slice(0, mostNames).map((m) => m.name))}` +
          `${missing.length > mostNames ? ' …' : ''}; --arg NAME=VALUE gives a number`,
      ]

interface NamedNumber {
  readonly path: string
  readonly at: number
  readonly to: number
  readonly type: MemoryType
}

/** The numbers of a constant by name; the whole where it is an array, or the texts do not say what it holds. */
function numbersOf(v: PtxVariable, types: HostTypes): readonly NamedNumber[] {
  const whole = { path: '', at: v.at, to: v.at + v.bytes, type: v.type }
  if (v.bytes === bytesOf[v.type]) return [whole]
  const pattern = new RegExp(`\\b__constant__\\s+((?:[\\w:]+\\s+)+)${v.name}\\s*;`),
    [, type] = types.texts.map((t) => pattern.exec(t)).find((m) => m !== null) ?? [],
    members = type === undefined ? [] : membersOfNamed(types, type, v.bytes)
  if (members.length === 0) return [whole]
  return members.map((m) => ({ path: m.path, at: v.at + m.at, to: v.at + m.at + bytesOf[m.type], type: m.type }))
}

/** The parameters of a kernel in the first text that has its signature; empty when none has. */
function parametersIn(texts: readonly string[], name: string): readonly Parameter[] {
  for (const text of texts) {
    const found = parametersOf(text, name)
    if (found) return found
  }
  return []
}

/**
 * The name of a parameter, or of what lies at a byte of one that is a structure: as the source writes it, by its byte
 * where the texts do not say how it is laid out.
 */
interface Labels {
  (index: number, offset?: number): string
  /** Names of all numbers in structures. */
  readonly members: ReadonlySet<string>
  /** Those that are elements of arrays, which a kernel may read by an index. */
  readonly elements: readonly NamedElement[]
}

interface NamedElement {
  readonly name: string
  /** The array that it is of. */
  readonly array: string
  /** The parameter, and the byte in it. */
  readonly index: number
  readonly offset: number
  readonly type: MemoryType
}

function typesIn(sources: readonly string[]): HostTypes {
  const texts = sources.map((t) => codeOf(t, 'cuda').bare)
  return {
    texts,
    isDefined: (name) => texts.some((t) => new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}\\b`, 'm').test(t)),
  }
}

const without = (args: Readonly<Record<string, number>>, names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))

function labelsOf({ params }: PtxKernel, parameters: readonly Parameter[], types: HostTypes): Labels {
  const isNamed = parameters.length === params.length
  const members = params.map((p, i) => {
    const type = p.type === null && isNamed ? parameters[i]!.type : null
    return type === null ? [] : membersOfNamed(types, type, p.bytes)
  })
  const paths = members.map((list) => new Map(list.map((m) => [m.at, m.path])))
  const nameOf = (index: number): string => (isNamed && parameters[index]!.name) || `param_${index}`
  return Object.assign(
    (index: number, offset?: number) =>
      offset === undefined ? nameOf(index) : `${nameOf(index)}${paths[index]!.get(offset) ?? `.${offset}`}`,
    {
      members: new Set(members.flatMap((list, i) => list.map((m) => `${nameOf(i)}${m.path}`))),
      elements: members.flatMap((list, index) =>
        list
          .filter((m) => m.path.includes('['))
          .map((m): NamedElement => {
            const name = `${nameOf(index)}${m.path}`
            return { name, array: name.replace(/\[\d+\]/g, '[…]'), index, offset: m.at, type: m.type }
          }),
      ),
    },
  )
}

function pointerName({ index, offset }: Pick<PtxPointer, 'index' | 'offset'>, label: Labels): string {
  const name = label(index, offset)
  return name === `${label(index)}.0` ? label(index) : name
}

function bindingOf(p: PtxPointer, label: Labels, at: Span): WgslBinding {
  const size = bytesOf[p.type]
  return {
    name: pointerName(p, label),
    resource: p.resource,
    group: 0,
    binding: p.index,
    space: 'global',
    access: p.access,
    type: `${cudaType[p.type]}*`,
    layout: layoutOf(p.type),
    scalar: p.type,
    minBytes: size,
    runtime: { stride: Math.max(4, size), offset: 0 },
    at,
  }
}

const textureName = (t: PtxTexture, label: Labels): string => (t.handle ? pointerName(t.handle, label) : t.resource)

function textureBinding(t: PtxTexture, label: Labels, at: Span): WgslBinding {
  const text =
    `${t.role === 'storage' ? 'cudaSurfaceObject_t' : 'cudaTextureObject_t'} ` +
    `(${t.shape}${t.arrayed ? ', layered' : ''})`
  const type = {
    kind: 'texture',
    text,
    role: t.role,
    shape: t.shape,
    arrayed: t.arrayed,
    multisampled: false,
    element: t.element,
    format: null,
    access: t.access,
  } as const
  return {
    name: textureName(t, label),
    resource: t.resource,
    group: 0,
    binding: t.handle?.index ?? 0,
    space: 'texture',
    access: t.access,
    type: text,
    layout: type,
    minBytes: texelBytes(t.format),
    texture: { type, format: t.format, levels: t.levels, samples: 1, sizes: t.sizes },
    at,
  }
}

/** What flags say of textures, by the names of resources; positions count as in `--buffer`. */
function textureOptions(
  ptx: PtxKernel,
  launch: ExplainLaunch,
  label: Labels,
): Pick<PtxOptions, 'textures' | 'samplers'> {
  const named = (key: string): PtxTexture | undefined =>
    ptx.textures.find((t, i) => textureName(t, label) === key || String(ptx.pointers.length + i) === key)
  const samplers = Object.entries(launch.samplers ?? {}).map(([key, spec]) => {
    const t =
      named(key) ??
      fail(
        'explain.sampler',
        `the kernel uses no texture '${key.slice(0, 80)}'`,
        undefined,
        `it uses ${ptx.textures.map((x) => textureName(x, label)).join(', ') || 'none'}`,
      )
    return [t.resource, spec] as const
  })
  const specs = textureSpecs(launch)
  const textures = Object.entries(specs).flatMap(([key, spec]) => {
    const t = named(key)
    return t ? [[t.resource, spec] as const] : []
  })
  return { textures: Object.fromEntries(textures), samplers: Object.fromEntries(samplers) }
}

/** What was assumed of textures that no flag describes. */
function samplerNotes(ptx: PtxKernel, launch: ExplainLaunch, label: Labels): string[] {
  const unknown = ptx.textures
    .filter((t) => t.role === 'sampled' && !Object.hasOwn(launch.samplers ?? {}, textureName(t, label)))
    .map((t) => `'${textureName(t, label)}'`)
  return unknown.length > 0
    ? [
        `textures read at the nearest texel, by coordinates that count texels: ${unknown.join(', ')}; ` +
          `--sampler NAME=linear,normalized says otherwise`,
      ]
    : []
}

const cudaType: Readonly<Record<MemoryType, string>> = {
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
  i32: 'int',
  u32: 'unsigned',
  i64: 'long long',
  u64: 'unsigned long long',
  f16: '__half',
  f32: 'float',
  f64: 'double',
}

/** What of a pointer's memory WGSL can say; `scalar` says the rest. */
export function layoutOf(type: MemoryType): WType {
  const name = type === 'f32' || type === 'f16' || type === 'i32' ? type : 'u32'
  // as the WGSL front end describes array<name>
  return { kind: 'array', element: { kind: 'scalar', name }, count: null } as WType
}

/**
 * The bytes of every parameter, scalars set; throws `explain.arg` for values that are missing, unknown or do not fit.
 */
function argumentsOf(
  ptx: PtxKernel,
  args: Readonly<Record<string, number>>,
  label: Labels,
): { readonly bytes: readonly ArrayBuffer[]; readonly missing: readonly Missing[]; readonly notes: readonly string[] } {
  const bytes = ptx.params.map((p) => new ArrayBuffer(Math.max(8, p.bytes)))
  const pointers = new Set(
    [...ptx.pointers, ...ptx.textures.flatMap((t) => t.handle ?? [])].map((p) => `${p.index}+${p.offset}`),
  )
  const scalars = ptx.scalars.filter((s) => !pointers.has(`${s.index}+${s.offset}`))
  const nameOf = (s: { index: number; offset: number }): string =>
    ptx.params[s.index]!.type !== null ? label(s.index) : label(s.index, s.offset)
  const position = (s: { index: number; offset: number }): string =>
    ptx.params[s.index]!.type !== null ? String(s.index) : `${s.index}.${s.offset}`
  const table = ptx.tables.find((t) => t.holdsParameters),
    elements = table ? label.elements : []
  const known = new Set<string>(),
    set = new Set<string>(),
    unread: string[] = [],
    nulls: string[] = []
  for (const [name, value] of Object.entries(args)) {
    const pointer = ptx.pointers.find((p) => pointerName(p, label) === name || String(p.index) === name)
    if (pointer && value === 0) {
      nulls.push(pointerName(pointer, label))
      continue
    }
    const hits = scalars.filter((s) => [nameOf(s), position(s), `${label(s.index)}.${s.offset}`].includes(name)),
      element = elements.find((e) => e.name === name)
    if (element) {
      setScalar(bytes[element.index]!, element, name, value)
      set.add(name)
      if (hits.length === 0) continue
    }
    if (
      hits.length === 0 &&
      (label.members.has(name) ||
        ptx.params.some(
          (p, i) =>
            p.type !== null &&
            (label(i) === name || String(i) === name) &&
            !ptx.pointers.some((x) => x.index === i) &&
            !ptx.textures.some((t) => t.handle?.index === i),
        ))
    ) {
      unread.push(`'${name}'`)
      continue
    }
    if (hits.length === 0)
      fail(
        'explain.arg',
        `the kernel reads no scalar '${name}'`,
        undefined,
        scalars.length > 0
          ? `it reads ${[...new Set(scalars.map((s) => `${nameOf(s)} (${s.type})`))].join(', ')}`
          : 'it reads no scalar at all',
      )
    for (const s of hits) {
      setScalar(bytes[s.index]!, s, name, value)
      known.add(position(s))
    }
  }
  const missing = scalars.filter((s) => !known.has(position(s)))
  const needed = [
    ...new Set(
      missing
        .filter((s) => !s.type.startsWith('f') && ptx.params[s.index]!.type !== null)
        .map((s) => `${nameOf(s)} (${s.type}, position ${s.index})`),
    ),
  ]
  if (needed.length > 0)
    fail(
      'explain.arg',
      `the kernel's parameters need values: ${needed.join(', ')}`,
      undefined,
      'give each with --arg NAME=VALUE or --arg POSITION=VALUE',
    )
  for (const s of missing) if (s.type.startsWith('f')) setScalar(bytes[s.index]!, s, nameOf(s), 1)
  const indexed = table ? missingElements(ptx, table, elements, set) : []
  const guessed = [...new Set([...missing.map(nameOf), ...indexed.map((m) => m.name)])].map((n) => `'${n}'`)
  return {
    bytes,
    missing: [
      ...missing.map((s) => ({ name: nameOf(s), source: { params: new Set([s.param]) }, type: s.type })),
      ...indexed,
    ],
    notes: [
      ...(guessed.length > 0 ? [`values not given: ${guessed.join(', ')} (floats are 1, parts of structures 0)`] : []),
      ...(unread.length > 0 ? [`values that the kernel does not read: ${unread.join(', ')}`] : []),
      ...(nulls.length > 0 ? [`null pointers are taken as buffers: ${quoted(nulls)}`] : []),
    ],
  }
}

/** Arrays in parameters that a kernel reads by an index, with those of their elements that nobody gave. */
function missingElements(
  { params }: PtxKernel,
  { resource }: PtxTable,
  elements: readonly NamedElement[],
  given: ReadonlySet<string>,
): readonly Missing[] {
  const open = elements.filter((e) => !given.has(e.name))
  return [...new Set(open.map((e) => e.array))].flatMap((name): readonly Missing[] => {
    const list = open.filter((e) => e.array === name),
      places = list.map((e) => ({ at: params[e.index]!.place + e.offset, bytes: bytesOf[e.type] })),
      holds = (from: number, to: number): boolean => places.some((p) => p.at < to && from < p.at + p.bytes)
    return list.slice(0, 1).map(({ type }) => ({ name, source: { resource, holds }, type }))
  })
}

function setScalar(
  bytes: ArrayBuffer,
  s: { readonly offset: number; readonly type: MemoryType },
  name: string,
  value: number,
): void {
  checkArgument(name, s.type, value)
  writeMemory(bytes, s.offset, s.type, value)
}
