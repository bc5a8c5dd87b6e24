// `tesela`: everything public in one place. Subpaths (`tesela/occupancy`, `tesela/optimize`, `tesela/explain`, `tesela/kernels`)
// carry the parts, for those who want only those; all of it runs in Node and in browsers.
export * from './occupancy.ts'
export * from './optimize.ts'
export * from './explain.ts'
export { Gpu, open, Tensor, TeselaError, type MatmulOptions, type OpenOptions, type Operands, type Profiled, type ReduceOptions } from './kernels.ts'
