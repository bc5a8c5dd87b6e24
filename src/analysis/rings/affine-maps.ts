// Affine maps of a few numbers: s ↦ M s + c, over sums of products or over greatest (least) of sums. What composes two
// of them and applies one, as expressions. The one idea: maps compose associatively whatever their coefficients are, so
// that threads can scan over them as they scan over sums (Blelloch, Prefix Sums and Their Applications, 1990, section
// 1.4). A map is the list of its coefficients: the rows of M, then c.
import {
  constant,
  isFloat,
  op,
  type Expr,
  type ScalarType,
  identityOf,
  zeroOf,
  someExpr,
  type Fixed,
  type MapKind,
} from '../../ir/index.ts'

/** Coefficients of a map. */
export const coefficientsOf = (k: MapKind): number => k.states * k.states + k.states

/** Positions of the coefficients that differ from map to map. */
export const varying = (k: Pick<MapKind, 'fixed'>): readonly number[] => k.fixed.flatMap((f, n) => (f ? [] : [n]))

/** All coefficients of a map, of which `of` says those that vary. */
export const withFixed = (k: MapKind, of: (n: number) => Expr): readonly Expr[] =>
  k.fixed.map((f, n) => (f === 'nothing' ? nothing(k) : f === 'unit' ? unit(k) : of(n)))

/**
 * What stays as it is of the coefficients `map` in all that is composed of such maps and of those that change nothing.
 */
export function fixedOf(k: Pick<MapKind, 'states' | 'type' | 'ring'>, map: readonly Expr[]): readonly Fixed[] {
  const { states } = k,
    all = range(states),
    same = (a: readonly Fixed[], b: readonly Fixed[]): readonly Fixed[] => a.map((x, n) => (x === b[n] ? x : undefined))
  const times = (a: Fixed, b: Fixed): Fixed =>
    a === 'nothing' || b === 'nothing' ? 'nothing' : a === 'unit' ? b : b === 'unit' ? a : undefined
  const sum = (terms: readonly Fixed[]): Fixed => {
    const [first, more] = terms.filter((t) => t !== 'nothing')
    return terms.every((t) => t === 'nothing')
      ? 'nothing'
      : more || terms.filter((t) => t !== 'nothing').length > 1
        ? undefined
        : first
  }
  const at = (a: readonly Fixed[], p: number, q: number): Fixed => a[q < states ? p * states + q : states * states + p]
  const both = (a: readonly Fixed[]): readonly Fixed[] =>
    a.map((_, n) => {
      const [p, q] = n < states * states ? [Math.floor(n / states), n % states] : [n - states * states, states]
      return sum([...all.map((r) => times(at(a, p, r), at(a, r, q))), ...(q === states ? [at(a, p, states)] : [])])
    })
  const none = range(states * states + states).map(
    (n): Fixed => (n < states * states && n % states === Math.floor(n / states) ? 'unit' : 'nothing'),
  )
  let so = same(
    none,
    map.map((e) => (isNeutral(k, e) ? 'nothing' : isUnit(k, e) ? 'unit' : undefined)),
  )
  for (let next = same(so, both(so)); next.some((f, n) => f !== so[n]); next = same(so, both(so))) so = next
  return so
}

const value = (e: Expr): number | undefined => (e.kind === 'const' ? Number(e.value) : undefined)

/** Whether coefficients multiply numbers. */
const multiplies = (k: Pick<MapKind, 'ring'>): boolean => k.ring === 'sums' || k.ring === 'residues'

/** What comes out of a sum or product of residues. */
const remainder = (k: MapKind, e: Expr): Expr =>
  k.modulus === undefined ? e : op('rem', [e, constant(k.type, k.modulus)])

/** The coefficient of a number that does not count. */
export const nothing = (k: Pick<MapKind, 'type' | 'ring'>): Expr =>
  multiplies(k) ? zeroOf(k.type) : identityOf(k.ring === 'greatest' ? 'max' : 'min', k.type)

