// In: a program and the targets that it is for. Out: the program in the precision that was asked for; what WGSL does
// not have is refused where it stands.
import { fail } from '../base/index.ts'
import { doubleIn, toSingle, wideIn, type Program } from '../ir/index.ts'

/** `single`: doubles are computed as floats. Throws a `DiagnosticError` where WGSL lacks what is left. */
export function inPrecision(
  program: Program,
  {
    wgsl,
    single,
    hints,
  }: {
    readonly wgsl: boolean
    readonly single: boolean
    /** What to do about integers of 64 bits, and about doubles. */
    readonly hints: { readonly wide: string; readonly double: string }
  },
): Program {
  const wide = wgsl ? wideIn(program) : undefined
  if (wide) fail('wgsl.wide', `'${wide.name}' needs integers of 64 bits, which WGSL does not have`, wide.at, hints.wide)
  if (single) return toSingle(program)
  const double = wgsl ? doubleIn(program) : undefined
  if (double)
    fail('wgsl.double', `'${double.name}' is double precision, which WGSL does not have`, double.at, hints.double)
  return program
}
