// Textures and samplers on a device for tests. In: a binding of a kernel, its size and its texels in one piece (level
// after level, layer after layer, rows along x). Out: a view to bind; later the texels again. Depth formats and samples
// cannot be written by copies in WebGPU, but for depth16unorm.
import type { WgslBinding, WgslSampler } from '../../src/frontend/wgsl/index.ts'
import { texelBytes } from '../../src/ir/index.ts'

export interface TextureSpec {
  readonly format?: string
  readonly size: readonly [number, number, number]
  readonly levels?: number
}
export interface Held {
  readonly texture: GPUTexture
  readonly view: GPUTextureView
  readonly bytes: number
  readonly size: readonly [number, number, number]
}

const modes = { clamp: 'clamp-to-edge', repeat: 'repeat', mirror: 'mirror-repeat' } as const

export function deviceSampler(d: GPUDevice, { spec, comparison }: WgslSampler): GPUSampler {
  const [u = 'clamp', v = 'clamp', w = 'clamp'] = spec.address ?? []
  const filter = spec.filter ?? 'linear'
  return d.createSampler({
    magFilter: filter,
    minFilter: filter,
    mipmapFilter: spec.mip ?? 'nearest',
    addressModeU: modes[u],
    addressModeV: modes[v],
    addressModeW: modes[w],
    ...(comparison && { compare: spec.compare ?? 'less' }),
  })
}

export function deviceTexture(d: GPUDevice, b: WgslBinding, spec: TextureSpec, texels: ArrayBuffer): Held {
  const { type, format, levels } = b.texture!
  const dimension = type.shape === '1d' || type.shape === '3d' ? type.shape : '2d'
  const usage =
    GPUTextureUsage.COPY_DST |
    GPUTextureUsage.COPY_SRC |
    (type.role === 'storage' ? GPUTextureUsage.STORAGE_BINDING : GPUTextureUsage.TEXTURE_BINDING)
  const texture = d.createTexture({
    size: [...spec.size],
    dimension,
    format: format.name as GPUTextureFormat,
    usage,
    mipLevelCount: levels,
  }) // our names are WebGPU's
  let at = 0
  for (let level = 0; level < levels; level++) {
    const [x, y, z] = spec.size.map((n, axis) => (axis === 2 && type.shape !== '3d' ? n : Math.max(1, n >> level))) as [
      number,
      number,
      number,
    ] // of three
    const row = x * texelBytes(format)
    d.queue.writeTexture(
      { texture, mipLevel: level, aspect: format.depth ? 'depth-only' : 'all' },
      new Uint8Array(texels, at, row * y * z),
      { bytesPerRow: row, rowsPerImage: y },
      [x, y, z],
    )
    at += row * y * z
  }
  const view = texture.createView({
    dimension: `${type.shape}${type.arrayed ? '-array' : ''}` as GPUTextureViewDimension,
  }) // 2d-array, cube-array
  return { texture, view, bytes: texelBytes(format), size: spec.size }
}

/** Copies the first level out; the function gives it when the work is done. */
export function readTexture(
  d: GPUDevice,
  encoder: GPUCommandEncoder,
  { texture, bytes, size: [x, y, z] }: Held,
): () => Promise<ArrayBuffer> {
  const row = Math.ceil((x * bytes) / 256) * 256
  const buffer = d.createBuffer({ size: row * y * z, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: row, rowsPerImage: y }, [x, y, z])
  return async () => {
    await buffer.mapAsync(GPUMapMode.READ)
    const from = new Uint8Array(buffer.getMappedRange())
    const out = new Uint8Array(x * bytes * y * z)
    for (let r = 0; r < y * z; r++) out.set(from.subarray(r * row, r * row + x * bytes), r * x * bytes)
    buffer.destroy()
    return out.buffer
  }
}
