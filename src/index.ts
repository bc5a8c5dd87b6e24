// `tesela`: everything public in one place. Subpaths (`tesela/occupancy`, `tesela/optimize`, `tesela/explain`,
// `tesela/kernels`) carry the parts, for those who want only those; all of it runs in Node and in browsers.
export * from './occupancy.ts'
export * from './optimize.ts'
export * from './explain.ts'
export {
  Factors,
  Gpu,
  open,
  Svm,
  Tensor,
  TeselaError,
  type MatmulOptions,
  type NmfOptions,
  type OpenOptions,
  type Operands,
  type Profiled,
  type ReduceOptions,
} from './kernels.ts'
