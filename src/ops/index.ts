// The collection, an operation a file: what `tools/ops.ts` made of the C beside it.
export * from './accumulation/made/index.ts'
export * from './arithmetic/made/index.ts'
export * from './images/made/index.ts'
export * from './normalization/made/index.ts'
export * from './pooling/made/index.ts'
export * from './resampling/made/index.ts'
export * from './selection/made/index.ts'
export * from './sparse/made/index.ts'
