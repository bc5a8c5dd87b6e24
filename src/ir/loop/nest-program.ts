// In: a nest and the program that it is of. Out: the nest as a program of its own, canonically written. The one idea:
// loops around one assignment are text again, for whoever reads, checks or runs programs.
import { store, when } from './build.ts'
import type { Expr, LoopStmt, Program } from './loop.ts'
import type { Nest } from './nest.ts'
import { nest as wrap } from './loop-tree.ts'

/** The nest as a program of its own, canonically written. */
export function nestProgram(program: Program, part: Nest): Program {
  const { reduction: r, out } = part
  const result = store(out.array, out.index, out.value)
  const body: readonly LoopStmt[] = r
    ? [
        { kind: 'declare', array: r.into },
        store(r.into, [], r.init),
        ...wrap(r.loops, guarded(r.guard, [store(r.into, [], r.value, r.op)])),
        result,
      ]
    : [result]
  return { ...program, body: wrap(part.parallel, guarded(part.guard, body)) }
}

const guarded = (guard: Expr | undefined, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  guard ? [when(guard, body)] : body
