// `tesela/ops`: operations made of plain loops by `tesela build`, each a module of its own: `softmax({ x })`. They run
// on the tensors of `tesela/kernels`.
export * from './ops/index.ts'
