// In: a LoopIR program. Out: which of the caller's integer arrays are linked structures whose loops follow links by
// index (lists, trees, tables of automata: pointer chasing), and what ends such a loop. The one idea: a link is an
// element that, through locals, becomes a subscript of its own array; whoever makes up data lets links lead on and puts
// what the loop compares with (a sentinel) in some places, so that every walk ends.
import {
  coefficients,
  eachExpr,
  eachStmt,
  int,
  isEndless,
  literal,
  ofSizes,
  ownExprs,
  accesses,
  polynomialExpr,
  polynomialOf,
  sub,
  type Access,
  type Expr,
  type Link,
  type Loop,
  type Polynomial,
  type Program,
  type Sentinel,
} from '../../ir/index.ts'
import { elementForm, type Scope } from './element-forms.ts'

/** How elements of an array lead on, and where they end. */
export interface Walk {
  readonly link?: Link
  readonly last?: Sentinel
}

/** Walks by array: of those that loops follow which only data end, and of those that end one. */
export function walksOf(p: Program, scope: Scope): ReadonlyMap<string, Walk> {
  const links = linksOf(p, scope),
    ends = endsOf(p, scope, links)
  return new Map(
    [...new Set([...links.keys(), ...ends.keys()])].map((array) => {
      const link = links.get(array),
        last = ends.get(array)
      return [array, { ...(link && { link }), ...(last && { last }) }]
    }),
  )
}

function linksOf(p: Program, scope: Scope): ReadonlyMap<string, Link> {
  const links = new Map<string, Link>()
  for (const a of accesses(p)) {
    if (links.has(a.array) || !scope.given.has(a.array) || !a.loops.some(isEndless)) continue
    for (const dimension of a.index.keys()) {
      const link = linkIn(scope, a, dimension)
      if (link) links.set(a.array, link)
    }
  }
  return links
}

function linkIn(scope: Scope, a: Access, dimension: number): Link | undefined {
  const form = elementForm(scope, a.index[dimension]!), // one of them
    own = form?.terms.find((t) => t.arrays.includes(a.array)),
    step = own && numberIn(own.coefficient)
  if (!form || step === undefined || step < 1) return undefined
  const row = rowOf(form.rest, a.loops)
  return { dimension, step, ...(row && { row }) }
}

const numberIn = (p: Polynomial): number | undefined => (p.size === 1 ? p.get('') : undefined)

/** The places of a row where the innermost loop of a subscript counts rows of some length. */
export function rowOf(rest: Polynomial, loops: readonly Loop[]): Expr | undefined {
  const split = coefficients(rest, new Set(loops.map((l) => l.name)))
  const strides = [...loops].reverse().flatMap((l) => split?.of.get(l.name) ?? [])
  return strides.length > 0 && strides.every((c) => ofSizes(c) && numberIn(c) === undefined)
    ? polynomialExpr(strides[0]!)
    : undefined
}

/** What elements are compared with in loops that only data end. */
function endsOf(p: Program, scope: Scope, links: ReadonlyMap<string, Link>): ReadonlyMap<string, Sentinel> {
  const ends = new Map<string, Sentinel>(),
    shapes = new Map(p.arrays.map((a) => [a.name, a.shape]))
  const compare = (x: Expr, value: Expr): void => {
    const form = elementForm(scope, x),
      [only, more] = form?.terms ?? []
    if (!form || !only || more || form.rest.size > 0 || numberIn(only.coefficient) !== 1) return
    for (const array of only.arrays) {
      const link = links.get(array),
        offset = link && only.of.array === array ? offsetIn(shapes.get(array) ?? [], only.of.index, link) : undefined
      if (!ends.has(array)) ends.set(array, { value, ...(offset !== undefined && { offset }) })
    }
  }
  eachStmt(p.body, (s, around) => {
    if (!around.some(isEndless)) return
    for (const e of ownExprs(s))
      eachExpr(e, (x) => {
        const [a, b] = x.kind === 'op' ? x.args : []
        if (x.kind !== 'op' || !a || !b) return
        const [beyond, within] = [endOf(x.op, b), endOf(mirrored[x.op] ?? '', a)]
        if (beyond) compare(a, beyond)
        if (within) compare(b, within)
      })
  })
  return ends
}

/**
 * Which element of a place is the one at `index`: of `link.step` rows of what lies behind the link's dimension, where
 * that is known; `undefined` where a place has one element, too.
 */
function offsetIn(shape: readonly Expr[], index: readonly Expr[], { dimension, step }: Link): number | undefined {
  const extents = shape.slice(dimension + 1).map(literal),
    columns = index.slice(dimension + 1).map(literal)
  if (extents.some((e) => e === undefined) || columns.some((c) => c === undefined)) return undefined
  const own = (polynomialOf(index[dimension]!)?.get('') ?? 0) % step // one of the indices
  const [offset, elements] = extents.reduce<readonly [number, number]>(
    ([at, all], e, d) => [at * e! + columns[d]!, all * e!], // known by now
    [own, step],
  )
  return elements > 1 ? offset : undefined
}

/** Comparisons with their arguments exchanged. */
const mirrored: Readonly<Record<string, string>> = { eq: 'eq', ne: 'ne', lt: 'gt', gt: 'lt', le: 'ge', ge: 'le' }

/** The value of x nearest to those of places that `x op bound` tells from them. */
function endOf(op: string, bound: Expr): Expr | undefined {
  const form = polynomialOf(bound)
  if (!form || !ofSizes(form)) return undefined
  const isNumber = literal(bound) !== undefined
  switch (op) {
    case 'eq':
    case 'ne':
      return bound
    case 'lt':
    case 'ge':
      return isNumber ? sub(bound, int(1)) : bound
    case 'gt':
    case 'le':
      return bound
    default:
      return undefined
  }
}
