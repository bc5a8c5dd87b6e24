// Operations made by Tesela from scans.c. Not written by hand: change that and build again.
export { cumulativeSum, type CumulativeSumArguments, type CumulativeSumResults } from './cumulativeSum.js'
export { cumulativeSumBefore, type CumulativeSumBeforeArguments, type CumulativeSumBeforeResults } from './cumulativeSumBefore.js'
export { cumulativeMax, type CumulativeMaxArguments, type CumulativeMaxResults } from './cumulativeMax.js'
export { cumulativeMin, type CumulativeMinArguments, type CumulativeMinResults } from './cumulativeMin.js'
export { reverseCumulativeSum, type ReverseCumulativeSumArguments, type ReverseCumulativeSumResults } from './reverseCumulativeSum.js'
export { cumulativeProduct, type CumulativeProductArguments, type CumulativeProductResults } from './cumulativeProduct.js'
