// Operations made by Tesela from arithmetic.c. Not written by hand: change that and build again.
export { less, type LessArguments, type LessResults } from './less.js'
export { lessEqual, type LessEqualArguments, type LessEqualResults } from './lessEqual.js'
export { equal, type EqualArguments, type EqualResults } from './equal.js'
export { cumulativeProduct, type CumulativeProductArguments, type CumulativeProductResults } from './cumulativeProduct.js'
export { randomUniform, type RandomUniformArguments, type RandomUniformResults } from './randomUniform.js'
export { randomNormal, type RandomNormalArguments, type RandomNormalResults } from './randomNormal.js'
