// Texture and surface instructions. In: `tex`, `tld4`, `txq`, `suld`, `sust`, `sured`, `suq`. Out: accesses of
// resources in the space `texture`. The one idea: a handle is a number that provenance follows like a pointer, so
// handles that never mix are textures of their own; format, size and sampler come with the launch, as in
// `cudaTextureDesc`.
import { fail } from '../../../base/index.ts'
import {
  bytesOf,
  constOf,
  evaluate,
  formatNamed,
  gatherTexels,
  levelOf,
  loadTexel,
  opRow,
  sample,
  storeTexel,
  texelBytes,
  type Const,
  type MemoryType,
  type Operand as Value,
  type Param,
  type Resource,
  type SamplerSpec,
  type TexelArray,
  type TexelBuilder,
  type TexelFormat,
  type TextureSpec,
} from '../../../ir/index.ts'
import { ptxSpan } from '../control-flow/inlining.ts'
import { rootKey, type Root } from '../provenance.ts'
import { shortName } from '../text/readable-names.ts'
import {
  bytesOfType,
  isType,
  type AddressOperand,
  type Instruction,
  type PtxOperand,
  type PtxType,
} from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

export type PtxTextureShape = '1d' | '2d' | '3d' | 'cube'

/** What a launch must know of a texture or surface. */
export interface PtxTexture {
  readonly resource: string
  /**
   * The parameter that holds its handle, and where in it; null for references of the module and handles read from
   * memory.
   */
  readonly handle: { readonly index: number; readonly offset: number } | null
  readonly role: 'sampled' | 'storage'
  readonly shape: PtxTextureShape
  readonly arrayed: boolean
  /** What instructions read. */
  readonly element: 'f32' | 'i32' | 'u32'
  readonly access: Resource['access']
  readonly format: TexelFormat
  readonly levels: number
  readonly sampler: SamplerSpec
  /** Launch parameters with the texels along an axis; layers and faces stand in the third. */
  readonly sizes: readonly { readonly axis: 0 | 1 | 2; readonly param: string }[]
}

export interface TextureOptions {
  /** By the names of resources. */
  readonly textures?: Readonly<Record<string, TextureSpec>>
  readonly samplers?: Readonly<Record<string, SamplerSpec>>
}

/** What instructions show of a group of handles that may mix. */
interface Group {
  readonly name: string
  readonly handle: PtxTexture['handle']
  readonly shape: PtxTextureShape
  readonly arrayed: boolean
  readonly surface: boolean
  float: boolean
  signed: boolean
  /** Channels that are used, and bytes of one in surface accesses. */
  channels: number
  bytes: number
  read: boolean
  written: boolean
}

interface Made {
  readonly group: Group
  readonly array: TexelArray
  readonly sampler: SamplerSpec
  readonly sizes: Map<0 | 1 | 2, Param>
}

const names = new Set(['tex', 'tld4', 'suld', 'sust', 'sured'])
const queries = new Set(['txq', 'suq'])
const geometries: Readonly<Record<string, readonly [PtxTextureShape, boolean]>> = {
  '1d': ['1d', false],
  '2d': ['2d', false],
  '3d': ['3d', false],
  a1d: ['1d', true],
  a2d: ['2d', true],
  cube: ['cube', false],
  acube: ['cube', true],
}
const axes: Readonly<Record<PtxTextureShape, 1 | 2 | 3>> = { '1d': 1, '2d': 2, '3d': 3, cube: 3 }

export class Textures {
  private readonly v: PtxValues
  private readonly options: TextureOptions
  private readonly groups = new Map<string, Group>()
  private readonly made = new Map<Group, Made>()
  /** The least key of the handles that a handle may mix with. */
  private readonly up = new Map<string, string>()
  private readonly roots = new Map<string, Root>()

  constructor(v: PtxValues, options: TextureOptions) {
    this.v = v
    this.options = options
    const all = v.body.instructions.filter((s) => names.has(s.opcode.name))
    for (const s of [...all, ...v.body.instructions.filter((s) => queries.has(s.opcode.name))]) this.join(s)
    const uses = all.length > 0 ? usesOf(v.body.instructions) : new Map<number, number>()
    for (const s of all) this.survey(s, uses)
  }

