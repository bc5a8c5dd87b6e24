// In: a LoopIR program. Out: what elements of its integer arrays may be, where they choose subscripts or ends of loops,
// so that every subscript stays in its array. The one idea: a subscript that is linear in one element and in loop
// variables bounds that element by the array's extent; who makes up data for a program needs no more.
import {
  someExpr,
  accesses,
  add,
  affineExpr,
  coefficients,
  extreme,
  int,
  isInteger,
  isPositive,
  signedSizes,
  loopVar,
  mapExpr,
  mapStmts,
  mul,
  ofSizes,
  op,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  printExpr,
  sub,
  polynomialProduct,
  toAffine,
  symbolsOf,
  type Signed,
  type Access,
  type ArrayDecl,
  type ElementRange,
  type Expr,
  type Loop,
  type Polynomial,
  type Program,
} from '../ir/index.ts'

/** Ranges of elements by array, over sizes; arrays that choose nothing are not in it. */
export function elementRanges(p: Program): ReadonlyMap<string, ElementRange> {
  const ranges = known.get(p) ?? rangesOf(p)
  known.set(p, ranges)
  return ranges
}

/** Every plan of a program asks again. */
const known = new WeakMap<Program, ReadonlyMap<string, ElementRange>>()

function rangesOf(p: Program): ReadonlyMap<string, ElementRange> {
  const found = new Map<string, Found>()
  const note = (array: string, low: Expr, high: Expr, sorted: boolean): void => {
    const f = found.get(array) ?? { lows: new Map(), highs: new Map(), sorted: false }
    found.set(array, {
      lows: f.lows.set(printExpr(low), low),
      highs: f.highs.set(printExpr(high), high),
      sorted: f.sorted || sorted,
    })
  }
  const scope = scopeOf(p)
  for (const a of accesses(p)) {
    const shape = scope.shapes.get(a.array)
    a.index.forEach((e, d) => {
      const extent = shape?.[d]
      if (!extent) return
      // x / n, x % n in rows of n elements: x is inside when it is below all rows together.
      const whole = e.kind === 'op' && e.op === 'div' && e.type === 'i32' ? e : undefined
      if (whole)
        subscript(scope, a, whole.args[0]!, mul(extent, whole.args[1]!), note) // a division has two arguments
      else subscript(scope, a, e, extent, note)
      for (const l of a.loops) ends(scope, a, l, e, extent, note)
    })
  }
  return new Map(
    [...found].map(([array, f]) => [
      array,
      { low: tightest('max', f.lows), high: tightest('min', f.highs), sorted: f.sorted },
    ]),
  )
}

/** What uses of an array ask of its elements: each end once, by its text. */
interface Found {
  readonly lows: Map<string, Expr>
  readonly highs: Map<string, Expr>
  readonly sorted: boolean
}

const tightest = (which: 'min' | 'max', ends: ReadonlyMap<string, Expr>): Expr =>
  [...ends.values()].reduce((a, b) => op(which, [a, b]))

interface Scope {
  readonly shapes: ReadonlyMap<string, readonly Expr[]>
  /** Sizes that may be negative. */
  readonly signed: Signed
  /** Values of locals that are stored to once. */
  readonly values: ReadonlyMap<string, Expr>
  /** Arrays of integers that the caller fills. */
  readonly given: ReadonlySet<string>
  /** Arrays whose elements are copied from another, which the caller fills. */
  readonly copies: ReadonlyMap<string, string>
}

type Note = (array: string, low: Expr, high: Expr, sorted: boolean) => void

