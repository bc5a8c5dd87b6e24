// In: a parsed kernel, the bytes of its arguments and a buffer for each pointer. Out: the `Launch` that runs it. The
// one idea: pointers are numbers that a launch chooses, so buffers that share a resource are laid behind each other and
// each pointer argument gets the address of its own.
import { texelBytes, type Dim3, type Launch } from '../../ir/index.ts'
import { readMemory } from './number-bytes.ts'
import type { PtxKernel, PtxPointer } from './frontend.ts'
import type { PtxTexture } from './lower/textures.ts'

/** Arrays that share one piece of memory begin at multiples of this, as allocations of CUDA do. */
const windowBytes = 256

export interface PtxBound {
  readonly launch: Launch
  /** Where each pointer's buffer lies in its resource. */
  readonly places: readonly { readonly pointer: PtxPointer; readonly at: number; readonly bytes: number }[]
}

/**
 * The texels of a texture, level after level, layer after layer, row after row; layers and faces stand in the third of
 * `extent`.
 */
export interface PtxImage {
  readonly bytes: ArrayBuffer
  readonly extent: Dim3
}

/** Texels along each axis of a texture that nobody sized. */
const side = 64

/** Zeros for a texture that nobody gave. */
function blank({ shape, arrayed, format, levels }: PtxTexture): PtxImage {
  const extent: Dim3 = [side, shape === '1d' ? 1 : side, shape === '3d' ? side : shape === 'cube' ? 6 : arrayed ? 4 : 1]
  return {
    extent,
    bytes: new ArrayBuffer(extent[0] * extent[1] * extent[2] * texelBytes(format) * Math.min(2, levels)),
  }
}

/**
 * Binds a launch; textures that `images` lacks are zeros, 64 texels a side. `args` holds the bytes of every parameter;
 * pointers in it are overwritten.
 */
export function bindPtx(
  ptx: PtxKernel,
  grid: Dim3,
  args: readonly ArrayBuffer[],
  buffers: readonly ArrayBuffer[],
  images: readonly PtxImage[] = [],
): PtxBound {
  const filled = args.map((a) => a.slice(0))
  const places: { pointer: PtxPointer; at: number; bytes: number }[] = []
  const ends = new Map<string, number>()
  for (const t of ptx.tables) ends.set(t.resource, t.bytes.byteLength)
  ptx.pointers.forEach((pointer, i) => {
    const at = Math.ceil((ends.get(pointer.resource) ?? 0) / windowBytes) * windowBytes
    const bytes = buffers[i]!.byteLength
    ends.set(pointer.resource, at + bytes)
    places.push({ pointer, at, bytes })
    new DataView(filled[pointer.index]!).setBigUint64(pointer.offset, BigInt(pointer.base + at), true)
  })
  // Buffers, not views: a view has less than 4 GiB.
  const memory = new Map<string, ArrayBuffer>()
  for (const [resource, bytes] of ends)
    memory.set(resource, only(ptx, places, buffers, resource) ?? new ArrayBuffer(Math.max(4, bytes)))
  const put = (resource: string, bytes: Uint8Array, at: number): void =>
    new Uint8Array(memory.get(resource)!).set(bytes, at) // each resource has its memory
  for (const t of ptx.tables) put(t.resource, new Uint8Array(t.bytes), 0)
  places.forEach(({ pointer, at }, i) => {
    if (memory.get(pointer.resource) !== buffers[i]) put(pointer.resource, new Uint8Array(buffers[i]!), at)
  })
  for (const t of ptx.tables)
    if (t.holdsParameters)
      for (const p of ptx.params) put(t.resource, new Uint8Array(filled[p.index]!, 0, p.bytes), p.place)
  const params = Object.fromEntries(ptx.scalars.map((s) => [s.param, readMemory(filled[s.index]!, s.offset, s.type)]))
  const bound = ptx.textures.map((t, i) => [t, images[i] ?? blank(t)] as const)
  const sizes = Object.fromEntries(
    bound.flatMap(([t, { extent }]) => t.sizes.map(({ axis, param }) => [param, extent[axis]])),
  )
  const texels = Object.fromEntries(bound.map(([t, { bytes }]) => [t.resource, bytes]))
  return {
    launch: {
      grid,
      params: { ...params, ...sizes },
      buffers: { ...Object.fromEntries(memory), ...texels },
    },
    places,
  }
}

/** The buffer itself, when it has its resource for its own: nothing is copied and results are seen. */
function only(
  ptx: PtxKernel,
  places: PtxBound['places'],
  buffers: readonly ArrayBuffer[],
  resource: string,
): ArrayBuffer | null {
  const mine = places.flatMap((p, i) => (p.pointer.resource === resource ? [i] : []))
  return mine.length === 1 && !ptx.tables.some((t) => t.resource === resource) ? buffers[mine[0]!]! : null
}

/** Copies what the kernel wrote to shared resources back into the pointers' own buffers. */
export function unbindPtx(bound: PtxBound, buffers: readonly ArrayBuffer[]): void {
  bound.places.forEach(({ pointer, at, bytes }, i) => {
    const m = bound.launch.buffers[pointer.resource]!
    if (m !== buffers[i]) new Uint8Array(buffers[i]!).set(new Uint8Array(m, at, bytes))
  })
}