  /** Lowers an instruction on textures; false when it is none. */
  instruction(s: Instruction): boolean {
    switch (s.opcode.name) {
      case 'tex':
        this.fetch(s)
        return true
      case 'tld4':
        this.gather(s)
        return true
      case 'suld':
      case 'sust':
      case 'sured':
        this.surface(s)
        return true
      case 'txq':
      case 'suq':
        this.query(s)
        return true
      case 'istypep':
        this.v.put(s.operands[0], 'pred', this.v.op('copy', [constOf('bool', 1)]))
        return true
      default:
        return false
    }
  }

  /** The textures that instructions asked for. */
  used(): readonly PtxTexture[] {
    return [...this.made.values()].map(({ group: g, array, sampler, sizes }) => ({
      resource: array.resource.name,
      handle: g.handle,
      role: g.surface ? 'storage' : 'sampled',
      shape: g.shape,
      arrayed: g.arrayed,
      element: array.format.element,
      access: array.resource.access,
      format: array.format,
      levels: array.levels,
      sampler,
      sizes: [...sizes].map(([axis, p]) => ({ axis, param: p.name })),
    }))
  }
  params(): readonly Param[] {
    return [...this.made.values()].flatMap((m) => [...m.sizes.values()])
  }
  resources(): readonly Resource[] {
    return [...this.made.values()].map((m) => m.array.resource)
  }

  // Which handles are which.

  private keysOf(s: Instruction): string[] {
    const roots = this.v.memory.rootsOf(this.addressOf(s))
    for (const r of roots) this.roots.set(rootKey(r), r)
    return roots.length > 0 ? roots.map(rootKey) : ['loaded']
  }

  private find(key: string): string {
    let at = key
    for (let next = this.up.get(at); next !== undefined; next = this.up.get(at)) at = next
    return at
  }

  private join(s: Instruction): void {
    const [first, ...rest] = this.keysOf(s).map((k) => this.find(k))
    for (const k of rest) {
      const [a, b] = [this.find(first!), this.find(k)]
      if (a !== b) this.up.set(a, b)
    } // one key at least
  }

  private addressOf(s: Instruction): AddressOperand {
    const found = s.operands.find((o): o is AddressOperand => o.kind === 'address')
    return found ?? fail('ptx.unsupported', `${s.opcode.text} lacks an address`, ptxSpan(this.v.module, s.line))
  }

  private geometry(s: Instruction): readonly [PtxTextureShape, boolean] {
    const word = s.opcode.mods.find((m) => Object.hasOwn(geometries, m))
    return word === undefined
      ? fail(
          'ptx.unsupported',
          `${s.opcode.text.slice(0, 80)}, a fetch of a multisampled texture, cannot be analysed`,
          ptxSpan(this.v.module, s.line),
        )
      : geometries[word]! // just found
  }

  private groupKey(s: Instruction, [shape, arrayed]: readonly [PtxTextureShape, boolean]): string {
    return `${this.find(this.keysOf(s)[0]!)} ${shape} ${arrayed} ${s.opcode.name.startsWith('su')}` // one key at least
  }

  private groupOf(s: Instruction): Group {
    const shape = this.geometry(s)
    const key = this.groupKey(s, shape)
    const known = this.groups.get(key)
    if (known) return known
    const members = [...this.roots].filter(([k]) => this.find(k) === this.find(this.keysOf(s)[0]!)) // one key at least
    const root = members.length === 1 ? members[0]![1] : undefined
    const handle = root?.kind === 'parameter' ? { index: root.index, offset: root.offset } : null
    const plain = handle
      ? `texture_${handle.index}${handle.offset > 0 ? `_${handle.offset}` : ''}`
      : root?.kind === 'variable'
        ? shortName(root.variable.name)
            .replace(/[^A-Za-z0-9_]/g, '_')
            .slice(0, 60)
        : 'textures'
    const taken = new Set([
      ...[...this.groups.values()].map((g) => g.name),
      ...this.v.memory.regions.map((r) => r.name),
    ])
    let name = plain
    for (let i = 2; taken.has(name); i++) name = `${plain}_${i}`
    const made: Group = {
      name,
      handle,
      shape: shape[0],
      arrayed: shape[1],
      surface: s.opcode.name.startsWith('su'),
      float: false,
      signed: false,
      channels: 1,
      bytes: 1,
      read: false,
      written: false,
    }
    this.groups.set(key, made)
    return made
  }

