// In: loops that become one, from the outermost to the innermost, and subscripts that use them. Out: the subscripts in
// terms of the one loop: linear ones where the dimensions that the loops index lie next to each other in memory (or are
// one already, as in `9 c + 3 u + v`), else with each loop's variable as a digit of the one loop's. The one idea is
// that of mixed radix numbers: v = (l₁ e₂ + l₂) e₃ + l₃ with lᵢ below eᵢ.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  div,
  eachStmt,
  implies,
  isFixed,
  int,
  literal,
  loopVar,
  mod,
  mul,
  op,
  sizeDomain,
  type Expr,
  type Loop,
  type Program,
  uses,
} from '../../ir/index.ts'
import { sameIndexForm } from '../../analysis/index.ts'

/** The product of two linear forms of sizes; `undefined` where it is none. */
export type Times = (x: Expr, y: Expr) => Expr | undefined

/**
 * The extents of two loops that become one, of the products that `times` makes: one factor is at least 0, or the host
 * launches nothing unless both are above it. Two negative extents are no iterations, and their product is some.
 */
export function countingOf(program: Program, times: Times): Times {
  const fixed = program.sizes.filter(isFixed).map((s) => ({
      form: addScaled(affineName(`$${s.name}`), affineConstant(s.planned), -1),
      equal: true,
    })),
    constraints = [...sizeDomain(program).constraints, ...fixed],
    ends: (readonly Expr[])[] = []
  eachStmt(program.body, (s, around) => {
    const isGiven = s.kind === 'store' && program.arrays.some((a) => a.name === s.array && a.role !== 'temp')
    if (isGiven) ends.push(around.map((l) => l.upper))
  })
  const isCount = (e: Expr): boolean => {
    const form = affineOf(e)
    return form !== undefined && implies(constraints, form)
  }
  const isAsked = (x: Expr, y: Expr): boolean =>
    ends.every((uppers) => uppers.some((u) => sameIndexForm(u, x) || sameIndexForm(u, y)))
  return (x, y) => (isCount(x) || isCount(y) || isAsked(x, y) ? times(x, y) : undefined)
}

/** Loops from 0 in steps of 1 to bounds over sizes, and the loop over all of their iterations. */
export interface FusedLoops {
  readonly loops: readonly Loop[]
  readonly one: Loop
}

export interface Subscripts {
  readonly index: readonly Expr[]
  readonly shape: readonly Expr[]
}

/** The loops as one of this name; `undefined` where the product of their extents is no size. */
export function fused(loops: readonly Loop[], name: string, times: Times): FusedLoops | undefined {
  const extent = product(
    loops.map((l) => l.upper),
    times,
  )
  return extent && { loops, one: { ...loops[0]!, name, upper: extent, body: [] } } // there is one
}

function product(extents: readonly Expr[], times: Times): Expr | undefined {
  return extents.reduce<Expr | undefined>((a, b) => {
    if (!a || literal(a) === 1) return a && b
    if (literal(a) === undefined && literal(b) === undefined) return times(a, b)
    const linear = affineOf(mul(a, b))
    return linear && affineExpr(linear)
  }, int(1))
}

/** Each loop's variable in terms of the one loop's; `undefined` where a product of extents is no size. */
export function recoveredIndices({ loops, one }: FusedLoops, times: Times): ReadonlyMap<string, Expr> | undefined {
  const out = new Map<string, Expr>(),
    v = loopVar(one.name)
  for (const [n, l] of loops.entries()) {
    const below = product(
      loops.slice(n + 1).map((x) => x.upper),
      times,
    )
    if (!below) return undefined
    const above = quotient(v, below)
    out.set(l.name, n === 0 ? above : remainder(above, l.upper))
  }
  return out
}

function quotient(e: Expr, by: Expr): Expr {
  const n = literal(by)
  return n === undefined ? op('div', [e, by]) : div(e, n)
}

function remainder(e: Expr, by: Expr): Expr {
  const n = literal(by)
  return n === undefined ? op('rem', [e, by]) : mod(e, n)
}

/** Subscripts that stay linear with one loop in place of several; `undefined` where they do not. */
export function linearly(given: Subscripts, { loops, one }: FusedLoops, times: Times): Subscripts | undefined {
  let s: Subscripts | undefined = given,
    inner = loops.at(-1)! // there is one
  for (const outer of loops.slice(0, -1).reverse()) {
    s = s && pair(s, outer, inner, times)
    const extent = product([outer.upper, inner.upper], times)
    if (!s || !extent) return undefined
    inner = { ...inner, upper: extent }
  }
  return s && renamed(s, inner.name, one.name)
}

const renamed = (s: Subscripts, from: string, to: string): Subscripts => ({
  ...s,
  index: s.index.map((e) => inPlaceOf(e, from, to)),
})

function inPlaceOf(e: Expr, from: string, to: string): Expr {
  const a = affineOf(e)
  if (!a || coefficient(a, from) === 0) return e
  const c = coefficient(a, from)
  return affineExpr(addScaled(addScaled(a, affineName(from), -c), affineName(to), c))
}

/** `inner` stands for both from here on. */
function pair(s: Subscripts, outer: Loop, inner: Loop, times: Times): Subscripts | undefined {
  const using = s.index.map((e) => [uses(e, outer.name), uses(e, inner.name)] as const),
    d = using.findIndex(([o]) => o)
  const total = using.filter(([o, i]) => o || i).length
  if (total === 0) return s
  const a = s.index[d] && affineOf(s.index[d])
  if (!a) return undefined
  const [far, near] = [coefficient(a, outer.name), coefficient(a, inner.name)]
  if (total === 1 && near !== 0 && far === near * Number(literal(inner.upper)))
    return {
      ...s,
      index: s.index.map((e, n) => (n === d ? affineExpr(addScaled(a, affineName(outer.name), -far)) : e)),
    }
  const next = s.index[d + 1]
  const apart =
    total === 2 && far === 1 && near === 0 && a.terms.size === 1 && a.constant === 0 && isLoop(next, inner.name)
  const extent =
    apart && sameIndexForm(s.shape[d + 1]!, inner.upper) ? times2(s.shape[d]!, inner.upper, times) : undefined
  return extent
    ? {
        index: [...s.index.slice(0, d), loopVar(inner.name), ...s.index.slice(d + 2)],
        shape: [...s.shape.slice(0, d), extent, ...s.shape.slice(d + 2)],
      }
    : undefined
}

const times2 = (a: Expr, b: Expr, times: Times): Expr | undefined => product([a, b], times)

const isLoop = (e: Expr | undefined, name: string): boolean => e?.kind === 'var' && e.name === name
