// Operations made by Tesela from pooling.c. Not written by hand: change that and build again.
export { maxPool2, type MaxPool2Arguments, type MaxPool2Results } from './maxPool2.js'
export { averagePool2, type AveragePool2Arguments, type AveragePool2Results } from './averagePool2.js'
export { maxPool3, type MaxPool3Arguments, type MaxPool3Results } from './maxPool3.js'
export { globalAveragePool, type GlobalAveragePoolArguments, type GlobalAveragePoolResults } from './globalAveragePool.js'
