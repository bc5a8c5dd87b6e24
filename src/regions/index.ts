export { loopOnHost, regionsOf } from './host-loops.ts'
export { loopNormalization, toNests, nestsOf } from './nests.ts'
