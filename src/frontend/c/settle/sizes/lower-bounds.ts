// In: a lowered program. Out: the same with flat arrays given from the first element that is reached: what stands
// before the place where a pointer of the source points (`above[-1]`, `p[x - stride]`) belongs to its array. The one
// idea: arrays have lower bounds as in Fortran; they are inferred as upper ones are, of subscripts with the other sign,
// and subscripts count from them. Only what certainly is below 0 asks for it.
import {
  accesses,
  add,
  int,
  isNeverNegative,
  isPositive,
  hasQuotients,
  mapStmts,
  namesInKey,
  ofSizes,
  op,
  pass,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  printExpr,
  sameExpr,
  signedSizes,
  sub,
  symbolsOf,
  type Access,
  type Expr,
  type LoopStmt,
  type Polynomial,
  type Program,
  type Signed,
} from '../../../../ir/index.ts'
import { loweredC } from '../../lower/lowered.ts'
import type { LoweredFunction } from '../../lower/function.ts'
import { isBelowStart } from '../bounds-check.ts'
import { highestPolynomial } from '../delinearization.ts'
import { reachOf } from '../extent-inference.ts'

// Before:
//
//   void f(int n, const float *above, float *y) {
//     for (int i = 0; i < n; i++) y[i] = above[i - 1];
//   }
//
// After:
//
//   program f {
//     size n = 1024 min 0 counts
//     array above: f32[1] inout global
//     array y: f32[1] inout global
//     for i in 0 .. n {
//       y[i] = above[i]
//     }
//   }
export const arrayLowerBounds = pass<LoweredFunction>({
  name: 'array-lower-bounds',
  summary: 'arrays that are reached before the place where a pointer points are given from their first element',
  needs: ['accesses', 'affine feasibility'],
  of: loweredC,
  run: (lowered) => {
    const given = lowered.program,
      isBelow = (x: Access): boolean => !x.declared && lowered.flat.has(x.array) && isBelowStart(given, x, 0),
      below = new Set(accesses(given).flatMap((x) => (isBelow(x) ? [x.array] : [])))
    const names = [...lowered.flat].filter((name) => below.has(name)),
      program = names.reduce((p, name) => fromLowest(p, name, lowered.open), given)
    return program === given ? lowered : { ...lowered, program }
  },
})

/** `p` with the subscripts of array `name`, which go below 0, counted from the lowest one. */
function fromLowest(p: Program, name: string, open: ReadonlySet<string>): Program {
  const array = p.arrays.find((a) => a.name === name && open.has(name) && a.role !== 'temp')
  if (!array) return p
  const counted = withCounts(p, name),
    room = counted && roomBefore(counted, name),
    by = room && polynomialExpr(room)
  if (!by) return p
  return {
    ...counted,
    arrays: p.arrays.map((a) => (a === array ? { ...a, origin: by } : a)),
    body: withIndex(p.body, name, (e) => sumOf(e, room)),
    notes: [
      ...(p.notes ?? []),
      `${name} is reached before where it points: it is given from ${elements(by)} before on`,
    ],
  }
}

/** `e` and as many more, in few terms where it is a polynomial. */
function sumOf(e: Expr, more: Polynomial): Expr {
  const own = polynomialOf(e)
  return own ? polynomialExpr(plusScaled(own, more, 1)) : add(e, polynomialExpr(more))
}

/** Whether the arrays that both take begin at the same element. */
export const beginAlike = (p: Program, other: Program): boolean =>
  p.arrays.every((a) => {
    const b = other.arrays.find((x) => x.name === a.name)
    return !b || (a.origin && b.origin ? sameExpr(a.origin, b.origin) : a.origin === b.origin)
  })

const elements = (n: Expr): string => `${printExpr(n)} element${printExpr(n) === '1' ? '' : 's'}`

/** `p` where sizes that may lengthen what stands before `name` are not negative: the host refuses others. */
function withCounts(p: Program, name: string): Program | undefined {
  const ends = lowestOf(p, name)
  if (!ends) return undefined
  const names = new Set([...joined(ends).keys()].flatMap(namesInKey).map((n) => n.slice(1)))
  return { ...p, sizes: p.sizes.map((s) => (names.has(s.name) && s.min < 0 ? { ...s, min: 0 } : s)) }
}

/** How many elements before its start `name` is reached at most. */
function roomBefore(p: Program, name: string): Polynomial | undefined {
  const ends = lowestOf(p, name),
    signed = signedSizes(symbolsOf(p))
  const room = ends && (ends.find((x) => ends.every((other) => isAsLarge(x, other, signed))) ?? joined(ends))
  return room && isPositive(room, signed) ? room : undefined
}

/** The lowest subscripts of `name`, below 0 by sums of products of sizes; undefined where some is not known. */
function lowestOf(p: Program, name: string): readonly Polynomial[] | undefined {
  const { tops, unknown } = reachOf({ ...p, body: withIndex(p.body, name, negated) }, name, highestPolynomial),
    found = tops.map((t) => t.top)
  return unknown !== 'counted' && found.length > 0 && found.every((x) => ofSizes(x) && !hasQuotients(x))
    ? found
    : undefined
}

const isAsLarge = (a: Polynomial, b: Polynomial, signed: Signed): boolean =>
  isNeverNegative(plusScaled(a, b, -1), signed, new Set())

/** At least each of `all` where sizes are not negative: the largest coefficient of each product. */
function joined(all: readonly Polynomial[]): Polynomial {
  const most = new Map<string, number>()
  for (const p of all) for (const [key, c] of p) if (c > (most.get(key) ?? 0)) most.set(key, c)
  return most
}

/** `body` with `of` of every subscript of the flat array `name`. */
const withIndex = (body: readonly LoopStmt[], name: string, of: (index: Expr) => Expr): readonly LoopStmt[] =>
  mapStmts(
    body,
    (e) => (e.kind === 'read' && e.array === name ? { ...e, index: e.index.map(of) } : e),
    (s) => [s.kind === 'store' && s.array === name ? { ...s, index: s.index.map(of) } : s],
  )

/** -`e`, with the sign where cases are chosen. */
function negated(e: Expr): Expr {
  if (e.kind === 'choose') return { ...e, then: negated(e.then), else: negated(e.else) }
  if (e.kind !== 'op') return sub(int(0), e)
  const [a, b, c] = e.args
  switch (e.op) {
    case 'add':
      return add(negated(a!), negated(b!)) // two terms
    case 'min':
      return op('max', [negated(a!), negated(b!)])
    case 'max':
      return op('min', [negated(a!), negated(b!)])
    case 'select':
      return op('select', [a!, negated(b!), negated(c!)]) // a condition and two values
    default:
      return sub(int(0), e)
  }
}
