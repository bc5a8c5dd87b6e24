// Operations made by Tesela from normalization.c. Not written by hand: change that and build again.
export { softmax, type SoftmaxArguments, type SoftmaxResults } from './softmax.js'
export { logSoftmax, type LogSoftmaxArguments, type LogSoftmaxResults } from './logSoftmax.js'
export { layerNorm, type LayerNormArguments, type LayerNormResults } from './layerNorm.js'
export { rmsNorm, type RmsNormArguments, type RmsNormResults } from './rmsNorm.js'
export { groupNorm, type GroupNormArguments, type GroupNormResults } from './groupNorm.js'
export { batchNorm, type BatchNormArguments, type BatchNormResults } from './batchNorm.js'
export { l2Normalize, type L2NormalizeArguments, type L2NormalizeResults } from './l2Normalize.js'
