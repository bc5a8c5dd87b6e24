// Grid sizes for kernels whose blocks loop over their work (grid-stride loops). In: a GPU, and blocks per
// multiprocessor. Out: blocks in the grid. The one idea: the grid should be a whole number of waves, with enough blocks
// that the slowest one ends early. Points are flat numbers, which are stored, compared and printed in plans; so they
// hold a number of blocks, for the multiprocessors of the GPU that the program is planned for.

import type { Chip } from '../../ir/index.ts'

export const blocksOn =
  ({ multiprocessors }: Chip) =>
  (perMultiprocessor: number): number =>
    perMultiprocessor * multiprocessors
