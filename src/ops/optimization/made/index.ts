// Operations made by Tesela from optimization.c. Not written by hand: change that and build again.
export { adamStep, type AdamStepArguments, type AdamStepResults } from './adamStep.js'
