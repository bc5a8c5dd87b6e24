// Operations made by Tesela from selection.c. Not written by hand: change that and build again.
export { gather, type GatherArguments, type GatherResults } from './gather.js'
export { gatherElements, type GatherElementsArguments, type GatherElementsResults } from './gatherElements.js'
export { slice, type SliceArguments, type SliceResults } from './slice.js'
export { concat, type ConcatArguments, type ConcatResults } from './concat.js'
export { pad, type PadArguments, type PadResults } from './pad.js'
export { where, type WhereArguments, type WhereResults } from './where.js'
export { oneHot, type OneHotArguments, type OneHotResults } from './oneHot.js'
export { scatter, type ScatterArguments, type ScatterResults } from './scatter.js'
