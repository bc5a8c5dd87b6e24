export { readingBefore } from './expansion/anti-dependence-copy.ts'
export { withRoom } from './expansion/array-expansion.ts'
export { copying, ownReads, readsElsewhere, withCopies } from './expansion/input-copy.ts'
export { withOwnSums } from './expansion/reduction-expansion.ts'
export { expandScalars, expandable, sumsBeside, uniqueLocals } from './expansion/scalar-expansion.ts'
export { conditionalSums } from './fission/conditional-reductions.ts'
export { unmixed } from './fission/independent-fission.ts'
export { arraysOf, distribute, knownDependences } from './fission/loop-distribution.ts'
export { runningApart } from './fission/scan-fission.ts'
export { productsApart } from './fission/term-fission.ts'
export { withMaps } from './fusion/elementwise-fusion.ts'
export { absorbed } from './fusion/init-fusion.ts'
export { withCrossed } from './fusion/row-column-fusion.ts'
export { withRows } from './fusion/row-fusion.ts'
export { type Role, inOneThread } from './fusion/scalar-grouping.ts'
export { takeTurns, withResultsApart, withSums } from './fusion/sibling-fusion.ts'
export { type Loaded, type Pairs, type Sum, pairsOf, plannedPairs } from './idioms/all-pairs.ts'
export { type At, fitted, hasStages, isBounded, stagesOf, valuesOf } from './idioms/butterfly.ts'
export { bundled, formOf } from './idioms/idioms.ts'
export { lastWriters } from './idioms/last-writer.ts'
export { restarted } from './idioms/scan-renaming.ts'
export {
  arraysOfSweeps,
  distanceOf,
  haloOf,
  haveOneShape,
  isNarrow,
  isThin,
  passingRange,
  rangesKey,
  readsOfSweep,
  reason,
  statesOf,
  straightNests,
  timeTiled,
  writtenBy,
} from './idioms/stencil.ts'
export { packedRows } from './idioms/stream-compaction.ts'
export { prefixSums } from './idioms/summed-area.ts'
export { withRowBests } from './idioms/two-level-argmax.ts'
export { type Spelling, asSpelled, spelledApart } from './normalize/alpha-renaming.ts'
export { rectangular } from './normalize/bounding-box.ts'
export { withoutTables, writtenOut } from './normalize/constant-propagation.ts'
export { splitRanges } from './normalize/live-range-splitting.ts'
export { privatise } from './normalize/privatization.ts'
export { canonical } from './normalize/rebase.ts'
export { atDistances, beforeLast, distancesIn } from './normalize/shift-linearization.ts'
export { sizeProducts, withProducts } from './normalize/size-linearization.ts'
export { overPlaces } from './normalize/strided-coalescing.ts'
export { countedDoublings } from './normalize/trip-count.ts'
export { termByTerm } from './normalize/unit-steps.ts'
export { unfolded } from './reorder/im2col.ts'
export { inPieces, inPiecesAround } from './reorder/index-set-splitting.ts'
export { inward, outward } from './reorder/interchange.ts'
export { seenFlat, withFlat, withShapes } from './reorder/loop-coalescing.ts'
export { type Use, usesOf, waveTiled } from './reorder/loop-skewing.ts'
export { gatheredFrom, withLiteralBounds } from './reorder/scatter-to-gather.ts'
export { inBlocks } from './reorder/strip-mining.ts'
export { wavesOf } from './reorder/wavefront.ts'
export { sharedTerms } from './scalars/common-subexpressions.ts'
export { forwardScalars } from './scalars/forward-substitution.ts'
export { keptConditions } from './scalars/predicate-saving.ts'
export { demoted } from './scalars/scalar-demotion.ts'
export { anew, readBack } from './scalars/scalar-renaming.ts'
export { handedOn } from './scalars/wraparound-elimination.ts'
