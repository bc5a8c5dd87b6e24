// What CUDA starts at most along each axis, of every GPU since compute capability 3.0 (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability"). In: nothing. Out: numbers along x, y and z.

/** Blocks of a grid. */
export const mostBlocksAlong = [2 ** 31 - 1, 65_535, 65_535] as const
/** Threads of a block. */
export const mostThreadsAlong = [1024, 1024, 64] as const
