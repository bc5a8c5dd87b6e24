export { readElement } from './bytes.ts'
export * from './types.ts'
export * from './ops.ts'
export * from './kernel.ts'
export * from './loop.ts'
export * from './launch.ts'
export * from './trace.ts'
export * from './study.ts'
export * from './build.ts'
export { identityOf, reduced, zeroOf } from './algebra.ts'
export * from './affine.ts'
export * from './extreme.ts'
export * from './round.ts'
export * from './verify-kernel.ts'
export * from './kernel-build.ts'
export * from './evaluate.ts'
export * from './text-kernel.ts'
export { printExpr, printProgram, printStmt } from './text-loop.ts'
export * from './parse-loop.ts'
export * from './verify-loop.ts'
export { interpret, referenceType, type Inputs, type InterpretOptions, type Moved } from './interpret.ts'
export * from './integer.ts'
export * from './domain.ts'
export { isNonNegative } from './cases.ts'
export { changesNothing, dividesByZero, isNothing, specialized, withSize } from './specialize.ts'
export * from './accesses.ts'
export { withQuotients, withoutQuotients, type Quotients } from './quotients.ts'
export * from './rewrite.ts'
export { doubleIn, toSingle, wideIn } from './precision.ts'
export * from './plan.ts'
export * from './limits.ts'
export * from './cover.ts'
export {
  coefficients,
  divide,
  isNeverNegative,
  isPositive,
  signedSizes,
  leading,
  ofSizes,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  times,
  toAffine,
  toExpr,
  type Polynomial,
  type Signed,
} from './polynomial.ts'
export * from './ending.ts'
export * from './texture/texture.ts'
export { dimensions, extent, loadTexel, storeTexel, type Place } from './texture/texels.ts'
export { formatNamed, texelBytes, usualFormat, type TexelFormat } from './texture/formats.ts'
export { gather, levelOf, sample, type SampleArgs } from './texture/sample.ts'
export { packHalf, unpackHalf } from './texture/half.ts'
export {
  allStatements,
  definesOf,
  hollowKernel,
  isBound,
  isCached,
  listsOf,
  mapDefines,
  mapStep,
  mapUses,
  meetsGrid,
  placeOf,
  plainKernel,
  sharedBytesOf,
  sharedPlaces,
  usesOf,
  type SharedPlaces,
} from './kernel-parts.ts'
export { facts, type Facts } from './uniform.ts'
export * from './promises/index.ts'
