// Operations made by Tesela from sparse.c. Not written by hand: change that and build again.
export { csrProduct, type CsrProductArguments, type CsrProductResults } from './csrProduct.js'
