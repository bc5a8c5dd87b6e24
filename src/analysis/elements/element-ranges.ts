// In: a LoopIR program. Out: what elements of its integer arrays may be, where they choose subscripts or ends of loops,
// so that every subscript stays in its array. The one idea: a subscript that is linear in one element and in loop
// variables bounds that element by the array's extent; who makes up data for a program needs no more.
import {
  isEndless,
  someExpr,
  accesses,
  add,
  affineExpr,
  coefficients,
  extreme,
  int,
  isPositive,
  mapExpr,
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
  type Access,
  type ElementRange,
  type Expr,
  type Loop,
  type Polynomial,
  type Program,
} from '../../ir/index.ts'
import { elementForm, scopeOf, type Scope, type Term } from './element-forms.ts'
import { rowOf, walksOf } from './pointer-chasing.ts'

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
  const walks = walksOf(p, scope)
  return new Map(
    [...new Set([...found.keys(), ...walks.keys()])].map((array) => {
      const f = found.get(array)
      return [
        array,
        {
          low: f ? tightest('max', f.lows) : int(0),
          high: f ? tightest('min', f.highs) : int(manyValues),
          sorted: f?.sorted === true,
          ...walks.get(array),
        },
      ]
    }),
  )
}

/** Values of elements that choose nothing and end loops: few, so that the one that ends them is met. */
const manyValues = 16

/** What uses of an array ask of its elements: each end once, by its text. */
interface Found {
  readonly lows: Map<string, Expr>
  readonly highs: Map<string, Expr>
  readonly sorted: boolean
}

const tightest = (which: 'min' | 'max', ends: ReadonlyMap<string, Expr>): Expr =>
  [...ends.values()].reduce((a, b) => op(which, [a, b]))

type Note = (array: string, low: Expr, high: Expr, sorted: boolean) => void

/** An element of one of some arrays times sizes, and what is added to it. */
interface WithElement {
  readonly arrays: readonly string[]
  readonly coefficient: Polynomial
  readonly rest: Polynomial
}

function withElement(scope: Scope, e: Expr): WithElement | undefined {
  const form = elementForm(scope, e),
    [only, more] = form?.terms ?? []
  return form && only && !more ? { ...only, rest: form.rest } : undefined
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
  if (!form) return digits(scope, e, extent, note)
  const low = farthest(form.rest, a.loops, 'low'),
    high = farthest(form.rest, a.loops, 'high')
  if (!low || !high) return
  const up = isPositive(form.coefficient, scope.signed),
    c = up ? form.coefficient : plusScaled(new Map(), form.coefficient, -1)
  if (!isPositive(c, scope.signed)) return
  const asked = askedBefore(scope, a, form, extent) // what a condition asks holds for some iterations alone
  const from = sub(int(0), polynomialExpr(asked.low ? high : low)),
    below = sub(extent, polynomialExpr(asked.high ? low : high)) // c·element from `from` and below `below`
  const by = polynomialExpr(c),
    isOne = c.size === 1 && c.get('') === 1
  const rounded = (x: Expr): Expr => (isOne ? x : op('div', [add(x, sub(by, int(1))), by]))
  const row = isOne ? rowOf(form.rest, a.loops) : undefined
  for (const array of form.arrays) {
    if (up) note(array, rounded(from), rounded(below), false)
    else note(array, add(sub(int(0), rounded(below)), int(1)), add(sub(int(0), rounded(from)), int(1)), false)
    if (up && row && changes(scope, a, e)) note(array, rounded(from), row, false)
  }
}

/** Whether what chooses the subscript is a variable that several statements store to: then it stays in its row. */
const changes = (scope: Scope, { loops }: Access, e: Expr): boolean =>
  loops.some(isEndless) && someExpr(e, (x) => x.kind === 'read' && scope.holders.has(x.array))

/**
 * Two elements as digits of one subscript, `table[state * 256 + byte]`: the one that is multiplied counts rows, and the
 * other stays in one.
 */
function digits(scope: Scope, e: Expr, extent: Expr, note: Note): void {
  const form = elementForm(scope, e)
  if (form?.terms.length !== 2) return
  const isOne = ({ coefficient: c }: Term): boolean => c.size === 1 && c.get('') === 1,
    column = form.terms.find(isOne),
    row = form.terms.find((t) => !isOne(t))
  if (!column || !row || !isPositive(row.coefficient, scope.signed) || !ofSizes(form.rest)) return
  const columns = polynomialExpr(row.coefficient),
    shift = polynomialExpr(form.rest)
  for (const array of column.arrays) note(array, sub(int(0), shift), sub(columns, shift), false)
  for (const array of row.arrays) note(array, int(0), op('div', [extent, columns]), false)
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
    return f && f.arrays.some((array) => form.arrays.includes(array))
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
    const sorted = first !== undefined && first.arrays.join() === last?.arrays.join()
    for (const array of end.arrays) note(array, from, add(most, int(1)), sorted)
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
