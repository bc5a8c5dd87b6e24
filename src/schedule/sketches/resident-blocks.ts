// Grids of kernels whose blocks walk through all of their work: so many blocks for each multiprocessor of the GPU that
// the spaces of points were measured on. In: blocks per multiprocessor. Out: blocks. The one idea: a walk wants a whole
// number of rounds of blocks, and enough of them that the slowest ends early. Points are flat numbers that are kept,
// compared and named in plans, so that they hold blocks and not a rule; on another GPU the search takes the nearest.

import { measuredChip } from '../../ir/index.ts'

export const blocksFor = (perMultiprocessor: number): number => perMultiprocessor * measuredChip.multiprocessors
