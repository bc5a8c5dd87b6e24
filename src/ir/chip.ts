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

/** Threads that run at once on all multiprocessors. */
export const threadsAtOnce = ({ multiprocessors, threads }: Chip): number => multiprocessors * threads
