export { freshArrays, type ArrayData } from './run-data.ts'
export { referenceOf } from './proof/error-bound.ts'
export {
  wrongText,
  wgslRunner,
  type ReadText,
  type TextReader,
  type TextRunner,
} from './proof/translation-validation.ts'
export { ptxRunner, textRunner } from './proof/ptx-texts.ts'
export {
  memoryFor,
  plansIn,
  runSimulated,
  verifyPlan,
  verifyPlans,
  type Claim,
  type Verification,
} from './proof/verify.ts'
export { firstProved, type Failed } from './proof/prove.ts'
export { sampledReference, type Sample } from './proof/sampled-reference.ts'
export { estimatePlan, type Estimate, type LaunchEstimate } from './estimate.ts'
export { search, type Scored, type Search } from './search.ts'
export {
  dawnForMeasuring,
  openMeasurer,
  openWebGpuMeasurer,
  type Measurer,
  type MeasurerOptions,
} from './measuring/measure.ts'
export { steadily, unsteady, type ClockedTiming, type Clocks, type Steady } from './measuring/steady-clocks.ts'
export { trialMaker, wrongSample, type CheckedTrial, type Trial } from './measuring/trial.ts'
export { verificationSizes } from './proof/proof-sizes.ts'
export { formula } from './formula-text.ts'
export {
  chipOf,
  plannedValues,
  type CandidateMeasurer,
  type EstimateAnswer,
  type Asked,
  type MeasuredOne,
  type OptimizeOptions,
  type ScoreCache,
  type Scorer,
} from './context.ts'
export { measurerOf } from './measuring/measured-order.ts'
export { scorerOf, spacesOf } from './candidate-search.ts'
export type { Distance, DistanceFinding } from './distance.ts'
export type { FoundRung, LadderRow } from './rungs.ts'
export { lowerBound, type LowerBound } from './lower-bound.ts'
export { iterationBound } from './iteration-bound.ts'
export { recurrenceBound, type RecurrenceBound } from './recurrence-bound.ts'
export { KnownLaunches } from './estimate.ts'
export type { RungKernel } from './rungs.ts'
export {
  ladderRung,
  optimize,
  type Optimized,
  type OptimizedKernel,
} from './optimize.ts'
export { fusedLaunches, type FusedLaunches } from './launch-fusion.ts'
