// In: a kernel whose run met its limit of steps, and how often each statement was executed until then. Out: the loop
// that went on for longest, each time that it was begun. The one idea: of nested loops the one that never ends has many
// rounds and few beginnings, wherever in it the steps ran out.
import { listsOf, type Stmt } from '../../ir/index.ts'

/** The loop with the most rounds a beginning. `executed`: executions of a statement, of a loop its rounds. */
export function longestLoop(
  body: readonly Stmt[],
  executed: (s: Stmt) => number,
): Extract<Stmt, { kind: 'loop' }> | undefined {
  let longest: Extract<Stmt, { kind: 'loop' }> | undefined,
    most = 0
  const visit = (list: readonly Stmt[], around: number): void => {
    const plain = list.find((s) => s.kind !== 'loop')
    const times = plain ? executed(plain) : around
    for (const s of list) {
      const rounds = executed(s)
      if (s.kind === 'loop' && rounds / Math.max(1, times) > most) {
        longest = s
        most = rounds / Math.max(1, times)
      }
      for (const inner of listsOf(s)) visit(inner, s.kind === 'loop' ? rounds : times)
    }
  }
  visit(body, 1)
  return longest
}
