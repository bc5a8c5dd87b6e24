// In: a program and a condition at its top, or in its loops, with loops in its branches (`if (p != k) for (j …) swap`),
// which nothing in them changes. Out: each loop with the condition inside, each run of statements beside them under a
// condition of its own. The one idea is loop unswitching backwards: a condition that stands around loops hides that
// they are parallel, and asking it in every iteration costs little where iterations have threads of their own.
import { hasLoop } from '../../analysis/index.ts'
import {
  guardInside,
  leavesCondition,
  mapBody,
  negated,
  readsArray,
  when,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

/** The program with the condition at `position` of its body so sunk; `undefined` where there is none to sink. */
export function withGuardInside(program: Program, position: number): Program | undefined {
  const s = program.body[position],
    branches = s?.kind === 'if' ? branchesOf(s) : undefined
  return branches && { ...program, body: program.body.toSpliced(position, 1, ...branches) }
}

/**
 * The program with all conditions on data in its loops so sunk; `undefined` where there are none. Those on places hide
 * nothing, and keep whole loops from a thread.
 */
export function withGuardsInside(program: Program): Program | undefined {
  const body = mapBody(program.body, (s) => (s.kind === 'if' && readsArray(s.condition) ? branchesOf(s) : undefined))
  return body === program.body ? undefined : { ...program, body }
}

/** What stands in place of a condition with loops in its branches, which do not change what it asks. */
function branchesOf(s: If): readonly LoopStmt[] | undefined {
  if (!hasLoop(s) || !leavesCondition(s)) return undefined
  return [...sunk(s.condition, s.then), ...(s.else.length > 0 ? sunk(negated(s.condition), s.else) : [])]
}

/** The statements of a branch under `condition`; declarations do nothing, and stand before them. */
function sunk(condition: Expr, branch: readonly LoopStmt[]): readonly LoopStmt[] {
  const declared: LoopStmt[] = [],
    out: LoopStmt[] = []
  let beside: LoopStmt[] = []
  const flush = (): void => {
    if (beside.length > 0) out.push(when(condition, beside))
    beside = []
  }
  for (const s of branch) {
    if (s.kind === 'declare') declared.push(s)
    else if (s.kind === 'loop') {
      flush()
      out.push(...guardInside(condition, [s]))
    } else beside.push(s)
  }
  flush()
  return [...declared, ...out]
}
