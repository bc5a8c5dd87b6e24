// `tesela/kernels`: the library, function by function: `matmul(await connect(), a, b)`. `tesela` itself has `open`,
// which gives all of them as methods. Runs in browsers and, with the package webgpu, in Node; none of the compiler
// comes along.
export * from './kernels/index.ts'
