// Widths of windows that there are kernels for; narrower ones are set into the next with zeros. `each`: with a window
// of its own for every channel.
export const squares: Readonly<Record<'one' | 'each', readonly number[]>> = {
  one: [3, 5, 7, 11, 17],
  each: [3, 5, 7, 11],
}
export const lines: Readonly<Record<'one' | 'each', readonly number[]>> = {
  one: [3, 5, 9, 17, 33],
  each: [3, 5, 9, 17],
}
