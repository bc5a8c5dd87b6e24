export { readElement } from './bytes.ts'
export * from './types.ts'
export * from './ops.ts'
export * from './kernel/kernel.ts'
export * from './loop/loop.ts'
export * from './launch.ts'
export * from './chip.ts'
export { lineCosts, type LineCost } from './line-costs.ts'
export * from './trace.ts'
export * from './study.ts'
export * from './loop/build.ts'
export { identityOf, reduced, zeroOf } from './loop/reduction-ops.ts'
export { asReduction, conditionalReduction, contains, negate } from './loop/reduction-recognition.ts'
export * from './integers/affine.ts'
export * from './integers/affine-bounds.ts'
export * from './round.ts'
export * from './kernel/verify-kernel.ts'
export * from './kernel/kernel-build.ts'
export * from './evaluate.ts'
export * from './kernel/text-kernel.ts'
export { printExpr, printProgram, printStmt } from './loop/text-loop.ts'
export * from './loop/parse-loop.ts'
export * from './loop/verify-loop.ts'
export { interpret, referenceType, type Inputs, type InterpretOptions, type Moved } from './interpret/interpret.ts'
export * from './integers/omega-test.ts'
export * from './integers/domain.ts'
export { casesOf, isNonNegative, type AffineCase } from './integers/piecewise-affine.ts'
export {
  assuming,
  decided,
  invariantChoices,
  isAskedExactly,
  unswitched,
  type KnownConditions,
} from './loop/unswitching.ts'
export {
  affineConditionOf,
  keepsConditions,
  meantAt,
  notNegative,
  withConditions,
  withoutDecided,
} from './loop/conditions.ts'
export { changesNothing, dividesByZero, isNothing, mayDivideByZero, specialized, withSize } from './loop/specialize.ts'
export * from './loop/accesses.ts'
export { withPowers, withQuotients, withoutQuotients, type Quotients } from './integers/size-quotients.ts'
export * from './loop/rewrite.ts'
export { countedFromZero } from './loop/loop-rebase.ts'
export { doubleIn, toSingle, wideIn } from './loop/precision.ts'
export * from './plan.ts'
export * from './limits.ts'
export * from './loop/cover.ts'
export {
  coefficients,
  divide,
  isNeverNegative,
  isPositive,
  signedSizes,
  leading,
  ofSizes,
  plusScaled,
  hasCancelling,
  polynomialExpr,
  polynomialOf,
  polynomialProduct,
  namesInKey,
  hasQuotients,
  toAffine,
  toExpr,
  type Polynomial,
  type Signed,
} from './integers/polynomial.ts'
export * from './loop/bit-masks.ts'
export * from './loop/early-exit.ts'
export * from './texture/texture.ts'
export { dimensions, extent, loadTexel, storeTexel, type TexelPlace } from './texture/texels.ts'
export { formatNamed, texelBytes, usualFormat, type TexelFormat } from './texture/formats.ts'
export { gatherTexels, levelOf, sample, type SampleArgs } from './texture/sample.ts'
export { packHalf, unpackHalf } from './texture/half.ts'
export {
  allStatements,
  writtenIn,
  definedOnce,
  definesOf,
  timesDefined,
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
} from './kernel/kernel-parts.ts'
export { facts, type Facts } from './kernel/uniform.ts'
export * from './promises/index.ts'
export {
  type Read,
  claimName,
  conjunction,
  conjuncts,
  constantElements,
  constantExtent,
  eachExpr,
  eachExprIn,
  leavesCondition,
  isTriangular,
  childrenOf,
  someExpr,
  someExprIn,
  someStmt,
  eachStmt,
  exprKey,
  extentOf,
  factorsOf,
  freshName,
  type GuardedNest,
  guardInside,
  guardedNest,
  isFree,
  loopsNamed,
  mapBody,
  mapStmtExprs,
  namesOf,
  nest,
  nestWithGuards,
  ownExprs,
  peelGuard,
  perfectNest,
  placedElsewhere,
  readByChoice,
  readsArray,
  readsIn,
  replaceReads,
  storedIn,
  replaceLoops,
  rewriteExpr,
  sameExpr,
  sets,
  sizesIn,
  isOfSizes,
  substitute,
  substituteStmt,
  theLoop,
  unconditionalReads,
  uses,
  varsOf,
  withGuard,
} from './loop/loop-tree.ts'
export { bodyOf, nestProgram, nestsAsWritten, type Regions } from './loop/nest-program.ts'
export type {
  Computed,
  Argument,
  CellRange,
  Crossed,
  Fixed,
  Flat,
  Form,
  HostLoop,
  Idiom,
  MapKind,
  Maps,
  Nest,
  OneBlock,
  Other,
  Recurrence,
  Reduction,
  Region,
  Ring,
  Rows,
  Scan,
  ScanStore,
  Scatter,
  Serial,
  Skew,
  Staged,
  StagedArray,
  Stages,
  Sums,
  Sweep,
  TimeTiles,
  WaveTiles,
  Window,
} from './loop/nest.ts'
export { loopsOfNest, mapNestExprs } from './loop/nest.ts'
export { type WordsByTarget, atomicPromises, memoryPromises, subgroupPromises } from './promises/memory.ts'
export {
  type Allowed,
  type Open,
  type Promised,
  type TargetName,
  allowanceOf,
  errorOf,
  isOpen,
  mostExact,
  mostFactors,
  unbounded,
  unitAt,
} from './promises/promise.ts'
export { promiseOf } from './promises/table.ts'
export * from './passes/index.ts'
