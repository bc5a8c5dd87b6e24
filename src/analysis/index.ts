export { rangeOver, type Range } from './block-subscripts.ts'
export * from './dependences.ts'
export { elementRanges } from './elements/element-ranges.ts'
export { exposedReadDepth, hasExposedReads } from './exposed-reads.ts'
export { isLength, timesIn } from './length-digits.ts'
export * from './loop-parallelism.ts'
export * from './locality/reuse.ts'
export {
  exponentsIn,
  conjunctsAndGuards,
  powerOf,
  shiftValues,
  type Power,
} from './butterfly-subscripts.ts'
export {
  Equalities,
  Iterations,
  bitsOfVariable,
  digitOfBit,
  digitsOfNumber,
  type Digit,
  type Digits,
} from './bit-digits.ts'
export {
  appliedMap,
  coefficientsIn,
  coefficientsOf,
  composed,
  fixedOf,
  identityMap,
  isNeutral,
  isUnit,
  varying,
  withFixed,
} from './rings/affine-maps.ts'
export { type Nanoseconds, costOf, planned, pointsOf, plannedBound, termsInOnePlace } from './cost-estimate.ts'
export {
  type Footprint,
  type ReadSite,
  elementAt,
  footprint,
  footprintOf,
  guardsOnBox,
  offsetIn,
  readSites,
  storeSites,
} from './locality/footprint.ts'
export { type LoopRange, extentOfName, orderedComponents, interchanged, loopsOver, rowsOf } from './fourier-motzkin.ts'
export { conditionOf, holds, inequalityOf, inequalityOfQuotient, signedSizeNames } from './inequality.ts'
export { alwaysInside, injective, innerRange, isApart, isThere, orderFree } from './legality.ts'
export {
  type Around,
  type ArraysByName,
  inSizes,
  isBefore,
  isStore,
  isWhole,
  mentions,
  mentionsAny,
  ownOnly,
  ownScalar,
  readsOf,
  uniqueReads,
  isElsewhere,
  sameIndex,
  sameIndexForm,
  withoutReduce,
} from './loop-context.ts'
export { extremeOf, extremesIn } from './rings/max-plus.ts'
export { inMemoryOrder, nestInMemoryOrder } from './locality/memory-order.ts'
export { hasLoop, outerLoops } from './parallel-loops.ts'
export { isDownward, isNearest, readIndices, sectorElements, sideBySide } from './locality/nearest-loops.ts'
export { columnsOf, isReduction, lateStart, rowOf } from './row-reductions.ts'
export { isKeptWhole, isResidue, modulusOf, mostRead, residuesIn, type KnownResidues } from './rings/residues.ts'
