// What reductions are made of; they are `ir`'s, because front ends need them too.
export { identityOf, reduced, zeroOf } from '../ir/index.ts'