  /** Notes what an instruction shows of its texture. */
  private survey(s: Instruction, uses: ReadonlyMap<number, number>): void {
    const g = this.groupOf(s)
    const types = s.opcode.mods.filter(isType)
    const t = types[0] ?? 'b32'
    const name = s.opcode.name
    const value = name === 'sust' ? s.operands[1] : s.operands[0]
    const items = value?.kind === 'vector' ? value.items : [value]
    const wanted =
      name === 'tex'
        ? items.reduce((n, o, i) => (o?.kind === 'register' && (uses.get(o.id) ?? 0) > 1 ? i + 1 : n), 1)
        : name === 'tld4'
          ? 1 + channelOf(s)
          : items.length
    if (t === 'f32' || t === 'f16' || t === 'f16x2') g.float = true
    if (t === 's32') g.signed = true
    if (g.surface && bytesOfType[t] * items.length > g.bytes * g.channels) {
      g.bytes = bytesOfType[t]
      g.channels = items.length
    } else if (!g.surface) g.channels = Math.max(g.channels, wanted)
    if (name !== 'sust') g.read = true
    if (name === 'sust' || name === 'sured') g.written = true
  }

  private texture(s: Instruction): Made {
    const g = this.groupOf(s)
    const known = this.made.get(g)
    if (known) return known
    const spec =
      this.options.textures && Object.hasOwn(this.options.textures, g.name) ? this.options.textures[g.name]! : {}
    const format = this.formatOf(g, spec)
    const resource: Resource = {
      name: g.name,
      space: 'texture',
      type: format.memory,
      count: null,
      access: g.written ? (g.read ? 'read-write' : 'write') : 'read',
    }
    const sizes = new Map<0 | 1 | 2, Param>()
    const size = (axis: 0 | 1 | 2): Value => {
      const made: Param = sizes.get(axis) ?? {
        kind: 'param',
        name: `${g.name}_${['width', 'height', 'depth'][axis]!}`,
        type: 'u32',
      } // three axes
      sizes.set(axis, made)
      return made
    }
    const sampler =
      this.options.samplers && Object.hasOwn(this.options.samplers, g.name) ? this.options.samplers[g.name]! : {}
    const made: Made = {
      group: g,
      array: {
        type: { shape: g.shape },
        resource,
        format,
        levels: g.surface ? 1 : (spec.levels ?? 1),
        samples: 1,
        size,
      },
      sizes,
      sampler: {
        ...sampler,
        filter: sampler.filter ?? 'nearest',
        address: sampler.address ?? ['repeat', 'repeat', 'repeat'],
        coordinates: sampler.coordinates ?? 'texels',
      },
    }
    this.made.set(g, made)
    return made
  }

  /** The launch's format, or one of as many channels as are used: floats of 32 bits, integers of 8. */
  private formatOf(g: Group, spec: TextureSpec): TexelFormat {
    const letters = g.channels > 2 ? 'rgba' : g.channels === 2 ? 'rg' : 'r'
    const usual = g.surface
      ? surfaceFormat(letters, g.bytes)
      : g.float
        ? `${letters}32float`
        : `${letters}8${g.signed ? 'sint' : 'uint'}`
    const format =
      formatNamed(spec.format ?? usual) ??
      fail('explain.texture', `'${(spec.format ?? '').slice(0, 40)}' is no texture format that can be read here`)
    if (!g.surface && (format.element === 'f32') !== g.float)
      fail(
        'explain.texture',
        `a texture of format ${format.name} gives ${format.element === 'f32' ? 'floats' : 'integers'}, but ` +
          `the kernel reads ${g.float ? 'floats' : 'integers'} from '${g.name}'`,
      )
    return format
  }

  // Instructions.

  /** Coordinates as `t`: what comes before them in arrays, then as many as the texture has. */
  private coordinates(s: Instruction, t: PtxType): { readonly at: readonly Value[]; readonly layer?: Value } {
    const { v } = this
    const [shape, arrayed] = this.geometry(s)
    const { parts } = this.addressOf(s)
    const last = parts[parts.length - 1]
    const items: readonly PtxOperand[] = last?.kind === 'vector' ? last.items : last ? [last] : []
    const count = axes[shape]
    if (items.length < count + (arrayed ? 1 : 0))
      return v.refuse(`${s.opcode.text} needs ${count + (arrayed ? 1 : 0)} coordinates`)
    const at = items.slice(arrayed ? 1 : 0, count + (arrayed ? 1 : 0)).map((o) => v.get(o, t))
    return { at, ...(arrayed && { layer: v.get(items[0], 'u32') }) }
  }

