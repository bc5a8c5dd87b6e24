// `tesela/compile`: the compiler's thread for pages that a bundler makes: `gpu.compile(text, { worker: compiler })`.
// Bundlers that know `new Worker(new URL(…))` (Vite, webpack, Rollup's and Parcel's plugins) write the compiler and its
// WebAssembly as files of their own, which are loaded when something is compiled.

/** Makes the worker. */
export const compiler = (): Worker =>
  new Worker(new URL('./compile-worker.js', import.meta.url), { type: 'module', name: 'tesela compiler' })
