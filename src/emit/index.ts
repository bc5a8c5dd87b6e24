export { emitWgsl, type EmitOptions } from './wgsl.ts'
export { emitCuda } from './cuda.ts'
