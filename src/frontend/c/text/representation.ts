// C as representations that passes rewrite: one function with its file beside it, and all functions of a file. Each has
// its text and the reader of its examples. C has no verifier: what a pass leaves that cannot be lowered is refused
// where it is lowered, with its place. The parser is loaded when an example is read: it asks some of the passes.
import type { PassContext, Representation } from '../../../ir/index.ts'
import { functionText, unitText } from './print.ts'
import type { CFunction, CUnit } from './syntax.ts'

/** What passes over a function know of its file. */
export interface InUnit extends PassContext {
  readonly unit: CUnit
}

/** The parser must have been loaded. */
export async function readExample(text: string): Promise<CUnit> {
  const [{ parseUnit }, { preprocess }] = await Promise.all([import('./parse.ts'), import('./preprocess.ts')])
  return parseUnit(preprocess(text, 'example.c'))
}

/** Examples are files; the function is the last one. */
export const cFunction: Representation<CFunction> = {
  name: 'C',
  print: functionText,
  verify: () => {},
  read: async (text) => {
    const unit = await readExample(text),
      context: InUnit = { unit }
    return { value: unit.functions.at(-1)!, context } // examples have one
  },
}

export const cUnit: Representation<CUnit> = {
  name: 'C',
  print: unitText,
  verify: () => {},
  read: async (text) => ({ value: await readExample(text), context: {} }),
}

/** The file with other functions; itself where all are as they were. */
export const withAllFunctions = (unit: CUnit, functions: readonly CFunction[]): CUnit =>
  functions.length === unit.functions.length && functions.every((f, i) => f === unit.functions[i])
    ? unit
    : { ...unit, functions }

/** The file with `f` of each function. */
export const withFunctions = (unit: CUnit, f: (one: CFunction) => CFunction): CUnit =>
  withAllFunctions(unit, unit.functions.map(f))
