export {
  parsePtx,
  ptxEntries,
  type PtxKernel,
  type PtxOptions,
  type PtxParam,
  type PtxPointer,
  type PtxScalar,
  type PtxTable,
} from './frontend.ts'
export type { PtxTexture } from './textures.ts'
export { bindPtx, unbindPtx, type PtxBound, type PtxImage } from './launch.ts'
export { readMachineCode, type MachineFunction } from './machine/code.ts'
export { readMemory, writeMemory } from './bytes.ts'
export { means } from './demangle.ts'
export { functionName } from './names.ts'
export { parameterNames } from './signature.ts'
