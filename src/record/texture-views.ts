// A texture or a view of one as a binding. In: what a page made. Out: format, size, levels and samples of what a shader
// sees. The one idea: a view of some levels or layers has the size of its first level and as many layers as it shows,
// which is what textureDimensions() says in the shader.
import type { RecordedBinding } from './recording.ts'

export type TextureBinding = Extract<RecordedBinding, { kind: 'texture' }>

/** A texture as a whole. */
export const textureBinding = (texture: GPUTexture): TextureBinding => viewBinding(texture, {})

/** A part of a texture; group and binding are set where it is bound. */
export function viewBinding(texture: GPUTexture, of: GPUTextureViewDescriptor): TextureBinding {
  const { width, height, depthOrArrayLayers, mipLevelCount } = texture
  const { baseMipLevel: first = 0, baseArrayLayer = 0 } = of
  const side = (texels: number): number => Math.max(1, texels >> first)
  const depth =
    texture.dimension === '3d'
      ? side(depthOrArrayLayers)
      : (of.arrayLayerCount ?? layersOf(of.dimension) ?? depthOrArrayLayers - baseArrayLayer)
  return {
    kind: 'texture',
    group: 0,
    binding: 0,
    format: of.format ?? texture.format,
    size: [side(width), side(height), depth],
    levels: of.mipLevelCount ?? mipLevelCount - first,
    samples: texture.sampleCount,
  }
}

/** Layers that a dimension has; undefined where the texture decides. */
function layersOf(dimension: GPUTextureViewDimension | undefined): number | undefined {
  if (dimension === 'cube') return 6
  return dimension === '1d' || dimension === '2d' ? 1 : undefined
}
