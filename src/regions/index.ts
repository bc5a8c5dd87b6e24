export { regionsOf } from './host-loops.ts'
export { nestsOf } from './nests.ts'
