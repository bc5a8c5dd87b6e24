// Operations made by Tesela from search.c. Not written by hand: change that and build again.
export { argmax, type ArgmaxArguments, type ArgmaxResults } from './argmax.js'
export { argmin, type ArgminArguments, type ArgminResults } from './argmin.js'
