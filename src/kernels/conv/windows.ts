// Widths of windows that there are kernels for; narrower ones are set into the next with zeros.
export const squares: readonly number[] = [3, 5, 7, 9, 11, 13, 17]
export const lines: readonly number[] = [3, 5, 9, 17, 33]
