// lift-choice: reductions of values that are neutral under a condition which the loops right around them do not change:
// the loops move under the condition, which is asked once.
//
//   for k in 0 .. m { for i in 0 .. 4 { s[i] += k + 3 < n ? A[i, k] : 0.0f } }
// → for k in 0 .. m { if k + 3 < n { for i in 0 .. 4 { s[i] += A[i, k] } } }
//
// Or loops move under the condition that all of their body is under (`liftGuard`):
//
//   for v in 0 .. 4 { if k[i] == 1 { s[v] += A[i, v] } } → if k[i] == 1 { for v in 0 .. 4 { s[v] += A[i, v] } }
//
// Side conditions: each nest of the loop's body is perfect around one such reduction; conjuncts that use its loops stay
// where they are. The condition of all of a body reads nothing that the body stores, and its loop has an iteration.
import {
  choose,
  constantExtent,
  type Loop,
  type LoopStmt,
  type Program,
  identityOf,
  conjunction,
  conjuncts,
  leavesCondition,
  nest,
  perfectNest,
  replaceLoops,
  sameExpr,
  uses,
  withGuard,
} from '../../ir/index.ts'

export function liftChoice(program: Program, { loop }: { readonly loop: string }): Program {
  return replaceLoops(program, loop, (l) => [
    { ...l, body: l.body.flatMap((s) => (s.kind === 'loop' ? lifted(s) : [s])) },
  ])
}

function lifted(l: Loop): readonly LoopStmt[] {
  const { loops, body } = perfectNest(l),
    [only] = body
  if (body.length !== 1 || only?.kind !== 'store' || !only.reduce || only.value.kind !== 'choose') return [l]
  const { condition, then, else: otherwise } = only.value
  if (!sameExpr(otherwise, identityOf(only.reduce, otherwise.type))) return [l]
  const all = conjuncts(condition),
    inner = all.filter((c) => loops.some((x) => uses(c, x.name)))
  const rest = conjunction(inner)
  return withGuard(
    all.filter((c) => !inner.includes(c)),
    nest(loops, [{ ...only, value: rest ? choose(rest, then, otherwise) : then }]),
  )
}

export function liftGuard(program: Program, { loop }: { readonly loop: string }): Program {
  return replaceLoops(program, loop, (l) => {
    const [only] = l.body
    const isAll =
      l.body.length === 1 && only?.kind === 'if' && only.else.length === 0 && constantExtent(l) !== undefined
    if (!isAll || uses(only.condition, l.name) || !leavesCondition(only)) return [l]
    return [{ ...only, then: [{ ...l, body: only.then }] }]
  })
}
