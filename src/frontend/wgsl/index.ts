export {
  entryPoints,
  parseWgsl,
  wgslEntryOf,
  wgslText,
  wgslToKernel,
  type WgslBinding,
  type WgslKernel,
  type WgslOptions,
  type WgslSampler,
  type WgslTexture,
} from './frontend.ts'
export type { UnusedBinding } from './used-variables.ts'
export { scalarNamesOf, partCount, bytesOfWgsl, strideOf, type WType } from './types/types.ts'
export { offsets } from './types/constant-bytes.ts'
