// Operations made by Tesela from losses.c. Not written by hand: change that and build again.
export { crossEntropy, type CrossEntropyArguments, type CrossEntropyResults } from './crossEntropy.js'
export { squaredError, type SquaredErrorArguments, type SquaredErrorResults } from './squaredError.js'
export { huberLoss, type HuberLossArguments, type HuberLossResults } from './huberLoss.js'
export { klDivergence, type KlDivergenceArguments, type KlDivergenceResults } from './klDivergence.js'
export { binaryCrossEntropy, type BinaryCrossEntropyArguments, type BinaryCrossEntropyResults } from './binaryCrossEntropy.js'
