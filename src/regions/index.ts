export { loopOnHost, regionsOf } from './host-loops.ts'
export { loopNormalization, nestFusion, nestsOf } from './nests.ts'
