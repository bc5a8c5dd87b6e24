// In: the regions of a program. Out: the same, where sums of rows of which a later one needs the results of earlier ones, each at
// its own row alone, are one part: the threads of a row make them all, one after the other, in one launch.
import { loopVar, type ArrayDecl, type Expr, type Loop, type Program } from '../ir/index.ts'
import { joinedNeighbours } from './neighbours.ts'
import { nestProgram, rectangular } from './nest.ts'
import type { Nest, Other, Region, Rows } from './part.ts'
import { rowOf } from './sketches/reduction.ts'
import { eachExpr, exprKey, freshName, mapExpr, sameExpr, substitute } from './tree.ts'

/** `regions` with sums of rows that need each other put together, also inside of loops of the host. */
export const withRows = (program: Program, regions: readonly Region[]): readonly Region[] =>
  joinedNeighbours(regions, (before, next) => (next.kind === 'nest' ? joinedRows(program, before, next) : undefined))

/** Both as one part, if the second needs what the first makes of its own row, and of no other. */
function joinedRows(program: Program, before: Nest | Other, next: Nest): Other | undefined {
  const first = before.kind === 'nest' ? [rectangular(before)] : before.form?.kind === 'rows' ? before.form.nests : []
  const [head] = first, last = rectangular(next) // which may turn loops around: all rows must count alike
  if (!head || !last || !areRowSums(first) || !areRowSums([last])) return undefined
  const own = renamed(program, head, last, first.length)
  if (!own || first.some((n) => !areApart(n, own))) return undefined
  const value = first.reduce((e, n) => mapExpr(e, (x) => (x.kind === 'read' && x.array === n.out.array.name ? n.out.value : undefined)), own.out.value)
  if (exprKey(value) === exprKey(own.out.value)) return undefined // neither needs the other
  const form: Rows = { kind: 'rows', nests: [...first, { ...own, out: { ...own.out, value } }] }
  return { kind: 'other', body: form.nests.flatMap((n) => nestProgram(program, n).body), why: '', parallel: 0, form }
}

/** One sum along memory each for every iteration of one loop; nothing of what it stores is read. */
export const areRowSums = (nests: readonly (Nest | undefined)[]): nests is readonly Nest[] => nests.every((n) => n !== undefined
  && n.parallel.length === 1 && !n.guard && rowOf(n) !== undefined && !mentions([...insideOf(n), n.out.value], n.out.array))

/** `next` over the rows of `head`, with an accumulator of its own; `undefined` when it has other rows. */
function renamed(program: Program, head: Nest, next: Nest, position: number): Nest | undefined {
  const [row] = head.parallel as [Loop], [other] = next.parallel as [Loop] // both have one
  if (!sameExpr(row.lower, other.lower) || !sameExpr(row.upper, other.upper)) return undefined
  const r = next.reduction!, into: ArrayDecl = { ...r.into, name: freshName(program, `${r.into.name}_${position}`) } // both are sums
  if (r.loops.some((l) => l.name === row.name)) return undefined
  const by = new Map([[other.name, loopVar(row.name)]])
  const f = (e: Expr): Expr => substitute(mapExpr(e, (x) => (x.kind === 'read' && x.array === r.into.name ? { ...x, array: into.name } : undefined)), by)
  return {
    ...next, parallel: [row], out: { ...next.out, index: next.out.index.map(f), value: f(next.out.value) },
    reduction: { ...r, loops: r.loops.map((l) => ({ ...l, lower: f(l.lower), upper: f(l.upper) })), guard: r.guard && f(r.guard), init: f(r.init), value: f(r.value), into },
  }
}

/** `next` uses what `n` stores in its result alone, at the same element; `n` uses nothing that `next` stores. */
function areApart(n: Nest, next: Nest): boolean {
  const at = n.out.index.map(exprKey).join()
  let own = true
  eachExpr(next.out.value, (x) => { if (x.kind === 'read' && x.array === n.out.array.name && x.index.map(exprKey).join() !== at) own = false })
  return own && n.out.array.name !== next.out.array.name && !mentions(insideOf(next), n.out.array) && !mentions([...insideOf(n), n.out.value], next.out.array)
}

/** What threads compute before the result of a row. */
export const insideOf = ({ reduction: r }: Nest): readonly Expr[] => (r ? [r.init, r.value, ...(r.guard ? [r.guard] : []), ...r.loops.flatMap((l) => [l.lower, l.upper])] : [])

export function mentions(list: readonly Expr[], array: ArrayDecl): boolean {
  let hit = false
  list.forEach((e) => eachExpr(e, (x) => { if (x.kind === 'read' && x.array === array.name) hit = true }))
  return hit
}
