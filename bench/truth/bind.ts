// In: a kernel read from PTX and one recorded launch (record.cc). Out: the `Launch` that runs it, with the recorded
// memory. The one idea: a recorded pointer is an address in a live allocation, so the whole allocation is laid into the
// resource and the pointer keeps its distance from the allocation's beginning; alignments and negative indices stay as
// they were.
import {
  readMemory,
  type PtxKernel,
  type PtxOptions,
  type PtxPointer,
  type PtxTexture,
} from '../../src/frontend/ptx/index.ts'
import type { Dim3, Launch, SamplerSpec } from '../../src/ir/index.ts'

/** A texture object of one level whose handle is a parameter. `bits` of each channel; the rest as CUDA numbers it. */
export interface RecordedTexture {
  readonly handle: string
  readonly bits: readonly number[]
  /** cudaChannelFormatKind: signed, unsigned, float. */
  readonly kind: number
  readonly extent: readonly [number, number]
  readonly address: readonly number[]
  /** 0 the nearest texel, 1 linear. */
  readonly filter: number
  readonly normalized: boolean
  readonly file: string | null
}

export interface Memory {
  readonly at: string
  readonly bytes: number
  readonly file: string | null
}

/** One line of launches.jsonl. */
export interface Recorded {
  readonly row: number
  readonly ordinal: number
  readonly kernel: string
  readonly grid: Dim3
  readonly block: Dim3
  readonly shared: number
  readonly cooperative: boolean
  readonly registers: number
  readonly static: number
  readonly local: number
  readonly activeBlocks: number
  /** Bytes of each parameter in hexadecimal. */
  readonly params: readonly string[]
  readonly variables: readonly (Memory & { readonly name: string })[]
  readonly allocations: readonly Memory[]
  readonly textures?: readonly RecordedTexture[]
}

type TextureOptions = Pick<PtxOptions, 'textures' | 'samplers'>

/** Reads contents by the name of their file. */
export type Contents = (file: string) => Uint8Array

export interface Bound {
  readonly launch: Launch
  /** What makes the replay differ from the run: memory too large to record, two resources in one allocation. */
  readonly notes: readonly string[]
}

interface Place {
  readonly memory: Memory
  readonly start: bigint
  readonly resource: string
  readonly base: number
  readonly at: number
}

const windowBytes = 256
const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, 'hex'))
const holds = (m: Memory, address: bigint): boolean =>
  address >= BigInt(m.at) && address < BigInt(m.at) + BigInt(m.bytes)

/** The recorded texture whose handle a kernel's texture has. */
function imageOf(texture: PtxTexture, recorded: Recorded): RecordedTexture | undefined {
  const { handle } = texture
  if (!handle) return undefined
  const value = new DataView(bytesOfHex(recorded.params[handle.index] ?? '').buffer).getBigUint64(handle.offset, true)
  return recorded.textures?.find((t) => BigInt(t.handle) === value)
}

const kinds = ['sint', 'uint', 'float'] as const
const addresses = ['repeat', 'clamp', 'mirror', 'border'] as const

/**
 * Formats and samplers of the launch's textures, with which the kernel is read once more; null when one was not
 * recorded.
 */
export function textureOptions(ptx: PtxKernel, recorded: Recorded): TextureOptions | null {
  const all = ptx.textures.map((t) => [t, imageOf(t, recorded)] as const)
  if (
    all.some(
      ([, image]) => !image || image.file === null || addresses[image.address[0]!] === 'border' || !kinds[image.kind],
    )
  )
    return null
  const list = all as readonly (readonly [PtxTexture, RecordedTexture])[] // none is missing
  return {
    textures: Object.fromEntries(
      list.map(([t, i]) => [
        t.resource,
        { format: `${'rgba'.slice(0, i.bits.filter((b) => b > 0).length)}${i.bits[0]!}${kinds[i.kind]!}` },
      ]),
    ),
    samplers: Object.fromEntries(
      list.map(([t, i]) => [
        t.resource,
        {
          filter: i.filter === 1 ? 'linear' : 'nearest',
          address: [0, 1, 2].map((k) => addresses[i.address[k]!]) as unknown as NonNullable<SamplerSpec['address']>,
          coordinates: i.normalized ? 'normalized' : 'texels',
        },
      ]),
    ), // three modes
  }
}

/** Lays the launch's allocations into the kernel's resources. */
export function bindRecorded(ptx: PtxKernel, recorded: Recorded, contents: Contents): Bound {
  const binder = new Binder(ptx, recorded, contents)
  return { launch: binder.launch(), notes: [...binder.notes] }
}

class Binder {
  readonly notes = new Set<string>()
  private readonly ptx: PtxKernel
  private readonly recorded: Recorded
  private readonly contents: Contents
  private readonly places: Place[] = []
  private readonly ends = new Map<string, number>()
  private readonly args: Uint8Array<ArrayBuffer>[]

  constructor(ptx: PtxKernel, recorded: Recorded, contents: Contents) {
    this.ptx = ptx
    this.recorded = recorded
    this.contents = contents
    if (ptx.params.length !== recorded.params.length)
      throw new Error(
        `${recorded.kernel}: ${recorded.params.length} parameters recorded, ${ptx.params.length} in the PTX`,
      )
    this.args = recorded.params.map((hex, i) => {
      const bytes = new Uint8Array(Math.max(8, ptx.params[i]!.bytes))
      bytes.set(bytesOfHex(hex))
      return bytes
    })
    for (const t of ptx.tables) this.ends.set(t.resource, t.bytes.byteLength)
  }

