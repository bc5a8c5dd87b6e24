// reorder: perfectly nested loops in another order.
//
//   for i { for j { C[i, j] = A[j, i] } }   →   for j { for i { C[i, j] = A[j, i] } }
//
// Side conditions: the named loops are one perfect nest; no bound uses a loop that would move inside; and no dependence
// is turned around: each store in the body is a reduction whose target the body does not otherwise touch, or writes
// each element once (its index tells all iterations apart) an array that the body reads, if at all, at that same element.
import { fail } from '../../base/index.ts'
import { type Loop, type Program } from '../../ir/index.ts'
import { orderFree } from '../legal.ts'
import { nest, perfectNest, replaceLoops, varsOf } from '../tree.ts'

/** Puts the loops `order` (all of one perfect nest) in that order, outermost first, in every nest that starts with one of them. */
export function reorder(program: Program, { order }: { readonly order: readonly string[] }): Program {
  const set = new Set(order)
  const first = findFirst(program, set)
  return replaceLoops(program, first, (l) => {
    const { loops, body } = perfectNest(l)
    const named = loops.slice(0, order.length)
    if (!named.every((x) => set.has(x.name)) || named.length < order.length) fail('schedule.reorder', `the loops ${order.join(', ')} are not one perfect nest`)
    const byName = new Map(named.map((x) => [x.name, x]))
    const sorted = order.flatMap((n) => byName.get(n) ?? [])
    checkBounds(sorted)
    const inner = nest(loops.slice(order.length), body)
    const why = orderFree(named, inner)
    if (why) fail('schedule.reorder', `cannot reorder ${order.join(', ')}: ${why}`)
    return nest(sorted, inner)
  })
}

function findFirst(program: Program, set: ReadonlySet<string>): string {
  let found: string | undefined
  const walk = (body: Program['body'], inside: boolean): void => body.forEach((s) => {
    if (s.kind === 'if') { walk(s.then, inside); walk(s.else, inside) }
    if (s.kind !== 'loop') return
    const hit = set.has(s.name)
    if (hit && !inside) found ??= s.name
    walk(s.body, inside || hit)
  })
  walk(program.body, false)
  return found ?? fail('schedule.reorder', `there is no loop among ${[...set].join(', ')}`)
}

function checkBounds(sorted: readonly Loop[]): void {
  sorted.forEach((l, i) => {
    const later = new Set(sorted.slice(i).map((x) => x.name))
    for (const v of [...varsOf(l.lower), ...varsOf(l.upper)]) {
      if (later.has(v)) fail('schedule.reorder', `cannot put '${l.name}' outside '${v}': its bounds use it`)
    }
  })
}
