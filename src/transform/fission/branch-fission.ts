// In: a loop whose iterations choose between two branches on data, of which one leaves what the other needs in a later
// iteration: `if (b[i] < 0) c[i + 1] = a[i]; else a[i] = c[i];`. Out: each branch under a condition of its own, in
// either order. The one idea is if-conversion as in Allen and Kennedy's book: one statement in order is a circle with
// itself, two guarded ones are distributed. An iteration takes one of the branches, so both orders mean the same; which
// one dependences allow across iterations is for the caller to try.
import { hasLoop } from '../../analysis/index.ts'
import { mapBody, negated, readsIn, sets, when, type If, type LoopStmt, type Program } from '../../ir/index.ts'

/**
 * `program` with the branches in the loop at `position` apart, in the order of the source and in the other one; none
 * where there are no such branches.
 */
export function withBranchesApart(program: Program, position: number): readonly Program[] {
  const loop = program.body[position]
  if (loop?.kind !== 'loop') return []
  const made = [guarded, (s: If) => guarded(s).toReversed()].map((f) =>
    mapBody([loop], (s) => (s.kind === 'if' && isSplit(s) ? f(s) : undefined)),
  )
  return made.flatMap((body) =>
    body[0] === loop ? [] : [{ ...program, body: program.body.toSpliced(position, 1, ...body) }],
  )
}

/** Whether there are two branches without loops, neither of which changes what the condition reads. */
function isSplit(s: If): boolean {
  if (s.else.length === 0 || hasLoop(s)) return false
  const asked = readsIn([when(s.condition, [])]).map((r) => r.array)
  return !asked.some((name) => sets(s.then, name) || sets(s.else, name))
}

const guarded = (s: If): readonly LoopStmt[] => [when(s.condition, s.then), when(negated(s.condition), s.else)]
