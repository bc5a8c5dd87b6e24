export { open, Gpu, type OpenOptions } from './gpu.ts'
export { connect, type ConnectOptions } from './open.ts'
export { Core, type CoreOptions, type Peaks, type Tuning } from './device/core.ts'
export type { Cost } from './device/prepared-launches.ts'
export { profile, time, type Profiled } from './device/profiling.ts'
export { TeselaError } from './error.ts'
export { cast } from './fusion/half-storage.ts'
export {
  tensor,
  Tensor,
  type BufferPart,
  type DType,
  type Elements,
  type Numbers,
  type ReadOptions,
  type Shape,
  type Source,
} from './tensor.ts'
export { copyTo } from './copy.ts'
export type { Out, ResultOptions } from './result.ts'
export { fromPixels, toImageData, toPixels, type PixelOptions, type PixelSource } from './pixels/pixels.ts'
export { record, submitted } from './device/caller-encoder.ts'
export { fill, map } from './map/map.ts'
export type { ExplainedWork, ExplainWorkOptions } from './explained.ts'
export type { Operands } from './fusion/hooks.ts'
export { matmul, type MatmulOptions } from './matmul/matmul.ts'
export { tidy } from './tidy.ts'
export { warm } from './warm.ts'
export { transpose } from './transpose/transpose.ts'
export { mean, sum } from './reduce/sum.ts'
export { product } from './reduce/product.ts'
export { min } from './reduce/min.ts'
export { max } from './reduce/max.ts'
export type { ReduceOptions } from './reduce/reduce.ts'
export { scan, type ScanOptions } from './scan/scan.ts'
export { norm } from './reduce/norm.ts'
export { argmax } from './argument/argmax.ts'
export { argmin } from './argument/argmin.ts'
export type { ArgumentOptions } from './argument/argument.ts'
export { histogram, type HistogramOptions } from './histogram/histogram.ts'
export { conv1d, conv2d, separableConv2d, type ConvOptions, type SeparableOptions } from './conv/conv.ts'
export { nmf, Factors, type EncodeOptions, type NmfOptions } from './nmf/nmf.ts'
export { svm, Svm, type SvmOptions } from './svm/svm.ts'
export type { SvmModel } from './svm/model.ts'
export { restore, tunedDevice } from './tune/known-choices.ts'
export { tune, useTables, type TuneOptions, type TuneReport } from './tune/tune.ts'
export type { Candidate, Tuned } from './tune/table.ts'
export { storeHere, type Store } from './tune/store.ts'
export type { TableDevice, TableResult, TuningTable } from '../base/index.ts'
export { bench, type BenchOptions, type BenchReport, type BenchRow } from './tune/bench.ts'
export { operation, type CallOptions, type Operation, type OperationResults } from './operation/operation.ts'
export type { OperationArguments } from './operation/argument-sizes.ts'
export type { OperationData } from './operation/data.ts'
export type {
  ElementType,
  HostValue,
  OperationArray,
  OperationLaunch,
  OperationStep,
  OperationVariant,
} from './operation/data.ts'
export { hostWords, isHostOperation } from './operation/host-values.ts'
export { sizesToGive } from './operation/argument-sizes.ts'
export { compile, CompileError, type CompiledOperation, type CompileOptions } from './compile/compile.ts'
export type {
  CompileAnswer,
  CompileProblem,
  CompileReport,
  CompileRequest,
  FromThread,
  ToThread,
} from './compile/protocol.ts'
