// In: a program whose loops run to products of sizes (`i < n * m`) or whose counters are divided by a size that is not
// known to divide their end (`i / h` in `i < total`). Out: the same in terms in which its subscripts may have rows:
// with a size for each such product, or with the end as a multiple, on condition that it is one. The one idea: what
// one name stands for in the caller's mind may be a product here, and the other way round.
import {
  accesses,
  add,
  claimName,
  countedFromZero,
  eachExprIn,
  namesInKey,
  eachStmt,
  gcd,
  int,
  keepsConditions,
  leastInteger,
  literal,
  loopVar,
  mapBody,
  mapStmtExprs,
  mapStmts,
  mul,
  namesOf,
  ofSizes,
  op,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  rewriteExpr,
  sameExpr,
  sizeOf,
  sizesIn,
  substituteStmt,
  withConditions,
  withoutQuotients,
  type Access,
  type Expr,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Polynomial,
  type Program,
  type Size,
} from '../../../ir/index.ts'

/** A program in other terms, and how it is said in those of the first. */
export interface Identified {
  readonly program: Program
  readonly inSource: (p: Program) => Program
}

/** Other terms of a program; undefined where there are none. */
export type Identification = (p: Program) => Identified | undefined

/** One after the other, where both find something. */
export const oneAfterOther =
  (first: Identification, second: Identification): Identification =>
  (p) => {
    const a = first(p),
      b = a && second(a.program)
    return b && { program: b.program, inSource: (made) => a.inSource(b.inSource(made)) }
  }

/** `p` with a size for each product of sizes that a loop runs to; undefined where there is none. */
export function withProductSizes(p: Program): Identified | undefined {
  const values = new Map<string, Expr>(),
    names = new Map<string, string>(),
    sizes: Size[] = []
  for (const key of boundsOf(p).flatMap((b) => [...b.keys()])) {
    const factors = key.split('*')
    if (factors.length < 2 || names.has(key)) continue
    const name = factors.map((f) => f.slice(1)).join('.') // no name of C
    const own = factors.map((f) => p.sizes.find((s) => `$${s.name}` === f))
    if (!own.every((s) => s !== undefined)) continue
    names.set(key, `$${name}`)
    values.set(name, polynomialExpr(new Map([[key, 1]])))
    const times = (of: (s: Size) => number): number => own.reduce((n, s) => n * of(s), 1)
    const min = own.some((s) => s.min < 0) ? leastInteger : times((s) => s.min)
    sizes.push({ kind: 'derived', name, min, planned: times((s) => s.planned) })
  }
  if (sizes.length === 0) return undefined
  const f = (e: Expr): Expr => rewriteExpr(e, (x) => inProducts(x, names))
  const program = { ...p, sizes: [...p.sizes, ...sizes], body: p.body.map((s) => mapStmtExprs(s, f)) }
  return { program, inSource: (made) => withoutQuotients(made, values) }
}

/** Ends of loops that are polynomials of sizes. */
function boundsOf(p: Program): readonly Polynomial[] {
  const found: Polynomial[] = []
  eachStmt(p.body, (s) => {
    const end = s.kind === 'loop' ? polynomialOf(s.upper) : undefined
    if (end && ofSizes(end)) found.push(end)
  })
  return found
}

/** `e`, a polynomial, with these products as factors of these names; undefined where it has none of them. */
export function inProducts(e: Expr, names: ReadonlyMap<string, string>): Expr | undefined {
  const given = e.kind === 'op' && e.type === 'i32' ? polynomialOf(e) : undefined
  if (!given) return undefined
  let made: Polynomial = new Map()
  for (const [key, c] of given) made = plusScaled(made, new Map([[inNames(key, names), c]]), 1)
  return [...made.keys()].every((key) => given.has(key)) ? undefined : polynomialExpr(made)
}

/** The product `key` with the first of `names` that divides it in place of its factors. */
function inNames(key: string, names: ReadonlyMap<string, string>): string {
  for (const [product, name] of names) {
    const rest = [...namesInKey(key)]
    const places = product.split('*').map((factor) => {
      const at = rest.indexOf(factor)
      return at < 0 ? undefined : rest.splice(at, 1)
    })
    if (places.every((x) => x !== undefined)) return [...rest, name].sort().join('*')
  }
  return key
}

