// Operations made by Tesela from accumulation.c. Not written by hand: change that and build again.
export { scatterAdd, type ScatterAddArguments, type ScatterAddResults } from './scatterAdd.js'
export { embeddingSum, type EmbeddingSumArguments, type EmbeddingSumResults } from './embeddingSum.js'
