export {
  parsePtx,
  ptxEntries,
  ptxEntryOf,
  ptxToKernel,
  type PtxKernel,
  type PtxOptions,
  type PtxParam,
  type PtxPointer,
  type PtxScalar,
  type PtxTable,
  type PtxVariable,
} from './frontend.ts'
export type { PtxTexture } from './lower/textures.ts'
export { bindPtx, unbindPtx, type PtxBound, type PtxImage } from './launch.ts'
export { readMachineCode, type MachineFunction } from './machine/code.ts'
export { readMemory, writeMemory } from './number-bytes.ts'
export { means } from './text/demangle.ts'
export { functionName } from './text/readable-names.ts'
export { parametersOf, type Parameter } from './text/signature.ts'
export { flatPtx, placedPtx, ptxEntry } from './flat-ptx.ts'