/**
 * `p` where each loop whose variable is divided by a size ends at a multiple of it, as it does at the planned sizes;
 * undefined where no loop can.
 */
export function withWholeRounds(p: Program): Identified | undefined {
  const planned = new Map(p.sizes.map((s) => [s.name, s.planned])),
    conditions: Expr[] = []
  const whole = (s: LoopStmt): LoopStmt => {
    if (s.kind === 'if') return { ...s, then: s.then.map(whole), else: s.else.map(whole) }
    if (s.kind !== 'loop') return s
    const body = s.body.map(whole),
      by = s.upper.kind === 'size' && literal(s.lower) === 0 ? divisorOf(s.name, s.body) : undefined
    const end = s.upper.kind === 'size' ? planned.get(s.upper.name) : undefined,
      step = by && planned.get(by)
    if (by === undefined || !end || !step || end % step !== 0 || end === step) return { ...s, body }
    conditions.push(...isMultiple(s.upper, sizeOf(by)))
    return { ...s, upper: mul(sizeOf(by), op('div', [s.upper, sizeOf(by)])), body }
  }
  const body = p.body.map(whole)
  if (conditions.length === 0) return undefined
  return { program: withConditions({ ...p, body }, conditions), inSource: (made) => made }
}

/** The size, at least 1, that `variable` is divided by. */
function divisorOf(variable: string, body: readonly LoopStmt[]): string | undefined {
  let found: string | undefined
  eachExprIn(body, (x) => {
    if (x.kind !== 'op' || (x.op !== 'div' && x.op !== 'rem') || x.type !== 'i32') return
    const [of, by] = x.args
    if (of?.kind === 'var' && of.name === variable && by?.kind === 'size') found ??= by.name
  })
  return found
}

/**
 * `p` where sizes that quotients divide are multiples (`C` is `NH * hs` where `hs` is `C / NH`), in subscripts of
 * arrays that have both, on condition that they are, as they are at the planned sizes; undefined where none are.
 */
export function withWholeQuotients(given: Program, quotients: ReadonlyMap<string, Expr>): Program | undefined {
  const p = countedInGroups(given, new Set(quotients.keys())),
    all = accesses(p)
  let made = p
  for (const [quotient, value] of quotients) {
    const [of, by] = value.kind === 'op' && value.op === 'div' ? value.args : []
    if (of?.kind !== 'size' || !by || (by.kind !== 'size' && literal(by) === undefined)) continue
    const hasBoth = (a: Access): boolean =>
      [of.name, quotient].every((name) => a.index.some((e) => sizesIn(e).includes(name)))
    const arrays = new Set(all.filter(hasBoth).map((a) => a.array)),
      isWhole = isMultiple(of, by)
    if (arrays.size === 0 || !keepsConditions(withConditions(p, isWhole), plannedValues(p))) continue
    const product = mul(by, sizeOf(quotient)),
      f = (e: Expr): Expr => rewriteExpr(e, (x) => (x.kind === 'size' && x.name === of.name ? product : undefined))
    made = withConditions({ ...made, body: withSubscripts(made.body, arrays, f) }, isWhole)
  }
  return made === p ? undefined : made
}

/**
 * `p` whose loops over one group of several (`for (c = g * per; c < (g + 1) * per; c++)`, where `per` is one of
 * `quotients`) count from the first of the group, so that subscripts name the group and the place in it.
 */
function countedInGroups(p: Program, quotients: ReadonlySet<string>): Program {
  const isGroup = (key: string): boolean => {
    const factors = namesInKey(key)
    return factors.some((f) => !f.startsWith('$')) && factors.some((f) => quotients.has(f.slice(1)))
  }
  const body = mapBody(p.body, (s) => {
    const first = s.kind === 'loop' ? polynomialOf(s.lower) : undefined,
      isOfGroup = first !== undefined && [...first.keys()].some(isGroup)
    const made = s.kind === 'loop' && isOfGroup ? countedFromZero(s) : undefined
    return made && [made]
  })
  return body === p.body ? p : { ...p, body }
}

/**
 * `p` where each loop whose variable is divided by an even part of its end (`c / (C / G)` in `c < C`) runs through the
 * parts and the places in them, on condition that the end is so many parts, as it is at the planned sizes; undefined
 * where no loop can.
 */
