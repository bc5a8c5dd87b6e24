// Operations made by Tesela from quantization.c. Not written by hand: change that and build again.
export { quantizeInt8, type QuantizeInt8Arguments, type QuantizeInt8Results } from './quantizeInt8.js'
export { dequantizeInt8, type DequantizeInt8Arguments, type DequantizeInt8Results } from './dequantizeInt8.js'
export { dequantizeInt4, type DequantizeInt4Arguments, type DequantizeInt4Results } from './dequantizeInt4.js'
export { matmulInt8, type MatmulInt8Arguments, type MatmulInt8Results } from './matmulInt8.js'
