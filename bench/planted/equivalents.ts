// Plants that are no faults: the kernel computes the same with them, each for the reason that stands beside it. In:
// nothing. Out: the list. A plant is taken out here after reading it, never because it was missed.

export interface Equivalent {
  readonly file: string
  readonly fault: string
  readonly line: number
  readonly why: string
}

export const equivalents: readonly Equivalent[] = []
