// What of a GPU decides how a program is taken apart and which points its schedules have: how much runs at once, and
// how much data stays near. In: nothing. Out: the type, and the GPU on which constants of estimates were fitted.
// Profiles have the numbers of other GPUs (`gpus`), and the model asks those for everything finer.

/** What of a GPU estimates ask before there are kernels. */
export interface Chip {
  readonly multiprocessors: number
  /** Threads that a multiprocessor has at once. */
  readonly threads: number
  /** Bytes of workgroup memory of a multiprocessor. */
  readonly shared: number
  /** Bytes of workgroup memory that a block may have. */
  readonly sharedPerBlock: number
  /** Bytes of its last cache. */
  readonly l2Bytes: number
}

/** An H200 (`gpus/profiles/nvidia/h200.ts`): where constants were read, and what is assumed where no GPU is named. */
export const measuredChip: Chip = {
  multiprocessors: 132,
  threads: 2048,
  shared: 228 * 1024,
  sharedPerBlock: 227 * 1024,
  l2Bytes: 60 * 1024 * 1024,
}

/**
 * So many times as many bytes fit the last cache as on the measured GPU; where nobody says how large it is (0), each
 * multiprocessor has as much of it as there.
 */
export const cacheShare = ({ l2Bytes, multiprocessors }: Chip): number =>
  l2Bytes > 0 ? l2Bytes / measuredChip.l2Bytes : multiprocessors / measuredChip.multiprocessors

/** The same of what each multiprocessor has of it, as all work on something of their own. */
export const cacheShareOfEach = (chip: Chip): number =>
  (cacheShare(chip) * measuredChip.multiprocessors) / chip.multiprocessors

/** Threads that run at once on all multiprocessors. */
export const threadsAtOnce = ({ multiprocessors, threads }: Chip): number => multiprocessors * threads
