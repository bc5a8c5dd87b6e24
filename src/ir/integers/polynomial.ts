// In: subscripts such as `i*n + j`. Out: polynomials over loop variables and sizes, and their division with remainder.
// The one idea: a row-major subscript is a number in a mixed radix whose digits are the indices; the radices are the
// coefficients of the loop variables. Only integers; no fractions ever appear.
import { affineExpr, type Affine } from './affine.ts'
import { add, int, loopVar, mul, sizeOf } from '../loop/build.ts'
import type { Expr, Size, HostVariable } from '../loop/loop.ts'

/**
 * Σ coefficient × product of names; the key is the sorted names joined by `*`, empty for the constant. No zero
 * coefficients.
 */
export type Polynomial = ReadonlyMap<string, number>

const multiplyKeys = (a: string, b: string): string =>
  [...(a ? a.split('*') : []), ...(b ? b.split('*') : [])].sort().join('*')

export function plusScaled(a: Polynomial, b: Polynomial, factor: number): Polynomial {
  const sum = new Map(a)
  for (const [key, c] of b) {
    const next = (sum.get(key) ?? 0) + factor * c
    if (next === 0) sum.delete(key)
    else sum.set(key, next)
  }
  return sum
}

export function polynomialProduct(a: Polynomial, b: Polynomial): Polynomial {
  let product: Polynomial = new Map()
  for (const [ka, ca] of a)
    for (const [kb, cb] of b) product = plusScaled(product, new Map([[multiplyKeys(ka, kb), ca * cb]]), 1)
  return product
}

/** Terms of a product: larger ones come of no subscript that people write. */
const maxTerms = 200

/** The polynomial of an index expression (sizes prefixed with `$`), or undefined when it is none. */
export function polynomialOf(e: Expr): Polynomial | undefined {
  switch (e.kind) {
    case 'const':
      return typeof e.value === 'number' ? new Map(e.value === 0 ? [] : [['', e.value]]) : undefined
    case 'var':
      return new Map([[e.name, 1]])
    case 'size':
      return new Map([[`$${e.name}`, 1]])
    case 'scalar':
    case 'read':
    case 'choose':
      return undefined
    case 'op': {
      if (e.type !== 'i32') return undefined
      const [a, b] = e.args.map(polynomialOf)
      if (!a) return undefined
      if (e.op === 'neg') return plusScaled(new Map(), a, -1)
      if (!b || a.size * b.size > maxTerms) return undefined
      if (e.op === 'add' || e.op === 'sub') return plusScaled(a, b, e.op === 'add' ? 1 : -1)
      if (e.op === 'mul') return polynomialProduct(a, b)
      return e.op === 'div' && ofSizes(a) && ofSizes(b) ? new Map([[`$${JSON.stringify(e)}`, 1]]) : undefined
    }
  }
}

/** Whether no loop variable stands in `p`. */
export const ofSizes = (p: Polynomial): boolean =>
  [...p.keys()].every((key) => key === '' || key.split('*').every((n) => n.startsWith('$')))

/** Sizes, by name, that may be negative. */
export type Signed = ReadonlySet<string>

/** Those of some sizes or host variables that may be negative. */
export const signedSizes = (symbols: readonly (Size | HostVariable)[]): Signed =>
  new Set(symbols.filter((s) => s.min < 0).map((s) => s.name))

/** Whether it is at least 0 whatever the sizes are. */
export const isPositive = (p: Polynomial, signed: Signed): boolean =>
  [...p].every(([key, c]) => c > 0 && namesInKey(key).every((n) => isUnsigned(n, signed)))

/** The names whose product a term of a polynomial has as its key. */
export const namesInKey = (key: string): readonly string[] => (key === '' ? [] : key.split('*'))

/** Whether a name in it is a quotient of sizes. */
export const hasQuotients = (p: Polynomial): boolean => [...p.keys()].some((key) => key.includes('${'))