export function withWholeParts(p: Program): Identified | undefined {
  const taken = namesOf(p),
    conditions: Expr[] = []
  const inParts = (l: Loop): readonly Loop[] | undefined => {
    const part = literal(l.lower) === 0 && l.step === 1 && l.upper.kind === 'size' ? partOf(l) : undefined
    const isWhole = part && isMultiple(l.upper, part.count)
    if (!isWhole || !keepsConditions(withConditions(p, isWhole), plannedValues(p))) return undefined
    conditions.push(...isWhole)
    const which = claimName(taken, `${l.name}_part`),
      place = claimName(taken, `${l.name}_place`)
    const split = (e: Expr): Expr | undefined => {
      const [of, by] = e.kind === 'op' && (e.op === 'div' || e.op === 'rem') && e.type === 'i32' ? e.args : []
      if (!of || !by || of.kind !== 'var' || of.name !== l.name || !sameExpr(by, part.length)) return undefined
      return loopVar(e.kind === 'op' && e.op === 'div' ? which : place)
    }
    const at = new Map([[l.name, add(mul(loopVar(which), part.length), loopVar(place))]]),
      body = l.body.map((s) =>
        substituteStmt(
          mapStmtExprs(s, (e) => rewriteExpr(e, split)),
          at,
        ),
      )
    return [{ ...l, name: which, upper: part.count, body: [{ ...l, name: place, upper: part.length, body }] }]
  }
  const body = mapBody(p.body, (s) => (s.kind === 'loop' ? inParts(s) : undefined))
  if (conditions.length === 0) return undefined
  return { program: withConditions({ ...p, body }, conditions), inSource: (made) => made }
}

/** The part of its end, and the number of parts, that a loop divides its variable by. */
function partOf({ name, upper, body }: Loop): { readonly length: Expr; readonly count: Expr } | undefined {
  let found: { readonly length: Expr; readonly count: Expr } | undefined
  eachExprIn(body, (x) => {
    const [of, length] = x.kind === 'op' && x.op === 'div' && x.type === 'i32' ? x.args : []
    if (of?.kind !== 'var' || of.name !== name || length?.kind !== 'op' || length.op !== 'div') return
    const [whole, count] = length.args
    if (whole && count && sameExpr(whole, upper) && (count.kind === 'size' || (literal(count) ?? 0) > 0))
      found ??= { length, count }
  })
  return found
}

/**
 * Programs where sizes that loops run to in steps of a number (`x += 8`), or whose counters a number divides (`x / 2`),
 * are multiples of it, on condition that they are, as they are at the planned sizes: each of them alone, then all.
 * Blocks that a last step would leave partly outside of a row are then all inside.
 */
export function wholeStrips(p: Program): readonly Identification[] {
  const all = [...stripsOf(p)]
  return [...(all.length > 1 ? all.map((one) => [one]) : []), all].map((some) => (q) => inWholeStrips(q, new Map(some)))
}

function inWholeStrips(p: Program, strips: ReadonlyMap<string, number>): Identified | undefined {
  const values = new Map<string, Expr>(),
    sizes: Size[] = [],
    conditions: Expr[] = []
  for (const { name, min, planned, counts } of p.sizes) {
    const by = strips.get(name)
    if (by === undefined || by > longestStrip || min < 0 || planned === 0 || planned % by !== 0) continue
    const strip = `${name}/${by}.` // no name of C
    sizes.push({
      kind: 'derived',
      name: strip,
      min: Math.ceil(min / by),
      planned: planned / by,
      ...(counts && { counts }),
    })
    values.set(strip, op('div', [sizeOf(name), int(by)]))
    conditions.push(...isMultiple(sizeOf(name), int(by)))
  }
  if (sizes.length === 0) return undefined
  const stripOf = (name: string): Expr | undefined => {
    const strip = `${name}/${strips.get(name) ?? 0}.`
    return values.has(strip) ? sizeOf(strip) : undefined
  }
  const inStrips = (e: Expr): Expr | undefined => {
    if (e.kind === 'size') {
      const strip = stripOf(e.name)
      return strip && mul(strip, int(strips.get(e.name)!)) // it has one
    }
    const [of, by] = e.kind === 'op' && (e.op === 'div' || e.op === 'rem') && e.type === 'i32' ? e.args : [],
      strip = of?.kind === 'size' ? stripOf(of.name) : undefined
    const whole = of?.kind === 'size' ? strips.get(of.name) : undefined,
      k = by && literal(by)
    if (!strip || whole === undefined || k === undefined || k <= 0 || whole % k !== 0) return undefined
    return e.kind === 'op' && e.op === 'rem' ? int(0) : mul(strip, int(whole / k))
  }
  const f = (e: Expr): Expr => rewriteExpr(e, inStrips)
  const made = withConditions({ ...p, body: p.body.map((s) => mapStmtExprs(s, f)) }, conditions)
  const inSource = (q: Program): Program => {
    const plain = withoutQuotients(q, values)
    return { ...plain, arrays: plain.arrays.map((a) => ({ ...a, shape: a.shape.map((e) => inWhole(e, strips)) })) }
  }
  return { program: { ...made, sizes: [...made.sizes, ...sizes] }, inSource }
}

