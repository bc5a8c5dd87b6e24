// Operations made by Tesela from attention.c. Not written by hand: change that and build again.
export { attention, type AttentionArguments, type AttentionResults } from './attention.js'
export { rope, type RopeArguments, type RopeResults } from './rope.js'
