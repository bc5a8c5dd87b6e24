// Operations made by Tesela from filters.c. Not written by hand: change that and build again.
export { sobel, type SobelArguments, type SobelResults } from './sobel.js'
export { laplacian, type LaplacianArguments, type LaplacianResults } from './laplacian.js'
export { dilate3, type Dilate3Arguments, type Dilate3Results } from './dilate3.js'
export { erode3, type Erode3Arguments, type Erode3Results } from './erode3.js'
export { separableFilter5, type SeparableFilter5Arguments, type SeparableFilter5Results } from './separableFilter5.js'
