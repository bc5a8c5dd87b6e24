// reorder: perfectly nested loops in another order.
//
//   for i in 0 .. n { for j in 0 .. m { C[i, j] = A[j, i] } }
// → for j in 0 .. m { for i in 0 .. n { C[i, j] = A[j, i] } }
//
// Side conditions: the named loops are one perfect nest; no bound uses a loop that would move inside; and no dependence
// is turned around: each store in the body is a reduction whose target the body does not otherwise touch, or writes
// each element once (its index tells all iterations apart) an array that the body reads, if at all, at that same
// element.
import { fail } from '../../base/index.ts'
import { nest, perfectNest, varsOf, symbolsOf, type Loop, type LoopStmt, type Program } from '../../ir/index.ts'
import { orderFree } from '../../analysis/index.ts'

/**
 * Puts the loops `order` in that order, outermost first, in every perfect nest that consists of them (and, inside, of
 * others).
 */
export function reorder(program: Program, { order }: { readonly order: readonly string[] }): Program {
  const set = new Set(order)
  let done = 0
  const visit = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    body.flatMap((s): readonly LoopStmt[] => {
      if (s.kind === 'if') return [{ ...s, then: visit(s.then), else: visit(s.else) }]
      if (s.kind !== 'loop') return [s]
      const { loops, body: inner } = perfectNest(s)
      const named = loops.slice(0, order.length)
      if (named.length < order.length || !named.every((x) => set.has(x.name))) return [{ ...s, body: visit(s.body) }]
      done++
      return permuted(program, named, order, nest(loops.slice(order.length), inner))
    })
  const body = visit(program.body)
  if (done === 0) fail('schedule.reorder', `the loops ${order.join(', ')} are not one perfect nest`)
  return { ...program, body }
}

function permuted(
  program: Program,
  named: readonly Loop[],
  order: readonly string[],
  inner: readonly LoopStmt[],
): readonly LoopStmt[] {
  const byName = new Map(named.map((x) => [x.name, x]))
  const sorted = order.flatMap((n) => byName.get(n) ?? [])
  checkBounds(sorted)
  const why = orderFree(named, inner, symbolsOf(program))
  if (why) fail('schedule.reorder', `cannot reorder ${order.join(', ')}: ${why}`)
  return nest(sorted, inner)
}

function checkBounds(sorted: readonly Loop[]): void {
  sorted.forEach((l, i) => {
    const later = new Set(sorted.slice(i).map((x) => x.name))
    for (const v of [...varsOf(l.lower), ...varsOf(l.upper)]) {
      if (later.has(v)) fail('schedule.reorder', `cannot put '${l.name}' outside '${v}': its bounds use it`)
    }
  })
}
