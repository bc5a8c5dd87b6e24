// In: a program and a condition at its top with loops in its branches (`if (p != k) for (j …) swap`), which nothing in
// them changes. Out: each loop with the condition inside, each run of statements beside them under a condition of its
// own. The one idea is loop unswitching backwards: a condition that stands around loops hides that they are parallel,
// and asking it in every iteration costs little where iterations have threads of their own.
import { hasLoop } from '../../analysis/index.ts'
import { guardInside, negated, readsIn, sets, when, type Expr, type LoopStmt, type Program } from '../../ir/index.ts'

/** The program with the condition at `position` of its body so sunk; `undefined` where there is none to sink. */
export function withGuardInside(program: Program, position: number): Program | undefined {
  const s = program.body[position]
  if (s?.kind !== 'if' || ![s.then, s.else].some((b) => b.some(hasLoop))) return undefined
  const asked = readsIn([when(s.condition, [])]).map((r) => r.array)
  if (asked.some((name) => sets(s.then, name) || sets(s.else, name))) return undefined
  const branches = [...sunk(s.condition, s.then), ...(s.else.length > 0 ? sunk(negated(s.condition), s.else) : [])]
  return { ...program, body: program.body.toSpliced(position, 1, ...branches) }
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
