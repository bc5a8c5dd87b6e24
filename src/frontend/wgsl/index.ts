export {
  entryPoints,
  parseWgsl,
  type WgslBinding,
  type WgslKernel,
  type WgslOptions,
  type WgslSampler,
  type WgslTexture,
} from './frontend.ts'
export { flatten, partCount, sizeOf, strideOf, type WType } from './types.ts'
export { offsets } from './layout.ts'