/** Whether a name is a size, or a quotient of sizes, that is at least 0. */
const isUnsigned = (name: string, signed: Signed): boolean =>
  name.startsWith('${') ? quotientIsPositive(name, signed) : name.startsWith('$') && !signed.has(name.slice(1))

/**
 * Whether a polynomial of sizes is at least 0 whatever they are: with 1 + x for each size of `positive`, which is at
 * least 1, no coefficient is negative.
 */
export function isNeverNegative(p: Polynomial, signed: Signed, positive: ReadonlySet<string>): boolean {
  if (!ofSizes(p) || p.size > 12) return false
  let sum: Polynomial = new Map()
  // A quotient is at least 0 and at most what is divided.
  const atMost = (n: string): Polynomial => {
    const x = polynomialOf(quotientOf(n).args[0]!)
    return x && isPositive(x, signed) ? x : new Map([[n, 1]])
  }
  for (const [key, c] of p) {
    const factors = namesInKey(key).map((n): Polynomial => {
      if (n.startsWith('${')) return c < 0 ? atMost(n) : new Map([[n, 1]])
      return new Map([...(positive.has(n.slice(1)) ? [['', 1] as const] : []), [n, 1]])
    })
    sum = plusScaled(sum, factors.reduce<Polynomial>(polynomialProduct, new Map([['', 1]])), c)
  }
  return isPositive(sum, signed)
}

/** Quotients of sizes are names of their own: `$` and the expression as JSON. */
const quotientOf = (name: string): Extract<Expr, { kind: 'op' }> =>
  JSON.parse(name.slice(1)) as Extract<Expr, { kind: 'op' }> // written by polynomialOf
const quotientIsPositive = (name: string, signed: Signed): boolean =>
  quotientOf(name).args.every((a) => {
    const p = polynomialOf(a)
    return p !== undefined && isPositive(p, signed)
  })

const degree = (key: string): number => namesInKey(key).length

/** The leading term: highest degree, then alphabetical. */
export function leading(p: Polynomial): readonly [string, number] {
  return [...p].sort(([a], [b]) => degree(b) - degree(a) || (a < b ? -1 : 1))[0] ?? ['', 0]
}

function keyQuotient(a: string, b: string): string | undefined {
  const rest = a ? a.split('*') : []
  for (const name of b ? b.split('*') : []) {
    const i = rest.indexOf(name)
    if (i < 0) return undefined
    rest.splice(i, 1)
  }
  return rest.join('*')
}

/** p = quotient × by + remainder, dividing every term of p that the leading term of `by` divides. */
export function divide(
  p: Polynomial,
  by: Polynomial,
): { readonly quotient: Polynomial; readonly remainder: Polynomial } {
  const [lead, factor] = leading(by)
  let rest = p,
    quotient: Polynomial = new Map()
  for (let turn = 0; turn < maxTerms; turn++) {
    const found = [...rest]
      .map(([key, c]) => ({ key: keyQuotient(key, lead), c: Math.floor(c / factor) }))
      .find((t) => t.key !== undefined && t.c !== 0)
    if (found?.key === undefined) break
    const term = new Map([[found.key, found.c]])
    const next = plusScaled(rest, polynomialProduct(term, by), -1)
    if (lead !== '' && next.size > maxTerms) break
    quotient = plusScaled(quotient, term, 1)
    rest = next
  }
  return { quotient, remainder: rest }
}

/** `p` as an affine form; undefined when some term is a product. */
export function toAffine(p: Polynomial): Affine | undefined {
  if ([...p.keys()].some((key) => degree(key) > 1 || key.startsWith('${'))) return undefined
  return { constant: p.get('') ?? 0, terms: new Map([...p].filter(([key]) => key !== '')) }
}

/** `p` as an expression; `undefined` when some term is a product. */
export function toExpr(p: Polynomial): Expr | undefined {
  const form = toAffine(p)
  return form && affineExpr(form)
}

/**
 * `p`, a polynomial in sizes and loop variables, as an expression: a product where terms would cancel, whose sums are
 * no larger than it is.
 */
