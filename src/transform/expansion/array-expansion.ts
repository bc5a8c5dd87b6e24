// In: a loop around which iterations fill one array again and again before they read it. Out: the same with an array
// that has room for all iterations, and a copy of the last one's at the end. The one idea: what is only reused memory
// keeps iterations in order for nothing. It asks whether it fits: no more than a few times the largest array that is
// there.
import { writtenFirst } from '../normalize/privatization.ts'
import {
  accesses,
  affineOf,
  implies,
  int,
  loopVar,
  lt,
  mapStmts,
  read,
  sizeDomain,
  store,
  sub,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  freshName,
  nest,
  perfectNest,
} from '../../ir/index.ts'
import { elementsIn, isAffordable, isPlain } from './scalar-expansion.ts'

/** The program with the array, the loop on it, and the copy; `undefined` when no array of `loop` is like that. */
export function withRoom(
  program: Program,
  loop: Loop,
): { readonly program: Program; readonly body: readonly LoopStmt[] } | undefined {
  const { loops } = perfectNest(loop)
  const ragged = loops.findIndex((l) => !isPlain(l))
  const outer = ragged < 0 ? loops : loops.slice(0, ragged)
  const all = accesses({ ...program, body: [loop] })
  for (const array of program.arrays) {
    const own = all.filter((a) => a.array === array.name)
    if (array.shape.length === 0 || !own.some((a) => a.kind === 'write')) continue
    for (let depth = outer.length; depth > 0; depth--) {
      const around = outer.slice(0, depth)
      if (writtenFirst(array, own, depth) && fits(program, array, around)) return roomFor(program, loop, array, around)
    }
  }
  return undefined
}

const fits = (program: Program, array: ArrayDecl, around: readonly Loop[]): boolean =>
  isAffordable(program, elementsIn(program, [...around.map((l) => l.upper), ...array.shape]))

function roomFor(
  program: Program,
  loop: Loop,
  array: ArrayDecl,
  around: readonly Loop[],
): { program: Program; body: readonly LoopStmt[] } {
  const room: ArrayDecl = {
    ...array,
    name: freshName(program, `${array.name}_each`),
    shape: [...around.map((l) => l.upper), ...array.shape],
    role: 'temp',
    space: 'global',
  }
  const now = around.map((l) => loopVar(l.name))
  const moved = withRoomIn([loop], array, room, (index) => [...now, ...index])
  const loops = array.shape.map(
    (upper, d): Loop => ({
      kind: 'loop',
      name: freshName(program, `last_${d}`),
      lower: int(0),
      upper,
      step: 1,
      bind: { kind: 'serial' },
      body: [],
    }),
  )
  const at = loops.map((l) => loopVar(l.name))
  const copy = store(array, at, read(room, [...around.map((l) => sub(l.upper, int(1))), ...at]))
  const sure = (l: Loop): boolean => {
    const upper = affineOf(sub(l.upper, l.lower))
    return upper !== undefined && implies(sizeDomain(program).constraints, { ...upper, constant: upper.constant - 1 })
  }
  // no iteration leaves the array as it was
  const guards = around.filter((l) => !sure(l)).map((l) => lt(l.lower, l.upper))
  const body = guards.reduce<readonly LoopStmt[]>((b, g) => [when(g, b)], [copy])
  return { program: { ...program, arrays: [...program.arrays, room] }, body: [...moved, ...nest(loops, body)] }
}

/** `body` with `room` in the place of `array`; `at`: where an element of the one is in the other. */
export const withRoomIn = (
  body: readonly LoopStmt[],
  array: ArrayDecl,
  room: ArrayDecl,
  at: (index: readonly Expr[]) => readonly Expr[],
): readonly LoopStmt[] =>
  mapStmts(
    body,
    (e) => (e.kind === 'read' && e.array === array.name ? { ...e, array: room.name, index: at(e.index) } : e),
    (s) => [s.kind === 'store' && s.array === array.name ? { ...s, array: room.name, index: at(s.index) } : s],
  )