  private fetch(s: Instruction): void {
    const { v } = this
    const types = s.opcode.mods.filter(isType)
    const [to, from] = types
    if (!to || (to !== 'f32' && to !== 'u32' && to !== 's32') || (from !== 'f32' && from !== 's32'))
      return v.refuse(`${s.opcode.text}, a texture fetch of another type than 32 bits, cannot be analysed`)
    const m = this.texture(s)
    const extra = s.operands.slice(2)
    const { mods } = s.opcode
    const wanted = mods.includes('level') ? 1 : mods.includes('grad') ? 2 : 0
    if (extra.length > wanted)
      return v.refuse(`${s.opcode.text}, a texture fetch with offsets or a depth, cannot be analysed`)
    const k = builderOf(v)
    const { array } = m
    const texel =
      from === 's32'
        ? loadTexel(k, array, {
            ...this.coordinates(s, 's32'),
            ...(wanted === 1 && array.levels > 1 && { level: v.get(extra[0], 's32') }),
          })
        : sample(
            k,
            array,
            { comparison: false, spec: this.clamped(m) },
            { coords: this.coordinates(s, 'f32').at, ...this.layerOf(s), ...this.level(s, m, wanted, extra) },
          )
    this.give(s, to, texel)
  }

  private layerOf(s: Instruction): { readonly layer?: Value } {
    const { layer } = this.coordinates(s, 'f32')
    return layer ? { layer } : {}
  }

  /** Coordinates that count texels never repeat. */
  private clamped({ sampler }: Made): SamplerSpec {
    return sampler.coordinates === 'texels' ? { ...sampler, address: ['clamp', 'clamp', 'clamp'] } : sampler
  }

  private level(s: Instruction, m: Made, wanted: number, extra: readonly PtxOperand[]): { readonly level?: Value } {
    const { v } = this
    if (wanted === 0 || m.array.levels === 1) return {}
    if (wanted === 1) return { level: v.get(extra[0], 'f32') }
    const [dx, dy] = extra.map((o) =>
      (o.kind === 'vector' ? o.items : [o]).slice(0, axes[m.group.shape]).map((x) => v.get(x, 'f32')),
    )
    return m.group.shape === 'cube'
      ? v.refuse(`${s.opcode.text} of a texture with levels cannot be analysed`)
      : { level: levelOf(builderOf(v), m.array, dx!, dy!) } // two operands
  }

  private gather(s: Instruction): void {
    const { v } = this
    const types = s.opcode.mods.filter(isType)
    const [to, from] = types
    if (!to || (to !== 'f32' && to !== 'u32' && to !== 's32') || from !== 'f32' || s.operands.length > 2)
      return v.refuse(
        `${s.opcode.text}, a texture fetch with offsets, a depth or another type than 32 bits, cannot be analysed`,
      )
    const [shape] = this.geometry(s)
    if (shape === '1d' || shape === '3d') return v.refuse(`${s.opcode.text} cannot be analysed: tld4 reads planes`)
    const m = this.texture(s)
    const { at, layer } = this.coordinates(s, 'f32')
    this.give(
      s,
      to,
      gatherTexels(
        builderOf(v),
        m.array,
        { comparison: false, spec: this.clamped(m) },
        { coords: at, ...(layer && { layer }) },
        channelOf(s),
      ),
    )
  }

  private give(s: Instruction, t: PtxType, texel: readonly Value[]): void {
    const { v } = this
    const [dst] = s.operands
    const items = dst?.kind === 'vector' ? dst.items : dst ? [dst] : []
    if (items.length > 4) return v.refuse(`${s.opcode.text} names ${items.length} results`)
    items.forEach((o, i) => v.put(o, t, v.bits(texel[i]!, scalarOf(t)))) // four channels
    if (s.second) v.put(s.second, 'pred', v.op('copy', [constOf('bool', 1)]))
  }

