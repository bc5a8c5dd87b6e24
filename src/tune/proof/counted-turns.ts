// In: a program and the data of a run. Out: how many iterations its loops take that only data end. The one idea: the
// program itself counts, into an array of its own (instrumentation), while the reference runs it.
import {
  add,
  eachStmt,
  endOf,
  int,
  isEndless,
  loopVar,
  type ArrayDecl,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'

/** A program that counts iterations. */
export interface CountingTurns {
  readonly program: Program
  /** The array of counts, which the caller gives; null where no loop is endless. */
  readonly counts: ArrayDecl | null
  /** The position of a loop's count. */
  readonly positions: ReadonlyMap<Loop, number>
}

/** A name that no array of a program has. */
const countsName = 'turns/'

/** `program` that also writes the most iterations of each of its endless loops. */
export function countingTurns(program: Program): CountingTurns {
  const positions = new Map<Loop, number>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop' && isEndless(s)) positions.set(s, positions.size)
  })
  if (positions.size === 0) return { program, counts: null, positions }
  const counts: ArrayDecl = {
    name: countsName,
    type: 'i32',
    shape: [int(positions.size)],
    role: 'inout',
    space: 'global',
  }
  return {
    program: { ...program, arrays: [...program.arrays, counts], body: counted(program.body, positions) },
    counts,
    positions,
  }
}

const counted = (body: readonly LoopStmt[], positions: ReadonlyMap<Loop, number>): readonly LoopStmt[] =>
  body.map((s): LoopStmt => {
    switch (s.kind) {
      case 'declare':
      case 'store':
        return s
      case 'if':
        return { ...s, then: counted(s.then, positions), else: counted(s.else, positions) }
      case 'loop': {
        const inner = { ...s, body: counted(s.body, positions) },
          position = positions.get(s)
        return position === undefined ? inner : { ...inner, body: withCount(inner, position) }
      }
    }
  })

/** The body with a count behind it; inside of the guard that ends the loop. */
function withCount(l: Loop, position: number): readonly LoopStmt[] {
  const count: Store = {
    kind: 'store',
    array: countsName,
    index: [int(position)],
    reduce: 'max',
    value: add(loopVar(l.name), int(1)),
  }
  const guard = endOf(l)
  return guard ? l.body.map((s) => (s === guard ? { ...guard, then: [...guard.then, count] } : s)) : [...l.body, count]
}