/** The coefficient of a number that is taken as it is. */
export const unit = (k: Pick<MapKind, 'type' | 'ring'>): Expr =>
  multiplies(k) ? identityOf('mul', k.type) : zeroOf(k.type)

export const isNeutral = (k: Pick<MapKind, 'type' | 'ring'>, e: Expr): boolean => value(e) === value(nothing(k))
export const isUnit = (k: Pick<MapKind, 'type' | 'ring'>, e: Expr): boolean => value(e) === value(unit(k))

/**
 * What the coefficient `by` makes of `x`, which is one too or (`plain`) a number; `undefined` where it does not count.
 */
function term(k: MapKind, by: Expr, x: Expr, plain: boolean): Expr | undefined {
  return multiplies(k)
    ? product(k, by, x)
    : isNeutral(k, by) || (!plain && isNeutral(k, x))
      ? undefined
      : isUnit(k, by)
        ? x
        : isFloat(k.type)
          ? op('add', [by, x])
          : farSum(k, by, x, plain)
}

/**
 * `by + x` of integers, where what is beyond the range is no more than its end: coefficients of many iterations are far
 * below any number of which one is the greatest. The end itself stands for what does not count.
 */
function farSum(k: MapKind, by: Expr, x: Expr, plain: boolean): Expr {
  const none = nothing(k),
    zero = zeroOf(k.type),
    [inner, outer] = k.ring === 'greatest' ? (['max', 'min'] as const) : (['min', 'max'] as const)
  const sum = op('add', [op(inner, [by, op('sub', [none, op(outer, [x, zero])])]), x])
  const is = (e: Expr): Expr => op('eq', [e, none]),
    tests = [...(by.kind === 'const' ? [] : [is(by)]), ...(plain || x.kind === 'const' ? [] : [is(x)])]
  return tests.length === 0 ? sum : op('select', [tests.reduce((a, b) => op('lor', [a, b])), none, sum])
}

function product(k: MapKind, by: Expr, x: Expr): Expr | undefined {
  const known = value(by),
    other = value(x)
  if (known === 0 || (other === 0 && (known !== undefined || !isFloat(k.type)))) return undefined
  if (known === 1) return x
  const product = other === 1 ? by : remainder(k, op('mul', [by, x]))
  if (known !== undefined || !isFloat(k.type)) return product
  const none = zeroOf(k.type),
    is0 = (e: Expr): Expr => op('eq', [e, none])
  const grown =
    k.grows && other === undefined
      ? op('select', [
          op('land', [is0(x), op('gt', [op('abs', [by]), constant(k.type, largest(k.type))])]),
          none,
          product,
        ])
      : product
  return k.sets ? op('select', [is0(by), none, grown]) : grown
}

/** The greatest finite number. */
const largest = (type: ScalarType): number => (type === 'f64' ? Number.MAX_VALUE : 3.4028234663852886e38)

function total(k: MapKind, terms: readonly (Expr | undefined)[]): Expr {
  const [first, ...rest] = terms.filter((t): t is Expr => t !== undefined && !isNeutral(k, t)),
    join = multiplies(k) ? 'add' : k.ring === 'greatest' ? 'max' : 'min'
  return first ? rest.reduce((a, b) => remainder(k, op(join, [a, b])), first) : nothing(k)
}

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)
const entry = (k: MapKind, map: readonly Expr[], row: number, column: number): Expr => map[row * k.states + column]!
const offset = (k: MapKind, map: readonly Expr[], row: number): Expr => map[k.states * k.states + row]!

/** The map that changes nothing. */
export const identityMap = (k: MapKind): readonly Expr[] => [
  ...range(k.states).flatMap((p) => range(k.states).map((q) => (p === q ? unit(k) : nothing(k)))),
  ...range(k.states).map(() => nothing(k)),
]

/** `later` after `earlier`. */
export function composed(k: MapKind, earlier: readonly Expr[], later: readonly Expr[]): readonly Expr[] {
  const all = range(k.states)
  return [
    ...all.flatMap((p) =>
      all.map((q) =>
        total(
          k,
          all.map((r) => term(k, entry(k, later, p, r), entry(k, earlier, r, q), false)),
        ),
      ),
    ),
    ...moved(
      k,
      later,
      all.map((r) => offset(k, earlier, r)),
      false,
    ),
  ]
}