function scopeOf(p: Program): Scope {
  const shapes = new Map(p.arrays.map((a) => [a.name, a.shape]))
  const stores = new Map<string, (Expr | null)[]>(),
    locals = new Set<string>()
  const declared = (a: ArrayDecl): void => {
    shapes.set(a.name, a.shape)
    if (a.shape.length === 0) locals.add(a.name)
  }
  mapStmts(
    p.body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare') declared(s.array)
      if (s.kind === 'store') stores.set(s.array, [...(stores.get(s.array) ?? []), s.reduce === null ? s.value : null])
      return [s]
    },
  )
  const values = new Map(
    [...locals].flatMap((name): [string, Expr][] => {
      const all = stores.get(name) ?? []
      return all.length === 1 && all[0] ? [[name, all[0]]] : []
    }),
  )
  const integer = (a: ArrayDecl): boolean => isInteger(a.type) && (a.role === 'in' || a.role === 'inout')
  const given = new Set(p.arrays.filter(integer).map((a) => a.name))
  const copies = new Map(
    [...stores].flatMap(([name, all]): [string, string][] => {
      const [value] = all,
        from = value ? copied(value) : undefined
      return from !== undefined && all.length === 1 && !locals.has(name) && given.has(from) && from !== name
        ? [[name, from]]
        : []
    }),
  )
  return { shapes, signed: signedSizes(symbolsOf(p)), values, given, copies }
}

/** The array that `value` is an element of. */
function copied(value: Expr): string | undefined {
  if (value.kind === 'op' && value.op === 'convert') return copied(value.args[0]!)
  return value.kind === 'read' ? value.array : undefined
}

/** An element of an array times sizes, and what is added to it. */
interface WithElement {
  readonly array: string
  readonly coefficient: Polynomial
  readonly rest: Polynomial
}

function withElement(scope: Scope, e: Expr): WithElement | undefined {
  const atoms: string[] = []
  const opened = (x: Expr, depth: number): Expr =>
    mapExpr(x, (y) => {
      if (y.kind === 'op' && y.op === 'convert' && y.type === 'i32') return y.args[0]!
      if (y.kind !== 'read') return y
      const value = scope.values.get(y.array)
      if (value && depth < 8) return opened(value, depth + 1)
      atoms.push(scope.copies.get(y.array) ?? y.array)
      return loopVar(`@${atoms.length - 1}`)
    })
  const form = polynomialOf(opened(e, 0))
  const split = form && coefficients(form, new Set(atoms.map((_, i) => `@${i}`)))
  const [only, more] = split?.of ?? []
  const array = only && atoms[Number(only[0].slice(1))]
  if (!split || !only || more || array === undefined || !scope.given.has(array)) return undefined
  return { array, coefficient: only[1], rest: split.rest }
}

/** 0 ≤ c·element + rest < extent for all values of the loops. */
function subscript(scope: Scope, a: Access, e: Expr, extent: Expr, note: Note): void {
  const chosen = a.loops.find(
    (l) =>
      [l.lower, l.upper].some((end) => someExpr(end, (x) => x.kind === 'read')) &&
      someExpr(e, (x) => x.kind === 'var' && x.name === l.name) &&
      !rises(e, l.name),
  )
  if (chosen) return atEnds(scope, a, chosen, e, extent, note)
  const form = withElement(scope, e)
  const low = form && farthest(form.rest, a.loops, 'low'),
    high = form && farthest(form.rest, a.loops, 'high')
  if (!form || !low || !high) return
  const up = isPositive(form.coefficient, scope.signed),
    c = up ? form.coefficient : plusScaled(new Map(), form.coefficient, -1)
  if (!isPositive(c, scope.signed)) return
  const asked = askedBefore(scope, a, form, extent) // what a condition asks holds for some iterations alone
  const from = sub(int(0), polynomialExpr(asked.low ? high : low)),
    below = sub(extent, polynomialExpr(asked.high ? low : high)) // c·element from `from` and below `below`
  const by = polynomialExpr(c),
    isOne = c.size === 1 && c.get('') === 1
  const rounded = (x: Expr): Expr => (isOne ? x : op('div', [add(x, sub(by, int(1))), by]))
  if (up) note(form.array, rounded(from), rounded(below), false)
  else note(form.array, add(sub(int(0), rounded(below)), int(1)), add(sub(int(0), rounded(from)), int(1)), false)
}

