// What texel code needs of a texture, a sampler and whoever builds the kernel. The one idea: front ends have builders
// and texture types of their own; what lowers fetches asks only for these parts, so that WGSL and PTX share it.
import type { Operand, Resource } from '../kernel/kernel.ts'
import type { OpName } from '../ops.ts'
import type { MemoryType, ScalarType } from '../types.ts'
import type { TexelFormat } from './formats.ts'

/** Texels in memory: level after level, layer after layer, row after row, samples of a texel side by side. */
export interface TexelArray {
  readonly type: { readonly shape: '1d' | '2d' | '3d' | 'cube' }
  readonly resource: Resource
  readonly format: TexelFormat
  readonly levels: number
  readonly samples: number
  /** Texels along each axis of the first level; layers stand in the third. */
  readonly size: (axis: 0 | 1 | 2) => Operand
}

export interface TexelAccess {
  readonly type: MemoryType
  readonly stride: number
  readonly name?: string
  readonly free?: true
}

/** Makes statements; `free` ones are not counted, but for loads and stores that do not say so themselves. */
export interface TexelBuilder {
  apply(op: OpName, args: readonly Operand[], to?: ScalarType): Operand
  free<T>(emit: () => T): T
  loadVector(width: number, resource: Resource, index: Operand, options: TexelAccess): readonly Operand[]
  store(resource: Resource, index: Operand, values: readonly Operand[], options: TexelAccess): void
}

export type AddressMode = 'clamp' | 'repeat' | 'mirror'
export type Compare = 'never' | 'less' | 'equal' | 'less-equal' | 'greater' | 'not-equal' | 'greater-equal' | 'always'

/** How a sampler reads. */
export interface SamplerSpec {
  readonly filter?: 'nearest' | 'linear'
  /** Between mip levels. */
  readonly mip?: 'nearest' | 'linear'
  /** Along x, y and z. */
  readonly address?: readonly [AddressMode, AddressMode, AddressMode]
  readonly compare?: Compare
  /** Whether coordinates run from 0 to 1 or count texels; normalized when absent, but in CUDA texels. */
  readonly coordinates?: 'normalized' | 'texels'
}

export interface TexelSampler {
  readonly comparison: boolean
  readonly spec: SamplerSpec
}

/** What the launch knows of a texture before its size. */
export interface TextureSpec {
  /** A WebGPU format; 8 bits a channel (depth: 32) when absent. */
  readonly format?: string
  /** Mip levels; 1 when absent. */
  readonly levels?: number
  /** Of multisampled textures; 4 when absent. */
  readonly samples?: number
}