/** What the map makes of the numbers `states`. */
export const appliedMap = (k: MapKind, map: readonly Expr[], states: readonly Expr[]): readonly Expr[] =>
  moved(k, map, states, true)

const moved = (k: MapKind, map: readonly Expr[], to: readonly Expr[], plain: boolean): readonly Expr[] =>
  range(k.states).map((p) =>
    total(k, [...range(k.states).map((q) => term(k, entry(k, map, p, q), to[q]!, plain)), offset(k, map, p)]),
  )

/**
 * The coefficients of each number before in `e`, then what is left; `undefined` where `e` is not affine in them.
 * `place`: which number a read is.
 */
export function coefficientsIn(
  k: Pick<MapKind, 'states' | 'type'>,
  e: Expr,
  place: (e: Expr) => number | undefined,
): readonly Expr[] | undefined {
  const none = range(k.states + 1).map(() => zeroOf(k.type))
  const both = (a: readonly Expr[], b: readonly Expr[], f: (x: Expr, y: Expr) => Expr): readonly Expr[] =>
    a.map((x, i) => (value(x) === 0 && value(b[i]!) === 0 ? x : f(x, b[i]!)))
  const scaled = (a: readonly Expr[], f: (x: Expr) => Expr): readonly Expr[] =>
    a.map((x) => (value(x) === 0 ? x : f(x)))
  const times = (x: Expr, by: Expr): Expr => (value(x) === 1 ? by : op('mul', [x, by]))
  const go = (x: Expr): readonly Expr[] | undefined => {
    const at = place(x)
    if (at !== undefined) return none.map((z, i) => (i === at ? identityOf('mul', k.type) : z))
    if (!mentions(x, place)) return x.type === k.type ? [...none.slice(1), x] : undefined
    if (x.type !== k.type) return undefined
    if (x.kind === 'choose')
      return mentions(x.condition, place)
        ? undefined
        : picked(go(x.then), go(x.else), (a, b) => ({ ...x, then: a, else: b }))
    if (x.kind !== 'op') return undefined
    const [a, b] = x.args as readonly [Expr, Expr] // `neg` alone has one
    switch (x.op) {
      case 'copy':
        return go(a)
      case 'neg': {
        const of = go(a)
        return of && scaled(of, (y) => op('neg', [y]))
      }
      case 'add':
      case 'sub': {
        const [l, r] = [go(a), go(b)]
        return (
          l &&
          r &&
          both(l, r, (y, z) =>
            value(z) === 0 ? y : value(y) === 0 ? (x.op === 'add' ? z : op('neg', [z])) : op(x.op, [y, z]),
          )
        )
      }
      case 'mul': {
        const [of, by] = mentions(a, place) ? [a, b] : [b, a],
          l = mentions(by, place) ? undefined : go(of)
        return l && scaled(l, (y) => times(y, by))
      }
      case 'div': {
        const l = !isFloat(k.type) || mentions(b, place) ? undefined : go(a)
        return l && scaled(l, (y) => op('div', [y, b]))
      }
      case 'shl': {
        const l = mentions(b, place) ? undefined : go(a)
        return l && scaled(l, (y) => op('shl', [y, b]))
      }
      case 'select':
        return mentions(a, place) ? undefined : picked(go(b), go(x.args[2]!), (y, z) => op('select', [a, y, z]))
      default:
        return undefined
    }
  }
  const picked = (
    l: readonly Expr[] | undefined,
    r: readonly Expr[] | undefined,
    f: (y: Expr, z: Expr) => Expr,
  ): readonly Expr[] | undefined =>
    l && r && both(l, r, (y, z) => (value(y) !== undefined && value(y) === value(z) ? y : f(y, z)))
  return go(e)
}

function mentions(e: Expr, place: (e: Expr) => number | undefined): boolean {
  return someExpr(e, (x) => place(x) !== undefined)
}
