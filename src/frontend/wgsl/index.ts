export { entryPoints, parseWgsl, type WgslBinding, type WgslKernel, type WgslOptions } from './frontend.ts'
export { flatten, partCount, sizeOf, strideOf, type WType } from './types.ts'
export { offsets } from './layout.ts'
