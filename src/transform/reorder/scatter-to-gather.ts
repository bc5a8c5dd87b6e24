// In: a sum in a nest of loops into elements that several iterations choose together (`out[s * i + k] += in[i] * w[k]`:
// transposed convolutions, products of polynomials, overlapping windows). Out: the same over the elements, each with
// its own terms: q = i + k in place of the longer loop; of s * i + d * k with g = gcd(s, d) first k = s / g * m + r, so
// that it is s * q + d * r with q = i + d / g * m. The one idea: the loops still go over the same terms, in another
// order.
import {
  add,
  affineExpr,
  affineOf,
  coefficient,
  affineFolded,
  gcd,
  int,
  literal,
  loop as loopOf,
  loopVar,
  mapExpr,
  mul,
  op,
  sub,
  type Expr,
  type Loop,
  type Program,
  type Store,
  claimName,
  namesOf,
  substitute,
  uses,
} from '../../ir/index.ts'
import { planned, injective } from '../../analysis/index.ts'

export interface Scattered {
  readonly loops: readonly Loop[]
  readonly guards: readonly Expr[]
  readonly store: Store
}

/** `undefined` where the elements are told apart as they are, or by no two loops a dimension. */
export function gatheredFrom(program: Program, given: Scattered): Scattered | undefined {
  if (!given.store.reduce || isApart(given)) return undefined
  const taken = new Set([...namesOf(program), ...given.loops.map((l) => l.name)])
  let current = given
  for (let d = 0; d < given.store.index.length; d++) {
    const made = inDimension(program, current, d, taken)
    if (!made) return undefined
    current = made
  }
  return current !== given && isApart(current) ? current : undefined
}

const isApart = ({ loops, store }: Scattered): boolean =>
  injective(
    store.index,
    loops.filter((l) => store.index.some((e) => uses(e, l.name))),
  )

/** With one dimension told apart; the same object where its loop is alone there; `undefined` where it cannot be. */
function inDimension(program: Program, s: Scattered, d: number, taken: Set<string>): Scattered | undefined {
  const form = affineOf(s.store.index[d]!) // a dimension of it
  const own = form ? s.loops.filter((l) => coefficient(form, l.name) !== 0) : []
  if (!form || own.length < 2) return form && s
  if (
    own.length !== 2 ||
    !own.every((l) => isFree(l, s.loops) && s.store.index.every((e, n) => n === d || !uses(e, l.name)))
  )
    return undefined
  const extent = (l: Loop): number => planned(program, l.lower, l.upper, 1),
    c = (l: Loop): number => coefficient(form, l.name)
  const units = own.every((l) => Math.abs(c(l)) === 1)
  const longer = (a: Loop, b: Loop): number => (units ? c(b) - c(a) : 0) || extent(b) - extent(a)
  const [long, short] = [...own].sort(longer) as [Loop, Loop] // two
  const [stride, dilation] = [c(long), c(short)]
  if (units) return stride === 1 ? moved(s, long, short.name, dilation, taken) : undefined
  const count = literal(short.upper)
  if (stride < 1 || dilation < 1 || literal(short.lower) !== 0 || count === undefined || count <= 1) return undefined
  const shared = gcd(stride, dilation),
    phases = stride / shared
  if (phases === 1) return moved(s, long, short.name, dilation / shared, taken)
  const m = claimName(taken, `${short.name}_turn`),
    r = claimName(taken, `${short.name}_rest`),
    value = add(mul(loopVar(m), int(phases)), loopVar(r))
  const rest: Loop = { ...short, name: r, lower: int(0), upper: int(Math.min(phases, count)) },
    turns = Math.ceil(count / phases)
  const split = replaced(
    s,
    short,
    value,
    [rest, loopOf(m, int(turns), [])],
    count % phases === 0 || turns === 1 ? [] : [op('lt', [value, int(count)])],
  )
  return moved(split, long, m, dilation / shared, taken)
}

/** Its bounds use no loop, and no other loop's use it. */
const isFree = (l: Loop, all: readonly Loop[]): boolean =>
  l.step === 1 &&
  [l.lower, l.upper].every((e) => affineOf(e) && !all.some((x) => uses(e, x.name))) &&
  all.every((x) => !uses(x.lower, l.name) && !uses(x.upper, l.name))

/**
 * q = l + factor · by, or l − |factor| · by and the last value of that, in place of the loop l, from its least to its
 * greatest value over all that `by` has; the bounds of l stay as conditions.
 */
function moved(s: Scattered, l: Loop, by: string, factor: number, taken: Set<string>): Scattered | undefined {
  const other = s.loops.find((x) => x.name === by)!, // it is one of them
    name = claimName(taken, `${l.name}_${other.name}`),
    times = (e: Expr): Expr => (Math.abs(factor) === 1 ? e : mul(e, int(Math.abs(factor)))),
    last = times(sub(other.upper, int(1))),
    step = times(loopVar(by))
  const value = factor > 0 ? sub(loopVar(name), step) : sub(add(loopVar(name), step), last)
  const [least, most] =
    factor > 0
      ? [add(l.lower, times(other.lower)), add(l.upper, last)]
      : [l.lower, sub(add(l.upper, last), times(other.lower))]
  const q: Loop = { ...l, name, lower: affineFolded(least), upper: affineFolded(most) }
  return replaced(s, l, value, [q], [op('le', [l.lower, value]), op('lt', [value, l.upper])])
}

/** The loop `l` in another form: `by` in place of its variable, `instead` in its place, and conditions besides. */
function replaced(s: Scattered, l: Loop, by: Expr, instead: readonly Loop[], guards: readonly Expr[]): Scattered {
  const f = (e: Expr): Expr => {
    const made = substitute(e, new Map([[l.name, by]]))
    return made === e ? e : mapExpr(made, (x) => (x.type === 'i32' ? (summed(x) ?? x) : x))
  }
  return {
    loops: s.loops.flatMap((x) => (x === l ? instead : [x])),
    guards: [...s.guards.map(f), ...guards],
    store: { ...s.store, index: s.store.index.map(f), value: f(s.store.value) },
  }
}

/** A sum as one linear form, in which what is added and taken away is gone. */
function summed(e: Expr): Expr | undefined {
  const form = e.kind === 'op' && (e.op === 'add' || e.op === 'sub') ? affineOf(e) : undefined
  return form && affineExpr(form)
}

/**
 * `turned` with loops of the numbers that they had in `inner`, where they had such, and conditions in place of the
 * bounds that they got.
 */
export function withLiteralBounds<T extends { readonly inner: readonly Loop[]; readonly guards: readonly Expr[] }>(
  turned: T,
  inner: readonly Loop[],
): T {
  const guards: Expr[] = []
  const loops = turned.inner.map((l, i): Loop => {
    const own = inner[i]!,
      at = loopVar(l.name) // as many
    if (literal(own.lower) === undefined || literal(own.upper) === undefined) return l
    if (literal(l.lower) === undefined) guards.push(op('le', [l.lower, at]))
    if (literal(l.upper) === undefined) guards.push(op('lt', [at, l.upper]))
    return {
      ...l,
      lower: literal(l.lower) === undefined ? own.lower : l.lower,
      upper: literal(l.upper) === undefined ? own.upper : l.upper,
    }
  })
  return guards.length > 0 ? { ...turned, inner: loops, guards: [...turned.guards, ...guards] } : turned
}
