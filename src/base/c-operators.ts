// Operators of C as texts have them, for those who read C++ that is no input of the C front end. Levels and comparisons
// are C's (C11 6.5.5 to 6.5.14), the same in C++ and in TypeScript.

/** Binary operators by level, loosest first. */
export const binaryLevels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

/** Comparisons of two numbers of one type. */
export const comparisons: Readonly<Record<string, (a: bigint | number, b: bigint | number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}
