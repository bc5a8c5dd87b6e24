// A lowered program as a representation that passes rewrite: LoopIR, and what is not known about it yet. While arrays
// are open it is no LoopIR that could be verified.
import { printProgram, verifyProgram, type Pass, type Program, type Representation } from '../../../ir/index.ts'
import type { LoweredFunction } from './function.ts'

export const loweredC: Representation<LoweredFunction> = {
  name: 'LoopIR',
  print: ({ program }) => printProgram(program),
  verify: ({ program, open }) => {
    if (open.size === 0) verifyProgram(program)
  },
  isSame: (a, b) => a.program === b.program,
}

/** A pass over programs as one over lowered programs. */
export const onLowered = (of: Pass<Program>): Pass<LoweredFunction> => ({
  ...of,
  of: loweredC,
  declared: of,
  run: (lowered, context) => {
    const program = of.run(lowered.program, context)
    return program === lowered.program ? lowered : { ...lowered, program }
  },
})
