// In: a program in which numbers of the caller say by how much loops step through an array (`x[i * stride + k]`: a
// stride, a dilation), or where windows begin. Out: which of its sizes these are; and the program with the steps that
// are planned, on condition that they are these. The one idea: loop versioning for symbolic strides (LLVM's loop access
// analysis does it for strides of 1): at a known step subscripts are linear, so that rows, windows and guards are seen.
import {
  add,
  coefficients,
  eachExprIn,
  eachStmt,
  namesInKey,
  hasQuotients,
  int,
  isComparison,
  isFixed,
  literal,
  loopVar,
  mapBody,
  mapStmtExprs,
  mul,
  op,
  plusScaled,
  polynomialOf,
  polynomialExpr,
  polynomialProduct,
  rewriteExpr,
  sizeOf,
  substituteStmt,
  varsOf,
  withConditions,
  withSize,
  accesses,
  type Expr,
  type Loop,
  type LoopStmt,
  type Polynomial,
  type Program,
} from '../../../ir/index.ts'
import { distinctSizes } from './extent-inference.ts'
import { inProducts, type Identified } from './size-identities.ts'

/** `p` where each step is what is planned, on condition that it is; undefined where there are no steps. */
export function withPlannedSteps(p: Program): Identified | undefined {
  const steps = readingSteps(p),
    sizes = p.sizes.filter((s) => steps.has(s.name))
  if (sizes.length === 0) return undefined
  const known = (e: Expr): Expr => sizes.reduce((x, s) => withSize(x, s.name, s.planned), e),
    conditions = sizes.map((s) => op('eq', [sizeOf(s.name), int(s.planned)]))
  const body = p.body.map((s) => mapStmtExprs(s, known))
  return { program: withConditions({ ...p, body }, conditions), inSource: (made) => made }
}

/**
 * `p` with a variable for each product of a loop variable and a step, in a loop of one iteration, so that subscripts
 * and guards are linear at any step; undefined where there is none.
 */
export function withPlaces(p: Program): Identified | undefined {
  const steps = readingSteps(p),
    values = new Map<string, Expr>()
  const inPlaces = (l: Loop): Loop =>
    [...steps].reduce((made, step): Loop => {
      const key = [l.name, `$${step}`].sort().join('*'),
        name = `${l.name}.${step}`, // no name of C
        product = mul(loopVar(l.name), sizeOf(step)),
        inner = withProduct(made.body, key, name)
      if (!inner) return made
      values.set(name, product)
      return { ...made, body: [{ ...l, name, lower: product, upper: add(product, int(1)), step: 1, body: inner }] }
    }, l)
  const body = mapBody(p.body, (s) => (s.kind === 'loop' ? [inPlaces(s)] : undefined))
  if (values.size === 0) return undefined
  return { program: { ...p, body }, inSource: (made) => ({ ...made, body: withoutPlaces(made.body, values) }) }
}

/** `body` with a name for the product `key`; undefined where it has none. */
function withProduct(body: readonly LoopStmt[], key: string, name: string): readonly LoopStmt[] | undefined {
  const names = new Map([[key, name]])
  let isFound = false
  const named = (e: Expr): Expr | undefined => {
    const made = inProducts(e, names)
    if (made) isFound = true
    return made
  }
  const made = body.map((s) => mapStmtExprs(s, (e) => rewriteExpr(e, named)))
  return isFound ? made : undefined
}

/** `body` without the loops that stand for products. */
const withoutPlaces = (body: readonly LoopStmt[], values: ReadonlyMap<string, Expr>): readonly LoopStmt[] =>
  mapBody(body, (s) =>
    s.kind === 'loop' && values.has(s.name) ? s.body.map((x) => substituteStmt(x, values)) : undefined,
  )

/** Steps between what is read alone: scatters with steps have kernels by their taps. */
function readingSteps(p: Program): ReadonlySet<string> {
  const stored = new Set<string>()
  eachStmt(p.body, (s) => {
    if (s.kind === 'store') for (const e of s.index) for (const name of multipliersIn(e)) stored.add(name)
  })
  return new Set([...stepsIn(p)].filter((name) => !stored.has(name)))
}