/** Whether conditions around the access ask for a subscript that is not negative, or for one below the extent. */
function askedBefore(
  scope: Scope,
  a: Access,
  form: WithElement,
  extent: Expr,
): { readonly low: boolean; readonly high: boolean } {
  const found = a.holding.flatMap((c) => {
    const [x, y] = c.kind === 'op' ? c.args : [],
      more = c.kind === 'op' && (c.op === 'gt' || c.op === 'ge')
    if (!x || !y || x.type !== 'i32' || c.kind !== 'op' || !(more || c.op === 'lt' || c.op === 'le')) return []
    const f = withElement(scope, more ? sub(x, y) : sub(y, x))
    return f && f.array === form.array
      ? [{ ...f, rest: plusScaled(f.rest, new Map([['', c.op === 'gt' || c.op === 'lt' ? 1 : 0]]), -1) }]
      : []
  })
  const atLeast = (rest: Polynomial, asked: Polynomial): boolean => {
    const d = plusScaled(rest, asked, -1)
    return d.size === 0 || (d.size === 1 && (d.get('') ?? -1) >= 0)
  }
  const whole = polynomialOf(extent),
    left = whole && plusScaled(plusScaled(whole, form.rest, -1), new Map([['', 1]]), -1)
  return {
    low: found.some((f) => plusScaled(f.coefficient, form.coefficient, -1).size === 0 && atLeast(form.rest, f.rest)),
    high:
      left !== undefined &&
      found.some((f) => plusScaled(f.coefficient, form.coefficient, 1).size === 0 && atLeast(left, f.rest)),
  }
}

/** The subscript where the loop `l`, of which data choose an end, begins and where it ends. */
function atEnds(scope: Scope, a: Access, l: Loop, e: Expr, extent: Expr, note: Note): void {
  const loops = a.loops.filter((x) => x !== l)
  for (const end of [l.lower, sub(l.upper, int(1))])
    subscript(
      scope,
      { ...a, loops },
      mapExpr(e, (x) => (x.kind === 'var' && x.name === l.name ? end : x)),
      extent,
      note,
    )
}

/** Whether the form grows by 1 with the variable: `ends` knows these. */
function rises(e: Expr, name: string): boolean {
  const form = polynomialOf(e),
    own = form && coefficients(form, new Set([name]))?.of.get(name)
  return own?.size === 1 && own.get('') === 1
}

/**
 * Ends of the loop `l` that data choose: whatever its variable indexes stays in range. The two ends from one array:
 * that one rises.
 */
function ends(scope: Scope, a: Access, l: Loop, e: Expr, extent: Expr, note: Note): void {
  const form = polynomialOf(e),
    split = form && coefficients(form, new Set([l.name])),
    own = split?.of.get(l.name)
  if (!split || own?.size !== 1 || own.get('') !== 1) return
  const others = a.loops.filter((x) => x !== l)
  const low = farthest(split.rest, others, 'low'),
    high = farthest(split.rest, others, 'high')
  const first = withElement(scope, l.lower),
    last = withElement(scope, l.upper)
  if (!low || !high) return
  for (const end of [first, last]) {
    if (end?.coefficient.size !== 1 || end.coefficient.get('') !== 1 || !ofSizes(end.rest)) continue
    const rest = polynomialExpr(end.rest)
    const from = sub(sub(int(0), polynomialExpr(low)), rest),
      most = sub(sub(extent, polynomialExpr(high)), rest)
    note(end.array, from, add(most, int(1)), first !== undefined && first.array === last?.array)
  }
}

/** As `extreme`, for products of sizes too. */
function farthest(form: Polynomial, loops: readonly Loop[], side: 'low' | 'high'): Polynomial | undefined {
  const linear = toAffine(form),
    end = linear && extreme(linear, loops, side)
  if (end) return polynomialOf(affineExpr(end))
  let out = form
  for (const l of [...loops].reverse()) {
    const split = coefficients(out, new Set([l.name])),
      c = split?.of.get(l.name)
    if (!split) return undefined
    if (!c) continue
    const grows = [...c.values()].every((v) => v > 0),
      falls = [...c.values()].every((v) => v < 0)
    const end = grows || falls ? polynomialOf(grows === (side === 'high') ? sub(l.upper, int(1)) : l.lower) : undefined
    if (!end) return undefined
    out = plusScaled(split.rest, polynomialProduct(end, c), 1)
  }
  return ofSizes(out) ? out : undefined
}
