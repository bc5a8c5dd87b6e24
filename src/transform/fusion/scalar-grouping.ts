// In: groups of statements in order, and what each is. Out: the groups that one thread runs, put together with the
// scalar statements next to them. The one idea: a launch costs more than a few statements.
import type { LoopStmt } from '../../ir/index.ts'

/** Parallel work, work that one thread must do in order, or statements without a loop, which may go with either. */
export type Role = 'parallel' | 'one-thread' | 'scalar'

/** What one thread must do anyway, with the scalar statements next to it, is one kernel. */
export function inOneThread(
  groups: readonly (readonly LoopStmt[])[],
  role: (g: readonly LoopStmt[]) => Role,
): readonly (readonly LoopStmt[])[] {
  const out: (readonly LoopStmt[])[] = []
  let run: (readonly LoopStmt[])[] = []
  const flush = (): void => {
    if (run.some((g) => role(g) === 'one-thread')) out.push(run.flat())
    else out.push(...run)
    run = []
  }
  for (const g of groups) {
    if (role(g) === 'parallel') {
      flush()
      out.push(g)
    } else run.push(g)
  }
  flush()
  return out
}