  /** Bytes at a place: x counts bytes in `.b`, elements in `.p`. */
  private surface(s: Instruction): void {
    const { v } = this
    const { name, mods } = s.opcode
    const m = this.texture(s)
    const t = mods.filter(isType).at(-1) ?? 'b32'
    if (mods[0] === 'p')
      return name === 'sust'
        ? this.storeFormatted(s, m, t)
        : v.refuse(`${s.opcode.text}, a formatted surface access, cannot be analysed`)
    if (name === 'sured') return this.reduceSurface(s, m, t)
    const value = name === 'suld' ? s.operands[0] : s.operands[1]
    const items = value?.kind === 'vector' ? value.items : value ? [value] : []
    if (![1, 2, 4].includes(items.length) || bytesOfType[t] > 8 || bytesOfType[t] * items.length > 16)
      return v.refuse(`${s.opcode.text} of ${items.length} values cannot be analysed`)
    const type = surfaceType(t)
    const index = this.byteOf(s, m, bytesOf[type] * items.length)
    const address = { resource: m.array.resource.name, index, stride: 1, offset: 0 }
    if (name === 'sust') return v.push({ kind: 'store', src: items.map((o) => v.get(o, wide(t))), type, address })
    const dst = items.map(() => v.temp(scalarOf(wide(t))))
    v.push({ kind: 'load', dst, type, address })
    items.forEach((o, i) => v.put(o, wide(t), dst[i]!)) // as many
  }

  private reduceSurface(s: Instruction, m: Made, t: PtxType): void {
    const { v } = this
    const op = s.opcode.mods.find((x): x is SurfaceOp => Object.hasOwn(surfaceOps, x))
    if (op === undefined || (bytesOfType[t] !== 4 && bytesOfType[t] !== 8))
      return v.refuse(`${s.opcode.text} cannot be analysed`)
    const type: MemoryType = t.startsWith('s') ? (bytesOfType[t] === 8 ? 'i64' : 'i32') : surfaceType(t)
    const index = this.byteOf(s, m, bytesOfType[t])
    v.push({
      kind: 'atomic',
      op,
      dst: null,
      type,
      address: { resource: m.array.resource.name, index, stride: 1, offset: 0 },
      args: [v.get(s.operands[1], t.startsWith('s') ? t : wide(t))],
    })
  }

  private byteOf(s: Instruction, m: Made, bytes: number): Value {
    const { v } = this
    const {
      at: [x, y, z],
      layer,
    } = this.coordinates(s, 'u32')
    const { array } = m
    const row = v.op('mul', [array.size(0), v.u32(texelBytes(array.format))])
    const clamps = s.opcode.mods.includes('clamp')
    const most = (n: Value, less: number): Value => v.op('sub', [n, v.u32(less)])
    const inside = (c: Value, last: Value): Value =>
      v.bits(v.op('min', [v.op('max', [v.bits(c, 'i32'), constOf('i32', 0)]), v.bits(last, 'i32')]), 'u32')
    const limits: Value[] = []
    const kept = (c: Value, end: Value, part: number): Value => {
      if (clamps) return inside(c, most(end, part))
      limits.push(v.op('le', [c, most(end, part)]))
      return c
    }
    const column = kept(x!, row, bytes) // surfaces have one coordinate at least
    const line = y === undefined ? v.u32(0) : kept(y, array.size(1), 1)
    const slice = z ?? layer
    const plane = slice === undefined ? v.u32(0) : kept(slice, array.size(2), 1)
    const rows =
      array.type.shape === '1d'
        ? plane
        : v.op('add', [v.op('mul', [plane, y === undefined ? v.u32(1) : array.size(1)]), line])
    const place = v.op('add', [v.op('mul', [rows, row]), column])
    return limits.length === 0
      ? place
      : v.op('select', [limits.reduce((a, b) => v.op('land', [a, b])), place, v.u32(0xfffffff0)])
  }

  private storeFormatted(s: Instruction, m: Made, t: PtxType): void {
    const { v } = this
    const value = s.operands[1]
    const items = value?.kind === 'vector' ? value.items : value ? [value] : []
    if (bytesOfType[t] !== 4 || items.length > 4)
      return v.refuse(`${s.opcode.text}, a formatted surface access of another type than 32 bits, cannot be analysed`)
    const type: PtxType = m.array.format.element === 'f32' ? 'f32' : m.array.format.element === 'i32' ? 's32' : 'u32'
    const parts = items.map((o) => v.get(o, type))
    const four = [0, 1, 2, 3].map((i) => parts[i] ?? constOf(scalarOf(type), 0))
    storeTexel(builderOf(v), m.array, this.coordinates(s, 'u32'), four)
  }