export function polynomialExpr(p: Polynomial): Expr {
  if (!hasCancelling(p)) return sumExpr(p)
  const factors = factorsOf(p),
    constant = p.get('') ?? 0
  if (factors.length > 1 || constant === 0) return factors.map(sumExpr).reduce(mul)
  // a length that is rounded up
  const rest = factorsOf(new Map([...p].filter(([key]) => key !== '')))
  return rest.length > 1 ? add(rest.map(sumExpr).reduce(mul), int(constant)) : sumExpr(p)
}

/** Whether products of several sizes stand against each other in `p`. */
export const hasCancelling = (p: Polynomial): boolean =>
  [...p].some(([key, c]) => c < 0 && degree(key) >= degreeToFactor)

/** Of a negative term: products of three sizes leave the numbers that a double holds. */
const degreeToFactor = 3

function sumExpr(p: Polynomial): Expr {
  const name = (n: string): Expr =>
    n.startsWith('${') ? quotientOf(n) : n.startsWith('$') ? sizeOf(n.slice(1)) : loopVar(n)
  const terms = [...p]
    .sort(([a, x], [b, y]) => degree(b) - degree(a) || y - x)
    .map(([key, c]) => (key === '' ? [] : key.split('*')).map(name).reduce(mul, int(c)))
  return terms.reduce(add, int(0))
}

/**
 * Polynomials whose product `p` is, as far as these are easily found: what all terms have in common, and for a name of
 * degree 1, `a x + b`, what divides both of `a` and `b` (the content of a polynomial; Knuth, TAOCP 2, 4.6.1).
 */
function factorsOf(p: Polynomial): readonly Polynomial[] {
  const [common, rest] = contentOf(p)
  const names = new Set([...rest.keys()].flatMap(namesInKey))
  for (const name of names) {
    const times = [...rest].filter(([key]) => namesInKey(key).includes(name)),
      factor: Polynomial = new Map(times.map(([key, c]) => [keyQuotient(key, name)!, c])) // it has the name
    if (times.length === rest.size || [...factor.keys()].some((key) => namesInKey(key).includes(name))) continue
    const [, shared] = contentOf(factor),
      split = shared.size > 1 ? divide(rest, shared) : undefined
    if (!split || split.remainder.size > 0) continue
    return [...(isOne(common) ? [] : [common]), ...factorsOf(shared), ...factorsOf(split.quotient)]
  }
  return isOne(common) ? [rest] : [common, rest]
}

const isOne = (p: Polynomial): boolean => p.size === 1 && p.get('') === 1

/** The names that all terms of `p` have, as a term, and `p` without them. */
function contentOf(p: Polynomial): readonly [Polynomial, Polynomial] {
  const [first = '', ...others] = p.keys()
  const common = namesInKey(first).reduce((found, name) => {
    const more = multiplyKeys(found, name)
    return others.every((key) => keyQuotient(key, more) !== undefined) ? more : found
  }, '')
  return [new Map([[common, 1]]), new Map([...p].map(([key, c]) => [keyQuotient(key, common)!, c]))] // all have them
}

/** The coefficients of `variables` in `p` and what is left; undefined when two of them are multiplied. */
export function coefficients(
  p: Polynomial,
  variables: ReadonlySet<string>,
): { readonly of: ReadonlyMap<string, Polynomial>; readonly rest: Polynomial } | undefined {
  const of = new Map<string, Polynomial>()
  let rest: Polynomial = new Map()
  for (const [key, c] of p) {
    const names = key === '' ? [] : key.split('*'),
      own = names.filter((n) => variables.has(n))
    if (own.length > 1) return undefined
    const other = new Map([[names.filter((n) => !variables.has(n)).join('*'), c]])
    if (own.length === 0) rest = plusScaled(rest, other, 1)
    else of.set(own[0]!, plusScaled(of.get(own[0]!) ?? new Map(), other, 1))
  }
  return { of, rest }
}
