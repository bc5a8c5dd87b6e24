// In: a loop that must run in order around other loops, one perfect nest. Out: the nest with those loops outermost whose
// iterations need nothing of each other, so that a thread runs the rest in order. The one idea: a dependence between equal
// iterations of a loop stays where it is when that loop goes outside. It does not ask whether that pays, and splits nothing.
import { dependences } from '../analysis/index.ts'
import { DiagnosticError } from '../base/index.ts'
import type { Loop, LoopStmt, Program } from '../ir/index.ts'
import { nest, perfectNest, varsOf } from './tree.ts'

/** `loop` inside of the loops that nothing crosses; `undefined` where there are none, or their bounds need what would be inside. */
export function inward(program: Program, loop: Loop): LoopStmt | undefined {
  const { loops, body } = perfectNest(loop)
  if (loops.length < 2) return undefined
  const apart = uncrossed(program, loop, loops.slice(1))
  const rest = loops.filter((l) => !apart.includes(l)), inside = new Set(rest.map((l) => l.name))
  const needs = (l: Loop): boolean => [...varsOf(l.lower), ...varsOf(l.upper)].some((v) => inside.has(v))
  return apart.length === 0 || apart.some(needs) ? undefined : nest([...apart, ...rest], body)[0]
}

/** The loops that every dependence stays within one iteration of. */
function uncrossed(program: Program, loop: Loop, inner: readonly Loop[]): readonly Loop[] {
  try {
    const all = dependences({ ...program, body: [loop] })
    return inner.filter((l) => all.every((d) => d.vector[d.common.indexOf(l)]?.direction === '='))
  } catch (e) {
    if (e instanceof DiagnosticError) return [] // too many accesses to be analysed
    throw e
  }
}