  private query(s: Instruction): void {
    const { v } = this
    const key = this.find(this.keysOf(s)[0]!) // one key at least
    const group = [...this.groups].find(([k]) => k.startsWith(`${key} `))?.[1]
    const what = s.opcode.mods.find(
      (m) =>
        m === 'width' ||
        m === 'height' ||
        m === 'depth' ||
        m === 'array_size' ||
        m === 'num_mipmap_levels' ||
        m === 'num_samples',
    )
    if (!group || what === undefined)
      return v.refuse(
        `${s.opcode.text}, a ${s.opcode.name === 'txq' ? 'texture' : 'surface'} query, cannot be analysed`,
      )
    // every shape has a word
    const shape = Object.entries(geometries).find(([, [x, a]]) => x === group.shape && a === group.arrayed)![0]
    const m = this.texture({ ...s, opcode: { ...s.opcode, name: group.surface ? 'suld' : 'tex', mods: [shape] } })
    const value =
      what === 'num_mipmap_levels'
        ? v.u32(m.array.levels)
        : what === 'num_samples'
          ? v.u32(1)
          : m.array.size(what === 'width' ? 0 : what === 'height' ? 1 : 2)
    v.put(s.operands[0], 'u32', v.op('copy', [value]))
  }
}

/** How often each register stands in an operand. */
function usesOf(list: readonly Instruction[]): ReadonlyMap<number, number> {
  const uses = new Map<number, number>()
  const see = (o: PtxOperand | null): void => {
    switch (o?.kind) {
      case 'register':
        uses.set(o.id, (uses.get(o.id) ?? 0) + 1)
        return
      case 'vector':
      case 'tuple':
        o.items.forEach(see)
        return
      case 'address':
        see(o.base)
        o.parts.forEach(see)
        return
      case 'literal':
      case 'name':
      case 'sink':
      case undefined:
        return
    }
  }
  for (const s of list) s.operands.forEach(see)
  return uses
}

const channelOf = (s: Instruction): number =>
  Math.max(
    0,
    ['r', 'g', 'b', 'a'].findIndex((c) => s.opcode.mods[0] === c),
  )

function surfaceFormat(letters: string, bytes: number): string {
  if (bytes < 8) return `${letters}${8 * bytes}uint`
  return letters === 'r' ? 'rg32uint' : 'rgba32uint'
}

function surfaceType(t: PtxType): MemoryType {
  const types: Readonly<Record<number, MemoryType>> = { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' }
  return types[bytesOfType[t]]! // 16 bytes are no surface type
}

const surfaceOps = { add: 'add', min: 'min', max: 'max', and: 'and', or: 'or' } as const
type SurfaceOp = keyof typeof surfaceOps

const wide = (t: PtxType): PtxType => (bytesOfType[t] === 8 ? 'u64' : 'u32')

/** What lowers fetches, over the values of PTX; statements between are marked free with their instruction. */
function builderOf(v: PtxValues): TexelBuilder {
  return {
    apply: (op, args, to) => {
      if (op === 'convert' && to === args[0]!.type) return args[0]! // every op has arguments
      const type = args[op === 'select' ? 1 : 0]!.type // every op has arguments
      if (args.every((a): a is Const => a.kind === 'const')) {
        const gives = opRow(op).gives
        const result = gives === 'bool' ? 'bool' : gives === 'to' ? (to ?? type) : type
        return constOf(
          result,
          evaluate(
            op,
            type,
            args.map((a) => a.value),
            result,
          ),
        )
      }
      return v.op(op, args, opRow(op).gives === 'to' ? to : undefined)
    },
    free: (emit) => emit(),
    loadVector: (width, resource, index, { type, stride, free }) => {
      const dst = Array.from({ length: width }, () =>
        v.temp(type === 'f16' || type === 'f32' ? type : type.startsWith('i') ? 'i32' : 'u32'),
      )
      v.push({
        kind: 'load',
        dst,
        type,
        address: { resource: resource.name, index, stride, offset: 0 },
        ...(free && { free }),
      })
      return dst
    },
    store: (resource, index, values, { type, stride }) =>
      v.push({ kind: 'store', src: values, type, address: { resource: resource.name, index, stride, offset: 0 } }),
  }
}
