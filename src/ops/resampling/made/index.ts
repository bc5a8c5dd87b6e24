// Operations made by Tesela from resampling.c. Not written by hand: change that and build again.
export { resizeBilinear, type ResizeBilinearArguments, type ResizeBilinearResults } from './resizeBilinear.js'
export { gaussianBlur5, type GaussianBlur5Arguments, type GaussianBlur5Results } from './gaussianBlur5.js'
