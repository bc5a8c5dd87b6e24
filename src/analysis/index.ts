export * from './dependences.ts'
export { elementRanges } from './elements.ts'
export { isLength, timesIn } from './lengths.ts'
export * from './loops.ts'
export * from './privatise.ts'
export * from './reuse.ts'
export { splitRanges } from './ranges.ts'
export { exponentsIn, parts as togetherIn, powerOf, shiftValues, type Power } from './pairs.ts'
export {
  Equalities,
  Iterations,
  bitsOfVariable,
  digitOfBit,
  width as digitsOfNumber,
  type Digit,
  type Digits,
} from './bits.ts'