/** `e`, which is the extent of an array, without quotients that divide evenly: `w / 8 * 16` is `w * 2`. */
function inWhole(e: Expr, strips: ReadonlyMap<string, number>): Expr {
  const polynomial = polynomialOf(e)
  if (!polynomial || ![...strips].some(([name]) => sizesIn(e).includes(name))) return e
  let made: Polynomial = new Map()
  for (const [key, c] of polynomial) {
    const factors = namesInKey(key),
      wholes = factors.map((f) => [...strips].find(([name, by]) => f === stripKey(name, by))),
      times = wholes.reduce((n, w) => n * (w ? w[1] : 1), 1)
    const isEven = c % times === 0
    const names = isEven ? factors.map((f, i) => (wholes[i] ? `$${wholes[i]![0]}` : f)) : factors
    made = plusScaled(made, new Map([[[...names].sort().join('*'), isEven ? c / times : c]]), 1)
  }
  return polynomialExpr(made)
}

/** A quotient as the one factor of a polynomial. */
const stripKey = (name: string, by: number): string => {
  const [key] = polynomialOf(op('div', [sizeOf(name), int(by)]))!.keys() // of sizes
  return key!
}

/** Longer strips are no blocks of a picture. */
const longestStrip = 256

/** For each size the number by which the loops that run to it step, and their counters are divided. */
function stripsOf(p: Program): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  eachStmt(p.body, (s) => {
    if (s.kind !== 'loop' || s.upper.kind !== 'size' || literal(s.lower) === undefined) return
    const all = [found.get(s.upper.name) ?? 1, s.step, ...literalDivisors(s.name, s.body)]
    const by = all.reduce(lcm)
    if (by > 1) found.set(s.upper.name, by)
  })
  return found
}

const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b

/** Numbers by which `body` divides `variable`. */
function literalDivisors(variable: string, body: readonly LoopStmt[]): readonly number[] {
  const found: number[] = []
  eachExprIn(body, (x) => {
    if (x.kind !== 'op' || x.type !== 'i32' || x.args[0]?.kind !== 'var' || x.args[0].name !== variable) return
    const k = x.args[1] && literal(x.args[1])
    if (k === undefined || k < 1) return
    if (x.op === 'div') found.push(k)
    if (x.op === 'shr' && k < 31) found.push(2 ** k)
  })
  return found
}

/** Conditions under which `of` is a multiple of `by`, in the order in which they may be asked. */
const isMultiple = (of: Expr, by: Expr): readonly Expr[] => [
  ...(by.kind === 'size' ? [op('ge', [by, int(1)])] : []),
  op('eq', [op('rem', [of, by]), int(0)]),
]

/** The planned sizes, to ask conditions on sizes alone. */
export const plannedValues = (p: Program): PlanValues => ({
  sizes: Object.fromEntries(p.sizes.map((s) => [s.name, s.planned])),
  scalars: {},
})

/** `body` with `f` applied to the subscripts of some arrays. */
const withSubscripts = (
  body: readonly LoopStmt[],
  arrays: ReadonlySet<string>,
  f: (e: Expr) => Expr,
): readonly LoopStmt[] =>
  mapStmts(
    body,
    (e) => (e.kind === 'read' && arrays.has(e.array) ? { ...e, index: e.index.map(f) } : e),
    (s) => [s.kind === 'store' && arrays.has(s.array) ? { ...s, index: s.index.map(f) } : s],
  )