/**
 * Sizes that loop variables are multiplied by where the product is a place along a dimension, not a row: it is compared
 * with 0, a loop ends at a quotient by it, or two pairs of loops have it between them (`(i * s + k) * w + j * s + l`).
 * Lengths of loops and arrays are none.
 */
export function stepsIn(p: Program): ReadonlySet<string> {
  const variables = variablesOf(p),
    multiplied = new Set<string>(),
    lengths = new Set<string>(),
    divisors = new Set<string>(),
    compared = new Set<string>(),
    inRows = new Set<string>()
  for (const a of p.arrays) for (const e of a.shape) noteLength(e, lengths, divisors)
  eachStmt(p.body, (s) => {
    if (s.kind !== 'loop') return
    noteLength(s.lower, lengths, divisors)
    noteLength(s.upper, lengths, divisors)
  })
  eachExprIn(p.body, (e) => {
    for (const name of multipliersIn(e)) multiplied.add(name)
    if (e.kind !== 'op') return
    if (isComparison(e.op) && e.args.some((x) => literal(x) === 0))
      for (const x of e.args) for (const name of multipliersIn(x)) compared.add(name)
    // a sum that is multiplied: the place of a row
    if (e.op === 'mul') for (const x of e.args.filter(isSum)) for (const name of multipliersIn(x)) inRows.add(name)
  })
  const paired = new Set(accesses(p).flatMap((a) => a.index.flatMap((e) => [...betweenPairs(e, variables)])))
  return new Set(
    p.sizes
      .filter((s) => !isFixed(s) && multiplied.has(s.name) && !lengths.has(s.name))
      .map((s) => s.name)
      .filter((name) => divisors.has(name) || compared.has(name) || (paired.has(name) && inRows.has(name))),
  )
}

const isSum = (e: Expr): boolean => e.kind === 'op' && (e.op === 'add' || e.op === 'sub')

/** What windows over an array have: by how far they begin before it, and their sides. */
export interface Windows {
  readonly sides: ReadonlySet<string>
  readonly pads: ReadonlySet<string>
}

/**
 * Windows by what is compared with 0, or by the steps between two pairs of loops: places along two dimensions, each a
 * sum of the variables of a loop to a size of its own and of another loop, less the pad (`i * stride + k - pad >= 0`).
 */
export function guardedWindows(p: Program): Windows {
  const ends = new Map<string, string>(),
    places = new Map<string, { readonly inside: readonly string[]; readonly pads: readonly string[] }>()
  const short = new Set<string>()
  eachStmt(p.body, (s) => {
    if (s.kind === 'loop' && s.upper.kind === 'size') ends.set(s.name, s.upper.name)
    if (s.kind === 'loop' && literal(s.upper) !== undefined) short.add(s.name)
  })
  const note = (over: readonly string[], inside: readonly string[], pads: readonly string[]): void => {
    const key = JSON.stringify([...over].sort())
    places.set(key, { inside, pads: [...(places.get(key)?.pads ?? []), ...pads] })
  }
  const variables = variablesOf(p),
    lengths = new Set([...ends.values(), ...p.arrays.flatMap((a) => a.shape.flatMap(distinctSizes))])
  eachExprIn(p.body, (e) => {
    if (e.kind !== 'op' || !isComparison(e.op) || !e.args.some((x) => literal(x) === 0)) return
    for (const x of e.args) {
      const form = polynomialOf(rewriteExpr(x, undivided)),
        split = form && coefficients(form, variables)
      if (!split || split.of.size < 2) continue
      // a window of so many elements is the one that there is
      const over = [...split.of.keys()],
        inside = over.some((v) => short.has(v)) ? [] : over.filter((v) => ends.has(v)),
        alone = [...split.rest].filter(([key]) => key.startsWith('$') && !key.includes('*')),
        pads = distinctSizes(polynomialExpr(new Map(alone))).filter((name) => !lengths.has(name))
      note(over, inside, pads)
    }
  })
  const steps = stepsIn(p)
  for (const a of accesses(p))
    for (const e of a.index)
      for (const [name, pairs] of pairsIn(e, variables))
        for (const [outer, inner] of steps.has(name) ? apart(pairs) : [])
          if (ends.has(inner)) note([outer, inner], [inner], [])
  if (places.size < 2) return { sides: new Set(), pads: new Set() }
  const all = [...places.values()],
    // of two loops that both end at sizes the inner one is the window's
    innermost = (names: readonly string[]): string | undefined => [...ends.keys()].findLast((v) => names.includes(v))
  return {
    sides: new Set(all.flatMap(({ inside }) => innermost(inside) ?? []).map((v) => ends.get(v)!)), // it has an end
    pads: new Set(all.flatMap((x) => x.pads)),
  }
}

