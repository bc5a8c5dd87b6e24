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
export type { PtxTexture } from './lower/textures.ts'
export { bindPtx, unbindPtx, type PtxBound, type PtxImage } from './launch.ts'
export { readMachineCode, type MachineFunction } from './machine/code.ts'
export { readMemory, writeMemory } from './number-bytes.ts'
export { means } from './text/demangle.ts'
export { functionName } from './text/readable-names.ts'
export { parameterNames } from './text/signature.ts'
