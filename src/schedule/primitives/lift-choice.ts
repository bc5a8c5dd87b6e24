// lift-choice: reductions of values that are neutral under a condition which the loops right around them do not change:
// the loops move under the condition, which is asked once.
//
//   for k in 0 .. m { for i in 0 .. 4 { s[i] += k + 3 < n ? A[i, k] : 0.0f } }
// → for k in 0 .. m { if k + 3 < n { for i in 0 .. 4 { s[i] += A[i, k] } } }
//
// Side conditions: each nest of the loop's body is perfect around one such reduction; conjuncts that use its loops stay
// where they are.
import {
  choose,
  type Loop,
  type LoopStmt,
  type Program,
  identityOf,
  conjunction,
  conjuncts,
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
