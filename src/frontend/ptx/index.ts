export { parsePtx, ptxEntries, type PtxKernel, type PtxOptions, type PtxParam, type PtxPointer, type PtxScalar, type PtxTable } from './frontend.ts'
export { bindPtx, unbindPtx, type PtxBound } from './launch.ts'
export { readMemory, writeMemory } from './bytes.ts'
export { functionName } from './names.ts'
