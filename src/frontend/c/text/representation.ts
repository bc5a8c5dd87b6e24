// C as representations that passes rewrite: one function with its file beside it, and all functions of a file. C has no
// verifier: what a pass leaves that cannot be lowered is refused where it is lowered, with its place.
import type { PassContext, Representation } from '../../../ir/index.ts'
import { functionText, unitText } from './print.ts'
import type { CFunction, CUnit } from './syntax.ts'

/** What passes over a function know of its file. */
export interface InUnit extends PassContext {
  readonly unit: CUnit
}

export const cFunction: Representation<CFunction> = {
  name: 'C',
  print: functionText,
  verify: () => {},
}

export const cUnit: Representation<CUnit> = {
  name: 'C',
  print: unitText,
  verify: () => {},
}

/** The file with other functions; itself where all are as they were. */
export const withAllFunctions = (unit: CUnit, functions: readonly CFunction[]): CUnit =>
  functions.length === unit.functions.length && functions.every((f, i) => f === unit.functions[i])
    ? unit
    : { ...unit, functions }

/** The file with `f` of each function. */
export const withFunctions = (unit: CUnit, f: (one: CFunction) => CFunction): CUnit =>
  withAllFunctions(unit, unit.functions.map(f))