  launch(): Launch {
    const images = this.ptx.textures.map((t) => [t, imageOf(t, this.recorded)] as const)
    if (images.some(([, i]) => !i || i.file === null))
      throw new Error('it reads textures, whose contents are not recorded')
    for (const p of this.ptx.pointers) this.point(p)
    for (const flat of this.ptx.flat) this.placeAll(flat)
    const memory = new Map(
      [...this.ends].map(([resource, end]) => [resource, new Uint8Array(Math.max(16, Math.ceil(end / 16) * 16))]),
    )
    for (const r of this.ptx.kernel.resources)
      if ((r.space === 'global' || r.space === 'constant') && !memory.has(r.name))
        memory.set(r.name, new Uint8Array(16))
    for (const p of this.places) this.fill(memory.get(p.resource)!, p)
    for (const t of this.ptx.tables) this.table(memory.get(t.resource)!, t)
    const params = Object.fromEntries(
      this.ptx.scalars.map((s) => [s.param, readMemory(this.args[s.index]!.buffer, s.offset, s.type)]),
    )
    // both were tested
    for (const [t, image] of images) memory.set(t.resource, new Uint8Array(this.contents(image!.file!)))
    const sizes = Object.fromEntries(
      images.flatMap(([t, image]) => t.sizes.map(({ axis, param }) => [param, axis === 2 ? 1 : image!.extent[axis]])),
    ) // tested
    return {
      grid: this.recorded.grid,
      params: { ...params, ...sizes },
      buffers: Object.fromEntries([...memory].map(([k, m]) => [k, m.buffer])),
    }
  }

  private allocation(address: bigint): Memory | undefined {
    return (
      this.recorded.allocations.find((m) => holds(m, address)) ?? this.recorded.variables.find((m) => holds(m, address))
    )
  }

  private point(p: PtxPointer): void {
    const view = new DataView(this.args[p.index]!.buffer)
    const address = view.getBigUint64(p.offset, true)
    const memory = this.allocation(address)
    if (!memory) {
      if (address !== 0n) this.notes.add(`parameter ${p.index} points to memory that was not recorded`)
      return
    }
    const place = this.place(memory, p.resource, p.base)
    view.setBigUint64(p.offset, BigInt(place.base + place.at) + (address - place.start), true)
  }

  private place(memory: Memory, resource: string, base: number): Place {
    const known = this.places.find((p) => p.memory === memory && p.resource === resource)
    if (known) return known
    if (this.places.some((p) => p.memory === memory))
      this.notes.add('two pointers lead to one allocation, which is simulated as two')
    const at = Math.ceil((this.ends.get(resource) ?? 0) / windowBytes) * windowBytes
    // Addresses keep their place inside a window: the driver gives 256-byte alignment, host memory may not.
    const shift = Number(BigInt(memory.at) % BigInt(windowBytes))
    const place: Place = { memory, start: BigInt(memory.at), resource, base, at: at + shift }
    this.ends.set(resource, place.at + memory.bytes)
    this.places.push(place)
    return place
  }

  /** Pointers read from memory may lead to any allocation. */
  private placeAll(resource: string): void {
    const base =
      this.ptx.pointers.find((p) => p.resource === resource)?.base ??
      this.ptx.tables.find((t) => t.resource === resource)?.base ??
      4096
    for (const m of this.recorded.allocations) this.place(m, resource, base)
  }

  private fill(memory: Uint8Array, place: Place): void {
    const { file } = place.memory
    if (file === null) {
      this.notes.add('contents too large to record are zeros')
      return
    }
    const bytes = new Uint8Array(this.contents(file))
    if (this.ptx.flat.includes(place.resource)) this.relocate(bytes, place.resource)
    memory.set(bytes.subarray(0, place.memory.bytes), place.at)
  }

  /** Device addresses in memory become the simulated ones. */
  private relocate(bytes: Uint8Array, resource: string): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const mine = this.places.filter((p) => p.resource === resource)
    for (let i = 0; i + 8 <= bytes.length; i += 8) {
      const value = view.getBigUint64(i, true)
      if (value < 1n << 32n) continue
      const hit = mine.find((p) => holds(p.memory, value))
      if (hit) view.setBigUint64(i, BigInt(hit.base + hit.at) + (value - hit.start), true)
    }
  }

  private table(memory: Uint8Array, table: PtxKernel['tables'][number]): void {
    memory.set(new Uint8Array(table.bytes))
    for (const v of this.recorded.variables) {
      const at = Object.hasOwn(table.variables, v.name) ? table.variables[v.name] : undefined
      if (at === undefined || v.file === null) continue
      const bytes = new Uint8Array(this.contents(v.file))
      if (this.ptx.flat.includes(table.resource)) this.relocate(bytes, table.resource)
      memory.set(bytes, at)
    }
    if (table.holdsParameters)
      for (const [i, p] of this.ptx.params.entries()) memory.set(this.args[i]!.subarray(0, p.bytes), p.place)
  }
}