/** What is divided, of a part of sizes: half a pad is one, too. */
const undivided = (e: Expr): Expr | undefined =>
  e.kind === 'op' && e.op === 'div' && e.type === 'i32' && varsOf(e).size === 0 && literal(e.args[1]!) !== undefined
    ? e.args[0]
    : undefined

/** Notes which sizes a length grows with by themselves, not in products, and by which it is divided. */
function noteLength(e: Expr, lengths: Set<string>, divisors: Set<string>): void {
  const form = e.type === 'i32' ? polynomialOf(e) : undefined
  if (form && !hasQuotients(form)) {
    // what also stands in a product is a factor: `dilation * (k - 1)`
    const factors = new Set(
      [...form.keys()]
        .map(namesInKey)
        .filter((names) => names.length > 1)
        .flat(),
    )
    for (const [key, c] of form)
      if (key.startsWith('$') && !key.includes('*') && !factors.has(key) && c > 0) lengths.add(key.slice(1))
    return
  }
  if (e.kind === 'choose') for (const x of [e.condition, e.then, e.else]) noteLength(x, lengths, divisors)
  if (e.kind !== 'op') return
  const isQuotient = e.op === 'div' || e.op === 'rem'
  for (const [i, x] of e.args.entries())
    if (isQuotient && i === 1 && x.kind === 'size') divisors.add(x.name)
    else noteLength(x, lengths, divisors)
}

const variablesOf = (p: Program): ReadonlySet<string> => {
  const names = new Set<string>()
  eachStmt(p.body, (s) => {
    if (s.kind === 'loop') names.add(s.name)
  })
  return names
}

/** Sizes that stand in a product with something that is no size, in the arithmetic that `e` is; not in subscripts. */
function multipliersIn(e: Expr): readonly string[] {
  if (e.kind !== 'op' || e.type !== 'i32') return []
  const form = e.op === 'mul' ? polynomialOf(e) : undefined
  const own = [...(form?.keys() ?? [])].flatMap((key) => {
    const factors = namesInKey(key),
      sizes = factors.filter((n) => n.startsWith('$'))
    return sizes.length < factors.length ? sizes.map((n) => n.slice(1)) : []
  })
  return [...own, ...e.args.flatMap(multipliersIn)]
}

/** Sizes that two pairs of loops, none in both, have between what they step by. */
const betweenPairs = (index: Expr, variables: ReadonlySet<string>): readonly string[] =>
  [...pairsIn(index, variables)].flatMap(([name, pairs]) => (apart(pairs).length > 0 ? [name] : []))

/** Two loops, of which the first steps by a size times what the second steps by. */
type Pair = readonly [string, string]

function pairsIn(index: Expr, variables: ReadonlySet<string>): ReadonlyMap<string, readonly Pair[]> {
  const form = polynomialOf(index),
    split = form && coefficients(form, variables),
    all = split ? [...split.of] : [],
    found = new Map<string, readonly Pair[]>()
  for (const [outer, far] of all)
    for (const [inner, near] of all)
      for (const name of outer === inner ? [] : factorsBetween(far, near))
        found.set(name, [...(found.get(name) ?? []), [outer, inner]])
  return found
}

/** The pairs beside which there is one that has no loop with them in common. */
const apart = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter((a) => pairs.some((b) => !a.some((x) => b.includes(x))))

/** The size, if it is one, that `far` is `near` times. */
function factorsBetween(far: Polynomial, near: Polynomial): readonly string[] {
  const sizes = new Set([...far.keys()].flatMap(namesInKey).filter((n) => n.startsWith('$')))
  const isTimes = (name: string): boolean =>
    plusScaled(far, polynomialProduct(near, new Map([[name, 1]])), -1).size === 0
  return [...sizes].filter(isTimes).map((n) => n.slice(1))
}
