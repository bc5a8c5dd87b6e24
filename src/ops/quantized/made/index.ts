// Operations made by Tesela from quantized.c. Not written by hand: change that and build again.
export { int8Product, type Int8ProductArguments, type Int8ProductResults } from './int8Product.js'
