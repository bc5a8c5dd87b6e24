export { antiDependenceCopy, readingBefore } from './expansion/anti-dependence-copy.ts'
export { withElementsEach } from './expansion/ragged-scalar-expansion.ts'
export { withRoom, withRoomIn } from './expansion/array-expansion.ts'
export { arrayPrivatization } from './expansion/array-privatization.ts'
export { copying, inputCopy, ownReads, readsElsewhere } from './expansion/input-copy.ts'
export { loopInvariantCodeMotion } from './reorder/loop-invariant-code-motion.ts'
export { withNodesSplit } from './expansion/node-splitting.ts'
export { onlineReduction } from './expansion/online-reduction.ts'
export { withGuardInside, withGuardsInside } from './fission/guard-sinking.ts'
export { withOwnNests } from './fission/reduction-fission.ts'
export { withOwnSums } from './expansion/reduction-expansion.ts'
export {
  expandScalars,
  expandable,
  fitsThread,
  localRows,
  sumsBeside,
  uniqueLocals,
  uniqueNames,
} from './expansion/scalar-expansion.ts'
export { conditionalReductions } from './fission/conditional-reductions.ts'
export { deltaSifting, isFixing, siftedTerm } from './fission/delta-sifting.ts'
export { independentFission } from './fission/independent-fission.ts'
export { arraysOf, distribute } from './fission/loop-distribution.ts'
export { scalarResultsApart } from './fission/scalar-result-fission.ts'
export { runningApart } from './fission/scan-fission.ts'
export { termFission } from './fission/term-fission.ts'
export { type Kernels, type RegionContext, regionsWithKernels } from './fusion/adjacent-fusion.ts'
export { inOneNest } from './fusion/shifted-fusion.ts'
export { invariantReductions, withoutInvariants } from './expansion/invariant-reductions.ts'
export { remainderStrengthReduction } from './scalars/remainder-strength-reduction.ts'
export { elementwiseFusion } from './fusion/elementwise-fusion.ts'
export { initFusion } from './fusion/init-fusion.ts'
export { minmaxSeparation } from './scalars/minmax-separation.ts'
export { producerInlining } from './fusion/producer-inlining.ts'
export { rowColumnFusion } from './fusion/row-column-fusion.ts'
export { rowFusion } from './fusion/row-fusion.ts'
export { type Role, inOneThread } from './fusion/scalar-grouping.ts'
export { resultUnrolling } from './fusion/result-unrolling.ts'
export { resultFission, siblingFusion, takeTurns } from './fusion/sibling-fusion.ts'
export { type Loaded, type Pairs, type Sum, pairsOf, plannedPairs } from './idioms/all-pairs.ts'
export { type At, fitted, hasStages, isBounded, stagesOf, shiftedValues } from './idioms/butterfly.ts'
export { bundled, endsOfRecurrences, formOf, resumedSearch } from './idioms/idioms.ts'
export { lastWriters } from './idioms/last-writer.ts'
export { inTwoPasses, runningMoments } from './idioms/running-moments.ts'
export { scanRenaming } from './idioms/scan-renaming.ts'
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
  haloReason,
  statesOf,
  straightNests,
  timeTiled,
  writtenBy,
} from './idioms/stencil.ts'
export { atomicReductions } from './idioms/atomic-reductions.ts'
export { multiprefix } from './idioms/multiprefix.ts'
export { packedRows } from './idioms/stream-compaction.ts'
export { summedArea } from './idioms/summed-area.ts'
export { withRowBests } from './idioms/two-level-argmax.ts'
export { type Spelling, asSpelled, spelledApart } from './normalize/alpha-renaming.ts'
export { rectangular } from './normalize/bounding-box.ts'
export { constantWindows } from './normalize/constant-windows.ts'
export { constantPropagation, writtenOut } from './normalize/constant-propagation.ts'
export { liveRangeSplitting } from './normalize/live-range-splitting.ts'
export { privatise, privatization } from './normalize/privatization.ts'
export { canonicalNest } from './normalize/rebase.ts'
export { atDistances, beforeLast, distancesIn } from './normalize/shift-linearization.ts'
export { singleIterationPromotion } from './normalize/single-iteration-promotion.ts'
export { type SizeProducts, sizeProducts, withProducts } from './normalize/size-linearization.ts'
export { overPlaces, stridedCoalescing } from './normalize/strided-coalescing.ts'
export { countedDoublings, tripCount } from './normalize/trip-count.ts'
export { tightened } from './normalize/bound-tightening.ts'
export { loopRebasing } from './normalize/loop-rebasing.ts'
export { ifConversion, withBranchesApart } from './fission/if-conversion.ts'
export { boundPredication } from './normalize/bound-predication.ts'
export { rescaledSums } from './idioms/rescaled-sums.ts'
export { searchRematerialization } from './idioms/search-rematerialization.ts'
export { scalarPromotion } from './scalars/scalar-promotion.ts'
export { firstIterationPeeling } from './normalize/first-iteration-peeling.ts'
export { guardTightening } from './normalize/guard-tightening.ts'
export { stripFusion } from './normalize/strip-fusion.ts'
export { unitSteps } from './normalize/unit-steps.ts'
export { accumulatorInterchange } from './reorder/accumulator-interchange.ts'
export { congruenceStripMining } from './reorder/congruence-strip-mining.ts'
export { perfectNesting } from './reorder/perfect-nesting.ts'
export { implicitGemm, productOfMatrices } from './reorder/implicit-gemm.ts'
export { byResidues } from './reorder/cycle-shrinking.ts'
export { endsApart, firstApart } from './reorder/end-peeling.ts'
export { inPieces, inPiecesAround } from './reorder/index-set-splitting.ts'
export { inward, outward } from './reorder/interchange.ts'
export { loopInterchange } from './reorder/loop-interchange.ts'
export { memoryOrder } from './reorder/memory-order.ts'
export { loopCoalescing, seenFlat, withFlat, withShapes } from './reorder/loop-coalescing.ts'
export { type Use, pointUses, waveTiled } from './reorder/loop-skewing.ts'
export { gatheredFrom, withLiteralBounds } from './reorder/scatter-to-gather.ts'
export { turnsApart } from './reorder/short-loop-unrolling.ts'
export { inBlocks } from './reorder/strip-mining.ts'
export { wavesOf } from './reorder/wavefront.ts'
export { carriedSubscripts } from './scalars/carried-subscripts.ts'
export { sharedTerms } from './scalars/common-subexpressions.ts'
export { forwardSubstitution, forwardScalars } from './scalars/forward-substitution.ts'
export { keptConditions } from './scalars/predicate-saving.ts'
export { maskRemainders } from './scalars/mask-remainders.ts'
export { storeForwarding } from './scalars/store-forwarding.ts'
export { demoted } from './scalars/scalar-demotion.ts'
export { readBack, scalarRenaming } from './scalars/scalar-renaming.ts'
export { handedOn } from './scalars/wraparound-elimination.ts'
