// In: a scheduled program in which some arrays are virtual: their elements are computed where they are read. Out: the
// program with each read replaced by its computation, and each store redirected to where the element really is. The one
// idea: an array is a function of its subscripts until the last moment, so that schedule primitives need not know which
// arrays are virtual.
import {
  both,
  choose,
  mapBody,
  mapStmtExprs,
  readsArray,
  rewriteExpr,
  sameExpr,
  substitute,
  withGuard,
  zeroOf,
  type Computed,
  type Expr,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

/** The same program object where it uses none of `computed`. */
export function withElements(program: Program, computed: readonly Computed[]): Program {
  if (computed.length === 0) return program
  const by = new Map(computed.map((c) => [c.array.name, c]))
  const at = (c: Computed, index: readonly Expr[]): ((e: Expr) => Expr) => {
    const places = new Map(c.at.map((name, d) => [name, index[d]!])) // a variable for each dimension
    return (e) => substitute(e, places)
  }
  const loaded = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      if (x.kind === 'choose') return once(x)
      const c = x.kind === 'read' ? by.get(x.array) : undefined
      if (x.kind !== 'read' || !c) return undefined
      const here = at(c, x.index),
        element = here(c.element)
      return c.guard ? choose(here(c.guard), element, zeroOf(element.type)) : element
    })
  const body = mapBody(program.body, (s): readonly LoopStmt[] | undefined => {
    const c = s.kind === 'store' ? by.get(s.array) : undefined
    if (s.kind !== 'store' || c?.element.kind !== 'read') return undefined
    const here = at(c, s.index),
      place = here(c.element)
    return place.kind === 'read'
      ? withGuard(c.guard ? [here(c.guard)] : [], [{ ...s, array: place.array, index: place.index }])
      : undefined
  }).map((s) => mapStmtExprs(s, loaded))
  return { ...program, arrays: program.arrays.filter((a) => !by.has(a.name)), body }
}

/** One choice in place of one inside of another, where both leave the same and asking both at once is safe. */
function once(e: Extract<Expr, { kind: 'choose' }>): Expr | undefined {
  const inner = e.then
  return inner.kind === 'choose' && sameExpr(inner.else, e.else) && !readsArray(inner.condition)
    ? { ...inner, condition: both(e.condition, inner.condition) }
    : undefined
}
